"""Functions of one cosine: each can be a table, whatever the operations are, since the host computes the entries.

In: a block and the cosines in it.  Out: for every value that depends on one cosine and the host alone, a number that
the algebra can go on with (`LitNumber`).  A scalar is one number as a whole, and remembers the smaller ones that it
is a polynomial of, if it is one, in case these are what the unit can do (`ambient + diffuse * max(N.L, 0)`).  Sums
and products of vectors are left to the algebra, so that colours stay outside of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, cast

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import (
    ALGEBRA,
    JUMPS,
    HostTruth,
    Inexpressible,
    PixelArithmetic,
    PixelValue,
    TooLong,
)
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import ANY, Host, Unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    Channel,
    HostNumber,
    Polynomial,
    all_atoms,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import Cosine, Cosines, Light, Reading
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import AXES, axis
from glslc_multi.compiler.analysis.ranges import Interval, intervals_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.protocol import Arithmetic

#: What the algebra can do with vectors.
_ALGEBRA = ALGEBRA | {ops.SELECT}
_CHOICES = frozenset((ops.FLT, ops.FLE, ops.FEQ, ops.FNE))


@dataclass(frozen=True, slots=True)
class Domain:
    """What a function depends on: a cosine, or what of it is above 0; or a distance."""

    cosine: Cosine
    is_positive: bool

    def __str__(self) -> str:
        light = self.cosine.light
        place = "" if light is None else f" of {'far ' * light.is_directional}{light.vector}"
        spot = "" if self.cosine.spot is None else f" along {self.cosine.spot}"
        return f"{self.cosine.input}{place}{spot}{' above 0' * self.is_positive}"


class LitNumber(Channel):
    """A function of a cosine, scaled to 0 to 1: (value - low) / (high - low).

    `shape` is the same for equal functions, of whatever cosines.
    """

    __slots__ = (
        "component",
        "domain",
        "finer",
        "is_complement",
        "is_cosine",
        "is_facing",
        "jumps",
        "low",
        "open",
        "shape",
        "value",
        "width",
    )

    def __new__(cls, domain: Domain, shape: str, value: Instruction | None, component: int = 0) -> LitNumber:
        del domain, shape, value, component  # Equal functions are not one object: what is known of them may differ.
        return object.__new__(cls)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, LitNumber) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)

    def __init__(self, domain: Domain, shape: str, value: Instruction | None, component: int = 0) -> None:
        super().__init__("lit", f"{shape}({domain})")
        self.domain = domain
        self.shape = shape
        self.value = value
        self.component = component
        self.low, self.width = Fraction(0), Fraction(1)
        #: Between what numbers it lies, if these are not finite: then it must not come as far as the result.
        self.open: Interval | None = None
        #: Of a truth value: 1 where it does not hold.
        self.is_complement = False
        #: Whether it is the cosine itself, or its positive part.
        self.is_cosine = False
        #: Whether it is 1 where the surface faces the light, else 0.
        self.is_facing = False
        #: Whether it may jump from one value to another.
        self.jumps = False
        #: The same as a polynomial of smaller functions.
        self.finer: Polynomial | None = None


class Functions:
    """The functions of cosines in a block, and their numbers."""

    def __init__(self, block: Block, host: Host, cosines: Cosines) -> None:
        self._host = host
        self._cosines = cosines
        #: Of lamps, and the furthest that they can be.
        self.distances = cosines.distances
        self._lamps = {distance: cosine for cosine, (distance, _) in self.distances.items()}
        self._pixels = cast("Arithmetic", PixelArithmetic(host))
        self._domains: dict[Value, Domain] = {}
        self._shapes: dict[Value, str] = {}
        self._jumping: set[Value] = set()
        self._shape_numbers: dict[str, int] = {}
        self._intervals: dict[Value, Sequence[Interval]] = {}
        #: Cosines and their positive parts, with what they are times the cosine.
        self.leaves: dict[Instruction, tuple[Domain, Polynomial]] = {}
        #: What the algebra takes for these instructions.
        self.numbers: dict[Instruction, list[PixelValue]] = {}
        for instruction in block:
            self._look_at(instruction)

    def _look_at(self, instruction: Instruction) -> None:
        reading = self._cosines.readings.get(instruction) or self._cosines.turned(instruction)
        if reading is not None:
            self._cosine(instruction, reading, is_positive=False)
        elif instruction in self._cosines.normals:
            sign, lights = self._cosines.normals[instruction], (Light(axis(part).vector, True) for part in range(AXES))
            domains = (Domain(Cosine("l_dot_n", light), is_positive=False) for light in lights)
            self.numbers[instruction] = [self._of_cosine(domain) * sign for domain in domains]
        elif instruction in self._lamps:
            self._distance(instruction)
        elif instruction not in self._host.values and self._is_function(instruction):
            positive = self._positive_part(instruction)
            if positive is not None:
                self._cosine(instruction, positive, is_positive=True)
            else:
                self._function(instruction)

    def _is_function(self, instruction: Instruction) -> bool:
        if not (instruction.op.is_pure and instruction.op.has_semantics and instruction.type.width):
            return False
        cosines = {
            self._domains[o].cosine if o in self._domains else None
            for o in instruction.operands
            if not self._host.is_host(o)
        }
        return len(cosines) == 1 and None not in cosines

    # cosines ---------------------------------------------------------------------------------
    def _cosine(self, instruction: Instruction, reading: Reading, *, is_positive: bool) -> None:
        domain = Domain(reading.cosine, is_positive)
        low, high = range_of(reading.factor)
        size = max(abs(float(low)), abs(float(high)))
        self._domains[instruction] = domain
        self.leaves[instruction] = domain, reading.factor
        self._shapes[instruction] = f"{'max' if is_positive else 'cos'}*({reading.factor})"
        self._intervals[instruction] = [Interval(0.0 if is_positive else -size, size)]
        self.numbers[instruction] = [self._of_cosine(domain) * reading.factor]

    def _of_cosine(self, domain: Domain) -> Polynomial:
        number = LitNumber(domain, "max" if domain.is_positive else "cos", None)
        number.is_cosine = True
        return polynomial(number) if domain.is_positive else polynomial(number) * 2 - 1

    def _positive_part(self, instruction: Instruction) -> Reading | None:
        """max(cosine, 0), however it is written; cosines are at most 1."""
        operand = next((o for o in instruction.operands if o in self._cosines.readings), None)
        if operand is None or not isinstance(operand, Instruction):
            return None
        reading = self._cosines.readings[operand]
        low, high = range_of(reading.factor)
        is_maximum = instruction.op is ops.FMAX and any(_is_number(o, 0.0) for o in instruction.operands)
        is_saturated = high <= 1 and (
            instruction.op is ops.FSATURATE
            or (instruction.op is ops.FCLAMP and _is_number(instruction.operands[1], 0.0)
                and _is_number(instruction.operands[2], 1.0))
        )  # fmt: skip
        return reading if low >= 0 and (is_maximum or is_saturated) else None

    def _distance(self, instruction: Instruction) -> None:
        cosine = self._lamps[instruction]
        interval = Interval(0.0, self._host.interval(self.distances[cosine][1])[0].high)
        self._domains[instruction] = Domain(cosine, is_positive=True)
        self._shapes[instruction] = f"distance %{instruction.id}"
        self._intervals[instruction] = [interval]
        self.numbers[instruction] = [self._number(instruction, 0)]

    # functions -------------------------------------------------------------------------------
    def _function(self, instruction: Instruction) -> None:
        domains = [self._domains[o] for o in instruction.operands if o in self._domains]
        domain = Domain(domains[0].cosine, all(each.is_positive for each in domains))
        self._domains[instruction] = domain
        self._shapes[instruction] = self._shape(instruction)
        if instruction.op in JUMPS or any(operand in self._jumping for operand in instruction.operands):
            self._jumping.add(instruction)
        operands = [list(self._intervals.get(o) or self._host.interval(o)) for o in instruction.operands]
        self._intervals[instruction] = intervals_of(instruction, operands)
        is_left_to_algebra = instruction.op in _ALGEBRA and not instruction.type.is_scalar
        if instruction.type.kind != "int" and not is_left_to_algebra:
            self.numbers[instruction] = [self._number(instruction, part) for part in range(instruction.type.width)]

    def _shape(self, instruction: Instruction) -> str:
        """A name that equal functions share: numbers stand for operations on names."""
        operands = ", ".join(self._shape_of_operand(operand) for operand in instruction.operands)
        text = f"{instruction.op.name} {instruction.attribute} {operands}"
        return f"f{self._shape_numbers.setdefault(text, len(self._shape_numbers))}"

    def _shape_of_operand(self, value: Value) -> str:
        if value in self._shapes:
            return self._shapes[value]
        return value.key if isinstance(value, Constant) else f"%{value.id}" if isinstance(value, Instruction) else ""

    def _number(self, instruction: Instruction, component: int) -> PixelValue:
        shape = f"{self._shapes[instruction]}.{component}"
        number = LitNumber(self._domains[instruction], shape, instruction, component)
        if instruction.type.kind == "bool":
            number.is_facing, number.is_complement = (
                _is_facing(instruction, self.leaves),
                self._holds_below(instruction),
            )
            number.jumps = True
            truth = polynomial(number)
            return HostTruth(ONE - truth if number.is_complement else truth)
        interval = self._intervals[instruction][component]
        if not (isfinite(interval.low) and isfinite(interval.high)):
            number.open, interval = interval, Interval(-ANY, ANY)
        number.low = min(rational(interval.low), Fraction(0))
        number.width = max(rational(interval.high) - number.low, Fraction(1))
        number.jumps = instruction in self._jumping
        number.finer = self._finer(instruction, component)
        return polynomial(number) * number.width + number.low

    def _finer(self, instruction: Instruction, component: int) -> Polynomial | None:
        """The value by its operands' numbers."""
        operands: list[list[PixelValue]] = []
        for operand in instruction.operands:
            numbers = self.numbers.get(operand) if isinstance(operand, Instruction) else None
            if numbers is None:
                numbers = self._numbers_of_host(operand)
            if numbers is None:
                return None
            operands.append(numbers)
        try:
            found_numbers = ops.evaluate(instruction.op, self._pixels, instruction.attribute, operands)
        except (Inexpressible, TooLong, Unbounded):
            return None
        result = found_numbers[component]
        return result if isinstance(result, Polynomial) and _is_plain(result) else None

    def _numbers_of_host(self, value: Value) -> list[PixelValue] | None:
        if isinstance(value, Constant) and value.type.kind == "float":
            return [polynomial(rational(float(part or 0.0))) for part in value.components]
        if not isinstance(value, Instruction) or value not in self._host.values or value.type.kind != "float":
            return None
        try:
            return [self._host.atom(value, part) for part in range(value.type.width)]
        except Unbounded:
            return None

    def _holds_below(self, instruction: Instruction) -> bool:
        """Of a comparison: whether it holds for small cosines rather than for large ones, at first sight."""
        return instruction.op is ops.FEQ or (
            instruction.op in _CHOICES and instruction.op is not ops.FNE and instruction.operands[0] in self._domains
        )


def _is_plain(value: Polynomial) -> bool:
    """Tell whether no clamp is in it, which no polynomial takes apart."""
    return all(isinstance(atom, LitNumber | HostNumber) for atom in value.atoms())


def _is_facing(instruction: Instruction, leaves: Mapping[Instruction, tuple[Domain, Polynomial]]) -> bool:
    """Tell whether it tells N.L > 0 from N.L <= 0, by the cosine itself or its positive part."""
    if instruction.op not in _CHOICES or not any(_is_number(o, 0.0) for o in instruction.operands):
        return False
    side = next(o for o in instruction.operands if not _is_number(o, 0.0))
    leaf = leaves.get(side) if isinstance(side, Instruction) else None
    if leaf is None or leaf[0].cosine.input != "l_dot_n" or range_of(leaf[1])[0] < 0:
        return False
    first_is_zero = _is_number(instruction.operands[0], 0.0)
    if instruction.op is ops.FLT:
        return first_is_zero
    if instruction.op is ops.FLE:
        return not first_is_zero
    return leaf[0].is_positive


def _is_number(value: Value, number: float) -> bool:
    return isinstance(value, Constant) and all(part == number for part in value.components)


def lit_numbers(value: Polynomial) -> Mapping[LitNumber, None]:
    """Those in a polynomial."""
    return dict.fromkeys(sorted(atom for atom in value.atoms() if isinstance(atom, LitNumber)))


def open_numbers(values: Iterable[Polynomial]) -> Iterator[LitNumber]:
    """Those in polynomials, in clamps too, that may be any number."""
    atoms = (atom for value in values for atom in sorted(all_atoms(value)))
    return (atom for atom in atoms if isinstance(atom, LitNumber) and atom.open is not None)


def has_jumps(value: Polynomial) -> bool:
    """Tell whether a function in it may jump."""
    return any(number.jumps for number in lit_numbers(value))
