"""What the code of a program takes for granted of textures, in a comment where the host binds them."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.artifact import Artifact


def demands_of(stages: Mapping[str, Artifact], sampler: str) -> str:
    """Of a sampler what `host_state` says of it in any stage: `; filter nearest, mipmaps no`, or nothing."""
    demands: dict[str, str] = {}
    for artifact in stages.values():
        for name, value in (artifact.reflection.host_state or {}).items():
            owner, _, what = name.rpartition(".")
            if owner == sampler:
                demands[what] = "no" if value is False else str(value)
    return "; " * bool(demands) + ", ".join(f"{what} {value}" for what, value in demands.items())
