"""Stages that are linked: varyings match by location and component, whatever they are called."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.linking.match import LinkedPair, link_modules
from tests.frontends.spirv.modules import lowered

_TYPES = """
%void = OpTypeVoid
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%fn = OpTypeFunction %void
%f10 = OpConstant %float 10
%in2 = OpTypePointer Input %vec2
%in4 = OpTypePointer Input %vec4
%out2 = OpTypePointer Output %vec2
%out4 = OpTypePointer Output %vec4
"""


def _vertex(decorations: str) -> str:
    """Hands its attribute on as %one, and ten times it as %two."""
    return f"""
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main "main" %given %one %two %position
        OpName %given "given"
        OpName %one "one"
        OpName %two "two"
        OpDecorate %given Location 0
        OpDecorate %position BuiltIn Position
        {decorations}
        {_TYPES}
        %given = OpVariable %in2 Input
        %one = OpVariable %out2 Output
        %two = OpVariable %out2 Output
        %position = OpVariable %out4 Output
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %x = OpLoad %vec2 %given
        %y = OpVectorTimesScalar %vec2 %x %f10
        %z = OpCompositeConstruct %vec4 %x %y
        OpStore %one %x
        OpStore %two %y
        OpStore %position %z
        OpReturn
        OpFunctionEnd
    """


def _fragment(decorations: str, names: tuple[str, str] = ("one", "two")) -> str:
    """Its colour has %first and then %second."""
    return f"""
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main" %first %second %color
        OpExecutionMode %main OriginLowerLeft
        OpName %first "{names[0]}"
        OpName %second "{names[1]}"
        OpDecorate %color Location 0
        {decorations}
        {_TYPES}
        %first = OpVariable %in2 Input
        %second = OpVariable %in2 Input
        %color = OpVariable %out4 Output
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %x = OpLoad %vec2 %first
        %y = OpLoad %vec2 %second
        %z = OpCompositeConstruct %vec4 %x %y
        OpStore %color %z
        OpReturn
        OpFunctionEnd
    """


def _linked(vertex: str, fragment: str) -> LinkedPair:
    return link_modules(lowered(vertex, stage="vertex"), lowered(fragment), DiagnosticSink())


def _colour(pair: LinkedPair) -> list[float]:
    """What becomes of the attribute (1, 2)."""
    given = {"given": np.array([[1.0, 2.0]], dtype=np.float32)}
    written = evaluate(pair.vertex, given, {}, {}, lanes=1).outputs
    varyings = {name: value for name, value in written.items() if name in pair.fragment.variables}
    (found,) = evaluate(pair.fragment, varyings, {}, {}, lanes=1).outputs.values()
    return [float(x) for x in found[0]]


_APART = "OpDecorate %one Location 0\nOpDecorate %two Location 3\n"
#: Decorations of %first and %second -> the colour.
_CASES = {
    "in order": ("OpDecorate %first Location 0\nOpDecorate %second Location 3\n", [1.0, 2.0, 10.0, 20.0]),
    "turned": ("OpDecorate %first Location 3\nOpDecorate %second Location 0\n", [10.0, 20.0, 1.0, 2.0]),
}


@pytest.mark.parametrize("names", [("one", "two"), ("two", "one"), ("a", "b"), ("position", "given")])
@pytest.mark.parametrize("case", _CASES)
def test_locations_match_whatever_the_names(case: str, names: tuple[str, str]) -> None:
    decorations, wanted = _CASES[case]
    assert _colour(_linked(_vertex(_APART), _fragment(decorations, names))) == wanted


@pytest.mark.parametrize("names", [("one", "two"), ("two", "one")])
def test_two_varyings_share_a_location_by_components(names: tuple[str, str]) -> None:
    one = "OpDecorate %one Location 1\nOpDecorate %two Location 1\nOpDecorate %two Component 2\n"
    first = "OpDecorate %first Location 1\nOpDecorate %first Component 2\nOpDecorate %second Location 1\n"
    assert _colour(_linked(_vertex(one), _fragment(first, names))) == [10.0, 20.0, 1.0, 2.0]


def test_what_nobody_writes_is_an_error() -> None:
    with pytest.raises(CompileError):
        _linked(_vertex(_APART), _fragment("OpDecorate %first Location 0\nOpDecorate %second Location 2\n"))


@pytest.mark.parametrize("word", ["Flat", "NoPerspective"])
def test_the_fragment_stage_says_how_it_is_interpolated(word: str) -> None:
    """Vulkan, "Interface Matching": decorations must be equal but for those of interpolation."""
    pair = _linked(_vertex(_APART), _fragment(f"{_CASES['in order'][0]}OpDecorate %first {word}\n"))
    assert _colour(pair) == [1.0, 2.0, 10.0, 20.0]
    kinds = {v.name: v.interpolation for v in pair.fragment.variables.values() if v.storage == "varying"}
    assert kinds == {"one": word.lower(), "two": ""}


def test_a_vertex_stage_of_another_type_is_an_error() -> None:
    other = _fragment(_CASES["in order"][0]).replace("%first = OpVariable %in2 Input", "%first = OpVariable %in4 Input")
    other = other.replace("%x = OpLoad %vec2 %first", "%w = OpLoad %vec4 %first\n%x = OpVectorShuffle %vec2 %w %w 0 1")
    with pytest.raises(CompileError):
        _linked(_vertex(_APART), other)


def test_built_in_outputs_come_first_and_then_locations() -> None:
    """As sources declare them, in whatever order the module has them."""
    module = lowered(_vertex("OpDecorate %one Location 3\nOpDecorate %two Location 0\n"), stage="vertex")
    written = [v.name for v in module.variables.values() if v.storage in ("varying", "output") or v.role == "position"]
    assert written == ["gl_Position", "two", "one"]
