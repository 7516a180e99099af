"""Mutations of shader texts: what a typing mistake, a merge conflict or an attacker makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from glslc_multi.frontends.glsl.language.versions import DESKTOP_VERSIONS, ES_VERSIONS
from tests.fuzz.versions import change_version

_TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|[0-9.]+(?:[eE][-+]?\d+)?|.", re.DOTALL)
#: Texts that have tripped compilers: limits, half-finished constructs, unusual characters.
SPLINTERS: tuple[str, ...] = (
    *(
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        ".",
        "=",
        "==",
        "?",
        ":",
        "#",
        "\\",
        '"',
        "'",
        "\0",
        "é",
        "\N{GRINNING FACE}",
    ),
    *(
        "/*",
        "*/",
        "//",
        "\n",
        "\r",
        "\n#",
        "##",
        "#define A A\n",
        "#define f(x) f(x)\n",
        "#if 1\n",
        "#else\n",
        "#endif\n",
    ),
    *(
        "#line 7\n",
        "#version 100\n",
        "#extension all : warn\n",
        "#include <x>\n",
        "#error\n",
        "#pragma STDGL invariant(all)\n",
    ),
    *("void", "float", "vec4", "mat4", "struct", "const", "inout", "uniform", "varying", "attribute", "invariant"),
    *("if", "else", "for(;;)", "while(true)", "do", "return", "break", "continue", "discard", "layout(location=0)"),
    *("0", "08", "0x", "1e999", "1.", ".1", "99999999999", "-", "++", "%", "<<", "^^", "&&", "!", "~", "gl_Position"),
    *("#version 300 es\n", "#version 330\n", "#version 120\n", "#extension GL_ARB_shading_language_420pack : enable\n"),
    *(
        "uint",
        "uvec4",
        "flat",
        "smooth",
        "centroid",
        "in",
        "out",
        "mat2x3",
        "sampler2DArray",
        "texture",
        "[]",
        "u",
        "f",
    ),
    *("switch(1){", "case 0:", "default:", ".length()", "float[](1.)", "0xFFFFFFFFu", "<<", ">>=", "&", "|", "%="),
    *("layout(std140)", "layout(row_major) uniform;", "layout(location=-1,location=9)", "uniform B{vec4 a;}b[2];"),
    *("gl_FragColor", "texture2D", "[2147483647]", "[-1]", "vec4(", "struct{int a;}", "precision highp float;"),
)


def mutate(source: str, random: Random, donor: str) -> str:
    """`source` with one to four random changes; `donor` lends text."""
    text = source
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        text = random.choice(_MUTATIONS)(text, random, donor)
    return text


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text) or [""]


def _place(parts: Sequence[str], random: Random) -> int:
    return random.randrange(len(parts))


def _delete_token(text: str, random: Random, _: str) -> str:
    parts = _tokens(text)
    del parts[_place(parts, random)]
    return "".join(parts)


def _double_token(text: str, random: Random, _: str) -> str:
    parts = _tokens(text)
    place = _place(parts, random)
    return "".join([*parts[:place], parts[place], *parts[place:]])


def _swap_tokens(text: str, random: Random, _: str) -> str:
    parts = _tokens(text)
    first, second = _place(parts, random), _place(parts, random)
    parts[first], parts[second] = parts[second], parts[first]
    return "".join(parts)


def _replace_token(text: str, random: Random, donor: str) -> str:
    parts = _tokens(text)
    other = _tokens(donor)
    parts[_place(parts, random)] = other[_place(other, random)]
    return "".join(parts)


def _insert_splinter(text: str, random: Random, _: str) -> str:
    parts = _tokens(text)
    parts.insert(_place(parts, random), f" {random.choice(SPLINTERS)} ")
    return "".join(parts)


def _change_character(text: str, random: Random, _: str) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + chr(random.choice((random.randrange(128), random.randrange(0x3000)))) + text[place + 1 :]


def _delete_lines(text: str, random: Random, _: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    place = _place(lines, random)
    del lines[place : place + random.randint(1, 5)]
    return "".join(lines)


def _borrow_lines(text: str, random: Random, donor: str) -> str:
    lines, other = text.splitlines(keepends=True) or [""], donor.splitlines(keepends=True) or [""]
    start = _place(other, random)
    place = _place(lines, random)
    return "".join([*lines[:place], *other[start : start + random.randint(1, 5)], *lines[place:]])


def _cut(text: str, random: Random, _: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def _repeat_token(text: str, random: Random, _: str) -> str:
    """Deep nesting and long chains."""
    parts = _tokens(text)
    place = _place(parts, random)
    return "".join(
        [*parts[:place], random.choice(("(", "-", "!", "{", "1+", "a.", "[0]", parts[place])) * 3000, *parts[place:]]
    )


def _change_version(text: str, random: Random, _: str) -> str:
    return change_version(text, random, ES_VERSIONS + DESKTOP_VERSIONS)


_MUTATIONS: tuple[Callable[[str, Random, str], str], ...] = (
    *(_delete_token, _double_token, _swap_tokens, _replace_token, _replace_token, _insert_splinter),
    *(_insert_splinter, _change_character, _delete_lines, _borrow_lines, _cut, _repeat_token),
    _change_version,
)
