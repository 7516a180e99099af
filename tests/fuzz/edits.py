"""Small changes that leave most shaders valid: they reach the passes and the code generators.

`mutate.py` does damage; here a token becomes another one of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from glslc_multi.frontends.glsl.language.versions import language_of
from glslc_multi.frontends.glsl.language.words import word_kinds
from tests.edges import FLOATS, INTS, edges

_TOKEN = re.compile(
    r"\s+|//[^\n]*|#[^\n]*|[A-Za-z_]\w*|\d*\.?\d+(?:[eE][-+]?\d+)?\.?|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||\^\^|\+\+|--|.",
    re.DOTALL,
)
_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
#: Where code changes its mind, and what is too large or too small for some machine.
_FLOATS = (*map(repr, edges()), "0.1", "1e-3", "3.4e38", "1e-40")
_INTS = tuple(str(x) for x in edges(format=INTS) if x >= 0)
#: Tokens that may stand for each other.
_KINDS = tuple(
    kind.split()
    for kind in (
        "+ - * /",
        "< > <= >=",
        "== !=",
        "&& || ^^",
        "+= -= *= /= =",
        "% & | ^ << >>",
        "%= &= |= ^= <<= >>=",
        "sin cos fract floor ceil abs sign sqrt exp2 log2 exp log inversesqrt radians asin atan normalize",
        "min max mod pow step",
        "mix clamp smoothstep",
        "dot distance",
        "any all",
        "trunc round roundEven sinh cosh tanh asinh exp",
        "isnan isinf",
        "transpose inverse",
        "lowp mediump highp",
        "texture2D texture2DProj",
        "texture textureProj",
        "flat smooth",
        "std140 shared packed row_major column_major",
        "int uint",
        "ivec2 uvec2",
        "ivec4 uvec4",
        "break continue",
        "true false",
        "lessThan greaterThan lessThanEqual greaterThanEqual equal notEqual",
    )
)
_KIND_OF = {word: kind for kind in _KINDS for word in kind}
_DECLARED = re.compile(r"\b(float|u?int|bool|[biuv]?vec[234]|mat[234](?:x[234])?|[iu]?sampler\w+)\s+(\w+)")
_LETTERS = ("xyzw", "rgba", "stpq")
#: An assignment in a line of its own.
_STATEMENT = re.compile(r"^[ \t]+[\w.\[\]]+ *[-+*/]?=(?!=)[^;{}#\n]*;[ \t]*$", re.MULTILINE)
_ARGUMENT = re.compile(r"[\w)] *\((?=[a-z]\w*[.,)] ?|\d+\.\d)")


def edit(source: str, random: Random) -> str:
    """`source` with at most two small changes."""
    text = source
    for _ in range(random.choice((0, 1, 1, 2))):
        text = random.choice(_EDITS)(text, random)
    return text


def _replace_token(text: str, random: Random, alternatives: Callable[[str, str], list[str]]) -> str:
    """Another token in place of one that has alternatives; `alternatives` sees the token and the one before."""
    tokens = _TOKEN.findall(text)
    places = [
        (place, found) for place in range(1, len(tokens)) if (found := alternatives(tokens[place - 1], tokens[place]))
    ]
    if not places:
        return text
    place, found = random.choice(places)
    return "".join([*tokens[:place], random.choice(found), *tokens[place + 1 :]])


def _change_kind(text: str, random: Random) -> str:
    return _replace_token(text, random, lambda _, token: _KIND_OF.get(token, []))


def _change_number(text: str, random: Random) -> str:
    def others(before: str, token: str) -> list[str]:
        if not _NUMBER.fullmatch(token):
            return []
        if "." in token or "e" in token.lower():
            return [*_FLOATS, *map(repr, FLOATS.around(float(token)))]
        return [*_INTS, str(int(token) + 1), str(max(int(token) - 1, 0))]

    return _replace_token(text, random, others)


def _change_letters(text: str, random: Random) -> str:
    def others(before: str, token: str) -> list[str]:
        letters = next((known for known in _LETTERS if set(token) <= set(known)), "")
        if before != "." or not letters or len(token) > 4:
            return []
        size = max(map(letters.index, token)) + 1
        return ["".join(random.choice(letters[:size]) for _ in token)]

    return _replace_token(text, random, others)


def _change_name(text: str, random: Random) -> str:
    """Another variable of the same type."""
    types: dict[str, list[str]] = {}
    for type_, name in _DECLARED.findall(text):
        types.setdefault(type_, []).append(name)
    peers = {name: names for names in types.values() if len(names) > 1 for name in names}
    return _replace_token(text, random, lambda before, token: [] if before in types else peers.get(token, []))


def _negate(text: str, random: Random) -> str:
    """A minus before an argument that begins with a name or a number."""
    places = [match.end() for match in _ARGUMENT.finditer(text)]
    if not places:
        return text
    place = random.choice(places)
    return f"{text[:place]}-{text[place:]}"


def _change_statements(text: str, random: Random) -> str:
    """A statement is doubled, left out, moved, or made conditional."""
    places = [match.span() for match in _STATEMENT.finditer(text)]
    if not places:
        return text
    start, end = random.choice(places)
    target = random.choice(places)[0]
    statement = text[start:end]
    shape = random.randrange(6)
    if shape == 0:
        return text[:start] + text[end:]
    if shape == 1:
        return f"{text[:target]}{statement}\n{text[target:]}"
    counter = f"k{random.randrange(100)}"
    around = (
        f"    if (gl_MaxDrawBuffers > {random.randrange(3)}) {{ {statement} }}",
        f"    for (int {counter} = 0; {counter} < {random.choice((1, 2, 3, 8, 30))}; {counter}++) {{ {statement} }}",
        f"    {{ {statement} }}",
        _in_switch(text, statement, random),
    )[shape - 2]
    return text[:start] + around + text[end:]


def _in_switch(text: str, statement: str, random: Random) -> str:
    """A statement as a case; as it is in versions without `switch`."""
    if word_kinds(language_of(text).number).get("switch") != "keyword":
        return statement
    end = random.choice(("break;", "", "default: break;"))
    return f"    switch (gl_MaxDrawBuffers - {random.randrange(9)}) {{ case {random.randrange(3)}: {statement} {end} }}"


_EDITS: tuple[Callable[[str, Random], str], ...] = (
    *(_change_kind, _change_kind, _change_number, _change_number, _change_letters, _change_name, _change_name),
    *(_negate, _change_statements, _change_statements),
)
