"""Operations in the widths and forms that the instructions of this machine have.

* `WidenAttributes`: an attribute is always four components; those that its stream lacks are 0, 0 and 1 (reference
  section 3.6), so that `vec4(a_position, 1.0)` is the attribute itself.
* `ExpandByWidth`: `dp3`, `dp4`, `nrm` and the matrix products exist for vectors of three or four components.
* `ExpandIdioms`: shorter forms than those that all machines share, because the fraction is the instruction here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, reduce

from glslc_multi.backends.agal.codegen.rewrites.products import lacks_rows, whole_row
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.expansion import Emitter, Expander, row
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext

#: What an attribute has in the components that the host does not set.
_MISSING = (0.0, 0.0, 0.0, 1.0)


# --- Attributes -------------------------------------------------------------------------------------------------------


class WidenAttributes(ModulePass):
    """Makes every attribute a vec4, and constants beside its own components its missing ones."""

    name = "agal-wide-attributes"
    description = "makes every attribute a vec4"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        widths = {v: v.type.width for v in module.variables.values() if v.storage == "attribute" and v.type.width < 4}
        for load in [i for i in module.main.instructions() if i.op is ops.LOAD and i.address.variable in widths]:
            builder = Builder.before(load)
            wide = Instruction(ops.LOAD, VEC4, load.operands, load.attribute, flags=load.flags, span=load.span)
            assert load.block is not None
            load.block.insert_before(load, wide)
            load.replace_all_uses_with(builder.swizzle(wide, range(widths[load.address.variable])))
            load.erase()
        for variable in widths:
            variable.type = VEC4
        for instruction in list(module.main.instructions()):
            if instruction.op in (ops.CONSTRUCT, ops.INSERT):
                _read_missing(instruction, widths)
        context.forget(module.main, self)
        return bool(widths)


def _read_missing(instruction: Instruction, widths: dict[Variable, int]) -> None:
    """Let a construct take constants from an attribute that it reads anyway, where that lacks them."""
    origins = [source(instruction, component) for component in range(instruction.type.width)]
    attributes = [
        o for o, _ in origins if isinstance(o, Instruction) and o.op is ops.LOAD and o.address.variable in widths
    ]
    origins_there = [_found_in(attributes, widths, *origin) for origin in origins]
    if origins_there == origins:
        return
    builder = Builder.before(instruction)
    only = origins_there[0][0]
    if all(value is only for value, _ in origins_there):
        made: Value = builder.swizzle(only, [component for _, component in origins_there])
    else:
        made = builder.construct(*(_component(builder, *origin) for origin in origins_there))
    instruction.replace_all_uses_with(made)
    instruction.erase()


def _found_in(
    attributes: list[Instruction], widths: dict[Variable, int], origin: Value, component: int
) -> tuple[Value, int]:
    """The component of an attribute that is such a constant, if there is one; else the origin itself."""
    number = origin.components[component] if isinstance(origin, Constant) else None
    for load in attributes if number is not None else ():
        for lane in range(widths[load.address.variable], 4):
            if _MISSING[lane] == number:
                return load, lane
    return origin, component


def _component(builder: Builder, value: Value, component: int) -> Value:
    if isinstance(value, Constant):
        return Constant(value.type.scalar, (value.components[component],))
    return builder.extract(value, component)


# --- Widths -----------------------------------------------------------------------------------------------------------


class ExpandByWidth(Pass):
    """Expands geometry of widths that have no instruction, and products with matrices not in consecutive registers."""

    name = "agal-widths"
    description = "expands geometry of widths that have no instruction"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for has_none, expander in _BY_WIDTH:
            for instruction in list(function.instructions()):
                if has_none(instruction):
                    progress |= expander.expand(instruction)
        return progress


#: Components of the vector and number of rows -> the instruction.
_PRODUCTS = {(3, 3): "m33", (4, 3): "m34", (4, 4): "m44"}


def matrix_product(instruction: Instruction) -> str | None:
    """The instruction that will compute a `vec_mat`: one of a matrix whose rows are in consecutive registers."""
    vector, *rows = instruction.operands
    if lacks_rows(instruction):
        return "m44" if vector.type.width == 4 else "m33"
    name = _PRODUCTS.get((vector.type.width, len(rows)))
    wholes = [whole_row(row) for row in rows]
    if name is None or not _are_consecutive(wholes):
        return None
    # OpenFL takes three rows of four components where an index names them.
    is_indexed = isinstance(wholes[0], Instruction) and wholes[0].address.is_dynamic
    return name if name != "m34" or is_indexed else None


def _are_consecutive(rows: list[Value]) -> bool:
    loads = [row for row in rows if isinstance(row, Instruction) and row.op is ops.LOAD]
    if len(loads) < len(rows) or loads[0].address.variable.storage not in ("uniform", "attribute"):
        return False
    first = loads[0]
    stride = first.address.variable.columns
    numbers = [load.address.offset * stride + load.address.column for load in loads]
    same = all(
        load.address.variable is first.address.variable and list(load.operands) == list(first.operands)
        for load in loads
    )
    return same and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _dot(e: Emitter, x: Value, y: Value) -> Value:
    return reduce(e.add, e.components(e.mul(x, y)))


def _normalize(e: Emitter, x: Value) -> Value:
    return e.mul(x, e.splat(e.op(ops.FRSQRT, e.op(ops.DOT, x, x)), x))


def _vec_mat(e: Emitter, vector: Value, *columns: Value) -> Value:
    if vector.type.width > 2:
        return e.construct(e.op(ops.DOT, vector, column) for column in columns)
    products = [e.mul(vector, column) for column in columns]
    halves = [e.construct(e.component(product, lane) for product in products) for lane in (0, 1)]
    return e.add(*halves)


def _expander(opcode: Opcode, uses: str, make: Callable[..., Value]) -> Expander:
    return Expander([row(opcode, uses, make)], lambda other: other is not opcode)


#: What has no instruction -> its expansion, in an order in which the later ones serve the earlier.
_BY_WIDTH: tuple[tuple[Callable[[Instruction], bool], Expander], ...] = (
    (lambda i: i.op is ops.NORMALIZE and i.type.width != 3, _expander(ops.NORMALIZE, "fmul frsqrt dot", _normalize)),
    (lambda i: i.op is ops.VEC_MAT and matrix_product(i) is None, _expander(ops.VEC_MAT, "fadd fmul dot", _vec_mat)),
    (lambda i: i.op is ops.DOT and i.operands[0].type.width < 3, _expander(ops.DOT, "fadd fmul", _dot)),
)


# --- Rounding ---------------------------------------------------------------------------------------------------------


def _ceiling(e: Emitter, x: Value) -> Value:
    """x + fract(-x)"""
    return e.add(x, e.op(ops.FFRACT, e.op(ops.FNEG, x)))


def _truncation(e: Emitter, x: Value) -> Value:
    """floor(x), and one more below zero where there is a fraction."""
    fraction, zero = e.op(ops.FFRACT, x), e.number(0.0, x)
    is_below, has_fraction = (e.op(ops.BTOF, e.op(ops.FLT, *pair)) for pair in ((x, zero), (zero, fraction)))
    return e.add(e.sub(x, fraction), e.mul(is_below, has_fraction))


def _sign(e: Emitter, x: Value) -> Value:
    """(0 < x) - (x < 0)"""
    zero = e.number(0.0, x)
    above, below = (e.op(ops.BTOF, e.op(ops.FLT, *pair)) for pair in ((zero, x), (x, zero)))
    return e.sub(above, below)


def _floor(e: Emitter, x: Value) -> Value:
    return e.sub(x, e.op(ops.FFRACT, x))


def _modulus(e: Emitter, x: Value, y: Value) -> Value:
    """y * fract(x / y) is exact where y is a power of two; else x - y * floor(x / y)."""
    if isinstance(y, Constant) and all(_is_power_of_two(c) for c in y.components):
        scale = Constant(y.type, tuple(1.0 / float(c) for c in y.components if c))
        return e.mul(e.op(ops.FFRACT, e.mul(x, scale)), y)
    return e.sub(x, e.mul(y, e.op(ops.FFLOOR, e.op(ops.FDIV, x, y))))


def _is_power_of_two(number: object) -> bool:
    return isinstance(number, (int, float)) and number > 0 and math.frexp(number)[0] == 0.5


ROWS = (
    row(ops.FFLOOR, "fsub ffract", _floor),
    row(ops.FCEIL, "fadd ffract fneg", _ceiling),
    row(ops.FTRUNC, "fadd fsub fmul ffract flt btof", _truncation),
    row(ops.FSIGN, "fsub flt btof", _sign),
    row(ops.FMOD, "fsub fmul ffract ffloor fdiv", _modulus),
)
_IDIOMS = frozenset(entry.opcode for entry in ROWS)


@cache
def _idioms(precise: bool) -> Expander:
    return Expander(ROWS, lambda opcode: opcode not in _IDIOMS, precise=precise)


class ExpandIdioms(Pass):
    """Expands by `ROWS`."""

    name = "agal-idioms"
    description = "expands roundings and signs by the fraction"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        return _idioms(context.precise).expand_all(function)
