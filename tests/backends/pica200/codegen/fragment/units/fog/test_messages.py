"""Uses of depth that are no fog are refused at their place, with the reason."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.pixels import compiled, refused

_HEAD = "precision highp float; uniform float u_k; varying vec4 v_c;\nvoid main() {\n%s\n}"
_DEPTH = "'gl_FragCoord.z' is no input of the combiners of pica200"
REFUSED = {
    "in alpha": ("gl_FragColor = vec4(v_c.rgb, gl_FragCoord.z);", "E0724", _DEPTH),
    "added": ("gl_FragColor = vec4(v_c.rgb + vec3(gl_FragCoord.z), 1.0);", "E0724", _DEPTH),
    "compared with a colour": ("gl_FragColor = vec4(min(v_c.rgb, gl_FragCoord.z), 1.0);", "E0724", _DEPTH),
    "two functions": (
        "float z = gl_FragCoord.z; gl_FragColor = vec4(v_c.r * z, v_c.g * sqrt(z), v_c.b, 1.0);",
        "E0724",
        _DEPTH,
    ),
    "two functions in a channel": (
        "float z = gl_FragCoord.z; gl_FragColor = vec4(0.5 * v_c.rgb * z + 0.5 * sqrt(z), 1.0);",
        "E0724",
        _DEPTH,
    ),
    "in a clamp below the fog": (
        "float z = gl_FragCoord.z; gl_FragColor = vec4(z * clamp(2.0 * v_c.rgb - z, 0.0, 1.0), 1.0);",
        "E0724",
        _DEPTH,
    ),
    "over a second pixel": (
        "gl_FragColor = vec4(mix(v_c.rgb, v_c.aaa, gl_FragCoord.z), 1.0);",
        "E0724",
        _DEPTH,
    ),
    "discarded": ("if (gl_FragCoord.z < 0.5) discard; gl_FragColor = v_c;", "E0724", _DEPTH),
    "discarded by a function": ("if (fract(gl_FragCoord.z) < u_k) discard; gl_FragColor = v_c;", "E0724", _DEPTH),
    "place on the screen": (
        "gl_FragColor = v_c * gl_FragCoord.x;",
        "E0724",
        "'gl_FragCoord' is no input of the combiners of pica200",
    ),
    "a bright body": (
        "gl_FragColor = vec4(mix(v_c.rgb + 0.5, vec3(0.2), gl_FragCoord.z), 1.0);",
        "E0725",
        "what the fog covers lies in 0.5 to 1.5, and the combiners of pica200 hold 0 to 1",
    ),
    "stripes": (
        "gl_FragColor = vec4(vec3(fract(gl_FragCoord.z * 50.0)), 1.0);",
        "E0727",
        "the result may differ by",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_fog(name: str) -> None:
    body, code, text = REFUSED[name]
    found = refused(_HEAD % body)
    assert (found[0], found[2]) == (code, 3)
    assert found[1].startswith(text)


def test_a_discard_by_light_is_refused() -> None:
    text = "varying vec3 v_n; uniform vec3 u_l;\nvoid main() { float d = max(dot(normalize(v_n), u_l), 0.0);\n%s }"
    code, message, line = refused(text % "if (d < 0.5) discard; gl_FragColor = vec4(d);")
    assert (code, line) == ("E0723", 3)
    assert "discard by what another unit computes" in message


_FOG = """precision highp float; uniform sampler2D u_map; uniform vec3 u_fog, u_lamp; uniform float u_k;
varying vec2 v_uv; varying vec3 v_eye, v_normal; void main() { vec4 a = texture2D(u_map, v_uv);
float f = %s; gl_FragColor = vec4(mix(u_fog, a.rgb, f), a.a); }"""
_LIT = "max(dot(normalize(v_normal), normalize(u_lamp - v_eye)), 0.0)"


@pytest.mark.parametrize(
    "factor",
    [
        "exp(-u_k * length(v_eye))",
        "exp(-u_k * u_k * dot(v_eye, v_eye))",
        "exp2(-u_k * length(v_eye) * length(v_eye))",
        "clamp((10.0 - length(v_eye)) * 0.2, 0.0, 1.0)",
        "smoothstep(5.0, 1.0, length(v_eye))",
        "1.0 / (1.0 + length(v_eye))",
        f"exp(-u_k * length(v_eye)) * {_LIT}",
        f"clamp((10.0 - length(v_eye)) * 0.2, 0.0, 1.0) * {_LIT}",
    ],
)
def test_fog_by_distance_is_told_what_fog_may_depend_on(factor: str) -> None:
    with pytest.raises(CompileError) as refusal:
        compiled(_FOG % factor)
    (error,) = refusal.value.diagnostics
    assert error.code == "E0723" and (error.help or "").startswith("fog may depend on gl_FragCoord.z, or on a varying")
    assert "#pragma pica200 depth NAME" in (error.help or "")


@pytest.mark.parametrize("factor", ["{0} / (1.0 + dot({1}, {1}))", "{0} * exp(-length({1}))"])
def test_the_distance_of_a_lamp_is_no_fog(factor: str) -> None:
    with pytest.raises(CompileError) as refusal:
        compiled(_FOG % factor.format(_LIT, "u_lamp - v_eye"))
    (error,) = refusal.value.diagnostics
    assert not (error.help or "").startswith("fog")


def test_a_clamped_body_is_covered() -> None:
    body = "gl_FragColor = vec4(mix(min(v_c.rgb + 0.5, 1.0), vec3(0.2), gl_FragCoord.z), 1.0);"
    assert compiled(_HEAD % body).stats.instructions == 1
