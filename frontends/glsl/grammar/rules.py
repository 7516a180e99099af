"""The grammar of GLSL (chapter 9), of all versions together: declarations and statements.

Built once per process.  Two letters of lookahead decide everything; in particular a statement that begins
with an identifier is a declaration exactly when another identifier follows, so that the parser needs no
table of type names (whether a name is a type there is the checker's question).
"""

from __future__ import annotations

from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar import build
from frontends.glsl.grammar.alphabet import END, IDENTIFIER, LAYOUT, LETTERS, PRECISION, QUALIFIER, RESERVED, TYPE
from frontends.glsl.grammar.elements import (
    Choice,
    ChoiceAfterBrackets,
    CommaList,
    Element,
    Leaf,
    Many,
    Nested,
    Node,
    OptionIf,
    OptionUnless,
    Refuse,
    Spelled,
    Terminal,
)
from frontends.glsl.grammar.expressions import ExpressionElement
from frontends.glsl.grammar.recovery import Externals, Guard, Items, StraySemicolon

OPEN, CLOSE = Terminal("(", "'('"), Terminal(")", "')'")
LEFT_BRACKET, RIGHT_BRACKET = Terminal("[", "'['"), Terminal("]", "']'")
LEFT_BRACE, RIGHT_BRACE = Terminal("{", "'{'"), Terminal("}", "'}'")
SEMICOLON, COMMA, EQUALS = Terminal(";", "';'"), Terminal(",", "','"), Terminal("=", "'='")
NAME = Terminal(IDENTIFIER, "a name", kept=True)
KEPT_BRACE = Terminal("{", "'{'", kept=True)
GUARD = Guard("{", "the end of a block")


def word(spelling: str) -> Terminal:
    """A keyword that decides what follows, and has no value itself."""
    return Terminal(LETTERS[spelling], f"'{spelling}'")


def undrawn(element: Element) -> Element:
    """What diagrams leave out: it is read to be refused, or differs from what is drawn only in how it fails."""
    element.show_in_diagram = False
    return element


# -------------------------------------------------------------------------------- expressions
expression = ExpressionElement("expression")
assignment_expression = ExpressionElement("assignment_expression")

# ------------------------------------------------------------------------------- declarations
array_size = OptionIf("[", Node(build.brackets, LEFT_BRACKET, OptionUnless("]", assignment_expression), RIGHT_BRACKET))
initializer = Choice("an initializer", {"{": Refuse(messages.INITIALIZER_LIST)}, otherwise=assignment_expression)
init_declarator = Node(build.declarator, NAME, array_size, OptionIf("=", Node(build.only, EQUALS, initializer)))

layout_item = Node(build.layout_item, NAME, OptionIf("=", Node(build.only, EQUALS, assignment_expression)))
layout_qualifier = Node(build.layout, Terminal(LAYOUT, "'layout'", kept=True), OPEN, CommaList(layout_item), CLOSE)
#: Where the word is no keyword, the same pins a variable to a register.
pinning_qualifier = Node(
    build.layout, Spelled(IDENTIFIER, "layout", "a declaration", kept=True), OPEN, CommaList(layout_item), CLOSE
)
type_qualifier = Choice(
    "a qualifier",
    {
        **{
            letter: Terminal(letter, "a qualifier", kept=True)
            for letter in (QUALIFIER, PRECISION, LETTERS["invariant"])
        },
        LAYOUT: layout_qualifier,
        IDENTIFIER + "(": undrawn(pinning_qualifier),
    },
)
qualifiers = Many(type_qualifier, build.qualifiers)

basic_type, type_name = Leaf(build.type_name, TYPE, "a type"), Leaf(build.type_name, IDENTIFIER, "a type")
type_specifier = Choice("a type", {})
struct_declarator = Node(build.member, NAME, array_size)
struct_declaration = Node(
    build.members,
    qualifiers,
    type_specifier,
    CommaList(
        Choice(
            "a name",
            {
                IDENTIFIER + "(": undrawn(Node(build.only, GUARD, struct_declarator)),
                IDENTIFIER: struct_declarator,
            },
        )
    ),
    SEMICOLON,
)
struct_declaration_list = Items(
    Choice(
        "a member",
        dict.fromkeys(
            (QUALIFIER, LAYOUT, LETTERS["invariant"], LETTERS["precision"]),
            undrawn(Node(build.only, GUARD, struct_declaration)),
        ),
        otherwise=struct_declaration,
    )
)
struct_specifier = Node(
    build.struct, word("struct"), OptionIf(IDENTIFIER, NAME), KEPT_BRACE, struct_declaration_list, RIGHT_BRACE
)
type_specifier.define(
    {
        TYPE: basic_type,
        IDENTIFIER: type_name,
        TYPE + "[": undrawn(Node(build.array_type, basic_type, array_size)),
        IDENTIFIER + "[": undrawn(Node(build.array_type, type_name, array_size)),
        LETTERS["struct"]: Nested("a structure", {LETTERS["struct"]: struct_specifier}),
    }
)
interface_block = Node(build.interface_block, NAME, KEPT_BRACE, struct_declaration_list, RIGHT_BRACE)
#: What stands between the qualifiers of a declaration and the names that it declares.
declared = Choice(
    "a type",
    {**type_specifier.alternatives, IDENTIFIER + "{": interface_block, ";": undrawn(Node(build.no_type))},
)

# --------------------------------------------------------------------------------- statements
statement = Nested("a statement", {})
compound_statement = Node(build.block, LEFT_BRACE, Items(statement, blocks=True), RIGHT_BRACE)

parameter_declaration = Node(build.parameter, qualifiers, type_specifier, OptionIf(IDENTIFIER, NAME), array_size)
function_end = Choice(
    "';' or '{'", {";": Node(build.nothing, SEMICOLON), "{": Node(build.only, GUARD, compound_statement)}
)
function_declarator = Node(
    build.function, NAME, OPEN, OptionUnless(")", CommaList(parameter_declaration)), CLOSE, function_end
)
variable_declarators = Choice(
    "a name",
    {
        IDENTIFIER: Node(build.only, CommaList(init_declarator), SEMICOLON),
        ";": Node(build.no_items, SEMICOLON),
        # `float, a;` declares nothing before the comma.
        ",": Node(build.only, COMMA, CommaList(init_declarator), SEMICOLON),
    },
)
declaration = Node(
    build.declaration,
    qualifiers,
    declared,
    Choice("a name", {IDENTIFIER + "(": function_declarator}, otherwise=variable_declarators),
)
precision_declaration = Node(
    build.precision,
    word("precision"),
    Terminal(PRECISION, "a precision qualifier", kept=True),
    type_specifier,
    SEMICOLON,
)
invariant_declaration = Node(build.invariant, word("invariant"), CommaList(NAME), SEMICOLON)
#: With what begins a declaration, wherever one may stand, other than those that begin with a word of their own.
DECLARATION_STARTS = (
    *(TYPE, QUALIFIER, PRECISION, LAYOUT, LETTERS["struct"], LETTERS["invariant"]),
    *(IDENTIFIER + IDENTIFIER, IDENTIFIER + RESERVED),
)
any_declaration = Choice(
    "a declaration",
    {
        LETTERS["precision"]: precision_declaration,
        LETTERS["invariant"] + IDENTIFIER: invariant_declaration,
        **dict.fromkeys(DECLARATION_STARTS, declaration),
    },
)
declaration_statement = Node(build.declaration_statement, any_declaration)
variable_statement = Node(build.declaration_statement, declaration)
expression_statement = Node(build.expression_statement, expression, SEMICOLON)
simple_starts = {
    **dict.fromkeys(any_declaration.alternatives, declaration_statement),
    TYPE + "(": expression_statement,
    # `S[2] a;` and `a[2] = b;`, `float[2] a;` and `float[2](b, c);`
    IDENTIFIER + "[": undrawn(
        ChoiceAfterBrackets("a statement", {IDENTIFIER: variable_statement}, otherwise=expression_statement)
    ),
    TYPE + "[": undrawn(ChoiceAfterBrackets("a statement", {"(": expression_statement}, otherwise=variable_statement)),
    ";": Node(build.empty_statement, SEMICOLON),
}
for_init_statement = Choice("a statement", simple_starts, otherwise=expression_statement)

declared_condition = Node(
    build.condition, qualifiers, type_specifier, Node(build.initialized, NAME, EQUALS, assignment_expression)
)
condition = Choice(
    "a condition",
    dict.fromkeys((TYPE + IDENTIFIER, IDENTIFIER + IDENTIFIER, QUALIFIER, PRECISION), declared_condition),
    otherwise=expression,
)
else_if = Node(build.else_if, word("else"), word("if"), OPEN, expression, CLOSE, statement)
selection_statement = Node(
    build.if_statement,
    word("if"),
    OPEN,
    expression,
    CLOSE,
    statement,
    Many(Choice("'else if'", {LETTERS["else"] + LETTERS["if"]: else_if}), build.only),
    OptionIf(LETTERS["else"], Node(build.only, word("else"), statement)),
)
switch_statement = Node(
    build.switch_statement,
    word("switch"),
    OPEN,
    expression,
    CLOSE,
    LEFT_BRACE,
    Items(statement, blocks=True),
    RIGHT_BRACE,
)
COLON = Terminal(":", "':'")
case_label = Choice(
    "a label",
    {
        LETTERS["case"]: Node(build.case_label, word("case"), expression, COLON),
        LETTERS["default"]: Node(build.case_label, word("default"), COLON),
    },
)
for_statement = Node(
    build.for_statement,
    word("for"),
    OPEN,
    for_init_statement,
    OptionUnless(";", condition),
    SEMICOLON,
    OptionUnless(")", expression),
    CLOSE,
    statement,
)
while_statement = Node(build.while_statement, word("while"), OPEN, condition, CLOSE, statement)
do_statement = Node(build.do_while, word("do"), statement, word("while"), OPEN, expression, CLOSE, SEMICOLON)
iteration_statement = Choice(
    "a loop", {LETTERS["for"]: for_statement, LETTERS["while"]: while_statement, LETTERS["do"]: do_statement}
)
jump_statement = Choice(
    "a jump",
    {
        **{LETTERS[kind]: Node(build.jump, word(kind), SEMICOLON) for kind in ("break", "continue", "discard")},
        LETTERS["return"]: Node(build.jump, word("return"), OptionUnless(";}", expression), SEMICOLON),
    },
)
statement.define(
    {
        **simple_starts,
        "{": compound_statement,
        LETTERS["if"]: selection_statement,
        LETTERS["else"]: Refuse(messages.ELSE_WITHOUT_IF),
        LETTERS["switch"]: switch_statement,
        **dict.fromkeys(case_label.alternatives, case_label),
        **dict.fromkeys(iteration_statement.alternatives, iteration_statement),
        **dict.fromkeys(jump_statement.alternatives, jump_statement),
    },
    otherwise=expression_statement,
)

# ------------------------------------------------------------------------------- whole shaders
external_declaration = Choice(
    "a declaration",
    {
        **any_declaration.alternatives,
        IDENTIFIER + "(": declaration,
        IDENTIFIER + "[": declaration,
        ";": StraySemicolon(";", "';'"),
        "}": Refuse(messages.UNMATCHED_BRACE),
    },
)
translation_unit = Node(build.translation_unit, Externals(external_declaration), Terminal(END, "end of file"))
