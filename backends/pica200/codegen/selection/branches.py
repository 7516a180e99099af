"""Rules for control flow."""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, IF_X, OPS, OnBool, OnCount
from glslc_multi.backends.pica200.codegen.selection.conditions import RELATIONS_OF, origin
from glslc_multi.backends.pica200.codegen.selection.machine import PicaEmitter
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.compiler.codegen.machine import Use
from glslc_multi.compiler.codegen.operands import Modifiers, Operand, is_all, see_through
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.records import replace

RULES: RuleSet[PicaEmitter] = RuleSet("br -> JUMP", "ret -> END")


@RULES.rule("condbr(test)")
def branch(e: PicaEmitter, instruction: Instruction, test: Value) -> None:
    if isinstance(test, Constant):
        verdict = Constant(FLOAT, (float(bool(test.components[0])),))
        _emit_compare(e, "eq", e.use(verdict, (0, None)), e.use(Constant(FLOAT, (1.0,)), (0, None)))
        return
    assert isinstance(test, Instruction)
    if not _branch_on_register(e, test):
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
