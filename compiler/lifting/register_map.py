"""A register map, as `--emit json` writes it, read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glslc_multi.compiler.artifact import Binding, Literal32, Location, Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import LOAD, RET, STORE
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.compiler.ir.verify import verify_module

#: What a preamble does beside arithmetic.
_PREAMBLE_OPS = (LOAD, STORE, RET)
_KINDS = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")
#: What the map of every stage has, beside keys that only a target knows.
_COMMON = {*_KINDS, "version", "revision", "target", "stage", "literals", "stream", "limits", "host_state", "blocks"}


def reflection_of(data: Mapping[str, Any]) -> Reflection:
    """Return the reflection of a map; KeyError or TypeError where it is none."""
    bindings: dict[str, Any] = {kind: tuple(map(_binding, data[kind])) for kind in _KINDS}
    return Reflection(
        data["target"],
        data["stage"],
        **bindings,
        literals=tuple(Literal32(Location(**row["location"]), tuple(row["words"])) for row in data["literals"]),
        stream=tuple((row["kind"], row["source"]) for row in data["stream"]),
        limits={name: (row["used"], row["limit"]) for name, row in data["limits"].items()},
        host_state=data["host_state"],
        interpolation=data.get("interpolation"),
    )


def preamble_of(data: Mapping[str, Any]) -> Module | None:
    """Return what the host computes of uniforms, if a map has that; ValueError where it is no such function."""
    if PREAMBLE not in data:
        return None
    module = parse_module(data[PREAMBLE]["code"], "<preamble>", DiagnosticSink())
    if module is None or PREAMBLE not in module.functions or "main" not in module.functions:
        raise ValueError("the preamble is no function")
    functions, main = module.functions, module.functions["main"]
    for name, function in functions.items():
        # Functions of tables may do what the preamble may.
        function.name = name if function is main else PREAMBLE
        module.functions = {"main": main, function.name: function}
        others = [each for each in function.instructions() if not (each.op in _PREAMBLE_OPS or each.op.has_semantics)]
        if len(function.blocks) != 1 or others or verify_module(module):
            raise ValueError("the preamble breaks rules of the IR")
        function.name = name
    module.functions = functions
    return module


def keys_of_target(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a target has added to a map."""
    return {key: value for key, value in data.items() if key not in _COMMON and key != PREAMBLE}


def _binding(row: Mapping[str, Any]) -> Binding:
    """Return a named value; what it holds before a host sets it does not matter here."""
    return Binding(row["name"], row["type"], row["length"], tuple(Location(**each) for each in row["locations"]))
