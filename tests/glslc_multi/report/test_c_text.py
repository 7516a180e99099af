"""Names and places in C text."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.artifact import Artifact, Binding, Literal32, Location, Reflection, Stats
from glslc_multi.compiler.host_code.c_names import c_name
from glslc_multi.report.c_text import c_header
from tests.compiler.fake_target import FakeTarget


def header(*uniforms: Binding, **parts: object) -> list[str]:
    reflection = Reflection("fake", "vertex", uniforms=uniforms, **parts)  # type: ignore[arg-type]
    text = c_header(Artifact(b"\x01\x02", str, reflection, Stats(1, 1, 1, 1)), "s", FakeTarget())
    return [line for line in text.splitlines() if line.startswith("#define S_")]


def binding(name: str, *places: tuple[int, str]) -> Binding:
    return Binding(name, "vec4", None, tuple(Location("c", index, letters) for index, letters in places))


def test_registers_that_follow_each_other_are_one_run() -> None:
    lines = header(binding("m", (4, "xyzw"), (5, "xyzw"), (6, "xyzw")))
    assert "#define S_m_REGISTER 4" in lines
    assert "#define S_m_COUNT 3" in lines


def test_other_registers_are_numbered_runs() -> None:
    lines = header(binding("m", (4, "xyz"), (6, "xyz"), (7, "w")))
    assert [line for line in lines if "REGISTER" in line] == [
        "#define S_m_1_REGISTER 4",
        "#define S_m_2_REGISTER 6",
        "#define S_m_3_REGISTER 7",
    ]


def test_members_and_collisions() -> None:
    lines = header(binding("l[].pos", (0, "x")), binding("a.b", (1, "x")), binding("a_.b", (2, "x")))
    assert "#define S_l__pos_REGISTER 0" in lines
    assert "#define S_a__b_REGISTER 1" in lines
    assert "#define S_a___b_REGISTER 2" in lines
    same = header(binding("a._b", (1, "x")), binding("a_.b", (2, "x")))
    assert [line for line in same if "REGISTER" in line] == [
        "#define S_a___b_REGISTER 1",
        "#define S_a___b_2_REGISTER 2",
    ]


def test_literals_stream_and_transforms() -> None:
    place = Location("c", 9, "xy", "transpose")
    lines = header(
        Binding("m", "mat4", None, (place,)),
        literals=(Literal32(place, (0x3F800000, 0)),),
        stream=(("uniform", "m[0]"), ("viewport", "")),
    )
    assert '#define S_m_TRANSFORM "transpose"' in lines
    assert "#define S_LITERAL_0_WORDS { 0x3f800000u, 0x00000000u }" in lines
    assert '#define S_STREAM { { "uniform", "m[0]" }, { "viewport", "" } }' in lines


@pytest.mark.parametrize(
    ("text", "name"), [("a.vert", "a_vert"), ("02.frag", "shader_02_frag"), ("é-x", "__x"), ("", "shader_")]
)
def test_identifiers(text: str, name: str) -> None:
    assert c_name(text) == name
