"""Constants that a machine's whole floats do not hold, such as 0x7fffffff: where code is right with others for them.

In: a function whose calls are inlined, and the ranges of its ints.  Out: the uses that need the number itself.

The search for a least value begins with a number beyond all that follow.  Such a constant becomes the next one further
from 0 that the machine holds (`WholeNumbers.held`, `lower-int-to-float`).  That is as well where it is only chosen,
kept in variables, compared with exact numbers, and converted to a float: it stays larger than they are.  No two
constants may become the same.  Beyond the largest int, it may be compared with any number.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.analysis.integer_ranges import IntegerRanges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.lowering.kinds import index_positions

#: Operations that hand a number on.
CARRIED = frozenset(
    {ops.SELECT, ops.PHI, ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC, ops.LOAD}
)
#: Operations that are right for any number that a float holds exactly.
COMPARED = frozenset({ops.ILT, ops.ILE, ops.IEQ, ops.INE, ops.ULT, ops.ULE})
CONVERTED = frozenset({ops.ITOF, ops.UTOF, ops.ITOB})
#: What has only exact operands, by rules of its own (`whole_numbers.py`).
_EXACT = frozenset({ops.IDIV, ops.IREM, ops.UDIV, ops.UREM, ops.IAND, ops.IOR, ops.IXOR})
_BEYOND_INTS = 1 << 31


def inexact_constants(
    function: Function, ranges: IntegerRanges, limits: WholeNumbers
) -> Iterator[tuple[Instruction, int]]:
    """Yield the uses of constants, with the constant, of which the machine computes otherwise."""
    used = list(_large_constants(function, limits.exact))
    inexact = {number for _, number in used if limits.held(number) != number}
    if not inexact:
        return
    apart = len({limits.held(number) for _, number in used}) == len({number for _, number in used})
    among_any = all(abs(limits.held(number)) >= _BEYOND_INTS for number in inexact)
    large = _carriers(function, inexact)
    for instruction in function.instructions():
        numbers = [n for operand in _numbers(instruction) for n in _components(operand) if n in inexact]
        if not numbers and large.isdisjoint(_numbers(instruction)):
            continue
        others = [
            operand for operand in _numbers(instruction) if operand not in large and not isinstance(operand, Constant)
        ]
        fits = among_any or all(_is_exact(operand, instruction, ranges, limits.exact) for operand in others)
        if not apart or not fits or not _keeps_order(instruction):
            yield instruction, (numbers or sorted(inexact))[0]


def has_large_constants(instruction: Instruction, exact: int) -> bool:
    """Tell whether an instruction has constants beyond what is exact."""
    return any(abs(number) > exact for operand in _numbers(instruction) for number in _components(operand))


def _keeps_order(instruction: Instruction) -> bool:
    """Tell whether an operation does as well with larger numbers for large ones."""
    if instruction.op is ops.STORE:
        return instruction.address.variable.storage == "local"
    return instruction.op in CARRIED or instruction.op in COMPARED or instruction.op in CONVERTED


def _numbers(instruction: Instruction) -> list[Value]:
    """Return the operands that are not known to be exact."""
    return [] if instruction.op in _EXACT else numbers_in(instruction)


def numbers_in(instruction: Instruction) -> list[Value]:
    """Return the operands that are ints, but for indices."""
    indices = index_positions(instruction)
    return [
        operand
        for position, operand in enumerate(instruction.operands)
        if operand.type.kind == "int" and position not in indices
    ]


def _components(value: Value) -> list[int]:
    return [int(c) for c in value.components if c is not None] if isinstance(value, Constant) else []


def _large_constants(function: Function, exact: int) -> Iterator[tuple[Instruction, int]]:
    for instruction in function.instructions():
        for operand in _numbers(instruction):
            yield from ((instruction, number) for number in _components(operand) if abs(number) > exact)


def _carriers(function: Function, inexact: set[int]) -> set[Value]:
    """Find the values that may be one of these constants."""
    carriers: set[Value] = set()
    variables: set[Variable] = set()
    before = -1
    while before < len(carriers) + len(variables):
        before = len(carriers) + len(variables)
        for instruction in function.instructions():
            numbers = _numbers(instruction)
            is_read = instruction.op is ops.LOAD and instruction.address.variable in variables
            if (
                not is_read
                and carriers.isdisjoint(numbers)
                and not any(n in inexact for x in numbers for n in _components(x))
            ):
                continue
            if instruction.op is ops.STORE:
                variables.add(instruction.address.variable)
            elif instruction.op in CARRIED and instruction.type.kind == "int":
                carriers.add(instruction)
    return carriers


def _is_exact(value: Value, user: Instruction, ranges: IntegerRanges, exact: int) -> bool:
    assert user.block is not None
    return all(-exact <= interval.low and interval.high <= exact for interval in ranges.at(value, user.block))
