"""The grammar of a line. The comment above a rule is an example of what it reads.

After a `-` nothing else can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

from typing import NamedTuple

from pyparsing import Group, ParserElement, Suppress

from glslc_multi.backends.pica200.isa.fragment.text.formulas import CALLS
from glslc_multi.compiler.isa.grammar import any_of, end_of_line, one_of, placed, rule
from glslc_multi.compiler.isa.mistakes import Word
from glslc_multi.compiler.parsing import listed, maybe, word


class Operand(NamedTuple):
    """`texture0.rgb`, with a mark where it is taken from 1."""

    complement: Word | None
    plain: Word


class Sum(NamedTuple):
    """`a * b + c`: operands, and the operators between them."""

    parts: list[Operand | Word]


class Call(NamedTuple):
    """`mix(a, b, c)`"""

    function: Word
    operands: list[Operand]
    place: tuple[int, int]


class SumTimes(NamedTuple):
    """`(a + b) * c`"""

    operands: list[Operand]


Formula = Sum | Call | SumTimes


class Scaled(NamedTuple):
    """`2 * (a * b)`"""

    scale: Word | None
    formula: Formula


class Combiner(NamedTuple):
    """`rgb = a * b unused c`"""

    name: Word
    scaled: Scaled
    unused: list[Operand] | None


class Constant(NamedTuple):
    """`constant = 255 128 0 255`"""

    name: Word
    channels: list[Word]


class Stage(NamedTuple):
    """`stage 0`, and what may follow on its line."""

    keyword: Word
    number: Word
    statement: Combiner | Constant | None


class Set(NamedTuple):
    """`set FOG_COLOR/01 r=255`, `set FOG_COLOR 0xff`: fields, or one number."""

    keyword: Word
    register: Word
    parts: list[Word]


class Table(NamedTuple):
    """`table fog`"""

    keyword: Word
    name: Word


class Row(NamedTuple):
    """`0x1000 0x2000`"""

    entries: list[Word]


class Header(NamedTuple):
    """`.tev`"""

    name: Word


NAME = r"[A-Za-z_]\w*"
END = r"(?![\w.])"
INTEGER = rf"(?:0[xX][0-9A-Fa-f]+|\d+){END}"
STATEMENTS = ("stage", "rgb", "a", "constant", "set", "table")


def keyword(text: str) -> ParserElement:
    return word(f"'{text}'", rf"{text}{END}")


def group(element: ParserElement) -> ParserElement:
    return Group(element, aslist=True)


equals, opening, closing, comma = (Suppress(mark) for mark in "=(),")
plus, minus, times = word("'+'", r"\+"), word("'-'", "-"), word("'*'", r"\*")
half, one = word("0.5", rf"0?\.5{END}"), word("1", rf"1{END}")

# --- Formulas ---------------------------------------------------------------------------------------------------------

OPERAND = "an operand such as texture0.rgb"
plain = word(OPERAND, rf"(?P<source>{NAME})\s*\.\s*(?P<channels>\w+)")
# (1 - texture0.rgb)
complement = rule(OPERAND, opening + one + Suppress(minus) - plain - closing, Operand)
# texture0.rgb
operand = (complement | rule(OPERAND, plain.copy(), lambda found: Operand(None, found))).set_name(OPERAND)
# (texture0.rgb + primary.rgb) * texture1.rgb
sum_times = rule(
    "a formula",
    opening + operand + Suppress(plus) - operand - closing - Suppress(times) - operand,
    lambda *operands: SumTimes(list(operands)),
)
# mix(texture0.rgb, primary.rgb, constant.aaa)
call = placed(
    "a formula",
    word("a function", rf"(?P<name>{any_of(CALLS, '')})\s*\(")
    - group(listed(operand, comma))
    - word("',' or ')'", r"\)"),
    lambda function, operands, _closing, place: Call(function, operands, place),
)
# texture0.rgb * primary.rgb + texture1.rgb
sum_ = rule(
    "a formula",
    operand
    + maybe(
        (times - operand + maybe(plus - operand)) | (plus - operand + maybe(minus - half)) | (minus - operand),
    ),
    lambda *parts: Sum([part for part in parts if part is not None]),
)
formula = (call | sum_times | sum_).set_name("a formula")
# 2 * (texture0.rgb * primary.rgb)
scaled = rule("a formula", word("a scale", rf"[124]{END}") - Suppress(times) - opening - formula - closing, Scaled)
unscaled = rule("a formula", formula.copy(), lambda found: Scaled(None, found))
unused = maybe(Suppress(keyword("unused")) - group(listed(operand, comma)))
# rgb = texture0.rgb * primary.rgb
combiner = rule(
    "a combiner",
    word("rgb or a", rf"(?:rgb|a){END}") - equals - (scaled | unscaled).set_name("a formula") - unused,
    Combiner,
)

# --- Lines ------------------------------------------------------------------------------------------------------------

number = word("a number", INTEGER)
# constant = 255 128 0 255
constant = rule(
    "a constant",
    keyword("constant") - equals - number - number - number - number,
    lambda name, *channels: Constant(name, list(channels)),
)
# stage 0  rgb = texture0.rgb
stage = rule("a stage", keyword("stage") - word("the number of a stage", INTEGER) - maybe(combiner | constant), Stage)
# r=255
field = word("a field such as r=255", r"(?P<field>[A-Za-z_]\w*)=(?P<value>\S+)")
# set FOG_COLOR/012 r=255   set 0x1a0 0x10
register = word("a register", rf"(?P<name>{NAME}|0[xX][0-9A-Fa-f]+)(?:/(?P<bytes>[0-3]+|-))?(?=\s|$)")
set_ = rule("a register", keyword("set") - register - (group(number) | group(field[1, ...])), Set)
# table fog
table = rule("a table", keyword("table") - word("the name of a table", NAME), Table)
# 0x1000 0x2000
row = rule("a row of a table", group(number[1, ...]), Row)
header = rule("a directive", word("a directive", rf"\.tev{END}"), Header)
statement = one_of(
    "statement",
    "a statement",
    [stage, combiner, constant, set_, table, row, header],
    STATEMENTS,
    word("a statement", r"\S+"),
)
#: One line, to its end.
line = statement - end_of_line
