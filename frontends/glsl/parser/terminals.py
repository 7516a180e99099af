"""The terminals of the grammar: what a token is to the parser."""

from __future__ import annotations

from glslc_multi.frontends.glsl.tokens import TokenKind

NAME = "NAME"
NUMBER = "NUMBER"
BOOLEAN = "BOOLEAN"
#: All words that name a type; which one it is matters to the checker only.
TYPE = "TYPE"
#: const attribute uniform varying in out inout, and how what is between stages is interpolated.
QUALIFIER = "QUALIFIER"
#: lowp mediump highp.
PRECISION = "PRECISION"
RESERVED = "RESERVED"
END = "END"

_STATEMENT_WORDS = (
    "if else for while do return break continue discard struct precision invariant switch case default layout".split()
)
_QUALIFIERS = "const attribute uniform varying in out inout centroid flat smooth noperspective".split()
_OPERATORS = (
    *"()[]{}.,;:?=+-*/<>!%~&^|",
    *"++ -- += -= *= /= %= <<= >>= &= ^= |= << >> <= >= == != && || ^^".split(),
)
#: Keywords and operators; `switch` is a name, a reserved word or a keyword, as the version has it.
TERMINALS = {
    **{word: word for word in (*_OPERATORS, *_STATEMENT_WORDS)},
    **dict.fromkeys(_QUALIFIERS, QUALIFIER),
    **dict.fromkeys(("lowp", "mediump", "highp"), PRECISION),
    **dict.fromkeys(("true", "false"), BOOLEAN),
}
#: Of all other tokens, by kind.  The keywords left over are the types.
_OF_KIND: dict[TokenKind, str] = {
    "identifier": NAME,
    "keyword": TYPE,
    "reserved": RESERVED,
    "int": NUMBER,
    "float": NUMBER,
    "operator": RESERVED,
    "end": END,
}


def terminal_of(kind: TokenKind, text: str) -> str:
    """Return the terminal that a token is."""
    is_spelled = kind in ("operator", "keyword")
    return TERMINALS.get(text, _OF_KIND[kind]) if is_spelled else _OF_KIND[kind]
