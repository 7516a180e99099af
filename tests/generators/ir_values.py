"""Random values: operations whose results are exact in every number format that we compile for.

Each value carries a `Fact`, what is known about its size.  As long as a result fits `Fact.is_exact`, it
needs at most 16 bits, so that sums and products are the same in float32, in 24-bit floats and in Q14.17
fixed point, and stay so when a pass reassociates them.  An operation whose result would not fit gets
operands that are rounded and clamped first.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, VEC3, Type, vector
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """All components lie in [low, high] and are multiples of 2 to the -grain."""

    low: float
    high: float
    grain: int = 0

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def is_exact(self) -> bool:
        """At most 16 bits, at most 12 of them above and 10 below the point."""
        return self.size <= 2**12 and self.grain <= 10 and self.size * 2**self.grain <= 2**15

    def __or__(self, other: Fact) -> Fact:
        return Fact(min(self.low, other.low), max(self.high, other.high), max(self.grain, other.grain))


def symmetric(size: float, grain: int) -> Fact:
    return Fact(-size, size, grain)


UNIT = Fact(0.0, 1.0)
#: What interface and memory hold, and what loops carry from round to round.
STORED = symmetric(4.0, 2)


def _sum(x: Fact, y: Fact) -> Fact:
    # Sizes add up even for differences: a pass may change the order of a sum.
    return symmetric(x.size + y.size, max(x.grain, y.grain))


def _product(x: Fact, y: Fact) -> Fact:
    return symmetric(x.size * y.size, x.grain + y.grain)


def _whole(x: Fact) -> Fact:
    return symmetric(x.size + 1, 0)


def _many_products(count: int) -> Callable[..., Fact]:
    def fact(*operands: Fact) -> Fact:
        joined = operands[0]
        for operand in operands[1:]:
            joined = joined | operand
        square = _product(joined, joined)
        return symmetric(square.size * count, square.grain)

    return fact


#: Opcode, number of operands, their kind, fact of the result.
_Row = tuple[Opcode, int, str, Callable[..., Fact]]
_ALIKE: list[_Row] = [
    (ops.FADD, 2, "float", _sum),
    (ops.FSUB, 2, "float", _sum),
    (ops.FMUL, 2, "float", _product),
    (ops.FMAD, 3, "float", lambda x, y, z: _sum(_product(x, y), z)),
    (ops.FNEG, 1, "float", lambda x: symmetric(x.size, x.grain)),
    (ops.FABS, 1, "float", lambda x: Fact(0.0, x.size, x.grain)),
    (ops.FSIGN, 1, "float", lambda x: symmetric(1.0, 0)),
    (ops.FFLOOR, 1, "float", _whole),
    (ops.FCEIL, 1, "float", _whole),
    (ops.FTRUNC, 1, "float", _whole),
    (ops.FFRACT, 1, "float", lambda x: Fact(0.0, 1.0, x.grain)),
    (ops.FMIN, 2, "float", Fact.__or__),
    (ops.FMAX, 2, "float", Fact.__or__),
    (ops.FCLAMP, 3, "float", lambda x, y, z: x | y | z),
    (ops.FSATURATE, 1, "float", lambda x: Fact(0.0, 1.0, x.grain)),
    (ops.FMIX, 3, "float", lambda x, y, t: _sum(_product(x, _sum(UNIT, t)), _product(y, t))),
    (ops.FSTEP, 2, "float", lambda x, y: UNIT),
    (ops.DOT, 2, "float", _many_products(4)),
    (ops.IADD, 2, "int", _sum),
    (ops.ISUB, 2, "int", _sum),
    (ops.IMUL, 2, "int", _product),
    (ops.INEG, 1, "int", lambda x: symmetric(x.size, 0)),
    (ops.FLT, 2, "float", lambda x, y: UNIT),
    (ops.FLE, 2, "float", lambda x, y: UNIT),
    (ops.FEQ, 2, "float", lambda x, y: UNIT),
    (ops.FNE, 2, "float", lambda x, y: UNIT),
    (ops.ILT, 2, "int", lambda x, y: UNIT),
    (ops.ILE, 2, "int", lambda x, y: UNIT),
    (ops.IEQ, 2, "int", lambda x, y: UNIT),
    (ops.INE, 2, "int", lambda x, y: UNIT),
    (ops.AND, 2, "bool", lambda x, y: UNIT),
    (ops.OR, 2, "bool", lambda x, y: UNIT),
    (ops.XOR, 2, "bool", lambda x, y: UNIT),
    (ops.NOT, 1, "bool", lambda x: UNIT),
    (ops.ALL, 1, "bool", lambda x: UNIT),
    (ops.ANY, 1, "bool", lambda x: UNIT),
    (ops.ITOF, 1, "int", lambda x: x),
    (ops.FTOI, 1, "float", _whole),
    (ops.BTOF, 1, "bool", lambda x: UNIT),
    (ops.BTOI, 1, "bool", lambda x: UNIT),
    (ops.FTOB, 1, "float", lambda x: UNIT),
    (ops.ITOB, 1, "int", lambda x: UNIT),
]
#: What shaders do most comes up more often.
_COMMON = [row for row in _ALIKE if row[0] in (ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.DOT)]


class Values:
    """The values that may be used at the current place, and new ones made of them."""

    def __init__(self, random: Random, builder: Builder) -> None:
        self.random = random
        self.builder = builder
        self.facts: dict[Value, Fact] = {}
        #: In order of definition; the generator cuts the list where a scope ends.
        self.scope: list[Value] = []

    def add(self, value: Value, fact: Fact) -> Value:
        """Make a value known that is defined at the current place."""
        self.facts[value] = fact
        self.scope.append(value)
        return value

    # picking -------------------------------------------------------------------------------
    def type(self, *kinds: str) -> Type:
        kind = self.random.choice(kinds or ("float", "float", "float", "int", "bool"))
        return vector(kind, self.random.choice((1, 1, 2, 3, 4)))  # type: ignore[arg-type]

    def pick(self, type: Type) -> Value:
        """A known value of the type, one made of a known scalar or vector, or a constant."""
        known = [value for value in self.scope[-40:] if value.type is type]
        if known and self.random.random() < 0.9:
            # The latest half the time, so that values reach the outputs through many operations.
            return self.random.choice((known[-1], self.random.choice(known)))
        related = [value for value in self.scope[-40:] if value.type.kind == type.kind]
        if related and self.random.random() < 0.9:
            return self._reshape(self.random.choice(related), type)
        return self.constant(type)

    def _reshape(self, value: Value, type: Type) -> Value:
        """Some components of the value, in any order; a scalar is itself."""
        if value.type is type and type.is_scalar:
            return value
        pattern = [self.random.randrange(value.type.width) for _ in range(type.width)]
        return self.add(self.builder.swizzle(value, pattern), self.facts[value])

    def condition(self) -> Value:
        """A bool to branch on, seldom the same for all lanes."""
        if self.random.random() < 0.3:
            return self.pick(BOOL)
        operands = [self.pick(FLOAT), self.pick(FLOAT)]
        return self.add(self.builder.op(self.random.choice((ops.FLT, ops.FLE)), *operands), UNIT)

    def constant(self, type: Type) -> Constant:
        if type.kind == "float":
            constant = float_constant(*(self.dyadic() for _ in range(type.width)))
        elif type.kind == "int":
            constant = int_constant(*(self.random.randint(-4, 4) for _ in range(type.width)))
        else:
            constant = bool_constant(*(self.random.random() < 0.5 for _ in range(type.width)))
        self.facts[constant] = STORED
        return constant

    def dyadic(self) -> float:
        """A quarter's multiple from -4 to 4."""
        return self.random.randint(-16, 16) / 4

    def index(self, length: int) -> Value:
        """An int scalar that surely lies inside an array."""
        fitting = [v for v in self.scope if v.type is INT and self.facts[v].low >= 0 and self.facts[v].high < length]
        if fitting and self.random.random() < 0.7:
            return self.random.choice(fitting)
        choices = [int_constant(self.random.randrange(length)) for _ in range(2)]
        return self.add(self.builder.op(ops.SELECT, self.pick(BOOL), *choices), Fact(0.0, length - 1.0))

    # making --------------------------------------------------------------------------------
    def compute(self) -> Value:
        """A new value by a random operation."""
        makers = (self._by_table, self._by_table, self._by_table, self._shuffle, self._select, self._product)
        return self.random.choice(makers)()

    def bounded(self, value: Value, bound: Fact = STORED) -> Value:
        """The value itself where it obeys `bound`, else rounded and clamped to it."""
        fact = self.facts[value]
        if fact.low >= bound.low and fact.high <= bound.high and fact.grain <= bound.grain:
            return value
        return self._clamp_int(value, bound) if value.type.kind == "int" else self._clamp_float(value, bound)

    def _clamp_float(self, value: Value, bound: Fact) -> Value:
        width = value.type.width
        low, high = (float_constant(*[limit] * width) for limit in (bound.low, bound.high))
        whole = self.builder.op(ops.FFLOOR, value) if self.facts[value].grain > bound.grain else value
        return self.add(self.builder.op(ops.FCLAMP, whole, low, high), bound)

    def _clamp_int(self, value: Value, bound: Fact) -> Value:
        builder, width = self.builder, value.type.width
        low, high = (int_constant(*[int(limit)] * width) for limit in (bound.low, bound.high))
        raised = builder.op(ops.SELECT, builder.op(ops.ILT, value, low), low, value)
        return self.add(builder.op(ops.SELECT, builder.op(ops.ILT, high, raised), high, raised), bound)

    def _by_table(self) -> Value:
        op, count, source, rule = self.random.choice(self.random.choice((_ALIKE, _COMMON)))
        type = self.type(source)
        return self._exact(op, [self.pick(type) for _ in range(count)], rule)

    def _exact(self, op: Opcode, operands: list[Value], rule: Callable[..., Fact]) -> Value:
        fact = rule(*(self.facts[operand] for operand in operands))
        if not fact.is_exact:
            operands = [self.bounded(operand, symmetric(4.0, 0)) for operand in operands]
            fact = rule(*(self.facts[operand] for operand in operands))
        return self.add(self.builder.op(op, *operands), fact)

    def _select(self) -> Value:
        type = self.type()
        condition = self.pick(self.random.choice((BOOL, BOOL.with_width(type.width))))
        one, other = self.pick(type), self.pick(type)
        return self.add(self.builder.op(ops.SELECT, condition, one, other), self.facts[one] | self.facts[other])

    def _product(self) -> Value:
        columns, rows = self.random.randint(2, 4), self.random.randint(2, 4)
        matrix = [self.pick(FLOAT.with_width(rows)) for _ in range(columns)]
        kind = self.random.choice(("mat_vec", "vec_mat", "cross"))
        if kind == "cross":
            return self._exact(ops.CROSS, [self.pick(VEC3), self.pick(VEC3)], _many_products(2))
        if kind == "mat_vec":
            return self._exact(ops.MAT_VEC, [*matrix, self.pick(FLOAT.with_width(columns))], _many_products(4))
        return self._exact(ops.VEC_MAT, [self.pick(FLOAT.with_width(rows)), *matrix], _many_products(4))

    def _shuffle(self) -> Value:
        makers = (self._swizzle, self._insert, self._construct, self._extract_dynamic, self._insert_dynamic)
        return self.random.choice(makers)()

    def _swizzle(self) -> Value:
        return self._reshape(self.pick(self.type()), self.type())

    def _vector(self) -> Value:
        return self.pick(self.type().with_width(self.random.randint(2, 4)))

    def _insert(self) -> Value:
        target = self._vector()
        scalar = self.pick(target.type.scalar)
        made = self.builder.insert(target, scalar, self.random.randrange(target.type.width))
        return self.add(made, self.facts[target] | self.facts[scalar])

    def _construct(self) -> Value:
        scalar = self.type().scalar
        parts = [self.pick(scalar), self.pick(scalar.with_width(self.random.randint(1, 3)))]
        return self.add(self.builder.construct(*parts), self.facts[parts[0]] | self.facts[parts[1]])

    def _extract_dynamic(self) -> Value:
        source = self._vector()
        return self.add(self.builder.op(ops.EXTRACT_DYNAMIC, source, self.index(source.type.width)), self.facts[source])

    def _insert_dynamic(self) -> Value:
        target = self._vector()
        scalar = self.pick(target.type.scalar)
        index = self.index(target.type.width)
        fact = self.facts[target] | self.facts[scalar]
        return self.add(self.builder.op(ops.INSERT_DYNAMIC, target, scalar, index), fact)
