"""Whether a value has the form of a pattern, and what its leaves stand for then."""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.passes.rules.pattern import Hole, Literal, Operation, Pattern
from glslc_multi.compiler.records import dataclass, field


def only_number(constant: Constant) -> tuple[str, str]:
    """(kind, text) of the number in every component; ("", "") where they differ."""
    texts = {repr(component) for component in constant.components}
    return (constant.type.kind, texts.pop()) if len(texts) == 1 else ("", "")


def is_exactly(constant: Constant, literal: Literal) -> bool:
    """Whether a constant has a number in every component, bit for bit."""
    return only_number(constant) == (literal.kind, literal.text)


@dataclass(slots=True)
class Match:
    """Values that the leaves of a pattern stand for, and the instructions it covers, the root first."""

    values: dict[str, Value] = field(default_factory=dict)
    covered: list[Instruction] = field(default_factory=list)
    #: Which constants a number of the pattern stands for.
    is_number: Callable[[Constant, Literal], bool] = is_exactly

    def bind(self, name: str, value: Value) -> bool:
        return same_value(self.values.setdefault(name, value), value)


def same_value(one: Value, other: Value) -> bool:
    """Whether two operands are one instruction, or constants of the same bits."""
    return one is other or (isinstance(one, Constant) and isinstance(other, Constant) and one.same_as(other))


def matches(pattern: Pattern, value: Value, match: Match) -> bool:
    """Whether `value` has the pattern's form; what the leaves stand for is added to `match`."""
    if isinstance(pattern, Hole):
        return (pattern.width is None or pattern.width == value.type.width) and match.bind(pattern.name, value)
    if isinstance(pattern, Operation):
        return isinstance(value, Instruction) and _matches_operation(pattern, value, match)
    if not isinstance(value, Constant):
        return False
    if isinstance(pattern, Literal):
        return match.is_number(value, pattern)
    return None not in value.components and match.bind(pattern.name, value)


def _matches_operation(pattern: Operation, value: Instruction, match: Match) -> bool:
    if pattern.op is None:
        if value.op is not ops.SWIZZLE or not value.operands[0].type.is_scalar:
            return False
    elif value.op is not pattern.op or len(value.operands) != len(pattern.operands):
        return False
    if pattern.is_once and sum(value.users.values()) != 1:
        return False
    match.covered.append(value)
    return all(matches(part, operand, match) for part, operand in zip(pattern.operands, value.operands, strict=True))
