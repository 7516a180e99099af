"""The playground: GLSL on one side of a page, machine code on the other."""

from pathlib import Path

#: The page, where it has been built.
SITE = Path(__file__).parent / "site"
