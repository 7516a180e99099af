"""Registers of other widths than this computer's: LLVM splits or joins vectors, the results stay."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.native import machine
from glslc_multi.compiler.records import replace
from tests.compiler.native.test_generated import complaint_about
from tests.compiler.passes.trials import glsl_trials, ir_trials


@pytest.mark.parametrize("width", [4, 8, 16])
def test_generated_programs(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = replace(machine.host(), width=width)
    monkeypatch.setattr(machine, "host", lambda: narrow)
    for seed in range(4):
        assert complaint_about(next(ir_trials(100 + seed))) == ""
        assert complaint_about(next(glsl_trials(100 + seed))) == ""
