"""The grammar of a line: an instruction, its operands, and the options of a sampler.

The comment above a rule is an example of what it reads.  Which registers there are, and which operand an instruction
takes where, is not its business.
"""

from __future__ import annotations

import string

from pyparsing import Group, ParserElement, Regex, ZeroOrMore

from backends.agal.isa import instructions
from backends.agal.isa.registers import COMPONENTS
from compiler.diagnostics.catalogue.machine import AGAL_UNKNOWN_OPCODE
from compiler.isa.assembly import END_OF_LINE, Mistake, Place, Word, unknown
from compiler.isa.grammar import any_of, refused, rule
from compiler.parsing import maybe, word
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Register:
    """`vt0.xyz`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Indirect:
    """`vc[va0.x+8].xyz`; the index is None where it is not well-formed."""

    word: Word
    index: Word | None
    components: Word

    @property
    def place(self) -> Place:
        return self.word.start(), self.components.end()


Operand = Register | Indirect


@dataclass(frozen=True, slots=True)
class Options:
    """`<2d, linear>`"""

    opening: Word
    words: list[Word]
    closing: Word

    @property
    def place(self) -> Place:
        return self.opening.start(), self.closing.end()


@dataclass(frozen=True, slots=True)
class Line:
    """`tex ft0, v0, fs0 <2d, linear>`"""

    name: Word
    operands: list[Operand]
    options: Options | None


def _unknown(name: Word) -> Mistake:
    return unknown(AGAL_UNKNOWN_OPCODE, name, name[0], instructions.BY_NAME)


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
name = (known | refused(spaced("an instruction", r"[^\s,<]+"), _unknown)).set_name("an instruction")
# vt0   vt0.xyz
register = rule("a register", spaced("a register", BANK + COMPONENTS_OF), Register)
# va0.x+8
index = word("an index", rf"{BANK}\.(?P<component>[{COMPONENTS}])(?:\+(?P<offset>[0-9]+))?(?=\])")
malformed = Regex(r"[^]]*").suppress().set_name("anything else")
# vc[va0.x+8].xyz
indirect = rule(
    "a register by index",
    spaced("a register", rf"{BANK}\[") - inside(maybe(index) + malformed) - inside(word("']'", r"\]" + COMPONENTS_OF)),
    Indirect,
)
operand = (register | indirect).set_name("a register")
# <2d, linear>
options = rule(
    "options",
    spaced("'<'", "<") - Group(ZeroOrMore(spaced("an option", r"[^\s,>]+")), aslist=True) - spaced("'>'", ">"),
    Options,
)
operands = Group(ZeroOrMore(~spaced("'<' or the end", "<|$") - operand), aslist=True)
statement = name - operands - maybe(options)
end = spaced(END_OF_LINE, "$").suppress()
#: One line, to its end.
line = rule("a line", statement, Line) - end
