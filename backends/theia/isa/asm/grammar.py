"""The grammar of a line: a label, or an instruction with its operands, with blanks between them.

The comment above a rule is an example of what it reads.  Mnemonics and the operands that they take come from the
instruction table.  After a `-` nothing else can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import sub
from typing import NamedTuple

from pyparsing import ParserElement

from glslc_multi.backends.theia.isa.instructions import BY_NAME, RETURN_CODES, SWIZZLE, Shape
from glslc_multi.compiler.isa.grammar import any_of, by_shape, end_of_line, one_of, refused, rule
from glslc_multi.compiler.isa.mistakes import Mistake, Word, unexpected
from glslc_multi.compiler.parsing import maybe, word

NAME = r"[A-Za-z_]\w*"
#: The end of what stands between blanks.
END = r"(?!\S)"
LABEL = rf"(?P<name>{NAME}):{END}"


class LabelLine(NamedTuple):
    """`outside:`; nothing else may stand there."""

    label: Word
    more: Word | None


class Instruction(NamedTuple):
    """`JGX outside R1 C1`; the operands have the order of the row's shape."""

    name: Word
    operands: tuple[Word, ...]


def _lost(code: Word) -> Mistake:
    """The project's assembler takes RT_TRUE for a number too, and loses it."""
    return unexpected(code, NUMBER, f"'{code[0]}'", f"write 32'h{RETURN_CODES.index(code[0])}")


# --- Operands ---------------------------------------------------------------------------------------------------------

# R1   CREG_ZERO   51   Which ones there are depends on the variant of the machine.
register = word("a register", r"\S+")
# outside   8044
target = word("a label or an address", rf"(?:(?P<name>{NAME})|(?P<address>[0-9][0-9A-Fa-f]{{3,4}})){END}")
# RT_TRUE
code = word("RT_TRUE or RT_FALSE", any_of(RETURN_CODES, END))
NUMBER = "a number of 32 bits such as 32'h20000"
# 32'h20000
number = word(NUMBER, rf"32'h(?P<digits>[0-9A-Fa-f]{{1,16}}){END}")
immediate = (number | refused(code.copy(), _lost)).set_name(NUMBER)
# SWIZZLE_XXX
swizzle = word("a swizzle", rf"{SWIZZLE}(?P<swizzle>\S*)")
#: Letter of a shape -> its operand.
OPERANDS: Mapping[str, ParserElement] = {
    "D": register,
    "S": register,
    "-": register,
    "L": target,
    "I": immediate,
    "W": (swizzle | immediate).set_name(NUMBER),
    "C": code,
}

# --- Lines ------------------------------------------------------------------------------------------------------------


def _instructions(names: Sequence[str], shape: Shape) -> ParserElement:
    """The instructions of a shape with their operands."""
    element = word("an instruction", any_of(names, END)) - reduce(sub, [OPERANDS[letter] for letter in shape])
    return rule("an instruction", element, lambda name, *operands: Instruction(name, operands))


shapes = by_shape({name: row.shape for name, row in BY_NAME.items()})
rules = [_instructions(names, shape) for shape, names in shapes.items()]
#: A line that is no label, to its end.
instruction = one_of("instruction", "an instruction", rules, BY_NAME, word("an instruction", r"\S+")) - end_of_line
#: A line that begins with a label.
label_line = rule("a label", word("a label", LABEL) + maybe(word("a label alone on its line", r"\S+")), LabelLine)
