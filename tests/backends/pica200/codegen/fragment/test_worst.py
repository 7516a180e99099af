"""No inputs make a result differ by more than the compiler states, in either rounding."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import get_args

import numpy as np
import pytest

from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding, byte_of
from glslc_multi.backends.pica200.machine.fragment.host_words import bytes_of
from glslc_multi.runtime.preamble import run_preamble
from tests.backends.pica200.codegen.fragment.pixels import bound_of, compiled
from tests.backends.pica200.codegen.fragment.worst import NOISE, largest_difference, outcome
from tests.generators.combiners import ROUNDED, fitting_shader

_TEXT = """
uniform sampler2D u_a, u_b;
uniform vec4 u_tint;
uniform float u_mix;
varying vec2 v_uv;
varying vec4 v_color;
const vec3 LUMINANCE = vec3(0.299, 0.587, 0.114);
void main() { vec4 a = texture2D(u_a, v_uv), b = texture2D(u_b, v_uv); gl_FragColor = %s; }
"""
_COLOURS = (
    # Constants of which the upper byte is as near as the lower one, beside one of the host.
    "a * 0.7 + u_mix * 0.3",
    "a * 0.9 + u_mix * 0.1",
    "vec4(vec3(dot(a.rgb, LUMINANCE)), a.a)",
    "vec4(vec3(dot(vec3(dot(a.rgb, LUMINANCE)), LUMINANCE)), 1.0)",
    "vec4(mix(a.rgb, vec3(dot(a.rgb, LUMINANCE)), u_mix) * b.rgb, 1.0)",
    "vec4(vec3(clamp(dot(a.rgb * 2.0 - 1.0, b.rgb * 2.0 - 1.0), 0.0, 1.0)), 1.0)",
    "vec4(vec3(clamp(dot(a.rgb * 2.0 - 1.0, u_tint.rgb * 2.0 - 1.0), 0.0, 1.0)), 1.0)",
)


@pytest.mark.parametrize("rounding", get_args(Rounding))
@pytest.mark.parametrize("colour", _COLOURS)
def test_the_bound_holds(colour: str, rounding: str) -> None:
    shader = compiled(_TEXT % colour, rounding=rounding)
    assert largest_difference(shader, Random(colour)) <= bound_of(shader) + NOISE


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_of_generated_shaders_holds(seed: int) -> None:
    random = Random(seed)
    assert outcome(fitting_shader(random, ROUNDED), random) in ("passed", "refused")


def test_a_rounding_has_a_bound_of_its_own() -> None:
    """A console takes a step from each negative term of a dot product, an emulator cuts off."""
    text = _TEXT % "vec4(vec3(clamp(dot(a.rgb * 2.0 - 1.0, b.rgb * 2.0 - 1.0), 0.0, 1.0)), 1.0)"
    emulated, measured = (compiled(text, rounding=rounding) for rounding in get_args(Rounding))
    assert largest_difference(measured, Random(1)) > bound_of(emulated)


@pytest.mark.parametrize("literal", ["0.1", "0.3", "0.5", "0.7", "0.9", "0.25", "0.1999"])
def test_a_literal_is_the_same_byte_in_file_and_preamble(literal: str) -> None:
    """In single precision 0.7 is below the middle of two bytes, which it is in the bound."""
    shader = compiled(f"uniform float k; varying vec4 c; void main() {{ gl_FragColor = c * {literal} + k * 0.4; }}")
    assert shader.artifact.preamble is not None
    (numbers,) = run_preamble(shader.artifact.preamble, {"k": np.array(0.5)}).values()
    wanted = int(Fraction(literal) * 255 + Fraction(1, 2))
    assert sorted(bytes_of(numbers)) == sorted([51, 255, 255, wanted])
    assert wanted in decode(read(shader.binary)).stages[0].constant


def test_bytes_of_numbers_in_single_precision() -> None:
    """At, just below and just above the middle of two bytes, where the host computes and where the compiler does."""
    middles = ((np.arange(-1, 256) + 0.5) / 255).astype(np.float32)
    numbers = np.concatenate([middles, np.nextafter(middles, np.float32(-1)), np.nextafter(middles, np.float32(2))])
    exact = [min(max(int(Fraction(float(x)) * 255 + Fraction(1, 2)), 0), 255) for x in numbers]
    assert bytes_of(numbers).tolist() == exact
    assert [byte_of(float(x)) for x in numbers] == exact == [byte_of(Fraction(float(x))) for x in numbers]
