"""Names in C text: of shaders, of GLSL's variables."""

from __future__ import annotations

import re

#: What GLSL may call a variable, and C or C++ may not; the last row is of macros in common headers and compilers.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq auto bitand bitor catch char char16_t char32_t compl concept consteval constexpr
    constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export friend int8_t
    int16_t int32_t mutable new not not_eq nullptr operator or or_eq private protected register reinterpret_cast
    requires restrict signed static_assert static_cast thread_local throw try typeid typename typeof virtual
    wchar_t xor xor_eq
    EOF INFINITY NAN NULL bool false true linux unix errno stdin stdout stderr assert
    """.split()
)


def c_name(text: str) -> str:
    """`text` as an identifier of C."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return f"shader_{name}" if not name or name[0].isdigit() else name


def member_name(name: str) -> str:
    """The member of a structure that a uniform, or something computed, is."""
    word = c_name(name.replace("$", "").replace("[]", "").replace(".", "__"))
    return f"{word}_" if word in _RESERVED else word


class CNames:
    """Names of one scope: each is given once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, wanted: str) -> str:
        """`wanted`, with a number appended where something else already has that name."""
        number, free = 1, wanted
        while free in self._taken:
            number += 1
            free = f"{wanted}_{number}"
        self._taken.add(free)
        return free
