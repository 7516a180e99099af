"""A row of the opcode table, and how the type of its result follows from those of its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.ir.signatures import Signature
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.records import dataclass, field

#: What an instruction carries beside its operands.
AttributeKind = Literal["none", "swizzle", "component", "address", "texture", "blocks", "targets", "callee"]
#: "pure": may be removed, moved and repeated; "read": may be removed; "cross-lane": pure, but reads
#: neighbouring lanes, so it must not move into divergent control flow; "effect": must stay;
#: "terminator": ends a block.
Effect = Literal["pure", "read", "cross-lane", "effect", "terminator"]

Components = list[Number]
TypeRule = Callable[[Sequence[Type], Any], Type]


@dataclass(frozen=True, slots=True, eq=False)
class Opcode:
    """One row of the table; compare with `is`."""

    name: str
    signature: str
    doc: str
    effect: Effect
    attribute: AttributeKind
    infer: TypeRule
    component: Callable[..., Number] | None
    whole: Callable[..., Components] | None
    commutative: bool
    associative: bool
    # What follows from these is asked for so often that it is kept.
    is_pure: bool = field(init=False)
    is_terminator: bool = field(init=False)
    has_semantics: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_pure", self.effect == "pure")
        object.__setattr__(self, "is_terminator", self.effect == "terminator")
        object.__setattr__(self, "has_semantics", self.component is not None or self.whole is not None)

    def __repr__(self) -> str:
        return self.name


def rule_of(signature: Signature) -> TypeRule:
    return lambda types, _attribute: signature.infer(types)


def remembered(rule: TypeRule) -> TypeRule:
    """The same rule, asked only once in every case that it allows."""
    types_by_case: dict[tuple[object, ...], Type] = {}

    def infer(types: Sequence[Type], attribute: object) -> Type:
        case = (*types, attribute)
        type_ = types_by_case.get(case)
        if type_ is None:
            type_ = types_by_case[case] = rule(types, attribute)
        return type_

    return infer
