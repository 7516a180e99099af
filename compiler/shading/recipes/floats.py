"""What the functions of chapter 8 of GLSL's specification mean for floats and for vectors of bools."""

from __future__ import annotations

import math

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.recipes.maker import Maker, Recipe, Value, opcode, scaled, widened

#: The largest finite float32.
_LARGEST = (2.0 - 2.0**-23) * 2.0**127
#: From here on tanh is 1 in float32.
_TANH_IS_ONE = 10.0


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


#: Function, by its name in GLSL -> meaning.
FLOAT_RECIPES: dict[str, Recipe] = {
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
