"""Fog by depth."""
