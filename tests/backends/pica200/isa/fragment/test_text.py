"""The text of register writes: what formulas mean, that nothing is lost, and what is said of mistakes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS,
    SCALES,
    SOURCES,
)
from glslc_multi.backends.pica200.isa.fragment.encode import encode, stage_words
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Combiner, Operand, Stage, Write
from glslc_multi.backends.pica200.isa.fragment.registers import REGISTERS
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.isa.fragment.text.assemble import assemble
from glslc_multi.backends.pica200.isa.fragment.text.disassemble import disassemble
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from tests.backends.pica200.isa.fragment.test_encode import random_configuration


def _assembled(text: str) -> tuple[Write, ...]:
    return assemble(text, "test.s", DiagnosticSink())


def _words(text: str) -> list[int]:
    return [write.value for write in _assembled(text)]


def _messages(text: str) -> str:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        assemble(text, "test.s", sink)
    return "\n".join(f"{d.span.line}:{d.span.column}: {d.message}" for d in sink.diagnostics if d.span is not None)


# --- What formulas mean -----------------------------------------------------------------------------------------------

_A, _B, _C = (f"texture{number}.rgb" for number in range(3))


@pytest.mark.parametrize(
    ("formula", "function", "sources"),
    [
        (_A, 0, 0x003),
        (f"{_A} * {_B}", 1, 0x043),
        (f"{_A} + {_B}", 2, 0x043),
        (f"{_A} + {_B} - 0.5", 3, 0x043),
        # mix(x, y, w) is y where w is 1, which the machine calls its first operand.
        (f"mix({_B}, {_A}, {_C})", 4, 0x543),
        (f"{_A} - {_B}", 5, 0x043),
        (f"dot3({_A}, {_B})", 6, 0x043),
        (f"dot3_rgba({_A}, {_B})", 7, 0x043),
        (f"{_A} * {_B} + {_C}", 8, 0x543),
        (f"({_A} + {_B}) * {_C}", 9, 0x543),
    ],
)
def test_functions(formula: str, function: int, sources: int) -> None:
    source, operand, combiner, constant, scale = _words(f".tev\nstage 2 rgb = {formula}\na = primary.a")
    assert (source, operand, combiner, constant, scale) == (sources, 0, function, 0xFFFFFFFF, 0)


def test_scales_channels_and_what_is_unused() -> None:
    text = """
    .tev            ; a comment
    stage 4
        constant = 1 2 0x03 255
        a = 4 * ( (1 - primary . b) )  unused constant.r, buffer.g
        rgb = 2 * (previous.aaa + (1-lighting1.rrr))
    """
    writes = _assembled(text)
    assert [write.register for write in writes] == [0x0F0, 0x0F1, 0x0F2, 0x0F3, 0x0F4]
    assert [write.value for write in writes] == [0x0DE0_002F, 0x0042_7052, 0x0000_0002, 0xFF030201, 0x0002_0001]


def test_registers_by_fields() -> None:
    text = """
    set FRAGOP_ALPHA_TEST enable=1 function=>= reference=0x80
    set TEXENV_UPDATE_BUFFER/1 rgb=3 a=8
    set LIGHT3_XY x=1.0 y=-2.5
    set LIGHT3_SPOTDIR_Z z=-1
    set 0x148/03 0xffffffff
    set FOG_COLOR/- 7
    """
    assert _assembled(text) == (
        Write(0x104, 0x8071),
        Write(0x0E0, 0x8300, 0b0010),
        Write(0x174, 0xC1003C00),
        Write(0x177, 0x1FFF),
        Write(0x148, 0xFFFFFFFF, 0b1001),
        Write(0x0E1, 7, 0),
    )


# --- Nothing is lost --------------------------------------------------------------------------------------------------


def _round_trip(writes: Sequence[Write]) -> None:
    text = disassemble(writes)
    assert _assembled(text) == tuple(writes), text


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_with_every_operand(function: str) -> None:
    source = random.Random(function)
    for colour in COLOUR_SELECTIONS:
        for alpha in ALPHA_SELECTIONS:
            operands = [[Operand(source.choice(list(SOURCES)), s) for _ in range(3)] for s in (colour, alpha)]
            rgb, a = (Combiner(function, (a, b, c), source.choice(SCALES)) for a, b, c in operands)
            words = stage_words(Stage(rgb, a))
            _round_trip([Write(0x0D8 + place, word) for place, word in enumerate(words)])


def test_configurations() -> None:
    for seed in range(50):
        _round_trip(encode(random_configuration(random.Random(seed))))


def test_any_value_of_any_register() -> None:
    source = random.Random(1)
    for register in REGISTERS:
        values = [0, 0xFFFFFFFF, *(source.randrange(1 << 32) & source.randrange(1 << 32) for _ in range(20))]
        # Values with no bit outside of fields have their fields in the text.
        values += [value & ~register.format.reserved for value in values]
        _round_trip([Write(register.address, value, source.randrange(16)) for value in values])


def test_stages_that_are_none() -> None:
    words = stage_words(INERT)
    whole = [Write(0x0C0 + place, word) for place, word in enumerate(words)]
    _round_trip(whole[:4])
    _round_trip([*whole[:2], *whole[3:]])
    _round_trip([*whole[:4], Write(0x0C4, 3)])
    _round_trip([Write(0x0C0, words[0], 0b0111), *whole[1:]])
    _round_trip([Write(0x0C0, words[0] | 1 << 31), *whole[1:]])


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    table, source = TABLES[name], random.Random(name)
    entries = [Write(table.data_register, source.randrange(1 << 24)) for _ in range(table.size)]
    index = Write(table.index_register, table.first)
    assert f"table {name}\n" in disassemble([index, *entries])
    _round_trip([index, *entries])
    _round_trip([index, *entries[1:]])
    _round_trip([Write(table.index_register, table.first + 1), *entries])
    _round_trip([index, *entries[:-1], Write(table.data_register + 1, 0)])
    _round_trip([index, *entries, *entries])


# --- Mistakes ---------------------------------------------------------------------------------------------------------

_WHOLE = "stage 0 rgb = primary.rgb\na = primary.a"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stag 0", "1:1: pica200 has no statement 'stag'"),
        ("stage 6", "1:7: the number of a stage must be 0 to 5, found 6"),
        ("stage x", "1:7: expected the number of a stage, found 'x'"),
        ("stage 0", "1:1: stage 0 has no formula for rgb"),
        ("stage 0 rgb = primary.rgb", "1:1: stage 0 has no formula for a"),
        ("rgb = primary.rgb", "1:1: expected a stage first, found 'rgb'"),
        (f"{_WHOLE}\na = primary.r", "3:1: statement 'a' is defined twice"),
        ("stage 0 rgb = texture4.rgb\na = primary.a", "1:15: pica200 has no source 'texture4'"),
        ("stage 0 rgb = texture0.rg\na = primary.a", "1:24: pica200 has no selection of channels for rgb 'rg'"),
        ("stage 0 rgb = primary.rgb\na = primary.rgb", "2:13: pica200 has no selection of channels for a 'rgb'"),
        ("stage 0 rgb = primary.rgb *\na = primary.a", "1:28: expected an operand such as texture0.rgb, found the end"),
        ("stage 0 rgb = primary.rgb + primary.rgb - 0.25\na = primary.a", "1:43: expected 0.5, found '0'"),
        ("stage 0 rgb = mix(primary.rgb, primary.rgb)\na = primary.a", "1:15: mix takes 3 operands, found 2"),
        ("stage 0 rgb = 3 * (primary.rgb)\na = primary.a", "1:15: expected a formula, found '3'"),
        ("stage 0 rgb = primary.rgb unused primary.rgb\na = primary.a", "1:9: REPLACE leaves 2 unused, which takes 2"),
        (f"{_WHOLE}\nconstant = 1 2 3", "3:17: expected a number, found the end of the line"),
        (f"{_WHOLE}\nconstant = 1 2 3 256", "3:18: a channel must be 0 to 255, found 256"),
        ("set FOG_COLOUR r=1", "1:5: pica200 has no register 'FOG_COLOUR'"),
        ("set FOG_COLOR a=1", "1:15: pica200 has no field of FOG_COLOR 'a'"),
        ("set FOG_COLOR r=256", "1:17: r must be 0 to 255, found 256"),
        ("set FOG_COLOR r=red", "1:17: pica200 has no value of r 'red'"),
        ("set FOG_COLOR r=1 r=2", "1:19: expected each field once, found 'r'"),
        ("set LIGHT0_Z z=high", "1:16: expected a number, found 'high'"),
        ("set FOG_COLOR", "1:14: expected"),
        ("set FOG_COLOR 1 2", "1:17: expected"),
        ("set 0x1a0 r=1", "1:11: expected a number, since the register has no name, found 'r=1'"),
        ("set 0x10000 1", "1:5: the address of a register must be 0 to 65535, found 0x10000"),
        ("set FOG_COLOR 0x100000000", "1:15: the value of a register must be 0 to 4294967295"),
        ("table smoke", "1:7: pica200 has no table 'smoke'"),
        ("table fog\n1 2 3", "1:1: table fog has 128 entries, found 3"),
        ("1 2 3", "1:1: expected a table first, found '1'"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    found = _messages(text)
    assert found.startswith(message), found
    assert "\n" not in found, "one mistake, one message"


def test_a_mistake_is_shown_in_its_line() -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        assemble(".tev\nstage 0  rgb = texture0.rbg\n         a = texture0.a\n", "grey.s", sink)
    shown = render(sink.diagnostics)
    assert "stage 0  rgb = texture0.rbg" in shown
    assert "did you mean 'rgb'?" in shown
