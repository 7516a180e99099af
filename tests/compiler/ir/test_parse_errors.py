"""Every message about a text that is no IR: exact words, exact place, one a mistake."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.diagnostics.model import Diagnostic
from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module
from tests.generators.ir import generate
from tests.work import count_calls

HEAD = """shader vertex
attribute @a: vec4
uniform @u: float[3]
uniform @m: mat4
output @o: vec4
func @helper {
^entry:
  ret
}
func @main {
^entry:
  %0:vec4 = load @a
  %1:float = swizzle.x %0
"""
TAIL = """  store @o, %0
  ret
}
"""

#: A wrong instruction -> column and text of the message, with the help after ' | '.
INSTRUCTIONS = {
    "%2:vec4 = fad %0, %0": "13: unknown opcode 'fad' [E0602] | did you mean 'fadd'?",
    "%2:vec4 = fadd %0, %9": "22: value %9 is not defined in this function [E0603]",
    "%0:vec4 = fneg %0": "3: %0 is defined twice [E0604]",
    "br ^entri": "6: this function has no block '^entri' [E0605] | did you mean 'entry'?",
    "%2:vec4 = load @b.x": "18: no variable '@b.x' is declared [E0606]",
    "store @oo, %0": "9: no variable '@oo' is declared [E0606] | did you mean 'o'?",
    "call @helpr": "8: no function '@helpr' is defined [E0607] | did you mean 'helper'?",
    "%2:vec5 = fneg %0": "6: unknown type 'vec5' [E0608] | did you mean 'vec2'?",
    "%2:sampler2D = fneg %0": "6: unknown type 'sampler2D' [E0608]",
    "%2:vec4 = fadd %0": "13: 'fadd' takes 2 operands, found 1 [E0609]",
    "%2:vec4 = fadd %0, %1": "13: 'fadd' operand 2 must be vec4, found float [E0609]",
    "%2:vec4 = swizzle.xy %1": "13: 'swizzle' swizzle selects a component that float does not have [E0609]",
    "%2:float = mat_vec %1, %1, vec2(0.0)": ("14: 'mat_vec' matrix columns must be float vectors of one type [E0609]"),
    "condbr true, ^entry": "3: 'condbr' takes 2 targets, found 1 [E0609]",
    "condbr %1, ^entry, ^entry": "3: 'condbr' operand 1 must be bool, found float [E0609]",
    "%2:vec3 = fneg %0": "6: 'fneg' yields vec4 here, found vec3 [E0610]",
    "fneg %0": "3: 'fneg' yields vec4 here, found nothing [E0610]",
    "%2:vec4 = store @o, %0": "6: 'store' yields nothing here, found vec4 [E0610]",
    "%2:float = load @u[99999999999]": "22: an index must be from 0 to 2147483647 [E0612]",
    "%2:int = iadd 1, 2147483648": "20: an int must be from -2147483648 to 2147483647 [E0612]",
    "%2:float = fadd %1, 1e39": "23: a float must be from -3.4028235e+38 to 3.4028235e+38 [E0612]",
    "%12345678:float = fneg %1": "3: the number of a value must be from 0 to 1000000 [E0612]",
    "%2:float = fadd %1, 1": "14: 'fadd' operand 2 must be float, found int [E0609]",
    "%2:float = fadd %1, one": "23: expected an operand, such as %1 or 1.0, found 'one' [E0601]",
    "%2:float = fadd %1, undef": (
        "23: expected a value, such as %1 or 1.0, found 'undef' [E0601] | write the type too, as in 'float(undef)'"
    ),
    "%2:vec4 = fadd %0, vec4(1.0, 2.0)": "22: expected 4 components, found 2 [E0601]",
    "%2:vec4 = fadd %0, vec4(1)": "27: expected a float, such as 1.0, or 'undef', found '1' [E0601]",
    "%2:bool = not bool(1)": "22: expected 'true', 'false' or 'undef', found '1' [E0601]",
    "%2:float = fadd one": "19: expected operands, such as %1 or 1.0, found 'one' [E0601]",
    "%2:float = fadd %1 1.0": "22: expected the end of the line, found '1.0' [E0601]",
    "%2:float = fadd %1,": "22: expected an operand, such as %1 or 1.0, found the end of the line [E0601]",
    "%2 = fadd %1, 1.0": "6: expected ':', found '=' [E0601]",
    "%2:float fadd %1, 1.0": "12: expected '=', found 'fadd' [E0601]",
    "%2:float = fneg.x %1": "18: expected no suffix after 'fneg', found '.x' [E0601]",
    "%2:vec2 = swizzle %0": "13: expected '.' and one to four of x, y, z, w after the opcode, found none [E0601]",
    "%2:vec2 = swizzle.xq %0": "20: expected '.' and one to four of x, y, z, w, found '.xq' [E0601]",
    "%2:vec4 = insert.xy %0, %1": "19: expected '.' and one of x, y, z, w, found '.xy' [E0601]",
    "%2:vec4 = texture.lodd @m, %0": (
        "20: expected '.bias', '.lod', '.grad' or '.fetch', found '.lodd' [E0601] | did you mean 'lod'?"
    ),
    "%2:vec4 = texture @a, %0": "13: 'texture' takes a sampler, found vec4 [E0609]",
    "%2:vec4 = texture offset() @a": "28: expected a number of texels, found ')' [E0601]",
    "%2:vec4 = texture offset(99999999999) @u, %0": ("28: an offset must be from -2147483647 to 2147483647 [E0612]"),
    "%2:float = fneg offset(1) %1": "26: expected no offset after 'fneg', found '1' [E0601]",
    "%2:vec4 = fneg @a": "18: expected a value, such as %1 or 1.0, found '@a' [E0601]",
    "%2:vec4 = load": "13: expected '@' and the name of a variable, found none [E0601]",
    "%2:vec4 = load %0": "18: expected '@' and the name of a variable, found '%0' [E0601]",
    "%2:vec4 = load @m.%1": "13: 'load' takes 1 int index operand, found (float) [E0609]",
    "%2:vec4 = load @u[": "21: expected an index, such as 2 or %1, found the end of the line [E0601]",
    "%2:vec4 = phi %0": "17: expected '[', a value and the block it comes from, found '%0' [E0601]",
    "call @helper[0]": "8: expected a function without index or column, found '@helper' [E0601]",
    'br ^"a\\q"': "7: expected a text with the escapes of JSON, found '\"a\\q\"' [E0601]",
    'ret at "f" 1:2-3': "19: expected ':', found the end of the line [E0601]",
    "attribute @b: vec4": "3: a declaration must be before the first block [E0611]",
    "shader vertex": "10: the 'shader' line must be first, and only once [E0611]",
    "+": "3: expected a declaration, a block or an instruction, found '+' [E0601]",
}


def messages(text: str) -> list[str]:
    """`line:column: text [code] | help`, one a message."""
    sink = DiagnosticSink()
    module = parse_module(text, "t.sir", sink)
    assert (module is None) == bool(sink.diagnostics)
    return [_line(diagnostic) for diagnostic in sink.diagnostics]


def _line(diagnostic: Diagnostic) -> str:
    assert diagnostic.span is not None
    place = f"{diagnostic.span.line}:{diagnostic.span.column}"
    labels = "".join(f" | {label.span.line}:{label.span.column} {label.text}" for label in diagnostic.labels)
    help = "" if diagnostic.help is None else f" | {diagnostic.help}"
    return f"{place}: {diagnostic.message} [{diagnostic.code}]{labels}{help}"


@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_wrong_instruction(instruction: str) -> None:
    found = messages(f"{HEAD}  {instruction}\n{TAIL}")
    without_labels = [text for text in found if "defined twice" not in text]
    expected = f"{HEAD.count(chr(10)) + 1}:{INSTRUCTIONS[instruction]}"
    if "defined twice" in expected:
        assert found == [f"{expected} | 12:3 first defined here"]
    else:
        assert without_labels == found == [expected]


DECLARATIONS = {
    "uniform @u: vec4": "2:9: '@u' is defined twice [E0604] | 1:9 first defined here",
    "uniform @v: mat5": "2:13: unknown type 'mat5' [E0608] | did you mean 'mat2'?",
    "uniform @v: void": "2:13: unknown type 'void' [E0608]",
    "uniform @v: vec4[0]": "2:18: an array size must be from 1 to 1048576 [E0612]",
    "uniform @v: vec4[2048][1024]": "2:24: the length of an array must be from 1 to 1048576 [E0612]",
    "uniform @v: vec4 highq": "2:18: variables have no property 'highq' [E0613] | did you mean 'highp'?",
    "uniform @v: vec4 highp lowp": "2:24: the precision of the variable is defined twice [E0604]",
    "uniform @v: mat4 columns(3)": "2:18: the columns of the variable is defined twice [E0604]",
    "uniform @v: vec4 location": "2:18: expected 'location' with an argument in parentheses, found none [E0601]",
    "uniform @v: vec4 location(x)": "2:27: expected a number, found 'x' [E0601]",
    "uniform @v: vec4 location(70000)": "2:27: the argument of 'location' must be from 0 to 65536 [E0612]",
    "uniform @v: vec4 highp(1)": "2:24: expected no argument of 'highp', found '1' [E0601]",
    "uniform v: vec4": "2:9: expected '@' and a name, found 'v' [E0601]",
    "unifrom @v: vec4": "2:11: expected the end of the line, found ':' [E0601] | did you mean 'uniform'?",
    "pragma on": "2:8: expected a text in double quotes, found 'on' [E0601]",
    "%0:float = fneg 1.0": "2:1: an instruction must be in a block of a function [E0611]",
    "^entry:": "2:1: a block must be in a function [E0611]",
    "}": "2:1: '}' must be at the end of a function [E0611]",
}


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_wrong_declaration(declaration: str) -> None:
    shifted = messages(f"shader vertex\nuniform @u: vec4\n{declaration}\nfunc @main {{\n^entry:\n  ret\n}}\n")
    expected = DECLARATIONS[declaration].replace("2:", "3:", 1).replace("| 1:", "| 2:")
    assert shifted == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: a line 'shader' with the stage must be first [E0611]"),
        (
            "shader vertx\n",
            "1:8: expected 'vertex', 'geometry' or 'fragment', found 'vertx' [E0601] | did you mean 'vertex'?",
        ),
        ("shader vertex\nfunc @f {\n^a:\n  ret\n", "5:1: function '@f' is not closed [E0614] | 2:6 opened here"),
        (
            "shader vertex\nfunc @f {\nfunc @g {\n^a:\n  ret\n}\n",
            "3:1: function '@f' is not closed [E0614] | 2:6 opened here",
        ),
        ("shader vertex\nfunc @f {\n}\nfunc @f {\n}\n", "4:6: '@f' is defined twice [E0604] | 2:6 first defined here"),
        (
            "shader vertex\nfunc @f {\n^a:\n  ret\n^a:\n  ret\n}\n",
            "5:1: '^a' is defined twice [E0604] | 3:1 first defined here",
        ),
        (
            "shader vertex\nfunc @f {\nuniform @u: int\n^a:\n  ret\n}\n",
            "3:1: an interface variable must be outside of functions [E0611]",
        ),
    ],
)
def test_wrong_structure(text: str, expected: str) -> None:
    assert messages(text) == [expected]


def test_several_mistakes_give_one_message_each() -> None:
    text = f"{HEAD}  %2:vec4 = fad %0, %0\n  %3:vec4 = fneg %2\n  %4:vec4 = fadd %3, %8\n  %5:vec4 = fneg %4\n{TAIL}"
    assert messages(text) == [
        "14:13: unknown opcode 'fad' [E0602] | did you mean 'fadd'?",
        "16:22: value %8 is not defined in this function [E0603]",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "func @main {\n^a:\n  %0:float fneg 1.0\n  %1:float = fneg %0\n  ret\n}\n",
            "4:12: expected '=', found 'fneg'",
        ),
        ("func @main {\n^a:\n  br ^b\n^b\n  ret\n}\n", "5:3: expected ':', found the end of the line"),
        ("func @main {\n^a\n  ret\n}\n", "3:3: expected ':', found the end of the line"),
        ("local @l float\nfunc @main {\n^a:\n  store @l, 1.0\n  ret\n}\n", "2:10: expected ':', found 'float'"),
        ("local @l: flot\nfunc @main {\n^a:\n  store @l, 1.0\n  ret\n}\n", "2:11: unknown type 'flot'"),
        (
            "func @f\n^a:\n  %0:int = iadd 1, 1\n  ret\n}\nfunc @main {\n^a:\n  call @f\n  ret\n}\n",
            "2:8: expected '{', found the end of the line",
        ),
        ("func @f\n^a:\n  ret\nfunc @main {\n^a:\n  ret\n}\n", "2:8: expected '{', found the end of the line"),
    ],
)
def test_a_broken_definition_is_not_missed_by_its_users(text: str, expected: str) -> None:
    (found,) = messages(f"shader vertex\n{text}")
    assert found.startswith(expected)


def test_the_sink_limits_the_number_of_messages() -> None:
    sink = DiagnosticSink(max_errors=3)
    assert parse_module("?\n" * 10, "t.sir", sink) is None
    assert sink.error_count == 3


def _mutated(random: Random, text: str) -> str:
    """The text with two lines exchanged, or one piece deleted, doubled, or made strange."""
    if random.random() < 0.3:
        lines = text.splitlines(keepends=True)
        one, other = random.randrange(len(lines)), random.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
        return "".join(lines)
    start = random.randrange(len(text))
    end = min(len(text), start + random.choice((1, 1, 2, 5, 40)))
    piece = text[start:end]
    change = random.choice(("", piece * 2, random.choice('%@^()[].,:={}"\\-+;\n\t\x00é9x'), "9" * 30))
    return text[:start] + change + text[end:]


def _read_and_use(text: str) -> None:
    """A module that a mutated text still describes can be verified and printed, whatever it is."""
    module = parse_module(text, "t.sir", DiagnosticSink())
    if module is not None:
        verify_module(module, final=True)
        printed = print_module(module, spans=True)
        again = parse_module(printed, "t.sir", DiagnosticSink())
        assert again is not None and print_module(again, spans=True) == printed


@pytest.mark.thorough
def test_any_text_ends_in_a_module_or_messages() -> None:
    random = Random(5)
    for seed in range(20):
        text = print_module(generate(random, statements=4, textures=True, spans=True).module, spans=True)
        for _ in range(15):
            _read_and_use(_mutated(random, text))
        assert messages(text) == [], f"seed {seed}"


@pytest.mark.parametrize(
    "line",
    [
        "  %0:float = fadd {}1.0",
        "  {}ret",
        "  ret {}",
        '  ret at "f" 1:2-3:4{}',
        "  %0:vec4 = load @u[{}",
        "local @a: int{}",
        "local @{}a: int",
        "^{}",
        "{}",
    ],
)
@pytest.mark.parametrize(
    "piece", ["1.0, ", "[1]", "(", "[", "-", "@", "a.", '"', "\\", ";", " ", 'inlined "f" at "f" 1:1-1:1 ']
)
def test_long_lines_take_linear_work(line: str, piece: str) -> None:
    """Four times the line must not take more than four times the calls, whatever it repeats, and no deep recursion."""

    def work(count: int) -> int:
        text = f"shader vertex\nfunc @main {{\n^a:\n{line.format(piece * count)}\n  ret\n}}\n"
        return count_calls(lambda: parse_module(text, "t.sir", DiagnosticSink()))

    assert work(2000) < 4.1 * work(500)


def test_any_bytes_end_in_messages() -> None:
    random = Random(7)
    for _ in range(100):
        assert messages(random.randbytes(60).decode("latin-1"))
