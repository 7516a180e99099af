"""Varyings on their way to the pixel: what is flat, what is interpolated, and what of them is not read.

Each read loads r5 with the part that is added, also that of a component which nobody wants.  Expected values are sums
and products in numpy.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from glslc_multi.backends.vc4.codegen.finalize import Code
from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, R5, operation
from glslc_multi.backends.vc4.isa.encoding import decode
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction
from glslc_multi.compiler.codegen.phases import InvalidCode
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact
from tests.backends.vc4.helpers import word_of

_LANES = 16
_LEVELS = (0, 1, 2, 3)
_RANDOM = np.random.default_rng(43)


def _run(declarations: str, body: str, inputs: Mapping[str, Array], level: int) -> Array:
    source = f"#version 300 es\nprecision highp float; precision highp int; {declarations} void main() {{ {body} }}\n"
    sink = DiagnosticSink()
    module = lower_source(make_source(source, "test.frag", "fragment"), FrontEndOptions(), sink)
    request = Request(level, target_options=dict(TARGET.exact_outputs), verify_each=True)
    settled = checked_options(TARGET, "fragment", request, sink)
    artifact = compile_module(clone_module(module), TARGET, settled, request, sink)
    return run_artifact(Simulated(TARGET, artifact, module, settled.values), inputs, {}, lanes=_LANES)["c"]


def _ints(width: int) -> Array:
    return _RANDOM.integers(-99, 99, (_LANES, width))


def _eighths(width: int) -> Array:
    return _RANDOM.integers(-99, 99, (_LANES, width)) / 8


@pytest.mark.parametrize("level", _LEVELS)
def test_flat_ints_of_which_a_component_is_not_read(level: int) -> None:
    a, b = _ints(3), _ints(3)
    found = _run("flat in ivec3 a, b; out ivec4 c;", "c = (a.xz * b.zx).xyxy;", {"a": a, "b": b}, level)
    np.testing.assert_array_equal(found, (a[:, [0, 2]] * b[:, [2, 0]])[:, [0, 1, 0, 1]])


@pytest.mark.parametrize("level", _LEVELS)
@pytest.mark.parametrize("qualifier", ["in", "flat in", "centroid in"])
def test_floats_of_which_a_component_is_not_read(qualifier: str, level: int) -> None:
    a, b = _eighths(4), _eighths(4)
    found = _run(f"{qualifier} vec4 a, b; out vec4 c;", "c = a.xzwx * b.zxxw;", {"a": a, "b": b}, level)
    np.testing.assert_array_equal(found, a[:, [0, 2, 3, 0]] * b[:, [2, 0, 0, 3]])


@pytest.mark.parametrize("level", _LEVELS)
def test_flat_varyings_of_all_types(level: int) -> None:
    """Floats and words, beside an interpolated one; as many components as there are."""
    inputs = {"f": _eighths(4), "m": _eighths(4).reshape(-1, 2, 2), "i": _ints(3), "g": _eighths(2)}
    inputs["u"] = _RANDOM.integers(0, 2**32, (_LANES, 2))
    declarations = "flat in vec4 f; flat in mat2 m; flat in ivec3 i; flat in uvec2 u; in vec2 g; out vec4 c;"
    body = "c = vec4(f.w * g.y, m[1].x + g.x, float(i.z - i.x), float(u.y >> 20));"
    f, m, i, u, g = (inputs[name] for name in "fmiug")
    wanted = [f[:, 3] * g[:, 1], m[:, 0, 1] + g[:, 0], i[:, 2] - i[:, 0], u[:, 1] >> 20]
    np.testing.assert_array_equal(_run(declarations, body, inputs, level), np.array(wanted, np.float64).T)


@pytest.mark.parametrize("level", _LEVELS)
def test_parts_add_up_to_what_is_interpolated(level: int) -> None:
    """Whatever the size of the number; what is beyond the largest half of one stays what it is."""
    sizes = np.array([[0, 1e-30, -1e-7, 0.1], [1, -3, 1e7, -1e30], [3e38, -3e38, np.inf, -np.inf]] * 4 + [[1] * 4] * 4)
    found = _run("in vec4 a; out vec4 c;", "c = a;", {"a": sizes}, level)
    np.testing.assert_array_equal(found, sizes.astype(np.float32))


def test_a_write_to_r5_without_notice_is_refused() -> None:
    word = decode(word_of("mov -, vary"))
    unaware = MachineInstruction(operation("mov", effect=True), [], [])
    with pytest.raises(InvalidCode, match="coefficient0"):
        Code().add(word, [unaware])
    Code().add(word, [MachineInstruction(operation("mov", effect=True, reads_varying=True), [], [])])
    claims = MachineInstruction(operation("mov"), [Def(R5)], [])
    with pytest.raises(InvalidCode, match="coefficient0"):
        Code().add(decode(word_of("mov r0, ra0")), [claims])
    Code().add(decode(word_of("mov r0, ra0")), [MachineInstruction(operation("mov"), [Def(ACCUMULATORS[0])], [])])
