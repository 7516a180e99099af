"""The rule set, and the operands that several files of rules make."""

from __future__ import annotations

from collections.abc import Callable

from compiler.codegen.machine import Literal32, Use
from compiler.codegen.select import Emitter, RuleSet

Emit = Callable[[Emitter], None]

RULES = RuleSet()


def negated(use: Use) -> Use:
    return Use(use.register, use.lanes, not use.negate, use.absolute, use.relative, use.extra)


def numbers(value: float, width: int) -> Use:
    return Use(Literal32((value,) * width), tuple(range(width)))
