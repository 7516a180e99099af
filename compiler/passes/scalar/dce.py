"""Dead code elimination, component by component.

In: any function.  Out: what nothing depends on is gone (see `glslc_multi.compiler.analysis.demand`): instructions,
stores to locals that no needed load reads, the locals themselves, and operands that only feed components
nobody reads:

* an `insert` whose component nobody reads is its vector; one of which nobody reads more than that
  component is the scalar in every place;
* an operand of which nothing is needed becomes zero, which ends the dependency.

A component-wise operation that is read in part is narrowed to that part where all its users are swizzles:
they change for free, and new swizzles of the operands cost nothing either, since selection folds them.
With other users, narrowing would only move the unread components around; so it would with the number of a comparison
that others need whole, which machines without bools make of the comparison alone.

Not handled: branches that decide nothing (`simplify-cfg` removes those with nothing between them).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.analysis.demand import SELECTIVE, Demand
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import remove_variable

_ZERO: dict[str, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


class DeadCode(Pass):
    """See the module's text."""

    name = "dce"
    description = "removes instructions, components and locals that nothing depends on"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        # Not kept by the analysis manager: it depends on what other functions load, too.
        memory = context.accesses(function.module)
        needed = Demand(function, memory)
        instructions = list(function.instructions())
        progress = _cut_operands(instructions, needed)
        # Erase instructions that only each other use.
        dead = needed.needless(instructions)
        for instruction in dead:
            instruction.drop_operands()
        for instruction in dead:
            instruction.erase()
        progress |= bool(dead)
        # From the last to the first, so that a narrowed user lets its operands be narrowed, or go.
        for instruction in reversed(instructions):
            mask, everything = needed.of(instruction), instruction.type.mask
            if everything and instruction.block is not None and (mask != everything or not instruction.users):
                progress |= _simplify(instruction, mask)
        for variable, accesses in memory.private(function).items():
            if not accesses:
                remove_variable(variable, function)
                progress = True
        return progress


def _cut_operands(instructions: Sequence[Instruction], needed: Demand) -> bool:
    """Put zero for operands of which nothing is needed, though something of the result is, and not all."""
    progress = False
    for instruction in instructions:
        if instruction.op not in SELECTIVE or needed.of(instruction) in (0, instruction.type.mask):
            continue
        for index, operand in enumerate(instruction.operands):
            if isinstance(operand, Instruction) and not needed.needed_of_operand(instruction, index):
                instruction.set_operand(index, Constant.splat(operand.type, _ZERO[operand.type.kind]))
                progress = True
    return progress


def _simplify(instruction: Instruction, mask: int) -> bool:
    """Rewrite a value of which only the components `mask`, or none, are read."""
    if not instruction.users:
        instruction.erase()
        return True
    if instruction.op is ops.INSERT:
        return _simplify_insert(instruction, mask)
    if instruction.op.component is None or _is_shared_truth(instruction):
        return False
    if all(user.op is ops.SWIZZLE for user in instruction.users):
        # Compute the `kept` components only.
        kept = [component for component in range(instruction.type.width) if mask >> component & 1]
        builder = Builder.before(instruction)
        builder.flags = 0
        operands = [_part(operand, kept, builder) for operand in instruction.operands]
        builder.flags = instruction.flags
        narrow = builder.op(instruction.op, *operands)
        new_component = {component: number for number, component in enumerate(kept)}
        for swizzle in list(instruction.users):
            # A component that is not kept stands where nobody reads the swizzle: any will do.
            _reswizzle(swizzle, narrow, tuple(new_component.get(component, 0) for component in swizzle.attribute))
        instruction.erase()
        return True
    return False


def _is_shared_truth(instruction: Instruction) -> bool:
    """Whether it is the number of a bool that something else reads, too."""
    if instruction.op is not ops.BTOF:
        return False
    condition = instruction.operands[0]
    return isinstance(condition, Instruction) and len(condition.users) > 1


def _simplify_insert(insert: Instruction, mask: int) -> bool:
    vector, scalar = insert.operands
    inserted = 1 << insert.attribute
    if mask & inserted and mask != inserted:
        return False
    replacement = vector
    if mask == inserted:
        builder = Builder.before(insert)
        builder.flags = 0
        replacement = builder.splat(scalar, insert.type.width)
    insert.replace_all_uses_with(replacement)
    insert.erase()
    return True


def _reswizzle(swizzle: Instruction, source: Instruction, pattern: tuple[int, ...]) -> None:
    """Let `swizzle` take `pattern` of `source`; one that changes nothing goes."""
    if _is_identity(pattern, source.type):
        swizzle.replace_all_uses_with(source)
        swizzle.erase()
        return
    swizzle.set_operand(0, source)
    swizzle.attribute = pattern
    swizzle.mark_changed()


def _part(value: Value, kept: Sequence[int], builder: Builder) -> Value:
    """The `kept` components of an operand; a scalar among vectors (a condition) stays."""
    if value.type.is_scalar:
        return value
    if isinstance(value, Constant):
        return Constant(value.type.with_width(len(kept)), tuple(value.components[component] for component in kept))
    pattern = tuple(kept)
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        pattern = tuple(value.attribute[component] for component in kept)
        value = value.operands[0]
    return value if _is_identity(pattern, value.type) else builder.swizzle(value, pattern)


def _is_identity(pattern: tuple[int, ...], type: Type) -> bool:
    return pattern == tuple(range(type.width))
