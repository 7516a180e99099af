"""Whether the vertex shader leaves colours in 0 to 1, beyond which the machine takes the absolute value, or 1.

In: a vertex module that writes the outputs of the rasteriser, before its passes.  Out: warnings of varyings of which
neither its arithmetic shows that nor anybody promised it: by a pragma, or by a name that ends in color.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isinf

from backends.pica200.codegen.fragment.colours import COLOUR
from backends.pica200.codegen.fragment.promises import PLACE, promises_of
from compiler.analysis.affine import Term, terms_below
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.ranges import Interval, value_ranges
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import COLOUR_RANGE
from compiler.ir import ops
from compiler.ir.module import Module
from compiler.ir.variables import Variable
from compiler.lowering.interface.at_vertices import AtVertices
from compiler.lowering.split import Scalarize
from compiler.passes.base import PassContext
from compiler.passes.control_flow.clone import clone_module
from compiler.passes.pipeline import DCE, GVN, INSTCOMBINE, PROMOTE, SCCP, SIMPLIFY_CFG, Pipeline, Repeat
from compiler.passes.runner import run_pipeline

_VALUES: Pipeline = (*PROMOTE, Scalarize(), Repeat((SCCP, INSTCOMBINE, GVN, SIMPLIFY_CFG, DCE), 2))
_SAYS_COLOUR = re.compile(r"(?:colou?r|col|clr)\d*\Z", re.IGNORECASE)
_UNIT = Interval(0.0, 1.0)


def warn_of_colours(
    vertex: Module, output: AtVertices, promised: Mapping[Variable, Interval], sink: DiagnosticSink
) -> None:
    """`output` is the colour; `promised` are the fragment stage's promises."""
    doubtful = {channel: list(_doubtful(term, promised)) for channel, term in enumerate(output.terms) if term.degree}
    if not any(doubtful.values()):
        return
    intervals = ranges_left(vertex, COLOUR, sink)
    worst: dict[Variable, Interval] = {}
    for channel, variables in doubtful.items():
        for variable in variables if not _is_unit(intervals[channel]) else ():
            worst[variable] = worst.get(variable, intervals[channel]).join(intervals[channel])
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


def _is_unit(interval: Interval) -> bool:
    """What is no number does not count: it comes of such attributes alone."""
    return _UNIT.low <= interval.low and interval.high <= _UNIT.high


def ranges_left(vertex: Module, name: str, sink: DiagnosticSink) -> tuple[Interval, ...]:
    """Between which numbers the components of what a vertex module leaves in a variable lie."""
    copy = clone_module(vertex)
    run_pipeline(copy, _VALUES, PassContext())
    attributes = (v for v in copy.variables.values() if v.storage == "attribute")
    named = {variable: _UNIT for variable in attributes if _SAYS_COLOUR.search(variable.name)}
    ranges = value_ranges(copy.main, AnalysisManager(copy.main), named | promises_of(copy, "", sink))
    stores = (i for i in copy.main.instructions() if i.op is ops.STORE and i.address.variable.name == name)
    intervals = [ranges.of(store.operands[-1]) for store in stores]
    return tuple(_joined(parts) for parts in zip(*intervals, strict=True))


def _joined(intervals: tuple[Interval, ...]) -> Interval:
    first, *rest = intervals
    for interval in rest:
        first = first.join(interval)
    return first
