"""The fog unit: a colour that is mixed with another by a function of depth."""
