"""Proofs of compilations: machine code compared with its source, in algebra."""
