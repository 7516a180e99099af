"""Small changes that make a module smaller, by themselves or together.

An `Edit` changes a module in place and does nothing where its object is gone, so that many can be applied
one after another.  The result need not be sound: whoever applies edits asks the verifier.  Objects are
named by function and number, since each candidate is made from a fresh copy of the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Module, Scalar
from glslc_multi.compiler.ir.ops import BR, CALL, CONDBR, PHI, RET, STORE
from glslc_multi.compiler.ir.types import VOID

Edit = Callable[[Module], None]
#: Finds the edits that a module offers.
Proposer = Callable[[Module], Iterator[Edit]]

_SIMPLE: dict[str, tuple[Scalar, ...]] = {"float": (0.0, 1.0), "int": (0, 1), "bool": (False, True)}


def _find(module: Module, function: str, number: int) -> Instruction | None:
    """The instruction, where it still is."""
    owner = module.functions.get(function)
    return None if owner is None else next((i for i in owner.instructions() if i.id == number), None)


def _on(instruction: Instruction, change: Callable[[Instruction], None]) -> Edit:
    """The edit that makes `change` to the instruction of this function and number in a copy."""
    assert instruction.block is not None
    function, number = instruction.block.function.name, instruction.id

    def edit(module: Module) -> None:
        found = _find(module, function, number)
        if found is not None:
            change(found)

    return edit


def _all(module: Module) -> Iterator[Instruction]:
    for function in module.functions.values():
        yield from function.instructions()


# --------------------------------------------------------------------------------- control flow
def straighten_branches(module: Module) -> Iterator[Edit]:
    """A conditional branch becomes an unconditional one."""
    for instruction in _all(module):
        if instruction.op is CONDBR:
            yield _on(instruction, partial(_straighten, 0))
            yield _on(instruction, partial(_straighten, 1))


def _straighten(kept: int, branch: Instruction) -> None:
    block = branch.block
    if branch.op is not CONDBR or block is None:
        return
    target, dropped = branch.attribute[kept], branch.attribute[1 - kept]
    if dropped is not target:
        for phi in dropped.phis():
            phi.remove_incoming(block)
    branch.erase()
    block.append(Instruction(BR, VOID, (), [target], flags=branch.flags, span=branch.span))


def return_early(module: Module) -> Iterator[Edit]:
    """A block ends with ret."""
    for instruction in _all(module):
        if instruction.targets:
            yield _on(instruction, _return)


def _return(branch: Instruction) -> None:
    block = branch.block
    if block is None:
        return
    for target in branch.targets:
        for phi in target.phis():
            phi.remove_incoming(block)
    branch.erase()
    block.append(Instruction(RET, VOID, flags=branch.flags, span=branch.span))


# --------------------------------------------------------------------------------- instructions
def drop_values(module: Module) -> Iterator[Edit]:
    """Values that nobody uses go away."""
    for instruction in _all(module):
        if instruction.type is not VOID and not instruction.users:
            yield _on(instruction, Instruction.erase)


def drop_effects(module: Module) -> Iterator[Edit]:
    """Stores, calls, kills and emits go away."""
    for instruction in _all(module):
        if instruction.op.effect == "effect":
            yield _on(instruction, Instruction.erase)


def use_constants(module: Module) -> Iterator[Edit]:
    """A value becomes 0 everywhere."""
    for instruction in _all(module):
        if instruction.users:
            yield _on(instruction, _use_zero)


def _use_zero(value: Instruction) -> None:
    if value.users:
        value.replace_all_uses_with(Constant.splat(value.type, _SIMPLE[value.type.kind][0]))


def use_operands(module: Module) -> Iterator[Edit]:
    """A value becomes one of its operands of the same type."""
    for instruction in _all(module):
        for place, operand in enumerate(instruction.operands):
            if instruction.users and operand.type is instruction.type and operand is not instruction:
                yield _on(instruction, partial(_use_operand, place))


def _use_operand(place: int, value: Instruction) -> None:
    if place >= len(value.operands):
        return
    operand = value.operands[place]
    if operand.type is value.type and operand is not value:
        value.replace_all_uses_with(operand)


def simplify_constants(module: Module) -> Iterator[Edit]:
    """Constant operands become 0, else 1, in all components."""
    for instruction in _all(module):
        for place, operand in enumerate(instruction.operands):
            if isinstance(operand, Constant):
                yield from _simpler(instruction, place, operand)


def _simpler(instruction: Instruction, place: int, constant: Constant) -> Iterator[Edit]:
    for value in _SIMPLE[constant.type.kind]:
        if all(component == value for component in constant.components):
            return
        yield _on(instruction, partial(_set_constant, place, Constant.splat(constant.type, value)))


def _set_constant(place: int, constant: Constant, user: Instruction) -> None:
    if place < len(user.operands) and isinstance(user.operands[place], Constant):
        user.set_operand(place, constant)


def drop_flags(module: Module) -> Iterator[Edit]:
    for instruction in _all(module):
        if instruction.flags:
            yield _on(instruction, _drop_flags)


def _drop_flags(instruction: Instruction) -> None:
    instruction.flags = 0


# ------------------------------------------------------------------------ functions and variables
def drop_functions(module: Module) -> Iterator[Edit]:
    """A function goes away with all its calls; its results become 0."""
    for name in module.functions:
        if name != "main":
            yield partial(_drop_function, name)


def _drop_function(name: str, module: Module) -> None:
    doomed = module.functions.pop(name, None)
    if doomed is None:
        return
    for instruction in list(_all(module)):
        is_call = instruction.op is CALL and instruction.attribute is doomed
        if is_call or any(_names_variable(instruction, variable) for variable in doomed.variables):
            _use_zero(instruction)
            instruction.erase()


def drop_variables(module: Module) -> Iterator[Edit]:
    """A variable that is never loaded goes away with its stores."""
    for function in module.functions.values():
        for name in function.variables:
            yield partial(_drop_variable, name)
    for name in module.variables:
        yield partial(_drop_variable, name)


def _drop_variable(name: str, module: Module) -> None:
    uses = [instruction for instruction in _all(module) if _names_variable(instruction, name)]
    if any(use.op is not STORE for use in uses):
        return
    for store in uses:
        store.erase()
    module.variables.pop(name, None)
    for function in module.functions.values():
        function.variables.pop(name, None)


def _names_variable(instruction: Instruction, name: str) -> bool:
    return instruction.op.attribute in ("address", "texture") and instruction.address.variable.name == name


def drop_pragmas(module: Module) -> Iterator[Edit]:
    if module.pragmas:
        yield _drop_pragmas


def _drop_pragmas(module: Module) -> None:
    module.pragmas.clear()


#: What is worth trying, what removes most first.
PROPOSERS: tuple[Proposer, ...] = (
    drop_functions,
    straighten_branches,
    return_early,
    drop_effects,
    use_constants,
    use_operands,
    drop_values,
    simplify_constants,
    drop_variables,
    drop_flags,
    drop_pragmas,
)


# ------------------------------------------------------------------------------------- tidying up
def tidy(module: Module) -> None:
    """Take out what no longer matters: blocks out of reach, joints of blocks, unused values."""
    tidy_blocks(module)
    for function in module.functions.values():
        _drop_unused(function)


def tidy_blocks(module: Module) -> None:
    for function in module.functions.values():
        _drop_unreachable(function)
        _merge_blocks(function)


def _drop_unreachable(function: Function) -> None:
    reached, pending = {function.entry}, [function.entry]
    while pending:
        for successor in pending.pop().successors:
            if successor not in reached:
                reached.add(successor)
                pending.append(successor)
    function.remove_blocks([block for block in function.blocks if block not in reached])


def _merge_blocks(function: Function) -> None:
    """A block and its only successor become one, where it is the successor's only predecessor."""
    predecessors = function.predecessors()
    for block in list(function.blocks):
        if block.terminator is None:
            continue
        while block.terminator.op is BR and predecessors[successor := block.successors[0]] == [block]:
            if successor is block:
                break
            _absorb(block, successor)
            function.blocks.remove(successor)
            predecessors = function.predecessors()


def _absorb(block: Block, successor: Block) -> None:
    """Move the successor's instructions to the end of `block`; phis have one operand and dissolve."""
    assert block.terminator is not None
    block.terminator.erase()
    for following in successor.successors:
        for phi in following.phis():
            phi.attribute[:] = [block if source is successor else source for source in phi.attribute]
    for instruction in successor:
        if instruction.op is PHI:
            instruction.replace_all_uses_with(instruction.operands[0])
            instruction.erase()
        else:
            instruction.unlink()
            block.append(instruction)


def _drop_unused(function: Function) -> None:
    """Keep what effects and terminators need; the rest goes, rings of phis included."""
    needed = [i for i in function.instructions() if i.op.effect in ("effect", "terminator")]
    kept = set(needed)
    while needed:
        for operand in needed.pop().operands:
            if isinstance(operand, Instruction) and operand not in kept:
                kept.add(operand)
                needed.append(operand)
    doomed = [i for i in function.instructions() if i not in kept]
    for instruction in doomed:
        instruction.drop_operands()
    for instruction in doomed:
        instruction.erase()
