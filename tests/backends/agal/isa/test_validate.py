"""The validator: for every rule a program that breaks it, and its nearest legal neighbour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from glslc_multi.backends.agal.isa.registers import Stage
from glslc_multi.backends.agal.isa.rules import RULES
from glslc_multi.backends.agal.isa.validate import report, validate, validate_pair
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.agal.helpers import FRAGMENT, VERTEX, bytes_of, program_of


class Rule(NamedTuple):
    """A rule with a text that breaks it and one that does not.

    `patch` (byte of the first token, value) is done to the wrong one only, for what text cannot say.
    """

    number: int
    stage: Stage
    version: int
    wrong: str
    right: str
    patch: tuple[int, int] | None = None


def vertex(number: int, wrong: str, right: str, version: int = 1, patch: tuple[int, int] | None = None) -> Rule:
    """A rule of vertex programs; the position is written after the text."""
    end = "\nmov op, va0"
    return Rule(number, "vertex", version, wrong + end, right + end, patch)


def fragment(number: int, wrong: str, right: str, version: int = 1, patch: tuple[int, int] | None = None) -> Rule:
    """A rule of fragment programs; the colour is written after the text."""
    end = "\nmov oc, v0"
    return Rule(number, "fragment", version, wrong + end, right + end, patch)


def patched(number: int, stage: Stage, line: str, byte: int, value: int, version: int = 1) -> Rule:
    """A rule that only a changed byte breaks."""
    make = vertex if stage == "vertex" else fragment
    return make(number, line, line, version, (byte, value))


TYPE_OF_DESTINATION, MASK, SOURCE, TYPE_OF_SOURCE, INDIRECT, SECOND = 7, 6, 8, 12, 15, 16
OPTIONS = SECOND + 5
IF = "mov ft0, v0\nifg v0.x, v0.y\n"
NESTED = "ifg v0.x, v0.y\nmov ft0, v0\n"

RULE_CASES = [
    patched(3620, "vertex", "mov vt0, va0", 0, 0x2E),
    patched(3621, "vertex", "mov vt0, va0", 0, 0x22),
    vertex(3621, "sgn vt0, va0", "mov vt0, va0"),
    patched(3622, "vertex", "mov vt0, va0", 0, 0x27),
    fragment(3623, "eif", IF + "mov ft0, v0\neif", 2),
    fragment(3624, NESTED * 5 + "eif\n" * 5, NESTED * 4 + "eif\n" * 4, 2),
    fragment(3625, "add ft0, fc0, fc1", "add ft0, fc0, v0"),
    fragment(3625, "rcp ft0, fc0", "mov ft0, fc0"),
    fragment(3625, "kil fc0.x", "kil v0.x"),
    fragment(3625, "ife fc0.x, fc1.x\nmov ft0, v0\neif", "ife fc0.x, v0.x\nmov ft0, v0\neif", 2),
    patched(3627, "fragment", "kil v0.x", MASK, 1),
    vertex(3628, "nrm vt0, va0", "nrm vt0.xyz, va0"),
    vertex(3628, "m34 vt0.xy, va0, vc0", "m34 vt0.xyz, va0, vc0"),
    fragment(3628, "crs ft0.xyw, v0, fc0", "crs ft0.xyz, v0, fc0"),
    fragment(3629, "mov ft0, v0\n" * 200, "mov ft0, v0\n" * 199),
    fragment(3629, "mov ft0, v0\n" * 1024, "mov ft0, v0\n" * 1023, 2),
    Rule(3634, "fragment", 1, "mov ft0, v0", "mov oc, v0"),
    Rule(3635, "vertex", 1, "mov op.xyz, va0", "mov op.xyz, va0\nmov op.w, va0"),
    vertex(3633, "mov v0.xyz, va0", "mov v0.xyz, va0\nmov v0.w, va0"),
    patched(3636, "vertex", "mov vt0, va0", SECOND, 1),
    patched(3637, "vertex", "mov vt0, va0", TYPE_OF_SOURCE, 5),
    fragment(3638, "mov ft0, fs0", "mov ft0, v0"),
    patched(3639, "fragment", "mov ft0, fc0", INDIRECT, 0x80),
    patched(3640, "vertex", "mov vt0, vc[va0.x]", TYPE_OF_SOURCE, 0),
    patched(3641, "fragment", "tex ft0, fc0, fs0", INDIRECT, 0x80),
    vertex(3642, "mov vt0, vc[iid0.x]", "mov vt0, vc[va0.x]", 3),
    patched(3643, "vertex", "mov vt0, vc0", SOURCE + 2, 1),
    patched(3644, "vertex", "mov vt0, va0", TYPE_OF_SOURCE, 4),
    patched(3645, "fragment", "mov ft0, v0", TYPE_OF_SOURCE, 0),
    vertex(3646, "mov vt0, op", "mov vt0, va0"),
    fragment(3646, "mov ft0, od", "mov ft0, v0", 2),
    vertex(3647, "mov vt1, vt0", "mov vt0, va0\nmov vt1, vt0"),
    vertex(3647, "mov vt1, vc[vt0.x]", "mov vt0.x, va0.x\nmov vt1, vc[vt0.x]"),
    vertex(
        3647, "mov vt0, va0\nm33 vt3.xyz, va0, vt0", "mov vt0, va0\nmov vt1, va0\nmov vt2, va0\nm33 vt3.xyz, va0, vt0"
    ),
    vertex(3648, "mov vt0.x, va0\nmov vt1.x, vt0", "mov vt0.x, va0\nmov vt1.x, vt0.x"),
    vertex(3648, "mov vt0.xyz, va0\nnrm vt0.xyz, vt0", "mov vt0.xyz, va0\nnrm vt0.xyz, vt0.xyz"),
    vertex(3648, "mov vt0.x, va0\nmov vt1, vc[vt0.y]", "mov vt0.xy, va0\nmov vt1, vc[vt0.y]"),
    fragment(
        3647,
        "ifg v0.x, v0.y\nmov ft0, v0\neif\nmov ft1, ft0",
        "ifg v0.x, v0.y\nmov ft0, v0\nels\nmov ft0, fc0\neif\nmov ft1, ft0",
        2,
    ),
    patched(3649, "fragment", "mov ft0, v0", TYPE_OF_DESTINATION, 5),
    patched(3650, "fragment", "mov ft0, v0", TYPE_OF_DESTINATION, 4),
    patched(3651, "vertex", "mov vt0, va0", TYPE_OF_DESTINATION, 0),
    patched(3652, "vertex", "mov vt0, va0", TYPE_OF_DESTINATION, 1),
    patched(3653, "vertex", "mov vt0, va0", MASK, 0),
    patched(3654, "vertex", "mov vt0, va0", MASK, 0x1F),
    patched(3654, "vertex", "mov vt0, va0", TYPE_OF_SOURCE, 0x10),
    patched(3654, "fragment", "tex ft0, v0, fs0", SECOND + 3, 1),
    patched(3654, "fragment", "tex ft0, v0, fs0", OPTIONS, 0x04),
    vertex(3654, "mov vt0, iid", "mov vt0, iid", 3, (SOURCE, 1)),
    patched(3655, "vertex", "mov vt0, va0", TYPE_OF_SOURCE, 8),
    patched(3655, "vertex", "mov vt0, va0", TYPE_OF_DESTINATION, 9),
    patched(3656, "fragment", "tex ft0, v0, fs0", SECOND, 8),
    patched(3656, "fragment", "tex ft0, v0, fs0", SECOND, 16, 2),
    patched(3657, "fragment", "mov ft0, v7", SOURCE, 8),
    patched(3658, "vertex", "mov vt0, va7", SOURCE, 8),
    patched(3659, "vertex", "mov vt0, vc127", SOURCE, 128),
    vertex(3659, "m44 vt0, va0, vc125", "m44 vt0, va0, vc124"),
    vertex(3659, "m34 vt0.xyz, va0, vc126", "m34 vt0.xyz, va0, vc125"),
    patched(3660, "vertex", "mov op, va0", 4, 1),
    fragment(3660, "mov ft1, v0", "mov ft0, v0", 1, (TYPE_OF_DESTINATION, 3)),
    patched(3661, "vertex", "mov vt7, va0", 4, 8),
    fragment(3662, "tex ft0, v0, fs0 <cube,miplinear,wrap>", "tex ft0, v0, fs0 <cube,miplinear,clamp>"),
    fragment(3664, "tex ft0, v0, fs0 <3d>", "tex ft0, v0, fs0 <2d>", 2),
    fragment(3665, "tex ft0, v0, fs0 <anisotropic2x>", "tex ft0, v0, fs0 <linear>"),
    patched(3665, "fragment", "tex ft0, v0, fs0 <anisotropic16x>", SECOND + 7, 0x60, 2),
    patched(3666, "fragment", "tex ft0, v0, fs0 <miplinear>", SECOND + 7, 0x03, 2),
    fragment(3667, "tex ft0, v0, fs0 <repeat_u_clamp_v>", "tex ft0, v0, fs0 <repeat>"),
    patched(3667, "fragment", "tex ft0, v0, fs0 <repeat_u_clamp_v>", SECOND + 6, 0x40, 2),
    fragment(3668, "tex ft0, v0, fs0 <single>", "tex ft0, v0, fs0"),
    patched(3668, "fragment", "tex ft0, v0, fs0 <single>", SECOND + 6, 0x08, 2),
    vertex(3689, "m44 vt0, va0, vc0.yxzw", "m44 vt0, va0.yxzw, vc0"),
    patched(3693, "fragment", "tex ft0, v0, fs0", SECOND + 4, 4),
    fragment(3696, "tex ft0, v0, fs0\ntex ft0, v0, fs0 <1>", "tex ft0, v0, fs0\ntex ft0, v0, fs1 <1>"),
    Rule(3701, "fragment", 1, "mov oc.xyz, v0", "mov oc, v0.xyz"),
    fragment(3703, "kil v0", "kil v0.yyyy"),
    fragment(3703, IF.replace(".x,", ".xyzw,") + "mov ft0, v0\neif", IF + "mov ft0, v0\neif", 2),
    fragment(3704, "tex ft0, v0, fs0 <cube>", "tex ft0, v0, fs0 <cube,mipnearest>"),
    fragment(3704, "tex ft0, v0, fs0 <cube>", "tex ft0, v0, fs0 <cube,ignoresampler>", 2),
    patched(3726, "fragment", "mov ft0, v0", 0, 0x1A),
    Rule(3739, "fragment", 2, "mov oc, v0\n" + NESTED, "mov oc, v0\n" + NESTED + "eif"),
    fragment(3741, IF + "tex ft1, ft0, fs0\neif", IF + "tex ft1, v0, fs0\neif\ntex ft1, ft0, fs0", 2),
    fragment(3742, IF + "ddy ft0, v0\neif", IF + "mov ft0, v0\neif\nddy ft0, v0", 2),
    Rule(3744, "fragment", 1, "mov oc, v0\nmov oc, v0", "mov oc, v0"),
    fragment(3748, IF + "eif", IF + "mov ft0, v0\neif", 2),
    fragment(3748, IF + "mov ft0, v0\nels\neif", IF + "mov ft0, v0\nels\nmov ft0, v0\neif", 2),
    fragment(3749, "mov od.x, v0.x", "mov ft0.x, v0.x"),
    patched(3749, "fragment", "mov od.x, v0.x", 4, 1, 2),
    patched(3750, "vertex", "mov vt0, va0", TYPE_OF_DESTINATION, 6),
    Rule(3751, "fragment", 2, IF + "mov oc, v0\neif", "mov oc, v0"),
    fragment(3751, IF + "mov od.x, v0.x\neif", IF + "mov ft0, v0\neif\nmov od.x, v0.x", 2),
    fragment(3752, "els", IF + "mov ft0, v0\nels\nmov ft0, v0\neif", 2),
    fragment(3752, IF + "mov ft0, v0\nels\nmov ft0, v0\nels\nmov ft0, v0\neif", IF + "mov ft0, v0\neif", 2),
    fragment(3756, "mov od, v0", "mov od.x, v0", 2),
    fragment(3758, "ifg v0.x, v0.x\nmov ft0, v0\neif", "ifg v0.x, v1.x\nmov ft0, v0\neif", 2),
    patched(3760, "fragment", "mov oc1, v0", 4, 4, 2),
    fragment(3775, "mov oc2, v0", "mov oc1, v0", 2),
    vertex(3786, "mov iid, va0", "mov vt0, va0", 3),
    patched(3788, "fragment", "mov ft0, v0", TYPE_OF_SOURCE, 7, 3),
    vertex(3789, "mov vt0, iid", "mov vt0, va0", 2),
]
#: Rules of headers (see `test_disasm.py`), and those tested below.
ELSEWHERE = {3612, 3615, 3617, 3618, 3619, 3626, 3630, 3631, 3632, 3725, 3757}


def wrong_bytes(rule: Rule) -> bytes:
    data = bytearray(bytes_of(rule.wrong, rule.stage, rule.version))
    if rule.patch is not None:
        byte, value = rule.patch
        data[7 + byte] = value
    return bytes(data)


def numbers(data: bytes, stage: Stage | None = None) -> list[int]:
    return [fault.number for fault in validate(data, stage)]


def test_every_rule_is_tested() -> None:
    assert {rule.number for rule in RULE_CASES} | ELSEWHERE == RULES.keys()


def _names() -> Iterator[str]:
    yield from (f"{rule.number}-{position}" for position, rule in enumerate(RULE_CASES))


@pytest.mark.parametrize("rule", RULE_CASES, ids=_names())
def test_a_program_that_breaks_a_rule_has_this_fault_alone_and_its_neighbour_none(rule: Rule) -> None:
    assert numbers(wrong_bytes(rule)) == [rule.number]
    assert numbers(bytes_of(rule.right, rule.stage, rule.version)) == []


def test_two_indirect_sources_break_two_rules_unless_both_are_constants() -> None:
    assert numbers(bytes_of("add vt0, vc[va0.x], vc[va0.y]\nmov op, va0", "vertex")) == [3625]
    data = bytearray(bytes_of("add vt0, vc[va0.x], vc[va0.y]\nmov op, va0", "vertex"))
    data[7 + TYPE_OF_SOURCE] = 0
    assert numbers(bytes(data)) == [3640, 3626]


def test_faults_name_their_tokens_and_all_are_found() -> None:
    text = "mov vt0, va0\nnrm vt0, vt0\nadd vt1, vc0, vc1\nmov op, vt2"
    program = program_of(text, "vertex")
    faults = validate(bytes_of(text, "vertex"))
    assert [(fault.number, fault.token) for fault in faults] == [(3628, 1), (3625, 2), (3647, 3)]
    sink = DiagnosticSink()
    report(faults, sink, program.spans)
    locations = [diagnostic.span.location for diagnostic in sink.diagnostics if diagnostic.span]
    assert locations == ["test.agal:2:1", "test.agal:3:1", "test.agal:4:1"]
    assert sink.diagnostics[0].message == "token 1 breaks rule 3628: the write mask of this instruction must be xyz"


def test_pairs() -> None:
    both = bytes_of(VERTEX, "vertex"), bytes_of(FRAGMENT, "fragment")
    assert validate_pair(*both) == []
    assert [fault.number for fault in validate_pair(both[1], both[0])] == [3631, 3630]
    unwritten = bytes_of("mov oc, v1", "fragment")
    assert [fault.number for fault in validate_pair(both[0], unwritten)] == [3632]
    row = bytes_of("m33 ft0.xyz, fc0, v0\nmov oc, v0", "fragment")
    assert [fault.number for fault in validate_pair(both[0], row)] == [3632]
    newer = bytes_of(FRAGMENT, "fragment", 2)
    assert [fault.number for fault in validate_pair(both[0], newer)] == [3757]
    broken = validate_pair(bytes_of("mov op, vt0", "vertex"), bytes_of("mov oc, ft0", "fragment"))
    assert [(fault.number, fault.stage) for fault in broken] == [(3647, "vertex"), (3647, "fragment")]


def test_a_profile_limits_the_version() -> None:
    data = bytes_of(FRAGMENT, "fragment", 2)
    assert [fault.number for fault in validate(data, profile=1)] == [3725]
    assert validate(data, profile=2) == []


def test_what_was_written_before_a_condition_counts_in_it_and_after_it() -> None:
    text = (
        "mov ft0, v0\nifg v0.x, v0.y\nmov ft1, ft0\nels\nmov ft0.x, v0\nmov ft1.xy, ft0\neif\nmov ft2, {}\nmov oc, ft0"
    )
    assert numbers(bytes_of(text.format("ft1.xy"), "fragment", 2)) == []
    assert numbers(bytes_of(text.format("ft1.xz"), "fragment", 2)) == [3648]
