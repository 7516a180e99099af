"""The pyparsing elements that this grammar is written with.

All of them look ahead instead of trying: pyparsing's own alternatives, options and repetitions find out
by catching exceptions, which costs more than the parsing.  `Choice` is a dictionary from the next one
or two letters to an element, `Many` repeats while such a dictionary has an entry, `Items` is a list that
survives errors, and `Node` is an `And` whose values become one syntax node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pyparsing import And, ParserElement
from pyparsing import Token as TokenElement

from compiler.diagnostics import Entry
from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar.alphabet import END, IDENTIFIER, ShaderText
from frontends.glsl.grammar.failure import FatalRefusal, MissingBrace, Refusal, SyntaxFailure, resume_after
from frontends.glsl.limits import NESTING_LIMIT

#: `build(text, first, last, *values)`: a node of tokens `first` to `last` from the values of its parts.
Build = Callable[..., Any]
#: Where the match ends, and its values.
Match = tuple[int, Any]


def _prepare(element: ParserElement, name: str) -> None:
    """The stand-in text has no white space to skip, and always ends in a token."""
    element.skipWhitespace = element.callPreparse = element.mayIndexError = False
    element.set_name(name)


class Token(TokenElement):
    """One token; its value is its index when `kept`, and nothing otherwise."""

    def __init__(self, letter: str, name: str, *, kept: bool = False) -> None:
        super().__init__()
        _prepare(self, name)
        self.expected = name
        self.letter = letter
        self.kept = kept

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return self.letter

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if instring[loc] != self.letter:
            raise SyntaxFailure(instring, loc, self.expected)
        return loc + 1, [loc] if self.kept else []


class Node(And):
    """A sequence that becomes one syntax node."""

    def __init__(self, build: Build, *elements: ParserElement) -> None:
        super().__init__(elements)
        _prepare(self, build.__name__)
        self.build = build

    def streamline(self) -> Node:
        """Stay as written: an `And` would melt nodes inside of nodes into one sequence."""
        self.streamlined = True
        return self

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end = loc
        values: list[Any] = []
        for element in self.exprs:
            end, parts = element._parse(instring, end)
            values.extend(parts)
        return end, [self.build(instring, loc, end - 1, *values)]


class Choice(ParserElement):
    """The element that the next two letters, or the next one, stand for; without one, `otherwise`."""

    def __init__(
        self, name: str, alternatives: Mapping[str, ParserElement], otherwise: ParserElement | None = None
    ) -> None:
        super().__init__()
        _prepare(self, name)
        self.alternatives = dict(alternatives)
        self.otherwise = otherwise

    def _generateDefaultName(self) -> str:  # noqa: N802
        return " | ".join(map(str, self.alternatives.values()))

    def pick(self, text: ShaderText, position: int) -> ParserElement | None:
        find = self.alternatives.get
        return find(text[position : position + 2]) or find(text[position]) or self.otherwise

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        element = self.pick(instring, loc)
        if element is None:
            raise SyntaxFailure(instring, loc, str(self.customName))
        return element._parse(instring, loc)


class Nested(Choice):
    """A choice that can contain itself, to a bounded depth."""

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        instring.nesting += 1
        if instring.nesting > NESTING_LIMIT:
            raise FatalRefusal(instring, loc, messages.NESTING_TOO_DEEP, limit=NESTING_LIMIT)
        match = super().parseImpl(instring, loc)
        instring.nesting -= 1
        return match


class Word(Token):
    """An identifier that is a keyword in this place only."""

    def __init__(self, word: str, name: str) -> None:
        super().__init__(IDENTIFIER, name, kept=True)
        self.word = word

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if instring.tokens.texts[loc] != self.word:
            raise SyntaxFailure(instring, loc, self.expected)
        return loc + 1, [loc]


class Absent(TokenElement):
    """Nothing, with the value None: an optional part that was left out."""

    def __init__(self) -> None:
        super().__init__()
        _prepare(self, "nothing")

    def _generateDefaultName(self) -> str:  # noqa: N802
        return "nothing"

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        return loc, [None]


class Refuse(TokenElement):
    """A construct that is known from other languages and has a message of its own."""

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        _prepare(self, entry.code)
        self.entry = entry

    def _generateDefaultName(self) -> str:  # noqa: N802
        return self.entry.code

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        raise Refusal(instring, loc, self.entry)


class Many(ParserElement):
    """As many matches as the choice has alternatives for; its value is the list of theirs."""

    def __init__(self, choice: Choice) -> None:
        super().__init__()
        _prepare(self, f"{choice}...")
        self.choice = choice

    def _generateDefaultName(self) -> str:  # noqa: N802
        return f"{self.choice}..."

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        values: list[Any] = []
        while (element := self.choice.pick(instring, loc)) is not None:
            loc, parts = element._parse(instring, loc)
            values.extend(parts)
        return loc, [values]


class Items(ParserElement):
    """Items up to `closer`; one that does not parse is reported and left out.

    `blocks` says that items may be blocks, so that parsing can go on at a "{".
    """

    def __init__(self, item: ParserElement, closer: str, *, blocks: bool = False) -> None:
        super().__init__()
        _prepare(self, f"{item}...")
        self.item = item
        self.closers = closer + END
        self.blocks = blocks

    def _generateDefaultName(self) -> str:  # noqa: N802
        return f"{self.item}..."

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        values: list[Any] = []
        nesting = instring.nesting
        while instring[loc] not in self.closers:
            try:
                loc, parts = self.item._parse(instring, loc)
                values.extend(parts)
            except SyntaxFailure as failure:
                loc = self.recover(failure, loc)
                instring.nesting = nesting
        return loc, [values]

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        """Report the failure of the item at `start`; where the next one begins."""
        if failure.escapes:
            raise failure
        failure.report()
        return resume_after(failure, start, blocks=self.blocks)


class Externals(Items):
    """The global declarations, where every failure ends that no list inside has mended."""

    def recover(self, failure: SyntaxFailure, start: int) -> int:
        failure.report()
        if isinstance(failure, FatalRefusal):
            return len(failure.text) - 1
        if isinstance(failure, MissingBrace):
            return failure.loc
        position = resume_after(failure, start, blocks=False)
        # Braces behind a mistake say nothing new.
        while failure.text[position] == "}":
            position += 1
        return position


class FunctionBody(TokenElement):
    """The block of a function; `block` is set when the grammar is complete."""

    block: ParserElement

    def __init__(self, name: str) -> None:
        super().__init__()
        _prepare(self, name)

    def _generateDefaultName(self) -> str:  # noqa: N802
        return "block"

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        lines, start = instring.tokens.lines, loc
        while start and lines[start - 1] == lines[loc]:
            start -= 1
        # Inside of a block, a definition at the left margin means that the block was not closed.
        if instring.nesting and instring.tokens.columns[start] == 1:
            raise MissingBrace(instring, start)
        return self.block._parse(instring, loc)


class StrayBrace(TokenElement):
    """A "}" outside of all blocks."""

    def __init__(self) -> None:
        super().__init__()
        _prepare(self, "'}'")

    def _generateDefaultName(self) -> str:  # noqa: N802
        return "'}'"

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        raise Refusal(instring, loc, messages.UNMATCHED_BRACE)


class StraySemicolon(TokenElement):
    """A ";" outside of all functions: tolerated, with a warning."""

    def __init__(self) -> None:
        super().__init__()
        _prepare(self, "';'")

    def _generateDefaultName(self) -> str:  # noqa: N802
        return "';'"

    def parseImpl(self, instring: Any, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        instring.sink.report(messages.EXTRA_SEMICOLON, instring.tokens.span(loc))
        return loc + 1, []
