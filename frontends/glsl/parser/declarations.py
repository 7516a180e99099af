"""Declarations (GLSL ES 3.00 section 4): qualifiers, types, structures, variables, and the heads of functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import cast

from glslc_multi.compiler.diagnostics import Entry, Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.parser.expressions import ExpressionReader
from glslc_multi.frontends.glsl.parser.failure import Refusal, Unexpected
from glslc_multi.frontends.glsl.parser.terminals import NAME, NUMBER, PRECISION, QUALIFIER, RESERVED, TYPE
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES, NumericType, Precision

#: `is_array` and `array_size` of a declared name.
Array = tuple[bool, ast.Expression | None]
LayoutItems = list[tuple[str, ast.Expression | None, Span]]

_QUALIFIERS = frozenset((QUALIFIER, PRECISION, "invariant"))
#: With what a declaration begins, wherever one may stand.
_BEGINNERS = frozenset((TYPE, QUALIFIER, PRECISION, "layout", "struct", "invariant", "precision"))
#: Inside of a structure these begin what belongs outside, if they stand at the left margin.
_GLOBAL_WORDS = frozenset((QUALIFIER, "layout", "invariant", "precision"))


@dataclass(slots=True)
class Block:
    """What an interface block has for a type."""

    name: int
    members: list[ast.StructMember]


class DeclarationReader(ExpressionReader, ABC):
    """Reads declarations."""

    @abstractmethod
    def block(self) -> ast.Block:
        """Read the body of a function."""

    def begins_declaration(self) -> bool:
        """Tell whether a declaration begins here, not an expression such as `a[2] = b` or `float[2](b, c)`."""
        terminal, following = self.terminals[self.at : self.at + 2]
        if terminal in (TYPE, NAME) and following == "[":
            after = self.terminals[self._closing_bracket(self.at + 1) + 1]
            return after == NAME if terminal == NAME else after != "("
        if terminal == NAME:
            return following in (NAME, RESERVED)
        return terminal in _BEGINNERS and (terminal, following) != (TYPE, "(")

    def _closing_bracket(self, opener: int) -> int:
        """Find the bracket that closes another; the last token where none does."""
        depth = 0
        for at in range(opener, len(self.tokens)):
            depth += (self.terminals[at] == "[") - (self.terminals[at] == "]")
            if depth == 0:
                return at
        return len(self.tokens) - 1

    def any_declaration(self) -> ast.External:
        """Read what a declaration may be in any place."""
        if self.terminals[self.at] == "precision":
            return self._precision()
        if self.sees("invariant", NAME):
            first = self.take("invariant")
            names = self.comma_list(self._name)
            self.take(";")
            tokens = self.tokens
            return ast.InvariantDeclaration(
                self.span_from(first), [(tokens.texts[at], tokens.span(at)) for at in names]
            )
        if not self.begins_declaration():
            raise Unexpected(self, self.at, "a declaration")
        return self.declaration()

    def _precision(self) -> ast.PrecisionDeclaration:
        first = self.take("precision")
        word = self.take(PRECISION, "a precision qualifier")
        specifier = self.type_specifier()
        self.take(";")
        precision = cast(Precision, self.tokens.texts[word])
        return ast.PrecisionDeclaration(self.span_from(first), precision, specifier)

    def declaration(self) -> ast.External:
        """Read a declaration of variables, a block or a function."""
        first, tokens = self.at, self.tokens
        qualifiers = self.qualifiers()
        if self.terminals[self.at] == ";":
            # Read the end of `layout(std140) uniform;`; after other words a type is missing.
            if self.terminals[max(self.at - 2, 0) : self.at] != [")", QUALIFIER]:
                raise Unexpected(self, self.at, "a type")
            self.take(";")
            return ast.LayoutDeclaration(self.span_from(first), qualifiers)
        specifier = self._block() if self.sees(NAME, "{") else self.type_specifier()
        if isinstance(specifier, Block):
            if self.sees(NAME, "("):
                raise Unexpected(self, self.at + 1, "';'")
            instances, name = self._declarators(), specifier.name
            span = self.span_from(first)
            return ast.BlockDeclaration(
                span, qualifiers, tokens.texts[name], tokens.span(name), specifier.members, instances
            )
        if self.sees(NAME, "("):
            return self._function(first, qualifiers, specifier)
        declarators = self._declarators()
        return ast.VariableDeclaration(self.span_from(first), qualifiers, specifier, declarators)

    def _name(self) -> int:
        return self.take(NAME, "a name")

    # --- Qualifiers and types -----------------------------------------------------------------------------------------

    def qualifiers(self) -> ast.Qualifiers:
        """Read as many qualifiers as there are."""
        qualifiers, tokens = ast.Qualifiers(), self.tokens
        while True:
            at = self.at
            if self.terminals[at] in _QUALIFIERS:
                self.at += 1
            elif self.terminals[at] == "layout" or self.sees(NAME, "("):
                # Read `layout(...)`; where the word is no keyword, the same pins a variable to a register.
                if self.tokens.texts[self.at] != "layout":
                    raise Unexpected(self, self.at, "a declaration")
                self.at += 1
                self.take("(")
                items = self.comma_list(self._layout_item)
                self.take(")")
                qualifiers.layout += items
            else:
                return qualifiers
            qualifiers.words.append((tokens.texts[at], tokens.span(at)))

    def _layout_item(self) -> tuple[str, ast.Expression | None, Span]:
        name = self._name()
        value = self.assignment() if self.accept("=") else None
        return self.tokens.texts[name], value, self.span_from(name)

    def type_specifier(self) -> ast.TypeSpecifier:
        """Read a type: a name, a structure, or an array of either."""
        first = self.at
        if self.terminals[first] == "struct":
            self.nest()
            struct = self._struct()
            self.nesting -= 1
            return struct
        if self.terminals[first] not in (TYPE, NAME):
            raise Unexpected(self, first, "a type")
        self.at += 1
        specifier = ast.TypeSpecifier(self.tokens.span(first), self.tokens.texts[first])
        if self.terminals[self.at] == "[":
            specifier.is_array, specifier.array_size = self._array()
            if not self.language.has("array types"):
                # Versions without them take it for brackets after the name.
                span, help_ = self.span_from(first + 1), "write it after the name that is declared"
                self.sink.report(messages.ARRAY_TYPE, span, help=help_, language=self.language.name)
        return specifier

    def _array(self) -> Array:
        """Read the brackets after a name, if there are any."""
        if not self.accept("["):
            return False, None
        size = None if self.terminals[self.at] == "]" else self.assignment()
        self.take("]")
        return True, size

    def _struct(self) -> ast.TypeSpecifier:
        first, tokens = self.take("struct"), self.tokens
        name = self._name() if self.terminals[self.at] == NAME else None
        members = self._members(messages.EMPTY_STRUCT, first)
        span = self.span_from(first)
        spelling, name_span = ("", tokens.span(first)) if name is None else (tokens.texts[name], tokens.span(name))
        return ast.TypeSpecifier(span, spelling, ast.StructDeclaration(span, spelling, name_span, members))

    def _block(self) -> Block:
        name = self._name()
        return Block(name, self._members(messages.EMPTY_BLOCK, name))

    def _members(self, empty: Entry, first: int) -> list[ast.StructMember]:
        """Read the members in braces of what begins at `first`."""
        opener = self.take("{")
        groups = self.items(self._member_declaration)
        closer = self.take("}")
        if closer == opener + 1:
            self.sink.report(empty, self.span_from(first))
        return [member for group in groups for member in group]

    def _member_declaration(self) -> list[ast.StructMember]:
        if self.terminals[self.at] in _GLOBAL_WORDS:
            self.refuse_in_braces()
        qualifiers, specifier = self.qualifiers(), self.type_specifier()
        members = self.comma_list(lambda: self._member(qualifiers, specifier))
        self.take(";")
        return members

    def _member(self, qualifiers: ast.Qualifiers, specifier: ast.TypeSpecifier) -> ast.StructMember:
        if self.sees(NAME, "("):
            self.refuse_in_braces()
        name, tokens = self._name(), self.tokens
        array = self._array()
        span = self.span_from(name)
        return ast.StructMember(span, qualifiers, specifier, tokens.texts[name], tokens.span(name), *array)

    # --- Variables ----------------------------------------------------------------------------------------------------

    def _declarators(self) -> list[ast.Declarator]:
        """Read the names that a declaration declares, up to and with ";"."""
        if self.accept(";"):
            return []
        # `float, a;` declares nothing before the comma.
        self.accept(",")
        declarators = self.comma_list(self._declarator)
        self.take(";")
        return declarators

    def _declarator(self) -> ast.Declarator:
        name, tokens = self._name(), self.tokens
        array = self._array()
        value = self._initializer() if self.accept("=") else None
        span = self.span_from(name)
        if array[0] and value is not None and not self.language.has("array values"):
            if not isinstance(value, ast.Invalid):
                help_ = "declare the array, then assign its elements"
                self.sink.report(messages.ARRAY_INITIALIZER, value.span, help=help_, language=self.language.name)
            value = None
        return ast.Declarator(span, tokens.texts[name], tokens.span(name), *array, value)

    def _initializer(self) -> ast.Expression:
        if self.terminals[self.at] == "{":
            refusal = Refusal(self, self.at, messages.INITIALIZER_LIST)
            refusal.help, refusal.fixes = self._constructor_for_list()
            raise refusal
        return self.assignment()

    def _constructor_for_list(self) -> tuple[str | None, list[Fix]]:
        """Return what a list of scalars is as a constructor, where the type stands directly before the name."""
        texts, terminals, first = self.tokens.texts, self.terminals, self.at
        last = first + 1
        while terminals[last] in (NUMBER, NAME, ",", "-"):
            last += 1
        declared = KEYWORD_TYPES.get(texts[first - 3]) if terminals[first - 2] == NAME else None
        count = texts[first + 1 : last].count(",") + 1
        if not isinstance(declared, NumericType) or terminals[last] != "}" or count != declared.component_count:
            return None, []
        type, spans = texts[first - 3], (self.tokens.span(first), self.tokens.span(last))
        content = " ".join(texts[first + 1 : last]).replace(" ,", ",").replace("- ", "-")
        return f"write '{type}({content})'", [Fix(spans[0], f"{type}("), Fix(spans[1], ")")]

    def condition(self) -> ast.Expression | ast.ConditionDeclaration:
        """Read the condition of a loop, which may declare a variable."""
        first, tokens = self.at, self.tokens
        if not self.begins_declaration():
            return self.expression()
        qualifiers, specifier = self.qualifiers(), self.type_specifier()
        name = self._name()
        self.take("=")
        value = self.assignment()
        declared = ast.Declarator(self.span_from(name), tokens.texts[name], tokens.span(name), False, None, value)
        span = self.span_from(first)
        return ast.ConditionDeclaration(span, ast.VariableDeclaration(span, qualifiers, specifier, [declared]))

    # --- Functions ----------------------------------------------------------------------------------------------------

    def _function(
        self, first: int, qualifiers: ast.Qualifiers, specifier: ast.TypeSpecifier
    ) -> ast.FunctionDeclaration:
        """Read a function from its name on."""
        name, tokens = self._name(), self.tokens
        self.take("(")
        parameters = [] if self.terminals[self.at] == ")" else self.comma_list(self._parameter)
        self.take(")")
        body = None
        if self.terminals[self.at] == "{":
            self.refuse_in_braces()
            body = self.block()
        else:
            self.take(";", "';' or '{'")
        self.branches = 0
        self.adrift = self.adrift and body is None
        if _is_void(parameters):
            parameters = []
        span = self.span_from(first)
        return ast.FunctionDeclaration(
            span, qualifiers, specifier, tokens.texts[name], tokens.span(name), parameters, body
        )

    def _parameter(self) -> ast.Parameter:
        first, tokens = self.at, self.tokens
        qualifiers, specifier = self.qualifiers(), self.type_specifier()
        name = self._name() if self.terminals[self.at] == NAME else None
        array = self._array()
        span = self.span_from(first)
        spelling, name_span = ("", span) if name is None else (tokens.texts[name], tokens.span(name))
        return ast.Parameter(span, qualifiers, specifier, spelling, name_span, *array)


def _is_void(parameters: list[ast.Parameter]) -> bool:
    """Tell whether they are those of `f(void)`, which is the same as `f()` (section 6.1)."""
    if len(parameters) != 1:
        return False
    lone = parameters[0]
    is_array = lone.is_array or lone.specifier.is_array
    return lone.specifier.name == "void" and not (lone.name or is_array or lone.qualifiers.words)
