"""The built-in functions by name and version.

Signatures are expanded when their name is first asked for, so that a compile pays only for what it uses.
"""

from __future__ import annotations

import re
from functools import cache

from glslc_multi.frontends.glsl.language.versions import versions
from glslc_multi.frontends.glsl.library.sections import FAMILIES, SECTIONS, Section
from glslc_multi.frontends.glsl.library.textures import TEXTURE_FUNCTION_NAMES, texture_functions
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES

_SIGNATURE = re.compile(r"(\w+) (\w+)\(([^)]*)\)")

#: Name -> (result, parameters, section) as written; the order is that of the tables.
_ROWS: dict[str, list[tuple[str, str, Section]]] = {}
for _section in SECTIONS:
    for _result, _name, _parameters in _SIGNATURE.findall(_section.signatures):
        _ROWS.setdefault(_name, []).append((_result, _parameters, _section))

#: Those of all versions.
FUNCTION_NAMES = (*_ROWS, *TEXTURE_FUNCTION_NAMES)


@cache
def functions(name: str) -> tuple[BuiltinFunction, ...]:
    """Every overload of the built-in function `name` in any version and stage; empty when there is none."""
    if name in _ROWS:
        return tuple(function for row in _ROWS[name] for function in _expand(name, *row))
    return tuple(texture_functions(name))


@cache
def functions_of(name: str, version: int) -> tuple[BuiltinFunction, ...]:
    """The overloads that a version of the language has, in any stage and under any extension."""
    return tuple(function for function in functions(name) if version in versions(function.versions))


@cache
def function_names(version: int) -> tuple[str, ...]:
    """The names of all built-in functions of a version."""
    return tuple(name for name in FUNCTION_NAMES if functions_of(name, version))


def _expand(name: str, result: str, parameters: str, section: Section) -> list[BuiltinFunction]:
    written = [word.removeprefix("out ") for word in parameters.split(", ") if word]
    outs = tuple(i for i, word in enumerate(parameters.split(", ")) if word.startswith("out "))
    words = [result, *written]
    count = max(len(FAMILIES.get(word, (None,))) for word in words)
    return [
        BuiltinFunction(
            name, types[0], types[1:], section.stages, section.extension, section.versions, outs, section.precision
        )
        for types in (
            tuple((FAMILIES[word][i] if word in FAMILIES else KEYWORD_TYPES[word]) for word in words)
            for i in range(count)
        )
    ]
