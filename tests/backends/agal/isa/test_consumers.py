"""What consumers object to, by programs written by hand; each rule as the consumer's own source has it."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.isa.consumers import BY_NAME, CONSUMERS
from glslc_multi.backends.agal.isa.registers import Stage
from tests.backends.agal.consumer_programs import OPENFL, RUFFLE, WIDTHS, Case, Program
from tests.backends.agal.helpers import program_of


def _objects(consumer: str, text: str, stage: Stage = "vertex", version: int = 1) -> list[int | None]:
    """The tokens that it objects to."""
    found = BY_NAME[consumer].objections(program_of(text, stage, version), WIDTHS)
    return [objection.token for objection in found]


@pytest.mark.parametrize("program", OPENFL)
def test_what_openfl_takes_and_refuses(program: Program) -> None:
    assert _objects("openfl", program.text, program.stage)[:1] == ([] if program.refused is None else [program.refused])
    assert _objects("air", program.text, program.stage) == []


@pytest.mark.parametrize("case", RUFFLE)
def test_what_ruffle_takes_and_refuses(case: Case) -> None:
    stages: tuple[tuple[Stage, str], ...] = (("vertex", case.vertex), ("fragment", case.fragment))
    found = [(stage, token) for stage, text in stages for token in _objects("ruffle", text, stage, case.version)]
    assert (found[0] if found else None) == case.refused


def test_versions() -> None:
    takes = {consumer.name: consumer.versions for consumer in CONSUMERS}
    assert takes == {"air": (1, 2, 3), "baselineConstrained": (1,), "openfl": (1,), "ruffle": (1, 2)}
    assert _objects("openfl", "mov op, va0", version=2) == [None]
    assert _objects("ruffle", "mov op, va0", version=3) == [None]


_LOOKUP = "tex ft0, ft0, fs0 <2d>\n"
_END = "mov oc, ft0"


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("mov ft0, v0\n" + "add ft0, ft0, ft0\n" * 62 + _END, True),
        ("mov ft0, v0\n" + "add ft0, ft0, ft0\n" * 63 + _END, False),
        ("mov ft0, v0\n" + "slt ft0, ft0, ft0\n" * 31 + _END, True),
        ("mov ft0, v0\n" + "slt ft0, ft0, ft0\n" * 31 + "mov ft0, ft0\n" + _END, False),
        ("mov ft0, v0\n" + _LOOKUP * 4 + _END, True),
        ("mov ft0, v0\n" + _LOOKUP * 5 + _END, False),
        ("mov ft0, v0\n" + "tex ft0, v0, fs0 <2d>\n" * 32 + _END, True),
        ("mov ft0, v0\n" + "tex ft0, v0, fs0 <2d>\n" * 33 + _END, False),
    ],
)
def test_the_constrained_profile_counts_what_shader_model_2_has(text: str, fits: bool) -> None:
    assert (_objects("baselineConstrained", text, "fragment") == []) == fits


def test_the_constrained_profile_has_the_vertex_programs_of_the_others() -> None:
    assert _objects("baselineConstrained", "mov vt0, va0\n" + "add vt0, vt0, vt0\n" * 99 + "mov op, vt0") == []
