"""Each rule is broken once, and nothing else is said then."""

from __future__ import annotations

import json
import random

import pytest

from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import (
    INERT,
    Combiner,
    Configuration,
    Operand,
    Stage,
    Write,
    passes,
)
from glslc_multi.backends.pica200.isa.fragment.validate import RULES, validate
from glslc_multi.compiler.records import replace
from tests.backends.pica200.isa.fragment.test_encode import random_configuration
from tests.golden.pica200_registers import recorded_writes
from tests.shared_data import shared_path

_PLAIN = list(encode(Configuration((INERT,) * 6)))
_TEXTURED = list(encode(Configuration((Stage(passes("texture1", "rgb"), passes("lighting0", "a")), *(INERT,) * 5))))


def _stage0(colour: Combiner, alpha: Combiner) -> list[Write]:
    return list(encode(Configuration((Stage(colour, alpha), *(INERT,) * 5))))


def _without(register: int) -> list[Write]:
    return [write for write in _PLAIN if write.register != register]


def _dot3(name: str, selection: str) -> Combiner:
    return replace(passes("primary", selection), function=name)


_BROKEN: dict[str, list[Write]] = {
    "unknown-register": [*_PLAIN, Write(0x2C0, 0)],
    "unknown-code": [*_PLAIN, Write(0x101, 5)],
    "reserved-bits": [*_PLAIN, Write(0x104, 1 << 16)],
    "six-stages": _without(0x0F3),
    "buffer-and-fog": [*_without(0x0E0), Write(0x0E0, 0, 0b0010)],
    "previous-in-stage-0": _stage0(passes("previous", "1-rgb"), passes("primary", "a")),
    "dot3-alpha": _stage0(_dot3("DOT3_RGB", "rgb"), _dot3("DOT3_RGBA", "a")),
    "texture-off": [*_TEXTURED, Write(0x080, 0x1005)],
    "lighting-off": [*_TEXTURED, Write(0x1C6, 1)],
    "gas": [*_PLAIN, Write(0x0E0, 7, 0b0001)],
    "incomplete-table": [*_PLAIN, Write(0x0E6, 0), *[Write(0x0E8, 0)] * 127],
    "light-colours": [*_PLAIN, Write(0x142, 256 << 10)],
    "reflection-tables": [*_PLAIN, Write(0x1C4, 0xFFFFFFFF & ~(1 << 20))],
    "table-of-configuration": [*_PLAIN, Write(0x1C4, 0xFFFFFFFF & ~(1 << 17)), Write(0x1C3, 0x80000400)],
    "tangent-input": [*_PLAIN, Write(0x1D1, 5), Write(0x1C3, 0x80000400)],
}


def test_every_rule_is_broken_once() -> None:
    assert list(_BROKEN) == list(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str) -> None:
    assert {fault.rule for fault in validate(_BROKEN[rule])} == {rule}
    assert f": {rule}: " in str(validate(_BROKEN[rule])[0])


@pytest.mark.parametrize("writes", [_PLAIN, _TEXTURED], ids=["plain", "textured"])
def test_nothing_is_wrong(writes: list[Write]) -> None:
    assert validate(writes) == []


def test_what_is_fine() -> None:
    assert not validate(_stage0(_dot3("DOT3_RGBA", "rgb"), passes("primary", "a")))
    assert not validate([*_TEXTURED, Write(0x080, 0x1002), Write(0x08F, 1), Write(0x1C6, 0)])
    # The operands that a function does not take do not count.
    unused = Combiner("REPLACE", (Operand("primary", "rgb"), Operand("previous", "rgb"), Operand("previous", "rgb")))
    assert not validate(_stage0(unused, passes("primary", "a")))
    # Bytes that are not written do not count either.
    assert not validate([*_PLAIN, Write(0x101, 0x05000005, 0b0110), Write(0x104, 0xFFFF0000, 0b0011)])


def test_random_configurations_break_only_what_they_may() -> None:
    allowed = {"previous-in-stage-0", "dot3-alpha"}
    for seed in range(100):
        faults = validate(encode(random_configuration(random.Random(seed))))
        assert {fault.rule for fault in faults} <= allowed
    assert {"DOT3_RGB", "DOT3_RGBA"} <= FUNCTIONS.keys()


def test_recorded_programs_are_fine() -> None:
    inert = {write.register: write for write in _PLAIN}
    for case in json.loads(shared_path("golden/pica200-fragment/programs.json").read_text())["cases"]:
        writes = recorded_writes(case.get("writes") or case.get("writes_of_first_run") or ())
        # A draw sends what has changed; the rest is as it was.
        rest = [inert[register] for register in inert.keys() - {write.register for write in writes}]
        rules = {fault.rule for fault in validate([*rest, *writes])}
        # The library writes the unused register of a light, and colours may exceed what is sensible.
        assert rules <= {"unknown-register"}, case["name"]
