"""Constant components of outputs come from the instruction that makes the others, instead of a move.

    vec4(v.xyz * 0.5, 0.0)        -> v.xyzx * vec4(0.5, 0.5, 0.5, 0.0)
    vec4(clamp(v.xyz, 0, 1), 1.0) -> min(max(v.xyzx, vec4(0, 0, 0, 1)), 1.0)

In: legalised IR.  Out: products, sums and bounds with more components, where literals make these what is wanted.  An
input gets them by a product of its own, where several outputs need that.

A product with 0 is 0, as it is on this hardware for all but NaN: so what is multiplied with that must be no NaN, nor
what is kept between bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.float_classes import (
    NAN,
    FloatClasses,
    Format,
    float_classes,
    zero_times_infinity_is_zero,
)
from glslc_multi.compiler.codegen.operands import is_all
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass, field

_FORMAT = Format(zero_times_infinity_is_zero)
#: How often operands of operands are looked at.
_DEEPEST = 8
_INPUTS = ("attribute", "input")
#: The bound that keeps another one between two constants.
_OTHER_BOUND = {ops.FMIN: ops.FMAX, ops.FMAX: ops.FMIN}


class _Added(NamedTuple):
    """What the components are that a value is to have in addition; nothing where anything will do."""

    values: tuple[float, ...]
    #: Whether they may be beyond these, on the side of the bound that makes them.
    beyond: bool = False


#: For each operand what it is to have.
_Way = Sequence[_Added | None]


class ConstantLanes(Pass):
    """See the module's text."""

    name = "pica200-constant-lanes"
    description = "computes constant components of outputs together with the others"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        constructs = [i for i in function.instructions() if i.op is ops.CONSTRUCT and _is_output(i)]
        if not constructs:
            return False
        widening = _Widening(float_classes(function, context.analyses(function), _FORMAT))
        plans = [(construct, widening.plan(construct)) for construct in constructs]
        shared = Counter(plan.bare for _, plan in plans if plan is not None)
        progress = False
        for construct, _ in plans:
            # What one has got already is free for the next.
            plan = widening.plan(construct)
            if plan is not None and len(plan.bare) < max(1, shared[plan.bare]):
                widening.apply(construct, plan)
                progress = True
        return progress


def _is_output(construct: Instruction) -> bool:
    """Whether only outputs are what is put together, so that a constant component is a move."""
    if not any(isinstance(source(construct, lane)[0], Constant) for lane in range(construct.type.width)):
        return False
    return all(user.op is ops.STORE or (user.op is ops.PHI and _is_chosen(user, construct)) for user in construct.users)


def _is_chosen(phi: Instruction, construct: Instruction) -> bool:
    """Whether no other value that may be chosen has constant components as well: these would be moved once for all,
    but where all of them are constant."""
    others = [each for each in phi.operands if each is not construct and not isinstance(each, Constant)]
    return not any(isinstance(source(other, lane)[0], Constant) for other in others for lane in range(other.type.width))


class _Plan(NamedTuple):
    """The value that is to have the constant components of a vector."""

    value: Instruction
    #: Component of the vector -> what it is.
    constants: dict[int, float]
    #: The values that a product of their own gives the components.
    bare: frozenset[Value]


@dataclass(slots=True)
class _Widening:
    """Gives values more components."""

    classes: FloatClasses
    #: Values that have got some: their first one, and what they are.
    wide: dict[Value, tuple[int, _Added]] = field(default_factory=dict)

    def plan(self, construct: Instruction) -> _Plan | None:
        """Find the value of a vector that can have its constant components, with the fewest products."""
        sources = [source(construct, lane) for lane in range(construct.type.width)]
        constants = {
            lane: float(constant)
            for lane, (value, part) in enumerate(sources)
            if isinstance(value, Constant) and (constant := value.components[part]) is not None
        }
        added = _Added(tuple(constants.values()))
        plans = [
            _Plan(value, constants, bare)
            for value in dict.fromkeys(value for value, _ in sources)
            if isinstance(value, Instruction) and (bare := self._bare(value, added, 0)) is not None
        ]
        return min(plans, key=lambda plan: len(plan.bare)) if constants and plans else None

    def _bare(self, value: Value | None, added: _Added, depth: int) -> frozenset[Value] | None:
        """The values below an operation that need products of their own; None where these do not help."""
        if not isinstance(value, Instruction) or depth > _DEEPEST:
            return None
        if value in self.wide and self.wide[value][1] == added:
            return frozenset()
        if value.type.width + len(added.values) > 4 or value.type.kind != "float":
            return None
        ways = self._open_ways(value, added, depth)
        if ways:
            return min((bare for bare, _ in ways), key=len)
        is_input = value.op is ops.LOAD and not value.operands and value.address.variable.storage in _INPUTS
        return frozenset({value}) if is_input and not any(added.values) else None

    def _open_ways(self, value: Instruction, added: _Added, depth: int) -> list[tuple[frozenset[Value], _Way]]:
        """The ways that lead to literals, with the values that need products of their own."""
        ways = [(self._bare_of_way(value, way, depth), way) for way in _ways(value, added)]
        return [(bare, way) for bare, way in ways if bare is not None]

    def _bare_of_way(self, value: Instruction, way: _Way, depth: int) -> frozenset[Value] | None:
        bare: frozenset[Value] = frozenset()
        for operand, added in zip(value.operands, way, strict=True):
            if added is None:
                if self.classes.may_be(operand, NAN) and not _is_above_0(_origin(operand), value):
                    return None
            elif not isinstance(operand, Constant):
                below = self._bare(_origin(operand), added, depth + 1)
                if below is None:
                    return None
                bare |= below
        return bare

    def apply(self, construct: Instruction, plan: _Plan) -> None:
        """Give a vector its constant components."""
        wide, first = self._widened(plan.value, _Added(tuple(plan.constants.values())), 0)
        builder = Builder.before(construct)
        lanes = dict(zip(plan.constants, range(first, wide.type.width), strict=False))
        parts = [
            builder.extract(wide, lanes[lane]) if lane in lanes else builder.extract(*source(construct, lane))
            for lane in range(construct.type.width)
        ]
        construct.replace_all_uses_with(builder.construct(*parts))

    def _widened(self, value: Instruction, added: _Added, depth: int) -> tuple[Instruction, int]:
        """Make a value with more components, and the first one of these; what reads the value reads this one."""
        if value in self.wide:
            return value, self.wide[value][0]
        width, count = value.type.width, len(added.values)
        ways = [
            (bare, way) for way in _ways(value, added) if (bare := self._bare_of_way(value, way, depth)) is not None
        ]
        builder = Builder.before(value)
        if ways:
            _, way = min(ways, key=lambda each: len(each[0]))
            operands = [
                self._operand(builder, operand, wanted, count, depth)
                for operand, wanted in zip(value.operands, way, strict=True)
            ]
            wide = builder.op(value.op, *operands)
        else:
            same = builder.op(value.op, *value.operands, attribute=value.attribute)
            ones = Constant(value.type.with_width(width + count), (*(1.0,) * width, *added.values))
            wide = builder.op(ops.FMUL, builder.swizzle(same, (*range(width), *(0,) * count)), ones)
        value.replace_all_uses_with(builder.swizzle(wide, range(width)))
        self.wide[wide] = width, added
        return wide, width

    def _operand(self, builder: Builder, operand: Value, added: _Added | None, count: int, depth: int) -> Value:
        """An operand with more components, where nothing is said of them its first one again."""
        width = operand.type.width
        if added is None:
            return builder.swizzle(operand, (*range(width), *(0,) * count))
        if isinstance(operand, Constant):
            return Constant(operand.type.with_width(width + count), (*operand.components, *added.values))
        lanes = [source(operand, lane)[1] for lane in range(width)]
        origin = _origin(operand)
        assert isinstance(origin, Instruction)
        wide, first = self._widened(origin, added, depth + 1)
        return builder.swizzle(wide, (*lanes, *range(first, first + count)))


def _is_above_0(value: Value | None, user: Instruction) -> bool:
    """Whether a value is the root or logarithm of what a branch to its user has found to be above 0."""
    if not isinstance(value, Instruction) or value.op not in (ops.FRSQRT, ops.FLOG2) or user.block is None:
        return False
    blocks = [block for block in user.block.function.blocks if user.block in block.successors]
    branch = blocks[0].terminator if len(blocks) == 1 else None
    if branch is None or branch.op is not ops.CONDBR or branch.attribute[0] is not user.block:
        return False
    test = branch.operands[0]
    if not isinstance(test, Instruction) or test.op is not ops.FLT or branch.attribute[1] is user.block:
        return False
    return is_all(test.operands[0], 0.0) and source(test.operands[1], 0) == source(value.operands[0], 0)


def _origin(operand: Value) -> Value | None:
    """The one value that all components of an operand come from."""
    origins = {source(operand, lane)[0] for lane in range(operand.type.width)}
    return origins.pop() if len(origins) == 1 else None


def _ways(value: Instruction, added: _Added) -> list[_Way]:
    """What operands may have in addition so that an operation has what is wanted."""
    zeros = _Added((0.0,) * len(added.values))
    is_zero = not any(added.values)
    if value.flags & PRECISE:
        return []
    if value.op is ops.FMUL:
        return [(zeros, None), (None, zeros)] if is_zero else []
    if value.op is ops.FMAD:
        return [(zeros, None, added), (None, zeros, added)]
    if value.op is ops.FADD:
        return [(added, zeros), (zeros, added)]
    if value.op is ops.FSUB:
        return [(added, zeros)]
    if value.op in _OTHER_BOUND:
        return _ways_of_bound(value, added)
    return []


def _ways_of_bound(bound: Instruction, added: _Added) -> list[_Way]:
    """Of two bounds that are constants, both are what is wanted, and what they bound may be anything."""
    constants = [isinstance(operand, Constant) for operand in bound.operands]
    inner = _origin(bound.operands[constants[0]])
    if sum(constants) != 1:
        return []
    if added.beyond:
        return [[added if constant else None for constant in constants]]
    if not isinstance(inner, Instruction) or inner.op is not _OTHER_BOUND[bound.op]:
        return []
    return [[added if constant else added._replace(beyond=True) for constant in constants]]
