"""Conditions, and effects made conditional: what `if-convert` and predication do with kills and stores that not all
lanes run."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Value


def can_be_conditional(instruction: Instruction) -> bool:
    """Whether the instruction may run for lanes that do not want it, be it in a conditional form."""
    if instruction.op.effect != "effect" or instruction.op is ops.KILL:
        return True
    return instruction.op is ops.STORE and instruction.address.variable.storage == "local"


def make_conditional(effect: Instruction, condition: Value, holds: bool = True) -> None:
    """Let a kill or store happen only where `condition` holds (or where it does not)."""
    builder = Builder.before(effect)
    if effect.op is ops.KILL:
        _make_kill_conditional(effect, condition if holds else builder.op(ops.NOT, condition), builder)
    else:
        # Store what was there before where the condition says otherwise.
        *indices, new = effect.operands
        old = builder.op(ops.LOAD, *indices, attribute=effect.address)
        choices = (new, old) if holds else (old, new)
        effect.set_operand(len(indices), builder.op(ops.SELECT, condition, *choices))


def is_always_killing(instruction: Instruction) -> bool:
    """Whether every lane that comes here is discarded."""
    condition = instruction.operands[0] if instruction.op is ops.KILL else None
    return isinstance(condition, Constant) and condition.components[0] is True


def is_bool_uniform(condition: Value) -> bool:
    """Whether a condition is a bool uniform, or its opposite, as it was uploaded."""
    if not isinstance(condition, Instruction):
        return False
    if condition.op is ops.NOT:
        return is_bool_uniform(condition.operands[0])
    return condition.op is ops.LOAD and condition.address.variable.storage == "uniform"


def is_undefined(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_undef


def _make_kill_conditional(kill: Instruction, condition: Value, builder: Builder) -> None:
    if is_always_killing(kill):
        kill.set_operand(0, condition)
    else:
        kill.set_operand(0, builder.op(ops.AND, condition, kill.operands[0]))
