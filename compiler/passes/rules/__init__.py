"""The algebraic rewrite rules of instcombine, as a table with proofs."""
