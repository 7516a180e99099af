"""What happens to a module before vector code is made of it: one function, values instead of variables, few branches.

Only passes whose results are the same bit for bit run; LLVM does the rest.  Loops get one latch each, so that
all lanes meet before they go round, and short ones are unrolled, which makes the indices of arrays constant.
"""

from __future__ import annotations

from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import (
    DCE,
    IF_CONVERT,
    INSTCOMBINE,
    LOOP_UNROLL,
    MEM2REG,
    PROMOTE,
    SCCP,
    SIMPLIFY_CFG,
    SROA,
    Repeat,
)
from glslc_multi.compiler.passes.runner import run_pipeline

_CLEAN = Repeat((SCCP, INSTCOMBINE, SIMPLIFY_CFG, DCE), 2)
#: For functions of one block, and for all others.
_STRAIGHT = (*PROMOTE, INSTCOMBINE, DCE)
_BRANCHING = (*PROMOTE, _CLEAN, LOOP_UNROLL, SROA, MEM2REG, _CLEAN, IF_CONVERT, SIMPLIFY_CFG, DCE)


def prepare(module: Module) -> Module:
    """A module of its own whose `main` calls nothing, ready for `kernel.py`."""
    prepared = clone_module(module)
    _call_preamble(prepared)
    is_straight = all(len(function.blocks) == 1 for function in prepared.functions.values())
    run_pipeline(prepared, _STRAIGHT if is_straight else _BRANCHING, PassContext(precise=True))
    prepared.main.renumber()
    return prepared


def _call_preamble(module: Module) -> None:
    """What runs once before the shader becomes a part of it; LLVM takes it out of the loop over lanes again."""
    preamble = module.functions.pop(PREAMBLE, None)
    if preamble is None:
        return
    # Under its own name it would stay a function that the host runs.
    preamble.name = f"{PREAMBLE}.inlined"
    module.functions[preamble.name] = preamble
    for variable in module.variables.values():
        if variable.role == PREAMBLE:
            variable.storage = "local"
    first = module.main.entry.first
    assert first is not None
    Builder.before(first).call(preamble)
