"""The register map: a reflection as JSON, by the schema in `schemas/reflection.schema.json`.

A target adds keys of its own (`Artifact.map_keys`): what its loaders need besides, and what those of other tools know.
A new key goes into the schema, too, where the objects of revision 1 are open: at the top, in `limits` and `host_state`.
"""

from __future__ import annotations

import json
from typing import Any

from glslc_multi.compiler.artifact import REFLECTION_REVISION, Artifact, Binding, Location, Reflection
from glslc_multi.compiler.host_code.uniforms import computed_of, read_by_preamble
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.records import asdict


def register_map(artifact: Artifact) -> str:
    """The text of `OUT.json`."""
    return json.dumps(map_data(artifact), indent=1) + "\n"


def map_data(artifact: Artifact) -> dict[str, Any]:
    """The register map as plain data."""
    return reflection_data(artifact.reflection) | _preamble(artifact) | dict(artifact.map_keys)


def reflection_data(reflection: Reflection) -> dict[str, Any]:
    """A reflection as plain data."""
    kinds = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")
    return {
        "version": reflection.version,
        "revision": REFLECTION_REVISION,
        "target": reflection.target,
        "stage": reflection.stage,
        **{kind: [_binding(binding) for binding in getattr(reflection, kind)] for kind in kinds},
        "literals": [
            {"location": _location(literal.location), "words": list(literal.words)} for literal in reflection.literals
        ],
        "stream": [{"kind": kind, "source": source} for kind, source in reflection.stream],
        "limits": {name: {"used": used, "limit": limit} for name, (used, limit) in (reflection.limits or {}).items()},
        "host_state": dict(reflection.host_state or {}),
        **({"blocks": [_block(block) for block in reflection.blocks]} if reflection.blocks else {}),
        **({"interpolation": dict(reflection.interpolation)} if reflection.interpolation else {}),
    }


def _preamble(artifact: Artifact) -> dict[str, Any]:
    """What the host computes before it draws, where there is any: of which uniforms, which, and how."""
    if artifact.preamble is None:
        return {}
    from glslc_multi.compiler.ir.text import print_module

    reads = [_binding(binding) for binding in read_by_preamble(artifact)]
    for read in reads:
        del read["locations"]
    computes = [binding.name for binding in computed_of(artifact)]
    return {"preamble": {"reads": reads, "computes": computes, "code": print_module(artifact.preamble)}}


def _block(block: UniformBlock) -> dict[str, Any]:
    return {
        "name": block.name,
        "packing": block.packing,
        "length": block.length,
        "size": block.size,
        "members": [asdict(member) for member in block.members],
    }


def _binding(binding: Binding) -> dict[str, Any]:
    return {
        "name": binding.name,
        "type": binding.type,
        "length": binding.length,
        "locations": [_location(location) for location in binding.locations],
        **({} if binding.default is None else {"default": list(binding.default)}),
    }


def _location(location: Location) -> dict[str, Any]:
    return asdict(location)
