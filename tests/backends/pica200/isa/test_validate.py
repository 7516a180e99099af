"""The validator: for every rule a program that breaks it, and one beside it that does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.backends.pica200.isa.instructions import decode, encode
from glslc_multi.backends.pica200.isa.program import Constant, Executable, Geometry, Output, Program, Uniform
from glslc_multi.backends.pica200.isa.rules import RULES
from glslc_multi.backends.pica200.isa.validate import validate
from glslc_multi.compiler.records import dataclass, replace
from tests.backends.pica200.helpers import program_of

POSITION = ".out o pos\n"
GEOMETRY = ".gsh point c0\n" + POSITION


def shader(body: str, declarations: str = POSITION, after: str = "", *, pads: bool = True) -> Program:
    return program_of(body, declarations, after, pads=pads)


def with_word(program: Program, address: int, **fields: int) -> Program:
    """The program with other fields in one word."""
    instruction = decode(program.code[address])
    assert instruction is not None
    code = list(program.code)
    code[address] = encode(instruction.name, **{**instruction.fields, **fields})
    return replace(program, code=code)


def with_table(**tables: object) -> Program:
    """A legal shader with other tables."""
    program = shader("mov o, v0\nend")
    return replace(program, executables=[replace(program.executables[0], **tables)])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Case:
    rule: str
    broken: Callable[[], Program]
    legal: Callable[[], Program]


def nested(count: int, opening: str) -> str:
    """`count` blocks in one another."""
    return "\n".join([opening] * count + ["nop"] + [".end\nnop"] * count)


def calls(count: int) -> Callable[[], Program]:
    procedures = "".join(f".proc f{n}\ncall f{n + 1}\nnop\n.end\n" for n in range(1, count))
    return lambda: shader("mov o, v0\ncall f1\nend", after=f"{procedures}.proc f{count}\nnop\n.end")


O7 = Output(2, 7, 0xF)


def smallest() -> Program:
    """A legal shader."""
    return shader("mov o, v0\nend")


CASES = [
    Case("unknown-word", lambda: Program([0x40000000], [], [Executable(0, 1)]), smallest),
    Case(
        "code-size",
        lambda: replace(smallest(), code=[*smallest().code, *[encode("NOP")] * 511]),
        lambda: replace(smallest(), code=[*smallest().code, *[encode("NOP")] * 510]),
    ),
    Case(
        "descriptor-count",
        lambda: replace(smallest(), descriptors=smallest().descriptors * 129),
        lambda: replace(smallest(), descriptors=smallest().descriptors * 128),
    ),
    Case("descriptor-reserved", lambda: replace(smallest(), descriptors=[0x8000036F]), smallest),
    Case("missing-descriptor", lambda: with_word(smallest(), 0, desc=1), lambda: with_word(smallest(), 0, desc=0)),
    Case(
        "two-inputs",
        lambda: with_word(shader("add o, v1, v1\nend"), 0, src2=2),
        lambda: shader("add o, v1, v1\nend"),
    ),
    Case(
        "relative-without-uniform",
        lambda: with_word(smallest(), 0, idx=1),
        lambda: shader("mov o, c0[a0.x]\nend"),
    ),
    Case(
        "unknown-relation",
        lambda: with_word(shader("mov o, v0\ncmp v0, eq, eq, v0\nend"), 1, cmpy=6),
        lambda: shader("mov o, v0\ncmp v0, eq, ge, v0\nend"),
    ),
    Case(
        "missing-register",
        lambda: with_word(shader("mov o, v0\nfor i3\nnop\n.end\nend"), 1, id=4),
        lambda: shader("mov o, v0\nfor i3\nnop\n.end\nend"),
    ),
    Case("untested-instruction", lambda: shader("dst o, v0, c0\nend"), lambda: shader("dst o, c0, v0\nend")),
    Case(
        "output-gap",
        lambda: shader("mov o, v0\nmov o2, v0\nend", POSITION + ".out - clr o2"),
        lambda: shader("mov o, v0\nmov o1, v0\nend", POSITION + ".out - clr o1"),
    ),
    Case("output-entry", lambda: with_table(outputs=[Output(0, 0, 0xF), Output(7, 0, 0)]), smallest),
    Case(
        "output-register",
        lambda: with_table(outputs=[Output(0, 0, 0xF), O7]),
        lambda: shader("mov o, v0\nmov o7, v0\nend", POSITION + ".out - dummy o7"),
    ),
    Case("missing-position", lambda: shader("mov o, v0\nend", ".out o clr"), smallest),
    Case(
        "output-overlap",
        lambda: shader("mov o, v0\nmov o1, v0\nend", POSITION + ".out - tcoord0 o1.xy\n.out - tcoord0w o1.y"),
        lambda: shader("mov o, v0\nmov o1, v0\nend", POSITION + ".out - tcoord0 o1.xy\n.out - tcoord0w o1.z"),
    ),
    Case(
        "constant-register",
        lambda: with_table(constants=[Constant("i", 4, (0, 0, 0, 0))]),
        lambda: with_table(constants=[Constant("i", 3, (0, 0, 0, 0))]),
    ),
    Case(
        "uniform-range",
        lambda: with_table(uniforms=[Uniform("u", 0x6E, 0x71)]),
        lambda: with_table(uniforms=[Uniform("u", 0x6E, 0x6F)]),
    ),
    Case(
        "geometry-bool",
        lambda: with_table(geometry=Geometry("point"), uniforms=[Uniform("u", 0x87, 0x87)]),
        lambda: with_table(uniforms=[Uniform("u", 0x87, 0x87)]),
    ),
    Case("leaves-code", lambda: shader("mov o, v0"), smallest),
    Case(
        "adjacent-mova",
        lambda: shader("mov o, v0\nmova a0.x, v0\nmova a0.y, v0\nend"),
        lambda: shader("mov o, v0\nmova a0.x, v0\nnop\nmova a0.y, v0\nend"),
    ),
    # One MOVA at the end of a loop's body follows the other at its beginning.
    Case(
        "adjacent-mova",
        lambda: shader("mov o, v0\nfor i0\nmova a0.x, v0\nnop\nmova a0.y, v0\n.end\nend"),
        lambda: shader("mov o, v0\nfor i0\nmova a0.x, v0\nnop\n.end\nmova a0.y, v0\nend"),
    ),
    Case(
        "unwritten-output",
        lambda: shader("mov o.xyz, v0\nend"),
        lambda: shader("mov o.xyz, v0\nmov o.w, v0\nend"),
    ),
    Case(
        "unwritten-output",
        lambda: shader("ifu b0\nmov o, v0\n.end\nend"),
        lambda: shader("ifu b0\nmov o, v0\n.else\nmov o, -v0\n.end\nend"),
    ),
    Case(
        "unwritten-output",
        lambda: shader("setemit 0\nmov o, v0\nemit\nemit\nend", GEOMETRY),
        lambda: shader("setemit 0\nmov o, v0\nemit\nmov o, v0\nemit\nend", GEOMETRY),
    ),
    Case(
        "output-written-twice",
        lambda: shader("mov o, v0\nmov o.y, v0\nend"),
        lambda: shader("mov o.xzw, v0\nmov o.y, v0\nend"),
    ),
    Case(
        "output-written-twice",
        lambda: shader("for i0\nmov o, v0\n.end\nend"),
        lambda: shader("for i0\nmov r0, v0\n.end\nmov o, r0\nend"),
    ),
    Case(
        "unmapped-geometry-output",
        lambda: shader("mov o7, v0\nmov o, v0\nsetemit 0\nemit\nend", GEOMETRY),
        lambda: shader("mov o7, v0\nmov o, v0\nend"),
    ),
    Case(
        "emit-in-vertex",
        lambda: shader("mov o, v0\nemit\nmov o, v0\nend"),
        lambda: shader("mov o, v0\nemit\nmov o, v0\nend", GEOMETRY),
    ),
    Case(
        "break-outside-loop",
        lambda: shader("mov o, v0\nbreakc cmp.x\nend"),
        lambda: shader("mov o, v0\nfor i0\nbreakc cmp.x\nnop\n.end\nend"),
    ),
    Case(
        "break-from-block",
        lambda: shader("mov o, v0\nfor i0\nifu b0\nbreak\nnop\n.end\nnop\n.end\nend"),
        lambda: shader("mov o, v0\nifu b0\nfor i0\nbreak\nnop\n.end\nnop\n.end\nend"),
    ),
    Case(
        "break-from-block",
        lambda: shader("mov o, v0\nfor i0\ncall f\nnop\n.end\nend", after=".proc f\nbreakc cmp.x\nnop\n.end"),
        lambda: shader("mov o, v0\ncall f\nend", after=".proc f\nfor i0\nbreakc cmp.x\nnop\n.end\nnop\n.end"),
    ),
    Case(
        "stack-overflow",
        lambda: shader("mov o, v0\n" + nested(9, "ifu b0") + "\nend"),
        lambda: shader("mov o, v0\n" + nested(8, "ifu b0") + "\nend"),
    ),
    Case(
        "stack-overflow",
        lambda: shader("mov o, v0\n" + nested(5, "for i0") + "\nend"),
        lambda: shader("mov o, v0\n" + nested(4, "for i0") + "\nend"),
    ),
    Case("stack-overflow", calls(5), calls(4)),
    Case(
        "jump-at-block-end",
        lambda: shader("mov o, v0\nifu b0\njmpu b1, l\n.end\nnop\nl: end", pads=False),
        lambda: shader("mov o, v0\nifu b0\njmpu b1, l\n.end\nnop\nl: end"),
    ),
    Case(
        "jump-at-block-end",
        lambda: shader("mov o, v0\ncall f\nend", after=".proc f\ncall g\n.end\n.proc g\nnop\n.end", pads=False),
        lambda: shader("mov o, v0\ncall f\nend", after=".proc f\ncall g\n.end\n.proc g\nnop\n.end"),
    ),
    Case(
        "shared-block-end",
        lambda: shader("mov o, v0\nifu b0\nifu b1\nnop\n.end\n.end\nend", pads=False),
        lambda: shader("mov o, v0\nifu b0\nifu b1\nnop\n.end\n.end\nend"),
    ),
    Case(
        "stale-loop-counter",
        lambda: shader("for i0\nnop\n.end\nmov o, c0[aL]\nend"),
        lambda: shader("for i0\nmov r0, c0[aL]\n.end\nmov o, r0\nend"),
    ),
    Case(
        "stale-loop-counter",
        lambda: shader("mov o, v0\nfor i0\nmov r0, c0[aL]\nfor i1\nnop\n.end\nnop\n.end\nend"),
        lambda: shader("mov o, v0\nfor i0\nfor i1\nmov r0, c0[aL]\n.end\nnop\n.end\nend"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_rule(case: Case) -> None:
    assert case.rule in {fault.rule for fault in validate(case.broken())}
    assert case.rule not in {fault.rule for fault in validate(case.legal())}


def too_many_states() -> Program:
    """Every word may open a block or jump anywhere: there are more stacks than can be visited."""
    count = 60
    words = [
        encode("IFU", id=n % 16, target=(n * 7) % count, num=n % 5)
        if n % 3
        else encode("JMPU", id=n % 16, target=(n * 11) % count)
        for n in range(count)
    ]
    return Program([*words, encode("END")], [], [Executable(0, count)])


def test_programs_with_too_many_states_are_given_up() -> None:
    assert "too-complex" in {fault.rule for fault in validate(too_many_states())}


def test_every_rule_has_a_case() -> None:
    assert {case.rule for case in CASES} | {"too-complex"} == RULES.keys()


def test_a_usable_shader_has_no_fault() -> None:
    body = "mov r0, v0\nfor i0\nadd r0, c4[aL], r0\n.end\ncmp r0, lt, lt, v1\nifc cmp.x && !cmp.y\nmov r0, -r0\n.end\n"
    assert validate(shader(body + "mov o, r0\nmov o1, v1\nend", POSITION + ".out - clr o1")) == []


def test_faults_name_the_word() -> None:
    (fault,) = validate(shader("mov o, v0\nnop\nmov o.z, v0\nend"))
    assert (fault.rule, fault.address) == ("output-written-twice", 2)
    assert "o0.z" in fault.message
