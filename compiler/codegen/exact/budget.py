"""How long a solver may look for shorter code of a block."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """When a block is left with a gap."""

    #: Larger blocks are not shortened; beyond the second number they get a bound only that needs no search.
    instructions: int
    bounded: int
    #: For each question to the solver, in its own deterministic seconds.
    work: float


#: A few seconds for each block, most of them a fraction of one.
_BUDGET = Budget(instructions=64, bounded=160, work=2.0)


def budget_of(options: Mapping[str, object], sink: DiagnosticSink) -> Budget | None:
    """Return what a solver may do where options of a target ask for it; that there is none is reported and raised."""
    if not options.get("prove"):
        return None
    from importlib.util import find_spec

    if find_spec("ortools") is None:
        sink.report(usage.NO_SOLVER, help="pip install 'glslc-multi[prove]'")
        sink.raise_if_errors()
    return _BUDGET
