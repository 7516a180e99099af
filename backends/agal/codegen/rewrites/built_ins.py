"""Built-in inputs and outputs that the machine lacks.

* `gl_FragCoord` of a linked pair: the vertex stage passes what it is made of in a varying, and the fragment stage
  divides by w.  Interpolation is linear in the window once it is divided by w, so the vertex stage can scale to the
  viewport, whose size and place the host sets in a constant (`isa/window.py`).
* `gl_FrontFacing` is a constant: the host draws the two sides of surfaces apart, one culled at a time.
* `gl_PointSize` goes nowhere, since there are no points.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.agal.isa.window import VIEWPORT, WINDOW, WINDOW_LANES
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.machine import AGAL_NO_POINTS, AGAL_SIDES_APART
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Constant, Instruction, Module, Value
from compiler.ir.ops import Opcode
from compiler.ir.prune import remove_written
from compiler.ir.types import FLOAT, VEC4
from compiler.ir.variables import Variable
from compiler.options import LinkedInterface, LinkedVarying
from compiler.records import replace

_SIDE = Form(__name__, "gl_FrontFacing in a constant")

_X, _Y, _Z, _W = range(4)
_PLACE = (_X, _Y)


# --- gl_FragCoord -----------------------------------------------------------------------------------------------------


def with_window(linked: LinkedInterface) -> LinkedInterface:
    """The interface with the varying that brings gl_FragCoord, where the fragment stage reads that."""
    if not linked.frag_coord:
        return linked
    lanes = sorted({WINDOW_LANES[_W], *(WINDOW_LANES[component] for component in linked.frag_coord)})
    return replace(linked, varyings=(*linked.varyings, *(LinkedVarying(WINDOW, 0, 0, lane) for lane in lanes)))


def pass_window(module: Module, linked: LinkedInterface) -> None:
    """Write the varying in the vertex stage, and read it in place of gl_FragCoord in the fragment stage."""
    if not linked.frag_coord:
        return
    window = module.add_variable(Variable(WINDOW, "varying", VEC4, precision="highp"))
    if module.stage == "fragment":
        _read_window(module, window, linked.frag_coord)
    else:
        _write_window(module, window, linked.frag_coord)


def _write_window(module: Module, window: Variable, wanted: tuple[int, ...]) -> None:
    stores = list(_stores(module, "position"))
    for store in stores:
        builder = Builder.before(store)
        builder.store(window, builder.construct(*_window_of(module, builder, store.operands[-1], wanted)))
    for end in [i for i in module.main.instructions() if i.op is ops.RET and not stores]:
        Builder.before(end).store(window, Constant.undef(VEC4))


def _window_of(module: Module, builder: Builder, position: Value, wanted: tuple[int, ...]) -> list[Value]:
    """The components of the varying; those that nobody reads are undefined."""
    parts: list[Value] = [Constant.undef(FLOAT)] * 4
    parts[WINDOW_LANES[_W]] = builder.extract(position, _W)
    if _Z in wanted:
        parts[WINDOW_LANES[_Z]] = builder.extract(position, _Z)
    if _X in wanted or _Y in wanted:
        viewport = builder.load(module.find_variable(VIEWPORT) or _add_viewport(module))
        scaled = builder.op(ops.FMUL, builder.swizzle(position, (_X, _Y)), builder.swizzle(viewport, (0, 1)))
        moved = builder.op(ops.FMUL, builder.swizzle(position, (_W, _W)), builder.swizzle(viewport, (2, 3)))
        place = builder.op(ops.FADD, scaled, moved)
        parts[: len(_PLACE)] = [builder.extract(place, component) for component in _PLACE]
    return parts


def _add_viewport(module: Module) -> Variable:
    return module.add_variable(Variable(VIEWPORT, "uniform", VEC4, precision="highp"))


def _read_window(module: Module, window: Variable, wanted: tuple[int, ...]) -> None:
    for load in list(_loads(module, "frag_coord")):
        builder = Builder.before(load)
        passed = builder.load(window)
        w = builder.extract(passed, WINDOW_LANES[_W])
        parts: list[Value] = [Constant.undef(FLOAT)] * 4
        divided = [component for component in wanted if component != _W]
        if divided:
            products = builder.swizzle(passed, [WINDOW_LANES[component] for component in divided])
            quotient = builder.op(ops.FDIV, products, builder.splat(w, len(divided)))
            for place, component in enumerate(divided):
                parts[component] = builder.extract(quotient, place)
        if _W in wanted:
            parts[_W] = builder.op(ops.FRCP, w)
        load.replace_all_uses_with(builder.construct(*parts))
        load.erase()


# --- gl_FrontFacing, gl_PointSize -------------------------------------------------------------------------------------


def take_side_from_host(module: Module, sink: DiagnosticSink) -> None:
    """Make gl_FrontFacing the last uniform, and say so where the shader first reads it."""
    loads = list(_loads(module, "front_facing"))
    if not loads:
        return
    _SIDE.fires()
    variable = loads[0].address.variable
    variable.storage = "uniform"
    module.variables[variable.name] = module.variables.pop(variable.name)
    sink.report(AGAL_SIDES_APART, loads[0].span)


def drop_point_size(module: Module, sink: DiagnosticSink) -> None:
    """Remove gl_PointSize, and say so where the shader last writes it."""
    variable = next((v for v in module.variables.values() if v.role == "point_size"), None)
    if variable is None:
        return
    written = [store for store in _stores(module, "point_size") if not _is_undefined(store.operands[-1])]
    if written:
        sink.report(AGAL_NO_POINTS, written[-1].span)
    remove_written(module, [variable])


def _is_undefined(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_undef


def _loads(module: Module, role: str) -> Iterator[Instruction]:
    return _accesses(module, ops.LOAD, role)


def _stores(module: Module, role: str) -> Iterator[Instruction]:
    return _accesses(module, ops.STORE, role)


def _accesses(module: Module, op: Opcode, role: str) -> Iterator[Instruction]:
    """The loads, or stores, of the variable with a role."""
    instructions = (i for function in module.functions.values() for i in function.instructions())
    return (i for i in instructions if i.op is op and i.address.variable.role == role)
