"""Functions of depth: each can be the fog table, whatever the operations are, since the host computes the entries.

In: a block.  Out: for every value that depends on `gl_FragCoord.z` and the host alone, a number that the algebra can go
on with (`DepthNumber`).  Sums and products of such numbers are left to the algebra, so that `1.0 - f` is seen through.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

from backends.pica200.codegen.fragment.algebra.polynomials import Channel, Polynomial, all_atoms, polynomial, rational
from backends.pica200.codegen.fragment.arithmetic import ALGEBRA, Number
from backends.pica200.codegen.fragment.fog.promised import DEPTH
from backends.pica200.codegen.fragment.hosting import Host
from compiler.analysis.ranges import Interval, intervals_of
from compiler.ir import ops
from compiler.ir.module import Block, Instruction, Value

#: The component of `gl_FragCoord` that is depth.
_Z = 2
_UNIT = Interval(0.0, 1.0)


class DepthNumber(Channel):
    """A component of a function of depth, scaled to 0 to 1: (value - low) / width."""

    __slots__ = ("component", "low", "value", "width")

    def __new__(cls, value: Instruction | None, component: int, interval: Interval) -> DepthNumber:
        del value, component, interval  # Each walk over a block has its own.
        return object.__new__(cls)

    def __init__(self, value: Instruction | None, component: int, interval: Interval) -> None:
        super().__init__("depth", "z" if value is None else f"%{value.id}.{component}")
        #: None: depth itself.
        self.value = value
        self.component = component
        self.low = min(rational(interval.low), Fraction(0))
        self.width = max(rational(interval.high) - self.low, Fraction(1))


class Depths:
    """The functions of depth in a block, and their numbers."""

    def __init__(self, block: Block, host: Host) -> None:
        self._host = host
        self._depth = polynomial(DepthNumber(None, 0, _UNIT))
        self._intervals: dict[Value, Sequence[Interval]] = {}
        #: Where the block reads depth itself.
        self.leaves: list[Instruction] = []
        #: What the algebra takes for these instructions.
        self.numbers: dict[Instruction, list[Number]] = {}
        for instruction in block:
            if _is_depth(instruction):
                self.leaves.append(instruction)
                self._intervals[instruction] = [_UNIT] * instruction.type.width
                self.numbers[instruction] = [self._depth] * instruction.type.width
            elif self._is_function(instruction):
                operands = [self._intervals.get(o) or self._host.interval(o) for o in instruction.operands]
                intervals = self._intervals[instruction] = intervals_of(instruction, operands)
                is_known = all(isfinite(part.low) and isfinite(part.high) for part in intervals)
                if instruction.type.kind == "float" and instruction.op not in ALGEBRA and is_known:
                    self.numbers[instruction] = [
                        _number(instruction, part, interval) for part, interval in enumerate(intervals)
                    ]

    @property
    def name(self) -> str:
        """What the shader calls depth."""
        load = self.leaves[0]
        return load.address.variable.name if load.op is ops.LOAD else "gl_FragCoord.z"

    def _is_function(self, instruction: Instruction) -> bool:
        if not (instruction.op.is_pure and instruction.op.has_semantics and instruction.type.width):
            return False
        operands = [operand for operand in instruction.operands if not self._host.is_host(operand)]
        return bool(operands) and all(operand in self._intervals for operand in operands)


def _is_depth(instruction: Instruction) -> bool:
    """Whether all components are `gl_FragCoord.z`, or what is promised to be."""
    if instruction.op is ops.LOAD and instruction.address.variable.role == DEPTH:
        return True
    if instruction.op is not ops.SWIZZLE or set(instruction.attribute) != {_Z}:
        return False
    (vector,) = instruction.operands
    is_load = isinstance(vector, Instruction) and vector.op is ops.LOAD
    return is_load and isinstance(vector, Instruction) and vector.address.variable.role == "frag_coord"


def _number(instruction: Instruction, component: int, interval: Interval) -> Number:
    number = DepthNumber(instruction, component, interval)
    return polynomial(number) * number.width + number.low


def depth_numbers(value: Polynomial) -> list[DepthNumber]:
    """Those in a polynomial, but for those in clamped values."""
    return sorted(atom for atom in value.atoms() if isinstance(atom, DepthNumber))


def sees_depth(value: Polynomial) -> bool:
    """Whether depth has a part in it, in clamped values, too."""
    return any(isinstance(atom, DepthNumber) for atom in all_atoms(value))
