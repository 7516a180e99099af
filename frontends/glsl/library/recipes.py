"""What the built-in functions of chapter 8 mean, written once over the IR's opcodes.

A recipe is a function of a `Maker` and the arguments.  The constant folder's maker evaluates opcodes on
numbers, lowering's maker emits them, so a constant and the same call at run time agree bit for bit.
Textures and derivatives have no recipe, being no functions of their arguments alone; noise is no constant.
"""

from __future__ import annotations

import math

from compiler.ir import ops
from compiler.ir.ops import Opcode
from frontends.glsl.library.integers import INTEGER_RECIPES
from frontends.glsl.library.maker import (
    Columns,
    ColumnsRecipe,
    Maker,
    Recipe,
    Value,
    opcode,
    scaled,
    swapped,
    widened,
)
from frontends.glsl.symbols import BuiltinFunction
from frontends.glsl.types import NumericType

#: The largest finite float32.
_LARGEST = (2.0 - 2.0**-23) * 2.0**127
#: From here on tanh is 1 in float32.
_TANH_IS_ONE = 10.0


def recipe(function: BuiltinFunction) -> ColumnsRecipe | None:
    """The columns of a built-in function's result from those of its arguments.

    None for texture lookups, derivatives, what emits vertices, and what has two results.
    """
    meaning = _meaning(function)
    return _rare(function.name) if meaning is None else _by_columns(meaning)


def _rare(name: str) -> ColumnsRecipe | None:
    """The recipe of a function that few shaders call: they alone pay for the import."""
    from frontends.glsl.library.matrices import MATRIX_RECIPES
    from frontends.glsl.library.packing import PACKING_RECIPES

    if name in PACKING_RECIPES:
        return _by_columns(PACKING_RECIPES[name])
    return MATRIX_RECIPES.get(name)


def _meaning(function: BuiltinFunction) -> Recipe | None:
    name, parameters = function.name, function.parameters
    bases = [type_.base for type_ in parameters if isinstance(type_, NumericType)]
    if bases and (bases[0], name) in _TYPED:
        return _TYPED[bases[0], name]
    if name == "atan" and len(parameters) == 2:
        return opcode(ops.FATAN2)
    if name == "mix" and bases[-1] == "bool":
        return _mix_by_bool
    return _RECIPES.get(name)


def _by_columns(meaning: Recipe) -> ColumnsRecipe:
    def apply(m: Maker, *arguments: Columns) -> Columns:
        return [meaning(m, *row) for row in zip(*arguments, strict=True)]

    return apply


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


def _mix_by_bool(m: Maker, x: Value, y: Value, chooses_y: Value) -> Value:
    return m.op(ops.SELECT, chooses_y, y, x)


def _round(m: Maker, x: Value) -> Value:
    """Halves go up, which the specification leaves open; x + 0.5 would be rounded itself."""
    return m.op(ops.FADD, m.op(ops.FFLOOR, x), m.op(ops.FSTEP, m.number(0.5, x), m.op(ops.FFRACT, x)))


def _is_infinite(m: Maker, x: Value) -> Value:
    return m.op(ops.FLT, m.number(_LARGEST, x), m.op(ops.FABS, x))


def _half_of_exponentials(combine: Opcode) -> Recipe:
    """sinh and cosh: half of exp(x) and exp(-x) subtracted or added."""

    def apply(m: Maker, x: Value) -> Value:
        both = m.op(combine, m.op(ops.FEXP, x), m.op(ops.FEXP, m.op(ops.FNEG, x)))
        return m.op(ops.FMUL, both, m.number(0.5, x))

    return apply


def _tanh(m: Maker, x: Value) -> Value:
    """1 - 2 / (exp(2 x) + 1), where the exponential is finite."""
    near = m.op(ops.FCLAMP, x, m.number(-_TANH_IS_ONE, x), m.number(_TANH_IS_ONE, x))
    power = m.op(ops.FEXP, m.op(ops.FADD, near, near))
    one = m.number(1.0, x)
    return m.op(ops.FSUB, one, m.op(ops.FDIV, m.number(2.0, x), m.op(ops.FADD, power, one)))


def _asinh(m: Maker, x: Value) -> Value:
    """log(|x| + sqrt(x * x + 1)) with the sign of x: of a negative x the sum would cancel.

    The root is that of the quotient of x and 1, the smaller by the larger, and so is none of a large number's square,
    which machines of fixed point cannot hold.
    """
    size, one = m.op(ops.FABS, x), m.number(1.0, x)
    larger = m.op(ops.FMAX, size, one)
    quotient = m.op(ops.FDIV, m.op(ops.FMIN, size, one), larger)
    root = m.op(ops.FSQRT, m.op(ops.FADD, m.op(ops.FMUL, quotient, quotient), one))
    total = m.op(ops.FADD, size, m.op(ops.FMUL, larger, root))
    return m.op(ops.FMUL, m.op(ops.FSIGN, x), m.op(ops.FLOG, total))


def _acosh(m: Maker, x: Value) -> Value:
    """log(x + sqrt(x * x - 1)), with the root in two factors: no large number is squared here either."""
    one = m.number(1.0, x)
    roots = (m.op(ops.FSQRT, m.op(opcode, x, one)) for opcode in (ops.FSUB, ops.FADD))
    return m.op(ops.FLOG, m.op(ops.FADD, x, m.op(ops.FMUL, *roots)))


def _atanh(m: Maker, x: Value) -> Value:
    one = m.number(1.0, x)
    quotient = m.op(ops.FDIV, m.op(ops.FADD, one, x), m.op(ops.FSUB, one, x))
    return m.op(ops.FMUL, m.op(ops.FLOG, quotient), m.number(0.5, x))


_RECIPES: dict[str, Recipe] = {
    "radians": scaled(math.pi / 180.0),
    "degrees": scaled(180.0 / math.pi),
    "sin": opcode(ops.FSIN),
    "cos": opcode(ops.FCOS),
    "tan": opcode(ops.FTAN),
    "asin": opcode(ops.FASIN),
    "acos": opcode(ops.FACOS),
    "atan": opcode(ops.FATAN),
    "pow": opcode(ops.FPOW),
    "exp": opcode(ops.FEXP),
    "log": opcode(ops.FLOG),
    "exp2": opcode(ops.FEXP2),
    "log2": opcode(ops.FLOG2),
    "sqrt": opcode(ops.FSQRT),
    "inversesqrt": opcode(ops.FRSQRT),
    "abs": opcode(ops.FABS),
    "sign": opcode(ops.FSIGN),
    "floor": opcode(ops.FFLOOR),
    "ceil": opcode(ops.FCEIL),
    "fract": opcode(ops.FFRACT),
    "mod": widened(ops.FMOD, 0),
    "min": widened(ops.FMIN, 0),
    "max": widened(ops.FMAX, 0),
    "clamp": widened(ops.FCLAMP, 0),
    "mix": widened(ops.FMIX, 0),
    "step": widened(ops.FSTEP, -1),
    "smoothstep": widened(ops.FSMOOTHSTEP, -1),
    "length": opcode(ops.LENGTH),
    "distance": _distance,
    "dot": opcode(ops.DOT),
    "cross": opcode(ops.CROSS),
    "normalize": opcode(ops.NORMALIZE),
    "faceforward": _faceforward,
    "reflect": _reflect,
    "refract": _refract,
    "matrixCompMult": opcode(ops.FMUL),
    "any": opcode(ops.ANY),
    "all": opcode(ops.ALL),
    "not": opcode(ops.NOT),
    "sinh": _half_of_exponentials(ops.FSUB),
    "cosh": _half_of_exponentials(ops.FADD),
    "tanh": _tanh,
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "trunc": opcode(ops.FTRUNC),
    "round": _round,
    "roundEven": opcode(ops.FROUNDEVEN),
    "isnan": opcode(ops.FISNAN),
    "isinf": _is_infinite,
    "floatBitsToInt": opcode(ops.BITCAST_FTOI),
    "floatBitsToUint": opcode(ops.BITCAST_FTOI),
    "intBitsToFloat": opcode(ops.BITCAST_ITOF),
    "uintBitsToFloat": opcode(ops.BITCAST_ITOF),
}

#: (basic type of the first argument, function) -> meaning, of what depends on that type (sections 8.3 and 8.6).
_TYPED: dict[tuple[str, str], Recipe] = {
    ("float", "lessThan"): opcode(ops.FLT),
    ("float", "lessThanEqual"): opcode(ops.FLE),
    ("float", "greaterThan"): swapped(ops.FLT),
    ("float", "greaterThanEqual"): swapped(ops.FLE),
    ("float", "equal"): opcode(ops.FEQ),
    ("float", "notEqual"): opcode(ops.FNE),
    ("bool", "equal"): _bool_equal,
    ("bool", "notEqual"): opcode(ops.XOR),
    **INTEGER_RECIPES,
}
