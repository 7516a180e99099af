"""encode(decode(word)) = word on all machines, for random words of every instruction.

Bits that no field of the format owns are ignored by AGAL, VC4, Adreno and Xenos (their validators judge them), and
make a word no instruction on PICA200 and THEIA.  Whatever the word, decoding raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

import pytest

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.agal.isa import instructions as agal
from glslc_multi.backends.agal.isa import program as agal_program
from glslc_multi.backends.pica200.isa import instructions as pica200
from glslc_multi.backends.theia.isa import instructions as theia
from glslc_multi.backends.vc4.isa import encoding as vc4
from glslc_multi.backends.vc4.isa import formats as vc4_formats
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import formats as family
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.compiler.isa.fields import Encoding, Format
from glslc_multi.compiler.records import dataclass

_WORDS = 40


def again_agal(word: int) -> int | None:
    token = agal_program.decode(word)
    return None if token is None else agal_program.encode(token)


def again_pica200(word: int) -> int | None:
    found = pica200.decode(word)
    return None if found is None else pica200.encode(found.name, **found.fields)


def again_theia(word: int) -> int | None:
    found = theia.decode(word)
    return None if found is None else theia.encode(found)


def again_fetch(isa: InstructionSet, word: int) -> int | None:
    row, values = isa.decode_fetch(word)
    return None if row is None else isa.encode_fetch(row.name, **_free(values, "opcode"))


def again_clause(isa: InstructionSet, word: int) -> int | None:
    row, values = isa.decode_clause(word)
    return isa.encode_clause(row.name, **_free(values, "op"))


def _free(values: Mapping[str, int], opcode: str) -> dict[str, int]:
    return {name: value for name, value in values.items() if name != opcode}


@dataclass(frozen=True, slots=True)
class Machine:
    """The words of a machine: size, formats with their fixed bits, and decoding followed by encoding."""

    name: str
    encodings: tuple[Encoding, ...]
    again: Callable[[int], int | None]
    #: Whether bits outside of fields make a word no instruction.
    is_strict: bool = False


def _plain(*formats: Format) -> tuple[Encoding, ...]:
    return tuple(Encoding(found.name, found) for found in formats)


def _of_family(isa: InstructionSet) -> tuple[Machine, ...]:
    return (
        Machine(f"{isa.name} alu", _plain(family.ALU), lambda word: isa.encode_alu(**family.ALU.decode(word))),
        Machine(f"{isa.name} fetch", tuple(isa.fetch_encodings), partial(again_fetch, isa)),
        Machine(f"{isa.name} clause", tuple(isa.clause_encodings), partial(again_clause, isa)),
    )


FAMILY = (A2XX, XENOS)
MACHINES = (
    Machine(
        "agal",
        tuple(Encoding(row.name, agal.FORMATS[row.shape], {"opcode": row.code}) for row in agal.INSTRUCTIONS),
        again_agal,
    ),
    Machine("pica200", tuple(pica200.ENCODINGS), again_pica200, is_strict=True),
    Machine("theia", tuple(theia.ENCODINGS), again_theia, is_strict=True),
    *(machine for isa in FAMILY for machine in _of_family(isa)),
    Machine(
        "vc4",
        (
            *_plain(vc4_formats.ALU_FORMAT),
            Encoding("load", vc4_formats.LOAD_FORMAT, {"sig": vc4_formats.LOAD}),
            Encoding("branch", vc4_formats.BRANCH_FORMAT, {"sig": vc4_formats.BRANCH}),
        ),
        lambda word: vc4.encode(vc4.decode(word)),
    ),
)

on_every_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)


@on_every_machine
def test_what_was_decoded_gives_the_word_again(machine: Machine) -> None:
    random = Random(1)
    for encoding in machine.encodings:
        form = encoding.format
        for _ in range(_WORDS):
            word = random.getrandbits(form.size) & ~form.reserved & ~encoding.mask | form.ones | encoding.match
            if machine.name == "vc4" and vc4_formats.format_of(word) is not form:
                continue
            assert machine.again(word) == word, f"{encoding.name}: {word:#x}"


@on_every_machine
def test_bits_that_no_field_owns(machine: Machine) -> None:
    """Each alone, beside an instruction."""
    random = Random(2)
    for encoding in machine.encodings:
        form = encoding.format
        for bit in (bit for bit in range(form.size) if form.reserved >> bit & 1):
            word = random.getrandbits(form.size) & ~form.reserved & ~encoding.mask | form.ones | encoding.match
            found = machine.again(word | 1 << bit)
            assert found == (None if machine.is_strict else word), f"{encoding.name}: bit {bit} of {word:#x}"


@on_every_machine
def test_any_word_is_decoded(machine: Machine) -> None:
    """To an instruction or to none, without an exception."""
    random = Random(3)
    size = max(encoding.format.size for encoding in machine.encodings)
    for _ in range(1000):
        machine.again(random.getrandbits(size))
