"""Offsets become one operation for a vector of them: base + step * (k0, k1, k2, k3).

In: a function after `contract`.  Out: where each component of a vector is a component of one value, the *base*, plus a
multiple of a component of another value, the *step*, one operation computes the vector, in place of sums and of the
moves that gather their results.  Short vectors of one base and one step share an operation.  Shaders that take several
samples around a point have such coordinates; the position `vec4(p, 0.0, 1.0)` is numbers and a step.  Not handled:
operations flagged `precise`.

The idea: *roots* are what something else than arithmetic takes.  Each is read as an offset in several ways (`sums.py`):
through everything, or with its operands as they are.  It is joined in the way that most others of the block share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from glslc_multi.backends.xenos_family.codegen.rewrites.sums import (
    Read,
    Sum,
    Sums,
    is_arithmetic,
    read_itself,
    read_source,
    sum_of,
)
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

_WIDTH = 4
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})


class JoinOffsets(Pass):
    """See the module's text."""

    name = "xenos-family-offsets"
    description = "computes several offsets from one base together"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        sums = Sums()
        joined = [_Joining(block, sums).run() for block in reversed(function.blocks)]
        return any(joined)


class _Lane(NamedTuple):
    """A component: those of base and step that it takes, the factor of the step, and a number that is added."""

    base: int
    step: int
    factor: float
    addend: float


@dataclass(frozen=True, slots=True)
class _Offset:
    """A root read as base + step * factors; None is a base of numbers, or no step."""

    root: Instruction
    base: Value | None
    step: Value | None
    lanes: tuple[_Lane, ...]

    @property
    def group(self) -> tuple[Value | None, Value | None]:
        """Return what offsets that can share an operation have in common."""
        return self.base, self.step

    @property
    def taken(self) -> list[Value]:
        return [value for value in self.group if value is not None]


class _Joining:
    """Joins the offsets of one block."""

    def __init__(self, block: Block, sums: Sums) -> None:
        self.block = block
        self.sums = sums
        #: What is computed otherwise now -> by what.
        self.now: dict[Value, Value] = {}

    def run(self) -> bool:
        """Join what can be; whether anything was."""
        readings = {part: [*_readings(part, self.sums)] for part in self._roots(lambda root: root.operands)}
        votes = Counter(group for offsets in readings.values() for group in {offset.group for offset in offsets})
        best = {root: max(offsets, key=lambda o: votes[o.group]) for root, offsets in readings.items() if offsets}
        alone = {root for root, offset in best.items() if _pays_alone(offset)}
        joined = {root for root in best if root in alone or (_can_share(root) and votes[best[root].group] > 1)}
        # Roots anew: what only those take that are read through it is none any more.
        roots = [*self._roots(lambda root: best[root].taken if root in joined else root.operands)]
        groups: dict[tuple[Value | None, Value | None], list[_Offset]] = {}
        for root in reversed(roots):
            if root in joined:
                groups.setdefault(best[root].group, []).append(best[root])
        for offsets in groups.values():
            for bin in _bins(offsets):
                if len(bin) > 1 or bin[0].root in alone:
                    self._join(bin)
        return bool(self.now)

    def _roots(self, follow: Callable[[Instruction], Sequence[Value]]) -> Iterator[Instruction]:
        """Yield the roots, last ones first, where a root takes in its turn what `follow` says."""
        wanted: set[Value] = set()
        for instruction in reversed([*self.block]):
            if not _is_part(instruction):
                wanted.update(instruction.operands)
            elif instruction in wanted or not all(_is_part(user) for user in instruction.users):
                if instruction.op in (ops.SWIZZLE, ops.FNEG):
                    wanted.update(instruction.operands)
                else:
                    yield instruction
                    wanted.update(follow(instruction))

    def _join(self, offsets: Sequence[_Offset]) -> None:
        """Compute all at the first of them."""
        first = offsets[0]
        builder = Builder.before(first.root)
        lanes = [lane for offset in offsets for lane in offset.lanes]
        type = first.root.type.with_width(len(lanes))
        factors, addends = {lane.factor for lane in lanes}, Constant(type, tuple(lane.addend for lane in lanes))
        base: Value = addends
        if first.base is not None:
            base = builder.swizzle(self.now.get(first.base, first.base), [lane.base for lane in lanes])
        if first.step is None:
            joined = builder.op(ops.FADD, base, addends)
        else:
            step = builder.swizzle(self.now.get(first.step, first.step), [lane.step for lane in lanes])
            if factors == {1.0} or factors == {-1.0}:
                joined = builder.op(ops.FADD if factors == {1.0} else ops.FSUB, base, step)
            elif base is addends and not any(lane.addend for lane in lanes):
                joined = builder.op(ops.FMUL, step, Constant(type, tuple(lane.factor for lane in lanes)))
            else:
                joined = builder.op(ops.FMAD, step, Constant(type, tuple(lane.factor for lane in lanes)), base)
        start = 0
        for offset in offsets:
            end = start + len(offset.lanes)
            part = self.now[offset.root] = (
                joined if end - start == len(lanes) else builder.swizzle(joined, range(start, end))
            )
            offset.root.replace_all_uses_with(part)
            start = end


def _is_part(instruction: Instruction) -> bool:
    """Whether sums are read through an instruction."""
    return instruction.op in _SHUFFLES or is_arithmetic(instruction)


# reading -----------------------------------------------------------------------------------
def _readings(root: Instruction, sums: Sums) -> Iterator[_Offset]:
    """A root read as an offset, in all ways that fit."""
    components = range(root.type.width)
    if root.op in _SHUFFLES:
        yield from _offsets(root, [sums.read(root, component) for component in components])
        return
    for read in _ways(root, sums):
        rows = []
        for component in components:
            row = sum_of(root, component, read)
            if row is None:
                break
            rows.append(row)
        else:
            yield from _offsets(root, rows)


def _ways(root: Instruction, sums: Sums) -> Sequence[Read]:
    """The ways of reading operands that differ."""
    below = set()
    for operand in root.operands:
        while isinstance(operand, Instruction) and operand.op is ops.SWIZZLE:
            operand = operand.operands[0]
        below.add(
            "gathered" if isinstance(operand, Instruction) and operand.op in _SHUFFLES else is_arithmetic(operand)
        )
    if "gathered" in below:
        return sums.read, read_source, read_itself
    return (sums.read, read_itself) if True in below else (read_itself,)


def _offsets(root: Instruction, rows: Sequence[Sum]) -> Iterator[_Offset]:
    values: list[Value | None] = [*dict.fromkeys(term[0] for row in rows for term in row if term is not None)]
    if not 1 <= len(values) <= 2:
        return
    first, second = values if len(values) == 2 else (*values, None)
    for base, step in ((first, second), (second, first)):
        lanes = [_lane(row, base, step) for row in rows]
        if None not in lanes:
            yield _Offset(root, base, step, tuple(lane for lane in lanes if lane is not None))


def _lane(row: Sum, base: Value | None, step: Value | None) -> _Lane | None:
    """A component as base + step * factor; None where it is something else."""
    of_base: list[tuple[int, float]] = []
    of_step: list[tuple[int, float]] = []
    for term, factor in row.items():
        if term is not None:
            (of_base if term[0] is base else of_step).append((term[1], factor))
    addend = row.get(None, 0.0)
    if len(of_step) > 1 or (addend and base is not None and step is not None):
        return None
    if base is not None and [factor for _, factor in of_base] != [1.0]:
        return None
    component, factor = of_step[0] if of_step else (0, 0.0)
    return _Lane(of_base[0][0] if of_base else 0, component, factor, addend)


# costs -------------------------------------------------------------------------------------
def _pays_alone(offset: _Offset) -> bool:
    """Whether one operation for the root saves another one, even if nothing shares it."""
    if offset.root.op in _SHUFFLES:
        return _moves(offset.root) > 1
    # What the root is read through costs something, and is there for the root alone.
    through = [i for i in offset.root.operands if isinstance(i, Instruction) and i not in offset.group]
    costly = [operand for operand in through if operand.op not in (ops.SWIZZLE, ops.FNEG)]
    return any(_moves(i) > 0 if i.op in _SHUFFLES else is_arithmetic(i) and len(i.users) == 1 for i in costly)


def _moves(shuffle: Instruction) -> int:
    """How many operations put the components of a shuffle in their places."""
    parts = dict.fromkeys(source(shuffle, component) for component in range(shuffle.type.width))
    numbers = {part.components[component] for part, component in parts if isinstance(part, Constant)} - {None}
    values = dict.fromkeys(part for part, _ in parts if isinstance(part, Instruction))
    # What is computed for the shuffle alone is computed in its place; one number is written beside something else.
    moved = [value for value in values if is_arithmetic(value) or value.op is ops.LOAD or len(value.users) > 1]
    return len(moved) + (len(numbers) > 1)


def _can_share(root: Instruction) -> bool:
    """Whether a root may be a part of a wider vector: outputs would be moved out of that."""
    return all(user.op is not ops.STORE for user in root.users)


def _bins(offsets: Sequence[_Offset]) -> list[list[_Offset]]:
    """Offsets that become one vector."""
    shared: list[list[_Offset]] = []
    alone: list[list[_Offset]] = []
    for offset in offsets:
        room = (bin for bin in shared if sum(len(other.lanes) for other in bin) + len(offset.lanes) <= _WIDTH)
        bin = next(room, None)
        if not _can_share(offset.root):
            alone.append([offset])
        elif bin is None:
            shared.append([offset])
        else:
            bin.append(offset)
    return alone + shared
