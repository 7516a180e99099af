"""Parts of values: every way to name one by number, and operands whose types do not fit, at their line."""

from __future__ import annotations

from itertools import product

import pytest

from tests.frontends.spirv.modules import A, B, refusal_here, run, run_rows, shader

#: A structure of every kind of part: a vector, a matrix, an array of matrices, a structure, a float.
_TYPES = """
%two = OpConstant %int 2
%list = OpTypeArray %mat2 %two
%inner = OpTypeStruct %float %vec2
%whole = OpTypeStruct %vec3 %mat2 %list %inner %float
"""
#: The part at each path, by its number among the components in order.
_PATHS: dict[tuple[int, ...], int] = {
    **{(0, n): n for n in range(3)},
    **{(1, column, n): 3 + 2 * column + n for column, n in product(range(2), range(2))},
    **{(2, i, column, n): 7 + 4 * i + 2 * column + n for i, column, n in product(range(2), range(2), range(2))},
    (3, 0): 15,
    **{(3, 1, n): 16 + n for n in range(2)},
    (4,): 18,
}
#: A value whose components are the numbers 0 to 18.
_NUMBERS = "".join(f"%n{n} = OpConstant %float {n}\n" for n in range(20))
_VALUE = """
%v = OpCompositeConstruct %vec3 %n0 %n1 %n2
%c0 = OpCompositeConstruct %vec2 %n3 %n4
%c1 = OpCompositeConstruct %vec2 %n5 %n6
%m = OpCompositeConstruct %mat2 %c0 %c1
%c2 = OpCompositeConstruct %vec2 %n7 %n8
%c3 = OpCompositeConstruct %vec2 %n9 %n10
%c4 = OpCompositeConstruct %vec2 %n11 %n12
%c5 = OpCompositeConstruct %vec2 %n13 %n14
%m0 = OpCompositeConstruct %mat2 %c2 %c3
%m1 = OpCompositeConstruct %mat2 %c4 %c5
%l = OpCompositeConstruct %list %m0 %m1
%p = OpCompositeConstruct %vec2 %n16 %n17
%i0123 = OpCompositeConstruct %inner %n15 %p
%w = OpCompositeConstruct %whole %v %m %l %i0123 %n18
"""


@pytest.mark.parametrize("path", _PATHS)
def test_a_part_is_taken_out_and_put_in(path: tuple[int, ...]) -> None:
    """Each part is 19 after it was replaced, and itself before; no other part changes."""
    numbers = " ".join(map(str, path))
    other = next(each for each in _PATHS if each != path)
    body = f"""{_VALUE}
        %x = OpCompositeExtract %float %w {numbers}
        %changed = OpCompositeInsert %whole %n19 %w {numbers}
        %y = OpCompositeExtract %float %changed {numbers}
        %z = OpCompositeExtract %float %changed {" ".join(map(str, other))}
        %result = OpCompositeConstruct %vec4 %x %y %z %f0
    """
    assert run(shader(body, _NUMBERS + _TYPES)) == [_PATHS[path], 19, _PATHS[other], 0]


def test_a_whole_composite_is_put_in_the_place_of_another() -> None:
    body = f"""{_VALUE}
        %changed = OpCompositeInsert %whole %m1 %w 1
        %same = OpCompositeInsert %vec4 %a %b
        %x = OpCompositeExtract %float %changed 1 1 0
        %y = OpCompositeExtract %vec4 %same
        %result = OpVectorTimesScalar %vec4 %y %x
    """
    assert run(shader(body, _NUMBERS + _TYPES)) == [13 * x for x in A]


@pytest.mark.parametrize(
    "parts", ["%a2 %b2", "%x %a2 %y", "%x %y %b2", "%a3 %y", "%x %b3", "%x %x %x %x", "%x %y %x %y"]
)
def test_vectors_are_made_of_scalars_and_vectors(parts: str) -> None:
    values = {"%x": [A[3]], "%y": [B[3]], "%a2": A[:2], "%b2": B[:2], "%a3": A[:3], "%b3": B[:3]}
    body = "%x = OpCompositeExtract %float %a 3\n%y = OpCompositeExtract %float %b 3\n"
    for name in ("a", "b"):
        body += f"%{name}2 = OpVectorShuffle %vec2 %{name} %{name} 0 1\n"
        body += f"%{name}3 = OpVectorShuffle %vec3 %{name} %{name} 0 1 2\n"
    found = run(shader(f"{body}%result = OpCompositeConstruct %vec4 {parts}\n"))
    assert found == [x for part in parts.split() for x in values[part]]


def test_vectors_of_bools_and_ints_are_made_of_theirs() -> None:
    body = """
        %yes = OpFOrdLessThan %bool %f0 %f1
        %no = OpFOrdLessThan %bool %f1 %f0
        %bools = OpCompositeConstruct %bvec4 %yes %no %no %yes
        %ints = OpCompositeConstruct %ivec4 %i1 %i4 %i8 %i0
        %floats = OpConvertSToF %vec4 %ints
        %result = OpSelect %vec4 %bools %floats %a
    """
    assert run(shader(body)) == [1.0, A[1], A[2], 0.0]


@pytest.mark.parametrize("numbers", [(0, 7), (7, 0, 3), (4, 3, 2, 1), (0, 0, 0, 0)])
def test_vectors_are_shuffled(numbers: tuple[int, ...]) -> None:
    count = len(numbers)
    body = f"%s = OpVectorShuffle %vec{count} %a %b {' '.join(map(str, numbers))}\n"
    body += f"%result = OpCompositeConstruct %vec4 %s {'%f0 ' * (4 - count)}\n"
    assert run(shader(body)) == [*((*A, *B)[n] for n in numbers), *[0.0] * (4 - count)]


def test_vectors_of_different_lengths_are_shuffled() -> None:
    """The second begins where the first ends."""
    body = "%a2 = OpVectorShuffle %vec2 %a %a 0 1\n%result = OpVectorShuffle %vec4 %a2 %b 1 2 5 0\n"
    assert run(shader(body)) == [A[1], B[0], B[3], A[0]]


def test_a_component_that_may_be_anything_is_one_of_them() -> None:
    body = "%s = OpVectorShuffle %vec4 %a %b 4294967295 1 2 7\n%result = OpCompositeInsert %vec4 %f0 %s 0\n"
    assert run(shader(body)) == [0.0, A[1], A[2], B[3]]


@pytest.mark.parametrize("index", range(4))
def test_a_component_is_chosen_by_a_constant_or_at_run_time(index: int) -> None:
    body = f"""
        %known = OpVectorExtractDynamic %float %a %number
        %chosen = OpVectorExtractDynamic %float %a %x
        %with_known = OpVectorInsertDynamic %vec4 %a %f2 %number
        %with_chosen = OpVectorInsertDynamic %vec4 %a %f2 %x
        %p = OpCompositeExtract %float %with_known {index}
        %q = OpCompositeExtract %float %with_chosen {index}
        %result = OpCompositeConstruct %vec4 %known %chosen %p %q
    """
    text = shader(f"%x = OpCompositeExtract %int %i 0\n{body}", f"%number = OpConstant %int {index}\n")
    assert run(text, {"pi": (index, 0, 0, 0)}) == [A[index], A[index], 2.0, 2.0]


@pytest.mark.parametrize(("index", "nearest"), [(4, 3), (-1, 0), (2147483647, 3)])
def test_a_constant_beyond_the_end_chooses_the_nearest_component(index: int, nearest: int) -> None:
    body = "%x = OpVectorExtractDynamic %float %a %number\n%result = OpCompositeConstruct %vec4 %x %x %x %x\n"
    assert run(shader(body, f"%number = OpConstant %int {index}\n")) == [A[nearest]] * 4


def test_an_index_that_may_be_anything_chooses_some_component() -> None:
    body = "%any = OpUndef %int\n%x = OpVectorExtractDynamic %float %a %any\n"
    assert run(shader(f"{body}%result = OpCompositeConstruct %vec4 %x %x %x %x\n"))[0] in A


def test_bits_go_from_floats_to_ints_and_back() -> None:
    """Whether they come back as they were, and whether they are those of 1.0, 0x3F800000."""
    body = """
        %u = OpBitcast %uvec4 %x
        %f = OpBitcast %vec4 %u
        %back = OpBitcast %ivec4 %f
        %same = OpIEqual %bvec4 %back %x
        %one = OpFOrdEqual %bvec4 %f %ones
        %yes = OpSelect %vec4 %same %ones %zeros
        %is = OpSelect %vec4 %one %ones %zeros
        %result = OpFAdd %vec4 %yes %is
    """
    assert run_rows(body, [(0x3F800000,), (0,), (1,), (0x40490FDB,), (-0x80000000,)]).tolist() == [2, 1, 1, 1, 1]


@pytest.mark.parametrize("type_", ["vec4", "ivec4"])
def test_bits_stay_what_they_are(type_: str) -> None:
    """0.5, -1.25, 2 and -3, or the whole numbers 7, -7, 2^30 and -1."""
    value, turned = ("%a", "OpCopyObject") if type_ == "vec4" else ("%i", "OpConvertSToF")
    found = run(shader(f"%same = OpBitcast %{type_} {value}\n%result = {turned} %vec4 %same\n"))
    assert found == ([0.5, -1.25, 2.0, -3.0] if type_ == "vec4" else [7.0, -7.0, 2.0**30, -1.0])


#: A wrong line of a body behind `_VALUE` -> the instruction, and what is wrong.
_REFUSED = {
    "%x = OpCompositeConstruct %vec4 %a %f0": "the parts of a vec4 have another number of components",
    "%x = OpCompositeConstruct %vec3 %f0 %f0": "the parts of a vec3 have another number of components",
    "%x = OpCompositeConstruct %vec4": "the parts of a vec4 have another number of components",
    "%x = OpCompositeConstruct %vec4 %m": "the parts of a vec4 have another number of components",
    "%x = OpCompositeConstruct %vec4 %v %i0": "the parts of a vec4 are of other types",
    "%x = OpCompositeConstruct %vec2 %i0 %i0": "the parts of a vec2 are of other types",
    "%x = OpCompositeConstruct %mat2 %a %a": "the parts of a mat2 are of other types",
    "%x = OpCompositeConstruct %mat2 %c0": "the parts of a mat2 are of other types",
    "%x = OpCompositeConstruct %list %m0": "the parts of a mat2[2] are of other types",
    "%x = OpCompositeConstruct %inner %p %n15": "the parts of a inner are of other types",
    "%x = OpCompositeConstruct %float %f0": "the parts of a float are of other types",
    "%x = OpCompositeConstruct %float": "the parts of a float are of other types",
    "%x = OpCompositeExtract %float %a 4": "a vec4 has no part 4",
    "%x = OpCompositeExtract %vec2 %m 2": "a mat2 has no part 2",
    "%x = OpCompositeExtract %mat2 %l 2": "a mat2[2] has no part 2",
    "%x = OpCompositeExtract %float %w 5": "a whole has no part 5",
    "%x = OpCompositeExtract %float %f0 0": "a float has no part 0",
    "%x = OpCompositeExtract %float %a 0 0": "a float has no part 0",
    "%x = OpCompositeExtract %int %a 0": "its operands yield no int",
    "%x = OpCompositeExtract %vec4 %w 0": "its operands yield no vec4",
    "%x = OpCompositeInsert %vec4 %f0 %a 4": "a vec4 has no part 4",
    "%x = OpCompositeInsert %whole %f0 %w 5": "a whole has no part 5",
    "%x = OpCompositeInsert %vec3 %f0 %a 0": "the composite is of another type than the result",
    "%x = OpCompositeInsert %mat2 %f0 %m 0": "a float in the place of a vec2",
    "%x = OpCompositeInsert %vec4 %b2 %a": "a vec2 in the place of a vec4",
    "%x = OpCompositeInsert %vec4 %i0 %a 0": "a int in the place of a component of a vec4",
    "%x = OpCompositeInsert %vec4 %f0 %a 0 0": "a float in the place of a component of a vec4",
    "%x = OpVectorShuffle %vec4 %a %f0 0 1 2 3": "it is about vectors",
    "%x = OpVectorShuffle %vec4 %m %a 0 1 2 3": "it is about vectors",
    "%x = OpVectorShuffle %float %a %b 0": "it is about vectors",
    "%x = OpVectorShuffle %vec4 %a %i 0 1 2 3": "a vec4 and a ivec4 have components of different kinds",
    "%x = OpVectorShuffle %ivec4 %i %a 0 1 2 4": "a ivec4 and a vec4 have components of different kinds",
    "%x = OpVectorShuffle %vec4 %a %b 0 1 2 8": "it names components that are not there",
    "%x = OpVectorShuffle %vec4 %a %b 0": "it names components that are not there",
    "%x = OpVectorShuffle %vec4 %a %b 0 1 2 3 4": "it names components that are not there",
    "%x = OpVectorShuffle %vec4 %a %b 0 1": "its operands yield no vec4",
    "%x = OpVectorExtractDynamic %float %a %f0": "its operands are of other types (operand 2 must be int, found float)",
    "%x = OpVectorExtractDynamic %vec2 %m %i0": "its operands are of other types",
    "%x = OpVectorInsertDynamic %mat2 %m %a %i0": "its operands are of other types",
    "%x = OpBitcast %vec2 %m": "its operands are of other types",
    "%x = OpVectorExtractDynamic %int %a %i0": "its operands yield no int",
    "%x = OpCopyObject %vec4 %i": "its operands yield no vec4",
    "%x = OpCopyLogical %vec4 %m": "its operands yield no vec4",
    "%x = OpBitcast %bool %f0": "its operands yield no bool",
    "%x = OpBitcast %vec2 %a": "its operands yield no vec2",
}


@pytest.mark.parametrize("line", _REFUSED)
def test_parts_that_do_not_fit(line: str) -> None:
    body = f"{_VALUE}%b2 = OpVectorShuffle %vec2 %b %b 0 1\n{line} ; here\n%result = OpCopyObject %vec4 %a\n"
    names = "".join(f'OpName %{name} "{name}"\n' for name in ("inner", "whole"))
    text = shader(body, _NUMBERS + _TYPES).replace("OpDecorate", f"{names}OpDecorate", 1)
    name = line.split()[2]
    assert refusal_here(text) == ("E1006", f"invalid SPIR-V: {name}: {_REFUSED[line]}")
