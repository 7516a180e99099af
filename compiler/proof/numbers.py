"""The numbers of a proof: a float, which decides, and an element of a field, which carries the algebra."""

from __future__ import annotations

import math
from typing import Any

from glslc_multi.compiler.proof.field import Element, element_of, oracle


class Redraw(Exception):
    """A draw that says nothing; the reason in words."""


#: Reasons: inputs lie on an edge that the two sides may see from different sides; the source has no meaning there; the
#: two sides may be so far apart; the machine has no such numbers; the shader has been promised others.
EDGE = "numbers lie too near to where a test or a floor turns"
NO_MEANING = "the source depends on what GLSL leaves undefined"
MAGNIFIED = "roundings move the source as much"
BEYOND = "the source has larger numbers than the machine"
PROMISED = "vertices break what is promised of varyings"


class Unsupported(Exception):
    """What no proof can speak of yet; the reason in words."""


class Work:
    """Instructions of the source, and places of a program, that may still be run."""

    __slots__ = ("_left",)

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise Unsupported("paths that are too long")


class MachineStopped(Exception):
    """The program does what the machine leaves undefined."""


class Number:
    """A float, and the element that it stands for."""

    __slots__ = ("element", "value")

    def __init__(self, value: float, element: Element) -> None:
        self.value = value
        self.element = element

    def __repr__(self) -> str:
        return f"{self.value!r} ({self.element:x})" if isinstance(self.element, int) else repr(self.value)


def number_of(value: float) -> Number:
    """A constant."""
    if not math.isfinite(value):
        return Number(value, oracle("constant", repr(value)))
    return Number(value, element_of(value))


def is_constant(x: Number) -> bool:
    """Whether the element is the float's own, so that no input has come in."""
    return math.isfinite(x.value) and element_of(x.value) == x.element


class Undefined(int):
    """An int or bool that nobody has written: 0 where a machine gets it; of the source, what is computed of it is
    another one."""


def defined(x: Any) -> Any:
    """Return what decides where the source goes, or what another stage gets; nothing follows from what is undefined."""
    if isinstance(x, Undefined):
        raise Redraw(NO_MEANING)
    return x


#: What GLSL leaves undefined.
UNDEFINED = Number(math.nan, oracle("undefined"))
