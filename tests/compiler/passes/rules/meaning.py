"""What a pattern means: its value in any arithmetic, by the opcodes' own semantics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glslc_multi.compiler.arithmetic.protocol import Arithmetic
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.signatures import Signature
from glslc_multi.compiler.ir.types import Kind, Type, vector
from glslc_multi.compiler.passes.rules.pattern import Hole, Literal, Operation, Pattern, leaves, operations
from glslc_multi.compiler.passes.rules.rule import Rule
from glslc_multi.compiler.records import dataclass, field

Components = list[Any]
#: Operations whose operands are vectors whatever stands around them.
OVER_VECTORS = frozenset({ops.DOT, ops.LENGTH, ops.NORMALIZE, ops.CROSS, ops.ALL, ops.ANY})
_REDUCTIONS = frozenset({ops.DOT, ops.LENGTH, ops.ALL, ops.ANY})
_KINDS: dict[str, Kind] = {"F": "float", "f": "float", "F3": "float", "I": "int", "B": "bool", "C": "bool"}


def widths_to_try(rule: Rule) -> tuple[int, ...]:
    """Component-wise rules hold for vectors when they hold for scalars; others are tried on vectors."""
    inside = {part.op for part in operations(rule.pattern)}
    fixed = {leaf.width for leaf in leaves(rule.pattern) if isinstance(leaf, Hole) and leaf.width is not None}
    if fixed:
        return tuple(fixed)
    if ops.CROSS in inside:
        return (3,)
    return (2, 3, 4) if inside & {*OVER_VECTORS, None} else (1,)


@dataclass(slots=True)
class Meaning:
    """Evaluates patterns of one rule at one vector width."""

    rule: Rule
    width: int
    arithmetic: Arithmetic
    #: The operands: leaf -> components.
    values: Mapping[str, Components] = field(default_factory=dict)
    #: Every float computed on the way.
    floats: list[Any] = field(default_factory=list)

    @property
    def root_width(self) -> int:
        return _result_width(self.rule.pattern, self.width)

    def leaf_types(self) -> dict[str, Type]:
        """Types of the leaves that stand for values, by name."""
        found: dict[str, Type] = {}
        _collect_types(self.rule.pattern, "float", self.root_width, self.width, found)
        return found

    def of(self, pattern: Pattern) -> Components:
        return self._evaluate(pattern, self.root_width)

    def _evaluate(self, pattern: Pattern, width: int) -> Components:
        if isinstance(pattern, Literal):
            return [_number(self.arithmetic, pattern)] * width
        if not isinstance(pattern, Operation):
            return self.values[pattern.name]
        inner = _operand_width(pattern, width, self.width)
        operands = [self._evaluate(operand, inner) for operand in pattern.operands]
        if pattern.op is None:
            return operands[0] * width
        result = ops.evaluate(pattern.op, self.arithmetic, None, operands)
        if Signature(pattern.op.signature).result in ("F", "f", "F3"):
            self.floats += result
        return result


def _number(arithmetic: Arithmetic, literal: Literal) -> Any:
    make: dict[str, Any] = {"float": arithmetic.fconst, "int": arithmetic.iconst, "bool": arithmetic.bconst}
    return make[literal.kind](literal.value)


def _result_width(pattern: Pattern, width: int) -> int:
    if not isinstance(pattern, Operation) or pattern.op in _REDUCTIONS:
        return 1
    if pattern.op is None or pattern.op in OVER_VECTORS:
        return width
    return max(_result_width(operand, width) for operand in pattern.operands)


def _operand_width(operation: Operation, width: int, vector_width: int) -> int:
    if operation.op is None:
        return 1
    return vector_width if operation.op in OVER_VECTORS else width


def _collect_types(pattern: Pattern, kind: Kind, width: int, vector_width: int, found: dict[str, Type]) -> None:
    """The type of each leaf, from the signatures of the operations it stands in."""
    if isinstance(pattern, Literal):
        return
    if not isinstance(pattern, Operation):
        found.setdefault(pattern.name, vector(kind, width))
        return
    inner = _operand_width(pattern, width, vector_width)
    signature = Signature(pattern.op.signature if pattern.op else "F -> F")
    # What a select chooses between is of the kind of any part that tells.
    chosen = _told_kind(pattern.operands) or kind
    for letter, operand in zip(signature.operands, pattern.operands, strict=True):
        _collect_types(operand, _KINDS.get(letter, chosen), inner, vector_width, found)


def _told_kind(operands: tuple[Pattern, ...]) -> Kind | None:
    condition, *choices = operands
    if condition in choices:
        return "bool"
    for operand in choices:
        if isinstance(operand, Literal):
            return operand.kind
        if isinstance(operand, Operation) and operand.op is not None and operand.op is not ops.SELECT:
            return _KINDS[Signature(operand.op.signature).result]
    return None
