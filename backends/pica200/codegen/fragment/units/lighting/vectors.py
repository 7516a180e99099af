"""Unit vectors, their dot products, and distances: what the lighting unit looks its tables up at.

In: a flat block.  Out: the cosines in it, and the distances.  A unit vector is `normalize` of something affine in a
varying: the normal N, the direction V to the eye, that to a lamp L = normalize(place - position); or one of the host:
the direction to a far light. H = normalize(L + V) is between two of them.  Which varying is the normal shows in the
products: it is in most of them.

The machine adds its view vector to the place of a lamp: L = normalize(P + view).  So all directions to lamps and to
the eye must differ by what the host knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import Inexpressible, PixelArithmetic, TooLong
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, Unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Atom,
    HostNumber,
    Polynomial,
    one_object,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import Rotation, rotation_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

AXES = 3
#: Further than any lamp.
_LARGE = 2.0**20
#: The numbers of three axes.
Vector = tuple[Polynomial, ...]
#: The axes, of which components of a unit vector are its dot products with.
_AXES: tuple[Vector, ...] = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))


class VaryingNumber(Atom):
    """A component of a varying."""

    __slots__ = ("component", "variable")

    def __new__(cls, variable: Variable, component: int) -> VaryingNumber:
        return one_object(cls, variable.name, component)

    def __init__(self, variable: Variable, component: int) -> None:
        super().__init__(f"3{variable.name}.{component}", f"{variable.name}.{'xyzw'[component]}")
        self.variable = variable
        self.component = component


class TurnedNumber(Atom):
    """A component of a normal that a quaternion turns."""

    __slots__ = ("rotation",)

    def __new__(cls, rotation: Rotation, component: int) -> TurnedNumber:
        return one_object(cls, cls.name_of(rotation), component)

    @staticmethod
    def name_of(rotation: Rotation) -> str:
        bump = "" if rotation.lookup is None else f", %{rotation.lookup.id} {rotation.has_z}"
        return f"turned({rotation.quaternion.address.variable.name}{bump})"

    def __init__(self, rotation: Rotation, component: int) -> None:
        name = self.name_of(rotation)
        super().__init__(f"3{name}.{component}", f"{name}.{'xyz'[component]}")
        self.rotation = rotation


@dataclass(frozen=True, slots=True)
class Direction:
    """A unit vector: `vector` normalised; the host's own where no varying is in it."""

    vector: Vector

    @property
    def is_host(self) -> bool:
        return all(part.is_host for part in self.vector)

    @property
    def rotation(self) -> Rotation | None:
        """What turns the normal that this is."""
        rotated = next((atom for part in self.vector for atom in part.atoms() if isinstance(atom, TurnedNumber)), None)
        return None if rotated is None else rotated.rotation

    @property
    def offset(self) -> Vector:
        """What the host adds to the varying."""
        return tuple(part.host_part for part in self.vector)

    @property
    def varying(self) -> Vector:
        """What is left without the offset."""
        return minus(self.vector, self.offset)


@dataclass(frozen=True, slots=True)
class Halfway:
    """normalize(one + other)."""

    one: Direction
    other: Direction


@dataclass(frozen=True, slots=True)
class Product:
    """The dot product of two unit vectors, times what the host knows."""

    left: Direction
    right: Direction | Halfway
    factor: Polynomial


class Vectors:
    """The unit vectors of a block, and the products that are between them."""

    def __init__(self, block: Block, host: Host) -> None:
        self._host = host
        self._arithmetic = PixelArithmetic(host)
        self._numbers: dict[Value, list[Polynomial] | None] = {}
        self._unit: dict[Value, Direction | Halfway] = {}
        self.products: dict[Instruction, Product] = {}
        #: Single components, as products with an axis: of dot(n, vec3(0.0, 0.0, 1.0)) nothing else is left.
        self.parts: dict[Instruction, Product] = {}
        #: Unit vectors whose components are read by other things than products.
        self.components: dict[Instruction, Direction] = {}
        #: Lengths of vectors, held at the furthest that the host knows.
        self.distances: dict[Instruction, tuple[Direction, Value]] = {}
        for instruction in block:
            self._look_at(instruction)

    def _look_at(self, instruction: Instruction) -> None:
        if instruction.op is ops.SWIZZLE and instruction.type.is_scalar:
            self._part(instruction)
        if instruction.type.width != AXES and instruction.op not in (ops.DOT, ops.FMIN):
            return
        if instruction.op is ops.FMIN:
            self._distance(instruction)
        elif instruction.op is ops.NORMALIZE:
            self._normalised(instruction)
        elif instruction.op is ops.FDIV:
            # A vector by its length is a unit vector.
            inner, divisor = instruction.operands
            length = divisor.operands[0] if isinstance(divisor, Instruction) and divisor.op is ops.SWIZZLE else None
            if _is_length(length) and length.operands[0] is inner:
                self._keep_varying(instruction, inner)
        elif instruction.op is ops.FNEG and isinstance(found := self._unit.get(instruction.operands[0]), Direction):
            self._keep(instruction, Direction(negated(found.vector)))
        elif instruction.op is ops.DOT:
            product = self._product(*instruction.operands)
            if product is not None:
                self.products[instruction] = product
        if instruction not in self._unit and instruction.op is not ops.DOT:
            self._turned(instruction)

    def _turned(self, instruction: Instruction) -> None:
        """A normal that a quaternion turns, where something asks for a normal."""
        if not any(user.op in (ops.DOT, ops.NORMALIZE) for user in instruction.users):
            return
        rotation = rotation_of(instruction)
        if rotation is not None:
            self._keep(instruction, Direction(tuple(polynomial(TurnedNumber(rotation, p)) for p in range(AXES))))

    def _normalised(self, instruction: Instruction) -> None:
        (inner,) = instruction.operands
        unit_vector = self._unit.get(inner)
        if isinstance(unit_vector, Direction) and (unit_vector.rotation is None or unit_vector.rotation.is_unit):
            self._keep(instruction, unit_vector)
            return
        if instruction in self._host.values:
            self._unit[instruction] = Direction(self._host_vector(instruction))
            return
        half = self._halfway(inner)
        if half is not None:
            self._unit[instruction] = half
            return
        self._keep_varying(instruction, inner)

    def _keep_varying(self, instruction: Instruction, inner: Value) -> None:
        """Keep a unit vector that has the direction of another vector."""
        direction = self._varying(inner)
        if direction is not None:
            self._keep(instruction, direction)

    def _varying(self, value: Value) -> Direction | None:
        """Find the direction of a vector that is affine in a varying."""
        numbers = self._affine(value) if value.type.width == AXES else None
        return None if numbers is None or all(part.is_host for part in numbers) else Direction(tuple(numbers))

    def _part(self, swizzle: Instruction) -> None:
        """Take a component of a unit vector for its product with an axis."""
        direction, (component,) = self._unit.get(swizzle.operands[0]), swizzle.attribute
        if isinstance(direction, Direction):
            self.parts[swizzle] = Product(direction, axis(component), ONE)

    def _distance(self, minimum: Instruction) -> None:
        """Keep the length of a vector that varies, or what the host knows where that is less."""
        length, most = sorted(minimum.operands, key=self._host.is_host)
        if not _is_length(length) or not self._host.is_host(most):
            return
        way, limits = self._varying(length.operands[0]), self._host.interval(most)[0]
        if way is not None and limits.low >= 0 and limits.high < _LARGE:
            self.distances[minimum] = way, most

    def _keep(self, instruction: Instruction, direction: Direction) -> None:
        self._unit[instruction] = self.components[instruction] = direction

    def _host_vector(self, value: Value) -> Vector:
        numbers = self._affine(value)
        assert numbers is not None
        return tuple(numbers)

    def _halfway(self, value: Value) -> Halfway | None:
        """The sum of two unit vectors, or their difference: light may be said by where it goes to."""
        if not isinstance(value, Instruction) or value.op not in (ops.FADD, ops.FSUB):
            return None
        one, other = (self._unit.get(operand) or self._unit_constant(operand) for operand in value.operands)
        if not isinstance(one, Direction) or not isinstance(other, Direction) or (one.is_host and other.is_host):
            return None
        return Halfway(one, Direction(negated(other.vector)) if value.op is ops.FSUB else other)

    def _unit_constant(self, value: Value) -> Direction | None:
        if not isinstance(value, Constant):
            return None
        numbers = [float(part or 0.0) for part in value.components]
        return Direction(self._host_vector(value)) if abs(sum(n * n for n in numbers) - 1) < 2**-20 else None

    def _product(self, one: Value, other: Value) -> Product | None:
        """Of two unit vectors, or of one with any vector of the host, whose length is the factor then."""
        first, second = (self._unit.get(operand) for operand in (one, other))
        if isinstance(second, Direction) and not isinstance(first, Direction):
            first, second, one, other = second, first, other, one
        if not isinstance(first, Direction):
            return None
        if isinstance(second, Halfway | Direction):
            if isinstance(second, Direction) and first.is_host:
                return None if second.is_host else Product(second, first, ONE)
            return Product(first, second, ONE)
        if first.is_host or not self._host.is_host(other) or other.type.width != AXES:
            return None
        try:
            return Product(first, Direction(self._host_vector(other)), self._length_of_host(other))
        except Unbounded:
            return None

    def _length_of_host(self, value: Value) -> Polynomial:
        if isinstance(value, Constant):
            return polynomial(rational(sum(float(part or 0.0) ** 2 for part in value.components) ** 0.5))
        assert isinstance(value, Instruction)
        return self._host.length(value)

    # affine functions of varyings ------------------------------------------------------------
    def _affine(self, value: Value) -> list[Polynomial] | None:
        """The components of a vector; None where they are something else."""
        pending = [value]
        while pending:
            current = pending[-1]
            waiting = [o for o in self._needs(current) if o not in self._numbers]
            if waiting:
                pending += waiting
                continue
            pending.pop()
            if current not in self._numbers:
                self._numbers[current] = self._evaluated(current)
        return self._numbers[value]

    def _needs(self, value: Value) -> Sequence[Value]:
        if not isinstance(value, Instruction) or value in self._host.values or value in self._numbers:
            return ()
        return value.operands if value.op.has_semantics and value.op is not ops.NORMALIZE else ()

    def _evaluated(self, value: Value) -> list[Polynomial] | None:
        if isinstance(value, Constant):
            return [polynomial(rational(float(part or 0.0))) for part in value.components]
        assert isinstance(value, Instruction)
        if value.type.kind != "float":
            return None
        if value in self._host.values:
            return [self._host.anything(value, part) for part in range(value.type.width)]
        if value.op is ops.LOAD and value.type.width >= AXES and _is_plain_varying(value):
            return [polynomial(VaryingNumber(value.address.variable, part)) for part in range(value.type.width)]
        operands = [self._numbers.get(operand) for operand in value.operands]
        if not value.op.has_semantics or (not self._needs(value) and value.operands) or None in operands:
            return None
        try:
            components = ops.evaluate(value.op, self._arithmetic, value.attribute, operands)  # type: ignore[arg-type]
        except (Inexpressible, TooLong):
            return None
        return components if all(isinstance(part, Polynomial) and _is_affine(part) for part in components) else None


def _is_length(value: Value | None) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.op is ops.LENGTH


def _is_plain_varying(load: Instruction) -> bool:
    variable = load.address.variable
    return variable.storage == "varying" and not variable.is_array and not variable.is_matrix


def _is_host(monomial: Sequence[Atom]) -> bool:
    return all(isinstance(atom, HostNumber) for atom in monomial)


def _is_affine(part: Polynomial) -> bool:
    """The varying with a number that is known, and anything of the host."""
    return all(
        _is_host(monomial) or (len(monomial) == 1 and isinstance(monomial[0], VaryingNumber)) for monomial in part.terms
    )


def negated(of: Vector) -> Vector:
    return tuple(-part for part in of)


def minus(one: Vector, other: Vector) -> Vector:
    return tuple(x - y for x, y in zip(one, other, strict=True))


def axis(component: int) -> Direction:
    """One of the three directions of space."""
    return Direction(_AXES[component])


def most_used(products: Sequence[Product]) -> Iterator[Direction]:
    """The directions that vary, those first that are in most products; of equal ones the first."""
    count: Counter[Direction] = Counter()
    for product in products:
        for side in (product.left, product.right):
            if isinstance(side, Direction) and not side.is_host:
                count[positive(side)] += 1
    return (direction for direction, _ in count.most_common())


def positive(direction: Direction) -> Direction:
    """Of a direction and its opposite always the same one: that whose first varying number is added."""
    return direction if sign_of(direction) > 0 else Direction(negated(direction.vector))


def sign_of(direction: Direction) -> int:
    for part in direction.varying:
        if part:
            return 1 if part.leading_factor() > 0 else -1
    return 1
