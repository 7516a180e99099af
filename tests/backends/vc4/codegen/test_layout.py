"""Blocks in a row, before they are words."""

from __future__ import annotations

from backends.vc4.codegen.layout import settle_branches
from backends.vc4.codegen.machine_ops import BRANCH, JUMP
from backends.vc4.isa.instructions import Condition
from compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction


def _jump(block: MachineBlock, target: MachineBlock) -> None:
    block.append(MachineInstruction(JUMP, targets=[target]))
    block.successors = [target]


def test_blocks_that_only_jump_go_where_the_jump_leads_back_too() -> None:
    """A head that is empty, and an edge back to it."""
    function = MachineFunction("main")
    entry, head, body, edge, end = (function.add_block(name) for name in ("entry", "head", "body", "edge", "end"))
    _jump(entry, head)
    _jump(head, body)
    body.append(MachineInstruction(BRANCH, targets=[edge, end], attributes={"when": Condition.Z}))
    body.successors = [edge, end]
    _jump(edge, head)
    settle_branches(function)
    assert function.blocks == [entry, body, end]
    assert (entry.successors, body.successors) == ([body], [body, end])
    assert entry.instructions == [] and body.instructions[-1].targets == [body]
