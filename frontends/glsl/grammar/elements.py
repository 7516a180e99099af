"""The pyparsing elements that this grammar is written with.

All of them look ahead instead of trying: pyparsing's own alternatives, options and repetitions find out
by catching exceptions, which costs more than the parsing.  `Choice` is a dictionary from the next one
or two letters to an element, `Many` repeats while such a dictionary has an entry, and a `Node` is a
sequence whose values become one syntax node.  `recovery` has the lists that survive errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from compiler.diagnostics import Entry
from compiler.diagnostics.catalogue import syntax as messages
from compiler.grammar import ParserElement
from frontends.glsl.grammar.alphabet import IDENTIFIER, ShaderText
from frontends.glsl.grammar.failure import FatalRefusal, Refusal, SyntaxFailure
from frontends.glsl.limits import NESTING_LIMIT

#: `build(text, first, last, *values)`: a node of tokens `first` to `last` from the values of its parts.
Build = Callable[..., Any]
#: Where the match ends, and its values.
Match = tuple[int, Any]


class Element(ParserElement):
    """Base of the elements here: they match a `ShaderText`, and call each other, by `match`.

    `_parse` is what pyparsing calls.  The inherited one looks for white space, parse actions, result names and
    debugging, and wraps what it found in a `ParseResults`; nothing here uses any of that, and without it the
    grammar is twice as fast.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.expected = name
        self.set_name(name)

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return self.expected

    def match(self, text: ShaderText, position: int) -> Match:
        """Match at token `position`, or raise a `SyntaxFailure`."""
        raise SyntaxFailure(text, position, self.expected)

    def _parse(self, instring: Any, loc: int, doActions: bool = True, callPreParse: bool = True) -> Match:  # noqa: N803
        return self.match(instring, loc)


class Token(Element):
    """One token; its value is its index when `kept`, and nothing otherwise."""

    def __init__(self, letter: str, name: str, *, kept: bool = False) -> None:
        super().__init__(name)
        self.letter = letter
        self.kept = kept

    def match(self, text: ShaderText, position: int) -> Match:
        if text[position] != self.letter:
            raise SyntaxFailure(text, position, self.expected)
        return position + 1, [position] if self.kept else []


class Word(Token):
    """An identifier that is a keyword in this place only."""

    def __init__(self, word: str, name: str) -> None:
        super().__init__(IDENTIFIER, name, kept=True)
        self.word = word

    def match(self, text: ShaderText, position: int) -> Match:
        if text.tokens.texts[position] != self.word:
            raise SyntaxFailure(text, position, self.expected)
        return super().match(text, position)


class Leaf(Token):
    """One token that becomes a syntax node."""

    def __init__(self, build: Build, letter: str, name: str) -> None:
        super().__init__(letter, name)
        self.build = build

    def match(self, text: ShaderText, position: int) -> Match:
        end, _ = super().match(text, position)
        return end, [self.build(text, position, position)]


class Optional(Element):
    """An element that is there exactly when the next letter is one of `letters`; None when it is not."""

    def __init__(self, letters: str, element: Element) -> None:
        super().__init__(str(element))
        self.letters = letters
        self.element = element

    def match(self, text: ShaderText, position: int) -> Match:
        return self.element.match(text, position) if text[position] in self.letters else (position, [None])


class Unless(Optional):
    """An element that is there unless the next letter is one of `letters`; None when it is not."""

    def match(self, text: ShaderText, position: int) -> Match:
        return (position, [None]) if text[position] in self.letters else self.element.match(text, position)


class Refuse(Element):
    """A construct known from elsewhere, that has a message of its own."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.code)
        self.entry = entry

    def match(self, text: ShaderText, position: int) -> Match:
        raise Refusal(text, position, self.entry)


class Node(Element):
    """A sequence that becomes one syntax node."""

    def __init__(self, build: Build, *elements: Element) -> None:
        super().__init__(build.__name__.replace("_", " "))
        self.build = build
        self.elements = elements

    def match(self, text: ShaderText, position: int) -> Match:
        end = position
        values: list[Any] = []
        for element in self.elements:
            end, parts = element.match(text, end)
            values.extend(parts)
        return end, [self.build(text, position, end - 1, *values)]


class Choice(Element):
    """The element that the next two letters, or the next one, stand for; without one, `otherwise`."""

    def __init__(self, name: str, alternatives: Mapping[str, Element], otherwise: Element | None = None) -> None:
        super().__init__(name)
        self.alternatives = dict(alternatives)
        self.otherwise = otherwise

    def pick(self, text: ShaderText, position: int) -> Element | None:
        find = self.alternatives.get
        return find(text[position : position + 2]) or find(text[position]) or self.otherwise

    def match(self, text: ShaderText, position: int) -> Match:
        element = self.pick(text, position)
        if element is None:
            raise SyntaxFailure(text, position, self.expected)
        return element.match(text, position)


class Nested(Choice):
    """A choice that can contain itself, to a bounded depth."""

    def match(self, text: ShaderText, position: int) -> Match:
        text.nesting += 1
        if text.nesting > NESTING_LIMIT:
            raise FatalRefusal(text, position, messages.NESTING_TOO_DEEP, limit=NESTING_LIMIT)
        found = super().match(text, position)
        text.nesting -= 1
        return found


class Many(Element):
    """As many matches as the choice has alternatives for; its value is what `build` makes of theirs."""

    def __init__(self, choice: Choice, build: Build) -> None:
        super().__init__(f"{choice}...")
        self.choice = choice
        self.build = build

    def match(self, text: ShaderText, position: int) -> Match:
        end = position
        values: list[Any] = []
        while (element := self.choice.pick(text, end)) is not None:
            end, parts = element.match(text, end)
            values.extend(parts)
        return end, [self.build(text, position, end - 1, values)]
