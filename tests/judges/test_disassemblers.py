"""Mesa's disassemblers read random words as we do, and find a row of our tables that is wrong."""

from __future__ import annotations

from random import Random

import pytest

import glslc_multi.backends.vc4.isa.instructions as vc4
import glslc_multi.backends.xenos_family.isa.instructions as adreno
from glslc_multi.backends.adreno.isa.container import pack
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.program import CLAUSE_LIMIT, Program
from glslc_multi.compiler.records import replace
from tests.judges import model
from tests.judges.mesa_vc4 import MesaVc4Judge, differences
from tests.judges.model import Judge
from tests.judges.sample import bytes_of, of, rules, textured, vc4_program

_WORDS = 5000
_PROGRAMS = 40
#: Codes of filters that Mesa has no text for.
_NAMELESS = {"aniso": 6, "arbitrary": 6}


@of("mesa-vc4")
def test_vc4_words(judge: Judge) -> None:
    assert isinstance(judge, MesaVc4Judge)
    random = Random(1)
    words = [random.getrandbits(64) for _ in range(_WORDS)]
    # Conditions that no branch has.
    words = [word for word in words if not (word >> 60 == 15 and 12 <= word >> 52 & 15 <= 14)]
    lines, _ = judge.read(bytes_of(words, 64))
    assert differences(words, lines) == []


@of("mesa-vc4")
def test_a_wrong_row_of_vc4(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    program = vc4_program("fmin r0, r1, ra2")
    assert rules(judge, program) == set()
    monkeypatch.setitem(vc4.ADD_BY_CODE, vc4.ADD["fmin"].code, vc4.ADD["fmax"])
    assert rules(judge, program) == {"text"}


@of("mesa-a2xx")
def test_adreno_instructions(judge: Judge) -> None:
    random = Random(1)
    for _ in range(_PROGRAMS):
        fetches = [random.random() < 0.3 for _ in range(CLAUSE_LIMIT)]
        instructions = tuple(_fetch(random) if is_fetch else _alu(random) for is_fetch in fetches)
        sequence = sum((is_fetch | random.getrandbits(1) << 1) << 2 * place for place, is_fetch in enumerate(fetches))
        clause = A2XX.encode_clause("EXEC_END", addr=1, cnt=CLAUSE_LIMIT, sequence=sequence)
        code = pack(Program(A2XX, (clause, A2XX.encode_clause("NOP")), instructions))
        stage = random.choice(("vertex", "fragment"))
        assert judge.judge(model.Program("random", "", stage, code)) == []


def _alu(random: Random) -> int:
    """A word with operations that exist."""
    while True:
        word = random.getrandbits(formats.SLOT_SIZE)
        fields = formats.ALU.decode(word)
        if fields["vector_op"] in adreno.VECTOR_BY_CODE and fields["scalar_op"] in adreno.SCALAR_BY_CODE:
            return word


def _fetch(random: Random) -> int:
    """A word of a fetch whose mnemonic Mesa has."""
    while True:
        opcode = A2XX.fetch_by_name[random.choice(("VERTEX", "SAMPLE", "SET_TEX_LOD"))].code
        word = random.getrandbits(formats.SLOT_SIZE) & ~31 | opcode
        _, fields = A2XX.decode_fetch(word)
        if all(fields.get(name) != code for name, code in _NAMELESS.items()):
            return word


@of("mesa-a2xx")
def test_adreno_clauses(judge: Judge) -> None:
    random = Random(1)
    for _ in range(_PROGRAMS):
        clauses = [A2XX.encode_clause("EXEC", addr=4), *(_clause(random) for _ in range(7))]
        assert judge.judge(model.Program("random", "", "vertex", pack(Program(A2XX, tuple(clauses), ())))) == []


def _clause(random: Random) -> int:
    """A clause that runs no instruction."""
    row, fields = A2XX.decode_clause(random.getrandbits(formats.CLAUSE_SIZE))
    values = {name: value for name, value in fields.items() if name != "op"}
    return A2XX.encode_clause(row.name, **(values | {"cnt": 0} if "cnt" in values else values))


@of("mesa-a2xx")
def test_a_wrong_row_of_adreno(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    program = textured("adreno")
    assert rules(judge, program) == set()
    for code, row in tuple(adreno.VECTOR_BY_CODE.items()):
        monkeypatch.setitem(adreno.VECTOR_BY_CODE, code, replace(row, name=f"{row.name}x"))
    assert rules(judge, program) == {"text"}
