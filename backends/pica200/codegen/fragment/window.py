"""gl_FragCoord.xy of a linked pair: varyings of the vertex shader, which texture units can have as coordinates.

In: a linked pair whose fragment module is optimised.  Out: the fragment module reads x and y of gl_FragCoord from
varyings, and the vertex module writes these.  z and w stay as they are.

* Where w of gl_Position is 1 at all vertices, the varyings are `gl_FragCoord.x` and `gl_FragCoord.y`, like any others.
* Else a varying has both times w (`compiler/lowering/interface/window.py`), and w to divide by: unit 0 alone can.
"""

from __future__ import annotations

from backends.pica200.codegen.fragment.promises import PLACE
from backends.pica200.codegen.fragment.refusals.operations import TIMES_W
from backends.pica200.codegen.fragment.vertex_colours import ranges_left
from compiler.analysis.ranges import Interval
from compiler.diagnostics import DiagnosticSink
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Instruction, Module, Value
from compiler.ir.variables import Variable
from compiler.link import LinkedPair
from compiler.lowering.interface.window import accesses, place_times_w, position_of
from compiler.trim import linked_interface

_X, _Y, _W = 0, 1, 3
_ONE = Interval(1.0, 1.0)


def pass_window(pair: LinkedPair, sink: DiagnosticSink) -> None:
    """See the module's text."""
    wanted = linked_interface(pair.fragment).frag_coord
    if {_X, _Y}.isdisjoint(wanted):
        return
    builder, position = position_of(pair.vertex)
    has_w_of_one = _has_w_of_one(pair.vertex, sink)
    window_position = place_times_w(builder, position)
    if has_w_of_one:
        passed = {name: builder.extract(window_position, component) for component, name in enumerate(PLACE)}
    else:
        passed = {TIMES_W: builder.construct(window_position, builder.extract(position, _W))}
    loads = list(accesses(pair.fragment, ops.LOAD, "frag_coord"))
    for name, value in passed.items():
        builder.store(pair.vertex.add_variable(_varying(name, value, loads[0])), value)
        pair.fragment.add_variable(_varying(name, value, loads[0]))
    for load in loads:
        _replace(load)


def _has_w_of_one(vertex: Module, sink: DiagnosticSink) -> bool:
    """Whether all vertices have; a position that nobody writes may be any."""
    left = ranges_left(vertex, "gl_Position", sink)
    return not left or left[_W] == _ONE


def _varying(name: str, value: Value, load: Instruction) -> Variable:
    return Variable(name, "varying", value.type, precision="highp", span=load.span)


def _replace(load: Instruction) -> None:
    """x and y from the varyings; z and w, which other rules know, from a load of their own."""
    builder = Builder.before(load)
    variables = builder.function.module.variables
    coordinate: Value
    if TIMES_W in variables:
        passed = builder.load(variables[TIMES_W])
        coordinate = builder.op(ops.FDIV, builder.swizzle(passed, (0, 1)), builder.swizzle(passed, (2, 2)))
    else:
        coordinate = builder.construct(*(builder.load(variables[name]) for name in PLACE))
    rest = builder.swizzle(builder.load(load.address.variable), (2, 3))
    load.replace_all_uses_with(builder.construct(coordinate, rest))
    load.erase()
