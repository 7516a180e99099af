"""Types: their bounds, and those that no module or no target has, at their line."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import SourceFile
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.spirv.text import read_text
from glslc_multi.frontends.spirv.module.contents import Contents
from tests.frontends.spirv.modules import lowered, refusal_here, shader

_RESULT = "%result = OpCopyObject %vec4 %a\n"


def _read(text: str) -> Contents:
    contents = Contents(read_text(text), SourceFile("a.spvasm", ""), {})
    contents.read()
    return contents


def _spelled(text: str) -> str:
    """The last type of a text, as messages spell it."""
    contents = _read(text)
    return str(contents.types.by_id[contents.code.instructions[-1].result])


_SCALARS = "%bool = OpTypeBool\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("%t = OpTypeVoid", "void"),
        ("%t = OpTypeInt 32 1", "int"),
        ("%t = OpTypeInt 32 0", "uint"),
        *(
            (f"%t = OpTypeVector %{base} {n}", f"{'' if base == 'float' else base[0]}vec{n}")
            for base in ("bool", "float", "int", "uint")
            for n in (2, 3, 4)
        ),
    ],
)
def test_numbers_and_vectors(line: str, wanted: str) -> None:
    assert _spelled(_SCALARS + line) == wanted


@pytest.mark.parametrize("rows", [2, 3, 4])
@pytest.mark.parametrize("columns", [2, 3, 4])
def test_matrices_have_columns_of_rows(rows: int, columns: int) -> None:
    found = _spelled(f"{_SCALARS}%column = OpTypeVector %float {rows}\n%t = OpTypeMatrix %column {columns}")
    assert found == (f"mat{columns}" if rows == columns else f"mat{columns}x{rows}")


#: What OpTypeImage says -> the sampler that GLSL has for it.
_IMAGES = {
    "%float 1D 0 0 0 1 Unknown": "sampler1D",
    "%float 2D 0 0 0 1 Unknown": "sampler2D",
    "%float 2D 0 0 0 0 Unknown": "sampler2D",
    "%float 2D 1 0 0 1 Unknown": "sampler2D",
    "%float 3D 0 0 0 1 Unknown": "sampler3D",
    "%float Cube 0 0 0 1 Unknown": "samplerCube",
    "%float Rect 0 0 0 1 Unknown": "sampler2DRect",
    "%float 2D 0 1 0 1 Unknown": "sampler2DArray",
    "%int 2D 0 0 0 1 Unknown": "isampler2D",
    "%uint 3D 0 0 0 1 Unknown": "usampler3D",
}


@pytest.mark.parametrize("operands", _IMAGES)
def test_images(operands: str) -> None:
    wanted = _IMAGES[operands]
    line = f"%t = OpTypeImage {operands}"
    if wanted in SAMPLER_KINDS:
        assert _spelled(_SCALARS + line) == wanted
        assert _spelled(f"{_SCALARS}{line}\n%both = OpTypeSampledImage %t") == wanted
    else:
        found = refusal_here(shader(_RESULT, f"{line} ; here\n"))
        assert found == ("E1010", f"OpTypeImage: no target has a {wanted}")


_TYPES = """
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%both = OpTypeSampledImage %image
%n65536 = OpConstant %int 65536
%n65537 = OpConstant %int 65537
%below = OpConstant %int -1
%n32768 = OpConstant %int 32768
%n32769 = OpConstant %int 32769
%pair = OpTypeStruct %vec4 %mat2
%wide = OpTypeArray %float %n65536
"""
_NONE = "invalid SPIR-V: {}: there is no such type: {}"
_WIDTHS = "no target has numbers of other widths than 32 bits"
#: A type that is refused -> the code, the instruction, and what is wrong.
_REFUSED: dict[str, tuple[str, str]] = {
    "%t = OpTypeInt 16 1": ("E1010", f"OpTypeInt: {_WIDTHS}"),
    "%t = OpTypeInt 64 0": ("E1010", f"OpTypeInt: {_WIDTHS}"),
    "%t = OpTypeFloat 16": ("E1010", f"OpTypeFloat: {_WIDTHS}"),
    "%t = OpTypeFloat 64": ("E1010", f"OpTypeFloat: {_WIDTHS}"),
    "%t = OpTypeVector %float 1": ("E1006", _NONE.format("OpTypeVector", "a vector of 1 times float")),
    "%t = OpTypeVector %float 5": ("E1006", _NONE.format("OpTypeVector", "a vector of 5 times float")),
    "%t = OpTypeVector %vec2 2": ("E1006", _NONE.format("OpTypeVector", "a vector of 2 times vec2")),
    "%t = OpTypeVector %void 2": ("E1006", _NONE.format("OpTypeVector", "a vector of 2 times void")),
    "%t = OpTypeMatrix %vec2 1": ("E1006", _NONE.format("OpTypeMatrix", "a matrix of 1 times vec2")),
    "%t = OpTypeMatrix %vec2 5": ("E1006", _NONE.format("OpTypeMatrix", "a matrix of 5 times vec2")),
    "%t = OpTypeMatrix %float 2": ("E1006", _NONE.format("OpTypeMatrix", "a matrix of 2 times float")),
    "%t = OpTypeMatrix %ivec4 4": ("E1006", _NONE.format("OpTypeMatrix", "a matrix of 4 times ivec4")),
    "%t = OpTypeMatrix %mat2 2": ("E1006", _NONE.format("OpTypeMatrix", "a matrix of 2 times mat2")),
    "%t = OpTypeArray %float %i0": ("E1006", _NONE.format("OpTypeArray", "an array of 0 elements")),
    "%t = OpTypeArray %float %below": ("E1006", _NONE.format("OpTypeArray", "an array of -1 elements")),
    "%t = OpTypeArray %float %n65537": ("E1006", _NONE.format("OpTypeArray", "an array of 65537 elements")),
    "%t = OpTypeArray %float %f2": ("E1006", _NONE.format("OpTypeArray", "an array of 0 elements")),
    "%t = OpTypeArray %float %ones": ("E1006", _NONE.format("OpTypeArray", "an array of 0 elements")),
    "%t = OpTypeArray %void %i4": ("E1006", _NONE.format("OpTypeArray", "a value made of void")),
    "%t = OpTypeArray %in_vec4 %i4": ("E1006", _NONE.format("OpTypeArray", "a value made of pointer to vec4")),
    "%t = OpTypeArray %fn %i4": ("E1006", _NONE.format("OpTypeArray", "a value made of function")),
    "%t = OpTypeStruct": ("E1006", _NONE.format("OpTypeStruct", "a structure without members")),
    "%t = OpTypeStruct %float %void": ("E1006", _NONE.format("OpTypeStruct", "a value made of void")),
    "%t = OpTypePointer Private %void": ("E1006", _NONE.format("OpTypePointer", "a value made of void")),
    "%t = OpTypePointer Private %in_vec4": ("E1006", _NONE.format("OpTypePointer", "a value made of pointer to vec4")),
    "%t = OpTypeFunction %void %void": (
        "E1006",
        _NONE.format("OpTypeFunction", "a function that takes or yields such values"),
    ),
    "%t = OpTypeFunction %void %fn": (
        "E1006",
        _NONE.format("OpTypeFunction", "a function that takes or yields such values"),
    ),
    "%t = OpTypeFunction %fn": (
        "E1006",
        _NONE.format("OpTypeFunction", "a function that takes or yields such values"),
    ),
    "%t = OpTypeFunction %in_vec4": (
        "E1006",
        _NONE.format("OpTypeFunction", "a function that takes or yields such values"),
    ),
    "%t = OpTypeSampledImage %float": ("E1006", _NONE.format("OpTypeSampledImage", "a sampled image of float")),
    "%t = OpTypeSampledImage %both": ("E1006", _NONE.format("OpTypeSampledImage", "a sampled image of sampler2D")),
    "%t = OpTypeStruct %wide %float": ("E1010", "OpTypeStruct: the type is too large"),
    "%t = OpTypeArray %pair %n32769": ("E1010", "OpTypeArray: the type is too large"),
    '%t = OpTypeOpaque "thing"': ("E1010", "OpTypeOpaque: no target has such values"),
    "%t = OpTypeRuntimeArray %float": (
        "E1010",
        "OpTypeRuntimeArray: no target has storage buffers, or arrays without a length",
    ),
    "OpTypeForwardPointer %later Function": (
        "E1010",
        "OpTypeForwardPointer: no target has pointers that are values",
    ),
    "%t = OpTypeVector %later 2": ("E1005", "invalid SPIR-V: OpTypeVector: %later is no type"),
}


@pytest.mark.parametrize("line", _REFUSED)
def test_types_that_are_refused(line: str) -> None:
    assert refusal_here(shader(_RESULT, f"{_TYPES}{line} ; here\n")) == _REFUSED[line]


@pytest.mark.parametrize("line", ["%t = OpTypePointer Function %wide", "%t = OpTypeArray %pair %n32768"])
def test_the_largest_types(line: str) -> None:
    """65536 numbers, vectors or matrices."""
    assert lowered(shader(_RESULT, f"{_TYPES}{line}\n"))


def _nested(depth: int) -> str:
    return "".join(f"%s{n + 1} = OpTypeStruct %{f's{n}' if n else 'float'}\n" for n in range(depth))


def test_structures_lie_32_deep_at_most() -> None:
    assert lowered(shader(_RESULT, _nested(32)))
    *_, last = _nested(33).splitlines()
    text = shader(_RESULT, _nested(33)).replace(last, f"{last} ; here")
    assert refusal_here(text) == ("E1010", "OpTypeStruct: the type is too large")


def test_numbers_and_vectors_lie_at_no_depth() -> None:
    """A vector in an array in a structure lies two deep, a pointer to it three."""
    *inner, last = _nested(31).splitlines()
    arrays = "%list = OpTypeArray %s31 %i1\n%m = OpTypeArray %mat4 %i1\n%more = OpTypeStruct %m\n"
    assert lowered(shader(_RESULT, "\n".join([*inner, last, arrays])))
    assert (
        refusal_here(shader(_RESULT, f"{_nested(31)}{arrays}%p = OpTypePointer Function %list ; here\n"))[0] == "E1010"
    )


@pytest.mark.parametrize(("count", "code"), [(31, ""), (32, "E1010")])
def test_an_array_of_numbers_lies_one_deep(count: int, code: str) -> None:
    nested = _nested(count).replace("OpTypeStruct %float", "OpTypeStruct %numbers", 1)
    text = shader(_RESULT, f"%numbers = OpTypeArray %float %i4\n{nested}".rstrip("\n") + " ; here\n")
    if code:
        assert refusal_here(text) == (code, "OpTypeStruct: the type is too large")
    else:
        assert lowered(text)


def test_members_without_a_name_are_called_by_their_number() -> None:
    text = f'OpMemberName %t 1 "size"\nOpMemberName %t 3 "size"\nOpMemberName %t 4 ""\n{_SCALARS}'
    contents = _read(f"{text}%t = OpTypeStruct %float %float %float %float %float")
    (struct,) = (type_ for type_ in contents.types.by_id.values() if hasattr(type_, "fields"))
    assert [field.name for field in struct.fields] == ["member0", "size", "member2", "size_2", "member4"]


def test_members_may_be_of_half_precision() -> None:
    text = f"OpMemberDecorate %t 1 RelaxedPrecision\n{_SCALARS}%t = OpTypeStruct %float %float"
    (struct,) = (type_ for type_ in _read(text).types.by_id.values() if hasattr(type_, "fields"))
    assert [field.precision for field in struct.fields] == ["highp", "mediump"]
