"""Built-in inputs and outputs that the machine lacks.

* `agal-window`: of gl_FragCoord the vertex stage passes in a varying what it is made of, and the fragment stage divides
  by w (`compiler/lowering/interface/window.py`).  A fragment stage alone leaves it to any vertex program.
* `agal-sides`: gl_FrontFacing is a constant: the host draws the two sides of surfaces apart, one culled at a time.
* `agal-no-points`: gl_PointSize goes nowhere, since there are no points.

In: a module before its functions are inlined.
"""

from __future__ import annotations

from glslc_multi.backends.agal.isa.window import WINDOW, WINDOW_LANES
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_NO_POINTS, AGAL_SIDES_APART
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Module, Value
from glslc_multi.compiler.ir.prune import remove_written
from glslc_multi.compiler.ir.types import FLOAT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.linking.trim import linked_interface
from glslc_multi.compiler.lowering.interface.window import accesses, place_times_w, position_of
from glslc_multi.compiler.options import LinkedInterface, LinkedVarying
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass, replace

_X, _Y, _Z, _W = range(4)
_PLACE = (_X, _Y)


# --- gl_FragCoord -----------------------------------------------------------------------------------------------------


def with_window(linked: LinkedInterface) -> LinkedInterface:
    """The interface with the varying that brings gl_FragCoord, where the fragment stage reads that."""
    if not linked.frag_coord:
        return linked
    lanes = sorted({WINDOW_LANES[_W], *(WINDOW_LANES[component] for component in linked.frag_coord)})
    return replace(linked, varyings=(*linked.varyings, *(LinkedVarying(WINDOW, 0, 0, lane) for lane in lanes)))


@dataclass(frozen=True, slots=True)
class PassWindow(ModulePass):
    """Write the varying in the vertex stage, and read it in place of gl_FragCoord in the fragment stage."""

    name = "agal-window"
    description = "makes gl_FragCoord of a varying that the vertex stage writes"
    preserves_control_flow = True

    linked: LinkedInterface | None = None

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        wanted = _wanted_alone(module) if self.linked is None else self.linked.frag_coord
        if wanted:
            window = module.add_variable(Variable(WINDOW, "varying", VEC4, precision="highp"))
            if module.stage == "fragment":
                _read_window(module, window, wanted)
            else:
                _write_window(module, window, wanted)
            context.forget_all(module, self)
        return bool(wanted)


def _write_window(module: Module, window: Variable, wanted: tuple[int, ...]) -> None:
    builder, position = position_of(module)
    # The components of the varying; those that nobody reads are undefined.
    parts: list[Value] = [Constant.undef(FLOAT)] * 4
    parts[WINDOW_LANES[_W]] = builder.extract(position, _W)
    if _Z in wanted:
        parts[WINDOW_LANES[_Z]] = builder.extract(position, _Z)
    if _X in wanted or _Y in wanted:
        window_position = place_times_w(builder, position)
        parts[: len(_PLACE)] = [builder.extract(window_position, component) for component in _PLACE]
    builder.store(window, builder.construct(*parts))


def _wanted_alone(module: Module) -> tuple[int, ...]:
    """The components that a stage reads of which nobody has asked."""
    is_read = any(True for _ in accesses(module, ops.LOAD, "frag_coord"))
    return linked_interface(module).frag_coord if is_read else ()


def _read_window(module: Module, window: Variable, wanted: tuple[int, ...]) -> None:
    window.span = next(accesses(module, ops.LOAD, "frag_coord")).span
    for load in list(accesses(module, ops.LOAD, "frag_coord")):
        builder = Builder.before(load)
        passed = builder.load(window)
        w = builder.extract(passed, WINDOW_LANES[_W])
        parts: list[Value] = [Constant.undef(FLOAT)] * 4
        divided = [component for component in wanted if component != _W]
        if divided:
            products = builder.swizzle(passed, [WINDOW_LANES[component] for component in divided])
            quotient = builder.op(ops.FDIV, products, builder.splat(w, len(divided)))
            for index, component in enumerate(divided):
                parts[component] = builder.extract(quotient, index)
        if _W in wanted:
            parts[_W] = builder.op(ops.FRCP, w)
        load.replace_all_uses_with(builder.construct(*parts))
        load.erase()


# --- gl_FrontFacing, gl_PointSize -------------------------------------------------------------------------------------


class TakeSideFromHost(ModulePass):
    """Make gl_FrontFacing the last uniform, and say so where the shader first reads it."""

    name = "agal-sides"
    description = "makes gl_FrontFacing a uniform"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        load = next(accesses(module, ops.LOAD, "front_facing"), None)
        if load is None or load.address.variable.storage == "uniform":
            return False
        variable = load.address.variable
        variable.storage = "uniform"
        module.variables[variable.name] = module.variables.pop(variable.name)
        context.sink.report(AGAL_SIDES_APART, load.span)
        context.forget_all(module, self)
        return True


class DropPointSize(ModulePass):
    """Remove gl_PointSize, and say so where the shader last writes it."""

    name = "agal-no-points"
    description = "removes gl_PointSize"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        variable = next((v for v in module.variables.values() if v.role == "point_size"), None)
        if variable is None:
            return False
        stores = accesses(module, ops.STORE, "point_size")
        written = [store for store in stores if not _is_undefined(store.operands[-1])]
        if written:
            context.sink.report(AGAL_NO_POINTS, written[-1].span)
        remove_written(module, [variable])
        context.forget_all(module, self)
        return True


def _is_undefined(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_undef
