"""Ints become floats that hold whole numbers, for machines without ints.

In: any module.  Out: no int but at addresses: an index is an `ftoi` of a float, or a constant, so that each
target can consume it in its own way (an address register, a loop counter).  Uniforms become floats that
remember their kind (`Variable.source_kind`), for the host to convert what it is given.

Results agree as long as whole numbers do not exceed what the target's floats hold exactly: 2^24 in float32,
2^16 in PICA's 24 bits, all below 2^14 in THEIA's fixed point; GLSL ES 1.00 section 4.5.2 asks for 2^16 in highp and
2^10 in mediump.  So ints do not wrap, which GLSL does not promise either (section 4.1.3).

Division truncates exactly.  With a = |x|, b = |y|, the product a * (1 / b) has an error of less than 1 for all
these numbers: reciprocal and product are each off by a part of 2^-p at most in floats of p bits, together
a / b * 2^(1 - p) <= 2 / 3, since a < 2^p, and b is 3 or more unless the reciprocal is exact.  (In fixed point
a times a reciprocal that is off by 2^-17 is off by an eighth.)  So its floor q is off by 1 at most; the
remainder r = a - q * b is exact, and tells: q is 1 too large where r < 0, 1 too small where r >= b.

With `exact-divide` the target's own quotient is known to be truncated or correctly rounded, and needs no such
care: a quotient that is not whole is at least 1 / b away from the next whole number, more than half a unit in
the last place.
"""

from __future__ import annotations

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import INT
from glslc_multi.compiler.isa.whole_numbers import held
from glslc_multi.compiler.lowering.kinds import index_positions, make_constants_float, make_variables_float
from glslc_multi.compiler.lowering.pieces import builder_after
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass

#: Operations on ints -> those that do the same to whole floats.
_ON_FLOATS: dict[Opcode, Opcode] = {
    ops.IADD: ops.FADD,
    ops.ISUB: ops.FSUB,
    ops.IMUL: ops.FMUL,
    ops.INEG: ops.FNEG,
    ops.ILT: ops.FLT,
    ops.ILE: ops.FLE,
    ops.IEQ: ops.FEQ,
    ops.INE: ops.FNE,
    ops.FTOI: ops.FTRUNC,
    ops.BTOI: ops.BTOF,
    ops.ITOB: ops.FTOB,
}
#: Operations that become several.
_EXPANDED = frozenset({ops.ITOF, ops.IDIV, ops.ISHR})


@dataclass(frozen=True, slots=True)
class LowerIntToFloat(ModulePass):
    """See the module's text."""

    name = "lower-int-to-float"
    description = "turns ints into floats that hold whole numbers"
    preserves_control_flow = True

    #: Whether the target's `fdiv` is truncated or correctly rounded.
    exact_divide: bool = False
    #: Whole floats up to this power of two are exact.
    exact: int = 1 << 24
    #: No number is larger, of either sign.
    largest: int = 1 << 31

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        progress = make_variables_float(module, "int")
        for function in module.functions.values():
            if _Conversion(function, self).run():
                context.forget(function, self)
                progress = True
        return progress


class _Conversion:
    """The conversion of one function."""

    def __init__(self, function: Function, lowering: LowerIntToFloat) -> None:
        self.function = function
        self.lowering = lowering
        #: Float -> the int that addresses take it as.
        self.indices: dict[Instruction, Instruction] = {}

    def run(self) -> bool:
        """Whether the function held ints."""
        converted = [i for i in self.function.instructions() if _handles_ints(i) and not _is_index(i)]
        progress = make_constants_float(self.function, "int", self._held) or bool(converted)
        for instruction in converted:
            if instruction.type.kind == "int":
                instruction.type = instruction.type.with_kind("float")
            instruction.op = _ON_FLOATS.get(instruction.op, instruction.op)
            instruction.mark_changed()
        for instruction in converted:
            self._convert_indices(instruction)
            if instruction.op is ops.ITOF:
                instruction.replace_all_uses_with(instruction.operands[0])
                instruction.erase()
            elif instruction.op is ops.ISHR:
                instruction.replace_all_uses_with(_floor(instruction, self.lowering.largest))
                instruction.erase()
            elif instruction.op is ops.IDIV:
                instruction.replace_all_uses_with(_Division(instruction, self.lowering.exact_divide).quotient())
                instruction.erase()
        return progress

    def _held(self, constant: Constant) -> Constant:
        """Make a constant of floats, which stay beyond all exact numbers where they are (`inexact_constants.py`)."""
        numbers = (None if c is None else float(held(int(c), self.lowering.exact)) for c in constant.components)
        return Constant(constant.type.with_kind("float"), tuple(numbers))

    def _convert_indices(self, instruction: Instruction) -> None:
        """Convert floats back where an address needs an int."""
        for position in index_positions(instruction):
            index = instruction.operands[position]
            if isinstance(index, Instruction) and index.type is not INT:
                if index not in self.indices:
                    self.indices[index] = builder_after(index).op(ops.FTOI, index)
                instruction.set_operand(position, self.indices[index])


def _handles_ints(instruction: Instruction) -> bool:
    """Whether the result or an operand is an int that is no constant."""
    values: list[Value] = [instruction, *instruction.operands]
    return any(value.type.kind == "int" and not isinstance(value, Constant) for value in values) or (
        instruction.op in _ON_FLOATS or instruction.op in _EXPANDED
    )


def _is_index(instruction: Instruction) -> bool:
    """Whether this is a conversion for addresses, or an operation whose only ints are such conversions."""
    if instruction.op is ops.FTOI:
        return all(_uses_as_index(user, instruction) for user in instruction.users)
    if instruction.type.kind == "int" or instruction.op in _ON_FLOATS or instruction.op in _EXPANDED:
        return False
    return all(
        isinstance(operand, Instruction) and operand.op is ops.FTOI and _is_index(operand)
        for operand in instruction.operands
        if operand.type.kind == "int" and not isinstance(operand, Constant)
    )


def _uses_as_index(user: Instruction, value: Instruction) -> bool:
    indices = index_positions(user)
    return all(index in indices for index, operand in enumerate(user.operands) if operand is value)


def _floor(shift: Instruction, largest: int) -> Value:
    """Make x >> n for a constant n (`integer_bits.py`): x / 2^n rounded down.

    Where n shifts all numbers out, a smaller one does so too, whose power is one that the machine holds.
    """
    x, count = shift.operands
    assert isinstance(count, Constant)
    builder = Builder.before(shift)
    scale = Constant(
        x.type, tuple(0.5 ** min(int(component or 0), largest.bit_length()) for component in count.components)
    )
    return builder.op(ops.FFLOOR, builder.op(ops.FMUL, x, scale))


class _Division:
    """The truncated quotient of two whole floats, before the `idiv` that it replaces."""

    def __init__(self, original: Instruction, exact_divide: bool) -> None:
        self.builder = Builder.before(original)
        self.x, self.y = original.operands
        self.exact_divide = exact_divide

    def quotient(self) -> Value:
        # One over a constant whose components are powers of two, or their negations.
        y = self.y
        if not isinstance(y, Constant) or not all(c and _is_power_of_two(abs(c)) for c in y.components):
            scale = None
        else:
            scale = Constant(y.type, tuple(1 / c for c in y.components if c))
        if scale is not None:
            return self._op(ops.FTRUNC, self._op(ops.FMUL, self.x, scale))
        a, b = self._magnitude(self.x), self._magnitude(self.y)
        magnitude = self._exact(a, b) if self.exact_divide else self._corrected(a, b)
        signed = self._op(ops.SELECT, self._is_negative(), self._op(ops.FNEG, magnitude), magnitude)
        if isinstance(self.y, Constant) and all(self.y.components):
            return signed
        zero = self._number(0.0)
        return self._op(ops.SELECT, self._op(ops.FEQ, self.y, zero), zero, signed)

    def _exact(self, a: Value, b: Value) -> Value:
        """floor(a / b) where quotients are truncated or rounded correctly: never to become another operation."""
        quotient = self.builder.op(ops.FDIV, a, b)
        quotient.flags |= PRECISE
        return self._op(ops.FFLOOR, quotient)

    def _corrected(self, a: Value, b: Value) -> Value:
        """floor(a / b) by the reciprocal: (q - 1) + (r >= b) + (r >= 0)."""
        quotient = self._op(ops.FFLOOR, self._op(ops.FMUL, a, self._reciprocal(b)))
        remainder = self._op(ops.FSUB, a, self._op(ops.FMUL, quotient, b))
        below = self._op(ops.FSUB, quotient, self._number(1.0))
        not_too_large = self._op(ops.FADD, below, self._op(ops.FSTEP, self._number(0.0), remainder))
        return self._op(ops.FADD, not_too_large, self._op(ops.FSTEP, b, remainder))

    def _magnitude(self, x: Value) -> Value:
        if isinstance(x, Constant):
            return Constant(x.type, tuple(None if c is None else abs(c) for c in x.components))
        return self._op(ops.FABS, x)

    def _reciprocal(self, x: Value) -> Value:
        if isinstance(x, Constant) and all(x.components):
            return Constant(x.type, tuple(round_to_float32(1 / c) for c in x.components if c))
        return self._op(ops.FRCP, x)

    def _is_negative(self) -> Value:
        """Whether the signs of x and y differ."""
        zero = self._number(0.0)
        if isinstance(self.y, Constant) and all(c is not None and c > 0 for c in self.y.components):
            return self._op(ops.FLT, self.x, zero)
        return self._op(ops.XOR, self._op(ops.FLT, self.x, zero), self._op(ops.FLT, self.y, zero))

    def _number(self, value: float) -> Constant:
        return Constant.splat(self.x.type, value)

    def _op(self, opcode: Opcode, *operands: Value) -> Value:
        return self.builder.op(opcode, *operands)


def _is_power_of_two(number: float) -> bool:
    whole = int(number)
    return whole & (whole - 1) == 0
