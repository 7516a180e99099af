"""Expressions (GLSL ES 1.00 section 5): operator precedence over the tokens.

Operands and operators wait on two stacks, so that long chains of operators cost no recursion; brackets do, to a bounded
depth.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.limits import CHAIN_LIMIT
from glslc_multi.frontends.glsl.operators import LEVEL_OF, RESERVED_OPERATORS
from glslc_multi.frontends.glsl.parser.failure import FatalRefusal, Unexpected
from glslc_multi.frontends.glsl.parser.reader import TokenReader
from glslc_multi.frontends.glsl.parser.terminals import BOOLEAN, NAME, NUMBER, TYPE

_ASSIGNMENTS = frozenset("= += -= *= /= %= <<= >>= &= ^= |=".split())
_PREFIXES = frozenset("+ - ! ~ ++ --".split())
_POSTFIXES = frozenset(". [ ++ --".split())
_CALLABLE = frozenset((NAME, TYPE))
_LITERALS = frozenset((NUMBER, BOOLEAN))
#: Literals of more characters are read digit by digit.
_MANY_DIGITS = 64
_RESERVED_HELP = dict.fromkeys(("%", "%="), "use mod(), or n - (n / m) * m for integers")


class ExpressionReader(TokenReader):
    """Reads expressions."""

    def expression(self) -> ast.Expression:
        """Read a whole expression."""
        self.operators = 0
        return self._expression()

    def assignment(self) -> ast.Expression:
        """Read a whole expression in which a comma is no operator."""
        self.operators = 0
        return self._assignment()

    def _expression(self) -> ast.Expression:
        """Read assignments joined by the comma operator."""
        left = self._assignment()
        while self.terminals[self.at] == ",":
            operator = self._take_operator()
            right = self._assignment()
            left = ast.Binary(left.span.to(right.span), ",", left, right, operator)
        return left

    def _assignment(self) -> ast.Expression:
        condition = self._binary()
        if self.terminals[self.at] != "?":
            target = condition
        else:
            self.nest()
            self.at += 1
            if_true = self._expression()
            self.take(":")
            if_false = self._assignment()
            self.nesting -= 1
            target = ast.Conditional(condition.span.to(if_false.span), condition, if_true, if_false)
        if self.terminals[self.at] not in _ASSIGNMENTS:
            return target
        operator = self._take_operator()
        self.nest()
        value = self._assignment()
        self.nesting -= 1
        span = target.span.to(value.span)
        return ast.Assign(span, self.tokens.texts[operator], target, value, operator)

    def _binary(self) -> ast.Expression:
        """Read operands and left-associative operators, which wait until one that binds no tighter follows."""
        terminals = self.terminals
        operand = self._operand()
        level = LEVEL_OF.get(terminals[self.at], 0)
        if not level:
            return operand
        operands = [operand]
        waiting: list[tuple[int, int]] = []
        while True:
            while waiting and waiting[-1][0] >= level:
                operator = waiting.pop()[1]
                right = operands.pop()
                left = operands[-1]
                spelling = self.tokens.texts[operator]
                operands[-1] = ast.Binary(left.span.to(right.span), spelling, left, right, operator)
            if not level:
                return operands[0]
            waiting.append((level, self._take_operator()))
            operands.append(self._operand())
            level = LEVEL_OF.get(terminals[self.at], 0)

    def _operand(self) -> ast.Expression:
        terminals = self.terminals
        if terminals[self.at] in _PREFIXES:
            nesting = self.nesting
            operators: list[int] = []
            while self.terminals[self.at] in _PREFIXES:
                self.nest()
                operators.append(self._take_operator())
            node = self._operand()
            for operator in reversed(operators):
                node = ast.Unary(self.tokens.span(operator).to(node.span), self.tokens.texts[operator], node)
            self.nesting = nesting
            return node
        node = self._primary()
        while terminals[self.at] in _POSTFIXES:
            node = self._postfix(node)
        return node

    def _primary(self) -> ast.Expression:
        at = self.at
        terminal = self.terminals[at]
        if terminal in _CALLABLE:
            if self.terminals[at + 1] == "(":
                callee = self.at
                self.nest()
                self.at += 2
                arguments = self._arguments()
                self.nesting -= 1
                span = self.span_from(callee)
                return ast.Call(span, self.tokens.texts[callee], callee, arguments)
            if terminal == NAME:
                self.at += 1
                return ast.Name(self.tokens.span(at), self.tokens.texts[at], at)
            if self.terminals[at + 1] == "[":
                return self._array_constructor()
            raise Unexpected(self, at + 1, "'(' after the type")
        if terminal in _LITERALS:
            self.at += 1
            return self._literal(at)
        if terminal == "(":
            return self._parenthesised()
        raise Unexpected(self, at, "an expression")

    def _array_constructor(self) -> ast.Expression:
        """Read `float[2](a, b)` or `float[](a, b)` from its type on."""
        first = self.at
        if not self.language.has("array types"):
            self.sink.report(messages.ARRAY_CONSTRUCTOR, self.tokens.span(first), language=self.language.name)
        self.nest()
        self.at += 2
        size = None if self.terminals[self.at] == "]" else self._expression()
        self.take("]")
        return self._constructed(first, size)

    def _constructed(self, first: int, size: ast.Expression | None) -> ast.Expression:
        """Read the constructor of an array from its arguments on; token `first` is the type of its elements."""
        tokens = self.tokens
        array = ast.TypeSpecifier(self.span_from(first), tokens.texts[first], None, True, size)
        self.take("(")
        arguments = self._arguments()
        self.nesting -= 1
        span = self.span_from(first)
        if not self.language.has("array types"):
            return ast.Invalid(span)
        return ast.Call(span, array.name, first, arguments, array)

    def _literal(self, at: int) -> ast.Expression:
        """Return a literal; something invalid where the preprocessor has refused what stood there."""
        span, kind, spelling = self.tokens.span(at), self.tokens.kinds[at], self.tokens.texts[at]
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
        """Read what is in parentheses, which its span has around it."""
        first = self.at
        self.nest()
        self.at += 1
        node = self._expression()
        node.span = self.tokens.span_from(first, self.take(")"))
        self.nesting -= 1
        return node

    def _arguments(self) -> list[ast.Expression]:
        """Read up to and with ")"; `f(void)` has none (chapter 9, function_call_header_no_parameters)."""
        if self.tokens.texts[self.at] == "void" and self.terminals[self.at + 1] == ")":
            self.at += 1
        if self.accept(")"):
            return []
        arguments = self.comma_list(self._assignment)
        self.take(")")
        return arguments

    def _postfix(self, base: ast.Expression) -> ast.Expression:
        operator = self._take_operator()
        terminal = self.terminals[operator]
        if terminal == ".":
            at, tokens = self.take(NAME, "a field or components after '.'"), self.tokens
            if tokens.texts[at] == "length" and self._may_be_called():
                self.at += 1
                return ast.Length(tokens.extend(base.span, self.take(")")), base)
            return ast.Field(tokens.extend(base.span, at), base, tokens.texts[at], at)
        if terminal == "[":
            # Read an index, or the constructor of an array of structures: `S[2](a, b)`, `S[](a, b)`.
            self.nest()
            may_construct = isinstance(base, ast.Name) and self.terminals[operator - 1] == NAME
            is_unsized = may_construct and self.sees("]", "(")
            index = None if is_unsized and self.language.has("array types") else self._expression()
            closer = self.take("]")
            if index is None or (may_construct and self._may_be_called()):
                return self._constructed(operator - 1, index)
            self.nesting -= 1
            return ast.Index(self.tokens.extend(base.span, closer), base, index)
        return ast.Postfix(self.tokens.extend(base.span, operator), self.tokens.texts[operator], base)

    def _may_be_called(self) -> bool:
        return self.terminals[self.at] == "(" and self.language.has("array types")

    def _take_operator(self) -> int:
        at = self.at
        self.at += 1
        self.operators += 1
        if self.operators > CHAIN_LIMIT:
            values = {"chain": "an expression", "limit": CHAIN_LIMIT, "links": "operators"}
            raise FatalRefusal(self, at, messages.CHAIN_TOO_LONG, **values)
        if self.terminals[at] in RESERVED_OPERATORS and not self.language.has("integer bits"):
            self._report_reserved(at)
        return at

    def _report_reserved(self, at: int) -> None:
        spelling = self.tokens.texts[at]
        self.sink.report(
            messages.RESERVED_OPERATOR,
            self.tokens.span(at),
            operator=spelling,
            language=self.language.name,
            help=_RESERVED_HELP.get(spelling),
        )


def _integer(spelling: str) -> int:
    """Return the value of a decimal, octal or hexadecimal literal (section 4.1.3).

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
