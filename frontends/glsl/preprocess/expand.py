"""Macro expansion by hide sets (Prosser's algorithm, the one behind the C standard).

Tokens wait on a stack.  A macro's name is replaced by the macro's text, which goes back on the stack and is
scanned again; each token remembers in its hide set which macros it came out of, so recursion ends.  Arguments are
expanded on their own before they enter the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from glslc_multi.compiler.diagnostics import DiagnosticSink, Entry, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.preprocess.macros import Macro, Token, unknown
from glslc_multi.frontends.glsl.tokens import Expansion

#: Tokens of all macro text of one shader together.
EXPANSION_LIMIT = 250_000
#: Macros whose text uses macros whose text uses macros.
DEPTH_LIMIT = 500
#: Macro uses within arguments of macro uses; each costs several frames of Python's stack.
ARGUMENT_DEPTH_LIMIT = 100


#: Parameter -> the tokens that it stands for.
Values = dict[str, list[Token]]


class PreprocessingStopped(Exception):
    """A limit was reached and reported; there is no point in going on."""


@dataclass(slots=True)
class Expander:
    """Expands macros of the table `macros`, which its owner changes as directives come by."""

    macros: dict[str, Macro]
    language: Language
    sink: DiagnosticSink
    #: What `__FILE__` stands for now (GLSL ES 1.00 section 3.4: a source string number).
    source_number: int = 0
    #: Uses of macros whose definition has a mistake.
    broken: list[Span] = field(default_factory=list, init=False)
    _room: int = EXPANSION_LIMIT
    _nesting: int = field(default=0, init=False)

    def expand(self, tokens: list[Token], *, keep_defined: bool = False) -> tuple[list[Token], list[Token]]:
        """The expanded tokens, and those from the first macro use on whose argument list is not complete.

        With `keep_defined` the operand of `defined` stays as it is (section 3.4: `#if` and `#elif`).
        """
        output: list[Token] = []
        stack = tokens[::-1]
        while stack:
            token = stack.pop()
            macro = self.macros.get(token.text)
            if keep_defined and token.text == "defined":
                output.append(token)
                _move_operand(stack, output)
            elif macro is None or token.text in token.hidden:
                output.append(token)
            elif macro.is_broken:
                self.broken.append(token.span)
                if stack and stack[-1].text == "(":
                    _collect_arguments(stack)
                output.append(unknown(token))
            elif macro.parameters is None:
                self._push(stack, macro, token, token, [])
            elif not stack:
                return output, [token]
            elif stack[-1].text != "(":
                output.append(token)
            elif (use := _collect_arguments(stack)) is not None:
                self._replace_call(stack, macro, token, use)
            else:
                return output, [token, *reversed(stack)]
        return output, []

    def expand_all(self, tokens: list[Token], *, keep_defined: bool = False) -> list[Token] | None:
        """The expanded tokens where no more can follow; None when an argument list is not complete."""
        expanded, unfinished = self.expand(tokens, keep_defined=keep_defined)
        if len(unfinished) > 1:
            self.report_unfinished(unfinished[0])
            return None
        return expanded + unfinished

    def report_unfinished(self, name: Token) -> None:
        where = Label(self.macros[name.text].span, "defined here")
        self.sink.report(messages.ARGUMENTS_NOT_CLOSED, name.span, labels=[where], name=name.text)

    def _replace_call(self, stack: list[Token], macro: Macro, name: Token, use: _Call) -> None:
        wanted, arguments = len(macro.parameters or ()), use.arguments
        if wanted == 0 and arguments == [[]]:
            arguments = []
        if len(arguments) == wanted:
            self._push(stack, macro, name, use.closing, arguments)
            return
        plural = "argument" if wanted == 1 else "arguments"
        given = "none" if arguments == [[]] else str(len(arguments))
        where = Label(macro.span, "defined here")
        self.sink.report(
            messages.ARGUMENT_COUNT,
            name.span,
            labels=[where],
            name=macro.name,
            wanted=f"{wanted} {plural}",
            found=given,
        )
        stack.append(unknown(name))

    def _push(
        self, stack: list[Token], macro: Macro, name: Token, closing: Token, arguments: list[list[Token]]
    ) -> None:
        """Put the text of `macro` on the stack, its parameters replaced."""
        if macro.computed is not None:
            value = self.source_number if macro.computed == "file" else name.file.shown_line(name.line_number)[1]
            stack.append(
                Token("int", str(value), name.spaced, name.file, name.line, name.column, name.width, name.expansion)
            )
            return
        hidden = (name.hidden if closing is name else name.hidden & closing.hidden) | {macro.name}
        if len(hidden) > DEPTH_LIMIT:
            self._stop(messages.EXPANSION_TOO_DEEP, name, DEPTH_LIMIT)
        # The value of each parameter that the text of `macro` uses; others are not expanded at all.
        used = {part.text for part in macro.body}
        pairs = zip(macro.parameters or (), arguments, strict=True)
        values = {name: self._expand_argument(argument) for name, argument in pairs if name in used}
        instance = partial(_instance, macro, name, hidden, closing.line_number)
        if macro.pastes:
            text = self._pasted_text(macro, arguments, values, instance, hidden)
        else:
            text = self._replaced_text(macro, values, instance, hidden)
        self.charge(len(text) + 1, name)
        stack.extend(reversed(text))

    def _replaced_text(
        self, macro: Macro, values: Values, instance: Callable[[Token], Token], hidden: frozenset[str]
    ) -> list[Token]:
        text: list[Token] = []
        for part in macro.body:
            value = values.get(part.text)
            if value is None:
                text.append(instance(part))
            else:
                text.extend(token.hidden_from(hidden) for token in value)
            if len(text) > self._room:
                break
        return text

    def _pasted_text(
        self,
        macro: Macro,
        arguments: list[list[Token]],
        values: Values,
        instance: Callable[[Token], Token],
        hidden: frozenset[str],
    ) -> list[Token]:
        from glslc_multi.frontends.glsl.preprocess.pasting import join, pasted_text

        written = dict(zip(macro.parameters or (), arguments, strict=True))
        self.charge(sum(len(written.get(part.text, ())) for part in macro.body), macro.body[0])
        joined = pasted_text(
            macro.body, written, values, instance, lambda left, right: join(left, right, self.language, self.sink)
        )
        return [token.hidden_from(hidden) for token in joined]

    def _expand_argument(self, tokens: list[Token]) -> list[Token]:
        """An argument is expanded as if nothing followed it (C99 section 6.10.3.1)."""
        if all(token.text not in self.macros for token in tokens):
            return tokens
        if self._nesting == ARGUMENT_DEPTH_LIMIT:
            self._stop(messages.EXPANSION_TOO_DEEP, tokens[0], ARGUMENT_DEPTH_LIMIT)
        self._nesting += 1
        expanded = self.expand_all(tokens)
        self._nesting -= 1
        return expanded or []

    def charge(self, count: int, use: Token) -> None:
        """Count tokens towards the limit that keeps multiplying macros from taking for ever."""
        self._room -= count
        if self._room < 0:
            self._stop(messages.EXPANSION_TOO_LARGE, use, EXPANSION_LIMIT)

    def _stop(self, entry: Entry, use: Token, limit: int) -> NoReturn:
        self.sink.report(entry, use.span, limit=limit)
        raise PreprocessingStopped


@dataclass(slots=True)
class _Call:
    arguments: list[list[Token]]
    #: The closing parenthesis.
    closing: Token


def _collect_arguments(stack: list[Token]) -> _Call | None:
    """Take an argument list from the stack, unless it has no end: then the stack stays as it is."""
    arguments: list[list[Token]] = [[]]
    depth = 0
    for position in range(len(stack) - 1, -1, -1):
        token = stack[position]
        text = token.text
        if text == ")" and depth == 1:
            del stack[position:]
            return _Call(arguments, token)
        if text == "," and depth == 1:
            arguments.append([])
            continue
        if depth:
            arguments[-1].append(token)
        depth += (text == "(") - (text == ")")
    return None


def _move_operand(stack: list[Token], output: list[Token]) -> None:
    """Move the name after `defined`, with its parenthesis, past expansion."""
    if stack and stack[-1].text == "(":
        output.append(stack.pop())
    if stack:
        output.append(stack.pop())


def _instance(macro: Macro, name: Token, hidden: frozenset[str], line_number: int, part: Token) -> Token:
    """Token `part` of the text of `macro`, used at `name`."""
    expansion = Expansion(macro.name, part.file, part.line, part.column, part.width, name.expansion)
    return Token(
        part.kind, part.text, part.spaced, name.file, name.line, name.column, name.width, expansion, hidden, line_number
    )
