"""Tests of the engines that run machine code over lanes."""
