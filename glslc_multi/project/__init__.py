"""Files that say how the shaders of a project are compiled."""
