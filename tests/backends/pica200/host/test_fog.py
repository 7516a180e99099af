"""C for citro3d, compiled and run here: the fog that it sets is that of the register map."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.fog import ENTRY, FOG_COLOR
from tests.backends.pica200.host.stub import COMPILER, run_stages, writes_of

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

_TEXT = """
precision highp float;
#pragma pica200 range u_density 0 8
uniform vec3 u_fog;
uniform float u_density;
varying vec4 v_color;
void main() { gl_FragColor = vec4(mix(u_fog, v_color.rgb, exp(-%s * gl_FragCoord.z)), v_color.a); }
"""


def _entries(density: float) -> list[tuple[int, int]]:
    """By the formulas of the public notes on the driver library, in 2048ths: value, and difference to the next."""
    values = [math.exp(-density * n / 128) for n in range(129)]
    rises = [after - value for value, after in pairwise(values)]
    return [(min(int(2048 * value), 2047), int(2048 * rise)) for value, rise in zip(values, rises, strict=False)]


@pytest.mark.parametrize(("density", "setter"), [("u_density", "q_set_u_density(&q, 3.0f);"), ("3.0", "")])
def test_fog_is_set(density: str, setter: str, tmp_path: Path) -> None:
    shader = glslc_multi.compile(_TEXT % density, target="pica200", stage="fragment")
    main = f"""q_program q; const float fog[] = {{0.2f, 1.0f, 0.4f}};
    q_init(&q); q_bind(&q); q_set_u_fog(&q, fog); {setter} q_update(&q);"""
    calls = run_stages(tmp_path, {"q": {"fragment": shader.artifact}}, main)
    writes, table = writes_of(calls)
    found = registers_after(writes)
    fields = UPDATE_BUFFER.format.decode(found[UPDATE_BUFFER.address])
    assert (fields["mode"], fields["z_flip"]) == (5, 1)
    assert list(FOG_COLOR.format.decode(found[FOG_COLOR.address]).values()) == [51, 255, 102]
    entries = [tuple(ENTRY.format.decode(entry)[name] for name in ("value", "difference")) for entry in table]
    # Floats of 32 bits may fall on the other side of a whole number.
    for (value, rise), (expected, slope) in zip(entries, _entries(3.0), strict=True):
        assert abs(value - expected) <= 1
        assert abs(rise - slope) <= 1
