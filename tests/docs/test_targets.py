"""The pages of the targets: made from the tables, and what they say cannot be had is refused."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.report.target_page import FOLDER, INSTRUCTION_SETS, page

_VERTEX_TEXTURE = "uniform sampler2D s; attribute vec2 p; void main() { gl_Position = texture2D(s, p); }"
_FRAGMENT = "precision mediump float; varying vec2 v; uniform sampler2D a, b; uniform int k; uniform float n;\n"
_DERIVATIVE = "#extension GL_OES_standard_derivatives : enable\n"
_DEPTH = "#extension GL_EXT_frag_depth : enable\n"
_GRADIENTS = "#extension GL_EXT_shader_texture_lod : enable\n"
_LOOP = "float s = 0.0; for (int i = 0; i < 999999; i++) { if (float(i) > n) break; s += v.x; } gl_FragColor = vec4(s);"
_ARRAY = "float x[65]; for (int i = 0; i < 65; i++) x[i] = v.x * float(i); gl_FragColor = vec4(x[k]);"


def fragment(body: str, extension: str = "") -> str:
    return f"{extension}{_FRAGMENT}void main() {{ {body} }}"


#: Target, stage, what its page says it has not, and a code of the messages that say so.
MISSING = [
    ("agal", "vertex", _VERTEX_TEXTURE, "E0702"),
    ("agal", "fragment", fragment("gl_FragColor = vec4(dFdx(v), 0.0, 1.0);", _DERIVATIVE), "E0702"),
    ("agal", "fragment", fragment("gl_FragColor = vec4(1.0); gl_FragDepthEXT = v.x;", _DEPTH), "E0702"),
    ("agal", "fragment", fragment(_LOOP), "E0702"),
    ("pica200", "vertex", _VERTEX_TEXTURE, "E0702"),
    ("pica200", "fragment", fragment("gl_FragColor = texture2D(a, v.xy) / texture2D(b, v.xy);"), "E0723"),
    ("adreno", "fragment", fragment("gl_FragColor = vec4(1.0); gl_FragDepthEXT = v.x;", _DEPTH), "E0702"),
    ("adreno", "fragment", fragment(_ARRAY), "E0702"),
    ("theia", "vertex", "void main() { gl_Position = vec4(1.0); }", "E0912"),
    ("theia", "fragment", fragment("gl_FragColor = texture2D(a, v) + texture2D(b, v);"), "E0702"),
    ("theia", "fragment", fragment("gl_FragColor = vec4(dFdx(v), 0.0, 1.0);", _DERIVATIVE), "E0702"),
    ("vc4", "fragment", fragment("gl_FragColor = texture2DGradEXT(a, v, v, v);", _GRADIENTS), "E0702"),
    ("vc4", "fragment", fragment(_ARRAY), "E0702"),
]


@pytest.mark.parametrize("target", target_names())
def test_the_page_is_up_to_date(target: str) -> None:
    text = (FOLDER / f"{target}.md").read_text(encoding="utf-8")
    assert text == page(load_target(target), text), "run `make docs`"


@pytest.mark.parametrize("target", target_names())
def test_the_pages_of_instruction_sets_are_current(target: str) -> None:
    for name, text in load_target(target).instruction_sets().items():
        assert (INSTRUCTION_SETS / f"{name}.md").read_text(encoding="utf-8") == text, "run `make docs`"


@pytest.mark.parametrize("target", target_names())
def test_the_page_names_every_option_and_limit(target: str) -> None:
    text = (FOLDER / f"{target}.md").read_text(encoding="utf-8")
    for option in load_target(target).options:
        assert f"`{option.flag}`" in text
    assert re.search(r"^\| .* \| \d+ \|", text, re.MULTILINE)


@pytest.mark.parametrize(("target", "stage", "shader", "code"), MISSING)
def test_what_cannot_be_had_is_refused(target: str, stage: str, shader: str, code: str) -> None:
    with pytest.raises(glslc_multi.CompileError) as caught:
        glslc_multi.compile(shader, target=target, stage=stage)
    assert code in {diagnostic.code for diagnostic in caught.value.diagnostics}
