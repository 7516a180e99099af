"""Calls of built-in functions without textures: their recipes emitted as IR, and derivatives.

What a function of its arguments means stands in `frontends/glsl/library/recipes.py`, shared with the checker's constant
folding.  Here is only what depends on the pipeline: the differences of a 2x2 quad (section 8.8), noise, and vertices.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.operand import Operand, highest
from glslc_multi.compiler.shading.recipes.emission import InstructionMaker
from glslc_multi.compiler.shading.recipes.maker import Columns, ColumnsRecipe, Maker, component, join
from glslc_multi.frontends.glsl.library.recipes import recipe
from glslc_multi.frontends.glsl.symbols import BuiltinFunction


def call(emitter: Emitter, function: BuiltinFunction, arguments: Sequence[Operand]) -> Operand:
    """Any other built-in function; a matrix is worked on column by column."""
    if function.name in _EMISSIONS:
        emitter.op(_EMISSIONS[function.name])
        return Operand(function.return_type, ())
    meaning = recipe(function) or _AT_RUN_TIME[function.name]
    precision = function.precision or highest(arguments)
    emitter.at_precision(precision)
    columns = meaning(InstructionMaker(emitter), *[argument.columns for argument in arguments])
    return Operand(function.return_type, tuple(columns), precision)


def split(emitter: Emitter, number: Operand) -> tuple[Operand, Operand]:
    """modf: the fraction and the whole part, both with the sign of the number (ES 3.00 section 8.3)."""
    emitter.at_precision(number.precision)
    whole = emitter.op(ops.FTRUNC, number.value)
    fraction = emitter.op(ops.FSUB, number.value, whole)
    return Operand(number.type, (fraction,), number.precision), Operand(number.type, (whole,), number.precision)


#: Of geometry shaders; the outputs are stored before them when all of the shader is lowered.
_EMISSIONS: dict[str, Opcode] = {"EmitVertex": ops.EMIT_VERTEX, "EndPrimitive": ops.END_PRIMITIVE}


def _fwidth(m: Maker, x: Columns) -> Columns:
    return [m.op(ops.FADD, *[m.op(ops.FABS, m.op(difference, x[0])) for difference in (ops.DDX, ops.DDY)])]


def _derivative(opcode: Opcode) -> ColumnsRecipe:
    return lambda m, x: [m.op(opcode, x[0])]


def _noise(width: int) -> ColumnsRecipe:
    """0 everywhere, as on all known implementations."""

    def apply(m: Maker, x: Columns) -> Columns:
        zero = m.number(0.0, x[0] if m.width(x[0]) == 1 else component(m, x[0], 0))
        return [zero if width == 1 else join(m, *[zero] * width)]

    return apply


#: What is no constant even of constants (sections 8.8 and 8.9 of GLSL 1.10).
_AT_RUN_TIME: dict[str, ColumnsRecipe] = {
    "dFdx": _derivative(ops.DDX),
    "dFdy": _derivative(ops.DDY),
    "fwidth": _fwidth,
    **{f"noise{width}": _noise(width) for width in (1, 2, 3, 4)},
}
