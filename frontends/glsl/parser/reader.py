"""What every rule needs: take a token, read a list, survive a mistake, count levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import syntax as messages
from glslc_multi.frontends.glsl.limits import NESTING_LIMIT
from glslc_multi.frontends.glsl.parser.failure import FatalRefusal, MissingBrace, SyntaxFailure, Unexpected
from glslc_multi.frontends.glsl.parser.recovery import next_item
from glslc_multi.frontends.glsl.parser.state import ParserState
from glslc_multi.frontends.glsl.parser.terminals import END

T = TypeVar("T")
_BOUNDARIES = frozenset("{};")


class TokenReader(ParserState):
    """Reads what the rules are made of."""

    def take(self, terminal: str, expected: str = "") -> int:
        """Take the next token, which must be this one; return its number."""
        at = self.at
        if self.terminals[at] != terminal:
            raise Unexpected(self, at, expected or f"'{terminal}'")
        self.at = at + 1
        return at

    def accept(self, terminal: str) -> bool:
        """Take the next token if it is this one."""
        is_next = self.terminals[self.at] == terminal
        self.at += is_next
        return is_next

    def sees(self, first: str, second: str) -> bool:
        """Tell whether these are the next two tokens."""
        return self.terminals[self.at] == first and self.terminals[self.at + 1] == second

    def span_from(self, first: int) -> Span:
        """Return the place from token `first` to the last one taken."""
        return self.tokens.span_from(first, self.at - 1)

    def comma_list(self, item: Callable[[], T]) -> list[T]:
        """Read one or more, separated by commas."""
        items = [item()]
        while self.accept(","):
            items.append(item())
        return items

    def items(self, item: Callable[[], T], *, are_blocks: bool = False) -> list[T]:
        """Read statements or members up to a "}"; what does not parse is reported and left out.

        Blocks may be among them if `are_blocks`: parsing can go on at a "{".
        """
        items: list[T] = []
        nesting, has_failed = self.nesting, False
        while (terminal := self.terminals[self.at]) != "}" and terminal != END:
            if has_failed and terminal == "else":
                # The `if` before it may be what was left out.
                self.at += 1
                continue
            start = self.at
            try:
                items.append(item())
            except SyntaxFailure as failure:
                if failure.escapes or self.terminals[failure.at] == END:
                    raise
                self.report(failure)
                self.at, self.nesting, has_failed = next_item(failure, start, are_blocks), nesting, True
        return items

    def report(self, failure: SyntaxFailure) -> None:
        """Tell of a failure, after which something is missing from the tree."""
        failure.report()
        self.damage.append(self.tokens.span(failure.at))

    def nest(self) -> None:
        """Go a level deeper; whoever comes out again counts down, or starts anew after a failure."""
        self.nesting += 1
        if self.nesting > NESTING_LIMIT:
            raise FatalRefusal(self, self.at, messages.NESTING_TOO_DEEP, limit=NESTING_LIMIT)

    def refuse_in_braces(self) -> None:
        """Refuse what cannot be inside of braces if it begins a line: a "}" is missing before it."""
        if not self.nesting:
            return
        start = self.at
        while start and self.terminals[start - 1] not in _BOUNDARIES:
            start -= 1
        if self.tokens.columns[start] == 1:
            raise MissingBrace(self, start)
