"""Procedures: what repeats in a program, and where its code stands."""
