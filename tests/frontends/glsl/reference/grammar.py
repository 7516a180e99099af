"""The grammar of GLSL (chapter 9 of the specification of 3.30) in plain pyparsing: the reference for the parser.

It reads the tokens of a preprocessed shader, one blank between any two.  Its results are short texts of trees, as
`tests/frontends/glsl/parser/shapes.py` writes those of the parser.  The railroad diagrams are drawn from it, and the
fuzzer writes sentences by it.

Where the parser leaves a rule to the checker, this does so too: qualifiers come in any order and number, anything may
stand before an assignment operator, labels anywhere, and an interface block may declare several names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pyparsing import Empty, Forward, MatchFirst, Opt, ParseException, ParserElement, StringEnd, Token

from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.operators import BINARY_LEVELS
from glslc_multi.frontends.glsl.parser.terminals import PRECISION, QUALIFIER, TERMINALS

VERSION = 330
#: Names of the levels of `BINARY_LEVELS`, in chapter 9.
_LEVEL_NAMES = (
    "logical_or_expression logical_xor_expression logical_and_expression inclusive_or_expression "
    "exclusive_or_expression and_expression equality_expression relational_expression shift_expression "
    "additive_expression multiplicative_expression"
).split()
Make = Callable[[list[Any]], str]


def _rule(element: ParserElement, make: Make) -> ParserElement:
    """Let the result of a new element be made of those of its parts."""
    return element.set_parse_action(lambda found: make(list(found)))


class Terminal(Token):
    """A token; diagrams show its name, the fuzzer writes one of its words."""

    def __init__(self, pattern: str, shown: str, words: Sequence[str] = ()) -> None:
        super().__init__()
        self.pattern = re.compile(rf"(?:{pattern})(?!\S)")
        self.shown = shown
        self.words = words

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return self.shown

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> tuple[int, str]:  # noqa: N802
        found = self.pattern.match(instring, loc)
        if found is None:
            raise ParseException(instring, loc, self.shown, self)
        return found.end(), found[0]


def _words(words: Iterable[str], name: str = "") -> Terminal:
    """One of some words or operators."""
    words = list(words)
    return Terminal("|".join(map(re.escape, words)), name or " | ".join(words), words)


def _word(spelling: str) -> ParserElement:
    """A word or operator that is not part of the result."""
    return _words([spelling]).set_parse_action(lambda _: [])


def _one_of(spellings: str) -> ParserElement:
    return MatchFirst([_words([spelling]) for spelling in spellings.split()])


def _hidden(element: ParserElement) -> ParserElement:
    """An element that reads nothing, and that no diagram shows."""
    element.show_in_diagram = False
    return element


def _option(element: ParserElement) -> ParserElement:
    """An element whose result is empty where it is left out."""
    return Opt(element, default="")


def _binary(operand: ParserElement, operators: ParserElement) -> ParserElement:
    return _rule(operand + (operators + operand)[...], _from_the_left)


def _list(item: ParserElement) -> ParserElement:
    """One or more, separated by commas; the result is one text."""
    return _rule(item + (_COMMA + item)[...], " ".join)


def _number(text: str) -> str:
    """Write the value of a literal (section 4.1.3)."""
    digits = text.rstrip("uU")
    if digits[:2] in ("0x", "0X"):
        return repr(int(digits, 16))
    if re.fullmatch(r"\d+", digits):
        return repr(int(digits, 8 if digits.startswith("0") else 10))
    return repr(float(text.rstrip("fF")))


def _from_the_left(parts: list[str]) -> str:
    """Join operands by operators that bind from the left."""
    left, *rest = parts
    for operator, right in zip(rest[::2], rest[1::2], strict=True):
        left = f"({operator} {left} {right})"
    return left


def _prefixed(parts: list[str]) -> str:
    *operators, operand = parts
    for operator in reversed(operators):
        operand = f"({operator}_ {operand})"
    return operand


def _postfixed(parts: list[str]) -> str:
    base, *postfixes = parts
    for postfix in postfixes:
        base = postfix.format(base)
    return base


def _qualified(parts: list[str]) -> str:
    """Join qualifiers; what any `layout` lists is of all of them."""
    items = " ".join(part[len("layout(") : -1] for part in parts if part.startswith("layout("))
    return " ".join(f"layout({items})" if part.startswith("layout(") else part for part in parts)


def _quoted(text: str) -> str:
    """Keep braces of a text from being places for another."""
    return text.replace("{", "{{").replace("}", "}}")


_KINDS = word_kinds(VERSION)
_TYPES = [word for word, kind in _KINDS.items() if kind == "keyword" and word not in TERMINALS]
_LPAREN, _RPAREN, _COMMA, _SEMICOLON = map(_word, "(),;")
_LBRACKET, _RBRACKET, _LBRACE, _RBRACE = map(_word, "[]{}")

IDENTIFIER = Terminal(rf"(?!(?:{'|'.join(_KINDS)})(?!\S))[A-Za-z_]\w*", "IDENTIFIER")
NUMBER = Terminal(r"\.?\d\S*", "INTCONSTANT | FLOATCONSTANT")
NUMBER.add_parse_action(lambda found: _number(found[0]))
BOOLEAN = _words(["true", "false"]).add_parse_action(lambda found: repr(found[0] == "true"))
TYPE = _words(_TYPES, "name of a basic type")
_QUALIFIERS = [word for word, terminal in TERMINALS.items() if terminal == QUALIFIER and _KINDS.get(word) == "keyword"]
STORAGE = _words(_QUALIFIERS)
PRECISION_WORD = _words(word for word, terminal in TERMINALS.items() if terminal == PRECISION)

# --- Expressions ------------------------------------------------------------------------------------------------------

expression, assignment_expression = Forward(), Forward()
array_size = _rule(_LBRACKET + _option(assignment_expression) + _RBRACKET, lambda p: f"[{p[0]}]")
_constructed_size = _rule(_LBRACKET + _option(expression) + _RBRACKET, lambda p: f"[{p[0]}]")
_no_arguments = _rule(_word("void") + _RPAREN, lambda _: "")
function_call = _rule(
    (IDENTIFIER | TYPE)
    + _option(_constructed_size)
    + _LPAREN
    + (_no_arguments | _option(_list(assignment_expression)) + _RPAREN),
    lambda p: f"{p[0]}{p[1]}({p[2]})",
)
primary_expression = MatchFirst([IDENTIFIER, NUMBER, BOOLEAN, _LPAREN + expression + _RPAREN])
_postfix = MatchFirst(
    [
        _rule(_LBRACKET + expression + _RBRACKET, lambda p: f"([] {{}} {_quoted(p[0])})"),
        _rule(_word(".") + _word("length") + _LPAREN + _RPAREN, lambda _: "(length {})"),
        _rule(_word(".") + IDENTIFIER, lambda p: f"(. {{}} {p[0]})"),
        _rule(_one_of("++ --"), lambda p: f"(_{p[0]} {{}})"),
    ]
)
postfix_expression = _rule((function_call | primary_expression) + _postfix[...], _postfixed)
unary_expression = _rule(_one_of("++ -- + - ! ~")[...] + postfix_expression, _prefixed)
_operation = unary_expression
for _operators, _name in zip(reversed(BINARY_LEVELS), reversed(_LEVEL_NAMES), strict=True):
    _operation = _binary(_operation, _one_of(_operators)).set_name(_name)
conditional_expression = _rule(
    _operation + Opt(_word("?") + expression + _word(":") + assignment_expression),
    lambda p: p[0] if len(p) == 1 else f"(? {p[0]} {p[1]} {p[2]})",
)
assignment_operator = _one_of("= *= /= %= += -= <<= >>= &= ^= |=")
assignment_expression <<= _rule(
    conditional_expression + Opt(assignment_operator + assignment_expression), _from_the_left
)
expression <<= _binary(assignment_expression, _words([","]))

# --- Declarations -----------------------------------------------------------------------------------------------------

layout_qualifier_id = _rule(
    IDENTIFIER + _option(_word("=") + assignment_expression), lambda p: p[0] + (p[1] and f"={p[1]}")
)
layout_qualifier = _rule(_word("layout") + _LPAREN + _list(layout_qualifier_id) + _RPAREN, lambda p: f"layout({p[0]})")
type_qualifier = MatchFirst([STORAGE, PRECISION_WORD, layout_qualifier, _words(["invariant"])])
type_qualifiers = _rule(type_qualifier[1, ...], _qualified)

struct_specifier = Forward()
_array_type = _rule((TYPE | IDENTIFIER) + _option(array_size), "".join)
type_specifier = struct_specifier | _array_type
struct_declarator = _rule(IDENTIFIER + _option(array_size), "".join)
struct_declaration = _rule(
    _option(type_qualifiers) + type_specifier + _list(struct_declarator) + _SEMICOLON, lambda p: f"<{'|'.join(p)}>"
)
struct_declaration_list = _rule(struct_declaration[1, ...], "".join)
struct_specifier <<= _rule(
    _word("struct") + _option(IDENTIFIER) + _LBRACE + struct_declaration_list + _RBRACE,
    lambda p: f"struct {p[0]}{{{p[1]}}}",
)

init_declarator = _rule(
    IDENTIFIER + _option(array_size) + _option(_word("=") + assignment_expression),
    lambda p: p[0] + p[1] + (p[2] and f"={p[2]}"),
)
init_declarator_list = _list(init_declarator)
#: `float, a;` declares nothing before the comma.
_names = _option(Opt(_COMMA) + init_declarator_list)
_unqualified = _hidden(Empty().set_parse_action(lambda: ""))
_certain_type = struct_specifier | _rule(TYPE + _option(array_size), "".join)
#: A name alone may begin an expression; that it is a type is certain where another name follows.
variable_declaration = _rule(
    MatchFirst(
        [
            type_qualifiers + type_specifier + _names,
            _unqualified + _certain_type + _names,
            _unqualified + _array_type + init_declarator_list,
        ]
    )
    + _SEMICOLON,
    lambda p: f"var({'|'.join(p)})",
)
interface_block = _rule(
    type_qualifiers + IDENTIFIER + _LBRACE + struct_declaration_list + _RBRACE + _names + _SEMICOLON,
    lambda p: f"block({p[0]}|{p[1]}{{{p[2]}}}|{p[3]})",
)
_last_qualifiers = layout_qualifier + STORAGE + _SEMICOLON
layout_defaults = _rule(
    (_hidden(~_last_qualifiers) + type_qualifier)[...] + _last_qualifiers, lambda p: f"layout({_qualified(p)})"
)
precision_declaration = _rule(
    _word("precision") + PRECISION_WORD + type_specifier + _SEMICOLON, lambda p: f"precision({p[0]} {p[1]})"
)
invariant_declaration = _rule(_word("invariant") + _list(IDENTIFIER) + _SEMICOLON, lambda p: f"invariant({p[0]})")
parameter_declaration = _rule(
    _option(type_qualifiers) + type_specifier + _option(IDENTIFIER) + _option(array_size),
    lambda p: f"<{'|'.join([p[0], p[1], p[2] + p[3]])}>",
)
_no_parameters = _rule(_word("void") + _RPAREN, lambda _: "")
#: Before a name the word `invariant` does not qualify, but declares.
_no_redeclaration = _hidden(~(_word("invariant") + IDENTIFIER))
function_prototype = _rule(
    _option(type_qualifiers)
    + type_specifier
    + IDENTIFIER
    + _LPAREN
    + (_no_parameters | _option(_list(parameter_declaration)) + _RPAREN),
    lambda p: f"{p[0]}|{p[1]}|{p[2]}|{p[3]}",
)
function_declaration = _rule(function_prototype + _SEMICOLON, lambda p: f"function({p[0]})")
_typed_declaration = MatchFirst([function_declaration, interface_block, layout_defaults, variable_declaration])
declaration = MatchFirst([precision_declaration, invariant_declaration, _no_redeclaration + _typed_declaration])

# --- Statements -------------------------------------------------------------------------------------------------------

statement = Forward()
statement_list = _rule(statement[...], "".join)
compound_statement = _rule(_LBRACE + statement_list + _RBRACE, lambda p: f"{{{p[0]}}}")
expression_statement = _rule(_option(expression) + _SEMICOLON, lambda p: f"{p[0]};")
declaration_statement = MatchFirst([declaration])
selection_statement = _rule(
    _word("if") + _LPAREN + expression + _RPAREN + statement + Opt(_word("else") + statement),
    lambda p: f"if({'|'.join(p)})",
)
switch_statement = _rule(
    _word("switch") + _LPAREN + expression + _RPAREN + compound_statement, lambda p: f"switch({p[0]}|{p[1]})"
)
case_label = MatchFirst(
    [
        _rule(_word("case") + expression + _word(":"), lambda p: f"case({p[0]})"),
        _rule(_word("default") + _word(":"), lambda _: "default()"),
    ]
)
condition = _rule(
    _option(type_qualifiers) + type_specifier + IDENTIFIER + _word("=") + assignment_expression,
    lambda p: f"var({p[0]}|{p[1]}|{p[2]}={p[3]})",
) | (expression + _hidden(Empty()))
for_init_statement = declaration_statement | expression_statement
for_statement = _rule(
    _word("for")
    + _LPAREN
    + for_init_statement
    + _option(condition)
    + _SEMICOLON
    + _option(expression)
    + _RPAREN
    + statement,
    lambda p: f"for({'|'.join(p)})",
)
while_statement = _rule(_word("while") + _LPAREN + condition + _RPAREN + statement, lambda p: f"while({p[0]}|{p[1]})")
do_statement = _rule(
    _word("do") + statement + _word("while") + _LPAREN + expression + _RPAREN + _SEMICOLON,
    lambda p: f"do({p[0]}|{p[1]})",
)
iteration_statement = MatchFirst([for_statement, while_statement, do_statement])
jump_statement = MatchFirst(
    [
        _rule(_one_of("break continue discard") + _SEMICOLON, lambda p: f"{p[0]}()"),
        _rule(_word("return") + _option(expression) + _SEMICOLON, lambda p: f"return({p[0]})"),
    ]
)
statement <<= MatchFirst(
    [
        compound_statement,
        selection_statement,
        switch_statement,
        case_label,
        iteration_statement,
        jump_statement,
        declaration_statement,
        expression_statement,
    ]
)

# --- Whole shaders ----------------------------------------------------------------------------------------------------

function_definition = _rule(
    _no_redeclaration + function_prototype + compound_statement, lambda p: f"function({p[0]}|{p[1]})"
)
#: A semicolon too many gets a warning.
external_declaration = MatchFirst([function_definition, declaration, _SEMICOLON])
translation_unit = _rule(external_declaration[...] + _hidden(StringEnd()), "".join)


def name_rules() -> None:
    """Call the rules as their variables."""
    for name, element in list(globals().items()):
        if isinstance(element, ParserElement) and name[0].islower():
            element.set_name(name)


name_rules()
