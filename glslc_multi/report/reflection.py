"""The register map: a reflection as JSON, by the schema in `docs/reflection.schema.json`.

A target adds keys of its own (`Artifact.map_keys`), so that loaders of other tools find what they know.
"""

from __future__ import annotations

import json
from typing import Any

from compiler.artifact import Artifact, Binding, Location, Reflection
from compiler.ir.blocks import UniformBlock
from compiler.records import asdict


def register_map(artifact: Artifact) -> str:
    """The text of `OUT.json`."""
    found = reflection_data(artifact.reflection) | dict(artifact.map_keys)
    return json.dumps(found, indent=1) + "\n"


def reflection_data(reflection: Reflection) -> dict[str, Any]:
    """A reflection as plain data."""
    kinds = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")
    return {
        "version": reflection.version,
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
