"""Names that the text cannot have become identifiers, each its own."""

from __future__ import annotations

from glslc_multi.backends.glsl.identifiers import name_by_identifiers
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable


def test_variables_without_declarations_are_renamed() -> None:
    module = Module("fragment")
    for name in ("$color", "uv", "lights[].colour", "a b", "a_b", "$a_b"):
        module.add_variable(Variable(name, "varying", VEC4))
    name_by_identifiers(module)
    names = [variable.name for variable in module.variables.values()]
    assert sorted(names) == ["a_b", "a_b_", "a_b__", "color", "lights[].colour", "uv"]
    assert all(module.variables[name].name == name for name in names)
