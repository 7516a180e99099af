"""What the scalar unit takes over computes the same numbers: every operation on all kinds of sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

import pytest

from glslc_multi.backends.xenos_family.codegen.machine_ops import MOVE, SCALAR, VECTOR
from glslc_multi.backends.xenos_family.codegen.register_files import C, R
from glslc_multi.backends.xenos_family.codegen.schedule.scalar_unit import as_scalar, with_previous
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use
from glslc_multi.compiler.records import replace

#: Zero is a literal in C[0].x alone, and C[5] is a uniform.
CONSTANTS = ConstantTable(C, literals={0: [0.0, -2.5, None, None]})
VALUES = {
    R[1]: (3.25, -1.5, 0.0, 2.0),
    R[2]: (-0.75, 4.0, 8.5, 0.5),
    C[0]: (0.0, -2.5, 7.0, 7.0),
    C[5]: (1.25, 0.0, -6.0, 9.0),
}
#: What vector operations compute of each component.
OF_ONE: dict[str, Callable[[float], float]] = {
    "FRACv": lambda x: x - math.floor(x),
    "TRUNCv": lambda x: float(math.trunc(x)),
    "FLOORv": lambda x: float(math.floor(x)),
}
OF_TWO: dict[str, Callable[[float, float], float]] = {
    "MAXv": max,
    "MINv": min,
    "ADDv": lambda x, y: x + y,
    "MULv": lambda x, y: x * y,
    "SETEv": lambda x, y: float(x == y),
    "SETNEv": lambda x, y: float(x != y),
    "SETGTv": lambda x, y: float(x > y),
    "SETGTEv": lambda x, y: float(x >= y),
}
#: What scalar ones do with their components, in the order of the sources.
SCALARS: dict[str, Callable[..., float]] = {
    **{f"{name[:-1]}s": meaning for name, meaning in OF_ONE.items()},
    **{f"{name}s": OF_TWO[f"{name}v"] for name in ("MAX", "MIN", "ADD", "MUL")},
    "SUBs": lambda x, y: x - y,
    "SETEs": lambda x: float(x == 0),
    "SETNEs": lambda x: float(x != 0),
    "SETGTs": lambda x: float(x > 0),
    "SETGTEs": lambda x: float(x >= 0),
    **{f"ADD_CONST_{low}": lambda c, r: c + r for low in (0, 1)},
    **{f"SUB_CONST_{low}": lambda c, r: c - r for low in (0, 1)},
    **{f"MUL_CONST_{low}": lambda c, r: c * r for low in (0, 1)},
}
SOURCES = [
    Use(register, (lane, lane), negate=negate, absolute=absolute)
    for register, lane, negate, absolute in product(VALUES, (0, 1, 2), (False, True), (False, True))
]


def _numbers(use: Use) -> list[float]:
    found = [VALUES[use.register][lane] for lane in use.lanes if lane is not None]  # type: ignore[index]
    found = [abs(number) for number in found] if use.absolute else found
    return [-number for number in found] if use.negate else found


def _vector(name: str, *uses: Use) -> MachineInstruction:
    return MachineInstruction(VECTOR[name], [Def(R[9], (2, 3))], uses)


def _result(found: MachineInstruction) -> float:
    return SCALARS[found.op.name](*(number for use in found.uses for number in _numbers(use)))


@pytest.mark.parametrize("name", OF_TWO)
def test_an_operation_of_two_numbers(name: str) -> None:
    taken = 0
    for one, other in product(SOURCES, repeat=2):
        found = as_scalar(_vector(name, one, other), CONSTANTS)
        if found is None:
            continue
        taken += 1
        assert _result(found) == OF_TWO[name](_numbers(one)[0], _numbers(other)[0]), (one, other, found)
        assert found.defs == [Def(R[9], (2, 3))]
        if "CONST" in found.op.name:
            # The operation's last bit is that of the register's number, and both sources have one sign.
            constant, register = found.uses
            assert int(found.op.name[-1]) == register.register.index & 1  # type: ignore[union-attr]
            assert constant.negate == register.negate
            assert not register.absolute
    assert taken


@pytest.mark.parametrize("name", OF_ONE)
def test_an_operation_of_one_number(name: str) -> None:
    for source in SOURCES:
        found = as_scalar(_vector(name, source), CONSTANTS)
        assert found is not None
        assert _result(found) == OF_ONE[name](_numbers(source)[0])
        assert as_scalar(_vector(name, replace(source, lanes=(0, 1))), CONSTANTS) is None


def test_a_move_is_the_larger_of_a_number_and_itself() -> None:
    for source in SOURCES:
        found = as_scalar(MachineInstruction(MOVE, [Def(R[9], (1,))], [source]), CONSTANTS)
        assert found is not None
        assert (found.op.name, _result(found)) == ("MAXs", _numbers(source)[0])
        assert found.uses == [replace(source, lanes=source.lanes[:1] * 2)]


X, Y, OTHER, ZERO, ONE, FIVE = (
    Use(R[1], (0,)),
    Use(R[1], (1,)),
    Use(R[2], (1,)),
    Use(C[0], (0,)),
    Use(C[0], (1,)),
    Use(C[5], (1,)),
)


@pytest.mark.parametrize(
    ("name", "sources", "expected"),
    [
        ("ADDv", (X, Y), "ADDs"),
        ("ADDv", (_negated := replace(X, negate=True), Y), "SUBs"),
        ("ADDv", (X, replace(Y, negate=True)), "SUBs"),
        ("MULv", (X, Y), "MULs"),
        ("MULv", (X, replace(Y, negate=True)), None),
        ("MINv", (_negated, replace(Y, negate=True)), "MINs"),
        ("ADDv", (X, replace(Y, absolute=True)), None),
        ("ADDv", (X, OTHER), None),
        ("ADDv", (ONE, X), "ADD_CONST_1"),
        ("ADDv", (OTHER, FIVE), "ADD_CONST_0"),
        ("ADDv", (OTHER, replace(FIVE, negate=True)), "SUB_CONST_0"),
        ("MULv", (FIVE, X), "MUL_CONST_1"),
        ("MULv", (FIVE, replace(X, negate=True)), None),
        ("ADDv", (FIVE, replace(X, absolute=True)), None),
        ("ADDv", (FIVE, ONE), None),
        ("MAXv", (FIVE, X), None),
        ("SETEv", (X, ZERO), "SETEs"),
        # Of equality, the constant is the second source.
        ("SETEv", (ZERO, X), None),
        ("SETGTEv", (ZERO, X), "SETGTEs"),
        # Not zero, and not known.
        ("SETGTv", (X, ONE), None),
        ("SETGTv", (X, FIVE), None),
        ("SETGTv", (X, Use(R[0], (0,))), None),
        ("SETGTv", (X, Use(R[1], (2,))), None),
        ("SETGTv", (X, Use(C[0], (2,))), None),
    ],
)
def test_what_the_scalar_unit_has(name: str, sources: Sequence[Use], expected: str | None) -> None:
    found = as_scalar(_vector(name, *sources), CONSTANTS)
    assert (None if found is None else found.op.name) == expected


def test_a_difference_needs_no_sign() -> None:
    for sources in ((_negated, Y), (Y, _negated)):
        found = as_scalar(_vector("ADDv", *sources), CONSTANTS)
        assert found is not None
        assert found.uses == [replace(Y, lanes=(1, 0))]


def test_what_is_scalar_stays_and_what_reads_several_numbers_as_well() -> None:
    sine = MachineInstruction(SCALAR["SIN"], [Def(R[6])], [Use(R[6])])
    assert as_scalar(sine, CONSTANTS) is sine
    assert as_scalar(_vector("DOT4v", Use(R[1]), Use(R[2])), CONSTANTS) is None
    assert as_scalar(_vector("ADDv", Use(R[1], (0, 1)), Use(R[1], (1, 1))), CONSTANTS) is None
    assert as_scalar(MachineInstruction(VECTOR["ADDv"], [], [X, Y]), CONSTANTS) is None


@pytest.mark.parametrize("name", ["ADDv", "MULv"])
def test_the_previous_result_is_one_source(name: str) -> None:
    """Whichever it is, and with either sign; a sum takes the sign into the operation, a product gives it on."""
    slot = (MachineInstruction(SCALAR["SIN"], [Def(R[1], (1,))], [Use(R[2], (0,))]),)
    meaning = {
        "ADD_PREVs": lambda x, p: x + p,
        "SUB_PREVs": lambda x, p: x - p,
        "MUL_PREVs": lambda x, p: x * p,
    }
    previous = Use(R[1], (1, 1))
    for negate, other, swapped in product((False, True), SOURCES, (False, True)):
        if (other.register, other.lanes[0]) == (R[1], 1):
            continue
        mine = replace(previous, negate=negate)
        found = with_previous(_vector(name, *((other, mine) if swapped else (mine, other))), [slot])
        assert found is not None
        (source,) = found.uses
        value = meaning[found.op.name](_numbers(source)[0], VALUES[R[1]][1])
        assert value == OF_TWO[name](_numbers(mine)[0], _numbers(other)[0])
    assert with_previous(_vector(name, replace(previous, absolute=True), OTHER), [slot]) is None
    assert with_previous(_vector(name, replace(previous, lanes=(0, 0)), OTHER), [slot]) is None
    assert with_previous(_vector("MAXv", previous, OTHER), [slot]) is None
