"""Operations on the bits of ints become arithmetic, for machines whose ints are floats.

In: ints of which it is proven that operands of unsigned operations are not negative
(`compiler/codegen/integers/whole_numbers.py`). Out: no operation on bits but `ishr` by constants, which rounds down,
and no unsigned one.

A mask of ones is what dividing by a power of two leaves:

    x & 0x3f              x - (x >> 6) * 64
    x & 0xf0              (x >> 4 & 0xf) * 16
    x | m                 x + (m - (x & m))           which is x + m where they have no bit in common
    x ^ m                 (x - (x & m)) + (m - (x & m))
    ~x                    -1 - x

No part has more bits than the operands, which a float holds; `x + m` may have.  This holds for negative numbers, too,
since `>>` rounds down (Knuth, TAOCP 7.1.3).  Where both operands vary, `x & y` is put together bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from glslc_multi.compiler.analysis.integer_ranges import integer_ranges
from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges, unknown
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass

#: Operations without a sign that need nothing but one.
_SIGNED = (ops.UDIV, ops.ULT, ops.ULE, ops.UTOF)
#: The number of the sign's bit.
_SIGN = 31
#: Bits that whole floats of any of these machines have.
_BITS = 24


@dataclass(frozen=True, slots=True)
class LowerIntegerBits(ModulePass):
    """See the module's text."""

    name = "lower-integer-bits"
    description = "makes arithmetic of shifts, masks and unsigned operations"
    preserves_control_flow = True

    #: Ints of the interface are at most this, of either sign.
    outside: int = 1 << 31

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        low, high = -self.outside, min(self.outside, (1 << 31) - 1)
        assumed = {
            variable: Interval(0 if variable.source_kind == "uint" else low, high)
            for variable in module.variables.values()
            if variable.type.kind == "int" and variable.storage not in ("local", "output")
        }
        progress = False
        for function in module.functions.values():
            if _lower(function, assumed):
                context.forget(function, self)
                progress = True
        return progress


def _lower(function: Function, assumed: Mapping[Variable, Interval]) -> bool:
    """Replace all such operations of a function."""
    lowered = [i for i in function.instructions() if i.op in _LOWERED and not _is_floor(i)]
    if not lowered:
        return False
    function.renumber()
    ranges = _Ranges(integer_ranges(function, assumed))
    for instruction in lowered:
        lowering = _Lowering(Builder.before(instruction), ranges)
        result = _LOWERED[instruction.op](lowering, *instruction.operands)
        ranges.take_over(instruction, result)
        instruction.replace_all_uses_with(result)
        instruction.erase()
    return True


class _Ranges:
    """The ranges of the function as it was, which what stands in the place of its values has, too."""

    def __init__(self, ranges: ValueRanges) -> None:
        self._ranges = ranges
        self._made: dict[Value, tuple[Interval, ...]] = {}

    def take_over(self, old: Instruction, new: Value) -> None:
        if isinstance(new, Instruction):
            self._made[new] = self.of(old)

    def of(self, value: Value) -> tuple[Interval, ...]:
        if value in self._made:
            return self._made[value]
        if self._ranges.knows(value):
            return self._ranges.of(value)
        return (unknown(value.type),) * value.type.width


class _Lowering:
    """Arithmetic in the place of one instruction."""

    def __init__(self, builder: Builder, ranges: _Ranges) -> None:
        self._builder = builder
        self._ranges = ranges

    def _op(self, opcode: Opcode, *operands: Value) -> Value:
        return self._builder.op(opcode, *operands)

    # ----------------------------------------------------------------------------------- shifts
    def shl(self, x: Value, count: Value) -> Value:
        if isinstance(count, Constant) and any(int(c or 0) & 31 == _SIGN for c in count.components):
            # The power is no int.
            counts = [int(c or 0) & 31 for c in count.components]
            x = self.shl(x, Constant(count.type, tuple(n // 2 for n in counts)))
            count = Constant(count.type, tuple(n - n // 2 for n in counts))
        return self._op(ops.IMUL, x, self._power(count))

    def shr(self, x: Value, count: Value) -> Value:
        """Rounded down."""
        if isinstance(count, Constant):
            return self._down(x, count)
        power = self._power(count)
        quotient = self._op(ops.IDIV, x, power)
        if self._low(x) >= 0:
            return quotient
        is_above = self._op(ops.ILT, x, self._op(ops.IMUL, quotient, power))
        return self._op(ops.ISUB, quotient, self._op(ops.BTOI, is_above))

    def _down(self, x: Value, count: Constant) -> Value:
        return x if not any(count.components) else self._op(ops.ISHR, x, count)

    def _power(self, count: Value) -> Value:
        """Two to a power: the product of the powers that its binary digits stand for."""
        if isinstance(count, Constant):
            return Constant(count.type, tuple(1 << (int(c or 0) & 31) for c in count.components))
        power: Value = _splat(count, 1)
        for digit in range(self._bits(count, 5)):
            factor = self._op(ops.IMUL, self._digit(count, digit), _splat(count, (1 << (1 << digit)) - 1))
            power = self._op(ops.IMUL, power, self._op(ops.IADD, factor, _splat(count, 1)))
        return power

    def _digit(self, x: Value, number: int) -> Value:
        shifted = self._down(x, _splat(x, number))
        return self._op(ops.ISUB, shifted, self._op(ops.IMUL, self._down(shifted, _splat(x, 1)), _splat(x, 2)))

    # ----------------------------------------------------------------------------------- bits
    def invert(self, x: Value) -> Value:
        return self._op(ops.ISUB, _splat(x, -1), x)

    def both(self, x: Value, y: Value) -> Value:
        if isinstance(x, Constant):
            x, y = y, x
        if isinstance(y, Constant) and len(set(y.components)) == 1:
            return self._masked(x, int(y.components[0] or 0))
        # The sum of the bits that both have; where both may be negative, their common sign counts below zero.
        signed = self._low(x) < 0 and self._low(y) < 0
        counts = [self._bits(z, _BITS) for z in (x, y) if signed or self._low(z) >= 0]
        count = max(counts) if signed else min(counts)
        terms = []
        for number in range(count + signed):
            weight = -(1 << number) if number == count else 1 << number
            digit = self._op(ops.IMUL, self._digit(x, number), self._digit(y, number))
            terms.append(self._op(ops.IMUL, digit, _splat(x, weight)))
        return self._sum(x, terms)

    def either(self, x: Value, y: Value) -> Value:
        if self._are_disjoint(x, y):
            return self._op(ops.IADD, x, y)
        return self._op(ops.IADD, x, self._op(ops.ISUB, y, self.both(x, y)))

    def differing(self, x: Value, y: Value) -> Value:
        if self._are_disjoint(x, y):
            return self._op(ops.IADD, x, y)
        both = self.both(x, y)
        return self._op(ops.IADD, self._op(ops.ISUB, x, both), self._op(ops.ISUB, y, both))

    def _masked(self, x: Value, mask: int) -> Value:
        if mask < 0:
            # The bits that are left out are a mask without sign.
            return self._op(ops.ISUB, x, self._masked(x, ~mask)) if ~mask else x
        return self._sum(x, [self._run(x, first, width) for first, width in _runs(mask)])

    def _run(self, x: Value, first: int, width: int) -> Value:
        """The bits of x from number `first` on, where they are."""
        shifted = self._down(x, _splat(x, first))
        if self._low(x) < 0 or self._high(x) >= 1 << (first + width):
            rest = self.shl(self._down(shifted, _splat(x, width)), _splat(x, width))
            shifted = self._op(ops.ISUB, shifted, rest)
        return self._op(ops.IMUL, shifted, _splat(x, 1 << first)) if first else shifted

    def _sum(self, like: Value, terms: list[Value]) -> Value:
        total: Value | None = None
        for term in terms:
            total = term if total is None else self._op(ops.IADD, total, term)
        return _splat(like, 0) if total is None else total

    def _are_disjoint(self, x: Value, y: Value) -> bool:
        """Whether one is below the lowest bit that the other can have."""
        return any(
            self._low(low) >= 0 and self._high(low) < 1 << _trailing_zeros(high) for low, high in ((x, y), (y, x))
        )

    # ----------------------------------------------------------------------------------- remainders
    def remainder(self, x: Value, y: Value) -> Value:
        rest = self._op(ops.ISUB, x, self._op(ops.IMUL, self._op(ops.IDIV, x, y), y))
        if isinstance(y, Constant) and all(y.components):
            return rest
        zero = _splat(x, 0)
        return self._op(ops.SELECT, self._op(ops.IEQ, y, zero), zero, rest)

    def from_float(self, x: Value) -> Value:
        return self._op(ops.FTOI, self._op(ops.FMAX, x, Constant.splat(x.type, 0.0)))

    def signed(self, opcode: Opcode) -> Callable[..., Value]:
        return lambda *operands: self._op(ops.WITH_SIGN[opcode], *operands)

    # ----------------------------------------------------------------------------------- ranges
    def _low(self, x: Value) -> float:
        return min(part.low for part in self._ranges.of(x))

    def _high(self, x: Value) -> float:
        return max(part.high for part in self._ranges.of(x))

    def _bits(self, x: Value, most: int) -> int:
        """How many binary digits a number may have, beside its sign."""
        ends = (int(end) for part in self._ranges.of(x) for end in (part.low, part.high))
        return min(max((end if end >= 0 else ~end).bit_length() for end in ends), most)


def _signed(opcode: Opcode) -> Callable[..., Value]:
    return lambda lowering, *operands: lowering.signed(opcode)(*operands)


_LOWERED: dict[Opcode, Callable[..., Value]] = {
    ops.ISHL: _Lowering.shl,
    ops.ISHR: _Lowering.shr,
    ops.USHR: _Lowering.shr,
    ops.INOT: _Lowering.invert,
    ops.IAND: _Lowering.both,
    ops.IOR: _Lowering.either,
    ops.IXOR: _Lowering.differing,
    ops.IREM: _Lowering.remainder,
    ops.UREM: _Lowering.remainder,
    ops.FTOU: _Lowering.from_float,
    **{opcode: _signed(opcode) for opcode in _SIGNED},
}


def _is_floor(instruction: Instruction) -> bool:
    """Whether it is the shift that stays."""
    return instruction.op is ops.ISHR and isinstance(instruction.operands[1], Constant)


def _splat(like: Value, number: int) -> Constant:
    return Constant.splat(like.type, number)


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Where each run of ones begins, and how long it is."""
    first = 0
    while mask >> first:
        while not mask >> first & 1:
            first += 1
        width = 0
        while mask >> (first + width) & 1:
            width += 1
        yield first, width
        first += width


def _trailing_zeros(value: Value, depth: int = 6) -> int:
    """How many of the lowest bits are surely zero, as far as a few operations tell."""
    if isinstance(value, Constant):
        numbers = [int(component or 0) for component in value.components]
        return min((number & -number).bit_length() - 1 if number else 31 for number in numbers)
    if not isinstance(value, Instruction) or not depth or value.op not in (ops.IMUL, ops.IADD, ops.ISUB):
        return 0
    zeros = [_trailing_zeros(operand, depth - 1) for operand in value.operands]
    return min(sum(zeros), 31) if value.op is ops.IMUL else min(zeros)
