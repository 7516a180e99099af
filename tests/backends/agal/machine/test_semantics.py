"""Each instruction's arithmetic against a formula of its own, in double precision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from glslc_multi.backends.agal.isa.instructions import INSTRUCTIONS
from glslc_multi.backends.agal.machine.simulate import simulate
from tests.backends.agal.helpers import bytes_of

Array = NDArray[np.float64]
LANES = 32


def dots(width: int) -> Callable[[Array, Array], Array]:
    return lambda x, y: np.repeat(np.einsum("nc,nc->n", x[:, :width], y[:, :width])[:, None], 4, axis=1)


#: Name -> formula over (lanes, 4); the values are positive for those of `POSITIVE`.
FORMULAS: dict[str, Callable[..., Array]] = {
    "mov": lambda x: x,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "rcp": lambda x: x**-1.0,
    "min": np.minimum,
    "max": np.maximum,
    "frc": lambda x: np.mod(x, 1.0),
    "sqt": lambda x: x**0.5,
    "rsq": lambda x: x**-0.5,
    "pow": lambda x, y: x**y,
    "log": np.log2,
    "exp": np.exp2,
    "nrm": lambda x: x / np.linalg.norm(x[:, :3], axis=1)[:, None],
    "sin": np.sin,
    "cos": np.cos,
    "crs": lambda x, y: np.pad(np.cross(x[:, :3], y[:, :3]), ((0, 0), (0, 1))),
    "dp3": dots(3),
    "dp4": dots(4),
    "abs": np.abs,
    "neg": lambda x: -x,
    "sat": lambda x: np.clip(x, 0.0, 1.0),
    "sge": lambda x, y: (x >= y).astype(float),
    "slt": lambda x, y: (x < y).astype(float),
    "seq": lambda x, y: (x == y).astype(float),
    "sne": lambda x, y: (x != y).astype(float),
}
POSITIVE = {"sqt", "rsq", "pow", "log"}
MATRICES = {"m33": (3, 3), "m34": (3, 4), "m44": (4, 4)}
ELSEWHERE = {"ddx", "ddy", "ife", "ine", "ifg", "ifl", "els", "eif", "kil", "tex", "sgn", *MATRICES}


def test_every_instruction_has_a_formula_here_or_a_test_of_its_own() -> None:
    assert {row.name for row in INSTRUCTIONS} == FORMULAS.keys() | ELSEWHERE


def values(name: str, seed: int) -> Array:
    random = np.random.default_rng(seed)
    return random.uniform(0.1 if name in POSITIVE else -3.0, 3.0, (LANES, 4)).astype(np.float32).astype(float)


@pytest.mark.parametrize("name", FORMULAS)
def test_arithmetic(name: str) -> None:
    row = next(row for row in INSTRUCTIONS if row.name == name)
    x, y = values(name, 1), values(name, 2)
    y[::3] = x[::3]
    arguments = (x, y)[: row.source_count]
    mask = ".xyz" if row.only_xyz else ""
    text = f"mov vt0, va0\n{name} vt0{mask}, {', '.join(('va0', 'va1')[: row.source_count])}\nmov op, vt0"
    found = simulate(bytes_of(text, "vertex"), {"va0": x, "va1": y}, lanes=LANES).outputs["op"]
    width = 3 if row.only_xyz else 4
    np.testing.assert_allclose(found[:, :width], FORMULAS[name](*arguments)[:, :width], rtol=2e-6, atol=1e-6)
    # What is not in the mask keeps its value.
    np.testing.assert_array_equal(found[:, width:], x[:, width:].astype(np.float32))


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("operand", ["vc5", "vc[va1.y+3]"])
def test_matrices_are_rows_of_consecutive_registers(name: str, operand: str) -> None:
    count, width = MATRICES[name]
    random = np.random.default_rng(4)
    x, rows = random.uniform(-1, 1, (LANES, 4)), random.uniform(-1, 1, (4, 4))
    mask = "xyzw"[:count]
    text = f"mov vt0, va0\n{name} vt0.{mask}, va0, {operand}\nmov op, vt0"
    index = np.full((LANES, 4), 2.9)
    constants = {f"vc{5 + number}": row for number, row in enumerate(rows)}
    found = simulate(bytes_of(text, "vertex"), {"va0": x, "va1": index}, constants, lanes=LANES).outputs["op"]
    np.testing.assert_allclose(found[:, :count], x[:, :width] @ rows[:count, :width].T, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "enters"), [("ife", np.equal), ("ine", np.not_equal), ("ifg", np.greater), ("ifl", np.less)]
)
def test_conditions_take_each_lane_its_way(name: str, enters: Callable[[Array, Array], Array]) -> None:
    text = f"""
        mov ft0, v0
        {name} v0.x, v1.x
            mov ft0.y, fc0.x
            {name} v0.x, v1.y
                mov ft0.z, fc0.y
            eif
        els
            mov ft0.y, fc0.z
        eif
        mov oc, ft0"""
    random = np.random.default_rng(5)
    x, y = (random.integers(0, 3, (LANES, 4)).astype(float) for _ in range(2))
    found = simulate(bytes_of(text, "fragment", 2), {"v0": x, "v1": y}, {"fc0": [10, 20, 30, 0]}, lanes=LANES).outputs[
        "oc"
    ]
    outer, inner = enters(x[:, 0], y[:, 0]), enters(x[:, 0], y[:, 1])
    np.testing.assert_array_equal(found[:, 1], np.where(outer, 10, 30))
    np.testing.assert_array_equal(found[:, 2], np.where(outer.astype(bool) & inner.astype(bool), 20, x[:, 2]))


def test_kil_discards_negative_lanes_only_where_it_runs() -> None:
    text = "mov ft0, v0\nifg v0.y, fc0.x\nkil ft0.x\neif\nmov oc, v0"
    values = np.array([[-1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [-1, -1, 0, 0]])
    found = simulate(bytes_of(text, "fragment", 2), {"v0": values}, {"fc0": [0, 0, 0, 0]}, lanes=4)
    assert found.discarded.tolist() == [True, False, False, False]


def test_derivatives_are_differences_in_a_quad() -> None:
    text = "ddx ft0, v0\nddy ft1, v0\nmov oc0, ft0\nmov oc1, ft1"
    values = np.array([[1.0], [4.0], [9.0], [19.0]]) * np.ones(4)
    found = simulate(bytes_of(text, "fragment", 2), {"v0": values}, lanes=4, quads=True).outputs
    assert found["oc"][:, 0].tolist() == [3, 3, 10, 10]
    assert found["oc1"][:, 0].tolist() == [8, 15, 8, 15]


def test_missing_components_of_attributes_are_0_0_1() -> None:
    found = simulate(bytes_of("mov op, va0", "vertex"), {"va0": [[5.0], [6.0]]}, lanes=2).outputs["op"]
    assert found.tolist() == [[5, 0, 0, 1], [6, 0, 0, 1]]


def test_the_slot_of_a_swizzle_belongs_to_the_component_that_is_written() -> None:
    text = "mov vt0, va0\nmov vt0.yzw, va0.xyz\nmov op, vt0"
    found = simulate(bytes_of(text, "vertex"), {"va0": [[1, 2, 3, 4]]}, lanes=1).outputs["op"]
    assert found.tolist() == [[1, 2, 3, 3]]


def test_indices_outside_of_the_constants_read_the_nearest_one() -> None:
    data = bytes_of("mov op, vc[va0.x+1]", "vertex")
    constants = {"vc0": [1, 1, 1, 1], "vc3": [3, 3, 3, 3], "vc127": [7, 7, 7, 7]}
    found = simulate(data, {"va0": [-9.0, -1.5, 2.5, 500.0, np.nan]}, constants, lanes=5).outputs["op"]
    assert found[:, 0].tolist() == [1, 1, 3, 7, 0]
