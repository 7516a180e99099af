"""Rules for control flow."""

from __future__ import annotations

from itertools import product

from glslc_multi.backends.pica200.codegen.fixup import MIRRORED
from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, IF_X, OPS, OnBool, OnCount, OnFlags
from glslc_multi.backends.pica200.codegen.selection.conditions import RELATIONS_OF, origin
from glslc_multi.backends.pica200.codegen.selection.machine import PicaEmitter
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.compiler.codegen.machine import Use
from glslc_multi.compiler.codegen.operands import NO_MODIFIERS, Modifiers, Operand, is_all, see_through
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT, VEC2
from glslc_multi.compiler.records import replace

RULES: RuleSet[PicaEmitter] = RuleSet("br -> JUMP", "ret -> END")


@RULES.rule("condbr(test)")
def branch(e: PicaEmitter, instruction: Instruction, test: Value) -> None:
    if isinstance(test, Constant):
        verdict = Constant(FLOAT, (float(bool(test.components[0])),))
        _emit_compare(e, "eq", e.use(verdict, (0, None)), e.use(Constant(FLOAT, (1.0,)), (0, None)))
        return
    assert isinstance(test, Instruction)
    if not _branch_on_register(e, test) and not _branch_on_two(e, test):
        sides, relation = _compared(origin(test, 0))
        _emit_compare(e, relation, *(e.use_operand(replace(side, lanes=(*side.lanes, None))) for side in sides))


def _branch_on_register(e: PicaEmitter, test: Instruction) -> bool:
    """Branch on a counted loop or on a b register, where the condition is that."""
    # The bool whose load a condition compares with 0.
    load = test.operands[0] if test.op in (ops.FNE, ops.FEQ) and is_all(test.operands[1], 0.0) else test
    if not isinstance(load, Instruction) or load.op is not ops.LOAD or load.address.is_dynamic:
        variable = None
    else:
        variable = load.address.variable
    target = e.target
    if variable in target.loops:
        e.emit(BRANCH, condition=OnCount(target.loops[variable]))
        return True
    register = target.interface.bools.get(variable) if variable is not None else None
    if register is None:
        return False
    e.emit(BRANCH, condition=OnBool(register, test.op is ops.FNE))
    return True


def _branch_on_two(e: PicaEmitter, test: Instruction) -> bool:
    """Branch on two comparisons, joined by `&&` or `||`, that one CMP makes: of components of two registers."""
    value, is_set = test.operands[0], test.op is ops.FNE
    if test.op not in (ops.FNE, ops.FEQ) or not any(is_all(test.operands[1], number) for number in (0.0, 1.0)):
        return False
    if is_all(test.operands[1], 1.0):
        is_set = not is_set
    if not isinstance(value, Instruction) or value.op not in _JOINED:
        return False
    tests = [tested for operand in value.operands if (tested := _tested(operand)) is not None]
    if len(tests) < 2:
        return False
    refs = [int(holds) for _, holds in tests]
    for (one, relation), (other, other_relation) in product(*(_both_ways(_compared(tested)) for tested, _ in tests)):
        sides = [_side_by_side(*pair) for pair in zip(one, other, strict=True)]
        if None not in sides:
            relations = tuple(map(RELATION_NAMES.index, (relation, other_relation)))
            e.emit(OPS["CMP"], [], [e.use_operand(side) for side in sides if side is not None], relations=relations)
            condition = OnFlags(_JOINED[value.op], *refs)
            e.emit(BRANCH, condition=condition if is_set else condition.inverted())
            return True
    return False


#: How conditions are joined as numbers -> how CONDOP joins flags.
_JOINED = {ops.FMAX: 0, ops.FMIN: 1}


def _tested(number: Value) -> tuple[Operand, bool] | None:
    """The comparison that a number is, and whether it has to hold for that to be 1."""
    operand = see_through(number, (0,), NO_MODIFIERS)
    if not isinstance(operand.base, Instruction) or operand.base.op not in (ops.BTOF, ops.SELECT):
        return None
    condition, *choices = operand.base.operands
    if choices and not (is_all(choices[0], 0.0) and is_all(choices[1], 1.0)):
        return None
    return origin(condition, operand.lanes[0]), not choices


def _both_ways(test: tuple[list[Operand], str]) -> list[tuple[list[Operand], str]]:
    """A comparison, and the same with its sides exchanged."""
    sides, relation = test
    return [test, (sides[::-1], MIRRORED[relation])]


def _side_by_side(first: Operand, second: Operand) -> Operand | None:
    """What two comparisons read of one register, as one operand."""
    if isinstance(first.base, Constant) and isinstance(second.base, Constant):
        numbers = Constant(VEC2, (*first.numbers(), *second.numbers()))
        return Operand(numbers, (0, 1))
    is_one = first.base is second.base and (first.negate, first.absolute) == (second.negate, second.absolute)
    return replace(first, lanes=(*first.lanes, *second.lanes)) if is_one else None


def _emit_compare(e: PicaEmitter, relation: str, first: Use, second: Use) -> None:
    number = RELATION_NAMES.index(relation)
    e.emit(OPS["CMP"], [], [first, second], relations=(number, number))
    e.emit(BRANCH, condition=IF_X)


def _compared(tested: Operand) -> tuple[list[Operand], str]:
    """What a lane of a comparison compares, and how."""
    test = tested.base
    assert isinstance(test, Instruction)
    sides = [see_through(value, tested.lanes, Modifiers(negate=True)) for value in test.operands]
    return sides, RELATIONS_OF[test.op]
