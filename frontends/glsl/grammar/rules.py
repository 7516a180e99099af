"""The grammar of GLSL ES 1.00 (chapter 9): declarations and statements.

Built once per process.  Two letters of lookahead decide everything; in particular a statement that begins
with an identifier is a declaration exactly when another identifier follows, so that the parser needs no
table of type names (whether a name is a type there is the checker's question).
"""

from __future__ import annotations

from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar import build
from frontends.glsl.grammar.alphabet import END, IDENTIFIER, LETTERS, PRECISION, QUALIFIER, RESERVED, TYPE
from frontends.glsl.grammar.elements import (
    Choice,
    Element,
    Leaf,
    Many,
    Nested,
    Node,
    Optional,
    Refuse,
    Token,
    Unless,
    Word,
)
from frontends.glsl.grammar.expressions import ExpressionElement
from frontends.glsl.grammar.recovery import Externals, Guard, Items, StraySemicolon

OPEN, CLOSE = Token("(", "'('"), Token(")", "')'")
LEFT_BRACKET, RIGHT_BRACKET = Token("[", "'['"), Token("]", "']'")
LEFT_BRACE, RIGHT_BRACE = Token("{", "'{'"), Token("}", "'}'")
SEMICOLON, COMMA, EQUALS = Token(";", "';'"), Token(",", "','"), Token("=", "'='")
NAME = Token(IDENTIFIER, "a name", kept=True)
KEPT_BRACE = Token("{", "'{'", kept=True)
GUARD = Guard("the end of a block")


def word(spelling: str) -> Token:
    """A keyword that decides what follows, and has no value itself."""
    return Token(LETTERS[spelling], f"'{spelling}'")


def comma_list(element: Element) -> Node:
    """One or more, separated by commas; the value is their list."""
    return Node(build.flatten, element, more(element))


def more(element: Element) -> Many:
    """Further ones, each behind a comma."""
    return Many(Choice("','", {",": Node(build.only, COMMA, element)}), build.only)


# -------------------------------------------------------------------------------- expressions
expression = ExpressionElement(commas=True)
assignment = ExpressionElement(commas=False)

# ------------------------------------------------------------------------------- declarations
array = Optional("[", Node(build.brackets, LEFT_BRACKET, Unless("]", assignment), RIGHT_BRACKET))
initial_value = Node(
    build.only, EQUALS, Choice("an initializer", {"{": Refuse(messages.INITIALIZER_LIST)}, otherwise=assignment)
)
declarator = Node(build.declarator, NAME, array, Optional("=", initial_value))

layout_item = Node(build.layout_item, NAME, Optional("=", Node(build.only, EQUALS, assignment)))
layout = Node(build.layout, Word("layout", "a declaration"), OPEN, comma_list(layout_item), CLOSE)
qualifier = Choice(
    "a qualifier",
    {
        **{letter: Token(letter, "a qualifier", kept=True) for letter in (QUALIFIER, PRECISION, LETTERS["invariant"])},
        IDENTIFIER + "(": layout,
    },
)
qualifiers = Many(qualifier, build.qualifiers)

type_keyword, type_name = Leaf(build.type_name, TYPE, "a type"), Leaf(build.type_name, IDENTIFIER, "a type")
type_specifier = Choice(
    "a type",
    {
        TYPE: type_keyword,
        IDENTIFIER: type_name,
        TYPE + "[": Node(build.array_type, type_keyword, array),
        IDENTIFIER + "[": Node(build.array_type, type_name, array),
    },
)
member = Choice(
    "a name",
    {IDENTIFIER + "(": Node(build.member, GUARD, NAME, array), IDENTIFIER: Node(build.member, NAME, array)},
)
members = Node(build.members, qualifiers, type_specifier, comma_list(member), SEMICOLON)
guarded_members = Node(build.only, GUARD, members)
any_members = Choice(
    "a member",
    dict.fromkeys((QUALIFIER, LETTERS["invariant"], LETTERS["precision"]), guarded_members),
    otherwise=members,
)
struct_specifier = Node(
    build.struct, word("struct"), Optional(IDENTIFIER, NAME), KEPT_BRACE, Items(any_members), RIGHT_BRACE
)
type_specifier.alternatives[LETTERS["struct"]] = Nested("a structure", {LETTERS["struct"]: struct_specifier})

parameter = Node(build.parameter, qualifiers, type_specifier, Optional(IDENTIFIER, NAME), array)
parameters = Choice("parameters", {")": Node(build.no_items)}, otherwise=comma_list(parameter))
function_end = Choice("';' or '{'", {";": Node(build.nothing, SEMICOLON)})
function = Node(build.function, NAME, OPEN, parameters, CLOSE, function_end)
declaration = Node(
    build.declaration,
    qualifiers,
    type_specifier,
    Choice(
        "a name",
        {
            IDENTIFIER + "(": function,
            IDENTIFIER: Node(build.only, comma_list(declarator), SEMICOLON),
            ";": Node(build.no_items, SEMICOLON),
            # `float, a;` declares nothing before the comma (init_declarator_list).
            ",": Node(build.only, more(declarator), SEMICOLON),
        },
    ),
)
precision = Node(
    build.precision, word("precision"), Token(PRECISION, "a precision qualifier", kept=True), type_specifier, SEMICOLON
)
invariant = Node(build.invariant, word("invariant"), comma_list(NAME), SEMICOLON)

#: What begins a declaration, wherever one may stand.
declarations: dict[str, Element] = {
    LETTERS["precision"]: precision,
    LETTERS["invariant"] + IDENTIFIER: invariant,
    **dict.fromkeys(
        (
            *(TYPE, QUALIFIER, PRECISION, LETTERS["struct"], LETTERS["invariant"]),
            *(IDENTIFIER + IDENTIFIER, IDENTIFIER + RESERVED),
        ),
        declaration,
    ),
}

# --------------------------------------------------------------------------------- statements
statement = Nested("a statement", {})
block = Node(build.block, LEFT_BRACE, Items(statement, blocks=True), RIGHT_BRACE)
function_end.alternatives["{"] = Node(build.only, GUARD, block)

expression_statement = Node(build.expression_statement, expression, SEMICOLON)
simple_statement = Choice(
    "a statement",
    {
        **{key: Node(build.declaration_statement, element) for key, element in declarations.items()},
        TYPE + "(": expression_statement,
        ";": Node(build.empty_statement, SEMICOLON),
    },
    otherwise=expression_statement,
)

declared_condition = Node(
    build.condition, qualifiers, type_specifier, Node(build.initialized, NAME, EQUALS, assignment)
)
condition = Choice(
    "a condition",
    dict.fromkeys((TYPE + IDENTIFIER, IDENTIFIER + IDENTIFIER, QUALIFIER, PRECISION), declared_condition),
    otherwise=expression,
)
else_if = Node(build.else_if, word("else"), word("if"), OPEN, expression, CLOSE, statement)
if_statement = Node(
    build.if_statement,
    word("if"),
    OPEN,
    expression,
    CLOSE,
    statement,
    Many(Choice("'else if'", {LETTERS["else"] + LETTERS["if"]: else_if}), build.only),
    Optional(LETTERS["else"], Node(build.only, word("else"), statement)),
)
for_statement = Node(
    build.for_statement,
    word("for"),
    OPEN,
    simple_statement,
    Unless(";", condition),
    SEMICOLON,
    Unless(")", expression),
    CLOSE,
    statement,
)
while_statement = Node(build.while_statement, word("while"), OPEN, condition, CLOSE, statement)
do_while = Node(build.do_while, word("do"), statement, word("while"), OPEN, expression, CLOSE, SEMICOLON)

statement.alternatives.update(
    {
        **simple_statement.alternatives,
        "{": block,
        LETTERS["if"]: if_statement,
        LETTERS["else"]: Refuse(messages.ELSE_WITHOUT_IF),
        LETTERS["for"]: for_statement,
        LETTERS["while"]: while_statement,
        LETTERS["do"]: do_while,
        **{LETTERS[kind]: Node(build.jump, word(kind), SEMICOLON) for kind in ("break", "continue", "discard")},
        LETTERS["return"]: Node(build.jump, word("return"), Unless(";}", expression), SEMICOLON),
    }
)
statement.otherwise = expression_statement

# ------------------------------------------------------------------------------- whole shaders
external = Choice(
    "a declaration",
    {
        **declarations,
        IDENTIFIER + "(": declaration,
        IDENTIFIER + "[": declaration,
        ";": StraySemicolon("';'"),
        "}": Refuse(messages.UNMATCHED_BRACE),
    },
)
translation_unit = Node(build.translation_unit, Externals(external), Token(END, "end of file")).parse_with_tabs()
