"""Distances of lamps, of which each light has a table, looked up by a scale and a bias that are the host's:

    DA = table at clamp(scale * distance + bias, 0, 1)

That is a clamp of what is affine in the distance: `clamp(1.0 - d / u_radius, 0.0, 1.0)`, `min(d, u_far)`,
`smoothstep(u_near, u_far, d)`.  Where a shader has one of these for a lamp and reads its distance nowhere else, the
table is of the clamped number.  Else it is of the distance, up to the furthest that promises allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from backends.pica200.codegen.fragment.algebra.polynomials import Number, Polynomial, rational
from backends.pica200.codegen.fragment.hosting import Host, PreambleWriter
from backends.pica200.codegen.fragment.lighting.cosines import Cosine, Cosines
from backends.pica200.codegen.fragment.lighting.vectors import Direction, VaryingNumber, Vectors
from compiler.analysis.ranges import Interval, intervals_of
from compiler.ir import ops
from compiler.ir.builder import float_constant
from compiler.ir.module import Instruction, Value
from compiler.ir.variables import Variable
from compiler.records import dataclass

#: Further than any lamp, as numbers of 32 bits go.
_ANYWHERE = Interval(0.0, 2.0**60)
#: A clamp that holds what is affine in a distance above or below this holds it on one side only.
_LARGE = 2.0**20
#: What is affine is looked at here and at 0.
_FAR = 1024.0
_AFFINE = frozenset((ops.FADD, ops.FSUB, ops.FNEG, ops.FMUL, ops.FDIV, ops.FMAD))
_CLAMPS = frozenset((ops.FSATURATE, ops.FCLAMP, ops.FMIN, ops.FMAX, ops.FSMOOTHSTEP))


class Reach(Protocol):
    """The numbers that a table of distances is of."""

    def scale(self, writer: PreambleWriter) -> Value:
        """What a distance is multiplied by, to come to its place in the table, 0 to 1."""

    def bias(self, writer: PreambleWriter) -> Value:
        """What is added."""

    def give(self, writer: PreambleWriter, place: Value) -> None:
        """Take what the block computes of the distance to be what it is at a place."""


@dataclass(frozen=True, slots=True)
class Clamped:
    """A clamp of something affine in the distance."""

    value: Instruction
    inner: Value
    distance: Instruction
    low: Value
    high: Value

    def scale(self, writer: PreambleWriter) -> Value:
        rise = writer.builder.op(ops.FSUB, self._at(writer, _FAR), self._at(writer, 0.0))
        return self._of_width(writer, writer.builder.op(ops.FMUL, rise, float_constant(1 / _FAR)))

    def bias(self, writer: PreambleWriter) -> Value:
        return self._of_width(writer, writer.builder.op(ops.FSUB, self._at(writer, 0.0), writer.value(self.low)))

    def _of_width(self, writer: PreambleWriter, value: Value) -> Value:
        width = writer.builder.op(ops.FSUB, writer.value(self.high), writer.value(self.low))
        return writer.builder.op(ops.FDIV, value, width)

    def _at(self, writer: PreambleWriter, distance: float) -> Value:
        beside = writer.beside()
        beside.given(self.distance, float_constant(distance))
        return beside.value(self.inner)

    def give(self, writer: PreambleWriter, place: Value) -> None:
        low, high = (float_constant(0.0), float_constant(1.0)) if self._is_smooth else (self.low, self.high)
        op = ops.FSMOOTHSTEP if self._is_smooth else ops.FMIX
        writer.given(self.value, writer.builder.op(op, writer.value(low), writer.value(high), place))

    @property
    def _is_smooth(self) -> bool:
        return self.value.op is ops.FSMOOTHSTEP


@dataclass(frozen=True, slots=True)
class Whole:
    """The distance and its square, up to the furthest corner of the box that the vector's varying lies in."""

    powers: Mapping[Instruction, int]
    way: Direction
    promises: Mapping[Variable, Interval]

    def scale(self, writer: PreambleWriter) -> Value:
        return writer.builder.op(ops.FDIV, float_constant(1.0), self._furthest(writer))

    def bias(self, writer: PreambleWriter) -> Value:
        return float_constant(0.0)

    def give(self, writer: PreambleWriter, place: Value) -> None:
        distance = writer.builder.op(ops.FMUL, place, self._furthest(writer))
        for instruction, power in self.powers.items():
            given = distance if power == 1 else writer.builder.op(ops.FMUL, distance, distance)
            writer.given(instruction, given)

    def _furthest(self, writer: PreambleWriter) -> Value:
        sides = (self._furthest_along(writer, part) for part in self.way.vector)
        return writer.builder.op(ops.LENGTH, writer.builder.construct(*sides))

    def _furthest_along(self, writer: PreambleWriter, part: Polynomial) -> Value:
        varyings = {m: atom for m in part.terms for atom in m if isinstance(atom, VaryingNumber)}
        fixed = Polynomial({m: f for m, f in part.terms.items() if m not in varyings})
        spans = [_span(part.terms[m], self.promises[atom.variable]) for m, atom in varyings.items()] or [(0.0, 0.0)]
        ends = (writer.polynomial(fixed + rational(sum(of_one))) for of_one in zip(*spans, strict=True))
        return writer.builder.op(ops.FMAX, *(writer.builder.op(ops.FABS, end) for end in ends))


def _span(factor: Number, of: Interval) -> tuple[float, float]:
    ends = float(factor) * of.low, float(factor) * of.high
    return min(ends), max(ends)


class Distances:
    """The distances of lamps in a block that tables can be of."""

    def __init__(self, host: Host, vectors: Vectors, cosines: Cosines, promises: Mapping[Variable, Interval]) -> None:
        """`promises` are those that somebody made."""
        self._host = host
        self.reaches: dict[Cosine, Reach] = {}
        #: What tables are given: by what light, and between which numbers it lies.
        self.leaves: dict[Instruction, tuple[Cosine, Interval]] = {}
        for cosine in dict.fromkeys(cosine for cosine, _ in cosines.distances.values()):
            powers = {i: power for i, (c, power) in cosines.distances.items() if c == cosine}
            if not self._is_clamped(cosine, powers):
                self._whole(cosine, Whole(powers, vectors.lengths[next(iter(powers))][0], promises))

    def _whole(self, cosine: Cosine, reach: Whole) -> None:
        varyings = {
            atom.variable for part in reach.way.vector for atom in part.atoms() if isinstance(atom, VaryingNumber)
        }
        if varyings <= reach.promises.keys():
            self.reaches[cosine] = reach
            self.leaves.update((i, (cosine, self._host.interval(i)[0])) for i in reach.powers)

    def _is_clamped(self, cosine: Cosine, powers: Mapping[Instruction, int]) -> bool:
        """Whether all that is read is one clamp of something affine in the distance."""
        if list(powers.values()) != [1]:
            return False
        (distance,) = powers
        chain: dict[Value, Interval] = {distance: _ANYWHERE}
        clamps: dict[Instruction, Interval] = {}
        # What follows in its block.
        block = distance.block
        following = list(block or ())
        for user in following[following.index(distance) + 1 :]:
            if not any(operand in chain for operand in user.operands):
                continue
            if user.op in _CLAMPS and user.type.is_scalar:
                clamps[user] = self._interval(user, chain)
            elif self._is_affine(user, chain):
                chain[user] = self._interval(user, chain)
            elif not _is_unit(user, distance):
                return False
        found = [self._clamped(user, distance, chain, interval) for user, interval in clamps.items()]
        if len(found) != 1 or found[0] is None:
            return False
        self.reaches[cosine] = found[0]
        self.leaves[found[0].value] = cosine, clamps[found[0].value]
        return True

    def _interval(self, instruction: Instruction, chain: Mapping[Value, Interval]) -> Interval:
        operands = [[chain[o]] if o in chain else self._host.interval(o) for o in instruction.operands]
        return intervals_of(instruction, operands)[0]

    def _is_affine(self, instruction: Instruction, chain: Mapping[Value, Interval]) -> bool:
        """Of sums any operand may be of the distance, of products one, of divisions the first."""
        if instruction.op not in _AFFINE or not instruction.type.is_scalar:
            return False
        varying = [n for n, operand in enumerate(instruction.operands) if operand in chain]
        if any(not self._host.is_host(o) for o in instruction.operands if o not in chain):
            return False
        if instruction.op is ops.FDIV:
            return varying == [0]
        return instruction.op not in (ops.FMUL, ops.FMAD) or len({0, 1} & set(varying)) < 2

    def _clamped(
        self, clamp: Instruction, distance: Instruction, chain: Mapping[Value, Interval], interval: Interval
    ) -> Clamped | None:
        """A clamp with two ends, of which one may be that no distance is below 0."""
        inner = [operand for operand in clamp.operands if operand in chain]
        if len(inner) != 1 or any(not self._host.is_host(o) for o in clamp.operands if o not in chain):
            return None
        if clamp.op is ops.FSATURATE:
            return Clamped(clamp, inner[0], distance, float_constant(0.0), float_constant(1.0))
        if clamp.op is ops.FCLAMP and clamp.operands[0] is inner[0]:
            return Clamped(clamp, inner[0], distance, clamp.operands[1], clamp.operands[2])
        if clamp.op is ops.FSMOOTHSTEP and clamp.operands[2] is inner[0]:
            return Clamped(clamp, inner[0], distance, clamp.operands[0], clamp.operands[1])
        if clamp.op not in (ops.FMIN, ops.FMAX) or not max(-interval.low, interval.high) < _LARGE:
            return None
        (end,) = (operand for operand in clamp.operands if operand is not inner[0])
        ends = (float_constant(interval.low), end) if clamp.op is ops.FMIN else (end, float_constant(interval.high))
        return Clamped(clamp, inner[0], distance, *ends)


def _is_unit(user: Instruction, distance: Instruction) -> bool:
    """Whether it is there for a vector that is divided by its length."""
    divisions = [each for each in user.users if each.op is ops.FDIV and each.operands[1] is user]
    return (
        user.op is ops.SWIZZLE
        and len(divisions) == len(user.users)
        and all(division.operands[0] is distance.operands[0] for division in divisions)
    )
