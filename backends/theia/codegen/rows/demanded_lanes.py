"""Demanded lanes: which lanes of a row anything reads, and what need not be done for the others.

In: machine code before constants have registers.  Out: the same without swizzles that spread a number to lanes that
nothing reads, and with rows of numbers that leave such lanes open (so that they take fewer words, or serve others too).

Lanes are a set of bits.  A register's are those that its readers need for the lanes of theirs, found by a worklist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from glslc_multi.backends.theia.codegen.conditions import Both, Condition
from glslc_multi.backends.theia.codegen.machine_ops import ALPHA, SETS
from glslc_multi.backends.theia.isa.instructions import BY_NAME, LIVE_SWIZZLES
from glslc_multi.compiler.codegen.machine import Literal32, MachineFunction, MachineInstruction
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step

X, Y, Z = 1, 2, 4
ALL = X | Y | Z
_BITS = (X, Y, Z)
#: Lane i of the result needs lane i of the sources.
_LANEWISE = frozenset("ADD SUB DIV MUL COPY INC MOD FRAC NEG DEC IMUL UNSCALE INCX INCY INCZ ZERO".split())
#: By register; nobody asks for those of constants.
Demand = dict[object, int]


@step("open unread lanes")
def open_unread_lanes(function: MachineFunction) -> dict[int, int]:
    """Simplify `function` in place; the lanes that each use of a constant needs, by the use's identity."""
    demand = _demand(function)
    needs: dict[int, int] = {}
    for block in function.blocks:
        block.instructions = [i for i in block.instructions if not _is_redundant_swizzle(i, demand)]
        for instruction in block.instructions:
            for use, lanes in zip(instruction.uses, _needed(instruction, demand), strict=True):
                if isinstance(use.register, Literal32):
                    use.register = Literal32(
                        tuple(value if lanes & _BITS[lane] else None for lane, value in enumerate(use.register.values))
                    )
                needs[id(use)] = lanes
    return needs


def _demand(function: MachineFunction) -> Demand:
    demand: Demand = {}
    pending = list(function.instructions())
    writers: dict[object, list[MachineInstruction]] = {}
    for instruction in pending:
        for definition in instruction.defs:
            writers.setdefault(definition.register, []).append(instruction)
    seen: set[MachineInstruction] = set()
    while pending:
        instruction = pending.pop()
        seen.add(instruction)
        for use, lanes in zip(instruction.uses, _needed(instruction, demand), strict=True):
            lanes_before = demand.get(use.register, 0)
            demand[use.register] = lanes_before | lanes
            if lanes_before | lanes != lanes_before:
                # The others come anyway.
                pending += [writer for writer in writers.get(use.register, ()) if writer in seen]
    return demand


def _result_lanes(instruction: MachineInstruction, demand: Demand) -> int:
    """What is read of all results."""
    lanes = 0
    for definition in instruction.defs:
        register = definition.register
        if isinstance(register, Register):
            lanes |= X if register == ALPHA else ALL
        else:
            lanes |= demand.get(register, 0)
    return lanes


def _needed(instruction: MachineInstruction, demand: Demand) -> list[int]:
    """The lanes that an instruction needs of each of its sources."""
    name = instruction.op.name.removesuffix(" if")
    condition = cast("Condition | None", instruction.attributes.get("condition"))
    wanted, count = _result_lanes(instruction, demand), len(instruction.uses)
    if condition is None:
        return [_of_source(name, number, wanted, instruction) for number in range(count)]
    own: list[int] = []
    if instruction.op.name != name:
        sources = BY_NAME[name].shape.count("S")
        own = [wanted, *(_of_source(name, number, wanted, instruction) for number in range(sources))]
    # The lanes of each operand that a condition compares.
    compared = [0] * (count - len(own))
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Both):
            pending += part.left, part.right
        else:
            compared[part.first] |= _BITS[part.lane]
            compared[part.second] |= _BITS[part.lane]
    return own + compared


def _of_source(name: str, number: int, wanted: int, instruction: MachineInstruction) -> int:
    if name in _LANEWISE:
        return wanted
    if name in SETS:
        return wanted & ~_BITS[SETS.index(name)]
    rule = _RULES.get(name)
    return ALL if rule is None else rule(number, wanted, instruction)


def _exchange(number: int, wanted: int, _instruction: MachineInstruction) -> int:
    return wanted & (Y | Z) if number == 0 else wanted & X


def _swizzle(_number: int, wanted: int, instruction: MachineInstruction) -> int:
    order = LIVE_SWIZZLES[instruction.attributes["immediate"]]
    return sum({_BITS[source] for lane, source in enumerate(order) if wanted & _BITS[lane]})


def _root(_number: int, wanted: int, _instruction: MachineInstruction) -> int:
    """The loop tests lane x for its end."""
    return wanted | X


_RULES: dict[str, Callable[[int, int, MachineInstruction], int]] = {
    "XCHANGEX": _exchange,
    "SWIZZLE3D": _swizzle,
    "SQRT": _root,
}


def _is_redundant_swizzle(instruction: MachineInstruction, demand: Demand) -> bool:
    """Whether a swizzle leaves the lanes that are read as they are."""
    if instruction.op.name != "SWIZZLE3D":
        return False
    wanted = _result_lanes(instruction, demand)
    order = LIVE_SWIZZLES[instruction.attributes["immediate"]]
    return all(source == lane for lane, source in enumerate(order) if wanted & _BITS[lane])
