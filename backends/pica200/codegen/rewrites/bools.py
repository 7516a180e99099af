"""Bool uniforms, which are b registers: nothing but a branch can ask for one.

* `pica200-plain-tests`: a branch on `!u` is one on `u`.
* `pica200-split-tests`: a branch on `u && x < y` or `u || x < y` is two, where one answer of `u` leads to what follows
  the whole: other arms both would have to share.
* `pica200-bool-branches`: a select by a bool uniform becomes a branch with a phi, which is a variant of the module.  In
  all of them: optimised IR.
* `pica200-bool-numbers`: where a number is needed of one (`float(u)`, `u && x < y`), the start of the program makes it
  by a branch. In: legalised IR, in which a bool is a float that is 1 or 0.

Arrays and vectors of bools are numbers in c registers, as they may be selected by an index.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce

from glslc_multi.compiler.analysis.dominators import DominatorTree, post_dominators
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import rename_incoming, split_block
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
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


class SplitTests(Pass):
    """See the module's text."""

    name = "pica200-split-tests"
    description = "lets branches ask for bool uniforms before anything else"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        after = post_dominators(function, context.analyses(function))
        # No block that is added comes between one and what follows it.
        return sum(_split(block, after) for block in list(function.blocks)) > 0


def _split(block: Block, after: DominatorTree) -> bool:
    """Let a branch ask for a bool first, and for the rest of its condition in a block of its own."""
    branch = block.terminator
    if branch is None or branch.op is not ops.CONDBR:
        return False
    if_true, if_false = branch.attribute
    condition = branch.operands[0]
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        if_true, if_false, condition = if_false, if_true, condition.operands[0]
    if not isinstance(condition, Instruction) or condition.op not in (ops.AND, ops.OR):
        return False
    parts = _parts_of(condition, condition.op)
    flag = next((part for part in parts if _is_flag_test(part)), None)
    # Where one answer leads, whatever the rest of the condition says.
    decided, open_ = (if_true, if_false) if condition.op is ops.OR else (if_false, if_true)
    if flag is None or not after.strictly_dominates(decided, block):
        return False
    rest = block.function.add_block("rest", after=block)
    first, second = Builder.before(branch), Builder(rest)
    second.span = branch.span
    variable, is_plain = _tested(flag)
    ways = (decided, rest) if is_plain == (condition.op is ops.OR) else (rest, decided)
    first.condbr(first.load(variable), *ways)
    _erase(branch)
    others = [part for part in parts if part is not flag]
    second.condbr(reduce(partial(second.op, condition.op), others), if_true, if_false)
    for part in others:
        if isinstance(part, Instruction):
            _sink(part, next(iter(part.users)), rest, block)
    for phi in decided.phis():
        phi.add_incoming(next(value for value, source in phi.incoming() if source is block), rest)
    rename_incoming(open_, block, rest)
    return True


def _erase(instruction: Instruction) -> None:
    """Erase an instruction with the condition that only it asked for."""
    operands = [each for each in instruction.operands if isinstance(each, Instruction) and each.op in _JOINING]
    instruction.erase()
    for operand in dict.fromkeys(operands):
        if not operand.users:
            _erase(operand)


_JOINING = frozenset({ops.AND, ops.OR, ops.NOT})


def _parts_of(condition: Value, op: Opcode) -> list[Value]:
    """Return what an operation that is associative joins."""
    if isinstance(condition, Instruction) and condition.op is op:
        return [part for operand in condition.operands for part in _parts_of(operand, op)]
    return [condition]


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
