"""How fast GLSL becomes a syntax tree: lines a second from 100 to 5,000 dense lines, against lark's LALR parser.

    python -m benchmarks.frontend [--lines 100,1000,5000] [--rounds 7]

lark reads the same text by a grammar of the same language (its lexer included), so the fair comparison is that
of "preprocess + parse" with it; "parse" is the share of the parser alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import process_time

from benchmarks.harness import Timing, compare
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.frontends.glsl.parser import parse
from glslc_multi.frontends.glsl.preprocess import preprocess
from glslc_multi.frontends.glsl.tokens import PreprocessedShader

#: GLSL ES 1.00, chapter 9, for lark's LALR(1); the binary levels are spelled out as a yacc grammar must.
LARK_GRAMMAR = r"""
start: external*
?external: declaration | function
function: prototype block
declaration: prototype ";" | specified declarator_list ";" | struct ";"
    | "precision" PRECISION type ";" | "invariant" IDENT ";"
prototype: specified IDENT "(" (parameter ("," parameter)*)? ")"
parameter: specified (IDENT brackets?)?
specified: QUALIFIER* PRECISION? type
type: TYPE | IDENT | struct
struct: "struct" IDENT? "{" member+ "}"
member: specified declarator_list ";"
declarator_list: declarator ("," declarator)*
declarator: IDENT brackets? ("=" assignment)?
brackets: "[" assignment? "]"
block: "{" statement* "}"
?statement: block | declaration | expression? ";" -> expression_statement
    | "if" "(" expression ")" statement ("else" statement)? -> if_statement
    | "for" "(" for_first condition? ";" expression? ")" statement -> for_statement
    | "while" "(" condition ")" statement -> while_statement
    | "do" statement "while" "(" expression ")" ";" -> do_statement
    | JUMP expression? ";" -> jump
?for_first: declaration | expression? ";" -> expression_statement
?condition: expression | specified IDENT "=" assignment -> declared_condition
?expression: assignment | expression "," assignment
?assignment: conditional | unary ASSIGN assignment
?conditional: or | or "?" expression ":" assignment
?or: xor | or "||" xor
?xor: and | xor "^^" and
?and: equality | and "&&" equality
?equality: relation | equality EQUAL relation
?relation: sum | relation RELATION sum
?sum: product | sum SIGN product
?product: unary | product FACTOR unary
?unary: postfix | (SIGN | "!" | STEP) unary
?postfix: primary | postfix "[" expression "]" | postfix "." IDENT | postfix STEP | call
call: (IDENT | TYPE) "(" (assignment ("," assignment)*)? ")"
?primary: IDENT | NUMBER | "(" expression ")"
QUALIFIER.2: /(const|attribute|uniform|varying|invariant|in|out|inout)\b/
PRECISION.2: /(lowp|mediump|highp)\b/
JUMP.2: /(return|break|continue|discard)\b/
TYPE.2: /(void|float|int|bool|[bi]?vec[234]|mat[234]|sampler2D|samplerCube)\b/
NUMBER.2: /(\d+\.\d*|\.\d+)([eE][+-]?\d+)?|\d+[eE][+-]?\d+|0[xX][\da-fA-F]+|\d+|(true|false)\b/
IDENT: /[A-Za-z_]\w*/
ASSIGN: /[-+*\/]?=(?!=)/
EQUAL: "==" | "!="
RELATION: "<=" | ">=" | "<" | ">"
STEP: "++" | "--"
SIGN: "+" | "-"
FACTOR: "*" | "/"
%ignore /\s+/
%ignore /\/\/[^\n]*/
%ignore /\/\*(.|\n)*?\*\//
"""

_HEAD = [
    "precision mediump float;",
    "varying vec4 place;",
    "uniform mat4 turn;",
    "void main() {",
    "    vec4 sum = place;",
]
_TAIL = ["    gl_FragColor = sum;", "}"]


def dense_shader(lines: int) -> str:
    """A shader of this many lines, about 24 tokens each."""
    body = [_dense_line(number) for number in range(lines - len(_HEAD) - len(_TAIL))]
    return "\n".join([*_HEAD, *body, *_TAIL, ""])


def _dense_line(number: int) -> str:
    if number % 4 == 0:
        return f"    vec4 t{number} = sum * {number}.5 + turn * vec4(sum.xyz, 1.0) - place;"
    if number % 4 == 1:
        return f"    sum.xy += clamp(place.zw * 0.25, vec2(0.0), sum.xy - {number}.0);"
    if number % 4 == 2:
        return f"    if (sum.x > {number}.0 && sum.y < 2.0) sum = sum.wzyx * -place;"
    return "    for (int i = 0; i < 4; i++) { sum += place * float(i); }"


def _preprocess(source: str) -> PreprocessedShader:
    sink = DiagnosticSink()
    shader = preprocess(SourceFile("dense.frag", source), stage="fragment", defines={}, include_dirs=(), sink=sink)
    sink.raise_if_errors()
    return shader


def _parse(shader: PreprocessedShader) -> None:
    sink = DiagnosticSink()
    parse(shader, sink)
    sink.raise_if_errors()


def _lark_parser() -> Callable[[str], object]:
    from lark import Lark

    # Our nodes record positions, so lark's must, too.
    return Lark(LARK_GRAMMAR, parser="lalr", propagate_positions=True).parse


def measure(lines: int, rounds: int) -> list[Timing]:
    """The candidates on one shader, in turns."""
    source = dense_shader(lines)
    shader, lark_parse = _preprocess(source), _lark_parser()
    return compare(
        {
            "preprocess + parse": lambda: _parse(_preprocess(source)),
            "parse": lambda: _parse(shader),
            "lark LALR": lambda: lark_parse(source),
        },
        rounds=rounds,
        clock=process_time,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description="Lines a second of the GLSL parser, against lark.")
    arguments.add_argument("--lines", default="100,1000,5000", help="sizes, separated by commas")
    arguments.add_argument("--rounds", type=int, default=7)
    options = arguments.parse_args()
    for lines in map(int, options.lines.split(",")):
        tokens = len(_preprocess(dense_shader(lines)).tokens)
        print(f"{lines} lines, {tokens / lines:.1f} tokens a line")
        for timing in measure(lines, options.rounds):
            print(f"  {timing.name:20} {lines / timing.median:8.0f} lines/s, time ratio {timing.ratio:.2f}")


if __name__ == "__main__":
    main()
