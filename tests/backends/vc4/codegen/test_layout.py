"""Blocks in a row, before they are words."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.layout import finish_branches
from glslc_multi.backends.vc4.codegen.machine_ops import BRANCH, JUMP
from glslc_multi.backends.vc4.isa.instructions import Condition
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction


def _jump(block: MachineBlock, target: MachineBlock) -> None:
    block.append(MachineInstruction(JUMP, targets=[target]))
    block.successors = [target]


def test_of_blocks_that_jump_in_a_circle_one_stays() -> None:
    function = MachineFunction("main")
    entry, *circle = (function.add_block(name) for name in ("entry", "one", "two", "three"))
    _jump(entry, circle[1])
    for block, target in zip(circle, [*circle[1:], circle[0]], strict=True):
        _jump(block, target)
    finish_branches(function)
    _, stays = function.blocks
    assert entry.successors == stays.successors == stays.instructions[-1].targets == [stays]


def test_a_jump_follows_a_branch_whose_targets_are_both_elsewhere() -> None:
    """An edge that would follow is empty, and another loop comes before what it leads to."""
    function = MachineFunction("main")
    entry, edge, loop, end = (function.add_block(name) for name in ("entry", "edge", "loop", "end"))
    for block, targets in ((entry, [entry, edge]), (loop, [loop, end])):
        block.append(MachineInstruction(BRANCH, targets=targets, attributes={"when": Condition.Z}))
        block.successors = list(targets)
    _jump(edge, end)
    finish_branches(function)
    jump = function.blocks[1]
    assert function.blocks == [entry, jump, loop, end]
    assert jump.successors == jump.instructions[-1].targets == [end]
    assert (entry.instructions[-1].targets, loop.instructions[-1].targets) == ([entry], [loop])


def test_blocks_that_only_jump_go_where_the_jump_leads_back_too() -> None:
    """A head that is empty, and an edge back to it."""
    function = MachineFunction("main")
    entry, head, body, edge, end = (function.add_block(name) for name in ("entry", "head", "body", "edge", "end"))
    _jump(entry, head)
    _jump(head, body)
    body.append(MachineInstruction(BRANCH, targets=[edge, end], attributes={"when": Condition.Z}))
    body.successors = [edge, end]
    _jump(edge, head)
    finish_branches(function)
    assert function.blocks == [entry, body, end]
    assert (entry.successors, body.successors) == ([body], [body, end])
    assert entry.instructions == [] and body.instructions[-1].targets == [body]
