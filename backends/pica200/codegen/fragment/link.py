"""Linking: the vertex shader leaves what the fragment stage reads, in the outputs that the rasteriser has.

In: a linked pair whose fragment module is optimised.  Out: both modules speak of the outputs of the rasteriser
(`$color`, `$texcoord0`, ...), as `units/textures.py` chose them: varyings are packed, doubled, or computed from others
at the vertices.

The fragment module reads x and y of gl_FragCoord from varyings, which texture units can have as coordinates; z and w
stay as they are.  Where w of gl_Position is 1 at all vertices, the varyings are `gl_FragCoord.x` and `gl_FragCoord.y`,
like any others.  Else a varying has both times w (`compiler/lowering/interface/window.py`), and w to divide by: unit 0
alone can.

Beyond 0 to 1 the machine takes the absolute value of colours at vertices, or 1.  Of varyings a warning says so where
neither the vertex shader's arithmetic shows that they are within nor anybody promised it: by a pragma, or by a name
that ends in color.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from math import isinf

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.plan import plan
from glslc_multi.backends.pica200.codegen.fragment.read.flatten import link_depth
from glslc_multi.backends.pica200.codegen.fragment.read.promises import PLACE, promises_of
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import TIMES_W
from glslc_multi.backends.pica200.codegen.fragment.read.walk import COLOUR
from glslc_multi.compiler.analysis.affine import Term, terms_below
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import Interval, value_ranges
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import COLOUR_RANGE
from glslc_multi.compiler.diagnostics.catalogue.link import UNIFORM_ELSEWHERE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Instruction, Module, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.linking.match import LinkedPair
from glslc_multi.compiler.linking.trim import linked_interface
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices, names_in_the_way, write_at_vertices
from glslc_multi.compiler.lowering.interface.flat import interpolate_flat
from glslc_multi.compiler.lowering.interface.window import accesses, place_times_w, position_of
from glslc_multi.compiler.lowering.split import Scalarize
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import DCE, GVN, INSTCOMBINE, PROMOTE, SCCP, SIMPLIFY_CFG, Pipeline, Repeat
from glslc_multi.compiler.passes.runner import run_pipeline

_X, _Y, _W = 0, 1, 3
_ONE = Interval(1.0, 1.0)
_VALUES: Pipeline = (*PROMOTE, Scalarize(), Repeat((SCCP, INSTCOMBINE, GVN, SIMPLIFY_CFG, DCE), 2))
_SAYS_COLOUR = re.compile(r"(?:colou?r|col|clr)\d*\Z", re.IGNORECASE)
_UNIT = Interval(0.0, 1.0)


def adapt(pair: LinkedPair, options: TargetOptions, sink: DiagnosticSink) -> None:
    """Rewrite both modules."""

    def write(outputs: Sequence[AtVertices]) -> None:
        for variable in names_in_the_way(pair.vertex, pair.fragment):
            sink.report(UNIFORM_ELSEWHERE, variable.span, name=variable.name)
        sink.raise_if_errors()
        write_at_vertices(pair.vertex, pair.fragment, outputs)
        promised = promises_of(pair.fragment, str(options.values.get("ranges", "")), sink)
        for output in outputs:
            if output.variable.name == COLOUR:
                _warn_of_colours(pair.vertex, output, promised, sink)

    interpolate_flat(pair.fragment, TARGET_NAME, sink)
    link_depth(pair.fragment, sink)
    _pass_window(pair, sink)
    plan(pair.fragment, options, sink, write, pair.vertex.pragmas)


# --- gl_FragCoord -----------------------------------------------------------------------------------------------------


def _pass_window(pair: LinkedPair, sink: DiagnosticSink) -> None:
    """Pass x and y of gl_FragCoord in varyings."""
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
    """Tell whether all vertices have; a position that nobody writes may be any."""
    left = _ranges_left(vertex, "gl_Position", sink)
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


# --- Colours ----------------------------------------------------------------------------------------------------------


def _warn_of_colours(
    vertex: Module, output: AtVertices, promised: Mapping[Variable, Interval], sink: DiagnosticSink
) -> None:
    """`output` is the colour; `promised` are the fragment stage's promises."""
    doubtful = {channel: list(_doubtful(term, promised)) for channel, term in enumerate(output.terms) if term.degree}
    if not any(doubtful.values()):
        return
    intervals = _ranges_left(vertex, COLOUR, sink)
    worst: dict[Variable, Interval] = {}
    for channel, variables in doubtful.items():
        interval = intervals[channel]
        # What is no number does not count: it comes of such attributes alone.
        is_unit = _UNIT.low <= interval.low and interval.high <= _UNIT.high
        for variable in () if is_unit else variables:
            worst[variable] = worst.get(variable, interval).join(interval)
    for variable, interval in worst.items():
        limits = (
            "any number" if isinf(interval.low) or isinf(interval.high) else f"{interval.low:g} to {interval.high:g}"
        )
        advice, high = ("", 400) if variable.name in PLACE else ("clamp it, or ", 1)
        help = f"{advice}promise its range: #pragma pica200 range {variable.name} 0 {high}"
        sink.report(COLOUR_RANGE, variable.span, name=variable.name, help=help, range=limits)


def _doubtful(term: Term, promised: Mapping[Variable, Interval]) -> Iterator[Variable]:
    """The varyings of a number of which nothing is promised."""
    for below in terms_below([term]):
        variable = None if below.part is None else below.part.variable
        if variable is not None and variable not in promised and not _SAYS_COLOUR.search(variable.name):
            yield variable


def _ranges_left(vertex: Module, name: str, sink: DiagnosticSink) -> tuple[Interval, ...]:
    """Between which numbers the components of what a vertex module leaves in a variable lie."""
    copy = clone_module(vertex)
    run_pipeline(copy, _VALUES, PassContext())
    attributes = (v for v in copy.variables.values() if v.storage == "attribute")
    named = {variable: _UNIT for variable in attributes if _SAYS_COLOUR.search(variable.name)}
    ranges = value_ranges(copy.main, AnalysisManager(copy.main), named | promises_of(copy, "", sink))
    stores = (i for i in copy.main.instructions() if i.op is ops.STORE and i.address.variable.name == name)
    intervals = [ranges.of(store.operands[-1]) for store in stores]
    return tuple(reduce(Interval.join, parts) for parts in zip(*intervals, strict=True))
