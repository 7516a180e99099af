"""Rules for control flow.

A branch on two comparisons, joined, of lanes of the same registers is one CMP, which has two flags.
"""

from __future__ import annotations

from backends.pica200.codegen.fixup import MIRRORED
from backends.pica200.codegen.machine_ops import BRANCH, END, IF_BOTH, IF_EITHER, IF_X, JUMP, OPS, OnBool, OnCount
from backends.pica200.codegen.selection.conditions import RELATIONS_OF, is_all, origin, truth
from backends.pica200.codegen.selection.rule_set import RULES, Emit, Selection, constant_of
from backends.pica200.isa.meanings import RELATION_NAMES
from compiler.codegen.machine import Literal32, Use
from compiler.codegen.operands import Modifiers, Operand, see_through
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable


@RULES.rule(ops.BR)
def jump(instruction: Instruction) -> Emit:
    return lambda e: _ignore(e.emit(JUMP))


@RULES.rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    return lambda e: _ignore(e.emit(END))


def _ignore(_: object) -> None:
    return None


@RULES.rule(ops.CONDBR)
def branch(instruction: Instruction) -> Emit:
    test = instruction.operands[0]

    def emit(e: Emitter) -> None:
        if isinstance(test, Constant):
            known = Constant(FLOAT, (float(bool(test.components[0])),))
            _emit_compare(e, "eq", e.use(known, (0, None)), e.use(Constant(FLOAT, (1.0,)), (0, None)))
            return
        assert isinstance(test, Instruction)
        if not _branch_on_register(e, test):
            comparison, lane = origin(test, 0)
            if not _compare_both(e, comparison):
                _compare(e, comparison, lane)

    return emit


def _branch_on_register(e: Emitter, test: Instruction) -> bool:
    """Branch on a counted loop or on a b register, where the condition is that."""
    variable = _tested_variable(test)
    target = e.target
    assert isinstance(target, Selection)
    if variable in target.loops:
        e.emit(BRANCH, condition=OnCount(target.loops[variable]))
        return True
    register = target.interface.bools.get(variable) if variable is not None else None
    if register is None:
        return False
    e.emit(BRANCH, condition=OnBool(register, test.op is ops.FNE))
    return True


def _tested_variable(test: Instruction) -> Variable | None:
    """The bool whose load a condition compares with 0."""
    load = test.operands[0] if test.op in (ops.FNE, ops.FEQ) and is_all(test.operands[1], 0.0) else test
    if not isinstance(load, Instruction) or load.op is not ops.LOAD or load.address.is_dynamic:
        return None
    return load.address.variable


def _compare(e: Emitter, test: Instruction, lane: int) -> None:
    first, second = (e.use(value, (0 if value.type.is_scalar else lane, None)) for value in test.operands)
    _emit_compare(e, RELATIONS_OF[test.op], first, second)


def _emit_compare(e: Emitter, relation: str, first: Use, second: Use) -> None:
    number = RELATION_NAMES.index(relation)
    e.emit(OPS["CMP"], [], [first, second], relations=(number, number))
    e.emit(BRANCH, condition=IF_X)


def _compare_both(e: Emitter, test: Instruction) -> bool:
    """One CMP for two comparisons, joined by `and` or `or`, whose operands are lanes of the same registers."""
    joined = truth(test)
    if not isinstance(joined, Instruction) or joined.op not in _JOINING or not joined.type.is_scalar:
        return False
    if any(not isinstance(part, Instruction) or part.op is not ops.BTOF for part in joined.operands):
        return False
    (first, lane), (second, other) = (origin(part.operands[0], 0) for part in joined.operands)  # type: ignore[attr-defined]
    ours, theirs = _sides(first, lane), _sides(second, other)
    relations = [RELATIONS_OF[first.op], RELATIONS_OF[second.op]]
    for mirrored in (False, True):
        sources = [_two_lanes(e, a, b) for a, b in zip(ours, theirs[::-1] if mirrored else theirs, strict=True)]
        if None not in sources:
            names = [relations[0], MIRRORED[relations[1]] if mirrored else relations[1]]
            numbers = tuple(RELATION_NAMES.index(name) for name in names)
            e.emit(OPS["CMP"], [], [source for source in sources if source is not None], relations=numbers)
            e.emit(BRANCH, condition=_JOINING[joined.op])
            return True
    return False


_JOINING = {ops.FMIN: IF_BOTH, ops.FMAX: IF_EITHER}


def _sides(test: Instruction, lane: int) -> list[Operand]:
    """What a lane of a comparison compares."""
    return [
        see_through(value, (0 if value.type.is_scalar else lane,), Modifiers(negate=True)) for value in test.operands
    ]


def _two_lanes(e: Emitter, first: Operand, second: Operand) -> Use | None:
    """One source for two numbers; None where they are not in one register."""
    if isinstance(first.base, Constant) and isinstance(second.base, Constant):
        return Use(Literal32((constant_of(first), constant_of(second))), (0, 1))
    if first.base is not second.base or first.negate != second.negate:
        return None
    return e.use_operand(Operand(first.base, first.lanes + second.lanes, first.negate))
