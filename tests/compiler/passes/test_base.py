"""Passes are values: those that do the same are equal, and a module keeps them as keys."""

from __future__ import annotations

from glslc_multi.compiler.passes.control_flow.loop_unroll import LoopUnroll
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.passes.memory.sroa import ScalarReplacement


def test_passes_of_one_class_without_options_are_equal() -> None:
    passes = {Mem2Reg(), ScalarReplacement(), Mem2Reg()}
    assert passes == {ScalarReplacement(), Mem2Reg()} and len(passes) == 2


def test_options_tell_passes_apart() -> None:
    passes = {LoopUnroll(max=3), LoopUnroll(max=4), LoopUnroll(max=3)}
    assert passes == {LoopUnroll(max=4), LoopUnroll(max=3)} and len(passes) == 2
