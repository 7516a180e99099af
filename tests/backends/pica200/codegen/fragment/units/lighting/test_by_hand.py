"""Lighting that the host sets up: shaders read its two colours by functions of a header."""

from __future__ import annotations

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError

_FRAGMENT = """
#include <pica200.glsl>
precision mediump float;
uniform vec3 u_tint;
void main() {
    gl_FragColor = vec4(u_tint * picaPrimary().rgb + picaSecondary().rgb, 1.0);
}
"""
_VERTEX = "attribute vec4 a_position; void main() { gl_Position = a_position; }"


def test_the_colours_of_the_unit_are_read() -> None:
    compiled = glslc_multi.compile(_FRAGMENT, target="pica200", stage="fragment")
    assert compiled.artifact.stats.instructions == 1
    given = {"pica_primary": [[1.0, 0.6, 0.2, 1.0]], "pica_secondary": [[0.2, 0.2, 0.4, 1.0]]}
    for engine in ("simulator", "reference"):
        found = compiled.run(given, {"u_tint": [0.2, 0.4, 1.0]}, engine=engine)["gl_FragColor"]
        np.testing.assert_allclose(found, [[0.4, 0.44, 0.6, 1.0]], atol=1.01 / 255)


def test_no_vertex_shader_writes_them() -> None:
    program = glslc_multi.link(_VERTEX, _FRAGMENT, target="pica200")
    assert program.stages["fragment"].artifact.stats.instructions == 1
    assert [b.name for b in program.stages["fragment"].reflection.inputs] == ["pica_primary", "pica_secondary"]


def test_who_reads_none_of_them_needs_no_vertex_shader_that_writes_them() -> None:
    vertex = f"varying highp vec3 v_way; {_VERTEX}".replace("{ gl", "{ v_way = a_position.xyz; gl")
    fragment = """
        #include <pica200.glsl>
        precision highp float;
        varying vec3 v_way;
        void main() { gl_FragColor = vec4(picaFading(v_way, 0.0, 1.0, 4.0)); }
    """
    program = glslc_multi.link(vertex, fragment, target="vc4")
    found = program.stages["fragment"].run({"v_way": [[0.0, 0.6, 0.8]]}, {}, engine="reference")["gl_FragColor"]
    np.testing.assert_allclose(found, [[0.5] * 4])


def test_other_targets_want_them_as_varyings() -> None:
    with pytest.raises(CompileError, match="pica_primary"):
        glslc_multi.link(_VERTEX, _FRAGMENT, target="vc4")
    written = f"varying mediump vec4 pica_primary, pica_secondary; {_VERTEX}".replace(
        "{ gl", "{ pica_primary = a_position; pica_secondary = a_position; gl"
    )
    for target in ("vc4", "pica200"):
        assert glslc_multi.link(written, _FRAGMENT, target=target).stages["fragment"].artifact.binary
