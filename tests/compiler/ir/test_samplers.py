"""Kinds of samplers, and what lookups of each take and yield, against GLSL's own prototypes.

The prototypes are those of GLSL 3.30 section 8.7 (without projection, and the depth on its own, which GLSL puts into
the coordinate's last component where there is room).
"""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module

#: Sampler -> what `texture` and `textureGrad` take, and what `textureSize` yields.
PROTOTYPES = {
    "sampler1D": ("vec4 (float)", "vec4 (float, float, float)", "int"),
    "sampler2D": ("vec4 (vec2)", "vec4 (vec2, vec2, vec2)", "ivec2"),
    "sampler3D": ("vec4 (vec3)", "vec4 (vec3, vec3, vec3)", "ivec3"),
    "samplerCube": ("vec4 (vec3)", "vec4 (vec3, vec3, vec3)", "ivec2"),
    "sampler2DRect": ("vec4 (vec2)", "vec4 (vec2, vec2, vec2)", "ivec2"),
    "samplerExternal": ("vec4 (vec2)", "vec4 (vec2, vec2, vec2)", "ivec2"),
    "sampler1DArray": ("vec4 (vec2)", "vec4 (vec2, float, float)", "ivec2"),
    "sampler2DArray": ("vec4 (vec3)", "vec4 (vec3, vec2, vec2)", "ivec3"),
    "sampler1DShadow": ("vec4 (float, float)", "vec4 (float, float, float, float)", "int"),
    "sampler2DShadow": ("vec4 (vec2, float)", "vec4 (vec2, float, vec2, vec2)", "ivec2"),
    "sampler2DRectShadow": ("vec4 (vec2, float)", "vec4 (vec2, float, vec2, vec2)", "ivec2"),
    "samplerCubeShadow": ("vec4 (vec3, float)", "vec4 (vec3, float, vec3, vec3)", "ivec2"),
    "sampler1DArrayShadow": ("vec4 (vec2, float)", "vec4 (vec2, float, float, float)", "ivec2"),
    "sampler2DArrayShadow": ("vec4 (vec3, float)", "vec4 (vec3, float, vec2, vec2)", "ivec3"),
}
#: Sampler -> what `texelFetch` takes: the coordinate and the level.
FETCHES = {
    "sampler1D": "vec4 (int, int)",
    "sampler2D": "vec4 (ivec2, int)",
    "sampler3D": "vec4 (ivec3, int)",
    "sampler2DRect": "vec4 (ivec2, int)",
    "samplerExternal": "vec4 (ivec2, int)",
    "sampler1DArray": "vec4 (ivec2, int)",
    "sampler2DArray": "vec4 (ivec3, int)",
    "samplerBuffer": "vec4 (int, int)",
    "usampler2D": "ivec4 (ivec2, int)",
    "isampler3D": "ivec4 (ivec3, int)",
    "usamplerBuffer": "ivec4 (int, int)",
}


def lookup(sampler: str, prototype: str, opcode: str = "texture", attribute: str = "") -> str:
    """The text of a shader with one lookup of zeros."""
    result, _, rest = prototype.partition(" ")
    types = rest.strip("()").split(", ")
    zeros = [f"{name}(0)" if name.startswith("i") else f"{name}(0.0)" for name in types]
    operands = ", ".join(zero if zero[0] in "iv" and "vec" in zero else zero.partition("(")[2][:-1] for zero in zeros)
    return (
        f"shader fragment\nsampler @s: {sampler}\n\nfunc @main {{\n^entry:\n"
        f"  %0:{result} = {opcode}{attribute} @s, {operands}\n  ret\n}}\n"
    )


def problems(text: str) -> list[str]:
    sink = DiagnosticSink()
    module = parse_module(text, "t.sir", sink)
    if module is None:
        return [diagnostic.message for diagnostic in sink.diagnostics]
    assert parse_module(print_module(module), "t.sir", sink) is not None
    return [fault.text.partition("': ")[2] for fault in verify_module(module)]


@pytest.mark.parametrize("sampler", PROTOTYPES)
def test_what_lookups_take_and_yield(sampler: str) -> None:
    plain, grad, size = PROTOTYPES[sampler]
    assert problems(lookup(sampler, plain)) == []
    assert problems(lookup(sampler, plain[:-1] + ", float)", attribute=".lod")) == []
    assert problems(lookup(sampler, plain[:-1] + ", float)", attribute=".bias")) == []
    assert problems(lookup(sampler, grad, attribute=".grad")) == []
    assert problems(lookup(sampler, f"{size} (int)", "texture_size")) == []
    assert problems(lookup(sampler, "vec4 (int)")) != []


@pytest.mark.parametrize("sampler", FETCHES)
def test_what_fetches_take_and_yield(sampler: str) -> None:
    assert problems(lookup(sampler, FETCHES[sampler], attribute=".fetch")) == []


@pytest.mark.parametrize("sampler", [name for name in SAMPLER_KINDS if name[0] in "iu" and "Buffer" not in name])
def test_lookups_of_ints_take_the_same(sampler: str) -> None:
    plain, grad, size = PROTOTYPES[sampler[1:]]
    assert problems(lookup(sampler, f"i{plain}")) == []
    assert problems(lookup(sampler, f"i{grad}", attribute=".grad")) == []
    assert problems(lookup(sampler, f"{size} (int)", "texture_size")) == []


def test_the_list_of_kinds_is_that_of_the_tables_here() -> None:
    floats = {name for name in SAMPLER_KINDS if name[0] == "s"}
    assert floats == {*PROTOTYPES, "samplerBuffer"}
    assert {name[1:] for name in SAMPLER_KINDS if name[0] in "iu"} == {
        name for name in floats if not name.endswith("Shadow") and name != "samplerExternal"
    }


@pytest.mark.parametrize(
    ("sampler", "prototype", "attribute", "problem"),
    [
        ("samplerCube", "vec4 (ivec3, int)", ".fetch", "@s is samplerCube, which has no fetches [texture]"),
        ("samplerBuffer", "vec4 (float)", "", "@s is samplerBuffer, which has fetches only [texture]"),
        ("samplerCube", "vec4 (vec3)", " offset(1, 1, 1)", "@s is samplerCube, which has no offsets [texture]"),
        (
            "sampler2DArray",
            "vec4 (vec3)",
            " offset(1, 1, 1)",
            "@s is sampler2DArray, whose offsets have 2 components, found 3 [texture]",
        ),
        ("sampler2D", "vec4 (vec2)", " offset(-8, 7)", None),
        ("sampler3D", "vec4 (vec3, float)", ".lod offset(1, 2, -3)", None),
    ],
)
def test_what_a_kind_forbids(sampler: str, prototype: str, attribute: str, problem: str | None) -> None:
    assert problems(lookup(sampler, prototype, attribute=attribute)) == ([] if problem is None else [problem])


def test_a_question_for_a_size_has_no_mode() -> None:
    text = lookup("sampler2D", "ivec2 (int)", "texture_size", ".lod")
    assert problems(text) == ["a question for a size has neither mode nor offset [texture]"]


def test_the_text_form_keeps_the_offset() -> None:
    text = lookup("sampler2D", "vec4 (vec2, float)", attribute=".lod precise offset(1, -2)")
    sink = DiagnosticSink()
    module = parse_module(text, "t.sir", sink)
    assert module is not None
    assert next(iter(module.main.instructions())).attribute.offset == (1, -2)
    assert "texture.lod precise offset(1, -2) @s, vec2(0.0), 0.0" in print_module(module)
