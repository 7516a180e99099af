"""The simulator's values: what it needs, what it refuses, what it gives back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.agal.machine.simulate import simulate
from glslc_multi.compiler.diagnostics import CompileError
from tests.backends.agal.helpers import FRAGMENT, VERTEX, bytes_of


def codes(data: bytes, inputs: dict[str, Any], constants: dict[str, Any] | None = None, **more: Any) -> list[str]:
    with pytest.raises(CompileError) as error:
        simulate(data, inputs, constants, lanes=2, **more)
    return [diagnostic.code for diagnostic in error.value.diagnostics]


VALUES = {"va0": np.ones((2, 4)), "va1": np.ones((2, 4))}


@pytest.mark.parametrize(
    ("inputs", "constants", "code"),
    [
        ({"va0": np.ones((2, 4))}, {}, "E0651"),
        (VALUES | {"va8": np.ones((2, 4))}, {}, "E0650"),
        (VALUES | {"v0": np.ones((2, 4))}, {}, "E0650"),
        (VALUES | {"iid": np.ones(2)}, {}, "E0650"),
        (VALUES | {"": np.ones(2)}, {}, "E0650"),
        (VALUES | {"va0": np.ones((3, 4))}, {}, "E0652"),
        (VALUES | {"va0": np.ones((2, 5))}, {}, "E0652"),
        (VALUES, {"vc128": np.ones(4)}, "E0650"),
        (VALUES, {"fc0": np.ones(4)}, "E0650"),
        (VALUES, {"vc0": np.ones(3)}, "E0652"),
    ],
)
def test_values_that_do_not_fit(inputs: dict[str, Any], constants: dict[str, Any], code: str) -> None:
    assert codes(bytes_of(VERTEX, "vertex"), inputs, constants) == [code]


def test_constants_that_are_read_must_be_given() -> None:
    assert codes(bytes_of("m44 op, va0, vc4", "vertex"), {"va0": VALUES["va0"]}, {"vc4": np.ones(4)}) == ["E0651"]


def test_a_program_that_breaks_a_rule_is_not_run() -> None:
    assert codes(bytes_of("mov op, vt0", "vertex"), {}) == ["E0817"]
    assert codes(b"", {}) == ["E0817"]


def test_derivatives_and_quads_need_each_other() -> None:
    data = bytes_of("ddx ft0, v0\nmov oc, ft0", "fragment", 2)
    assert codes(data, {"v0": VALUES["va0"]}) == ["E0653"]
    assert codes(data, {"v0": VALUES["va0"]}, quads=True) == ["E0654"]


def test_outputs_have_the_names_of_their_registers() -> None:
    found = simulate(bytes_of(VERTEX, "vertex"), VALUES, lanes=2)
    assert {name: value.shape for name, value in found.outputs.items()} == {"op": (2, 4), "v0": (2, 4)}
    text = f"mov od.x, v0.y\nmov oc1, v0\n{FRAGMENT}"
    written = simulate(bytes_of(text, "fragment", 2), {"v0": [[1, 2, 3, 4]]}, lanes=1).outputs
    assert {name: value[0, 0] for name, value in written.items()} == {"od": 2, "oc1": 1, "oc": 1}


def test_every_vertex_has_its_instance() -> None:
    data = bytes_of("mov vt0, iid\nadd vt0, vt0, vc[vt0.x+1]\nmov op, vt0", "vertex", 3)
    constants = {f"vc{number}": [10.0 * number] * 4 for number in range(1, 4)}
    found = simulate(data, {"iid": [0, 1, 2]}, constants, lanes=3).outputs["op"]
    assert found[:, 0].tolist() == [10, 21, 32]
