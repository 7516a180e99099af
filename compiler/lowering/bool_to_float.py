"""Bools become floats, 1 for true and 0 for false, for machines without predicates.

In: any module.  Out: the only bools are comparisons and what they are asked for.  A comparison is followed by
the `btof` that makes a number of it, together what machines call "set on less than"; where a branch, a `kill`
or (with `select=keep`, or between ints) a `select` needs a bool, it takes the comparison itself, or asks
whether the float is 0.  Logic is arithmetic: `and` is the smaller, `or` the larger of the two, `not` is 1 - x,
`xor` is |x - y|.

With `select=arithmetic`, c ? x : y is x * c + y * (1 - c), which is exact where x and y are finite; GLSL lets us
assume that (ES 1.00 section 4.5.1 does not ask for infinities), but a quotient whose zero divisor the shader
guards against with a conditional is the target's to keep from being infinite.

Uniforms and inputs remember that they were bools, like those of `lower-int-to-float`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.lowering.builtins import ROWS as BUILTIN_ROWS
from glslc_multi.compiler.lowering.expansion import Expander
from glslc_multi.compiler.lowering.kinds import as_float, make_variables_float
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.pieces import builder_after
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass

_COMPARISONS = OpcodeSet("flt.fle.feq.fne.ilt.ile.ieq.ine")
#: Expanded first, into logic of components and comparisons with 0.
_EXPANDED = OpcodeSet("all.any.ftob.itob")
#: Take a bool, beside `select`.
_ASKING = OpcodeSet("condbr.kill.btof")
_ON_FLOATS = {ops.AND: ops.FMIN, ops.OR: ops.FMAX, ops.BTOI: ops.FTOI}
#: What may have to go.
_LOGIC = OpcodeSet("and.or.xor.not.btoi.btof.select")


class SelectForm(StrEnum):
    """What becomes of `select`."""

    KEEP = "keep"
    ARITHMETIC = "arithmetic"


@dataclass(frozen=True, slots=True)
class LowerBoolToFloat(ModulePass):
    """See the module's text."""

    name = "lower-bool-to-float"
    description = "turns bools into floats that are 1 or 0"
    preserves_control_flow = True

    select: SelectForm = SelectForm.KEEP

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        progress = make_variables_float(module, "bool")
        for function in module.functions.values():
            if _Conversion(function, self.select is SelectForm.ARITHMETIC).run():
                context.forget(function, self)
                progress = True
        return progress


@cache
def _expander() -> Expander:
    return Expander(BUILTIN_ROWS, lambda opcode: opcode not in _EXPANDED)


class _Conversion:
    """The conversion of one function."""

    def __init__(self, function: Function, is_select_arithmetic: bool) -> None:
        self.function = function
        self.is_select_arithmetic = is_select_arithmetic

    def run(self) -> bool:
        """Whether anything changed."""
        progress = _expander().expand_all(self.function)
        instructions = list(self.function.instructions())
        for instruction in instructions:
            if instruction.op in _COMPARISONS:
                progress |= self._make_number(instruction)
            elif instruction.type.kind == "bool":
                instruction.type = instruction.type.with_kind("float")
                instruction.mark_changed()
                progress = True
        for instruction in instructions:
            progress |= self._make_constants_float(instruction)
        for instruction in instructions:
            progress |= self._convert(instruction)
        for instruction in self.function.instructions():
            progress |= self._ask(instruction)
        return progress

    def _asks(self, user: Instruction) -> bool:
        """Whether `user` takes a bool, as its first operand."""
        if user.op is ops.SELECT:
            return not self.is_select_arithmetic or user.type.kind == "int"
        return user.op in _ASKING

    def _make_number(self, comparison: Instruction) -> bool:
        """Let all who need a number take the `btof` of the comparison; whether there were any."""
        uses = [
            (user, position)
            for user in comparison.users
            for position, operand in enumerate(user.operands)
            if operand is comparison and not (position == 0 and self._asks(user))
        ]
        if not uses:
            return False
        builder = builder_after(comparison)
        builder.flags = comparison.flags
        number = builder.op(ops.BTOF, comparison)
        for user, position in uses:
            user.set_operand(position, number)
        return True

    def _make_constants_float(self, instruction: Instruction) -> bool:
        progress = False
        for position, operand in enumerate(instruction.operands):
            is_bool = isinstance(operand, Constant) and operand.type.kind == "bool"
            if is_bool and not (position == 0 and self._asks(instruction)):
                assert isinstance(operand, Constant)
                instruction.set_operand(position, as_float(operand))
                progress = True
        return progress

    def _convert(self, instruction: Instruction) -> bool:
        """Put arithmetic in the place of logic; whether the instruction was logic."""
        if instruction.op not in _LOGIC:
            return False
        if instruction.op in _ON_FLOATS:
            instruction.op = _ON_FLOATS[instruction.op]
            instruction.mark_changed()
            return True
        # The value that takes the place of an instruction whose operands are floats by now.
        builder, operands = Builder.before(instruction), instruction.operands
        value: Value | None = None
        if instruction.op is ops.NOT:
            value = builder.op(ops.FSUB, Constant.splat(instruction.type, 1.0), *operands)
        elif instruction.op is ops.XOR:
            value = builder.op(ops.FABS, builder.op(ops.FSUB, *operands))
        elif instruction.op is ops.BTOF:
            # What `btof` of this operand is: nothing new for what is a float by now, itself for a comparison.
            operand = operands[0]
            if isinstance(operand, Constant):
                value = as_float(operand)
            else:
                value = operand if operand.type.kind == "float" else None
        elif instruction.op is ops.SELECT and not self._asks(instruction):
            value = _arithmetic_select(builder, *operands)
        if value is None:
            return False
        instruction.replace_all_uses_with(value)
        instruction.erase()
        return True

    def _ask(self, instruction: Instruction) -> bool:
        """Compare a float with 0 where a bool is asked for."""
        condition = instruction.operands[0] if self._asks(instruction) else None
        if condition is None or condition.type.kind == "bool":
            return False
        builder = Builder.before(instruction)
        instruction.set_operand(0, builder.op(ops.FNE, condition, Constant.splat(condition.type, 0.0)))
        return True


def _arithmetic_select(builder: Builder, condition: Value, if_true: Value, if_false: Value) -> Value:
    """x * c + y * (1 - c)"""
    if condition.type.is_scalar:
        condition = builder.splat(condition, if_true.type.width)
    otherwise = builder.op(ops.FSUB, Constant.splat(condition.type, 1.0), condition)
    return builder.op(ops.FADD, builder.op(ops.FMUL, if_true, condition), builder.op(ops.FMUL, if_false, otherwise))
