"""The arithmetic of the lifter: every operation of a machine is an instruction of the IR under construction.

Numbers are those of the reals, as a person would write the program: roundings and what only unusual numbers need
(`stray`, `below`) are left out, unless all is to be exact.  A number of 64 bits is one of 32: addresses are nowhere
larger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import STEPS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT, INT

#: Operations that are one instruction.
_OPCODES: dict[str, Opcode] = {
    "fadd": ops.FADD, "fsub": ops.FSUB, "fmul": ops.FMUL, "fdiv": ops.FDIV, "fneg": ops.FNEG, "fabs": ops.FABS,
    "ffloor": ops.FFLOOR, "fsqrt": ops.FSQRT, "exp2": ops.FEXP2, "log2": ops.FLOG2,
    "flt": ops.FLT, "fle": ops.FLE, "feq": ops.FEQ, "ilt": ops.ILT, "ult": ops.ULT, "ieq": ops.IEQ,
    "iadd": ops.IADD, "isub": ops.ISUB, "imul": ops.IMUL, "idiv": ops.IDIV, "udiv": ops.UDIV,
    "bits_and": ops.IAND, "bits_or": ops.IOR, "bits_xor": ops.IXOR, "bits_not": ops.INOT,
    "shl": ops.ISHL, "shr": ops.USHR, "asr": ops.ISHR,
    "band": ops.AND, "bor": ops.OR, "bxor": ops.XOR, "bnot": ops.NOT,
    "itof": ops.ITOF, "itod": ops.ITOF, "ftoi": ops.FTOI, "dtol": ops.FTOI,
    "bits": ops.BITCAST_FTOI, "number": ops.BITCAST_ITOF, "select": ops.SELECT,
}  # fmt: skip
_NOTHING, _HALF, _LARGEST_BYTE = float_constant(0.0), float_constant(0.5), float_constant(255.0)
_SMALLEST_NORMAL = 2.0**-126


def _limited(condition: Value, value: Value, least: Value) -> Value | None:
    """Return what is limited to 0...1, where it is above 0 by a choice of its own; None of other choices."""
    match condition, value, least:
        case (
            Instruction(op=ops.FLT, operands=[Constant(components=(0.0,)), x]),
            Instruction(
                op=ops.SELECT, operands=[Instruction(op=ops.FLT, operands=[Constant(components=(1.0,)), y]), _, z]
            ),
            Constant(components=(0.0,)),
        ) if x is y and y is z:
            return x
    return None


def _flushed(condition: Value, zero: Value, value: Value) -> bool:
    """Tell whether a choice only takes denormal numbers for zero."""
    match condition, zero:
        case (
            Instruction(op=ops.FLT, operands=[Instruction(op=ops.FABS, operands=[x]), Constant(components=(limit,))]),
            Constant(components=(0.0,)),
        ):
            return x is value and float(limit or 0.0) <= _SMALLEST_NORMAL
    return False


class Unliftable(Exception):
    """A program does what no shader can say."""


class Field(NamedTuple):
    """Bits of a word."""

    shift: int
    width: int


class Origins:
    """What stands behind words, which `words.py` finds again once registers are values."""

    def __init__(self) -> None:
        #: Bytes, and the shares of 1 that were rounded to them.
        self.shares: dict[Value, Value] = {}
        #: Whole numbers, and the numbers that were rounded to them.
        self.numbers: dict[Value, Value] = {}
        #: Places for what was rounded to a field of a word.
        self.fields: dict[Value, Field] = {}
        #: Places for what the lane so many before has, and for the lane's own number.
        self.moved: dict[Value, int] = {}
        self.lane_numbers: set[Value] = set()
        #: Places for what no shader can name, and what it is.
        self.unnamed: dict[Value, str] = {}

    def refuse_unnamed(self) -> None:
        """Raise where something that no shader can name is left."""
        for value, name in self.unnamed.items():
            if isinstance(value, Instruction) and value.users:
                raise Unliftable(f"{name} is no input of a shader")


class LiftedOperations:
    """`glslc_multi.compiler.arithmetic.operations.LaneOperations` on values."""

    def __init__(self, builder: Builder, origins: Origins | None = None, *, is_exact: bool = False) -> None:
        """With `is_exact`, what only unusual numbers need is not left out."""
        self._builder = builder
        self._is_exact = is_exact
        self.origins = origins or Origins()

    def __getattr__(self, name: str) -> Any:
        opcode = _OPCODES.get(name)
        if opcode is None:
            if name.startswith("_"):
                raise AttributeError(name)
            raise Unliftable(f"no shader has the operation {name}")

        def operation(*operands: Value) -> Value:
            return self.op(opcode, *operands)

        # Next time there is nothing to look for.
        setattr(self, name, operation)
        return operation

    def op(self, opcode: Opcode, *operands: Value) -> Value:
        """An instruction, or what it yields where that is known."""
        constants = [operand.components for operand in operands if isinstance(operand, Constant)]
        if len(constants) == len(operands):
            type = opcode.infer([operand.type for operand in operands], None)
            folded = fold_components(opcode, type, None, constants)
            if folded is not None:
                return folded
        if opcode is ops.SELECT:
            if isinstance(operands[0], Constant):
                return operands[1 if operands[0].components[0] else 2]
            limited = None if self._is_exact else _limited(*operands)
            if limited is not None:
                return self._builder.op(ops.FSATURATE, limited)
            if not self._is_exact and _flushed(*operands):
                return operands[2]
        return self._builder.op(opcode, *operands)

    # --- Constants and conversions ------------------------------------------------------------------------------------

    def bconst(self, value: bool) -> Value:
        return bool_constant(value)

    def iconst(self, value: int) -> Value:
        return int_constant((value + 2**31) % 2**32 - 2**31)

    lconst = iconst

    def fconst(self, value: float) -> Value:
        return float_constant(value)

    dconst = fconst

    def widened(self, x: Value) -> Value:
        return x

    extended = narrowed = widened

    def is_float(self, x: Value) -> bool:
        return x.type is FLOAT

    # --- Words ------------------------------------------------------------------------------------------------------

    def byte_of(self, share: Value) -> Value:
        """Return the byte nearest to a number, which is limited to 0...1."""
        scaled = self.op(ops.FADD, self.op(ops.FMUL, self.op(ops.FSATURATE, share), _LARGEST_BYTE), _HALF)
        byte = self.op(ops.FTOI, scaled)
        if isinstance(byte, Instruction):
            self.origins.shares[byte] = share
        return byte

    def rounded(self, x: Value) -> Value:
        """Return a whole number that stands for another one beside it."""
        whole = self.op(ops.FTOI, x)
        if isinstance(whole, Instruction):
            self.origins.numbers[whole] = x
        return whole

    def rounded_to(self, word: Value, field: Field) -> Value:
        """Return what was rounded to a field of a word; the share behind a byte is not limited."""
        number = self._builder.op(ops.BITCAST_ITOF, word)
        self.origins.fields[number] = field
        return number

    # --- Functions ----------------------------------------------------------------------------------------------------

    def elementary(self, name: str, *arguments: Value) -> Value:
        return self.op(ops.OPCODES["f" + name], *arguments)

    def imin(self, x: Value, y: Value) -> Value:
        return self.op(ops.SELECT, self.op(ops.ILT, y, x), y, x)

    def imax(self, x: Value, y: Value) -> Value:
        return self.op(ops.SELECT, self.op(ops.ILT, x, y), y, x)

    def copysign(self, x: Value, y: Value) -> Value:
        size = self.op(ops.FABS, x)
        return self.op(ops.SELECT, self.op(ops.FLT, y, _NOTHING), self.op(ops.FNEG, size), size)

    # --- What is rare, and other lanes --------------------------------------------------------------------------------

    def stray(self, numbers: Sequence[Number], low: float, high: float) -> Value:
        return bool_constant(self._is_exact)

    def below(self, x: Value, low: float) -> Value:
        return bool_constant(self._is_exact)

    def unless(self, rare: Value, usual: Sequence[Number], compute: Callable[[], Sequence[Number]]) -> Sequence[Number]:
        return compute() if self._is_exact else usual

    def never(self, mask: Value) -> bool:
        return isinstance(mask, Constant) and not any(mask.components)

    def permuted(self, x: Value, order: Sequence[int]) -> Value:
        """Return what another lane has, which is to be part of a derivative."""
        distance = -order[0]
        if any(number != (lane - distance) % len(order) for lane, number in enumerate(order)):
            raise Unliftable(f"lanes exchange values in the order {list(order)}, which is no step of {STEPS}")
        distance = distance % len(order)
        return self.moved(x, distance if 2 * distance < len(order) else distance - len(order))

    def moved(self, x: Value, distance: int) -> Value:
        """Return what the lane so many before has."""
        value = self._builder.op(ops.INEG if x.type is INT else ops.FNEG, x)
        self.origins.moved[value] = distance
        self.origins.unnamed[value] = "what another lane has, and not for a derivative,"
        return value

    def lane_number(self) -> Value:
        """Return the number of a lane among those that exchange values."""
        number = self.unnamed("the number of a lane", int_constant(0))
        self.origins.lane_numbers.add(number)
        return number

    def unnamed(self, name: str, like: Constant) -> Value:
        """Return a place for what has to be gone in the end."""
        value = self._builder.op(ops.INEG if like.type is INT else ops.FNEG, like)
        self.origins.unnamed[value] = name
        return value
