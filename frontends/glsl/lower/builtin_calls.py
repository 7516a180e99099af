"""Calls of built-in functions: their recipes emitted as IR, texture lookups and derivatives.

What a function of its arguments means stands in `frontends/glsl/recipes.py`, shared with the checker's constant
folding.  Here is only what depends on the pipeline: how a lookup's name says where its coordinate, level, bias
or gradients come from (section 8.7 and the extensions), and the differences of a 2x2 quad (section 8.8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.ir import ops
from compiler.ir.module import Constant, Value
from compiler.ir.ops import Opcode
from compiler.ir.variables import TextureAccess, TextureMode
from compiler.records import dataclass
from frontends.glsl.lower.emitter import Emitter
from frontends.glsl.lower.lvalues import MemoryLValue
from frontends.glsl.lower.operand import Operand, highest
from frontends.glsl.recipes import Recipe, recipe
from frontends.glsl.symbols import BuiltinFunction


@dataclass(frozen=True, slots=True)
class _Lookup:
    """How a texture function reads its arguments: sampler, coordinate, then what `mode` takes.

    `mode` "auto" becomes "bias" when the optional argument is given.
    """

    mode: TextureMode = "auto"
    projective: bool = False


_LOOKUPS: dict[str, _Lookup] = {
    "texture2D": _Lookup(),
    "texture2DProj": _Lookup(projective=True),
    "texture2DLod": _Lookup("lod"),
    "texture2DProjLod": _Lookup("lod", projective=True),
    "textureCube": _Lookup(),
    "textureCubeLod": _Lookup("lod"),
    "texture2DLodEXT": _Lookup("lod"),
    "texture2DProjLodEXT": _Lookup("lod", projective=True),
    "textureCubeLodEXT": _Lookup("lod"),
    "texture2DGradEXT": _Lookup("grad"),
    "texture2DProjGradEXT": _Lookup("grad", projective=True),
    "textureCubeGradEXT": _Lookup("grad"),
}


def is_lookup(function: BuiltinFunction) -> bool:
    """Whether this is a texture lookup, whose first argument is a sampler."""
    return function.name in _LOOKUPS


def lookup(emitter: Emitter, function: BuiltinFunction, sampler: MemoryLValue, arguments: Sequence[Operand]) -> Operand:
    """Sample a texture; `arguments` are those after the sampler."""
    row = _LOOKUPS[function.name]
    coordinate, *extra = (argument.value for argument in arguments)
    if row.projective:
        emitter.at_precision(arguments[0].precision)
        coordinate = _projected(emitter, coordinate)
    address, indices = sampler.address(emitter)
    mode: TextureMode = "bias" if row.mode == "auto" and extra else row.mode
    emitter.at_precision(sampler.precision)
    texel = emitter.texture(TextureAccess(address, mode), [*indices, coordinate, *extra])
    return Operand(function.return_type, (texel,), sampler.precision)


def call(emitter: Emitter, function: BuiltinFunction, arguments: Sequence[Operand]) -> Operand:
    """Any other built-in function; a matrix is worked on column by column."""
    if function.name in _EMISSIONS:
        emitter.op(_EMISSIONS[function.name])
        return Operand(function.return_type, ())
    meaning = recipe(function) or _DERIVATIVES[function.name]
    precision = highest(arguments)
    emitter.at_precision(precision)
    maker = _InstructionMaker(emitter)
    rows = zip(*(argument.columns for argument in arguments), strict=True)
    return Operand(function.return_type, tuple([meaning(maker, *row) for row in rows]), precision)


#: Of geometry shaders; the outputs are stored before them when all of the shader is lowered.
_EMISSIONS: dict[str, Opcode] = {"EmitVertex": ops.EMIT_VERTEX, "EndPrimitive": ops.END_PRIMITIVE}


class _InstructionMaker:
    """The recipes' maker that emits instructions."""

    __slots__ = ("_emitter",)

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def op(self, opcode: Opcode, *operands: Value) -> Value:
        return self._emitter.op(opcode, *operands)

    def number(self, value: float, like: Value) -> Constant:
        return self._emitter.number(value, like)

    def widen(self, value: Value, like: Value) -> Value:
        return self._emitter.widen(value, like.type.width)


def _projected(emitter: Emitter, coordinate: Value) -> Value:
    """The first two components divided by the last one."""
    last = coordinate.type.width - 1
    divisor = emitter.swizzle(coordinate, (last, last))
    return emitter.op(ops.FDIV, emitter.swizzle(coordinate, (0, 1)), divisor)


def _fwidth(m: _InstructionMaker, x: Value) -> Value:
    return m.op(ops.FADD, m.op(ops.FABS, m.op(ops.DDX, x)), m.op(ops.FABS, m.op(ops.DDY, x)))


def _derivative(opcode: Opcode) -> Callable[[_InstructionMaker, Value], Value]:
    return lambda m, x: m.op(opcode, x)


_DERIVATIVES: dict[str, Recipe] = {
    "dFdx": _derivative(ops.DDX),
    "dFdy": _derivative(ops.DDY),
    "fwidth": _fwidth,
}
