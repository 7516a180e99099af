"""What happens when registers are short: repeating, splitting, and at last a message."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.registers import RegisterClass
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile, Span
from tests.compiler.codegen.regalloc.machine import ADD, OUT, Model, R, V

TWO = RegisterClass.of("two", R.registers()[:2])
ALL = (0, 1, 2, 3)


def _load(register: VirtualRegister, number: int, span: Span | None = None) -> MachineInstruction:
    lanes = tuple(range(register.width))
    return MachineInstruction(ADD, [Def(register, lanes)], [Use(V[number], lanes), Use(V[0], lanes)], span=span)


def _out(register: VirtualRegister, *lanes: int) -> MachineInstruction:
    return MachineInstruction(OUT, [], [Use(register, lanes or tuple(range(register.width)))])


def test_a_vector_is_divided_among_what_others_leave() -> None:
    function = MachineFunction("main")
    block = function.add_block("entry")
    wide, pair = function.new_register(3, TWO), function.new_register(3, TWO)
    vector = function.new_register(2, TWO)
    for number, register in enumerate((vector, wide, pair)):
        block.append(_load(register, number))
    block.append(_out(wide))
    block.append(_out(pair))
    block.append(_out(vector))
    allocate(function, Model(), DiagnosticSink())
    names = [each.op.name for each in block.instructions]
    assert names.count("out") == 3
    assert "mov" in names


def test_the_message_names_limit_need_place_and_values() -> None:
    source = SourceFile("a.frag", "vec4 a, b, c;\nvec4 d = a + b + c;\n")
    function = MachineFunction("main")
    block = function.add_block("entry")
    values = []
    for number, name in enumerate("abc"):
        column = source.text.index(name + ("," if name != "c" else ";")) + 1
        span = Span(source, 1, column, 1, column + 1)
        value = function.new_register(4, TWO, name=name, span=span)
        block.append(_load(value, number, span))
        values.append(value)
    for value in values:
        block.append(_out(value))
    with pytest.raises(CompileError) as caught:
        allocate(function, Model(), DiagnosticSink())
    (message,) = caught.value.diagnostics
    assert message.code == "E0701"
    assert message.message == "needs 3 registers, toy has 2"
    assert message.span is not None and message.span.column == 12
    assert [label.text for label in message.labels] == [f"'{name}' is needed later" for name in "abc"]
    assert message.entry.exit_status == 3
