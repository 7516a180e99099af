"""Places for instructions that were made without one."""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.places import fill_places
from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.isa.listing import without_gaps
from tests.compiler.codegen.machine_programs import ADD, ANY, MOV, SEND, R

FILE = SourceFile("a.vert", "\n" * 9)


def line(number: int) -> Span:
    return Span(FILE, number, 1, number, 1)


def test_a_copy_comes_from_its_value_then_from_its_reader_then_from_what_goes_before() -> None:
    function = MachineFunction("main")
    entry, last = function.add_block("entry"), function.add_block("last")
    entry.successors = [last]
    known, unknown = function.new_register(1, ANY, span=line(1)), function.new_register(1, ANY)
    of_value = MachineInstruction(MOV, [Def(known, (0,))], [Use(R[0], (0,))])
    of_reader = MachineInstruction(MOV, [Def(unknown, (0,))], [Use(R[1], (0,))])
    first = MachineInstruction(SEND, [], [Use(R[2], (0,))])
    entry.instructions = [
        first,
        of_value,
        of_reader,
        MachineInstruction(ADD, [Def(R[0], (0,))], [Use(known, (0,)), Use(unknown, (0,))], span=line(2)),
        behind := MachineInstruction(SEND, [], [Use(R[3], (0,))]),
    ]
    end = MachineInstruction(SEND, [], [])
    last.instructions = [end]
    fill_places(function)
    assert [made.span for made in (of_value, of_reader, behind)] == [line(1), line(2), line(2)]
    assert (first.span, end.span) == (None, None), "what begins and ends the program comes from no line"


def test_words_between_others_come_from_the_one_before() -> None:
    one, two = (line(1),), (line(2),)
    assert without_gaps([(), one, (), (), two, (), ()]) == [(), one, one, one, two, (), ()]
    assert without_gaps([(), ()]) == [(), ()]
