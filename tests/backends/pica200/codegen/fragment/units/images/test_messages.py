"""What is said of generated images, and what they cannot be."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.pica200.codegen.fragment.units.images.shaders import DECLARED

_FOG = "gl_FragColor = vec4(mix(u_fog, t.rgb, exp2(-v_distance)), t.a);"


def codes(body: str, *, images: bool = True, ranges: str = "") -> list[str]:
    options = {"images": images, "ranges": ranges}
    try:
        found = glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment", options=options)
    except CompileError as failure:
        return [diagnostic.code for diagnostic in failure.diagnostics if diagnostic.severity == "error"]
    return [diagnostic.code for diagnostic in found.artifact.diagnostics]


def test_images_are_made_where_somebody_asks_for_them() -> None:
    assert codes(_FOG, images=False) == ["E0723"]
    assert codes(_FOG) == ["W0732"]
    assert codes(_FOG, ranges="v_distance=0..1") == []


@pytest.mark.parametrize(
    ("body", "is_image"),
    {
        "of one number": ("gl_FragColor = t * sqrt(v_distance);", True),
        "of two numbers and the host": ("gl_FragColor = t * fract(v_distance * v_other + u_strength);", True),
        "of three numbers": ("gl_FragColor = t * fract(v_color.r + v_color.g * v_color.b);", False),
        "of a texel": ("gl_FragColor = vec4(fract(t.r * v_distance));", False),
    }.values(),
)
def test_the_option_is_named_where_it_would_do(body: str, is_image: bool) -> None:
    with pytest.raises(CompileError) as caught:
        glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment")
    help = caught.value.diagnostics[-1].help or ""
    assert ("--images" in help) is is_image


@pytest.mark.parametrize(
    ("body", "code"),
    {
        "three images beside a texture": (
            "gl_FragColor = t * sqrt(v_distance) * sqrt(v_other) * sqrt(v_color.r);",
            "E0721",
        ),
        "a function of three numbers": ("gl_FragColor = t * length(v_color.rgb);", "E0723"),
        "a function of a texel": ("gl_FragColor = vec4(sqrt(t.r * v_distance));", "E0723"),
        "a number that may be any": ("gl_FragColor = t * log(v_distance);", "E0725"),
        "a coordinate": ("gl_FragColor = texture2D(u_texture, sin(v_uv));", "E0722"),
        "a discard beside an alpha that may be 0": (
            "if (fract(v_distance) > 0.5) discard; gl_FragColor = vec4(u_tint, u_strength);",
            "E0723",
        ),
    }.values(),
)
def test_these_are_refused(body: str, code: str) -> None:
    assert codes(body) == [code]


def test_edges_are_warned_of() -> None:
    assert codes("gl_FragColor = t * fract(v_distance * 4.0);", ranges="v_distance=0..1") == ["W0733"]


def test_what_combiners_can_do_is_left_to_them() -> None:
    body = "gl_FragColor = vec4(t.rgb * clamp(v_distance * 2.0 - 0.5, 0.0, 1.0), t.a * v_other);"
    options = {"images": True}
    found = glslc_multi.compile(DECLARED % body, target="pica200", stage="fragment", options=options)
    assert (found.artifact.stats.extra or {})["texture_units"] == 1


def test_the_register_map_says_what_the_images_are() -> None:
    source = DECLARED % _FOG
    found = glslc_multi.compile(source, target="pica200", stage="fragment", options={"images": True}).reflection
    (image,) = [binding for binding in found.uniforms if binding.name.startswith("$image")]
    assert (image.name, image.length, image.locations[0].space, image.locations[0].index) == (
        "$image1.r",
        256,
        "image",
        4,
    )
    assert found.host_state == {"image1_width": 256, "image1_height": 1, "image1_linear": 1}
    assert [binding.name for binding in found.samplers] == ["u_texture"]
