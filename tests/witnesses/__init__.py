"""For each way of each rule a small program that takes it, run against the evaluator: see README.md."""
