"""Procedures: what repeats in a program stands there once, and CALL runs it.

A call is a word, and costs no registers but those that pass values; its end is an address that the hardware compares.
Parameters and results have the last r registers, since allocation assigns the first ones first.  A procedure of several
vertices calls what repeats in it.

A component of an input, such as a weight, and an index are passed like any other value.  Which copies of values vanish
is an estimate, so what does not make code shorter in the end is not called.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial

from glslc_multi.backends.pica200.codegen.address_registers import set_addresses
from glslc_multi.backends.pica200.codegen.length import expected_words
from glslc_multi.backends.pica200.codegen.machine_ops import COMPUTING, EMIT, OPS, SETEMIT
from glslc_multi.backends.pica200.codegen.procedures.vertices import order_vertices
from glslc_multi.backends.pica200.codegen.register_files import ADDRESS, INPUTS, LOOP_COUNTER, TEMPORARIES
from glslc_multi.backends.pica200.codegen.temporaries import Temporaries
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.codegen.fit import attempt
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    SourceMode,
    Use,
)
from glslc_multi.compiler.codegen.outline import OutlineModel, Procedure, insert_calls, outline
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.registers import Register, RegisterFile
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink

#: By the opcodes that call them.
Procedures = dict[MachineOp, MachineFunction]

#: The components of inputs, one by one.
_SCALARS = RegisterFile("component of v", 4 * BANKS["v"], components=1, writable=False)
#: How deep procedures call others.
_LEVELS = 2
#: What may stand in procedures: what computes, and vertices.
_LEAVING = COMPUTING | {SETEMIT, EMIT}


class _Calls(OutlineModel):
    """The machine as outlining sees it."""

    def __init__(self, registers: Sequence[Register]) -> None:
        self.registers = registers

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])

    def may_leave(self, instruction: MachineInstruction) -> bool:
        return instruction.op in _LEAVING and LOOP_COUNTER not in {use.register for use in instruction.all_uses()}


def call_repeats(function: MachineFunction, *, ordered: bool) -> Procedures:
    """Let `function`, before allocation, call what repeats in it: procedures, which are allocated."""
    order_vertices(function)
    _name_components(function)
    procedures = _call_repeats(function, tuple(reversed(TEMPORARIES.registers()))[:8], frozenset(), _LEVELS, ordered)
    for each in (function, *procedures.values()):
        _name_inputs(each)
    for number, body in enumerate(procedures.values()):
        body.name = f"shared{number}"
    return procedures


def _name_components(function: MachineFunction) -> None:
    """Give the one component of an input that an operand reads a name of its own, as a call may pass it."""
    for instruction in function.instructions():
        for use in instruction.all_uses():
            register, lane, count = use.register, use.lanes[0], len(use.lanes)
            if not isinstance(register, Register) or register.file is not INPUTS or lane is None:
                continue
            if use.lanes.count(lane) == count:
                use.register, use.lanes = _SCALARS[4 * register.index + lane], (0,) * count


def _name_inputs(function: MachineFunction) -> None:
    """Give inputs their names again."""
    for instruction in function.instructions():
        for use in instruction.all_uses():
            if isinstance(use.register, Register) and use.register.file is _SCALARS:
                number, lane = divmod(use.register.index, 4)
                use.register, use.lanes = INPUTS[number], (lane,) * len(use.lanes)


def _call_repeats(
    function: MachineFunction, passing: Sequence[Register], kept: Set[AnyRegister], levels: int, ordered: bool
) -> Procedures:
    """Let a function call what repeats in it, and what is called likewise, levels deep; the registers in `kept` pass
    values to the function itself and from it."""
    procedures: Procedures = {}
    words: int | None = None
    model = _Calls(passing)
    for procedure in outline(function, model) if levels else ():
        body = procedure.function
        own = kept | {each.register for each in (*procedure.inputs, *procedure.results)}
        called = _call_repeats(body, [each for each in passing if each not in own], own, levels - 1, ordered)
        set_addresses(body)
        for register in body.registers:
            register.ordered |= ordered
        if isinstance(attempt(partial(allocate, body, Temporaries()), DiagnosticSink()), CompileError):
            break  # Where registers are that short, the code stays as it is.
        op = _call(procedure)
        if not kept.isdisjoint(op.clobbers):
            break  # Likewise.
        if words is None:
            words = expected_words(function, ())
        before = [block.instructions for block in function.blocks]
        insert_calls(function, procedure, model, op)
        with_calls = procedures | {op: body, **called}
        words_with_calls = expected_words(function, with_calls.values())
        # The caller has no words yet that set indices.
        if words_with_calls < words or any(instruction.op is OPS["MOVA"] for instruction in body.instructions()):
            procedures, words = with_calls, words_with_calls
            continue
        for block, instructions in zip(function.blocks, before, strict=True):
            block.instructions = instructions
        break  # What is estimated to save less saves less.
    return procedures


def _call(procedure: Procedure) -> MachineOp:
    """The opcode that calls an allocated procedure: all registers that it writes, but the results, are lost."""
    written = dict.fromkeys(
        register
        for instruction in procedure.function.instructions()
        for register in (*(target.register for target in instruction.defs), *instruction.op.clobbers)
        if isinstance(register, Register) and (register.file is TEMPORARIES or register is ADDRESS)
    )
    results = {result.register for result in procedure.results}
    lost = tuple(register for register in written if register not in results)
    sources: list[SourceMode] = ["slots"] * len(procedure.inputs)
    return MachineOp("CALL", result="fixed", sources=tuple(sources), effect=True, clobbers=lost)
