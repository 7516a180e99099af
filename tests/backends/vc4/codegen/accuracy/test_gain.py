"""Bounds of derivatives, beside derivatives: each value of a formula is moved a little, and the result with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from glslc_multi.backends.vc4.codegen.accuracy.gain import Gain
from glslc_multi.backends.vc4.codegen.accuracy.unseen import gains_of_channel
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import Interval, value_ranges
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.parse import parse_module

_EXACT: dict[Opcode, Callable[..., np.ndarray]] = {
    ops.FADD: np.add,
    ops.FSUB: np.subtract,
    ops.FMUL: np.multiply,
    ops.FNEG: np.negative,
    ops.FABS: np.abs,
    ops.FMIN: np.minimum,
    ops.FMAX: np.maximum,
    ops.FSATURATE: lambda x: np.clip(x, 0.0, 1.0),
    ops.FRCP: lambda x: 1.0 / x,
    ops.FSQRT: np.sqrt,
    ops.FRSQRT: lambda x: x**-0.5,
    ops.FEXP2: np.exp2,
    ops.FLOG2: np.log2,
    ops.FLT: np.less,
    ops.SELECT: np.where,
}
#: Formulas of x and y from 0 to 1, z from -4 to 4 and w from 0.5 to 3; `?` is an operand that is the value before.
_FORMULAS = {
    "gamma": ["flog2 x", "fmul ?, 2.2", "fexp2 ?"],
    "gamma twice": [
        "flog2 x",
        "fmul ?, 2.2",
        "fexp2 ?",
        "fmul ?, 0.8",
        "fadd ?, y",
        "flog2 ?",
        "fmul ?, 0.45",
        "fexp2 ?",
    ],
    "negative exponent": ["flog2 w", "fmul ?, -1.5", "fexp2 ?"],
    "exponent that varies": ["flog2 x", "fmul ?, w", "fexp2 ?"],
    "exponent that varies, above 1": ["flog2 w", "fmul ?, w", "fexp2 ?", "fmul ?, 0.3"],
    "exponent and a term": ["flog2 x", "fmul ?, 3.0", "fadd ?, y", "fexp2 ?"],
    "difference": ["fexp2 z", "fsub ?, w"],
    "difference from": ["fexp2 z", "fsub w, ?"],
    "large factor": ["fsqrt x", "fmul ?, 37.0", "fsub ?, 12.0"],
    "negative factor": ["fsqrt x", "fmul ?, -2.0", "fadd ?, w"],
    "square": ["fexp2 z", "fmul ?, ?"],
    "square of a sum": ["fadd x, z", "fmul ?, ?", "fmul ?, 0.5"],
    "reciprocal": ["frcp w", "fmul ?, x"],
    "reciprocal of a sum": ["fadd x, w", "frcp ?", "fmul ?, y"],
    "direction": ["fmul z, z", "fadd ?, 0.5", "frsqrt ?", "fmul ?, z"],
    "negated power": ["fneg z", "fexp2 ?", "fmul ?, 0.25"],
    "magnitude": ["fabs z", "fsqrt ?", "fmul ?, 0.7"],
    "saturated": ["fmul z, z", "fsaturate ?", "fmul ?, 1.5", "fsub ?, 0.5"],
    "smaller": ["fmin z, w", "fmul ?, 0.5"],
    "larger": ["fmax z, x", "fmul ?, 0.5"],
    "logarithm": ["flog2 w", "fadd ?, 0.5"],
    "logarithm of a power": ["fexp2 z", "flog2 ?", "fmul ?, 0.1"],
    # Loads are %0 to %3, and steps go on from there.
    "weighted mean": ["fexp2 z", "fmul ?, x", "fmul y, w", "fadd %5, ?", "fadd w, %4", "frcp ?", "fmul %7, ?"],
    "weighted mean, the other way round": [
        *("fexp2 z", "fmul z, ?", "fmul w, y", "fadd ?, %5", "fadd %4, w", "frcp ?", "fmul ?, %7"),
    ],
    "mean of three": [
        *("fexp2 z", "fmul ?, x", "fmul w, y", "fadd ?, %5", "fmul 0.125, w", "fadd %7, ?"),
        *("fadd w, %4", "fadd ?, 0.125", "frcp ?", "fmul %9, ?"),
    ],
    "means of means": [
        *("fexp2 z", "fmul ?, x", "fmul w, y", "fadd ?, %5", "fadd %4, w", "frcp ?", "fmul %7, ?"),
        *("fmul y, ?", "fmul w, x", "fadd ?, %11", "fadd y, w", "frcp ?", "fmul ?, %13"),
    ],
    "mean whose scale is read otherwise": [
        *("fexp2 z", "fmul ?, x", "fmul y, w", "fadd %5, ?", "fadd w, %4", "frcp ?", "fmul %7, ?", "fadd ?, %9"),
    ],
    "mean whose weights are read otherwise": [
        *("fexp2 z", "fmul ?, x", "fmul y, w", "fadd %5, ?", "fadd w, %4", "frcp ?", "fmul %7, ?", "fsub ?, %5"),
    ],
    "weight that may be negative": ["fmul z, x", "fmul y, w", "fadd %4, ?", "fadd z, w", "frcp ?", "fmul %6, ?"],
    "weights that are others": [
        "fexp2 z",
        "fmul ?, x",
        "fmul y, w",
        "fadd %5, ?",
        "fadd x, %4",
        "frcp ?",
        "fmul %7, ?",
    ],
}
_RANGES = {"x": (0.0, 1.0), "y": (0.0, 1.0), "z": (-4.0, 4.0), "w": (0.5, 3.0)}
_COUNT = 4001
#: How far a value is moved, and what the curve adds to the derivative over that.
_STEP, _SLACK = 1e-5, 1.002


def _module(formula: list[str]) -> str:
    names = {name: f"%{number}" for number, name in enumerate(_RANGES)}
    lines = [f"{place}:float = load @{name}" for name, place in names.items()]
    for step in formula:
        op, *operands = step.replace(",", "").split()
        before = f"%{len(lines) - 1}"
        read = [names.get(operand, before if operand == "?" else operand) for operand in operands]
        lines.append(f"%{len(lines)}:float = {op} {', '.join(read)}")
    last = len(lines) - 1
    lines.append(f"%{len(lines)}:vec4 = construct %{last}, 0.0, 0.0, 0.0")
    lines += [f"store @gl_FragColor, %{last + 1}", "ret"]
    varyings = "".join(f"varying @{name}: float\n" for name in _RANGES)
    return (
        f"shader fragment\n{varyings}output @gl_FragColor: vec4 role(frag_color)\nfunc @main {{\n^entry:\n"
        + "\n".join(f"  {line}" for line in lines)
        + "\n}\n"
    )


def _values(
    function: Function, points: Mapping[str, np.ndarray], moved: Value | None, by: object
) -> dict[Value, np.ndarray]:
    """Compute all values in doubles, `moved` with something added."""
    values: dict[Value, np.ndarray] = {}
    for instruction in function.instructions():
        if instruction.op is ops.LOAD:
            values[instruction] = points[instruction.address.variable.name]
        elif instruction.op in _EXACT:
            operands = [
                np.float64(o.components[0]) if isinstance(o, Constant) else values[o] for o in instruction.operands
            ]
            values[instruction] = _EXACT[instruction.op](*operands)
        else:
            continue
        if instruction is moved:
            values[instruction] = values[instruction] + by
    return values


@pytest.mark.parametrize("name", _FORMULAS)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value", "ignore:overflow")
def test_no_derivative_is_larger_than_its_bounds(name: str) -> None:
    parsed = parse_module(_module(_FORMULAS[name]), "formula.sir", DiagnosticSink())
    assert parsed is not None
    function = parsed.main
    random = np.random.default_rng(1)
    points = {n: random.permutation(np.linspace(*ends, _COUNT)) for n, ends in _RANGES.items()}
    module = function.module
    given = {module.variables[n]: Interval(*ends) for n, ends in _RANGES.items()}
    ranges = value_ranges(function, AnalysisManager(function), given)
    (store,) = [i for i in function.instructions() if i.op is ops.STORE]
    colour = store.operands[-1]
    assert isinstance(colour, Instruction)
    channel = colour.operands[0]
    gains = gains_of_channel(function, [store], channel, ranges)
    plain = _values(function, points, None, 0.0)
    bounded = 0
    for value, gain in gains.items():
        if isinstance(value, Constant) or value is colour:
            continue
        step = _STEP * np.maximum(np.abs(plain[value]), 1e-3)
        shown = [np.clip(_values(function, points, value, by)[channel], 0.0, 1.0) for by in (step, -step)]
        derivative = np.abs(shown[0] - shown[1]) / (2.0 * step)
        bounded += _check(gain, plain[value], derivative)
    # A rule that knows nothing would pass, too.
    assert bounded >= len(_FORMULAS[name])


def _check(gain: Gain, x: np.ndarray, derivative: np.ndarray) -> int:
    """Compare all bounds; how many there are."""
    there = np.isfinite(derivative) & (x != 0.0)
    x, derivative = x[there], derivative[there]
    for p, factor in gain.powers.items():
        assert (np.abs(x) * derivative <= factor * np.abs(x) ** p * _SLACK + 1e-9).all(), f"power {p}"
    for q, factor in gain.exponentials.items():
        assert (derivative <= factor * np.exp2(q * x) * _SLACK + 1e-9).all(), f"exponential {q}"
    # Ranges are those of float32.
    assert (derivative[(x < gain.low - 1e-6) | (x > gain.high + 1e-6)] == 0.0).all()
    return len(gain.powers) + len(gain.exponentials)


@pytest.mark.parametrize(
    ("powers", "exponentials", "low", "high"),
    [
        ({1.0: 2.0}, {}, -3.0, 0.5),
        ({0.0: 0.5}, {}, -20.0, 0.0),
        ({}, {0.45: 1.0}, -np.inf, 0.25),
        ({}, {2.0: 1.0}, -0.1, 3.0),
        ({}, {-0.5: 3.0}, -1.0, np.inf),
        ({}, {8.0: 1.0}, -0.01, 0.0),
    ],
)
def test_errors_of_logarithms(
    powers: dict[float, float], exponentials: dict[float, float], low: float, high: float
) -> None:
    absolute, relative = 0.001, 0.01
    x = np.linspace(max(low, -60.0), min(high, 60.0), 100001)
    wanted = 0.0
    for p, factor in powers.items():
        # Of a bound by p = 0 alone an absolute error has none.
        wanted = np.inf if p == 0.0 else (factor * (absolute + relative * np.abs(x))).max()
    for q, factor in exponentials.items():
        wanted = (factor * np.exp2(q * x) * (absolute + relative * np.abs(x))).max()
    found = Gain(powers, exponentials, low, high).within(Interval(low, high)).of_logarithm(absolute, relative)
    assert (
        found == pytest.approx(wanted, rel=1e-4) if np.isinf(wanted) else wanted * (1 - 1e-6) <= found <= 2.5 * wanted
    )
