"""Scheduling: allocated instructions into slots with a vector and a scalar half."""
