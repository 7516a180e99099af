"""The text that pyparsing reads: one letter a token.

pyparsing parses strings, the parser has a token list.  So a shader becomes a stand-in string in which
token i is letter i: a location in the string *is* a token index, a first-token decision is one
character comparison, and no white space is left to skip.  One-character operators stand for
themselves, other operators and keywords get a letter from Unicode's private-use area.
"""

from __future__ import annotations

from typing import SupportsIndex

from compiler.diagnostics import DiagnosticSink, Span
from frontends.glsl.language.versions import GLSL_ES_100, Language
from frontends.glsl.tokens import SOUND, Recovery, TokenStream

IDENTIFIER = "i"
NUMBER = "n"
BOOLEAN = "b"
#: All words that name a type; which one it is matters to the checker only.
TYPE = "t"
#: const attribute uniform varying in out inout, and how what is between stages is interpolated.
QUALIFIER = "q"
#: lowp mediump highp.
PRECISION = "p"
RESERVED = "r"
END = "$"

_STATEMENT_WORDS = (
    "if else for while do return break continue discard struct precision invariant switch case default layout".split()
)
_QUALIFIER_WORDS = "const attribute uniform varying in out inout centroid flat smooth noperspective".split()
_LONG_OPERATORS = "++ -- += -= *= /= %= <<= >>= &= ^= |= << >> <= >= == != && || ^^".split()

#: Letter of every operator and keyword that the grammar tells apart.
LETTERS: dict[str, str] = {
    **{operator: operator for operator in "()[]{}.,;:?=+-*/<>!%~&^|"},
    **{word: chr(0xE000 + number) for number, word in enumerate(_STATEMENT_WORDS + _LONG_OPERATORS)},
    **dict.fromkeys(_QUALIFIER_WORDS, QUALIFIER),
    **dict.fromkeys(("lowp", "mediump", "highp"), PRECISION),
    **dict.fromkeys(("true", "false"), BOOLEAN),
}
#: Kinds of tokens whose text decides; `switch` is a name, a reserved word or a keyword, as the version has it.
_SPELLED = frozenset(("keyword", "operator"))
#: Letter of all other tokens, by kind.  The keywords left over are the types.
_LETTER_OF_KIND = {
    "identifier": IDENTIFIER,
    "keyword": TYPE,
    "reserved": RESERVED,
    "int": NUMBER,
    "float": NUMBER,
    "operator": RESERVED,
    "end": END,
}
#: The keyword that opens a layout qualifier.
LAYOUT = LETTERS["layout"]

#: Names of the letters that stand for many tokens, as in chapter 9 where it has one.
_CLASS_NAMES = {
    IDENTIFIER: "IDENTIFIER",
    NUMBER: "INTCONSTANT | FLOATCONSTANT",
    TYPE: "name of a basic type",
    END: "end of the shader",
}


def spelling(letter: str) -> str:
    """The tokens that a letter stands for, for people."""
    return _CLASS_NAMES.get(letter) or " | ".join(word for word, found in LETTERS.items() if found == letter)


class ShaderText(str):
    """The stand-in string of one shader, with what parsing it needs to know and to remember."""

    tokens: TokenStream
    language: Language
    #: "" where it is not known.
    stage: str
    sink: DiagnosticSink
    #: Levels of brackets, conditional operators and blocks around the current token.
    nesting: int
    #: `else if` branches of the current function so far.
    branches: int
    #: A global declaration failed, and no function was complete since.
    adrift: bool
    #: Where parsing failed, and left out something.
    damage: list[Span]
    #: What the preprocessor left out or replaced.
    recovery: Recovery

    def expandtabs(self, tabsize: SupportsIndex = 8) -> ShaderText:
        """Itself: pyparsing expands tabs, of which there are none, and a plain string would have no tokens."""
        return self


def stand_in(
    tokens: TokenStream,
    sink: DiagnosticSink,
    recovery: Recovery = SOUND,
    language: Language = GLSL_ES_100,
    stage: str = "",
    qualifiers: frozenset[int] = frozenset(),
) -> ShaderText:
    """One letter for each token; those in `qualifiers` are read as such, although the version reserves their words."""
    letters = [
        (LETTERS.get(text) if kind in _SPELLED else None) or _LETTER_OF_KIND[kind]
        for text, kind in zip(tokens.texts, tokens.kinds, strict=True)
    ]
    for index in qualifiers:
        letters[index] = QUALIFIER
    text = ShaderText("".join(letters))
    text.tokens = tokens
    text.language = language
    text.stage = stage
    text.sink = sink
    text.nesting = 0
    text.branches = 0
    text.adrift = False
    text.damage = []
    text.recovery = recovery
    return text
