"""What the lighting unit cannot do, or does otherwise, is said at its place."""

from __future__ import annotations

from typing import Any

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import DECLARED, with_promises

REFUSED = {
    "a vector of any length": "x = max(dot(n, log(u_light)), 0.0);",
    "a product of three": "vec3 h = normalize(l + v);"
    "x = max(dot(n, l), 0.0) * max(dot(n, v), 0.0) * pow(max(dot(n, h), 0.0), 3.0);",
    "tables of two lights": "x = pow(max(dot(n, l), 0.0), 3.0) + pow(max(dot(n, normalize(u_other)), 0.0), 5.0)"
    " * max(dot(n, normalize(u_eye)), 0.0);",
    "two normals": "x = max(dot(n, l), 0.0) * max(dot(normalize(v_position), l), 0.0);",
    "a reflected ray": "x = pow(max(dot(reflect(-l, n), v), 0.0), 8.0);",
    "a ray reflected by hand": "x = pow(max(dot(v, 2.0 * dot(n, l) * n - l), 0.0), 8.0);",
    "a distance without limits": "x = 1.0 / (1.0 + dot(v_position, v_position));",
    "two distances of one lamp": "vec3 w = u_light - v_position;"
    " x = picaFading(w, 1.0, 0.0, 4.0) * picaFading(w, 0.0, 1.0, 5.0);",
    "a way by the length of another one": "x = max(dot(n, (u_light - v_position) / length(u_eye - v_position)), 0.0);",
    "a distance up to what a texel says": "x = picaFading(u_light - v_position, 1.0, 0.0, t.r);",
    "a distance up to any number": "x = picaFading(u_light - v_position, 1.0, 0.0, 1.0 / u_slope);",
    "a distance that may be below 0": "x = picaFading(u_light - v_position, 1.0, 0.0, u_radius - 0.5);",
    "a distance that dims the highlight alone": "vec3 w = u_light - v_position; float d = min(length(w), 4.0);"
    " x = max(dot(n, normalize(w)), 0.0) + dot(n, normalize(w)) * dot(n, normalize(w)) * d * 0.1;",
    "a clamp of more than one cosine": "x = max(max(dot(n, l), 0.0) - max(dot(n, v), 0.0), 0.0) * 0.5 + 0.25;",
    "an eye that is not normalised": "x = 0.5 * t.g * max(dot(n, l), 0.0) + pow(1.0 - max(dot(n, v_view), 0.0), 3.0);",
    "a spot that is longer than 1": "vec3 s = normalize(u_light - v_position);"
    " x = max(dot(n, s), 0.0) * pow(clamp(dot(-s, vec3(0.0, 2.0, 1.0)), 0.0, 1.0), 3.0);",
    "a table below 0": "x = t.g + u_shininess * (pow(max(dot(n, l), 0.0), 3.0) - 0.5);",
    "a way to a lamp as numbers, too": "vec3 w = u_light - v_position;"
    " x = max(dot(n, abs(w)), 0.0) * picaFading(w, 1.0, 0.0, 4.0);",
    "halfway between the eye and where a lamp's light goes": "vec3 s = normalize(u_light - v_position),"
    " e = normalize(-v_position); x = max(dot(n, s), 0.0) + pow(max(dot(n, normalize(e - s)), 0.0), 8.0);",
    "highlights of two spots": "vec3 a = normalize(u_other), e = normalize(-v_position),"
    " s = normalize(u_light - v_position), o = normalize(u_eye - v_position);"
    " x = max(dot(n, s), 0.0) + max(dot(n, o), 0.0)"
    " + pow(max(dot(n, normalize(s + e)), 0.0), 4.0) * max(dot(s, a), 0.0)"
    " + pow(max(dot(n, normalize(o + e)), 0.0), 4.0) * max(dot(o, a), 0.0);",
    "an eye that the host computes": "vec3 e = normalize(u_eye * 2.0 - v_position),"
    " s = normalize(u_light - v_position); x = max(dot(n, s), 0.0) + pow(max(dot(n, normalize(s + e)), 0.0), 4.0);",
    "a normal that is not normalised": "x = max(dot(v_normal, l), 0.0);",
}


def found(body: str) -> tuple[Any, list[str]]:
    return compiled(DECLARED % f"float x = 0.0; {body} gl_FragColor = vec4(t.rgb * x, 1.0);")


def compiled(source: str) -> tuple[Any, list[str]]:
    try:
        shader = glslc_multi.compile(source, target="pica200", stage="fragment")
    except CompileError as failure:
        return None, [diagnostic.code for diagnostic in failure.diagnostics]
    return shader, [diagnostic.code for diagnostic in shader.artifact.diagnostics]


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_these_are_refused(body: str) -> None:
    shader, codes = found(body)
    assert shader is None
    assert set(codes) <= {"E0720", "E0723", "E0725", "E0726"}
    assert codes


def test_a_normal_that_is_not_normalised_is_no_colour() -> None:
    with pytest.raises(CompileError) as refusal:
        glslc_multi.compile(
            DECLARED % "gl_FragColor = vec4(t.rgb * max(dot(l, v_normal), 0.0), 1.0);",
            target="pica200",
            stage="fragment",
        )
    (error,) = refusal.value.diagnostics
    assert error.code == "E0723"
    assert "a direction that is not normalised" in error.message
    assert error.help == "normalize(v_normal): the lighting unit has no other"


def test_a_lamp_that_is_infinitely_bright_where_it_stands_is_refused() -> None:
    lamp = "float d = min(length(u_light - v_position), 6.0), c = max(dot(n, normalize(u_light - v_position)), 0.0);"
    body = lamp + "gl_FragColor = vec4(t.rgb * (u_ambient + u_diffuse * c * (1.0 / (%s + u_slope * d * d))), t.a);"
    assert compiled(with_promises(body % "0.0")) == (None, ["E0725"])
    assert compiled(with_promises(body % "1.0"))[0] is not None


_LAMP = "vec3 w = u_light * 3.0 - v_position, s = normalize(w); float d = min(length(w), 6.0), c = max(dot(n, s), 0.0);"


def test_alpha_is_no_third_colour() -> None:
    body = "float p = pow(max(dot(n, normalize(l + v)), 0.0), 8.0), rim = 1.0 - max(dot(n, v), 0.0);"
    body += "gl_FragColor = vec4(t.rgb * u_diffuse * max(dot(n, l), 0.0) + 0.5 * p, %s);"
    assert compiled(with_promises(body % "rim")) == (None, ["E0723"])
    assert compiled(with_promises(body % "0.5 * p"))[0] is not None


def test_alpha_by_a_distance_is_no_table_of_the_surface() -> None:
    body = _LAMP + "gl_FragColor = vec4(t.rgb * u_diffuse * c, %s);"
    assert compiled(with_promises(body % "min(d * 0.1, 1.0)")) == (None, ["E0723"])
    assert compiled(with_promises(body % "c * c"))[0] is not None


def test_what_a_distance_darkens_below_0_is_refused() -> None:
    body = _LAMP + "gl_FragColor = vec4(u_ambient + 0.1 * u_diffuse * c * (1.0 - %s * d), 1.0);"
    assert compiled(with_promises(body % "0.5")) == (None, ["E0723"])
    assert compiled(with_promises(body % "0.05"))[0] is not None


def test_lights_that_may_add_up_to_more_than_one_are_warned_of() -> None:
    assert found("x = 0.5 + u_shininess * max(dot(n, l), 0.0);")[1] == ["W0729"]
    assert found("x = min(0.5 + u_shininess * max(dot(n, l), 0.0), 1.0);")[1] == []
    assert found("x = 0.5 + 0.5 * max(dot(n, l), 0.0);")[1] == []


def test_edges_are_warned_of() -> None:
    assert found("x = dot(n, l) > 0.5 ? 1.0 : 0.5;")[1] == ["W0731"]
    assert found("x = smoothstep(0.4, 0.6, dot(n, l));")[1] == []


def test_a_function_that_may_be_any_number_is_no_table() -> None:
    """It would be cut off at 1, unless the shader holds it itself."""
    for function in ("0.1 / max(dot(n, l), 0.0)", "mod(dot(n, l), 0.0)", "log(max(dot(n, l), 0.0))"):
        assert compiled(DECLARED % f"gl_FragColor = vec4(u_diffuse * ({function}), 1.0);") == (None, ["E0725"])
        held = f"clamp({function}, 0.0, 1.0)"
        assert compiled(DECLARED % f"gl_FragColor = vec4(u_diffuse * {held}, 1.0);")[0] is not None
    with pytest.raises(CompileError, match="this function of the surface lies in any number to any number"):
        glslc_multi.compile(DECLARED % "gl_FragColor = vec4(1.0 / dot(n, l));", target="pica200", stage="fragment")


@pytest.mark.parametrize("ray", ["reflect(-l, n)", "reflect(-v, n)", "(2.0 * dot(n, l) * n - l)"])
def test_help_for_reflected_rays(ray: str) -> None:
    with pytest.raises(CompileError, match=r"picaReflected: #include <pica200\.glsl>"):
        body = f"gl_FragColor = vec4(t.rgb * max(dot({ray}, v), 0.0), 1.0);"
        glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment")


def test_rays_that_uniforms_reflect_are_the_hosts() -> None:
    assert found("x = clamp(dot(reflect(-l, normalize(u_eye)), normalize(u_other)), 0.0, 1.0);")[1] == []


@pytest.mark.parametrize(
    "dimming",
    [
        "1.0 / (1.0 + length(w))",
        "1.0 / (1.0 + dot(w, w))",
        "clamp(1.0 - length(w) / u_radius, 0.0, 1.0)",
        "clamp(1.0 - dot(w, w) * 0.02, 0.0, 1.0)",
        "smoothstep(u_radius, 1.0, distance(u_light, v_position))",
    ],
)
def test_help_for_distances(dimming: str) -> None:
    with pytest.raises(CompileError, match="picaFading"):
        body = "vec3 w = u_light - v_position; float c = max(dot(n, normalize(w)), 0.0);"
        body += f"gl_FragColor = vec4(t.rgb * u_diffuse * c * ({dimming}), 1.0);"
        glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment")


@pytest.mark.parametrize(
    ("body", "help"),
    [
        ("1.0 - dot(w, w) * 0.1", "lamps fade by picaFading"),
        ("c * picaSpot(s, u_other, 0.9, 0.5)", "normalize the uniform that dot() takes beside it"),
        ("c * picaSpot(w, normalize(u_other), 0.9, 0.5)", "normalize what dot() and picaSpot() take"),
    ],
)
def test_help_for_vectors_of_any_length(body: str, help: str) -> None:
    with pytest.raises(CompileError) as refusal:
        text = f"{_LAMP} gl_FragColor = vec4(u_diffuse * clamp({body}, 0.0, 1.0), 1.0);"
        glslc_multi.compile(DECLARED % text, target="pica200", stage="fragment")
    assert (refusal.value.diagnostics[0].help or "").startswith(help)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        # The light may be as long as the root of 3.
        ("gl_FragColor = vec4(t.rgb * u_diffuse * (dot(n, u_other) * 0.5 + 0.5), 1.0);", "is -0.366 to 1.37"),
        ("gl_FragColor = vec4(t.rgb * max(dot(n, l), 0.0) * max(dot(n, v), 0.0) * dot(n, n), 1.0);", "sums of such"),
    ],
)
def test_help_says_which_function_is_too_large(body: str, words: str) -> None:
    with pytest.raises(CompileError) as refusal:
        glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment")
    assert words in (refusal.value.diagnostics[0].help or "")
