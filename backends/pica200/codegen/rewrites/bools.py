"""Bool uniforms, which are b registers: nothing but a branch can ask for one.

* `pica200-plain-tests`: a branch on `!u` is one on `u`.
* `pica200-bool-branches`: a select by a bool uniform becomes a branch with a phi, which is a variant of the module.  In
  both: optimised IR.
* `pica200-bool-numbers`: where a number is needed of one (`float(u)`, `u && x < y`), the start of the program makes it
  by a branch. In: legalised IR, in which a bool is a float that is 1 or 0.

Arrays and vectors of bools are numbers in c registers, as they may be selected by an index.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import split_block
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import MACHINE, Variable
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.control_flow.conditional import is_bool_uniform


def is_flag(variable: Variable) -> bool:
    """Whether a variable is a b register."""
    is_scalar_bool = variable.type.is_scalar and "bool" in (variable.type.kind, variable.source_kind)
    is_uniform = variable.storage == "uniform" and variable.role != MACHINE
    return is_uniform and is_scalar_bool and not variable.is_array


# --- Branches ---------------------------------------------------------------------------------------------------------


class PlainTests(Pass):
    """Let branches on the opposite of a bool be branches on the bool."""

    name = "pica200-plain-tests"
    description = "lets branches test bool uniforms as the host has them"

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in function.blocks:
            branch = block.terminator
            if branch is None or branch.op is not ops.CONDBR or not _is_flag_test(branch.operands[0]):
                continue
            variable, is_plain = _tested(branch.operands[0])
            if not is_plain:
                branch.attribute.reverse()
                branch.set_operand(0, Builder.before(branch).load(variable))
                progress = True
        return progress


# --- Selects ----------------------------------------------------------------------------------------------------------


class BranchOnBools(Pass):
    """See the module's text."""

    name = "pica200-bool-branches"
    description = "makes branches of choices by bool uniforms"

    def run(self, function: Function, context: PassContext) -> bool:
        waiting = list(function.blocks)
        progress = False
        while waiting:
            block = waiting.pop()
            chosen = next((i for i in block if i.op is ops.SELECT and _is_flag_test(i.operands[0])), None)
            if chosen is not None:
                waiting.append(_branch(_alike(chosen)))
                progress = True
        return progress


def _is_flag_test(condition: Value) -> bool:
    return condition.type.is_scalar and is_bool_uniform(condition) and is_flag(_tested(condition)[0])


def _tested(condition: Value) -> tuple[Variable, bool]:
    """The variable that a condition is, and whether it is as uploaded."""
    assert isinstance(condition, Instruction)
    if condition.op is ops.NOT:
        variable, is_plain = _tested(condition.operands[0])
        return variable, not is_plain
    return condition.address.variable, True


def _alike(first: Instruction) -> list[Instruction]:
    """A select and the later ones by its bool, up to the first instruction that uses one of them."""
    variable, _ = _tested(first.operands[0])
    alike: dict[Value, Instruction] = {first: first}
    instruction = first.next
    while instruction is not None and not any(operand in alike for operand in instruction.operands):
        is_choice = instruction.op is ops.SELECT and _is_flag_test(instruction.operands[0])
        if is_choice and _tested(instruction.operands[0])[0] is variable:
            alike[instruction] = instruction
        instruction = instruction.next
    return list(alike.values())


def _branch(selects: list[Instruction]) -> Block:
    """Put a branch in place of selects, whose operands come before the last one; the block behind it."""
    last = selects[-1]
    before = last.block
    assert before is not None
    rest = split_block(last, "chosen")
    arms = [before.function.add_block(name, after=before) for name in ("unset", "set")][::-1]
    builder = Builder(before)
    builder.span = last.span
    variable, _ = _tested(last.operands[0])
    builder.condbr(builder.load(variable), *arms)
    for arm in arms:
        builder.at_end_of(arm)
        builder.br(rest)
    for select in selects:
        phi = _choose_by_path(select, rest, arms)
        for value, arm in phi.incoming():
            _sink(value, phi, arm, before)
    return rest


def _choose_by_path(select: Instruction, join: Block, arms: list[Block]) -> Instruction:
    """Let what an arm brings be what a select chose."""
    _, is_plain = _tested(select.operands[0])
    _, *values = select.operands
    builder = Builder(join)
    builder.span, builder.flags = select.span, select.flags
    phi = builder.phi(select.type, list(zip(values, arms if is_plain else arms[::-1], strict=True)))
    select.replace_all_uses_with(phi)
    select.erase()
    return phi


def _sink(value: Value, user: Instruction, arm: Block, home: Block) -> None:
    """Move a computation that has one user to the arm where it is wanted, with what only it needs."""
    waiting = [(value, user)]
    while waiting:
        value, user = waiting.pop()
        if not isinstance(value, Instruction) or value.block is not home or value.op is ops.PHI:
            continue
        if not value.op.is_pure or set(value.users) != {user} or list(user.operands).count(value) > 1:
            continue
        value.unlink()
        arm.insert_before(arm.first, value)
        waiting += [(operand, value) for operand in value.operands]


# --- Numbers ----------------------------------------------------------------------------------------------------------


class BoolNumbers(Pass):
    """See the module's text."""

    name = "pica200-bool-numbers"
    description = "makes numbers of bool uniforms by branches"

    def run(self, function: Function, context: PassContext) -> bool:
        wanted: dict[Variable, list[tuple[Instruction, int]]] = {}
        for load in list(function.instructions()):
            if load.op is ops.LOAD and is_flag(load.address.variable):
                uses = list(_uses_as_number(load))
                if uses:
                    wanted.setdefault(load.address.variable, []).extend(uses)
        for variable, uses in reversed(wanted.items()):
            # 1 or 0, made at the start of the program.
            start = function.entry
            first = start.first
            assert first is not None
            rest = split_block(first, "start")
            choosing = function.add_block("set", after=start)
            builder = Builder(start)
            builder.span = variable.span
            is_set = builder.op(ops.FNE, builder.load(variable), float_constant(0.0))
            builder.condbr(is_set, choosing, rest)
            builder.at_end_of(choosing)
            builder.br(rest)
            builder.at_end_of(rest)
            number = builder.phi(
                is_set.operands[0].type, [(float_constant(1.0), choosing), (float_constant(0.0), start)]
            )
            for user, position in uses:
                user.set_operand(position, number)
        return bool(wanted)


def _uses_as_number(load: Instruction) -> Iterator[tuple[Instruction, int]]:
    """Users of a bool's load that no branch is, and which of their operands it is."""
    for user in list(load.users):
        if is_test(user) and all(reader.op is ops.CONDBR for reader in user.users):
            continue
        yield from ((user, position) for position, operand in enumerate(user.operands) if operand is load)


def is_test(user: Instruction) -> bool:
    """Whether an instruction asks whether a bool is 0, as branches on b registers do."""
    if user.op not in (ops.FNE, ops.FEQ):
        return False
    zero = user.operands[1]
    return isinstance(zero, Constant) and all(component == 0.0 for component in zero.components)
