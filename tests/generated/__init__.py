"""Generated shaders, compiled for a target and run on its simulator against the evaluator."""
