"""Expressions (GLSL ES 1.00 section 5): operator precedence over the token list.

An expression is the densest part of a shader, so it is one pyparsing element that reads tokens by a loop
over two stacks.  Long chains of operators therefore cost no recursion; brackets do, to a bounded depth.
"""

from __future__ import annotations

from typing import Literal

from pyparsing import ParseElementEnhance, ParserElement

from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl import ast
from frontends.glsl.grammar.alphabet import BOOLEAN, IDENTIFIER, LETTERS, NUMBER, TYPE, ShaderText
from frontends.glsl.grammar.elements import Element, Match
from frontends.glsl.grammar.failure import FatalRefusal, Unexpected
from frontends.glsl.limits import CHAIN_LIMIT, NESTING_LIMIT
from frontends.glsl.operators import LEVEL_OF, RESERVED_OPERATORS

_LEVEL_OF = {LETTERS[op]: level for op, level in LEVEL_OF.items()}
_ASSIGNMENTS = frozenset(LETTERS[op] for op in "= += -= *= /= %= <<= >>= &= ^= |=".split())
_PREFIXES = frozenset(LETTERS[op] for op in "+ - ! ~ ++ --".split())
_POSTFIXES = frozenset(LETTERS[op] for op in ". [ ++ --".split())
_RESERVED_OPERATORS = frozenset(LETTERS[op] for op in RESERVED_OPERATORS)
_CALLABLE = frozenset((IDENTIFIER, TYPE))
_LITERALS = frozenset((NUMBER, BOOLEAN))
#: Literals of more characters are read digit by digit.
_MANY_DIGITS = 64
_RESERVED_HELP = dict.fromkeys(("%", "%="), "use mod(), or n - (n / m) * m for integers")


class ExpressionElement(Element, ParseElementEnhance):
    """A rule of `expression_rules`, read by `ExpressionReader`."""

    def __init__(self, rule: Literal["expression", "assignment_expression"]) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.rule = rule

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return self.rule

    def recurse(self) -> list[ParserElement]:
        """The rule in stock elements, for diagrams; nobody else pays for making it."""
        from frontends.glsl.grammar.expression_rules import assignment_expression, expression

        return [expression if self.rule == "expression" else assignment_expression]

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        reader, nesting = ExpressionReader(instring, loc), instring.nesting
        try:
            node = reader.expression() if self.rule == "expression" else reader.assignment()
        finally:
            instring.nesting = nesting
        return reader.position, [node]


class ExpressionReader:
    """Reads one expression; `position` is the next token."""

    __slots__ = ("operators", "position", "span", "text", "tokens")

    def __init__(self, text: ShaderText, position: int) -> None:
        self.text = text
        self.tokens = text.tokens
        self.span = text.tokens.span
        self.position = position
        #: Operators so far: the bound on the height of the tree.
        self.operators = 0

    def expression(self) -> ast.Expression:
        """Assignments joined by the comma operator."""
        left = self.assignment()
        while self.text[self.position] == ",":
            operator = self._take_operator()
            right = self.assignment()
            left = ast.Binary(left.span.to(right.span), ",", left, right, operator)
        return left

    def assignment(self) -> ast.Expression:
        target = self._conditional()
        if self.text[self.position] not in _ASSIGNMENTS:
            return target
        operator = self._take_operator()
        self._nest()
        value = self.assignment()
        self.text.nesting -= 1
        span = target.span.to(value.span)
        return ast.Assign(span, self.tokens.texts[operator], target, value, operator)

    def _conditional(self) -> ast.Expression:
        condition = self._binary()
        if self.text[self.position] != "?":
            return condition
        self._nest()
        self.position += 1
        if_true = self.expression()
        self._expect(":")
        if_false = self.assignment()
        self.text.nesting -= 1
        return ast.Conditional(condition.span.to(if_false.span), condition, if_true, if_false)

    def _binary(self) -> ast.Expression:
        """Operands and left-associative operators: an operator waits until one that binds no tighter follows."""
        text = self.text
        operand = self._operand()
        level = _LEVEL_OF.get(text[self.position], 0)
        if not level:
            return operand
        operands = [operand]
        waiting: list[tuple[int, int]] = []
        while True:
            while waiting and waiting[-1][0] >= level:
                self._combine(operands, waiting.pop()[1])
            if not level:
                return operands[0]
            waiting.append((level, self._take_operator()))
            operands.append(self._operand())
            level = _LEVEL_OF.get(text[self.position], 0)

    def _combine(self, operands: list[ast.Expression], operator: int) -> None:
        right = operands.pop()
        left = operands[-1]
        spelling = self.tokens.texts[operator]
        operands[-1] = ast.Binary(left.span.to(right.span), spelling, left, right, operator)

    def _operand(self) -> ast.Expression:
        text = self.text
        if text[self.position] in _PREFIXES:
            return self._prefixed()
        node = self._primary()
        while text[self.position] in _POSTFIXES:
            node = self._postfix(node)
        return node

    def _prefixed(self) -> ast.Expression:
        nesting = self.text.nesting
        operators: list[int] = []
        while self.text[self.position] in _PREFIXES:
            self._nest()
            operators.append(self._take_operator())
        node = self._operand()
        for operator in reversed(operators):
            node = ast.Unary(self.span(operator).to(node.span), self.tokens.texts[operator], node)
        self.text.nesting = nesting
        return node

    def _primary(self) -> ast.Expression:
        position = self.position
        letter = self.text[position]
        if letter in _CALLABLE:
            if self.text[position + 1] == "(":
                return self._call()
            if letter == IDENTIFIER:
                self.position += 1
                return ast.Name(self.span(position), self.tokens.texts[position], position)
            if self.text[position + 1] == "[":
                return self._array_constructor()
            raise Unexpected(self.text, position + 1, "'(' after the type")
        if letter in _LITERALS:
            self.position += 1
            return self._literal(position)
        if letter == "(":
            return self._parenthesised()
        raise Unexpected(self.text, position, "an expression")

    def _array_constructor(self) -> ast.Expression:
        """`float[2](a, b)` and `float[](a, b)`; `self.position` is that of the type."""
        first = self.position
        if not self.text.language.has("array types"):
            self.text.sink.report(messages.ARRAY_CONSTRUCTOR, self.span(first), language=self.text.language.name)
        self._nest()
        self.position += 2
        size = None if self.text[self.position] == "]" else self.expression()
        self._expect("]")
        return self._constructed(first, size)

    def _constructed(self, first: int, size: ast.Expression | None) -> ast.Expression:
        """The constructor of an array, from its arguments on; token `first` is the type of its elements."""
        tokens = self.tokens
        array = ast.TypeSpecifier(tokens.span_from(first, self.position - 1), tokens.texts[first], None, True, size)
        self._expect("(")
        arguments = self._arguments()
        self.text.nesting -= 1
        span = tokens.span_from(first, self.position - 1)
        if not self.text.language.has("array types"):
            return ast.Invalid(span)
        return ast.Call(span, array.name, first, arguments, array)

    def _literal(self, position: int) -> ast.Expression:
        """A literal; something invalid where the preprocessor has refused what stood there."""
        span, kind, spelling = self.span(position), self.tokens.kinds[position], self.tokens.texts[position]
        if kind == "keyword":
            return ast.LiteralValue(span, spelling == "true")
        try:
            if kind == "float":
                return ast.LiteralValue(span, float(spelling.rstrip("fF")))
            digits = spelling.rstrip("uU")
            return ast.LiteralValue(span, _integer(digits), unsigned=digits != spelling)
        except ValueError:
            return ast.Invalid(span)

    def _parenthesised(self) -> ast.Expression:
        """The node inside, its span widened to the parentheses."""
        first = self.position
        self._nest()
        self.position += 1
        node = self.expression()
        node.span = self.tokens.span_from(first, self._expect(")"))
        self.text.nesting -= 1
        return node

    def _call(self) -> ast.Expression:
        callee = self.position
        self._nest()
        self.position += 2
        arguments = self._arguments()
        self.text.nesting -= 1
        span = self.tokens.span_from(callee, self.position - 1)
        return ast.Call(span, self.tokens.texts[callee], callee, arguments)

    def _arguments(self) -> list[ast.Expression]:
        """Up to and with ")"; `f(void)` has none (chapter 9, function_call_header_no_parameters)."""
        if self.tokens.texts[self.position] == "void":
            self.position += 1
            self._expect(")")
            return []
        if self.text[self.position] == ")":
            self.position += 1
            return []
        arguments = [self.assignment()]
        while self.text[self.position] == ",":
            self.position += 1
            arguments.append(self.assignment())
        self._expect(")")
        return arguments

    def _postfix(self, base: ast.Expression) -> ast.Expression:
        operator = self._take_operator()
        letter = self.text[operator]
        if letter == ".":
            return self._field(base)
        if letter == "[":
            return self._index(base, operator)
        return ast.Postfix(self.tokens.extend(base.span, operator), self.tokens.texts[operator], base)

    def _index(self, base: ast.Expression, opener: int) -> ast.Expression:
        """An index, or the constructor of an array of structures: `S[2](a, b)`, `S[](a, b)`."""
        self._nest()
        may_construct = isinstance(base, ast.Name) and self.text[opener - 1] == IDENTIFIER
        is_unsized = may_construct and self.text[self.position : self.position + 2] == "]("
        index = None if is_unsized and self.text.language.has("array types") else self.expression()
        closer = self._expect("]")
        if index is None or (may_construct and self._may_be_called()):
            return self._constructed(opener - 1, index)
        self.text.nesting -= 1
        return ast.Index(self.tokens.extend(base.span, closer), base, index)

    def _may_be_called(self) -> bool:
        return self.text[self.position] == "(" and self.text.language.has("array types")

    def _field(self, base: ast.Expression) -> ast.Expression:
        position = self.position
        if self.text[position] != IDENTIFIER:
            raise Unexpected(self.text, position, "a field or components after '.'")
        self.position += 1
        tokens = self.tokens
        if tokens.texts[position] == "length" and self._may_be_called():
            self.position += 1
            return ast.Length(tokens.extend(base.span, self._expect(")")), base)
        return ast.Field(tokens.extend(base.span, position), base, tokens.texts[position], position)

    def _expect(self, letter: str) -> int:
        """Take this token."""
        position = self.position
        if self.text[position] != letter:
            raise Unexpected(self.text, position, f"'{letter}'")
        self.position += 1
        return position

    def _take_operator(self) -> int:
        position = self.position
        self.position += 1
        self.operators += 1
        if self.operators > CHAIN_LIMIT:
            raise FatalRefusal(
                self.text,
                position,
                messages.CHAIN_TOO_LONG,
                chain="an expression",
                limit=CHAIN_LIMIT,
                links="operators",
            )
        if self.text[position] in _RESERVED_OPERATORS and not self.text.language.has("integer bits"):
            self._report_reserved(position)
        return position

    def _report_reserved(self, position: int) -> None:
        spelling = self.tokens.texts[position]
        self.text.sink.report(
            messages.RESERVED_OPERATOR,
            self.span(position),
            operator=spelling,
            language=self.text.language.name,
            help=_RESERVED_HELP.get(spelling),
        )

    def _nest(self) -> None:
        self.text.nesting += 1
        if self.text.nesting > NESTING_LIMIT:
            raise FatalRefusal(self.text, self.position, messages.NESTING_TOO_DEEP, limit=NESTING_LIMIT)


def _integer(spelling: str) -> int:
    """A decimal, octal or hexadecimal literal (section 4.1.3).

    Of one that has very many digits only the last 32 bits count, and that there are more: Python neither reads nor
    prints numbers of thousands of digits.
    """
    base = 16 if spelling[:2] in ("0x", "0X") else 8 if spelling[0] == "0" else 10
    if len(spelling) <= _MANY_DIGITS:
        return int(spelling, base)
    value = 0
    for digit in spelling.lower().removeprefix("0x"):
        value = value * base + int(digit, base)
        if value >= 1 << 33:
            value = value % (1 << 32) + (1 << 32)
    return value
