"""The grammar of a line: an instruction, its operands, and the options of a sampler.

The comment above a rule is an example of what it reads.  Which registers there are, and which operand an instruction
takes where, is not its business.
"""

from __future__ import annotations

import string
from typing import NamedTuple

from pyparsing import ParserElement, Regex

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.registers import COMPONENTS
from glslc_multi.compiler.isa.grammar import any_of, many, one_of, placed, rule
from glslc_multi.compiler.isa.mistakes import END_OF_LINE, Place, Word
from glslc_multi.compiler.parsing import maybe, word


class Register(NamedTuple):
    """`vt0.xyz`"""

    word: Word


class Indirect(NamedTuple):
    """`vc[va0.x+8].xyz`; `by` is None where it is not well-formed."""

    word: Word
    by: Word | None
    components: Word
    place: Place


Operand = Register | Indirect


class Options(NamedTuple):
    """`<2d, linear>`"""

    words: list[Word]
    place: Place


class Line(NamedTuple):
    """`tex ft0, v0, fs0 <2d, linear>`"""

    name: Word
    operands: list[Operand]
    options: Options | None


def spaced(name: str, pattern: str) -> ParserElement:
    """A word with blanks and commas before it, or without."""
    return word(name, pattern).set_whitespace_chars(string.whitespace + ",")


def inside(element: ParserElement) -> ParserElement:
    """An element that no blanks may precede."""
    return element.leave_whitespace()


BANK = r"(?P<bank>[A-Za-z]+)(?P<number>[0-9]*)"
COMPONENTS_OF = r"(?:\.(?P<components>\w+))?(?![\w.\[])"

# mul
known = spaced("an instruction", any_of(instructions.BY_NAME, r"(?![^\s,<])"))
other = spaced("an instruction", r"[^\s,<]+")
name = one_of("instruction", "an instruction", [known], instructions.BY_NAME, other)
# vt0   vt0.xyz
register = rule("a register", spaced("a register", BANK + COMPONENTS_OF), Register)
# va0.x+8
index = word("an index", rf"{BANK}\.(?P<component>[{COMPONENTS}])(?:\+(?P<offset>[0-9]+))?(?=\])")
malformed = Regex(r"[^]]*").suppress().set_name("anything else")
# vc[va0.x+8].xyz
indirect = placed(
    "a register by index",
    spaced("a register", rf"{BANK}\[") - inside(maybe(index) + malformed) - inside(word("']'", r"\]" + COMPONENTS_OF)),
    Indirect,
)
operand = (register | indirect).set_name("a register")
# <2d, linear>
options = placed(
    "options",
    spaced("'<'", "<") - many(spaced("an option", r"[^\s,>]+")) - spaced("'>'", ">"),
    lambda _opening, words, _closing, place: Options(words, place),
)
operands = many(~spaced("'<' or the end", "<|$") - operand)
statement = name - operands - maybe(options)
end = spaced(END_OF_LINE, "$").suppress()
#: One line, to its end.
line = rule("a line", statement, Line) - end
