"""What leaves for the screen: channels do not fall below 0, and no code is made for what cannot."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.theia.isa.registers import VARIANTS
from tests.backends.theia.compiled import compiled, run

_X = np.array([[0.5, -1.25, 3.0], [-2.0, 0.0, 0.75], [-0.25, -3.0, -0.5], [31.0, 2.0**-17, -(2.0**-17)]])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("written", ["x", "x.zxy * 2.0 + 0.25"])
def test_channels_on_the_screen_are_not_negative(written: str, variant: str) -> None:
    text = f"varying vec3 x; void main() {{ gl_FragColor = vec4({written}, x.y); }}"
    found = run(text, {"x": _X}, variant=variant, options={"output": "screen"})["gl_FragColor"][:, :3]
    wanted = _X if written == "x" else _X[:, [2, 0, 1]] * 2 + 0.25
    assert np.array_equal(found, np.maximum(wanted, 0.0))
    raw = run(text, {"x": _X}, variant=variant)["gl_FragColor"]
    assert np.array_equal(raw, np.column_stack([wanted, _X[:, 1]]))


@pytest.mark.parametrize(
    ("written", "more"), [("x * 0.5", 4), ("abs(x) * 0.5", 0), ("x + 32.0", 0), ("x + 31.0", 4), ("max(x, 0.25)", 0)]
)
def test_only_what_may_be_negative_is_cut_off(written: str, more: int) -> None:
    text = f"varying vec3 x; void main() {{ gl_FragColor = vec4({written}, 1.0); }}"
    plain = compiled(text, options={"variant": "v1.2"}).stats.extra
    cut = compiled(text, options={"variant": "v1.2", "output": "screen"}).stats.extra
    assert plain is not None
    assert cut is not None
    # Alpha takes a copy of its own.
    assert cut["pixelshader"] == plain["pixelshader"] - 1 + more
