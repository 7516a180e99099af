"""Statements (GLSL ES 3.00 section 6) and whole shaders.

Two tokens of lookahead decide everything; in particular a statement that begins with a name is a declaration exactly
when another name follows, so that the parser needs no table of type names (whether a name is a type is the checker's
question).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.limits import CHAIN_LIMIT
from glslc_multi.frontends.glsl.parser.declarations import DeclarationReader
from glslc_multi.frontends.glsl.parser.failure import FatalRefusal, MissingBrace, Refusal, SyntaxFailure
from glslc_multi.frontends.glsl.parser.recovery import next_declaration
from glslc_multi.frontends.glsl.parser.terminals import END, NAME

#: The "if" of an `else if`, its condition and its statement.
Branch = tuple[int, ast.Expression, ast.Statement]


class Parser(DeclarationReader):
    """Reads one shader."""

    # --- Whole shaders ------------------------------------------------------------------------------------------------

    def translation_unit(self) -> ast.TranslationUnit:
        """Read the global declarations, where every failure ends that no list inside has mended."""
        externals: list[ast.External] = []
        while (terminal := self.terminals[self.at]) != END:
            if self.damage and terminal == "else":
                # The `if` before it may be what was left out.
                self.at += 1
                continue
            start = self.at
            try:
                externals += self._external_declaration()
            except SyntaxFailure as failure:
                self.nesting = 0
                # After a mistake, statements and braces at global scope say nothing new.
                if not self.adrift or failure.at > start:
                    failure.report()
                self.adrift = True
                self.damage.append(self.tokens.span(failure.at))
                if isinstance(failure, FatalRefusal):
                    self.at = len(self.tokens) - 1
                else:
                    self.at = failure.at if isinstance(failure, MissingBrace) else next_declaration(failure, start)
        self.take(END)
        return ast.TranslationUnit(self.span_from(0), externals, self.damage)

    def _external_declaration(self) -> list[ast.External]:
        terminal = self.terminals[self.at]
        if terminal == ";":
            self.sink.report(messages.EXTRA_SEMICOLON, self.tokens.span(self.at))
            self.at += 1
            return []
        if terminal == "}":
            raise Refusal(self, self.at, messages.UNMATCHED_BRACE)
        # Where `layout` is no keyword, it is a name.
        return [self.declaration() if self.sees(NAME, "(") else self.any_declaration()]

    # --- Statements ---------------------------------------------------------------------------------------------------

    def block(self) -> ast.Block:
        first = self.take("{")
        statements = self.items(self.statement, are_blocks=True)
        self.take("}")
        return ast.Block(self.span_from(first), statements)

    def statement(self) -> ast.Statement:
        """Read one statement of any kind."""
        self.nest()
        parse = _STATEMENTS.get(self.terminals[self.at])
        node = self._simple_statement() if parse is None else parse(self)
        self.nesting -= 1
        return node

    def _simple_statement(self) -> ast.Statement:
        """Read a declaration or an expression: what `for` may begin with."""
        first = self.at
        if self.accept(";"):
            return ast.ExpressionStatement(self.tokens.span(first), None)
        if self.begins_declaration():
            declaration = self.any_declaration()
            if isinstance(declaration, ast.FunctionDeclaration) and declaration.body is not None:
                self.sink.report(messages.LOCAL_FUNCTION, declaration.name_span)
            return ast.DeclarationStatement(declaration.span, declaration)
        expression = self.expression()
        self.take(";")
        return ast.ExpressionStatement(self.span_from(first), expression)

    def _in_parentheses(self) -> ast.Expression:
        self.take("(")
        inner = self.expression()
        self.take(")")
        return inner

    def _if(self) -> ast.If:
        """Read a chain of `else if` as a list, and nest it from its end."""
        first = self.take("if")
        condition, then = self._in_parentheses(), self.statement()
        branches: list[Branch] = []
        while self.sees("else", "if"):
            branches.append(self._else_if())
        otherwise = self.statement() if self.accept("else") else None
        last = self.at - 1
        for start, next_condition, next_then in reversed(branches):
            otherwise = ast.If(self.tokens.span_from(start, last), next_condition, next_then, otherwise)
        return ast.If(self.span_from(first), condition, then, otherwise)

    def _else_if(self) -> Branch:
        first = self.take("else")
        start = self.take("if")
        condition, then = self._in_parentheses(), self.statement()
        self.branches += 1
        if self.branches > CHAIN_LIMIT:
            values = {"chain": "a function", "limit": CHAIN_LIMIT, "links": "'else if' branches"}
            raise FatalRefusal(self, first, messages.CHAIN_TOO_LONG, **values)
        return start, condition, then

    def _else(self) -> ast.Statement:
        raise Refusal(self, self.at, messages.ELSE_WITHOUT_IF)

    def _switch(self) -> ast.Switch:
        first = self.take("switch")
        selector = self._in_parentheses()
        statements = self.block().statements
        return ast.Switch(self.span_from(first), selector, statements)

    def _case(self) -> ast.CaseLabel:
        first = self.take("case")
        value = self.expression()
        self.take(":")
        return ast.CaseLabel(self.span_from(first), value)

    def _default(self) -> ast.CaseLabel:
        first = self.take("default")
        self.take(":")
        return ast.CaseLabel(self.span_from(first), None)

    def _for(self) -> ast.For:
        first = self.take("for")
        self.take("(")
        initial = self._simple_statement()
        condition = None if self.terminals[self.at] == ";" else self.condition()
        self.take(";")
        step = None if self.terminals[self.at] == ")" else self.expression()
        self.take(")")
        body = self.statement()
        return ast.For(self.span_from(first), initial, condition, step, body)

    def _while(self) -> ast.While:
        first = self.take("while")
        self.take("(")
        condition = self.condition()
        self.take(")")
        body = self.statement()
        return ast.While(self.span_from(first), condition, body)

    def _do(self) -> ast.DoWhile:
        first = self.take("do")
        body = self.statement()
        self.take("while")
        condition = self._in_parentheses()
        self.take(";")
        return ast.DoWhile(self.span_from(first), body, condition)

    def _jump(self) -> ast.Jump:
        first = self.at
        self.at += 1
        has_value = self.terminals[first] == "return" and self.terminals[self.at] not in (";", "}")
        value = self.expression() if has_value else None
        self.take(";")
        return ast.Jump(self.span_from(first), self.tokens.texts[first], value)  # type: ignore[arg-type]


_STATEMENTS: Mapping[str, Callable[[Parser], ast.Statement]] = {
    "{": Parser.block,
    "if": Parser._if,
    "else": Parser._else,
    "switch": Parser._switch,
    "case": Parser._case,
    "default": Parser._default,
    "for": Parser._for,
    "while": Parser._while,
    "do": Parser._do,
    **dict.fromkeys(("break", "continue", "discard", "return"), Parser._jump),
}
