"""The grammar of a line: labels, then the parts of an instruction or a directive.

The comment above a rule is an example of what it reads.  What an operand may be depends on the instruction and on
names that are defined elsewhere, so the grammar only distinguishes numbers, names and marks.  After a `-` nothing else
can be meant: what does not fit there is the mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyparsing import Forward, Group, Opt, ParserElement, Regex, Suppress, ZeroOrMore

from glslc_multi.backends.vc4.isa.asm import syntax
from glslc_multi.backends.vc4.isa.text.alu import PIPES, SIGNAL_NAMES
from glslc_multi.backends.vc4.isa.text.operands import BRANCHES, LOADS
from glslc_multi.compiler.isa.grammar import any_of, end_column, end_of_line, many, one_of, placed, rule
from glslc_multi.compiler.parsing import listed, maybe, word

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
left, right, opening, closing = Suppress("["), Suppress("]"), word("'('", r"\("), Suppress(")")
name = word("a name", NAME)

# --- Operands ---------------------------------------------------------------------------------------------------------


def _expression(first: syntax.Term, steps: list[Any], end: int) -> syntax.Expression:
    return syntax.Expression(first, list(zip(steps[::2], steps[1::2], strict=True)), (first.start, end))


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
    lambda value: syntax.Expression(syntax.Term([], value), [], value.span()),
)
# 1 << 4 + x   r1 << 3
steps = rule("an expression", term + many(operator - term) + end_column, _expression)
expression <<= alone | steps
# -
dash = placed("'-'", word("'-'", f"-{END}"), syntax.Dash)
# r:top
label_use = placed("a label", word("a label", r"r?:[\w$]+"), syntax.LabelUse)
# [0, 1, -2]
lanes = placed("'['", left - Group(listed(expression, Suppress(comma)), aslist=True) - right, syntax.Lanes)
operand = (alone | dash | label_use | lanes | steps).set_name("an operand")

# --- Instructions -----------------------------------------------------------------------------------------------------

part_end = Regex("(?=;|$)").set_name("',', ';' or the end of the line")


operands = Group(Opt(~part_end - listed(operand, comma)), aslist=True)
known = word("an instruction", any_of(MNEMONICS, r"(?![\w$])(?:\.\w+)*"))
head = one_of("instruction", "an instruction", [known], MNEMONICS, word("an instruction", r"[A-Za-z_$][\w$]*"))
# fadd.setf r0, r1, ra2
part = rule("an instruction", head - operands - part_end, lambda head, items, _: syntax.Part(head, items[::2]))
any_part = maybe(~part_end - part)
# fadd r0, r1, r2; fmul r1, r2, r3
instruction = rule(
    "an instruction",
    any_part + ZeroOrMore(semicolon + any_part),
    lambda *items: syntax.Instruction(list(items[::2]), list(items[1::2])),
)

# --- Directives -------------------------------------------------------------------------------------------------------

numbers = listed(expression, Suppress(comma))
#: Directive -> its operands.
DIRECTIVES: Mapping[str, ParserElement] = {
    "set": name - Suppress(Opt(",")) - expression,
    "include": word("a file name in quotes", r'"[^"]*"|<[^<>\s]+>'),
    "global": name - Regex(".*").suppress().set_name("anything"),
    "align": Opt(~end_of_line - expression),
    **dict.fromkeys(("long", "int", "quad", "float"), numbers),
}


def _directive(spelling: str, operands: ParserElement) -> ParserElement:
    rule_ = word("a directive", any_of([spelling], r"(?![\w$.])"))
    return rule("a directive", rule_ - operands, lambda name, *operands: syntax.Directive(name, operands))


directives = [_directive(*row) for row in DIRECTIVES.items()]
# .set two, 1.0 + 1.0
directive = Suppress(".") - one_of("directive", "a directive", directives, DIRECTIVES, word("a directive", NAME))
directive.set_name("a directive")

# --- Lines ------------------------------------------------------------------------------------------------------------

# :top   top:
label = word("a label", rf":(?P<after>[\w$]+)|(?P<before>{NAME})\s*:(?![\w$])")
#: One line, to its end.
line = rule("a line", many(label) + (directive | instruction), syntax.Line) - end_of_line
