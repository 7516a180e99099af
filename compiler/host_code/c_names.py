"""Names in C text: of shaders, of GLSL's variables."""

from __future__ import annotations

import re


def c_name(text: str) -> str:
    """`text` as an identifier of C."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return f"shader_{name}" if not name or name[0].isdigit() else name


def member_name(name: str) -> str:
    """The member of a structure that a uniform, or something computed, is."""
    return c_name(name.replace("$", "").replace("[]", "").replace(".", "__"))
