"""Expressions (chapter 9) in stock pyparsing elements: what `expressions` reads faster.

For the diagrams, and for tests that compare the two; compiling never imports this.
"""

from __future__ import annotations

from pyparsing import And, Forward, MatchFirst, Opt, ParserElement

from frontends.glsl.grammar.alphabet import BOOLEAN, IDENTIFIER, LETTERS, NUMBER, TYPE
from frontends.glsl.grammar.elements import CommaList, Spelled, Terminal
from frontends.glsl.operators import BINARY_LEVELS

#: Names of the levels of `BINARY_LEVELS`, in chapter 9.
_LEVEL_NAMES = (
    "logical_or_expression logical_xor_expression logical_and_expression inclusive_or_expression "
    "exclusive_or_expression and_expression equality_expression relational_expression shift_expression "
    "additive_expression multiplicative_expression"
).split()


def _token(spelling: str) -> Terminal:
    return Terminal(LETTERS[spelling], f"'{spelling}'")


def _one_of(spellings: str) -> ParserElement:
    return MatchFirst([_token(spelling) for spelling in spellings.split()])


def _infix(operand: ParserElement, level: int) -> ParserElement:
    """The operators of one level between operands, which bind from the left."""
    operators = _one_of(BINARY_LEVELS[level])
    return And([operand, (operators + operand)[...]]).set_name(_LEVEL_NAMES[level])


_identifier, _type = Terminal(IDENTIFIER, "a name"), Terminal(TYPE, "a type")
_opener, _closer = _token("("), _token(")")

expression, assignment_expression = Forward(), Forward()

primary_expression = MatchFirst(
    [_identifier, Terminal(NUMBER, "a number"), Terminal(BOOLEAN, "true or false"), _opener + expression + _closer]
).set_name("primary_expression")
_arguments = Spelled(TYPE, "void", "'void'") | CommaList(assignment_expression)
_brackets = _token("[") + Opt(expression) + _token("]")
function_call = ((_identifier | _type) + Opt(_brackets) + _opener + Opt(_arguments) + _closer).set_name("function_call")
_field = _token(".") + _identifier
_length_call = _token(".") + Spelled(IDENTIFIER, "length", "'length'") + _opener + _closer
postfix_expression = (
    (function_call | primary_expression)
    + MatchFirst([_token("[") + expression + _token("]"), _length_call, _field, _token("++"), _token("--")])[...]
).set_name("postfix_expression")
unary_expression = (_one_of("++ -- + - ! ~")[...] + postfix_expression).set_name("unary_expression")

_operation: ParserElement = unary_expression
for _level in reversed(range(len(BINARY_LEVELS))):
    _operation = _infix(_operation, _level)
conditional_expression = (_operation + Opt(_token("?") + expression + _token(":") + assignment_expression)).set_name(
    "conditional_expression"
)
assignment_operator = _one_of("= *= /= %= += -= <<= >>= &= ^= |=").set_name("assignment_operator")
assignment_expression <<= conditional_expression + Opt(assignment_operator + assignment_expression)
expression <<= CommaList(assignment_expression)
expression.set_name("expression")
assignment_expression.set_name("assignment_expression")
