"""Analyses: facts about a function, computed on demand and cached by the analysis manager."""
