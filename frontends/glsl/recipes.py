"""What the built-in functions of chapter 8 mean, written once over the IR's opcodes.

A recipe is a function of a `Maker` and the arguments.  The constant folder's maker evaluates opcodes on
numbers, lowering's maker emits them, so a constant and the same call at run time agree bit for bit.
Textures and derivatives have no recipe: they are no functions of their arguments alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

from compiler.ir import ops
from compiler.ir.ops import Opcode
from frontends.glsl.symbols import BuiltinFunction
from frontends.glsl.types import NumericType

#: A value of some maker: opaque to recipes.
Value = Any
Recipe = Callable[..., Value]


class Maker(Protocol):
    """Makes results of opcodes."""

    def op(self, opcode: Opcode, *operands: Value) -> Value: ...
    def number(self, value: float, like: Value) -> Value:
        """The float `value` in each component of a value as wide as `like`."""

    def widen(self, value: Value, like: Value) -> Value:
        """`value` as wide as `like`: a scalar is repeated."""


def recipe(function: BuiltinFunction) -> Recipe | None:
    """The recipe of one built-in function, or None for texture lookups, derivatives and what emits vertices."""
    first = function.parameters[0] if function.parameters else None
    if isinstance(first, NumericType) and (first.base, function.name) in _COMPARISONS:
        return _COMPARISONS[first.base, function.name]
    if function.name == "atan" and len(function.parameters) == 2:
        return _op(ops.FATAN2)
    return _RECIPES.get(function.name)


def _op(opcode: Opcode) -> Recipe:
    """One opcode on the arguments as they are."""

    def apply(m: Maker, *arguments: Value) -> Value:
        return m.op(opcode, *arguments)

    return apply


def _widened(opcode: Opcode, like: int) -> Recipe:
    """One component-wise opcode; scalar arguments become as wide as argument number `like`."""

    def apply(m: Maker, *arguments: Value) -> Value:
        return m.op(opcode, *[m.widen(argument, arguments[like]) for argument in arguments])

    return apply


def _swapped(opcode: Opcode) -> Recipe:
    return lambda m, x, y: m.op(opcode, y, x)


def _scaled(factor: float) -> Recipe:
    return lambda m, x: m.op(ops.FMUL, x, m.number(factor, x))


def _bool_equal(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.NOT, m.op(ops.XOR, x, y))


def _distance(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.LENGTH, m.op(ops.FSUB, x, y))


def _faceforward(m: Maker, normal: Value, incident: Value, reference: Value) -> Value:
    dot = m.op(ops.DOT, reference, incident)
    return m.op(ops.SELECT, m.op(ops.FLT, dot, m.number(0.0, dot)), normal, m.op(ops.FNEG, normal))


def _reflect(m: Maker, incident: Value, normal: Value) -> Value:
    dot = m.op(ops.DOT, normal, incident)
    twice = m.op(ops.FMUL, m.number(2.0, dot), dot)
    return m.op(ops.FSUB, incident, m.op(ops.FMUL, m.widen(twice, normal), normal))


def _refract(m: Maker, incident: Value, normal: Value, eta: Value) -> Value:
    """Section 8.4: 0 where k = 1 - eta² (1 - dot²) is negative, else eta I - (eta dot + sqrt k) N."""
    one, zero = m.number(1.0, eta), m.number(0.0, eta)
    dot = m.op(ops.DOT, normal, incident)
    sine_squared = m.op(ops.FSUB, one, m.op(ops.FMUL, dot, dot))
    k = m.op(ops.FSUB, one, m.op(ops.FMUL, m.op(ops.FMUL, eta, eta), sine_squared))
    along_normal = m.op(ops.FADD, m.op(ops.FMUL, eta, dot), m.op(ops.FSQRT, m.op(ops.FMAX, k, zero)))
    bent = m.op(
        ops.FSUB,
        m.op(ops.FMUL, m.widen(eta, incident), incident),
        m.op(ops.FMUL, m.widen(along_normal, normal), normal),
    )
    return m.op(ops.SELECT, m.op(ops.FLT, k, zero), m.number(0.0, bent), bent)


_RECIPES: dict[str, Recipe] = {
    "radians": _scaled(math.pi / 180.0),
    "degrees": _scaled(180.0 / math.pi),
    "sin": _op(ops.FSIN),
    "cos": _op(ops.FCOS),
    "tan": _op(ops.FTAN),
    "asin": _op(ops.FASIN),
    "acos": _op(ops.FACOS),
    "atan": _op(ops.FATAN),
    "pow": _op(ops.FPOW),
    "exp": _op(ops.FEXP),
    "log": _op(ops.FLOG),
    "exp2": _op(ops.FEXP2),
    "log2": _op(ops.FLOG2),
    "sqrt": _op(ops.FSQRT),
    "inversesqrt": _op(ops.FRSQRT),
    "abs": _op(ops.FABS),
    "sign": _op(ops.FSIGN),
    "floor": _op(ops.FFLOOR),
    "ceil": _op(ops.FCEIL),
    "fract": _op(ops.FFRACT),
    "mod": _widened(ops.FMOD, 0),
    "min": _widened(ops.FMIN, 0),
    "max": _widened(ops.FMAX, 0),
    "clamp": _widened(ops.FCLAMP, 0),
    "mix": _widened(ops.FMIX, 0),
    "step": _widened(ops.FSTEP, -1),
    "smoothstep": _widened(ops.FSMOOTHSTEP, -1),
    "length": _op(ops.LENGTH),
    "distance": _distance,
    "dot": _op(ops.DOT),
    "cross": _op(ops.CROSS),
    "normalize": _op(ops.NORMALIZE),
    "faceforward": _faceforward,
    "reflect": _reflect,
    "refract": _refract,
    "matrixCompMult": _op(ops.FMUL),
    "any": _op(ops.ANY),
    "all": _op(ops.ALL),
    "not": _op(ops.NOT),
}

#: (basic type, function) -> comparison (section 8.6).
_COMPARISONS: dict[tuple[str, str], Recipe] = {
    ("float", "lessThan"): _op(ops.FLT),
    ("float", "lessThanEqual"): _op(ops.FLE),
    ("float", "greaterThan"): _swapped(ops.FLT),
    ("float", "greaterThanEqual"): _swapped(ops.FLE),
    ("float", "equal"): _op(ops.FEQ),
    ("float", "notEqual"): _op(ops.FNE),
    ("int", "lessThan"): _op(ops.ILT),
    ("int", "lessThanEqual"): _op(ops.ILE),
    ("int", "greaterThan"): _swapped(ops.ILT),
    ("int", "greaterThanEqual"): _swapped(ops.ILE),
    ("int", "equal"): _op(ops.IEQ),
    ("int", "notEqual"): _op(ops.INE),
    ("bool", "equal"): _bool_equal,
    ("bool", "notEqual"): _op(ops.XOR),
}
