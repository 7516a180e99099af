"""Instruction selection: IR on single numbers to machine code on virtual registers, blocks in their final order.

The rules are in `selection/`, by kind of operation; those of control flow are here.  What is read and written at the
start and end of a program is selected with them (`selection/inputs.py`, `selection/outputs.py`).
"""

from __future__ import annotations

from backends.vc4.codegen.abi import Interface
from backends.vc4.codegen.folding import fold
from backends.vc4.codegen.layout import reset_stream
from backends.vc4.codegen.machine_ops import BRANCH, END, JUMP, PAYLOAD_W, PAYLOAD_Z
from backends.vc4.codegen.selection import arithmetic, conditions, fetches, special_functions
from backends.vc4.codegen.selection.emitter import QpuEmitter, QpuTarget, rule
from backends.vc4.codegen.selection.inputs import read_inputs
from backends.vc4.codegen.selection.outputs import write_outputs
from backends.vc4.isa.instructions import Signal
from compiler.codegen import select
from compiler.codegen.machine import MachineFunction
from compiler.codegen.registers import Register
from compiler.ir import ops
from compiler.ir.block_order import block_order
from compiler.ir.module import Instruction, Module

#: The files that add their rules to `RULES`.
RULE_FILES = (arithmetic, conditions, fetches, special_functions)


def select_program(module: Module, interface: Interface) -> MachineFunction:
    """Machine code for `main`, which has been legalised."""
    main = module.main
    if len(main.blocks) > 1:
        from compiler.codegen.regions import split_critical_edges

        split_critical_edges(main)
    emitters: list[QpuEmitter] = []

    def make_emitter(target: QpuTarget, function: MachineFunction) -> QpuEmitter:
        # It also knows the registers of the inputs, which are read below.
        emitters.append(QpuEmitter(target, function))
        return emitters[-1]

    function, made = select.select(main, QpuTarget(interface), make_emitter)
    function.blocks = [made[block] for block in block_order(main)]
    read_inputs(emitters[0])
    fold(function)
    reset_stream(function)
    function.live_in = _live_in(function)
    return function


def _live_in(function: MachineFunction) -> dict[Register, tuple[int, ...]]:
    """The registers that hold something when the program starts."""
    read = {use.register for instruction in function.instructions() for use in instruction.uses}
    return {register: (0,) for register in (PAYLOAD_W, PAYLOAD_Z) if register in read}


# ---------------------------------------------------------------------------------------------- control flow
@rule(ops.BR)
def jump(e: QpuEmitter, instruction: Instruction) -> None:
    e.emit(JUMP)


@rule(ops.CONDBR)
def branch(e: QpuEmitter, instruction: Instruction) -> None:
    """To the first target where the condition holds in any lane."""
    holds = conditions.test(e, instruction.operands[0])
    e.emit(BRANCH, when=holds)


@rule(ops.RET)
def end(e: QpuEmitter, instruction: Instruction) -> None:
    write_outputs(e, instruction)
    e.emit(END, signal=Signal.THREND)


@rule(ops.STORE, ops.KILL)
def at_the_end(e: QpuEmitter, instruction: Instruction) -> None:
    """`write_outputs` does these at the end of the program."""
