"""The front ends by name, and the one that takes a source; imported only when asked for.

A front end of this project is a folder `frontends/<name>/` with a `frontend.py`, and one row here; another distribution
adds one by an entry point of the group `glslc_multi.front_ends` (`NAME = "package.module:OBJECT"`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from glslc_multi.compiler.frontend import FrontEnd, Source
from glslc_multi.compiler.plugins import Registry
from glslc_multi.compiler.records import replace

FRONT_ENDS: Registry[FrontEnd] = Registry(
    "glslc_multi.front_ends",
    {
        "glsl": "glslc_multi.frontends.glsl.frontend:FRONT_END",
        "spirv": "glslc_multi.frontends.spirv.frontend:FRONT_END",
        "hlsl": "glslc_multi.frontends.spirv.foreign:HLSL",
        "slang": "glslc_multi.frontends.spirv.foreign:SLANG",
        "wgsl": "glslc_multi.frontends.spirv.foreign:WGSL",
        "machine": "glslc_multi.backends.frontend:FRONT_END",
    },
)

#: What a source is in that no front end recognises: its stage may have been named.
_DEFAULT = "glsl"


def front_end_for(filename: str, content: str | bytes = "") -> FrontEnd:
    """The front end that takes a source; those of this project are asked first."""
    own = (FRONT_ENDS.load(name) for name in FRONT_ENDS.own)
    found = (front_end for each in (own, FRONT_ENDS.usable()) for front_end in each)
    return next((each for each in found if each.takes(filename, content)), None) or FRONT_ENDS.load(_DEFAULT)


def make_source(content: str | bytes, filename: str, stage: str | None = None) -> Source:
    """A source with its front end."""
    return Source(content, filename, front_end_for(filename, content), stage)


def as_second(source: Source) -> Source:
    """The source as the second of a pair: a geometry shader where its name says so, else a fragment shader."""
    is_geometry = source.front_end.stage_of_suffix.get(PurePath(source.filename).suffix) == "geometry"
    return replace(source, stage="geometry" if is_geometry else "fragment")


def standards() -> tuple[str, ...]:
    """The versions of their languages that front ends know."""
    return tuple(dict.fromkeys(word for each in FRONT_ENDS.usable() for word in each.standards))


def stage_of_suffix() -> Mapping[str, str]:
    """Suffix of all files that front ends take -> stage that it stands for; "" where the source itself tells."""
    stages: dict[str, str] = {}
    for each in FRONT_ENDS.usable():
        stages = {**each.stage_of_suffix, **stages}
    return stages
