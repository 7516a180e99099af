"""Under pressure, what is known of the instructions that are ready is what would be found out anew."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen.schedule.run import ScheduleRun


def _compile(count: int) -> None:
    """Sines that are live at once, each multiplied by the one before it and by the one after it."""
    values = " ".join(f"float v{k} = sin(x.{'xyzw'[k % 4]} * {k}.5);" for k in range(count))
    total = " + ".join(f"v{k} * v{k + 1}" for k in range(count - 1))
    source = f"attribute vec4 x; void main() {{ {values} gl_Position = vec4({total}); }}"
    glslc_multi.compile(source, target="vc4", stage="vertex")


def test_the_pressure_that_is_known_is_that_which_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    known = 0
    candidates = ScheduleRun._candidates

    def checked(self: ScheduleRun) -> list[int]:
        nonlocal known
        found = candidates(self)
        ready = [number for number in found if number in self.pressure_changes]
        known += len(ready)
        assert [self.pressure_changes[number] for number in ready] == [self._pressure_change(each) for each in ready]
        return found

    monkeypatch.setattr(ScheduleRun, "_candidates", checked)
    _compile(60)
    assert known > 0
