"""The checks of recorded data: what they accept, and that they notice every kind of change."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.backends.pica200.recorded import CONTAINER_HEX, CONTAINER_TEXT
from tests.golden import pica200
from tests.golden.__main__ import main
from tests.golden.runner import Failure
from tests.shared_data import shared_path

Record = dict[str, Any]

ENCODING: Record = {
    "asm": "mov o2, v0",
    "format": "1u",
    "word": "0x4c400000",
    "opdesc_id": 0,
    "opdesc": "0x0000036f",
}
FLOW: Record = {
    "name": "empty_if",
    "asm": ".proc main\n ifu b0\n .end\n end\n.end\n",
    "entry": 0,
    "endmain": 3,
    "words": ["0x9c000800", "0x84000000", "0x88000000"],
    "opdescs": [],
}
ZERO = "0x00000000"
EXECUTION: Record = {
    "name": "jump",
    "asm": ".out o pos\n.proc main\n jmpu b3, l\n mov o, v0\nl: end\n.end\n",
    "entry": 0,
    "words": ["0xb4c00800", "0x4c000000", "0x88000000"],
    "opdescs": ["0x0000036f"],
    "float_uniforms": {},
    "int_uniforms": {},
    "bool_uniforms": {"3": False},
    "vertices": [{"v0": ["0x3f800000", "nan", "0x40000000", "0xbf800000"]}],
    "results": [
        {
            "out": {"o0": ["0x3f800000", "nan", "0x40000000", "0xbf800000"]},
            "a0": [0, 0],
            "aL": 0,
            "cmp": [False, False],
            "steps": 3,
        }
    ],
}
DOCUMENTED: Record = {
    "op": "LITP",
    "s1": ["0xbf800000", "0x43480000", "0x40400000", "0x40800000"],
    "expect": [ZERO, "0x42fffe00", ZERO, "0x40800000"],
    "cmp": [False, True],
}
CONTAINER: Record = {
    "name": "loop_lights",
    "asm": CONTAINER_TEXT,
    "shbin_hex": CONTAINER_HEX,
    "entry": 0,
    "endmain": 11,
    "constants_float": {"95": [ZERO] * 4},
    "constants_int": {"3": [3, 0, 1, 0]},
    "outputs": [{"type": "position", "reg": 0, "mask": 15}, {"type": "color", "reg": 1, "mask": 15}],
    "uniforms": [
        {"name": "uMvp", "first": 16, "last": 19},
        {"name": "uDir", "first": 20, "last": 23},
        {"name": "uCol", "first": 24, "last": 27},
    ],
    "words": "0x60001000 0x60001081 0x60001102 0x60001183 0x4e07f004 0xa4c02000 0x063a4080 0x3227f880 0xf0e2a205 "
    "0x4c210004 0x88000000".split(" "),
    "opdescs": "0x0006c368 0x0006c364 0x0006c362 0x0006c361 0x0000036f 0x0d86c00f".split(" "),
}

Check = Callable[[Record, Any], Any]
RIGHT: list[tuple[Check, Record]] = [
    (pica200.encoding, ENCODING),
    (pica200.flow_encoding, FLOW),
    (pica200.execution, EXECUTION),
    (pica200.documented, DOCUMENTED),
    (pica200.container, CONTAINER),
]


@pytest.mark.parametrize(("check", "record"), RIGHT)
def test_right_records_pass(check: Check, record: Record) -> None:
    assert check(record, None) is None


@pytest.mark.parametrize(
    ("check", "record", "path", "value"),
    [
        (pica200.encoding, ENCODING, ["word"], "0x4c600000"),
        (pica200.encoding, ENCODING, ["opdesc"], "0x0000036e"),
        (pica200.encoding, ENCODING, ["format"], "1"),
        (pica200.flow_encoding, FLOW, ["words", 0], "0x9c000c00"),
        (pica200.flow_encoding, FLOW, ["endmain"], 2),
        (pica200.flow_encoding, FLOW, ["entry"], 1),
        (pica200.execution, EXECUTION, ["results", 0, "out", "o0", 0], "0x3f800001"),
        (pica200.execution, EXECUTION, ["results", 0, "out", "o0", 1], "0x3f800000"),
        (pica200.execution, EXECUTION, ["results", 0, "out", "o0", 2], "nan"),
        (pica200.execution, EXECUTION, ["results", 0, "steps"], 2),
        (pica200.execution, EXECUTION, ["results", 0, "a0"], [1, 0]),
        (pica200.execution, EXECUTION, ["results", 0, "aL"], 1),
        (pica200.execution, EXECUTION, ["results", 0, "cmp"], [True, False]),
        (pica200.execution, EXECUTION, ["results", 0, "emitted"], ["winding"]),
        (pica200.execution, EXECUTION, ["bool_uniforms", "3"], True),
        (pica200.documented, DOCUMENTED, ["expect", 1], "0x43000000"),
        (pica200.documented, DOCUMENTED, ["cmp"], [True, True]),
        (pica200.container, CONTAINER, ["shbin_hex"], CONTAINER_HEX[:-2] + "01"),
        (pica200.container, CONTAINER, ["uniforms", 0, "last"], 18),
        (pica200.container, CONTAINER, ["outputs", 0, "mask"], 7),
        (pica200.container, CONTAINER, ["constants_int", "3", 0], 4),
        (pica200.container, CONTAINER, ["constants_float", "95", 0], "0x3f800000"),
    ],
)
def test_wrong_records_fail(check: Check, record: Record, path: list[Any], value: object) -> None:
    changed = deepcopy(record)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert isinstance(check(changed, None), Failure)


def test_other_numberings_of_descriptors_are_right() -> None:
    text = ".proc main\nmov r0, r1\nmov r0.x, r1\nend\n.end"
    words, table = ["0x4e011000", "0x4e011001", "0x88000000"], ["0x0000036f", "0x00000368"]
    record = {"name": "two", "asm": text, "entry": 0, "words": words, "opdescs": table}
    assert pica200.flow_encoding(record, None) is None
    turned = {**record, "words": ["0x4e011001", "0x4e011000", "0x88000000"], "opdescs": table[::-1]}
    assert pica200.flow_encoding(turned, None) is None
    mixed = {**record, "opdescs": table[::-1]}
    assert isinstance(pica200.flow_encoding(mixed, None), Failure)


GLSL: Record = {
    "name": "scaled",
    "asm": ".fvec k\n.out o pos\n.out c clr\n.proc main\n mul o, k.x, v0\n mov c, v1\n end\n.end\n",
    "glsl": """attribute vec4 a; attribute float b; uniform float k; varying float c;
        void main() { gl_Position = k * a; c = b; }""",
    "bindings": {
        "attributes": {"a": "v0", "b": "v1"},
        "uniforms": {"k": ["c0", 1]},
        "outputs": {"gl_Position": "o0", "c": "o1.x"},
    },
    "entry": 0,
    "words": ["0x20020000", "0x4c201001", "0x88000000"],
    "opdescs": ["0x0006c00f", "0x0000036f"],
    "float_uniforms": {"0": ["0x40000000", ZERO, ZERO, ZERO]},
    "int_uniforms": {},
    "bool_uniforms": {},
    "vertices": [{"v0": ["0x3f800000"] * 4, "v1": ["0x40400000"] * 4}],
    "results": [{"out": {"o0": ["0x40000000"] * 4, "o1": ["0x40400000"] * 4}}],
}


def test_the_glsl_of_a_record_runs_beside_its_words() -> None:
    assert pica200.execution(GLSL, None) is None
    other = {**GLSL, "glsl": GLSL["glsl"].replace("k * a", "k + a")}
    failure = pica200.execution(other, None)
    assert failure == Failure("the GLSL gives another gl_Position")


def test_all_recorded_data(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(shared_path("golden/pica200").glob("*.json"))
    assert main(["pica200", *map(str, files)]) == 0
    total = sum(len(json.loads(path.read_text("utf-8"))) for path in files)
    passed, failed, skipped = (int(part.split()[0]) for part in capsys.readouterr().out.splitlines()[-1].split(", "))
    assert (passed + skipped, failed) == (total, 0)
