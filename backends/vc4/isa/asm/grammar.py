"""The grammar of a line: labels, then the parts of an instruction or a directive.

The comment above a rule is an example of what it reads.  What an operand may be depends on the instruction and on
names that are defined elsewhere, so the grammar only distinguishes numbers, names and marks.  After a `-` nothing else
can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyparsing import Forward, Group, MatchFirst, Opt, ParserElement, Regex, Suppress, ZeroOrMore

from backends.vc4.isa.asm import syntax
from backends.vc4.isa.text.alu import PIPES, SIGNAL_NAMES
from backends.vc4.isa.text.operands import BRANCHES, LOADS
from compiler.diagnostics.catalogue.machine import VC4_UNKNOWN_NAME
from compiler.isa.assembly import Mistake, Word, unknown
from compiler.isa.grammar import any_of, end_of_line, many, refused, rule
from compiler.parsing import listed, maybe, word

#: A name includes its suffixes.
NAME = r"[A-Za-z_$][\w$]*(?:\.\w+)*"
NUMBER = r"(?:0[xX][0-9A-Fa-f]+|0[bB][01]+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)(?![\w.])"
MNEMONICS = (*PIPES, *SIGNAL_NAMES, *LOADS, *BRANCHES, "read")
NAME_OR_NUMBER = rf"(?:(?P<name>{NAME})|(?P<number>{NUMBER}))"
#: The end of an operand.
END = r"(?=\s*(?:[,;]|$))"
#: Open parentheses in an expression.
DEEPEST = 25

comma, semicolon = word("','", ","), word("';'", ";")
left, right, opening, closing = word("'['", r"\["), Suppress("]"), word("'('", r"\("), Suppress(")")
name = word("a name", NAME)

# --- Operands ---------------------------------------------------------------------------------------------------------


def _expression(first: syntax.Term, steps: list[Any]) -> syntax.Expression:
    return syntax.Expression(first, list(zip(steps[::2], steps[1::2], strict=True)))


expression = Forward()
expression.set_name("an expression")
# (1 + x)
parenthesised = rule("'('", opening - expression - closing, syntax.Parenthesised)
# -~x
term = rule(
    "a number",
    many(word("a sign", "[-+~]")) + (word("a number", NAME_OR_NUMBER) | parenthesised).set_name("a number"),
    syntax.Term,
)
operator = word("an operator", r"<<|>>|[-+*/%&|^]")
# r1
alone = rule(
    "an operand",
    word("an operand", NAME_OR_NUMBER + END),
    lambda value: syntax.Expression(syntax.Term([], value), []),
)
# 1 << 4 + x   r1 << 3
steps = rule("an expression", term + many(operator - term), _expression)
expression <<= alone | steps
# -
dash = rule("'-'", word("'-'", f"-{END}"), syntax.Dash)
# r:top
label_use = rule("a label", word("a label", r"r?:[\w$]+"), syntax.LabelUse)
# [0, 1, -2]
lanes = rule("'['", left - Group(listed(expression, Suppress(",")), aslist=True) - right, syntax.Lanes)
operand = (alone | dash | label_use | lanes | steps).set_name("an operand")

# --- Instructions -----------------------------------------------------------------------------------------------------

part_end = word("',', ';' or the end of the line", r"(?=;|$)")


def _unknown_instruction(found: Word) -> Mistake:
    name = found[0].partition(".")[0]
    return unknown(VC4_UNKNOWN_NAME, found, name, MNEMONICS, kind="instruction")


def _part(head: Word, items: list[Any], end: Word) -> syntax.Part:
    return syntax.Part(head, items[::2], items[1::2], end)


def _instruction(*items: Any) -> syntax.Instruction:
    return syntax.Instruction(list(items[::2]), list(items[1::2]))


operands = Group(Opt(~part_end - listed(operand, comma)), aslist=True)
known = word("an instruction", any_of(MNEMONICS, r"(?![\w$])(?:\.\w+)*"))
head = (known | refused(word("an instruction", NAME), _unknown_instruction)).set_name("an instruction")
# fadd.setf r0, r1, ra2
part = rule("an instruction", head - operands - part_end, _part)
any_part = maybe(~part_end - part)
# fadd r0, r1, r2; fmul r1, r2, r3
instruction = rule("an instruction", any_part + ZeroOrMore(semicolon + any_part), _instruction)

# --- Directives -------------------------------------------------------------------------------------------------------

numbers = listed(expression, Suppress(","))
#: Directive -> its operands.
DIRECTIVES: Mapping[str, ParserElement] = {
    "set": name - Suppress(Opt(",")) - expression,
    "include": word("a file name in quotes", r'"[^"]*"|<[^<>\s]+>'),
    "global": name - Regex(".*").suppress().set_name("anything"),
    "align": Opt(~end_of_line - expression),
    **dict.fromkeys(("long", "int", "quad", "float"), numbers),
}


def _unknown(found: Word) -> Mistake:
    return unknown(VC4_UNKNOWN_NAME, found, found[0], DIRECTIVES, kind="directive")


def _directives() -> list[ParserElement]:
    """A rule for each directive."""
    return [
        rule(
            "a directive",
            word("a directive", any_of([spelling], r"(?![\w$.])")) - operands,
            lambda name, *operands: syntax.Directive(name, operands),
        )
        for spelling, operands in DIRECTIVES.items()
    ]


# .set two, 1.0 + 1.0
directive = Suppress(".") - MatchFirst([*_directives(), refused(word("a directive", NAME), _unknown)])
directive.set_name("a directive")

# --- Lines ------------------------------------------------------------------------------------------------------------

# :top   top:
label = word("a label", rf":(?P<after>[\w$]+)|(?P<before>{NAME})\s*:(?![\w$])")
#: One line, to its end.
line = rule("a line", many(label) + (directive | instruction), syntax.Line) - end_of_line
