"""What a record says about its language: the fields `version` and `context`, or those of a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.model import Language

#: Versions that a driver takes in a compatibility context: the fixed functions are part of the language.
_OLD = frozenset({"110", "120", "130"})
_DESKTOP = _OLD | {"140", "150", "330"}
_WHOLE = ("int", "uint", "ivec", "uvec")


def language_of(row: Mapping[str, Any]) -> Language:
    """The language of a record's texts that have no `#version`: the first one of OpenGL ES or of desktop OpenGL."""
    version = str(row.get("glsl_version", row.get("version", "")))
    number = version.removesuffix(" compatibility").removesuffix(" core")
    if number not in _DESKTOP:
        # That of a version that does not exist is of no matter.
        return Language()
    context = row.get("mesa_context", row.get("context"))
    is_old = number in _OLD or version.endswith(" compatibility")
    return Language("110", is_old if context is None else context == "compat")


def is_whole(glsl_type: str) -> bool:
    """Whether values of a type are whole numbers: `ivec3`, `uint[4]`."""
    return glsl_type.startswith(_WHOLE)
