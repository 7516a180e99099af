"""Indices of uniforms, for machines that add an address register to the number of a register.

Two passes on ints, before these become floats:

* `index-offsets`: constants that are added to an index become part of the register's number, so that u[i], u[i + 1] and
  u[i + 2] share one address.
* `whole-indices`: int(x) where only indices depend on it, none of which is in range for a negative x, is the floor of
  the larger of x and 0; in general, truncation takes twice as much.  An index of which nothing is computed stays: an
  address register truncates it, or the target knows better.

Few real shaders have indices; those that blend bones are made of them (on PICA200, 17 words with both, 23 without).
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import replace

_WHOLE_NUMBERS = frozenset({ops.FFLOOR, ops.FCEIL, ops.FTRUNC, ops.FSIGN})


class IndexOffsets(Pass):
    """See the module's text."""

    name = "index-offsets"
    description = "moves constants from indices to register numbers"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for access in uniform_accesses(function):
            while _move_offset(access):
                progress = True
        return progress


def uniform_accesses(function: Function) -> Iterator[Instruction]:
    for instruction in function.instructions():
        if instruction.op is not ops.LOAD or not instruction.address.dynamic_index:
            continue
        if instruction.address.variable.storage == "uniform":
            yield instruction


def _move_offset(access: Instruction) -> bool:
    """Take one addition of a constant out of an index, where the number of the register allows it."""
    index, address = access.operands[0], access.address
    if not isinstance(index, Instruction) or index.op not in (ops.IADD, ops.ISUB):
        return False
    parts = list(index.operands)
    if index.op is ops.IADD and isinstance(parts[0], Constant):
        parts.reverse()
    added = _number(parts[1])
    if added is None:
        return False
    offset = address.offset + int(added if index.op is ops.IADD else -added)
    if not 0 <= offset < address.variable.length:
        return False
    access.set_operand(0, parts[0])
    access.attribute = replace(address, offset=offset)
    return True


def _number(value: Value) -> float | None:
    """The value of a scalar constant."""
    return value.components[0] if isinstance(value, Constant) and value.type.is_scalar else None


class WholeIndices(Pass):
    """See the module's text."""

    name = "whole-indices"
    description = "rounds indices that may not be negative downwards"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        indices = [i for i in function.instructions() if i.op is ops.FTOI and _is_to_be_whole(i)]
        for conversion in indices:
            builder = Builder.before(conversion)
            number = conversion.operands[0]
            positive = builder.op(ops.FMAX, number, Constant.splat(number.type, 0.0))
            conversion.set_operand(0, builder.op(ops.FFLOOR, positive))
        return bool(indices)


def _is_to_be_whole(conversion: Instruction) -> bool:
    number = conversion.operands[0]
    is_whole = isinstance(number, Instruction) and number.op in _WHOLE_NUMBERS
    if is_whole or not _may_not_be_negative(conversion):
        return False
    return not all(_is_plain_index(user) for user in conversion.users)


def _is_plain_index(user: Instruction) -> bool:
    """Whether an index counts registers as it is."""
    return user.op is ops.LOAD and not user.address.variable.is_matrix


def _may_not_be_negative(value: Instruction, factor: float = 1) -> bool:
    """Whether all that depends on an int are indices that are out of range where it is -1 or less."""
    if not value.users or not value.type.is_scalar:
        return False
    return all(_is_such_index(user, value, factor) for user in value.users)


def _is_such_index(user: Instruction, value: Instruction, factor: float) -> bool:
    if user.op is ops.LOAD:
        address = user.address
        return address.variable.storage == "uniform" and user.operands[0] is value and address.offset < factor
    if user.op is ops.IADD and factor == 1 and all(operand is value for operand in user.operands):
        return _may_not_be_negative(user, 2)
    if user.op is ops.IMUL and factor == 1:
        scale = next((n for n in map(_number, user.operands) if n is not None), None)
        return scale is not None and scale > 0 and _may_not_be_negative(user, scale)
    return False
