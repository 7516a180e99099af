"""Royale's compiler takes every form, without a warning.

The assembler of AGAL's text is in no registry: it is declared in `client/`, from its documented interface.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.host.tools import need_royale, swf

pytestmark = pytest.mark.thorough

VERTEX = """
attribute vec4 a_position; attribute vec2 aTexCoords; ATTRIBUTE
uniform mat4 u_mvpMatrix; uniform vec2 u_scroll[2]; varying vec2 v_uv; varying vec4 v_color;
void main() { gl_Position = u_mvpMatrix * a_position; v_uv = aTexCoords + u_scroll[1]; v_color = COLOR; }
"""
FRAGMENT = """
precision highp float;
varying vec2 v_uv; varying vec4 v_color;
uniform sampler2D u_texture; uniform sampler2D u_noise; uniform mat4 u_mvpMatrix;
uniform float u_time; uniform float u_alpha; uniform bool u_flag; uniform ivec2 u_cells; uniform uint u_none;
void main() {
    vec4 texel = texture2D(u_texture, v_uv * vec2(u_cells)) * v_color * u_alpha;
    gl_FragColor = (u_flag ? texel : texture2D(u_noise, v_uv)) * sin(exp(u_time)) + u_mvpMatrix[1];
}
""".replace("uniform uint u_none;", "")
FORMS = ("as3", "as3-text", "starling-filter", "starling-mesh")


def linked(prefix: str, has_colour: bool = True, *, preamble: bool = False) -> HostProgram:
    """A program with every kind of value."""
    colour = ("attribute vec4 color;", "color") if has_colour else ("", "vec4(1.0)")
    vertex = VERTEX.replace("ATTRIBUTE", colour[0]).replace("COLOR", colour[1])
    sources = make_source(vertex, "a.vert"), make_source(FRAGMENT, "a.frag")
    pair = link_sources(*sources, FrontEndOptions(), DiagnosticSink())
    request = Request(preamble=preamble)
    return HostProgram(compile_linked(pair, load_target("agal"), request, DiagnosticSink()).stages, prefix)


def test_the_compiler_takes_the_classes(tmp_path: Path) -> None:
    need_royale()
    names = []
    for number, form in enumerate(FORMS):
        for preamble in (False, True):
            program = linked(f"form{number}{preamble}", form != "starling-filter", preamble=preamble)
            for file in load_target("agal").host_code(program, form, DiagnosticSink()):
                (tmp_path / file.name).write_bytes(file.data)
                names.append(file.name.removesuffix(".as"))
    fields = "".join(f"        public var of{name}:{name};\n" for name in names)
    main = (
        f"package {{\n    import flash.display.Sprite;\n    public class Main extends Sprite {{\n{fields}    }}\n}}\n"
    )
    (tmp_path / "Main.as").write_text(main, encoding="utf-8")
    assert swf(tmp_path, "Main", "starling").stat().st_size > 0
