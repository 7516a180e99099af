"""The syntax tree of GLSL, untyped from the parser, typed by the checker.

The parser fills what stands in the text.  The checker fills the fields under "annotations":
`Expression.type` and `constant`, the symbols of names, the targets of calls.  Lowering reads both.
Nodes are plain records; walking them is the business of the phases.
"""

from __future__ import annotations

from typing import Literal

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.symbols import BuiltinFunction, FunctionSymbol, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, Constant, GlslType, Precision, StructType

#: The number of a token that messages point at; most are never asked where they stand.
TokenNumber = int


# ---------------------------------------------------------------------------------- expressions
@dataclass(slots=True, eq=False)
class Expression:
    span: Span
    # annotations
    type: GlslType = field(default=ERROR, init=False)
    #: The value, when this is a constant expression (section 5.10).
    constant: Constant | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class LiteralValue(Expression):
    """An int, uint, float or bool literal."""

    value: bool | int | float
    unsigned: bool = False


@dataclass(slots=True, eq=False)
class Name(Expression):
    """A variable; its span may have parentheses around it, its token not."""

    name: str
    token: TokenNumber
    symbol: VariableSymbol | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Unary(Expression):
    """Prefix operator: + - ! ~ ++ --"""

    op: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Postfix(Expression):
    """Postfix operator: ++ --"""

    op: str
    operand: Expression


@dataclass(slots=True, eq=False)
class Binary(Expression):
    """+ - * / % << >> < > <= >= == != & ^ | && || ^^ and the comma operator ","."""

    op: str
    left: Expression
    right: Expression
    op_token: TokenNumber


@dataclass(slots=True, eq=False)
class Conditional(Expression):
    """condition ? if_true : if_false"""

    condition: Expression
    if_true: Expression
    if_false: Expression


@dataclass(slots=True, eq=False)
class Assign(Expression):
    """= += -= *= /= %= <<= >>= &= ^= |=   (`op` includes the "=")"""

    op: str
    target: Expression
    value: Expression
    op_token: TokenNumber


@dataclass(slots=True, eq=False)
class Call(Expression):
    """A function call or constructor: `callee(arguments)`.

    The parser stores the callee's spelling: a function's, a keyword type's or a struct's name.
    """

    callee: str
    callee_token: TokenNumber
    arguments: list[Expression]
    #: The type that an array constructor names: `float[3](a, b, c)`.
    array: TypeSpecifier | None = None
    # annotations: exactly one of these is set when the call is correct
    function: FunctionSymbol | None = field(default=None, init=False)
    builtin: BuiltinFunction | None = field(default=None, init=False)
    constructed: GlslType | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Index(Expression):
    """base[index]: an array element, a matrix column or a vector component."""

    base: Expression
    index: Expression


@dataclass(slots=True, eq=False)
class Field(Expression):
    """base.name: a struct field or a swizzle."""

    base: Expression
    name: str
    name_token: TokenNumber
    #: Component numbers when this is a swizzle, else None (a struct field).
    swizzle: tuple[int, ...] | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Length(Expression):
    """base.length(): how many elements the array `base` has."""

    base: Expression


@dataclass(slots=True, eq=False)
class Invalid(Expression):
    """Something that the parser understood and refused, such as an array constructor; its type stays ERROR."""


@dataclass(slots=True, eq=False)
class ImplicitConversion(Expression):
    """int or uint to float, inserted by the checker in desktop GLSL only; `type` is the new type."""

    operand: Expression


# --------------------------------------------------------------------------------- declarations
@dataclass(slots=True, eq=False)
class Qualifiers:
    """Qualifiers before a declaration, each with its span; order is checked by the checker."""

    #: (word, span) in source order: const attribute uniform varying invariant in out inout
    #: flat smooth noperspective centroid lowp mediump highp (and `layout`).
    words: list[tuple[str, Span]] = field(default_factory=list)
    #: `layout(location = n)`: identifiers with an optional value expression.
    layout: list[tuple[str, Expression | None, Span]] = field(default_factory=list)

    def find(self, *words: str) -> tuple[str, Span] | None:
        return next(((w, s) for w, s in self.words if w in words), None) if self.words else None


@dataclass(slots=True, eq=False)
class StructDeclaration:
    """struct Name { members }; `name` is "" when anonymous."""

    span: Span
    name: str
    name_span: Span
    members: list[StructMember]
    type: StructType | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class TypeSpecifier:
    """A type in a declaration: a keyword, a struct's name, or a struct declared in place."""

    span: Span
    name: str
    struct: StructDeclaration | None = None
    #: `float[n]`, or `float[]` where an initializer says how many.
    is_array: bool = False
    array_size: Expression | None = None
    type: GlslType = field(default=ERROR, init=False)
    is_resolved: bool = field(default=False, init=False)


@dataclass(slots=True, eq=False)
class StructMember:
    """One declarator of a struct's member list."""

    span: Span
    qualifiers: Qualifiers
    specifier: TypeSpecifier
    name: str
    name_span: Span
    is_array: bool
    array_size: Expression | None


@dataclass(slots=True, eq=False)
class Declarator:
    """name, name[size] or name = initializer."""

    span: Span
    name: str
    name_span: Span
    #: Brackets were written; `array_size` is None when they were empty.
    is_array: bool
    array_size: Expression | None
    initializer: Expression | None
    symbol: VariableSymbol | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class VariableDeclaration:
    """qualifiers type declarators;   With no declarators it may declare a struct only."""

    span: Span
    qualifiers: Qualifiers
    specifier: TypeSpecifier
    declarators: list[Declarator]


@dataclass(slots=True, eq=False)
class Parameter:
    span: Span
    qualifiers: Qualifiers
    specifier: TypeSpecifier
    #: "" for an unnamed parameter.
    name: str
    name_span: Span
    is_array: bool
    array_size: Expression | None
    symbol: VariableSymbol | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class FunctionDeclaration:
    """A prototype (body None) or a definition."""

    span: Span
    qualifiers: Qualifiers
    return_specifier: TypeSpecifier
    name: str
    name_span: Span
    parameters: list[Parameter]
    body: Block | None
    symbol: FunctionSymbol | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class PrecisionDeclaration:
    """precision mediump float;"""

    span: Span
    precision: Precision
    specifier: TypeSpecifier


@dataclass(slots=True, eq=False)
class InvariantDeclaration:
    """invariant a, b;  (the redeclaration form)"""

    span: Span
    names: list[tuple[str, Span]]
    symbols: list[VariableSymbol] = field(default_factory=list, init=False)


@dataclass(slots=True, eq=False)
class BlockDeclaration:
    """uniform Name { members } instance;   (GLSL ES 3.00 section 4.3.7)"""

    span: Span
    qualifiers: Qualifiers
    name: str
    name_span: Span
    members: list[StructMember]
    #: The name by which the members are reached; without one they are global names.
    instances: list[Declarator]
    #: The symbols that the block declares.
    symbols: list[VariableSymbol] = field(default_factory=list, init=False)


@dataclass(slots=True, eq=False)
class LayoutDeclaration:
    """layout(std140) uniform;   What holds for the blocks that follow."""

    span: Span
    qualifiers: Qualifiers


External = (
    VariableDeclaration
    | FunctionDeclaration
    | PrecisionDeclaration
    | InvariantDeclaration
    | BlockDeclaration
    | LayoutDeclaration
)


# ----------------------------------------------------------------------------------- statements
@dataclass(slots=True, eq=False)
class Statement:
    span: Span


@dataclass(slots=True, eq=False)
class Block(Statement):
    """{ statements }"""

    statements: list[Statement]


@dataclass(slots=True, eq=False)
class DeclarationStatement(Statement):
    declaration: External


@dataclass(slots=True, eq=False)
class ExpressionStatement(Statement):
    """expression;   None for the empty statement."""

    expression: Expression | None


@dataclass(slots=True, eq=False)
class ConditionDeclaration:
    """`type name = initializer` as the condition of `while` and `for`."""

    span: Span
    declaration: VariableDeclaration


@dataclass(slots=True, eq=False)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(slots=True, eq=False)
class For(Statement):
    initial: Statement
    condition: Expression | ConditionDeclaration | None
    step: Expression | None
    body: Statement


@dataclass(slots=True, eq=False)
class While(Statement):
    condition: Expression | ConditionDeclaration
    body: Statement


@dataclass(slots=True, eq=False)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@dataclass(slots=True, eq=False)
class CaseLabel(Statement):
    """case value: and, where `value` is None, default:"""

    value: Expression | None


@dataclass(slots=True, eq=False)
class Switch(Statement):
    """switch (selector) { statements }, labels among them."""

    selector: Expression
    statements: list[Statement]


@dataclass(slots=True, eq=False)
class Jump(Statement):
    """break; continue; discard; return [value];"""

    kind: Literal["break", "continue", "discard", "return"]
    value: Expression | None = None


# ------------------------------------------------------------------------------- a whole shader
@dataclass(slots=True, eq=False)
class TranslationUnit:
    span: Span
    declarations: list[External]
    #: Places of syntax errors around which something is missing from the tree.
    damage: list[Span] = field(default_factory=list)
