"""Classes of floats: which of NaN, infinities, signs and zero every component of every value may be.

The classes are those of IEEE 754's operation `class`, as in LLVM's analysis of known classes.  They come from running
the opcode table's semantics on sets of classes: an instance of the arithmetic protocol, whose operations are tried on
a few numbers of each class.  Infinities come from poles (1 / 0, log2(0), exp2 of what is large), NaN from operands
outside of a function's domain and from infinities that cancel.  What shaders are given are numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial, reduce
from itertools import product
from operator import or_

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.records import dataclass

#: A set of classes, one bit each.
Classes = int
MINUS_INFINITY, NEGATIVE, ZERO, POSITIVE, INFINITY, NAN = (1 << bit for bit in range(6))
NUMBER = NEGATIVE | ZERO | POSITIVE
INFINITIES = MINUS_INFINITY | INFINITY
ANYTHING = NUMBER | INFINITIES | NAN
#: That of bools and ints, and of what is not known yet.
NONE = 0

Meaning = Callable[..., float]


@dataclass(frozen=True, slots=True)
class Format:
    """What decides the classes of a machine's results."""

    product: Meaning = PYTHON.fmul
    #: Of the numbers that shaders compute with.  As it is, sums and products of them do not overflow.
    largest: float = 2.0**20


def zero_times_infinity_is_zero(x: float, y: float) -> float:
    """The product of a machine that makes no NaN of these."""
    return 0.0 if 0.0 in (x, y) and not math.isnan(x + y) else PYTHON.fmul(x, y)


#: What trying a few numbers does not show: waves cross 0, and machines divide for the angle of the point (0, 0).
_MORE = {"sin": NUMBER, "cos": NUMBER, "tan": NUMBER | INFINITIES, "atan2": NUMBER | NAN}
#: Storage of what shaders are given.
_GIVEN = frozenset({"attribute", "varying", "input", "uniform", "sampler"})


def class_of(number: float | None) -> Classes:
    """The class of one number; an undefined one may be chosen."""
    if number is None:
        return ZERO
    if math.isnan(number):
        return NAN
    if math.isinf(number):
        return INFINITY if number > 0 else MINUS_INFINITY
    return ZERO if number == 0 else POSITIVE if number > 0 else NEGATIVE


def _union(found: Iterable[Classes]) -> Classes:
    return reduce(or_, found, NONE)


def _members(largest: float) -> dict[Classes, tuple[float, ...]]:
    """A few numbers of each class.  Products of small ones underflow."""
    magnitudes = 2.0**-100, 0.75, 1.0, 1.5, largest
    return {
        MINUS_INFINITY: (-math.inf,),
        NEGATIVE: tuple(-magnitude for magnitude in magnitudes),
        ZERO: (0.0, -0.0),
        POSITIVE: magnitudes,
        INFINITY: (math.inf,),
        NAN: (math.nan,),
    }


def _tried(function: Meaning, largest: float = 1.0) -> Callable[..., Classes]:
    """A function of numbers, of sets of classes."""
    members = _members(largest)

    @cache
    def on_classes(*operands: Classes) -> Classes:
        tried = [[number for each, numbers in members.items() if each & x for number in numbers] for x in operands]
        return _union(class_of(function(*numbers)) for numbers in product(*tried))

    return on_classes


def _either(choose: Meaning) -> Callable[[Classes, Classes], Classes]:
    """A maximum or minimum, of sets of classes: machines take either of NaN and a number."""
    chosen = _tried(choose)
    return lambda x, y: chosen(x & ~NAN, y & ~NAN) | (x | y if (x | y) & NAN else NONE)


_maximum, _minimum = _either(max), _either(min)


def _without_class(*_: object) -> Classes:
    """Comparisons, and operations on ints and bools."""
    return NONE


class ClassArithmetic:
    """The arithmetic protocol over sets of classes."""

    flt = fle = feq = ilt = ieq = ult = band = bor = bxor = bnot = bconst = iconst = staticmethod(_without_class)
    iadd = isub = imul = idiv = udiv = bits_and = bits_or = bits_xor = bits_not = staticmethod(_without_class)
    shl = shr = asr = ftoi = bits = staticmethod(_without_class)

    def __init__(self, format: Format) -> None:
        tried = partial(_tried, largest=format.largest)
        self.fmul = tried(format.product)
        self.fneg, self.fabs, self.ffloor = tried(PYTHON.fneg), tried(PYTHON.fabs), tried(PYTHON.ffloor)
        self.fadd, self.fsub, self.fdiv = tried(PYTHON.fadd), tried(PYTHON.fsub), tried(PYTHON.fdiv)
        self.fsqrt = tried(PYTHON.fsqrt)
        self._function = cache(lambda name: tried(partial(PYTHON.elementary, name)))
        #: Powers of a number.
        self.power = cache(lambda base, exponent: tried(lambda x: PYTHON.elementary("pow", x, exponent))(base))

    def fconst(self, value: float) -> Classes:
        return class_of(value)

    def elementary(self, name: str, *arguments: Classes) -> Classes:
        classes: Classes = self._function(name)(*arguments)
        if name == "pow":
            # Machines that have none compute it by others.
            base, exponent = arguments
            classes |= self.elementary("exp2", self.fmul(self.elementary("log2", base), exponent))
        return classes | _MORE.get(name, NONE)

    def itof(self, x: Classes) -> Classes:
        return NUMBER

    def number(self, x: Classes) -> Classes:
        return ANYTHING

    def select(self, condition: Classes, if_true: Classes, if_false: Classes) -> Classes:
        return if_true | if_false


class _Squares(ClassArithmetic):
    """The same where both operands of each product are one number."""

    def __init__(self, format: Format) -> None:
        super().__init__(format)
        square = _tried(lambda x: format.product(x, x), format.largest)
        self.fmul = lambda x, _: square(x)


@cache
def _arithmetics(format: Format) -> tuple[ClassArithmetic, ClassArithmetic]:
    return ClassArithmetic(format), _Squares(format)


#: Operations with a product of their first two operands, or with a sum of such products of components.
_PRODUCTS = frozenset({ops.FMUL, ops.FMAD, ops.DOT})
#: Opcode -> a rule on the components' classes that is tighter than its composed meaning.
_SHARPER: dict[Opcode, Callable[..., Classes]] = {
    ops.FMIN: _minimum,
    ops.FMAX: _maximum,
    ops.FCLAMP: lambda x, low, high: _minimum(_maximum(x, low), high),
    ops.FSATURATE: lambda x: _minimum(_maximum(x, ZERO), POSITIVE),
    ops.FFRACT: lambda x: (ZERO | POSITIVE if x & NUMBER else NONE) | (NAN if x & ~NUMBER else NONE),
}


class FloatClasses:
    """The classes of every component of every value of a function; values that are made later have theirs, too."""

    def __init__(self, flow: ControlFlow, format: Format) -> None:
        self._arithmetic, self._squares = _arithmetics(format)
        values = [each for block in flow.order for each in block if each.type.width]
        self._known: dict[Value, tuple[Classes, ...]] = {each: (NONE,) * each.type.width for each in values}
        progress = True
        while progress:
            progress = False
            for value in values:
                found = self._transfer(value, [list(self.of(operand)) for operand in value.operands])
                progress |= found != self._known[value]
                self._known[value] = found

    def of(self, value: Value) -> tuple[Classes, ...]:
        """A set of classes for each component."""
        if not isinstance(value, Instruction):
            assert isinstance(value, Constant)
            return tuple(class_of(c) if value.type.kind == "float" else NONE for c in value.components)
        if value not in self._known:
            self._known[value] = self._transfer(value, [list(self.of(operand)) for operand in value.operands])
        return self._known[value]

    def may_be(self, value: Value, classes: Classes) -> bool:
        """Whether any component may be of any of some classes."""
        return bool(_union(self.of(value)) & classes)

    def makes(self, instruction: Instruction, classes: Classes) -> bool:
        """Whether the operation makes these of operands that are none of them."""
        operands = [[each & ~classes for each in self.of(operand)] for operand in instruction.operands]
        return bool(_union(self._transfer(instruction, operands)) & classes)

    def spoils(self, value: Value, other: Value, classes: Classes) -> bool:
        """Whether a value may be of some classes where another one, which is chosen instead, is of none of them.

        The classes must be such that sums and products of them are of them.
        """
        seen = _sources(other)
        pending = [value]
        while pending:
            part = pending.pop()
            if part in seen or not isinstance(part, Instruction) or not self.may_be(part, classes):
                continue
            seen.add(part)
            if self.makes(part, classes):
                return True
            pending += part.operands
        return False

    def _transfer(self, instruction: Instruction, operands: Sequence[list[Classes]]) -> tuple[Classes, ...]:
        op, width = instruction.op, instruction.type.width
        if instruction.type.kind != "float":
            return (NONE,) * width
        if op is ops.LOAD or op is ops.TEXTURE:
            return (NUMBER if instruction.address.variable.storage in _GIVEN else ANYTHING,) * width
        if op is ops.PHI:
            return tuple(map(_union, zip(*operands, strict=True)))
        if not op.has_semantics:
            return (ANYTHING,) * width
        if op in _SHARPER:
            return tuple(map(_SHARPER[op], *operands))
        if op is ops.FPOW and isinstance(instruction.operands[1], Constant):
            return tuple(map(self._arithmetic.power, operands[0], instruction.operands[1].components))
        is_square = op is ops.LENGTH or (op in _PRODUCTS and instruction.operands[0] is instruction.operands[1])
        arithmetic = self._squares if is_square else self._arithmetic
        found = ops.evaluate(op, arithmetic, instruction.attribute, operands)
        never = INFINITIES if _is_direction(instruction) and not _union(operands[0]) & INFINITIES else NONE
        return tuple(classes & ~never for classes in found)


#: What spreads NaN, and infinities or NaN, from an operand.
_SPREADING = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FNEG, ops.FABS})


def _sources(value: Value) -> set[Value]:
    """Scalars from which NaN spreads to a value."""
    sources: set[Value] = set()
    pending = [value]
    while pending:
        part = pending.pop()
        if part not in sources and part.type.is_scalar:
            sources.add(part)
            if isinstance(part, Instruction) and part.op in _SPREADING:
                pending += part.operands
    return sources


def _is_direction(product: Instruction) -> bool:
    """Whether this is v * inversesqrt(dot(v, v)), which is infinite for no vector of numbers."""
    vector, factor = product.operands if product.op is ops.FMUL else (None, None)
    while isinstance(factor, Instruction) and factor.op in (ops.SWIZZLE, ops.FRSQRT):
        (factor,) = factor.operands
    return isinstance(factor, Instruction) and factor.op is ops.DOT and set(factor.operands) == {vector}


def float_classes(function: Function, manager: AnalysisManager, format: Format) -> FloatClasses:
    """Analysis: the classes of all values, on a machine with numbers of this format."""
    return FloatClasses(manager.get(control_flow), format)
