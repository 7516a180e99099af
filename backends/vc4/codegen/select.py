"""Instruction selection: IR on single numbers to machine code on virtual registers, blocks in their final order.

The rules are in `selection/`, by kind of operation; those of control flow are here.  What is read and written at the
start and end of a program is selected with them (`selection/inputs.py`, `selection/outputs.py`).
"""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.abi import Interface
from glslc_multi.backends.vc4.codegen.folding import fold, share_moves
from glslc_multi.backends.vc4.codegen.layout import reset_stream
from glslc_multi.backends.vc4.codegen.machine_ops import BRANCH, END, PAYLOAD_W, PAYLOAD_Z
from glslc_multi.backends.vc4.codegen.selection import arithmetic, conditions, fetches, special_functions
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, QpuTarget
from glslc_multi.backends.vc4.codegen.selection.inputs import read_inputs
from glslc_multi.backends.vc4.codegen.selection.outputs import write_outputs
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.compiler.codegen import select
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.selection.rules import RuleSet, joined
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Instruction, Module, Value

_CONTROL: RuleSet[QpuEmitter] = RuleSet("br -> JUMP")


@_CONTROL.rule("condbr(condition)")
def branch(e: QpuEmitter, instruction: Instruction, condition: Value) -> None:
    """To the first target where the condition holds in any lane."""
    holds = conditions.test(e, condition)
    e.emit(BRANCH, when=holds)


@_CONTROL.rule("ret")
def end(e: QpuEmitter, instruction: Instruction) -> None:
    write_outputs(e, instruction)
    e.emit(END, signal=Signal.THREND)


@_CONTROL.rule("store", "kill")
def at_the_end(e: QpuEmitter, instruction: Instruction) -> None:
    """`write_outputs` does these at the end of the program."""


RULES = joined(_CONTROL, arithmetic.RULES, conditions.RULES, fetches.RULES, special_functions.RULES)


def select_program(module: Module, interface: Interface) -> MachineFunction:
    """Machine code for `main`, which has been legalised."""
    main = module.main
    if len(main.blocks) > 1:
        from glslc_multi.compiler.codegen.regions import split_critical_edges

        split_critical_edges(main)
    emitters: list[QpuEmitter] = []

    def make_emitter(target: QpuTarget, function: MachineFunction) -> QpuEmitter:
        # It also knows the registers of the inputs, which are read below.
        emitters.append(QpuEmitter(target, function))
        return emitters[-1]

    function, made = select.select(main, QpuTarget(RULES, interface), make_emitter)
    function.blocks = [made[block] for block in block_order(main)]
    read_inputs(emitters[0])
    share_moves(function)
    fold(function)
    reset_stream(function)
    # The registers that hold something when the program starts.
    read = {use.register for instruction in function.instructions() for use in instruction.uses}
    function.live_in = {register: (0,) for register in (PAYLOAD_W, PAYLOAD_Z) if register in read}
    return function
