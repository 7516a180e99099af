"""One block of values: functions inlined, loops unrolled, branches turned into choices.

Combiners have no control flow.  What a condition of uniforms decides is a choice that a constant of the host makes;
what pixels decide is clamped, tested by the alpha test, or refused (`algebra/conditions.py`).
"""

from __future__ import annotations

from math import inf

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.isa.fragment.combiners import STAGES
from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import COMBINER_OPERATION, COMBINER_STAGES
from compiler.ir import ops
from compiler.ir.module import Block, Module
from compiler.lowering.indexing import LowerIndexing
from compiler.passes.base import CostModel, PassContext
from compiler.passes.pipeline import (
    CLEAN_WELL,
    IF_CONVERT,
    LOOP_UNROLL,
    MEM2REG,
    PROMOTE,
    SIMPLIFY_CFG,
    SROA,
    Pipeline,
)
from compiler.passes.runner import run_pipeline

#: No branch may stay; nothing is joined that the algebra would have to take apart.
COSTS = CostModel({ops.FMAD: inf}, branch=inf, arms=0.0, loops=False, unroll_budget=4096, array_unroll_budget=4096)

_FLAT: Pipeline = (
    *(*PROMOTE, CLEAN_WELL, LOOP_UNROLL, SROA, MEM2REG, CLEAN_WELL),
    *(IF_CONVERT, SIMPLIFY_CFG, LowerIndexing(), SROA, MEM2REG, IF_CONVERT, CLEAN_WELL),
)


def flatten(module: Module, *, precise: bool, sink: DiagnosticSink) -> Block:
    """The one block that is left of `main`; what cannot be is reported and raised."""
    run_pipeline(module, _FLAT, PassContext(COSTS, precise, sink))
    main = module.main
    if len(main.blocks) == 1:
        return main.entry
    for loop in AnalysisManager(main).get(loop_nest).all_loops():
        _refuse_loop(loop, sink)
    sink.raise_if_errors()
    branch = next(block.terminator for block in main.blocks if len(block.successors) > 1)
    assert branch is not None
    sink.report(COMBINER_OPERATION, branch.span, target=TARGET_NAME, construct="such a branch")
    raise CompileError(sink.diagnostics)


def _refuse_loop(loop: Loop, sink: DiagnosticSink) -> None:
    test = next((block for block, _ in loop.exits), loop.header).terminator
    sink.report(
        COMBINER_STAGES,
        None if test is None else test.span,
        target=TARGET_NAME,
        limit=STAGES,
        what="a loop whose number of rounds is not known does not fit",
        help="bound the loop by a small constant, or compile one program for each count",
    )
