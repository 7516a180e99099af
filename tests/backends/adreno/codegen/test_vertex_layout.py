"""Where vertices lie: layouts and formats of attributes, in the code and in the register map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError

SOURCE = """attribute vec3 p; attribute vec4 c; attribute vec2 t; attribute mat2 m; attribute float f;
varying vec4 v; varying vec2 w;
void main() { gl_Position = vec4(p, 1.0); v = c; w = m * t + f; }
"""
PACKED = "c=ubyte-norm, t=short, f=fixed, p=half"


def _compile(source: str = SOURCE, **options: object) -> glslc_multi.CompiledShader:
    return glslc_multi.compile(source, target="adreno", stage="vertex", options=options)


def _fetches(shader: glslc_multi.CompiledShader) -> list[Mapping[str, Any]]:
    rows: Any = shader.artifact.map_keys["fetches"]
    return list(rows)


@pytest.mark.parametrize("engine", ["simulator", "translated"])
@pytest.mark.parametrize("layout", ["separate", "interleaved"])
@pytest.mark.parametrize("formats", ["", PACKED])
def test_every_layout_brings_the_same_values(layout: str, formats: str, engine: Any) -> None:
    random = np.random.default_rng(3)
    vertices = {
        "p": random.integers(-16, 16, (9, 3)) / 8,
        "c": random.integers(0, 256, (9, 4)) / 255,
        "t": random.integers(-300, 300, (9, 2)),
        "m": random.uniform(-1, 1, (9, 2, 2)),
        "f": random.integers(-99, 99, 9) / 16,
    }
    found = _compile(attributes=layout, attribute_formats=formats).run(vertices, {}, engine=engine)
    np.testing.assert_allclose(found["gl_Position"][:, :3], vertices["p"])
    np.testing.assert_allclose(found["v"], vertices["c"], rtol=1e-6)
    products = np.einsum("nij,nj->ni", vertices["m"], vertices["t"])
    np.testing.assert_allclose(found["w"], products + vertices["f"][:, None], rtol=1e-5, atol=1e-3)


def test_the_map_says_where_an_interleaved_vertex_has_what() -> None:
    rows = _fetches(_compile(attributes="interleaved", attribute_formats=PACKED))
    # Three halves take the place of four; a column of a matrix has a fetch of its own.
    assert [(row["name"], row["column"], row["offset"], row["format"]) for row in rows] == [
        ("p", 0, 0, 32), ("c", 0, 8, 6), ("t", 0, 12, 25), ("m", 0, 16, 37), ("m", 1, 24, 37), ("f", 0, 32, 33),
    ]  # fmt: skip
    assert {(row["stride"], *row["constant"]) for row in rows} == {(36, 20, 0)}


def test_separate_attributes_have_constants_of_their_own() -> None:
    shader = _compile()
    rows = _fetches(shader)
    assert [tuple(row["constant"]) for row in rows] == [(20, 0), (20, 1), (20, 2), (21, 0), (21, 1), (21, 2)]
    assert [row["stride"] for row in rows] == [12, 16, 8, 8, 8, 4]
    assert "CONST(21, 2)" in shader.assembly
    assert sorted(slot for row in rows for slot in row["slots"]) == sorted(
        {slot for row in rows for slot in row["slots"]}
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attribute_formats": "c=bytes"}, "with a format of float, half"),
        ({"attribute_formats": "colour=ubyte"}, r"names of attributes \(p, c, t, m, f\), found 'colour'"),
        ({"attributes": "packed"}, "one of separate, interleaved"),
    ],
)
def test_unsuitable_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(CompileError, match=message):
        _compile(SOURCE, **options)


def test_a_vertex_that_is_too_large_names_the_attribute_and_what_helps() -> None:
    names = ["a", "b", "c", "d"]
    total = " + ".join(f"{name}[{column}]" for name in names for column in range(4))
    source = f"attribute mat4 {', '.join(names)};\nvoid main() {{ gl_Position = {total}; }}"
    with pytest.raises(CompileError, match="needs 256 bytes in a vertex, adreno has 255") as failure:
        _compile(source, attributes="interleaved")
    assert "attributes=separate" in (failure.value.diagnostics[0].help or "")
    assert _compile(source, attributes="interleaved", attribute_formats="d=half").binary


def test_a_vertex_that_is_too_large_says_where_its_space_ends() -> None:
    """Each line takes 64 bytes; the field of a stride has 8 bits."""
    names = ["a", "b", "c", "d", "e"]
    total = " + ".join(f"{name}[{column}]" for name in names for column in range(4))
    declared = "".join(f"attribute mat4 {name};\n" for name in names)
    with pytest.raises(CompileError, match="needs 320 bytes in a vertex, adreno has 255") as failure:
        _compile(f"{declared}void main() {{ gl_Position = {total}; }}", attributes="interleaved")
    (found,) = failure.value.diagnostics
    assert found.span is not None
    assert found.span.line == 4
    assert found.help == "use smaller formats (attribute_formats), or a buffer for each attribute (attributes=separate)"


def test_252_bytes_fit_a_stride() -> None:
    source = "attribute mat4 a, b, c; attribute vec4 d, e, f; attribute vec3 g;\nvoid main() { gl_Position = %s; }"
    total = " + ".join([*(f"{name}[{column}]" for name in "abc" for column in range(4)), "d", "e", "f", "g.xyzz"])
    rows = _fetches(_compile(source % total, attributes="interleaved"))
    assert {row["stride"] for row in rows} == {252}
    assert [row["offset"] for row in rows] == [16 * number for number in range(16)]


def test_formats_may_stand_apart() -> None:
    rows = _fetches(_compile(attribute_formats="p=half, ,c=ubyte-norm ,"))
    assert [(row["name"], row["type"]) for row in rows][:3] == [("p", "half"), ("c", "ubyte-norm"), ("t", "float")]


def test_each_unsuitable_format_is_reported() -> None:
    with pytest.raises(CompileError) as failure:
        _compile(attribute_formats="p=bytes,colour=half,t=half,q")
    messages = [found.message for found in failure.value.diagnostics]
    expected = ("'p=bytes'", "'colour'", "'q'")
    assert len(messages) == len(expected)
    for message, value in zip(messages, expected, strict=True):
        assert "attribute_formats" in message
        assert message.endswith(f"found {value}")
    with pytest.raises(CompileError, match="the shader has none"):
        _compile("void main() { gl_Position = vec4(1.0); }", attribute_formats="p=half")


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("half", [4, 4, 8, 8]), ("fixed", [4, 8, 16, 16]), ("byte", [4, 4, 4, 4]), ("ushort-norm", [4, 4, 8, 8]),
        ("float", [4, 8, 12, 16]),
    ],
)  # fmt: skip
def test_elements_take_whole_dwords(name: str, sizes: list[int]) -> None:
    """Three numbers of a packed format take the place of four."""
    source = "attribute float a; attribute vec2 b; attribute vec3 c; attribute vec4 d;\n"
    formats = ",".join(f"{attribute}={name}" for attribute in "abcd")
    rows = _fetches(
        _compile(source + "void main() { gl_Position = d + a + b.xyxy + c.xyzx; }", attribute_formats=formats)
    )
    assert [row["stride"] for row in rows] == sizes
    assert [row["offset"] for row in rows] == [0] * 4


def test_formats_of_attributes_are_not_asked_of_the_fragment_shader_of_a_pair() -> None:
    fragment = "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }"
    pair = glslc_multi.link(SOURCE, fragment, target="adreno", options={"attribute_formats": PACKED})
    rows: Any = pair.stages["vertex"].artifact.map_keys["fetches"]
    assert {row["name"]: row["type"] for row in rows}["p"] == "half"
