"""The grammar of machine code as text: one line in, one record out, whatever the target's names mean.

The comment above a rule is an example of what it reads.  After a `-` nothing else can be meant: what does not fit there
is the mistake.
"""

from __future__ import annotations

from functools import partial

from pyparsing import Combine, Forward, Opt, ParserElement, Regex, ZeroOrMore

from compiler.parsing import Word, list_of, listed, mark, maybe, rule, word
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Virtual:
    """`%3.xy` or, where it is defined, `%3:temporary4!.xy`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Physical:
    """`r0.xy`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Uniform:
    """`@lights[].pos[2].0.xy`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Literal:
    """`(1.0, _).xy`"""

    opening: Word
    numbers: list[Word]
    closing: Word


AnyRegister = Virtual | Physical | Uniform | Literal


@dataclass(frozen=True, slots=True)
class Source:
    """`r0.x[a0.x]<16a>`, with `|` around it where it is absolute."""

    absolute: bool
    register: AnyRegister
    relative: AnyRegister | None
    extra: Word | None


@dataclass(frozen=True, slots=True)
class Operand:
    """A source that may be negated."""

    minus: Word | None
    source: Source


@dataclass(frozen=True, slots=True)
class Attribute:
    """`condition='lt'`"""

    name: Word
    value: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """`r0.x, r1.y = mul? r2.xy, -r3.x {saturate=True} -> ^then`"""

    definitions: list[AnyRegister]
    opcode: Word
    operands: list[Operand]
    attributes: list[Attribute]
    targets: list[Word]


@dataclass(frozen=True, slots=True)
class LiveLine:
    """`live-in v0.xyzw, acc1`"""

    keyword: Word
    registers: list[AnyRegister]


@dataclass(frozen=True, slots=True)
class UndefinedLine:
    """`undefined %2:temporary2`"""

    keyword: Word
    register: AnyRegister


@dataclass(frozen=True, slots=True)
class BlockLine:
    """`^entry bundled -> ^loop:`"""

    name: Word
    bundled: Word | None
    targets: list[Word]


@dataclass(frozen=True, slots=True)
class WordLine:
    """Instructions that issue together."""

    instructions: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class HeadLine:
    """`func @main {`"""

    name: Word


Line = LiveLine | UndefinedLine | BlockLine | WordLine

#: Lanes, and the end of what has them.
LANES = r"(?P<lanes>\.[xyzw_]*)?(?![\w.])"


def register(name: str, pattern: str, record: type[AnyRegister]) -> ParserElement:
    """A register or what can stand for one, with its lanes."""
    return rule(name, word(name, pattern + LANES), record)


end = word("the end of the line", r"(?:;.*)?$")

# ----------------------------------------------------------------------------------- operands
# %3   %3.xy   %3:temporary4!.xyzw
virtual = register(
    "a virtual register", r"%(?P<number>\d{1,9})(?::(?P<class>\w+?)(?P<width>\d)(?P<ordered>!)?)?", Virtual
)
# @lights[].pos[2].0.wz
uniform = register("a uniform", r"@(?P<variable>\S+?)\[(?P<offset>\d{1,9})\]\.(?P<column>\d{1,9})", Uniform)
# r0.xy
physical = register("a physical register", r"(?P<name>\w+)", Physical)
number = word(
    "a number or '_'",
    r"(?:(?P<none>_)|(?P<int>-?\d{1,20})|(?P<float>-?(?:inf|nan|\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)))(?![\w.])",
)
# (1.0, _, -2, inf).xxzw
literal = rule(
    "a literal",
    word("'('", r"\(") - list_of(listed(number)) + word("')' and lanes", rf"\){LANES}"),
    Literal,
)
any_register = (virtual | uniform | literal | physical).set_name("a register")
# r0.x[a0.x]<16a>
source = any_register + maybe("[" - any_register + "]") + maybe(word("an extra", "<(?P<extra>[^>]*)>"))
# |r0.x|   where a blank after the bar would make it the one between two instructions
absolute = rule("an absolute value", Regex(r"\|(?=\S)") - source + "|", partial(Source, True))
plain = rule("a source", source.copy(), partial(Source, False))
operand = rule("a register", maybe(word("'-'", "-")) + (absolute | plain).set_name("a register"), Operand)
no_operands = Regex(r"(?=[{;]|->|\|(?!\S)|$)").set_name("no operands")
operands = list_of((no_operands | listed(operand)).set_name("a register"))

# ------------------------------------------------------------------------------- instructions
text = Regex(r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"').set_name("a text in quotes")
value = Forward()
# Compare(first=1, 'lt')   (1, 2)   <Condition.N: 4>
closing = Regex(r"[)\]}>]").set_name("a closing bracket")
bracketed = Regex(r"[(\[{<]") - value + ZeroOrMore(Regex(", ?") - value) + closing
value <<= ZeroOrMore(text | bracketed.set_name("brackets") | Regex(r"[^'\"()\[\]{}<>,]+").set_name("letters"))
value.set_name("a value")
# condition='lt'
attribute = (word("a name", r"\w+") - "=" + Combine(value)).set_name("an attribute")
attribute.set_parse_action(lambda _line, _start, tokens: Attribute(tokens[0], tokens[2]))
# {condition='lt', saturate=True}
attributes = "{" - listed(attribute) + "}"
label = word("'^' and the name of a block", r"\^(?P<name>[^\s:,]+)")
# -> ^then, ^join
targets = list_of(Opt("->" - listed(label)))
# r0.x, r1.y = mul? r2.xy, -r3.x {saturate=True} -> ^then
instruction = rule(
    "an instruction",
    list_of(Opt(listed(any_register) + "="))
    + word("an opcode", r"(?P<name>[A-Za-z_]\w*(?: if\b)?)(?P<conditional>\?)?")
    - operands
    + list_of(Opt(attributes))
    + targets,
    Instruction,
)

# -------------------------------------------------------------------------------------- lines
# live-in v0.xyzw, acc1
live_keyword = word("'live-in' or 'live-out'", r"live-(?:in|out)\b")
live = rule("live registers", live_keyword - list_of(listed(any_register)), LiveLine)
# undefined %2:temporary2
undefined = rule("an undefined register", word("'undefined'", r"undefined\b") - any_register, UndefinedLine)
# ^entry bundled -> ^loop:
block = rule("a block", label - maybe(word("'bundled'", r"bundled\b")) + targets + ":", BlockLine)
# r0.x = mov %0.x | acc1 = mov acc2
words = rule("a word", listed(instruction, "|"), lambda *instructions: WordLine(instructions))
statement = (live | undefined | block | words).set_name("a declaration, a block or an instruction")
#: One line of a function.
line = (statement - end).set_name("a line").parse_with_tabs()
# func @main {
head = rule("a head", mark("func") - word("'@' and a name", r"@(?P<name>\S+)") + "{", HeadLine)
first_line = (head - end).set_name("the first line").parse_with_tabs()
