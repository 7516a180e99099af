"""Passes over values: what is known, computed twice, needless or cheaper in another form."""
