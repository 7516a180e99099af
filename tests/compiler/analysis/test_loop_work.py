"""Finding a nest of loops walks along the blocks of each loop, and does little about them."""

from __future__ import annotations

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.module import Function
from tests.generators.cfg import from_edges
from tests.work import count_calls


def _nest(levels: int) -> Function:
    """Loops in each other: from an entry down their headers, and up their latches to the end."""
    last = 2 * levels
    down = [(block, block + 1) for block in range(last + 1)]
    return from_edges(last + 2, [*down, *((last + 1 - header, header) for header in range(levels, 0, -1))])


def test_a_deep_nest_costs_a_few_calls_a_block_of_each_loop() -> None:
    manager = AnalysisManager(_nest(40))
    manager.get(control_flow)
    manager.get(loop_nest)
    manager.invalidate()
    manager.get(control_flow)
    calls = count_calls(lambda: manager.get(loop_nest))
    loops = manager.get(loop_nest).all_loops()
    assert len(loops) == 40
    assert calls < 2 * sum(len(loop.blocks) for loop in loops)
