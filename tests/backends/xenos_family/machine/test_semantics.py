"""The meaning of each ALU operation against formulas written here, on single Python floats."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.backends.xenos_family.machine.arithmetic import FamilyArithmetic
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.arithmetic.lanes import LANES, quiet
from tests.backends.xenos_family.helpers import FULL, R, alu, run, vectors, words_of

Four = tuple[float, ...]
ADRENO = FamilyArithmetic(LANES)

INF, NAN, MAX = math.inf, math.nan, float(np.finfo(np.float32).max)
VALUES = (0.0, -0.0, 1.0, -1.0, 0.5, -2.75, 3.25, INF, -INF, NAN)
ROWS = [tuple(VALUES[(start + 3 * slot) % len(VALUES)] for slot in range(4)) for start in range(len(VALUES))]
FINITE = [(0.25, -1.5, 3.0, -0.75), (0.0, -0.0, 2.5, 1.0), (-4.0, 0.5, -3.5, 0.0)]


def product(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def dot(x: Four, y: Four, width: int) -> float:
    total = 0.0
    for left, right in zip(x[:width], y[:width], strict=True):
        total += product(left, right)
    return total


def whole(x: float, rounded: Callable[[float], int]) -> float:
    return math.copysign(float(rounded(x)), x) if math.isfinite(x) else x


def fraction(x: float) -> float:
    return x - whole(x, math.floor) if math.isfinite(x) else NAN


def number(condition: bool) -> float:
    return 1.0 if condition else 0.0


EACH: dict[str, Callable[..., float]] = {
    "ADDv": lambda x, y: x + y,
    "MULv": product,
    "MAXv": lambda x, y: x if x >= y else y,
    "MINv": lambda x, y: x if x < y else y,
    "SETEv": lambda x, y: number(x == y),
    "SETGTv": lambda x, y: number(x > y),
    "SETGTEv": lambda x, y: number(x >= y),
    "SETNEv": lambda x, y: number(x != y),
    "FRACv": fraction,
    "TRUNCv": lambda x: whole(x, math.trunc),
    "FLOORv": lambda x: whole(x, math.floor),
    "MULADDv": lambda x, y, z: product(x, y) + z,
    "CNDEv": lambda x, y, z: y if x == 0 else z,
    "CNDGTEv": lambda x, y, z: y if x >= 0 else z,
    "CNDGTv": lambda x, y, z: y if x > 0 else z,
}


def push(relation: Callable[[float], bool]) -> Callable[[Four, Four], Four]:
    return lambda x, y: (0.0 if x[0] == 0 and relation(y[0]) else x[0] + 1,) * 4


def kill(relation: Callable[[float, float], bool]) -> Callable[[Four, Four], Four]:
    return lambda x, y: (number(any(relation(left, right) for left, right in zip(x, y, strict=True))),) * 4


def largest(x: Four) -> float:
    result = x[3]
    for value in (x[2], x[1], x[0]):
        result = value if value >= result else result
    return result


WHOLE: dict[str, Callable[..., Four]] = {
    "DOT4v": lambda x, y: (dot(x, y, 4),) * 4,
    "DOT3v": lambda x, y: (dot(x, y, 3),) * 4,
    "DOT2ADDv": lambda x, y, z: (dot(x, y, 2) + z[0],) * 4,
    "MAX4v": lambda x: (largest(x),) * 4,
    "DSTv": lambda x, y: (1.0, product(x[1], y[1]), x[2], y[3]),
    "MOVAv": lambda x, y: tuple(a if a >= b else b for a, b in zip(x, y, strict=True)),
    "PRED_SETE_PUSHv": push(lambda y: y == 0),
    "PRED_SETNE_PUSHv": push(lambda y: y != 0),
    "PRED_SETGT_PUSHv": push(lambda y: y > 0),
    "PRED_SETGTE_PUSHv": push(lambda y: y >= 0),
    "KILLEv": kill(lambda x, y: x == y),
    "KILLGTv": kill(lambda x, y: x > y),
    "KILLGTEv": kill(lambda x, y: x >= y),
    "KILLNEv": kill(lambda x, y: x != y),
}


def same(found: float, wanted: float, exact: bool = True) -> bool:
    if math.isnan(wanted) or math.isnan(found):
        return math.isnan(wanted) and math.isnan(found)
    if not exact and math.isfinite(wanted):
        return math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-7)
    return found == wanted and math.copysign(1, found) == math.copysign(1, wanted)


def execute(registers: list[Four], **fields: int) -> Result:
    return simulate(words_of(alu(**fields)), Inputs(registers=vectors(*registers)))


@pytest.mark.parametrize(
    "row", [row for row in instructions.VECTOR_OPERATIONS if row.name != "CUBEv"], ids=lambda row: row.name
)
def test_vector_operations(row: instructions.Operation) -> None:
    count = 2 if row.name == "MOVAv" else row.sources
    for sources in itertools.product(ROWS if count < 3 else ROWS[::2], repeat=count):
        result = execute(list(sources), vector_op=row.code, vector_dest=9, vector_mask=FULL)
        if row.name in EACH:
            wanted = tuple(EACH[row.name](*components) for components in zip(*sources, strict=True))
        else:
            wanted = WHOLE[row.name](*sources)
        found = result.registers[9, :, 0].tolist()
        assert all(map(same, found, wanted)), (sources, found, wanted)


@pytest.mark.parametrize("row", instructions.VECTOR_OPERATIONS, ids=lambda row: row.name)
def test_where_no_factor_is_zero_the_arithmetic_is_ieee(row: instructions.Operation) -> None:
    """The simulator counts on it; the smallest numbers give products of zero."""
    values = np.array([x for x in (*VALUES, 1e-37, -1e-30, 1e30, 7.5) if x != 0], np.float32)
    sources = [tuple(np.roll(values, 3 * number + slot) for slot in range(4)) for number in range(3)]
    count = 2 if row.name == "MOVAv" else row.sources
    with quiet():
        found, wanted = (row.compute(arithmetic, *sources[:count]) for arithmetic in (LANES, ADRENO))
    np.testing.assert_array_equal(np.broadcast_arrays(*found), np.broadcast_arrays(*wanted))


def test_a_denormal_previous_result_is_zero_as_a_factor_only() -> None:
    infinity, zero, previous = (np.array([value], np.float32) for value in (INF, 0.0, 1e-40))
    with quiet():
        assert instructions.SCALAR_BY_NAME["MUL_PREVs"].compute(ADRENO, infinity, zero, previous) == [0.0]
        assert instructions.SCALAR_BY_NAME["ADD_PREVs"].compute(ADRENO, zero, zero, previous) == previous


@pytest.mark.parametrize(
    "direction", [(1, 2, 3), (1, 2, -3), (1, -3, 2), (1, 3, 2), (5, -1, 2), (-5, 1, 2), (2, 2, 2), (2, 2, 1)]
)
def test_cube(direction: Four) -> None:
    x, y, z = direction
    result = execute([(z, z, x, y), (y, x, z, z)], vector_op=18, vector_dest=9, vector_mask=FULL)
    t, s, major, face = result.registers[9, :, 0].tolist()
    # The faces of a cube map: OpenGL ES 2.0 section 3.7.5.
    if abs(z) >= max(abs(x), abs(y)):
        wanted = (-y, x if z > 0 else -x, 2 * z, 4.0 if z > 0 else 5.0)
    elif abs(y) >= abs(x):
        wanted = (z if y > 0 else -z, x, 2 * y, 2.0 if y > 0 else 3.0)
    else:
        wanted = (-y, -z if x > 0 else z, 2 * x, 0.0 if x > 0 else 1.0)
    assert (t, s, major, face) == wanted


def inverse(x: float) -> float:
    return math.copysign(INF, x) if x == 0 else 1 / x


def root(x: float) -> float:
    return NAN if x < 0 or math.isnan(x) else math.copysign(math.sqrt(x), x)


def log2(x: float) -> float:
    return -INF if x == 0 else (math.log2(x) if x > 0 else NAN)


def limit(x: float) -> float:
    return math.copysign(MAX, x) if math.isinf(x) else x


def vanish(x: float) -> float:
    return math.copysign(0.0, x) if math.isinf(x) else x


def lit(x: float, y: float, p: float) -> float:
    unusable = p == -MAX or not math.isfinite(p) or not math.isfinite(y) or y <= 0
    return -MAX if unusable else product(x, p)


def wave(function: Callable[[float], float]) -> Callable[..., float]:
    return lambda x, y, p: function(x) if math.isfinite(x) else NAN


SCALAR: dict[str, Callable[[float, float, float], float]] = {
    "ADDs": lambda x, y, p: x + y,
    "ADD_PREVs": lambda x, y, p: x + p,
    "MULs": lambda x, y, p: product(x, y),
    "MUL_PREVs": lambda x, y, p: product(x, p),
    "MUL_PREV2s": lit,
    "MAXs": lambda x, y, p: x if x >= y else y,
    "MINs": lambda x, y, p: x if x < y else y,
    "SETEs": lambda x, y, p: number(x == 0),
    "SETGTs": lambda x, y, p: number(x > 0),
    "SETGTEs": lambda x, y, p: number(x >= 0),
    "SETNEs": lambda x, y, p: number(x != 0),
    "FRACs": lambda x, y, p: fraction(x),
    "TRUNCs": lambda x, y, p: whole(x, math.trunc),
    "FLOORs": lambda x, y, p: whole(x, math.floor),
    "EXP_IEEE": lambda x, y, p: 2.0**x,
    "LOG_CLAMP": lambda x, y, p: -MAX if x == 0 else log2(x),
    "LOG_IEEE": lambda x, y, p: log2(x),
    "RECIP_CLAMP": lambda x, y, p: limit(inverse(x)),
    "RECIP_FF": lambda x, y, p: vanish(inverse(x)),
    "RECIP_IEEE": lambda x, y, p: inverse(x),
    "RECIPSQ_CLAMP": lambda x, y, p: limit(inverse(root(x))),
    "RECIPSQ_FF": lambda x, y, p: vanish(inverse(root(x))),
    "RECIPSQ_IEEE": lambda x, y, p: inverse(root(x)),
    "MOVAs": lambda x, y, p: x if x >= y else y,
    "MOVA_FLOORs": lambda x, y, p: x if x >= y else y,
    "SUBs": lambda x, y, p: x - y,
    "SUB_PREVs": lambda x, y, p: x - p,
    "PRED_SETEs": lambda x, y, p: number(x != 0),
    "PRED_SETNEs": lambda x, y, p: number(x == 0),
    "PRED_SETGTs": lambda x, y, p: number(not x > 0),
    "PRED_SETGTEs": lambda x, y, p: number(not x >= 0),
    "PRED_SET_INVs": lambda x, y, p: 0.0 if x == 1 else (1.0 if x == 0 else x),
    "PRED_SET_POPs": lambda x, y, p: 0.0 if x - 1 <= 0 else x - 1,
    "PRED_SET_CLRs": lambda x, y, p: MAX,
    "PRED_SET_RESTOREs": lambda x, y, p: 0.0 if x == 0 else x,
    "KILLEs": lambda x, y, p: number(x == 0),
    "KILLGTs": lambda x, y, p: number(x > 0),
    "KILLGTEs": lambda x, y, p: number(x >= 0),
    "KILLNEs": lambda x, y, p: number(x != 0),
    "KILLONEs": lambda x, y, p: number(x == 1),
    "SQRT_IEEE": lambda x, y, p: root(x),
    "SIN": wave(math.sin),
    "COS": wave(math.cos),
    "RETAIN_PREV": lambda x, y, p: p,
}
BY_HOST = {"EXP_IEEE", "SIN", "COS", "LOG_CLAMP", "LOG_IEEE"} | {row for row in SCALAR if "RECIP" in row or "SQ" in row}


def test_every_scalar_operation_has_a_formula() -> None:
    assert SCALAR.keys() == {row.name for row in instructions.SCALAR_OPERATIONS if not row.of_constant}


@pytest.mark.parametrize("name", SCALAR)
def test_scalar_operations(name: str) -> None:
    operation = instructions.SCALAR_BY_NAME[name]
    previous = (0.0, 2.5, -MAX, NAN) if "PREV" in name else (0.0,)
    for x, y, p in itertools.product(VALUES, VALUES, previous):
        columns = (np.array([value], np.float32) for value in (x, y, p))
        with quiet():
            found = np.ravel(operation.compute(ADRENO, *columns))[0]
            wanted = float(np.float32(SCALAR[name](x, y, p)))
        assert same(float(found), wanted, name not in BY_HOST), (x, y, p, found, wanted)


@pytest.mark.parametrize(("name", "wanted"), [("MUL", -6.0), ("ADD", -1.0), ("SUB", 5.0)])
@pytest.mark.parametrize("low", [0, 1])
def test_operations_of_a_constant_and_a_register(name: str, wanted: float, low: int) -> None:
    # W of the constant and X of register low + 2 * bank + 4 * (bits 2 to 5 of the swizzle); identity at both ends.
    number = low | 2 | 0b1000
    word = alu(
        scalar_op=instructions.SCALAR_BY_NAME[f"{name}_CONST_{low}"].code,
        scalar_dest=9,
        scalar_mask=1,
        src3=7,
        src3_bank=R,
        src3_swizzle=0b1000,
    )
    registers = {number: np.array([[-3.0], [8.0], [8.0], [8.0]], np.float32)}
    result = simulate(words_of(word), Inputs({7: (5.0, 5.0, 5.0, 2.0)}, registers))
    assert result.registers[9, 0, 0] == wanted


PREDICATES: dict[str, Callable[[float], bool]] = {
    "PRED_SETEs": lambda x: x == 0,
    "PRED_SETNEs": lambda x: x != 0,
    "PRED_SETGTs": lambda x: x > 0,
    "PRED_SETGTEs": lambda x: x >= 0,
    "PRED_SET_INVs": lambda x: x == 1,
    "PRED_SET_POPs": lambda x: x - 1 <= 0,
    "PRED_SET_CLRs": lambda x: False,
    "PRED_SET_RESTOREs": lambda x: x == 0,
}


@pytest.mark.parametrize("name", PREDICATES)
def test_predicates_of_scalar_operations(name: str) -> None:
    text = f"EXEC_END\nALU: MAXv R9.____ = R0, R0\n{name} R1.____ = R0.xxxx\nALU: MAXvEQ R2 = C0, C0"
    lanes = np.broadcast_to(np.array(VALUES, np.float32), (4, len(VALUES)))
    result = run(text, Inputs({0: (1.0,) * 4}, {0: lanes}), len(VALUES))
    assert (result.registers[2, 0] == 1).tolist() == [PREDICATES[name](x) for x in VALUES]


@pytest.mark.parametrize("relation", ["E", "NE", "GT", "GTE"])
def test_predicates_of_vector_operations(relation: str) -> None:
    text = f"EXEC_END\nALU: PRED_SET{relation}_PUSHv R9.____ = R0, R1\nALU: MAXvEQ R2 = C0, C0"
    compare = {"E": np.equal, "NE": np.not_equal, "GT": np.greater, "GTE": np.greater_equal}[relation]
    counters = np.array([0.0, 1.0] * 3, np.float32)
    values = np.array([0.0, 0.0, 2.0, 2.0, -2.0, -2.0], np.float32)
    # Only W of both counts.
    first, second = np.ones((4, 6), np.float32), np.ones((4, 6), np.float32)
    first[3], second[3] = counters, values
    result = run(text, Inputs({0: (1.0,) * 4}, {0: first, 1: second}), 6)
    assert (result.registers[2, 0] == 1).tolist() == ((counters == 0) & compare(values, 0)).tolist()


@pytest.mark.parametrize(("name", "x", "wanted"), [("MOVAs", 1.5, 2), ("MOVA_FLOORs", 1.9, 1), ("MOVAs", -1.5, -1)])
def test_the_address_register(name: str, x: float, wanted: int) -> None:
    text = f"EXEC_END\nALU: MAXv R9.____ = R0, R0\n{name} R9.____ = R0.xxxx\nALU: MAXv R1 = C[a0+4], C[a0+4]"
    constants = {number: (float(number),) * 4 for number in range(10)}
    result = run(text, Inputs(constants, vectors((x, 0.0, 0.0, 0.0))))
    assert result.registers[1, 0, 0] == 4 + wanted


@pytest.mark.parametrize(
    ("x", "base", "wanted"), [(1e9, 0, 355.0), (1e9, 1, 0.0), (-1e9, 255, 0.0), (-250.0, 255, 105.0)]
)
def test_the_address_is_limited_and_constants_outside_are_zero(x: float, base: int, wanted: float) -> None:
    text = f"EXEC_END\nALU: MOVAv R9 = R0\nALU: MAXv R1 = C[a0+{base}], C[a0+{base}]"
    constants = {number: (100.0 + number,) * 4 for number in range(256)}
    assert run(text, Inputs(constants, vectors((0.0, 0.0, 0.0, x)))).registers[1, 0, 0] == wanted


def test_modifiers_and_clamp() -> None:
    text = "EXEC_END\nALU: MAXv R1 = -|R0.wzyx|, -|R0.wzyx|\nALU: MAXv R2 = R0, R0 CLAMP"
    result = run(text, Inputs(registers=vectors((-2.0, 0.5, NAN, 3.0))))
    assert result.registers[2, :, 0].tolist() == [0.0, 0.5, 0.0, 1.0]
    assert result.registers[1, [0, 2, 3], 0].tolist() == [-3.0, -0.5, -2.0]


def test_denormal_operands_are_zero_of_their_sign() -> None:
    result = run("EXEC_END\nALU: MAXv R1 = R0, R0", Inputs(registers=vectors((1e-40, -1e-40, 1e-37, 0.0))))
    assert [str(value) for value in result.registers[1, :2, 0].tolist()] == ["0.0", "-0.0"]
    assert result.registers[1, 2, 0] == np.float32(1e-37)


def test_both_halves_read_before_they_write() -> None:
    text = "EXEC_END\nALU: ADDv R0.x___ = R0.yyyy, R0.yyyy\nADDs R0._y__ = R0.xxxx"
    assert run(text, Inputs(registers=vectors((3.0, 5.0, 0.0, 0.0)))).registers[0, :2, 0].tolist() == [10.0, 6.0]


def test_exports_take_each_component_from_the_half_that_writes_it() -> None:
    text = "EXEC_END\nALU: ADDv export0.xy__ = R0, R0\nMAXs export0._yz_ = R0.wwww"
    (export,) = run(text, Inputs(registers=vectors((1.5, 2.0, 3.0, 4.0)))).exports
    assert (export.number, export.mask) == (0, 0b0111)
    assert export.values[:3, 0].tolist() == [3.0, 1.0, 4.0]
