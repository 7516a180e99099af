"""Many shaders in many variants, compiled once each: see README.md."""
