"""Global variables: what they become in the IR, under which names and at which places, and those that are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from tests.frontends.spirv.modules import VALUES, A, lowered, refusal, refusal_here, run, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"


def _text(declarations: str, body: str = _RESULT, *, interface: str = "%x", marks: str = "") -> str:
    """A fragment shader with more in its interface, and decorations of that."""
    text = shader(body, declarations).replace('"main" %color', f'"main" %color {interface}', 1)
    return text.replace("OpDecorate", f"{marks}\nOpDecorate", 1) if marks else text


def _input(type_: str) -> str:
    return f"%to_x = OpTypePointer Input %{type_}\n%x = OpVariable %to_x Input\n"


def _uniforms(module: Module) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    return {name: np.array(value) for name, value in VALUES.items() if name in module.variables}


def _vertex(type_: str, storage: str, mark: str) -> Module:
    """A vertex shader that reads or writes one more variable."""
    text = (
        f"%to_x = OpTypePointer {storage} %{type_}\n%null = OpConstantNull %{type_}\n%x = OpVariable %to_x {storage}\n"
    )
    body = f"%l = OpLoad %{type_} %x\n" if storage == "Input" else "OpStore %x %null\n"
    text = _text(text, body + _RESULT, marks=f"OpDecorate %x {mark}")
    text = text.replace("Fragment %main", "Vertex %main").replace("%color Location 0", "%color BuiltIn Position")
    return lowered(text.replace("OpExecutionMode %main OriginLowerLeft\n", ""), stage="vertex")


#: Stage, storage class, decoration and type -> name, role and storage in the IR.
_BUILT_INS = {
    ("vertex", "Output", "PointSize", "float"): ("gl_PointSize", "point_size", "output"),
    ("vertex", "Input", "VertexIndex", "int"): ("gl_VertexID", "vertex_id", "input"),
    ("vertex", "Input", "VertexId", "int"): ("gl_VertexID", "vertex_id", "input"),
    ("vertex", "Input", "VertexIndex", "uint"): ("gl_VertexID", "vertex_id", "input"),
    ("vertex", "Input", "InstanceIndex", "int"): ("gl_InstanceID", "instance_id", "input"),
    ("vertex", "Input", "InstanceId", "int"): ("gl_InstanceID", "instance_id", "input"),
    ("fragment", "Input", "FragCoord", "vec4"): ("gl_FragCoord", "frag_coord", "input"),
    ("fragment", "Input", "FrontFacing", "bool"): ("gl_FrontFacing", "front_facing", "input"),
    ("fragment", "Input", "PointCoord", "vec2"): ("gl_PointCoord", "point_coord", "input"),
    ("fragment", "Input", "PrimitiveId", "int"): ("gl_PrimitiveID", "primitive_id", "input"),
    ("fragment", "Input", "PrimitiveId", "uint"): ("gl_PrimitiveID", "primitive_id", "input"),
    ("fragment", "Output", "FragDepth", "float"): ("gl_FragDepth", "frag_depth", "output"),
}


@pytest.mark.parametrize(("stage", "storage", "decoration", "type_"), _BUILT_INS)
def test_built_in_variables(stage: str, storage: str, decoration: str, type_: str) -> None:
    if stage == "vertex":
        module = _vertex(type_, storage, f"BuiltIn {decoration}")
    else:
        declared = f"%to_x = OpTypePointer {storage} %{type_}\n%x = OpVariable %to_x {storage}\n"
        use = f"%l = OpLoad %{type_} %x\n" if storage == "Input" else "OpStore %x %f0\n"
        module = lowered(_text(declared, use + _RESULT, marks=f"OpDecorate %x BuiltIn {decoration}"))
    name, role, kind = _BUILT_INS[stage, storage, decoration, type_]
    found = module.variables[name]
    assert (found.role, found.storage, found.location, found.interpolation) == (role, kind, None, "")


def test_two_variables_of_one_built_in_are_one() -> None:
    declared = "%to_x = OpTypePointer Input %vec2\n%x = OpVariable %to_x Input\n%y = OpVariable %to_x Input\n"
    body = "%l = OpLoad %vec2 %x\n%m = OpLoad %vec2 %y\n%result = OpVectorShuffle %vec4 %l %m 0 1 2 3\n"
    marks = "OpDecorate %x BuiltIn PointCoord\nOpDecorate %y BuiltIn PointCoord"
    module = lowered(_text(declared, body, interface="%x %y", marks=marks))
    assert [v.name for v in module.variables.values() if v.storage == "input"] == ["gl_PointCoord"]
    found = evaluate(module, {"gl_PointCoord": np.array([[0.25, 0.75]], np.float32)}, _uniforms(module), {}, lanes=1)
    assert found.outputs["color"].tolist() == [[0.25, 0.75, 0.25, 0.75]]


def test_built_ins_that_no_target_has_are_refused_where_they_are_used() -> None:
    text = _text(_input("int"), "%l = OpLoad %int %x ; here\n" + _RESULT, marks="OpDecorate %x BuiltIn SampleId")
    assert refusal_here(text) == ("E1010", "BuiltIn SampleId: no target has it")
    assert lowered(_text(_input("int"), marks="OpDecorate %x BuiltIn SampleId"))


#: Decorations of an input of the vertex stage or the fragment's -> location and interpolation.
_VARYINGS = {
    "OpDecorate %x Location 2": (2, ""),
    "OpDecorate %x Location 2\nOpDecorate %x Flat": (2, "flat"),
    "OpDecorate %x Location 2\nOpDecorate %x NoPerspective": (2, "noperspective"),
    "OpDecorate %x Location 0\nOpDecorate %x Centroid": (0, ""),
}


@pytest.mark.parametrize("marks", _VARYINGS)
def test_varyings(marks: str) -> None:
    module = lowered(_text(_input("vec4"), "%result = OpLoad %vec4 %x\n", marks=marks))
    found = module.variables["x"]
    assert (found.storage, found.location, found.interpolation, found.role) == ("varying", *_VARYINGS[marks], "")


def test_attributes_have_locations_and_no_interpolation() -> None:
    found = _vertex("vec4", "Input", "Location 3").variables["x"]
    assert (found.storage, found.location, found.interpolation) == ("attribute", 3, "")


@pytest.mark.parametrize(("mark", "precision"), [("RelaxedPrecision", "mediump"), ("Restrict", "highp")])
def test_precision_is_that_of_the_decoration(mark: str, precision: str) -> None:
    marks = f"OpDecorate %x Location 0\nOpDecorate %x {mark}"
    module = lowered(_text(_input("vec4"), "%result = OpLoad %vec4 %x\n", marks=marks))
    assert module.variables["x"].precision == precision


_TYPES = """
%two = OpConstant %int 2
%list = OpTypeArray %mat2 %two
%lists = OpTypeArray %list %two
%s = OpTypeStruct %float %lists %vec2 %vec4
"""
_TO_S = f"{_TYPES}{_input('s')}%to_vec4 = OpTypePointer Input %vec4\n%i3 = OpConstant %int 3\n"
_READ_ALL = """
%l = OpLoad %s %x
%u = OpCompositeExtract %float %l 0
%p = OpCompositeExtract %float %l 1 0 0 0 0
%q = OpCompositeExtract %float %l 2 0
%r = OpCompositeExtract %float %l 3 0
%result = OpCompositeConstruct %vec4 %u %p %q %r
"""
#: Decorations of a structure that is an input -> the locations of its four members.
_LOCATIONS: dict[str, tuple[int, ...]] = {
    # A float takes one, two arrays of two matrices of two columns eight.
    "OpDecorate %x Location 1": (1, 2, 10, 11),
    "OpDecorate %x Location 0\nOpMemberDecorate %s 2 Location 20": (0, 1, 20, 21),
    "OpMemberDecorate %s 0 Location 9\nOpMemberDecorate %s 1 Location 0\nOpMemberDecorate %s 2 Location 8\n"
    "OpMemberDecorate %s 3 Location 10": (9, 0, 8, 10),
}


@pytest.mark.parametrize("marks", _LOCATIONS)
def test_members_of_an_input_have_locations(marks: str) -> None:
    module = lowered(_text(_TO_S, _READ_ALL, marks=marks))
    names = ("x.member0", "x.member1[]", "x.member2", "x.member3")
    assert tuple(module.variables[name].location for name in names) == _LOCATIONS[marks]


def test_variables_that_share_a_location_leave_it_to_the_linker() -> None:
    declared = "%to_x = OpTypePointer Input %vec2\n%x = OpVariable %to_x Input\n%y = OpVariable %to_x Input\n"
    declared += "%z = OpVariable %to_x Input\n"
    body = "%l = OpLoad %vec2 %x\n%m = OpLoad %vec2 %y\n%n = OpLoad %vec2 %z\n%o = OpFAdd %vec2 %m %n\n"
    body += "%result = OpVectorShuffle %vec4 %l %o 0 1 2 3\n"
    marks = "OpDecorate %x Location 3\nOpDecorate %y Location 3\nOpDecorate %y Component 2\nOpDecorate %z Location 4"
    module = lowered(_text(declared, body, interface="%x %y %z", marks=marks))
    assert [module.variables[name].location for name in "xyz"] == [None, None, 4]
    places = {each.name: each.place for each in module.declarations if each.storage == "varying"}
    assert places == {"x": (3, 0), "y": (3, 2), "z": (4, 0)}


def test_a_component_alone_shares_its_location() -> None:
    marks = "OpDecorate %x Location 3\nOpDecorate %x Component 1"
    module = lowered(_text(_input("float"), "%l = OpLoad %float %x\n" + _RESULT, marks=marks))
    (place,) = (each.place for each in module.declarations if each.name == "x")
    assert (module.variables["x"].location, place) == (None, (3, 1))


#: Locations of three outputs beside that of the colour, which is 0 -> their locations, and their roles.
_OUTPUTS: dict[tuple[str, ...], list[tuple[int, str]]] = {
    ("1", "2", "3"): [(1, "frag_data"), (2, "frag_data"), (3, "frag_data")],
    ("3", "1", "2"): [(3, "frag_data"), (1, "frag_data"), (2, "frag_data")],
    ("", "", ""): [(1, "frag_data"), (2, "frag_data"), (3, "frag_data")],
    ("", "1", ""): [(2, "frag_data"), (1, "frag_data"), (3, "frag_data")],
}


@pytest.mark.parametrize("locations", _OUTPUTS)
def test_colours_are_numbered(locations: tuple[str, ...]) -> None:
    """Those without a location take what is left."""
    declared = "".join(f"%o{n} = OpVariable %out_vec4 Output\n" for n in range(3))
    body = "".join(f"OpStore %o{n} %b\n" for n in range(3))
    marks = "\n".join(f"OpDecorate %o{n} Location {place}" for n, place in enumerate(locations) if place)
    module = lowered(_text(declared, body + _RESULT, interface="%o0 %o1 %o2", marks=marks))
    assert (module.variables["color"].location, module.variables["color"].role) == (0, "frag_color")
    found = [module.variables[f"o{n}"] for n in range(3)]
    assert [(each.location, each.role) for each in found] == _OUTPUTS[locations]


def test_a_variable_that_is_no_part_of_the_interface_is_none() -> None:
    """An entry point lists its inputs and outputs; what another one has is not known here."""
    body = "%l = OpLoad %vec4 %x ; here\n" + _RESULT
    text = _text(_input("vec4"), body, interface="", marks="OpDecorate %x Location 0")
    assert refusal_here(text) == ("E1005", "invalid SPIR-V: OpLoad: %x is no value that is known here")


def test_an_entry_point_without_a_list_has_all_variables() -> None:
    text = _text(_input("vec4"), "%result = OpLoad %vec4 %x\n", marks="OpDecorate %x Location 0")
    assert "x" in lowered(text.replace('"main" %color %x', '"main"')).variables


def test_what_is_not_used_is_declared_and_no_variable() -> None:
    module = lowered(_text(_input("vec4"), marks="OpDecorate %x Location 0"))
    assert "x" not in module.variables
    used = {each.name: each.is_used for each in module.declarations}
    assert (used["x"], used["pa"], used["color"]) == (False, True, True)


def test_private_variables_begin_with_their_values() -> None:
    declared = "%private = OpTypePointer Private %vec4\n%x = OpVariable %private Private %ones\n"
    assert run(shader("%l = OpLoad %vec4 %x\n%result = OpFAdd %vec4 %l %a\n", declared)) == [x + 1 for x in A]


@pytest.mark.parametrize("component", [None, 2])
def test_outputs_begin_with_their_values(component: int | None) -> None:
    """Where nothing is stored, or only a part, the rest is what the module says."""
    declared = "%x = OpVariable %out_vec4 Output %ones\n%out_float = OpTypePointer Output %float\n"
    declared += f"%part = OpConstant %int {component or 0}\n"
    store = "" if component is None else "%p = OpAccessChain %out_float %x %part\nOpStore %p %f2\n"
    module = lowered(_text(declared, store + _RESULT, marks="OpDecorate %x Location 1"))
    found = evaluate(module, {}, _uniforms(module), {}, lanes=1).outputs
    assert found["x"].tolist() == [[2.0 if n == component else 1.0 for n in range(4)]]


_IMAGE = "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
_BLOCK = "%s = OpTypeStruct %vec4\n%to_s = OpTypePointer Uniform %s\n"
_STORAGE = "%to_x = OpTypePointer {0} %vec4\n%x = OpVariable %to_x {0} ; here\n"
#: Declarations of which one is refused, decorations of them -> code and message.
_REFUSED: dict[tuple[str, str], tuple[str, str]] = {
    ("%x = OpVariable %vec4 Uniform ; here\n", ""): ("E1006", "OpVariable: its type is no pointer"),
    ("%x = OpVariable %in_vec4 Uniform ; here\n", ""): (
        "E1006",
        "OpVariable: its type is a pointer to UniformConstant",
    ),
    ("%private = OpTypePointer Private %vec4\n%x = OpVariable %private Private %f0 ; here\n", ""): (
        "E1006",
        "OpVariable: its initial value is of another type",
    ),
    ("%private = OpTypePointer Private %vec4\n%x = OpVariable %private Private %pa ; here\n", ""): (
        "E1005",
        "OpVariable: %pa is no constant",
    ),
    ("%to_x = OpTypePointer Uniform %vec4\n%x = OpVariable %to_x Uniform ; here\n", ""): ("E1012", "x: it is no block"),
    (f"{_BLOCK}%x = OpVariable %to_s Uniform ; here\n", 'OpName %s "s"'): (
        "E1012",
        "s: member member0 of a block has no offset",
    ),
    (f"{_BLOCK}%x = OpVariable %to_s Uniform ; here\n", "OpMemberDecorate %s 0 Offset 0\nOpDecorate %s BufferBlock"): (
        "E1010",
        "x: no target has storage buffers",
    ),
    ("%to_x = OpTypePointer Input %bool\n%x = OpVariable %to_x Input ; here\n", "OpDecorate %x Location 0"): (
        "E1012",
        "x: a bool does not go from stage to stage",
    ),
    (
        f"{_IMAGE}%to_x = OpTypePointer Input %image\n%x = OpVariable %to_x Input ; here\n",
        "OpDecorate %x Location 0",
    ): ("E1012", "x: a sampler2D does not go from stage to stage"),
    ("%x = OpVariable %out_vec4 Output ; here\n", "OpDecorate %x Location 0\nOpDecorate %x Index 1"): (
        "E1010",
        "x: no target blends with two colours",
    ),
    ("%to_x = OpTypePointer Input %float\n%x = OpVariable %to_x Input ; here\n", "OpDecorate %x BuiltIn FragCoord"): (
        "E1012",
        "BuiltIn FragCoord: it is a float, not what gl_FragCoord is",
    ),
    ("%to_x = OpTypePointer Input %vec4\n%x = OpVariable %to_x Input ; here\n", "OpDecorate %x BuiltIn PrimitiveId"): (
        "E1012",
        "BuiltIn PrimitiveId: it is a vec4, not what gl_PrimitiveID is",
    ),
    (_STORAGE.format("Workgroup"), ""): ("E1010", "x: no target has memory that invocations share"),
    (_STORAGE.format("StorageBuffer"), ""): ("E1010", "x: no target has storage buffers"),
    (_STORAGE.format("AtomicCounter"), ""): ("E1010", "x: no target has atomic counters"),
    (_STORAGE.format("Image"), ""): ("E1010", "x: no target has storage images"),
    (_STORAGE.format("Generic"), ""): ("E1010", "x: no target has such memory"),
    (_STORAGE.format("Function"), ""): (
        "E1012",
        "x: it has the storage of a function's own, and stands outside of all functions",
    ),
    (f"{_IMAGE}%to_x = OpTypePointer Private %image\n%x = OpVariable %to_x Private ; here\n", ""): (
        "E1012",
        "x: images are no memory of an invocation",
    ),
}


@pytest.mark.parametrize(("declarations", "marks"), _REFUSED)
def test_variables_that_are_refused(declarations: str, marks: str) -> None:
    code, what = _REFUSED[declarations, marks]
    text = _text(declarations, marks=marks)
    assert refusal_here(text) == (code, ("" if code == "E1010" else "invalid SPIR-V: ") + what)


def test_a_second_colour_of_index_0_is_a_colour() -> None:
    marks = "OpDecorate %x Location 1\nOpDecorate %x Index 0"
    text = _text("%x = OpVariable %out_vec4 Output\n", "OpStore %x %b\n" + _RESULT, marks=marks)
    assert lowered(text).variables["x"].location == 1


def test_a_block_has_members_that_hosts_can_count() -> None:
    """2^14 at most: an array of structures has as many members as elements."""
    declared = """
        OpMemberDecorate %inner 0 Offset 0
        OpMemberDecorate %outer 0 Offset 0
        OpDecorate %list ArrayStride 16
        %inner = OpTypeStruct %vec4
        %length = OpConstant %int {}
        %list = OpTypeArray %inner %length
        %outer = OpTypeStruct %list
        %to_outer = OpTypePointer Uniform %outer
        %x = OpVariable %to_outer Uniform
    """
    body = "%p = OpAccessChain %to_vec4 %x %i0 %i1 %i0\n%result = OpLoad %vec4 %p\n"
    pointer = "%to_vec4 = OpTypePointer Uniform %vec4\n"
    (block,) = lowered(shader(body, declared.format(1 << 14) + pointer)).blocks
    assert (len(block.members), block.members[-1].offset) == (1 << 14, 16 * ((1 << 14) - 1))
    code, message, _ = refusal(shader(body, declared.format((1 << 14) + 1) + pointer))
    assert code == "E1010" and message.endswith(": the block has too many members")
