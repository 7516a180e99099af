"""Tests of the host code for Stage3D: what its texts say, and what real clients draw with it."""
