"""What a record says about its language: the fields `version` and `context`, or those of a manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.model import Language

_VERSIONS = frozenset({"300es", "110", "120", "130", "140", "150", "330"})
#: Versions that a driver takes in a compatibility context: the fixed functions are part of the language.
_OLD = frozenset({"110", "120", "130"})
_WHOLE = ("int", "uint", "ivec", "uvec")


def language_of(row: Mapping[str, Any]) -> Language:
    """The language of a record's texts; a record without a version is GLSL ES 1.00."""
    version = str(row.get("glsl_version", row.get("version", "")))
    number = version.removesuffix(" compatibility").removesuffix(" core")
    std = number.replace(" ", "")
    if std not in _VERSIONS:
        # Of a version that does not exist the text itself must speak.
        return Language()
    context = row.get("mesa_context", row.get("context"))
    is_old = std in _OLD or version.endswith(" compatibility")
    return Language(std, is_old if context is None else context == "compat")


def is_whole(glsl_type: str) -> bool:
    """Whether values of a type are whole numbers: `ivec3`, `uint[4]`."""
    return glsl_type.startswith(_WHOLE)
