"""Values kept in range, and the order of factors."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.theia.codegen.rewrites.overflow import OrderFactors
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.backends.theia.codegen.test_value_ranges import lowered
from tests.backends.theia.compiled import run

_STEP = 2.0**-17
#: Values are cut off at a number of float32.
_END = 2.0**-10
_X = np.array([[32.0, -32.0, 0.5], [16.0, -16.5, -17.0], [-1.25, 8.0, -31.75]])


@pytest.mark.parametrize("ends", ["-32:32", "-32:0", "0:32", "-32:-1", "1:32"])
@pytest.mark.parametrize("factor", [1000.0, -700.0, 4000.0])
def test_products_stay_at_the_ends_of_the_range(ends: str, factor: float) -> None:
    low, high = map(float, ends.split(":"))
    x = np.clip(_X, low, high)
    text = f"varying vec3 x; void main() {{ gl_FragColor = vec4(x * {factor}, 1.0); }}"
    found = run(text, {"x": x}, options={"saturate": "on", "range": f"x={ends}"})["gl_FragColor"][:, :3]
    assert np.allclose(found, np.clip(x * factor, -16384, 16384), atol=_END + 16 * _STEP, rtol=0)


@pytest.mark.parametrize("operator", ["+", "-"])
@pytest.mark.parametrize(("x_ends", "y_ends"), [("0:16000", "0:9000"), ("-16000:0", "-9000:0"), ("-16000:0", "0:9000")])
def test_sums_stay_at_the_ends_of_the_range(operator: str, x_ends: str, y_ends: str) -> None:
    (x_low, x_high), (y_low, y_high) = (map(float, ends.split(":")) for ends in (x_ends, y_ends))
    x, y = np.clip(_X * 500, x_low, x_high), np.clip(_X[::-1] * 280, y_low, y_high)
    text = f"varying vec3 x, y; void main() {{ gl_FragColor = vec4(x {operator} y, 1.0); }}"
    options = {"saturate": "on", "range": f"x={x_ends},y={y_ends}"}
    found = run(text, {"x": x, "y": y}, options=options)["gl_FragColor"][:, :3]
    wanted = np.clip(x + y if operator == "+" else x - y, -16384, 16384)
    assert np.allclose(found, wanted, atol=_END + 8 * _STEP, rtol=0)


#: The first factor may be up to a third of 2^32 steps.
_LARGEST = 0x55555555 * _STEP


@pytest.mark.parametrize(
    ("x", "y", "is_exchanged"),
    [
        (100.0, 1.0, False),
        (_LARGEST - 1.0, 1.0, False),
        (_LARGEST + 1.0, 1.0, True),
        (_LARGEST + 1.0, _LARGEST, True),
        (12000.0, 12000.0, False),
        (12000.0, 13000.0, False),
        (1.0, 12000.0, False),
        (20000.0, 18000.0, False),
        (20000.0, 16000.0, True),
    ],
)
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("expression", ["vec3(x * y, 1.0)", "vec3(dot(x, y))"])
def test_the_first_factor_is_small(x: float, y: float, is_exchanged: bool, side: float, expression: str) -> None:
    module = lowered(f"varying vec2 x; varying vec2 y; void main() {{ gl_FragColor = vec4({expression}, 1.0); }}")
    ends = {"x": side * x, "y": side * y}
    stated = {name: Interval(min(0.0, end), max(0.0, end)) for name, end in ends.items()}
    (product,) = [each for each in module.main.instructions() if each.op in (ops.FMUL, ops.DOT)]
    before = product.operands[0], product.operands[1]
    run_pipeline(module, (OrderFactors(stated),))
    assert (product.operands[0], product.operands[1]) == (before[::-1] if is_exchanged else before)
