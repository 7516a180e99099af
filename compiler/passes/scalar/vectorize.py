"""Superword-level parallelism: operations of one shape, whose results form a vector, become a vector operation.

In: any function.  Out: a `construct` of parts that the same operation computes, such as (a.x * k, a.y * k), is one
operation on vectors, and so on for its operands, as long as that is cheaper.  Parts are scalars or short vectors.

From a construct the pass walks up: lanes that the same component-wise operation computes in the same block, and that
nothing else uses, are a bundle, whose operands are lanes in turn.  Commutative operations turn their operands so that
lanes fit.  Where lanes differ the walk ends: components of one value are a swizzle, which costs nothing, constants are
a constant, and the rest is gathered by a construct, which costs a move for each value that is not computed just for it.
The whole tree is built when vector operations and moves cost less than the operations on lanes.

Each operation on a lane has one user, so it belongs to one tree, and the work is linear.  Nothing happens for targets
that pay for each component.  Not handled: phis, and operations on lanes that have other users.

Larsen and Amarasinghe, "Exploiting Superword Level Parallelism with Multimedia Instruction Sets" (2000).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.motion.legality import commutes
from glslc_multi.compiler.records import dataclass, field

#: Bundles on top of each other: bounds the recursion.
_MAX_DEPTH = 100


class Vectorize(Pass):
    """See the module's text."""

    name = "vectorize"
    description = "joins operations of one shape into vector operations"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if not context.costs.vector:
            return False
        progress = False
        for instruction in list(function.instructions()):
            if instruction.op is ops.CONSTRUCT and instruction.block is not None:
                progress |= _Root(instruction, context.costs).run()
        return progress


@dataclass(slots=True)
class _Pack:
    """Lanes, which may be vectors, as one vector: what their operation takes, where they have one in common."""

    lanes: tuple[Value, ...]
    operands: list[_Pack] = field(default_factory=list)
    #: What the vector costs more than the lanes did, operands included.
    cost: float = 0.0

    @property
    def bundle(self) -> Sequence[Instruction]:
        """The lanes' operations, if they are to be joined."""
        return [lane for lane in self.lanes if isinstance(lane, Instruction)] if self.operands else ()


class _Root:
    """One construct and the trees above it."""

    def __init__(self, construct: Instruction, costs: CostModel) -> None:
        self.construct = construct
        self.costs = costs
        self.builder = Builder.before(construct)

    def run(self) -> bool:
        """Join the operations of the parts where it pays; whether any were."""
        parts = list(self.construct.operands)
        packs: dict[int, tuple[Value, int]] = {}
        # Places of parts that the same operation computes.
        groups: dict[Opcode, list[int]] = {}
        for place, part in enumerate(parts):
            if isinstance(part, Instruction) and part.op.component is not None:
                groups.setdefault(part.op, []).append(place)
        for places in [places for places in groups.values() if len(places) > 1]:
            pack = self._plan(tuple(parts[place] for place in places), 0)
            if pack.operands and pack.cost < 0:
                vector = self._build(pack)
                starts = accumulate((lane.type.width for lane in pack.lanes), initial=0)
                packs.update(zip(places, ((vector, start) for start in starts), strict=False))
        if not packs:
            return False
        self.builder.span, self.builder.flags = self.construct.span, self.construct.flags
        whole = self.builder.construct(*self._parts(parts, packs))
        self.construct.replace_all_uses_with(whole)
        # Erase an instruction and what only it used.
        pending = [self.construct]
        while pending:
            instruction = pending.pop()
            if instruction.block is None or instruction.users or not instruction.op.is_pure:
                continue
            pending += [operand for operand in instruction.operands if isinstance(operand, Instruction)]
            instruction.erase()
        return True

    def _parts(self, parts: Sequence[Value], packs: dict[int, tuple[Value, int]]) -> Iterator[Value]:
        """Return the parts of the new construct: neighbouring components of one vector are taken together."""
        index = 0
        while index < len(parts):
            if index not in packs:
                yield parts[index]
                index += 1
                continue
            vector, first = packs[index]
            end = first
            while index in packs and packs[index] == (vector, end):
                end += parts[index].type.width
                index += 1
            yield self._swizzle(vector, tuple(range(first, end)))

    # planning ------------------------------------------------------------------------------
    def _plan(self, lanes: tuple[Value, ...], depth: int) -> _Pack:
        first = lanes[0]
        if depth == _MAX_DEPTH or not isinstance(first, Instruction) or not self._is_bundle(first, lanes):
            return _Pack(lanes, cost=_gathering_cost(lanes))
        rows = [_operands_like(first, lane) for lane in lanes if isinstance(lane, Instruction)]
        operands = [self._plan(tuple(column), depth + 1) for column in zip(*rows, strict=True)]
        widths = [lane.type.width for lane in lanes]
        own = self.costs.cost(first.op, sum(widths)) - sum(self.costs.cost(first.op, width) for width in widths)
        return _Pack(lanes, operands, own + sum(operand.cost for operand in operands))

    def _is_bundle(self, first: Instruction, lanes: tuple[Value, ...]) -> bool:
        are_alike = all(
            isinstance(lane, Instruction)
            and lane.op is first.op
            and lane.type.kind == first.type.kind
            and lane.op.component is not None
            and len(lane.users) == 1
            and lane.block is self.construct.block
            for lane in lanes
        )
        return (
            are_alike
            and len(set(lanes)) == len(lanes)
            and len({tuple(o.type.kind for o in lane.operands) for lane in lanes if isinstance(lane, Instruction)}) == 1
        )

    # building ------------------------------------------------------------------------------
    def _build(self, pack: _Pack) -> Value:
        bundle = pack.bundle
        if not bundle:
            self.builder.span, self.builder.flags = self.construct.span, self.construct.flags
            lanes = pack.lanes
            sources = [source(lane, component) for lane in lanes for component in range(lane.type.width)]
            value = sources[0][0]
            if all(isinstance(origin, Constant) for origin, _ in sources):
                components = tuple(origin.components[n] for origin, n in sources if isinstance(origin, Constant))
                return Constant(lanes[0].type.with_width(len(components)), components)
            if all(origin is value for origin, _ in sources):
                return self._swizzle(value, tuple(component for _, component in sources))
            return self.builder.construct(*lanes)
        operands = [self._build(operand) for operand in pack.operands]
        self.builder.span = bundle[0].span
        flags = [instruction.flags for instruction in bundle]
        is_precise, is_relaxed = any(f & PRECISE for f in flags), all(f & RELAXED for f in flags)
        self.builder.flags = PRECISE * is_precise | RELAXED * is_relaxed
        return self.builder.op(bundle[0].op, *operands)

    def _swizzle(self, value: Value, pattern: tuple[int, ...]) -> Value:
        return value if pattern == tuple(range(value.type.width)) else self.builder.swizzle(value, pattern)


def _gathering_cost(lanes: tuple[Value, ...]) -> float:
    """Moves for lanes of different values; one that is computed just for this is computed in its place."""
    values = dict.fromkeys(source(lane, component)[0] for lane in lanes for component in range(lane.type.width))
    constants = [value for value in values if isinstance(value, Constant)]
    others = [value for value in values if isinstance(value, Instruction)]
    if len(constants) == len(values) or (len(others) == 1 and not constants):
        return 0.0
    return float(bool(constants)) + sum(not _is_made_for_one(value) for value in others)


def _is_made_for_one(value: Instruction) -> bool:
    return value.type.is_scalar and value.op.component is not None and len(value.users) == 1


def _operands_like(model: Instruction, lane: Instruction) -> Sequence[Value]:
    """The operands of `lane`, turned where that fits those of `model` better."""
    if not commutes(lane) or len(lane.operands) != 2:
        return lane.operands
    straight = sum(_looks_like(m, o) for m, o in zip(model.operands, lane.operands, strict=True))
    turned = sum(_looks_like(m, o) for m, o in zip(model.operands, reversed(lane.operands), strict=True))
    if turned <= straight:
        return lane.operands
    return lane.operands[::-1]


def _looks_like(one: Value, other: Value) -> bool:
    """Whether two operands are likely to fit into one vector."""
    if isinstance(one, Constant) or isinstance(other, Constant):
        return isinstance(one, Constant) and isinstance(other, Constant)
    origin, other_origin = source(one, 0)[0], source(other, 0)[0]
    if origin is other_origin:
        return True
    return (
        isinstance(origin, Instruction)
        and isinstance(other_origin, Instruction)
        and origin.op is other_origin.op
        and origin.op.component is not None
    )
