"""Procedures: what repeats in a program stands there once, and CALL runs it.

A call is a word, and costs no registers but those that pass values; its end is an address that the hardware compares.
Parameters and results have the last r registers, since allocation assigns the first ones first.
"""

from __future__ import annotations

from functools import partial

from glslc_multi.backends.pica200.codegen.machine_ops import COMPUTING, EMIT, OPS
from glslc_multi.backends.pica200.codegen.register_files import TEMPORARIES
from glslc_multi.backends.pica200.codegen.temporaries import Temporaries
from glslc_multi.backends.pica200.codegen.vertices import order_vertices
from glslc_multi.compiler.codegen.fit import attempt
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, MachineOp, SourceMode, Use
from glslc_multi.compiler.codegen.outline import OutlineModel, Procedure, insert_calls, outline
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink

#: By the opcodes that call them.
Procedures = dict[MachineOp, MachineFunction]

#: What may stand in procedures: what computes, and EMIT.
_LEAVING = COMPUTING | {EMIT}


class _Calls(OutlineModel):
    """The machine as outlining sees it."""

    registers = tuple(reversed(TEMPORARIES.registers()))[:8]

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])

    def may_leave(self, instruction: MachineInstruction) -> bool:
        return instruction.op in _LEAVING


def call_repeats(function: MachineFunction, *, ordered: bool) -> Procedures:
    """Let `function`, before allocation, call what repeats in it: procedures, which are allocated."""
    procedures: Procedures = {}
    order_vertices(function)
    for procedure in outline(function, _Calls()):
        body = procedure.function
        body.name = f"shared{len(procedures)}"
        for register in body.registers:
            register.ordered |= ordered
        if isinstance(attempt(partial(allocate, body, Temporaries()), DiagnosticSink()), CompileError):
            break  # Where registers are that short, the code stays as it is.
        op = _call(procedure)
        insert_calls(function, procedure, _Calls(), op)
        procedures[op] = body
    return procedures


def _call(procedure: Procedure) -> MachineOp:
    """The opcode that calls an allocated procedure: all registers that it writes, but the results, are lost."""
    written = dict.fromkeys(
        target.register
        for instruction in procedure.function.instructions()
        for target in instruction.defs
        if isinstance(target.register, Register) and target.register.file is TEMPORARIES
    )
    results = {result.register for result in procedure.results}
    lost = tuple(register for register in written if register not in results)
    sources: list[SourceMode] = ["slots"] * len(procedure.inputs)
    return MachineOp("CALL", result="fixed", sources=tuple(sources), effect=True, clobbers=lost)
