"""The copies that are said to vanish are those that allocation does without."""

from __future__ import annotations

from glslc_multi.compiler.codegen.regalloc import allocate, vanishing_copies
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.compiler.codegen.regalloc.machine import MOV, Model, Programs, Shape


def test_vanishing_copies_are_gone_after_allocation() -> None:
    vanished = stayed = 0
    for seed in range(60):
        function = Programs(seed, Shape(5, 14, 5, constraints=False)).make()
        vanishing = set(vanishing_copies(function, Model()))
        allocate(function, Model(), DiagnosticSink())
        left = [instruction for instruction in function.instructions() if instruction.op is MOV]
        assert vanishing.isdisjoint(left)
        vanished += len(vanishing)
        stayed += len(left)
    assert vanished > 20 and stayed > 20
