"""One block of values, in forms that the units are recognised by.

Functions are inlined, loops unrolled, branches turned into choices: combiners have no control flow.  What a condition
of uniforms decides is a choice that a constant of the host makes; what pixels decide is clamped, tested by the alpha
test, or refused (`arithmetic.py`).

A varying may be depth by promise, 0 at the near plane and 1 at the far one, as gl_FragCoord.z:

    #pragma pica200 depth v_depth

In a shader alone it is an input, whose place in the register map is that of depth; in a linked one, what reads it reads
gl_FragCoord.z, and the vertex shader need not leave it.
"""

from __future__ import annotations

import re
from math import inf
from typing import NoReturn

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import refuse
from glslc_multi.backends.pica200.isa.fragment.combiners import LIGHTING_SOURCES, STAGES
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import BAD_DEPTH, COMBINER_OPERATION, COMBINER_STAGES
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import MACHINE, PREAMBLE, Variable
from glslc_multi.compiler.lowering.indexing import LowerIndexing
from glslc_multi.compiler.lowering.interface.window import accesses
from glslc_multi.compiler.passes.base import CostModel, PassContext
from glslc_multi.compiler.passes.pipeline import (
    CLEAN_WELL,
    IF_CONVERT,
    LOOP_UNROLL,
    MEM2REG,
    PROMOTE,
    SIMPLIFY_CFG,
    SROA,
    Pipeline,
)
from glslc_multi.compiler.passes.runner import run_pipeline

#: No branch may stay; nothing is joined that the algebra would have to take apart.
COSTS = CostModel({ops.FMAD: inf}, branch=inf, arms=0.0, loops=False, unroll_budget=4096, array_unroll_budget=4096)

_FLAT: Pipeline = (
    *(*PROMOTE, CLEAN_WELL, LOOP_UNROLL, SROA, MEM2REG, CLEAN_WELL),
    *(IF_CONVERT, SIMPLIFY_CFG, LowerIndexing(), SROA, MEM2REG, IF_CONVERT, CLEAN_WELL),
)
#: The role of such an input.
DEPTH = "depth"
_PRAGMA = re.compile(r"pica200\s+depth\s+(.*?)\s*\Z")
_Z = 2


def flatten(module: Module, *, precise: bool, sink: DiagnosticSink) -> Block:
    """The one block that is left of `main`; what cannot be is reported and raised."""
    _unhoist(module)
    for variable in module.variables.values():
        if variable.name in LIGHTING_SOURCES and variable.storage == "varying":
            # The colours of the lighting unit are nothing that a vertex shader writes.
            variable.storage, variable.role = "input", MACHINE
    _make_depth_an_input(module, sink)
    run_pipeline(module, _FLAT, PassContext(COSTS, precise, sink))
    main = module.main
    if len(main.blocks) > 1:
        _refuse_branches(main, sink)
    _plain_directions(main)
    return main.entry


def _refuse_branches(main: Function, sink: DiagnosticSink) -> NoReturn:
    for loop in AnalysisManager(main).get(loop_nest).all_loops():
        _refuse_loop(loop, sink)
    sink.raise_if_errors()
    branch = next(block.terminator for block in main.blocks if len(block.successors) > 1)
    assert branch is not None
    refuse(sink, COMBINER_OPERATION, branch.span, construct="such a branch")


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


def _make_depth_an_input(module: Module, sink: DiagnosticSink) -> None:
    """The varying of a shader alone is an input."""
    # Those that are read; what is declared and not read may be promised as well.
    declared = {declaration.name for declaration in module.declarations if declaration.storage == "varying"}
    for match in filter(None, map(_PRAGMA.match, module.pragmas)):
        variable = module.variables.get(match[1])
        if variable is None and match[1] in declared:
            continue
        if variable is None or variable.storage not in ("varying", "input") or variable.type != FLOAT:
            sink.report(BAD_DEPTH, text=match[1])
        elif variable.storage == "varying":
            variable.storage, variable.role = "input", DEPTH
    sink.raise_if_errors()


def link_depth(module: Module, sink: DiagnosticSink) -> None:
    """The varying of a linked shader is gl_FragCoord.z."""
    _make_depth_an_input(module, sink)
    loads = list(accesses(module, ops.LOAD, DEPTH))
    place = next((v for v in module.variables.values() if v.role == "frag_coord"), None)
    if loads and place is None:
        place = Variable("gl_FragCoord", "input", FLOAT.with_width(4), precision="highp", role="frag_coord")
        module.add_variable(place)
    for load in loads:
        assert place is not None
        builder = Builder.before(load)
        load.replace_all_uses_with(builder.swizzle(builder.load(place), (_Z,)))
        load.erase()
    for variable in [v for v in module.variables.values() if v.role == DEPTH]:
        del module.variables[variable.name]


def _unhoist(module: Module) -> None:
    """Take back what `-fpreamble` has taken out: its function is called, and its results are locals again."""
    function = module.functions.pop(PREAMBLE, None)
    if function is None:
        return
    for variable in module.variables.values():
        if variable.role == PREAMBLE:
            variable.storage, variable.role = "local", ""
    function.name = f"{PREAMBLE}.called"
    module.functions[function.name] = function
    Builder(module.main.entry, module.main.entry.first).call(function)


def _plain_directions(main: Function) -> None:
    """A cube map takes directions of any length: nothing has to normalise them."""
    for lookup in [i for i in main.instructions() if i.op is ops.TEXTURE and i.attribute.is_cube]:
        place = lookup.address.index_count
        direction = lookup.operands[place]
        if isinstance(direction, Instruction) and direction.op is ops.NORMALIZE:
            lookup.set_operand(place, direction.operands[0])
            if not direction.users:
                direction.erase()
