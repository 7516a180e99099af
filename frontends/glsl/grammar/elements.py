"""The pyparsing elements that this grammar is written with.

Each extends pyparsing as its documentation describes: a subclass of `Token`, `ParseElementEnhance`, `Opt` or
`ZeroOrMore` that implements `parseImpl`.  So they combine with stock elements in both directions, and pyparsing draws
them.  Each has the meaning of the stock element in its `expr`, and is faster, because it looks ahead and never
tries: stock alternatives, options and repetitions find out by catching exceptions, which costs more than the parsing.
`Choice` is a dictionary from the next one or two letters to an element, `Many` repeats while such a dictionary has an
entry, and a `Node` is a sequence whose values become one syntax node.  `recovery` has the lists that survive errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyparsing
from pyparsing import And, MatchFirst, Opt, ParseElementEnhance, ParserElement, ZeroOrMore

from compiler.diagnostics import Entry
from compiler.diagnostics.catalogue import syntax as messages
from frontends.glsl.grammar.alphabet import ShaderText, spelling
from frontends.glsl.grammar.failure import FatalRefusal, Refusal, Unexpected, closing_bracket
from frontends.glsl.limits import NESTING_LIMIT

#: `build(text, first, last, *values)`: a node of tokens `first` to `last` from the values of its parts.
Build = Callable[..., Any]
#: Where the match ends, and its values.
Match = tuple[int, Any]
Parse = Callable[[ShaderText, int], Match]


class Element(ParserElement):
    """An element of this grammar: its `parseImpl` needs nothing of what pyparsing does around it."""

    def streamline(self) -> ParserElement:
        """Nothing: rules have no nested sequences that could be one."""
        self.streamlined = True
        return self


def parser_of(element: ParserElement) -> Parse:
    """What matches a part of a rule.

    `_parse`, by which pyparsing's elements call each other, looks for white space, parse actions, results names and
    debugging, and wraps what it found in a `ParseResults`.  Elements of this grammar call each other's `parseImpl`
    instead, which makes parsing twice as fast, unless an action or a results name was given to them.
    """
    is_plain = isinstance(element, Element) and not element.parseAction and not element.resultsName
    return element.parseImpl if is_plain else element._parse


class Terminal(Element, pyparsing.Token):
    """One token; its value is its index when `kept`, and nothing otherwise."""

    def __init__(self, letter: str, expected: str, *, kept: bool = False) -> None:
        super().__init__()
        self.letter = letter
        #: How messages call it.
        self.expected = expected
        self.kept = kept

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return spelling(self.letter)

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if instring[loc] != self.letter:
            raise Unexpected(instring, loc, self.expected)
        return loc + 1, [loc] if self.kept else []


class Spelled(Terminal):
    """One token of many that share a letter."""

    def __init__(self, letter: str, word: str, expected: str, *, kept: bool = False) -> None:
        super().__init__(letter, expected, kept=kept)
        self.word = word

    def _generateDefaultName(self) -> str:  # noqa: N802
        return self.word

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if instring.tokens.texts[loc] != self.word:
            raise Unexpected(instring, loc, self.expected)
        return super().parseImpl(instring, loc)


class Leaf(Terminal):
    """One token that becomes a syntax node."""

    def __init__(self, build: Build, letter: str, expected: str) -> None:
        super().__init__(letter, expected)
        self.build = build

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end, _ = super().parseImpl(instring, loc)
        return end, [self.build(instring, loc, loc)]


class Refuse(Element, pyparsing.Token):
    """A construct known from elsewhere, that has a message of its own."""

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.entry = entry
        self.show_in_diagram = False

    def _generateDefaultName(self) -> str:  # noqa: N802
        return self.entry.code

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        raise Refusal(instring, loc, self.entry)


class OptionIf(Element, Opt):
    """An element that is there exactly when the next letter is one of `letters`; None when it is not."""

    def __init__(self, letters: str, element: ParserElement) -> None:
        super().__init__(element, default=None)
        self.letters = letters
        self.parse = parser_of(element)

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        return self.parse(instring, loc) if instring[loc] in self.letters else (loc, [None])


class OptionUnless(OptionIf):
    """An element that is there unless the next letter is one of `letters`; None when it is not."""

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        return (loc, [None]) if instring[loc] in self.letters else self.parse(instring, loc)


class Node(Element, ParseElementEnhance):
    """A sequence that becomes one syntax node."""

    def __init__(self, build: Build, *elements: ParserElement) -> None:
        super().__init__(And(elements))
        self.build = build
        self.parsers = [parser_of(element) for element in elements]

    def _generateDefaultName(self) -> str:  # noqa: N802
        return self.build.__name__

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end = loc
        values: list[Any] = []
        for parse in self.parsers:
            end, parts = parse(instring, end)
            values.extend(parts)
        return end, [self.build(instring, loc, end - 1, *values)]


class Choice(Element, ParseElementEnhance):
    """The element that the next two letters, or the next one, stand for; without one, `otherwise`.

    One that contains itself is made without alternatives, which `define` gives to it later.
    """

    def __init__(
        self, expected: str, alternatives: Mapping[str, ParserElement], otherwise: ParserElement | None = None
    ) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.expected = expected
        self.define(alternatives, otherwise)

    def define(self, alternatives: Mapping[str, ParserElement], otherwise: ParserElement | None = None) -> None:
        self.alternatives = alternatives
        self.otherwise = otherwise
        self.parsers = {letters: parser_of(element) for letters, element in alternatives.items()}
        self.default = None if otherwise is None else parser_of(otherwise)
        choices = alternatives.values() if otherwise is None else [*alternatives.values(), otherwise]
        self.expr = MatchFirst(dict.fromkeys(choices))

    def _generateDefaultName(self) -> str:  # noqa: N802
        return self.expected

    def pick(self, text: ShaderText, position: int) -> Parse | None:
        find = self.parsers.get
        return find(text[position : position + 2]) or find(text[position]) or self.default

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        parse = self.pick(instring, loc)
        if parse is None:
            raise Unexpected(instring, loc, self.expected)
        return parse(instring, loc)


class ChoiceAfterBrackets(Choice):
    """The element that the letter after `x[...]` stands for."""

    def pick(self, text: ShaderText, position: int) -> Parse | None:
        return super().pick(text, closing_bracket(text, position + 1) + 1)


class Nested(Choice):
    """A choice that can contain itself, to a bounded depth."""

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        instring.nesting += 1
        try:
            if instring.nesting > NESTING_LIMIT:
                raise FatalRefusal(instring, loc, messages.NESTING_TOO_DEEP, limit=NESTING_LIMIT)
            return super().parseImpl(instring, loc)
        finally:
            instring.nesting -= 1


class Many(Element, ZeroOrMore):
    """As many matches as the choice has alternatives for; its value is what `build` makes of theirs."""

    def __init__(self, choice: Choice, build: Build) -> None:
        super().__init__(choice)
        self.choice = choice
        self.build = build

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end = loc
        values: list[Any] = []
        while (parse := self.choice.pick(instring, end)) is not None:
            end, parts = parse(instring, end)
            values.extend(parts)
        return end, [self.build(instring, loc, end - 1, values)]


class CommaList(Element, ParseElementEnhance):
    """One or more, separated by commas; the value is the list of theirs."""

    def __init__(self, element: ParserElement) -> None:
        super().__init__(And([element, ZeroOrMore(And([_COMMA, element]))]))
        self.element = element
        self.parse = parser_of(element)

    def _generateDefaultName(self) -> str:  # noqa: N802
        return f"{self.element}, ..."

    def parseImpl(self, instring: ShaderText, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        end, parts = self.parse(instring, loc)
        values = list(parts)
        while instring[end] == ",":
            end, parts = self.parse(instring, end + 1)
            values.extend(parts)
        return end, [values]


_COMMA = Terminal(",", "','")
