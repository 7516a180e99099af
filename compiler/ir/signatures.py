"""Signatures: what operand types an opcode takes and what type it yields, as a short text.

A signature reads `operands -> result`, for example ``F, F -> F`` or ``C, T, T -> T``:

=========  =====================================================================
letter     meaning
=========  =====================================================================
F I B      float, int, bool of one width shared by all F, I, B of the signature
f i b      a float, int, bool scalar
F3         a float vector of exactly three components
T t        any value type, the same for every T; a scalar of T's kind
C          a bool scalar, or bools of T's width (the condition of a select)
T...       any number (at least one) of operands, each a T
=========  =====================================================================

Opcodes whose result depends on an attribute give a function instead (see `ops.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, VEC3, VOID, Type, vector

_WIDE = {"F": "float", "I": "int", "B": "bool"}
_SCALAR = {"f": FLOAT, "i": INT, "b": BOOL}


class SignatureError(Exception):
    """Operands do not fit an opcode; the text says what was expected and found."""


class Signature:
    """A parsed signature; `infer` checks operand types and returns the result's."""

    __slots__ = ("operands", "result", "text", "variadic")

    def __init__(self, text: str) -> None:
        self.text = text
        left, _, right = text.partition("->")
        letters = [letter.strip() for letter in left.split(",") if letter.strip()]
        self.variadic = bool(letters) and letters[-1].endswith("...")
        self.operands: tuple[str, ...] = tuple(letter.removesuffix("...") for letter in letters)
        self.result = right.strip()

    def infer(self, types: Sequence[Type]) -> Type:
        """The result type, or a `SignatureError` that names the first operand that does not fit."""
        self._check_count(len(types))
        bound: dict[str, Type] = {}
        for index, type_ in enumerate(types):
            letter = self.operands[min(index, len(self.operands) - 1)]
            if not _fits(letter, type_, bound):
                raise SignatureError(f"operand {index + 1} must be {_describe(letter, bound)}, found {type_}")
        return _result(self.result, bound)

    def _check_count(self, count: int) -> None:
        wanted = len(self.operands)
        if count == wanted or (self.variadic and count >= wanted):
            return
        at_least = "at least " if self.variadic else ""
        plural = "" if wanted == 1 else "s"
        raise SignatureError(f"takes {at_least}{wanted} operand{plural}, found {count}")


def _fits(letter: str, found: Type, bound: dict[str, Type]) -> bool:
    """Whether `found` can stand for `letter`; records the width or type it fixes."""
    if found is VOID or found.is_sampler:
        return False
    if letter in _SCALAR:
        return found is _SCALAR[letter]
    if letter == "F3":
        return found is VEC3
    if letter == "t":
        return found is bound["T"].scalar
    if letter == "C":
        # The condition precedes the values it selects from, so it is compared when T is known.
        bound["C"] = found
        return found.kind == "bool"
    if letter in _WIDE:
        width = bound.setdefault("width", found).width
        return found.kind == _WIDE[letter] and found.width == width
    if bound.setdefault("T", found) is not found:
        return False
    condition = bound.get("C")
    return condition is None or condition.width in (1, found.width)


def _describe(letter: str, bound: dict[str, Type]) -> str:
    if letter in _SCALAR:
        return str(_SCALAR[letter])
    if letter == "F3":
        return "vec3"
    if letter == "t":
        return str(bound["T"].scalar)
    if letter == "C":
        return "bool or a bool vector"
    if letter in _WIDE:
        kind = _WIDE[letter]
        width = bound["width"].width if "width" in bound else 0
        return str(vector(kind, width)) if width else f"{kind} or a {kind} vector"  # type: ignore[arg-type]
    if "T" not in bound:
        return "a bool, int or float value"
    condition = bound.get("C")
    if condition is not None and condition.width not in (1, bound["T"].width):
        return f"of width {condition.width}"
    return str(bound["T"])


def _result(letter: str, bound: dict[str, Type]) -> Type:
    if letter == "void":
        return VOID
    if letter in _SCALAR:
        return _SCALAR[letter]
    if letter == "F3":
        return VEC3
    if letter == "t":
        return bound["T"].scalar
    if letter in _WIDE:
        return vector(_WIDE[letter], bound["width"].width)  # type: ignore[arg-type]
    return bound[letter]
