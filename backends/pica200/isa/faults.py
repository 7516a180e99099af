"""A rule of the hardware that a program breaks."""

from __future__ import annotations

from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """`rule` is a key of `validate.RULES`; `address` the word, None for faults of the program as a whole."""

    rule: str
    address: int | None
    message: str
