"""Simplification of shuffles: what only moves components is made of as few instructions as can be.

In: a swizzle, insert or construct, an `extract_dynamic` or `insert_dynamic` with a constant index, or a
select whose condition is a constant vector.  Out: the value that stands for it, or None.  Each component is
followed through shuffles to its origin; what comes from one value is that value or one swizzle of it, a
vector with one other component is an insert, everything else a construct of the longest runs.  This covers
swizzles of swizzles, of constructs and of inserts, identity swizzles, constructs of swizzles of one value
and chains of inserts.

The new form depends on the origins only and weighs no more than what it frees (see `rule.py`), so doing it
again changes nothing.  Undefined components become what costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import SHUFFLES
from glslc_multi.compiler.ir.module import Constant, Instruction, Scalar, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import Kind, Type, vector
from glslc_multi.compiler.passes.rules.matcher import dying, shuffler_for
from glslc_multi.compiler.passes.rules.matching import same_value
from glslc_multi.compiler.passes.rules.rule import weight_of
from glslc_multi.compiler.records import dataclass

#: How many shuffles a component is followed through: bounds the work for one instruction.
_MAX_DEPTH = 16
_DYNAMIC = frozenset({ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC})


class Source(NamedTuple):
    """Where a component comes from: a component of a value that is no shuffle."""

    value: Value
    component: int


#: A known number is a source too; None is undefined.
Origin = Source | Scalar


@dataclass(frozen=True, slots=True)
class _Part:
    """An operand of the new shuffle: a value, or some of its components."""

    value: Value
    #: What of the value; None: all of it.
    pattern: tuple[int, ...] | None = None

    @property
    def weight(self) -> int:
        return 0 if self.pattern is None else weight_of(ops.SWIZZLE)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The new shuffle; a swizzle of one part is that part."""

    op: Opcode
    parts: tuple[_Part, ...]
    component: int | None = None

    @property
    def weight(self) -> int:
        own = 0 if self.op is ops.SWIZZLE else weight_of(self.op)
        return own + sum(part.weight for part in self.parts)

    def is_nearer_than(self, old: Instruction) -> bool:
        """Whether it is one instruction that reads other values than `old`."""
        if self.op is ops.SWIZZLE:
            return old.op is not ops.SWIZZLE or old.operands[0] is not self.parts[0].value
        if any(part.pattern is not None for part in self.parts):
            return False
        return (
            old.op is not self.op
            or len(old.operands) != len(self.parts)
            or not all(same_value(part.value, operand) for part, operand in zip(self.parts, old.operands, strict=True))
        )

    def build(self, builder: Builder) -> Value:
        values = [
            part.value if part.pattern is None else builder.swizzle(part.value, part.pattern) for part in self.parts
        ]
        if self.op is ops.SWIZZLE:
            return values[0]
        return builder.op(self.op, *values, attribute=self.component)


def simplify_shuffle(root: Instruction) -> Value | None:
    """The value that replaces `root`."""
    if not _is_shuffle(root) or _stays(root):
        return None
    followed: dict[Instruction, None] = {root: None}
    origins = [_follow(root, component, followed) for component in range(root.type.width)]
    # The constant or the whole value that the components are, if they are one.
    sources = [origin for origin in origins if isinstance(origin, Source)]
    if not sources:
        whole: Value | None = Constant(root.type, tuple(_numbers(origins)))
    else:
        value = sources[0].value
        is_whole = value.type is root.type and all(
            origin is None or origin == Source(value, index) for index, origin in enumerate(origins)
        )
        whole = value if is_whole else None
    return whole if whole is not None else _rebuilt(root, origins, list(followed))


def origin_of(value: Value, component: int) -> Origin:
    """Where a component of any value comes from, seen through shuffles."""
    return _follow(value, component, {})


# ------------------------------------------------------------------------------------ following components
def _is_shuffle(instruction: Instruction) -> bool:
    op = instruction.op
    if op in SHUFFLES:
        return True
    decides = -1 if op in _DYNAMIC else 0
    return op in _STEPS and isinstance(instruction.operands[decides], Constant)


# ------------------------------------------------------------------------- forms that are as short as can be
def _stays(root: Instruction) -> bool:
    """Whether it is soon seen that the shuffle stays what it is, as most do."""
    if root.op is ops.SWIZZLE:
        return _is_own_swizzle(root)
    sources = [_source(operand) for operand in root.operands]
    if None in sources:
        return False
    if root.op is ops.INSERT:
        return sources[0] is root.operands[0] and sources[0] is not sources[1]
    return root.op is ops.CONSTRUCT and all(
        source is not after and not (isinstance(source, Value) and source.type is root.type)
        for source, after in zip(sources, [*sources[1:], None], strict=True)
    )


def _source(operand: Value) -> Value | type[Constant] | None:
    """What the operand is, or takes components of by one swizzle; all constants are one; None for other shuffles."""
    if isinstance(operand, Constant):
        return None if None in operand.components else Constant
    assert isinstance(operand, Instruction)
    if _is_own_swizzle(operand):
        return operand.operands[0]
    return None if _is_shuffle(operand) else operand


def _is_own_swizzle(shuffle: Instruction) -> bool:
    """Whether it takes components of what is no shuffle in an order of its own."""
    if shuffle.op is not ops.SWIZZLE:
        return False
    operand = shuffle.operands[0]
    is_whole = shuffle.type is operand.type and shuffle.attribute == tuple(range(shuffle.type.width))
    return not is_whole and isinstance(operand, Instruction) and not _is_shuffle(operand)


def _follow(value: Value, component: int, followed: dict[Instruction, None]) -> Origin:
    """Where component number `component` of `value` comes from; what is passed is added to `followed`."""
    for _ in range(_MAX_DEPTH):
        if not (isinstance(value, Instruction) and _is_shuffle(value)):
            break
        followed[value] = None
        value, component = _STEPS[value.op](value, component)
    return value.components[component] if isinstance(value, Constant) else Source(value, component)


def _of_construct(construct: Instruction, component: int) -> tuple[Value, int]:
    for part in construct.operands:
        if component < part.type.width:
            return part, component
        component -= part.type.width
    raise AssertionError("a construct delivers each of its components")


def _of_insert(insert: Instruction, component: int) -> tuple[Value, int]:
    vector, scalar = insert.operands
    return (scalar, 0) if component == insert.attribute else (vector, component)


def _of_select(select: Instruction, component: int) -> tuple[Value, int]:
    condition, if_true, if_false = select.operands
    return (if_true if _constant_at(condition, component) else if_false), component


def _of_extract_dynamic(extract: Instruction, _component: int) -> tuple[Value, int]:
    vector, index = extract.operands
    return vector, _clamped(index, vector.type.width)


def _of_insert_dynamic(insert: Instruction, component: int) -> tuple[Value, int]:
    vector, scalar, index = insert.operands
    return (scalar, 0) if component == _clamped(index, vector.type.width) else (vector, component)


#: The operand that delivers a component of a shuffle, and which of its components.
_STEPS: dict[Opcode, Callable[[Instruction, int], tuple[Value, int]]] = {
    ops.SWIZZLE: lambda swizzle, component: (swizzle.operands[0], swizzle.attribute[component]),
    ops.CONSTRUCT: _of_construct,
    ops.INSERT: _of_insert,
    ops.SELECT: _of_select,
    ops.EXTRACT_DYNAMIC: _of_extract_dynamic,
    ops.INSERT_DYNAMIC: _of_insert_dynamic,
}


#: What looks at origins of components, however many shuffles are between.
LOOKING_THROUGH = frozenset({*_STEPS, ops.MAT_VEC, ops.VEC_MAT})


def _constant_at(constant: Value, component: int) -> Scalar:
    """One component of a constant condition or index; a scalar one holds for all, an undefined one is 0."""
    assert isinstance(constant, Constant)
    return constant.components[component if len(constant.components) > 1 else 0] or 0


def _clamped(index: Value, count: int) -> int:
    return max(0, min(int(_constant_at(index, 0) or 0), count - 1))


# ---------------------------------------------------------------------------------------------- rebuilding
def _numbers(origins: Sequence[Origin]) -> list[Scalar]:
    return [origin for origin in origins if not isinstance(origin, Source)]


def _rebuilt(root: Instruction, origins: Sequence[Origin], followed: list[Instruction]) -> Value | None:
    """New shuffles for the components, where they weigh less, or the same but read other values."""
    freed = sum(weight_of(instruction.op) for instruction in dying(followed))
    if freed < weight_of(ops.CONSTRUCT) and _run_end(origins, 0) < len(origins):
        return None
    parts = tuple(_parts(root.type.kind, origins))
    if len(parts) == 1:
        plan = _Plan(ops.SWIZZLE, parts)
    else:
        plan = _insert_plan(root.type, origins) or _Plan(ops.CONSTRUCT, parts)
    if plan.weight > freed or (plan.weight == freed and not plan.is_nearer_than(root)):
        return None
    return plan.build(shuffler_for(root))


def _insert_plan(type: Type, origins: Sequence[Origin]) -> _Plan | None:
    """An insert into a vector of which only one component is another's."""
    for base in dict.fromkeys(origin.value for origin in origins if isinstance(origin, Source)):
        others = [index for index, origin in enumerate(origins) if origin not in (None, Source(base, index))]
        if base.type is type and len(others) == 1:
            scalar = _part(type.kind, [origins[others[0]]])
            return _Plan(ops.INSERT, (_Part(base), scalar), others[0])
    return None


def _parts(kind: Kind, origins: Sequence[Origin]) -> Iterator[_Part]:
    """The components cut into as few operands as neighbours allow."""
    index = 0
    while index < len(origins):
        end = _run_end(origins, index)
        yield _part(kind, origins[index:end])
        index = end


def _run_end(origins: Sequence[Origin], start: int) -> int:
    """The end of the longest run that begins at `start`; undefined components join any run."""
    end = start
    first = next((origin for origin in origins[start:] if origin is not None), None)
    while end < len(origins) and _joins(origins[end], first):
        end += 1
    return end


def _joins(origin: Origin, first: Origin) -> bool:
    if origin is None:
        return True
    if isinstance(first, Source):
        return isinstance(origin, Source) and origin.value is first.value
    return not isinstance(origin, Source)


def _part(kind: Kind, origins: Sequence[Origin]) -> _Part:
    """One operand: a constant, a value, or a swizzle of one."""
    source = next((origin for origin in origins if isinstance(origin, Source)), None)
    if source is None:
        return _Part(Constant(vector(kind, len(origins)), tuple(_numbers(origins))))
    identity = tuple(range(source.value.type.width))
    pattern = tuple(
        origin.component if isinstance(origin, Source) else min(index, len(identity) - 1)
        for index, origin in enumerate(origins)
    )
    return _Part(source.value, None if pattern == identity else pattern)
