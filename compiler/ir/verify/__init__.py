"""The verifier: a module in, the list of broken rules out; empty for a sound module.

Every rule has a name (`rules.py`) and every fault says where it is.  Whole groups of rules are asked
only where their ground is sound: dominance, for one, has no meaning while a block lacks its terminator.
Blocks that control cannot reach are allowed and checked like all others, but for dominance, which holds
there by definition.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import get_args

from glslc_multi.compiler.diagnostics.catalogue.ir import BROKEN_RULE
from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module
from glslc_multi.compiler.ir.ops import CALL
from glslc_multi.compiler.ir.text import symbol
from glslc_multi.compiler.ir.variables import Stage
from glslc_multi.compiler.ir.verify.control import (
    check_block_list,
    check_graph,
    check_order,
    check_targets,
    linked_instructions,
)
from glslc_multi.compiler.ir.verify.finished import check_finished
from glslc_multi.compiler.ir.verify.instructions import InstructionChecker
from glslc_multi.compiler.ir.verify.rules import RULES, Fault, Faults
from glslc_multi.compiler.ir.verify.variables import check_variables

__all__ = ["RULES", "BrokenModule", "Fault", "check", "report_faults", "verify_module"]


class BrokenModule(Exception):
    """A module breaks rules of the IR: a mistake of the pass that made it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(fault.text for fault in faults))
        self.faults = list(faults)


def verify_module(module: Module, *, final: bool = False) -> list[Fault]:
    """All broken rules; `final` adds those of the finished form (`finished.py`)."""
    faults = Faults()
    if module.stage not in get_args(Stage):
        faults.add("stage", f"there is no stage '{module.stage}'")
        return faults.list
    if "main" not in module.functions:
        faults.add("main", "there is no function main")
    check_variables(module, faults)
    variables = set(module.variables.values())
    variables.update(*(function.variables.values() for function in module.functions.values()))
    are_sound = []
    for name, function in module.functions.items():
        faults.look_at(function)
        if name != function.name:
            faults.add("names", f"is listed as {symbol(name)}")
        if function.module is not module:
            faults.add("names", "belongs to another module")
        checker = InstructionChecker(function, module, variables, faults)
        are_sound.append(_check_function(function, checker, faults))
    faults.look_at(None)
    if all(are_sound) and "main" in module.functions:
        _check_call_graph(module, faults)
        if final:
            check_finished(module, faults)
    return faults.list


def check(module: Module, *, final: bool = False) -> None:
    """Raise `BrokenModule` when any rule is broken."""
    faults = verify_module(module, final=final)
    if faults:
        raise BrokenModule(faults)


def report_faults(faults: Sequence[Fault], sink: DiagnosticSink) -> None:
    """Tell the user, who may have written the module as text."""
    for fault in faults:
        span = fault.instruction.span if fault.instruction is not None else None
        sink.report(BROKEN_RULE, span, where=fault.where, what=fault.message, rule=fault.rule)


def _check_function(function: Function, checker: InstructionChecker, faults: Faults) -> bool:
    """Whether blocks and instructions are sound, so that questions about the whole module make sense."""
    if not check_block_list(function, faults):
        return False
    own = set(function.blocks)
    are_sound = [_check_block(function, block, own, checker, faults) for block in function.blocks]
    if not all(are_sound):
        return False
    for instruction in function.instructions():
        faults.look_at(function, instruction.block, instruction)
        checker.check_use_count(instruction)
    check_graph(function, faults)
    return True


def _check_block(
    function: Function, block: Block, own: Set[Block], checker: InstructionChecker, faults: Faults
) -> bool:
    faults.look_at(function, block)
    faults_before = len(faults.list)
    instructions = linked_instructions(block, faults)
    if len(faults.list) != faults_before:
        return False
    is_ordered = check_order(instructions, faults)
    are_sound = [_check_instruction(instruction, checker, faults) for instruction in instructions]
    faults.look_at(function, block)
    return is_ordered and all(are_sound) and check_targets(function, block, own, faults)


def _check_instruction(instruction: Instruction, checker: InstructionChecker, faults: Faults) -> bool:
    faults.look_at(faults.function, instruction.block, instruction)
    return checker.check(instruction)


def _check_call_graph(module: Module, faults: Faults) -> None:
    """No cycles; a walk without recursion, since chains of calls may be long."""
    callees = {
        function: list(dict.fromkeys(i.attribute for i in function.instructions() if i.op is CALL))
        for function in module.functions.values()
    }
    done: set[Function] = set()
    for root in callees:
        path: list[Function] = []
        on_path: set[Function] = set()
        stack = [(root, False)]
        while stack:
            function, is_leaving = stack.pop()
            if is_leaving:
                on_path.discard(path.pop())
                done.add(function)
            elif function in on_path:
                cycle = [*path[path.index(function) :], function]
                faults.look_at(function)
                faults.add("call-cycle", "calls itself: " + " -> ".join(symbol(f.name) for f in cycle))
            elif function not in done:
                path.append(function)
                on_path.add(function)
                stack.append((function, True))
                stack += [(callee, False) for callee in callees[function] if callee in callees]
