"""For each form of each rule a small program in which it fires, run against the evaluator: see README.md."""
