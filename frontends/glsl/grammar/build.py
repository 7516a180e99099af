"""Syntax nodes from the values of a grammar rule.

Each function is called as `build(text, first, last, *values)`: the tokens `first` to `last` matched, and
`values` are those of the rule's parts: token indices, nodes, lists, and None for a part left out.
"""

from __future__ import annotations

from typing import cast

from compiler.diagnostics import Span
from compiler.diagnostics.catalogue import syntax as messages
from compiler.records import dataclass
from frontends.glsl import ast
from frontends.glsl.grammar.alphabet import QUALIFIER, ShaderText
from frontends.glsl.grammar.failure import FatalRefusal, Unexpected
from frontends.glsl.limits import CHAIN_LIMIT
from frontends.glsl.types import Precision

LayoutItem = tuple[str, ast.Expression | None, Span]


@dataclass(slots=True)
class Layout:
    """layout(...): the word and what it lists."""

    word: int
    items: list[LayoutItem]


@dataclass(slots=True)
class Brackets:
    """[size] after a name; None for []."""

    size: ast.Expression | None


@dataclass(slots=True)
class Member:
    """A name, perhaps with brackets, of a structure's member list."""

    name: int
    last: int
    array: Brackets | None


@dataclass(slots=True)
class Block:
    """Name { members } of an interface block."""

    name: int
    members: list[ast.StructMember]


@dataclass(slots=True)
class Function:
    """What makes a declaration one of a function: all after the return type."""

    name: int
    parameters: list[ast.Parameter]
    body: ast.Block | None


# -------------------------------------------------------------------------------- small parts
def only(text: ShaderText, first: int, last: int, value: object) -> object:
    """The value of the one part that has one."""
    return value


def nothing(text: ShaderText, first: int, last: int) -> None:
    return None


def no_items(text: ShaderText, first: int, last: int) -> list[object]:
    return []


def brackets(text: ShaderText, first: int, last: int, size: ast.Expression | None) -> Brackets:
    return Brackets(size)


# ------------------------------------------------------------------------------- declarations
def layout_item(text: ShaderText, first: int, last: int, name: int, value: ast.Expression | None) -> LayoutItem:
    return text.tokens.texts[name], value, text.tokens.span_from(first, last)


def layout(text: ShaderText, first: int, last: int, word: int, items: list[LayoutItem]) -> Layout:
    return Layout(word, items)


def qualifiers(text: ShaderText, first: int, last: int, parts: list[int | Layout]) -> ast.Qualifiers:
    result = ast.Qualifiers()
    for part in parts:
        if isinstance(part, Layout):
            result.layout += part.items
        word = part.word if isinstance(part, Layout) else part
        result.words.append((text.tokens.texts[word], text.tokens.span(word)))
    return result


def type_name(text: ShaderText, first: int, last: int) -> ast.TypeSpecifier:
    return ast.TypeSpecifier(text.tokens.span(first), text.tokens.texts[first])


def array_type(
    text: ShaderText, first: int, last: int, element: ast.TypeSpecifier, array: Brackets
) -> ast.TypeSpecifier:
    """`float[3]`, which versions without array types take for brackets after the name."""
    if not text.language.has("array types"):
        span = text.tokens.span_from(first + 1, last)
        help = "write it after the name that is declared"
        text.sink.report(messages.ARRAY_TYPE, span, help=help, language=text.language.name)
    element.is_array, element.array_size = _array(array)
    return element


def struct(
    text: ShaderText, first: int, last: int, name: int | None, opener: int, members: list[list[ast.StructMember]]
) -> ast.TypeSpecifier:
    tokens = text.tokens
    span = tokens.span_from(first, last)
    if not members and opener == last - 1:
        text.sink.report(messages.EMPTY_STRUCT, span)
    spelling, name_span = ("", tokens.span(first)) if name is None else (tokens.texts[name], tokens.span(name))
    flat = [member for group in members for member in group]
    return ast.TypeSpecifier(span, spelling, ast.StructDeclaration(span, spelling, name_span, flat))


def interface_block(
    text: ShaderText, first: int, last: int, name: int, opener: int, members: list[list[ast.StructMember]]
) -> Block:
    if not members and opener == last - 1:
        text.sink.report(messages.EMPTY_BLOCK, text.tokens.span_from(first, last))
    return Block(name, [member for group in members for member in group])


def no_type(text: ShaderText, first: int, last: int) -> None:
    """What `layout(std140) uniform;` has for a type; after other words something is missing."""
    if text[max(first - 2, 0) : first] != ")" + QUALIFIER:
        raise Unexpected(text, first, "a type")


def member(text: ShaderText, first: int, last: int, name: int, array: Brackets | None) -> Member:
    return Member(name, last, array)


def members(
    text: ShaderText,
    first: int,
    last: int,
    qualifiers: ast.Qualifiers,
    specifier: ast.TypeSpecifier,
    declared: list[Member],
) -> list[ast.StructMember]:
    tokens = text.tokens
    return [
        ast.StructMember(
            tokens.span_from(member.name, member.last),
            qualifiers,
            specifier,
            tokens.texts[member.name],
            tokens.span(member.name),
            *_array(member.array),
        )
        for member in declared
    ]


def declarator(
    text: ShaderText, first: int, last: int, name: int, array: Brackets | None, initializer: ast.Expression | None
) -> ast.Declarator:
    tokens = text.tokens
    if array is not None and initializer is not None and not text.language.has("array values"):
        if not isinstance(initializer, ast.Invalid):
            help = "declare the array, then assign its elements"
            text.sink.report(messages.ARRAY_INITIALIZER, initializer.span, help=help, language=text.language.name)
        initializer = None
    span = tokens.span_from(first, last)
    return ast.Declarator(span, tokens.texts[name], tokens.span(name), *_array(array), initializer)


def parameter(
    text: ShaderText,
    first: int,
    last: int,
    qualifiers: ast.Qualifiers,
    specifier: ast.TypeSpecifier,
    name: int | None,
    array: Brackets | None,
) -> ast.Parameter:
    tokens = text.tokens
    span = tokens.span_from(first, last)
    spelling, name_span = ("", span) if name is None else (tokens.texts[name], tokens.span(name))
    return ast.Parameter(span, qualifiers, specifier, spelling, name_span, *_array(array))


def function(
    text: ShaderText, first: int, last: int, name: int, parameters: list[ast.Parameter] | None, body: ast.Block | None
) -> Function:
    text.branches = 0
    text.adrift = text.adrift and body is None
    return Function(name, [] if parameters is None or _is_void(parameters) else parameters, body)


def declaration(
    text: ShaderText,
    first: int,
    last: int,
    qualifiers: ast.Qualifiers,
    specifier: ast.TypeSpecifier | Block | None,
    rest: list[ast.Declarator] | Function,
) -> ast.External:
    tokens = text.tokens
    span = tokens.span_from(first, last)
    if specifier is None:
        return ast.LayoutDeclaration(span, qualifiers)
    if isinstance(specifier, Block):
        if isinstance(rest, Function):
            raise Unexpected(text, rest.name + 1, "';'")
        name, name_span = tokens.texts[specifier.name], tokens.span(specifier.name)
        return ast.BlockDeclaration(span, qualifiers, name, name_span, specifier.members, rest)
    if not isinstance(rest, Function):
        return ast.VariableDeclaration(span, qualifiers, specifier, rest)
    name, name_span = tokens.texts[rest.name], tokens.span(rest.name)
    return ast.FunctionDeclaration(span, qualifiers, specifier, name, name_span, rest.parameters, rest.body)


def precision(
    text: ShaderText, first: int, last: int, word: int, specifier: ast.TypeSpecifier
) -> ast.PrecisionDeclaration:
    return ast.PrecisionDeclaration(
        text.tokens.span_from(first, last), cast(Precision, text.tokens.texts[word]), specifier
    )


def invariant(text: ShaderText, first: int, last: int, names: list[int]) -> ast.InvariantDeclaration:
    tokens = text.tokens
    return ast.InvariantDeclaration(
        tokens.span_from(first, last), [(tokens.texts[name], tokens.span(name)) for name in names]
    )


def translation_unit(text: ShaderText, first: int, last: int, externals: list[ast.External]) -> ast.TranslationUnit:
    return ast.TranslationUnit(text.tokens.span_from(first, last), externals, text.damage)


def _array(array: Brackets | None) -> tuple[bool, ast.Expression | None]:
    """The fields `is_array` and `array_size`."""
    return (False, None) if array is None else (True, array.size)


def _is_void(parameters: list[ast.Parameter]) -> bool:
    """`f(void)` is the same as `f()` (section 6.1)."""
    if len(parameters) != 1:
        return False
    lone = parameters[0]
    is_array = lone.is_array or lone.specifier.is_array
    return lone.specifier.name == "void" and not (lone.name or is_array or lone.qualifiers.words)


# --------------------------------------------------------------------------------- statements
def block(text: ShaderText, first: int, last: int, statements: list[ast.Statement]) -> ast.Block:
    return ast.Block(text.tokens.span_from(first, last), statements)


def declaration_statement(
    text: ShaderText,
    first: int,
    last: int,
    declaration: ast.External,
) -> ast.DeclarationStatement:
    if isinstance(declaration, ast.FunctionDeclaration) and declaration.body is not None:
        text.sink.report(messages.LOCAL_FUNCTION, declaration.name_span)
    return ast.DeclarationStatement(declaration.span, declaration)


def expression_statement(
    text: ShaderText, first: int, last: int, expression: ast.Expression
) -> ast.ExpressionStatement:
    return ast.ExpressionStatement(text.tokens.span_from(first, last), expression)


def empty_statement(text: ShaderText, first: int, last: int) -> ast.ExpressionStatement:
    return ast.ExpressionStatement(text.tokens.span(first), None)


def condition(
    text: ShaderText,
    first: int,
    last: int,
    qualifiers: ast.Qualifiers,
    specifier: ast.TypeSpecifier,
    declared: ast.Declarator,
) -> ast.ConditionDeclaration:
    span = text.tokens.span_from(first, last)
    return ast.ConditionDeclaration(span, ast.VariableDeclaration(span, qualifiers, specifier, [declared]))


def initialized(text: ShaderText, first: int, last: int, name: int, initializer: ast.Expression) -> ast.Declarator:
    return declarator(text, first, last, name, None, initializer)


def else_if(
    text: ShaderText, first: int, last: int, condition: ast.Expression, then: ast.Statement
) -> tuple[int, ast.Expression, ast.Statement]:
    """One `else if`; the statement begins at its "if"."""
    text.branches += 1
    if text.branches > CHAIN_LIMIT:
        values = {"chain": "a function", "limit": CHAIN_LIMIT, "links": "'else if' branches"}
        raise FatalRefusal(text, first, messages.CHAIN_TOO_LONG, **values)
    return first + 1, condition, then


def if_statement(
    text: ShaderText,
    first: int,
    last: int,
    condition: ast.Expression,
    then: ast.Statement,
    branches: list[tuple[int, ast.Expression, ast.Statement]],
    otherwise: ast.Statement | None,
) -> ast.If:
    """A chain of `else if` is parsed as a list, and nested from its end."""
    tokens = text.tokens
    for start, branch_condition, branch_then in reversed(branches):
        otherwise = ast.If(tokens.span_from(start, last), branch_condition, branch_then, otherwise)
    return ast.If(tokens.span_from(first, last), condition, then, otherwise)


def switch_statement(
    text: ShaderText, first: int, last: int, selector: ast.Expression, statements: list[ast.Statement]
) -> ast.Switch:
    return ast.Switch(text.tokens.span_from(first, last), selector, statements)


def case_label(text: ShaderText, first: int, last: int, value: ast.Expression | None = None) -> ast.CaseLabel:
    return ast.CaseLabel(text.tokens.span_from(first, last), value)


def for_statement(
    text: ShaderText,
    first: int,
    last: int,
    initial: ast.Statement,
    condition: ast.Expression | ast.ConditionDeclaration | None,
    step: ast.Expression | None,
    body: ast.Statement,
) -> ast.For:
    return ast.For(text.tokens.span_from(first, last), initial, condition, step, body)


def while_statement(
    text: ShaderText,
    first: int,
    last: int,
    condition: ast.Expression | ast.ConditionDeclaration,
    body: ast.Statement,
) -> ast.While:
    return ast.While(text.tokens.span_from(first, last), condition, body)


def do_while(text: ShaderText, first: int, last: int, body: ast.Statement, condition: ast.Expression) -> ast.DoWhile:
    return ast.DoWhile(text.tokens.span_from(first, last), body, condition)


def jump(text: ShaderText, first: int, last: int, value: ast.Expression | None = None) -> ast.Jump:
    """break, continue, discard, and return with its value: the statement's first word tells which."""
    tokens = text.tokens
    return ast.Jump(tokens.span_from(first, last), tokens.texts[first], value)  # type: ignore[arg-type]
