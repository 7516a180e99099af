"""From selected code to words on physical registers, by the best scheduler that can do it.

A program of one block is scheduled and gets its registers at once (`integrated.py`), as two threads where that is
wanted and possible.  So does each of several blocks, after values that are live across blocks have got theirs; then the
shared bundler places branches, fills their delay slots and keeps hazards apart across blocks.  Code that finds no
registers that way is allocated first, by the shared allocator, and bundled then.

To schedule straight code block by block would make it no larger, but take a tenth more work, and know no threads.
"""

from __future__ import annotations

from copy import copy
from functools import partial
from math import inf

from glslc_multi.backends.vc4.codegen.abi import Interface
from glslc_multi.backends.vc4.codegen.layout import finish_branches
from glslc_multi.backends.vc4.codegen.machine_ops import LOAD_R4, OUT
from glslc_multi.backends.vc4.codegen.schedule.integrated import (
    BlockWords,
    Effort,
    Schedule,
    schedule_blocks,
    schedule_program,
)
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.texture_queue import QUEUE, assign_entries
from glslc_multi.backends.vc4.isa.instructions import TEXEL_LOADS
from glslc_multi.backends.vc4.isa.registers import TMU_S
from glslc_multi.compiler.codegen.bundle import BundleStatistics, bundle
from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.fit import attempt
from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.trace import is_watched, show

_FIRST_RUN = Effort(1, 0, 0)
#: How long to search for shorter programs, by level of optimisation.
_EFFORT = (Effort(1, 0, 0), Effort(3, 50, 2), Effort(6, 500, 6), Effort(6, 16000, 200))


def schedule(
    function: MachineFunction, interface: Interface, optimisation: int, budget: Budget | None, sink: DiagnosticSink
) -> Schedule:
    """The words of a program; of several blocks, they are the slots of the blocks.  With a `budget` a solver shortens
    them."""
    effort = _EFFORT[optimisation]
    bundles = _schedule_one_block(function, interface, effort, budget) if len(function.blocks) == 1 else None
    return bundles or _schedule_blocks(function, interface, effort, budget, sink)


def _schedule_one_block(
    function: MachineFunction, interface: Interface, effort: Effort, budget: Budget | None
) -> Schedule | None:
    """The words of straight-line code, as two threads where that is possible and faster."""
    for threads in range(interface.threads, 0, -1):
        if not assign_entries(function, threads) and threads > 1:
            continue
        model = QpuModel(is_fragment=interface.is_fragment, threads=threads)
        program = schedule_program(function.entry, model, effort)
        if program is None or (threads > 1 and _time(program, threads) > _time_of_one(function, interface)):
            continue
        interface.threads = threads
        if budget is not None:
            from glslc_multi.backends.vc4.codegen.exact.shorten import shorten_program

            program = shorten_program(function.entry, model, program, budget)
        if is_watched():
            function.entry.slots = program.slots(model)
            function.entry.instructions = [instruction for slot in function.entry.slots for instruction in slot]
            show("schedule", function)
        return program
    return None


def _time_of_one(function: MachineFunction, interface: Interface) -> float:
    """Estimate how long a program of one thread runs, by a first run of the scheduler."""
    assign_entries(function, threads=1)
    program = schedule_program(function.entry, QpuModel(is_fragment=interface.is_fragment), _FIRST_RUN)
    assign_entries(function, interface.threads)
    return inf if program is None else _time(program, 1)


def _time(program: Schedule, threads: int) -> float:
    """Estimate how many words long a program runs."""
    from glslc_multi.backends.vc4.isa.latency import Fetches, waits

    words = []
    for word in program.bundles or ():
        accesses = [each.instruction for each in word.members if each.instruction.attributes.get("queue") == QUEUE]
        written = {d.register for access in accesses for d in access.defs}
        requests = tuple(unit for unit, number in enumerate(TMU_S) if OUT[number] in written)
        loads = [TEXEL_LOADS.index(access.attributes["signal"]) for access in accesses if access.op is LOAD_R4]
        words.append(Fetches(requests, loads[0] if loads else None))
    return len(words) + sum(waits(words, threads))


def _schedule_blocks(
    function: MachineFunction, interface: Interface, effort: Effort, budget: Budget | None, sink: DiagnosticSink
) -> Schedule:
    """Blocks one by one, or registers by the shared allocator; then branches and words."""
    # Most shaders are straight-line code, which needs neither this nor what it imports.
    from glslc_multi.backends.vc4.codegen.schedule.across_blocks import assign_across_blocks

    interface.threads = 1
    assign_entries(function, threads=1)
    model = QpuModel(is_fragment=interface.is_fragment)
    live_across = assign_across_blocks(function)
    finish_branches(function)
    # Of one block, it is known that no run finds registers.
    is_hopeless = live_across is None or len(function.blocks) == 1
    words = None if is_hopeless or live_across is None else schedule_blocks(function, model, live_across, effort)
    if words is None:
        return Schedule(None, _allocated(function, model, sink))
    if words.is_tight:
        return Schedule(None, _shorter(function, model, words, sink.renewed()))
    instructions = {block: block.instructions for block in function.blocks}
    statistics = _one_by_one(function, model, words)
    if budget is None or live_across is None:
        return Schedule(None, statistics)
    from glslc_multi.backends.vc4.codegen.exact.shorten import shorten_blocks

    return shorten_blocks(function, instructions, model, live_across, budget)


def _one_by_one(function: MachineFunction, model: QpuModel, words: BlockWords) -> BundleStatistics:
    model.scheduled = words.of_block
    return bundle(function, model)


def _allocated(function: MachineFunction, model: QpuModel, sink: DiagnosticSink) -> BundleStatistics:
    from glslc_multi.backends.vc4.codegen.register_files import Registers
    from glslc_multi.compiler.codegen.regalloc import allocate

    allocate(function, Registers(), sink)
    sink.raise_if_errors()
    return bundle(function, model)


def _shorter(function: MachineFunction, model: QpuModel, words: BlockWords, trial: DiagnosticSink) -> BundleStatistics:
    """Blocks one by one, unless the allocator's code is shorter."""
    before = {block: block.instructions for block in function.blocks}
    for block in function.blocks:
        block.instructions = [_copy(instruction) for instruction in block.instructions]
    allocated = attempt(partial(_allocated, function, model), trial)
    after = {block: (block.instructions, block.slots) for block in function.blocks}
    for block in function.blocks:
        block.instructions, block.slots = before[block], None
    shorter = _one_by_one(function, model, words)
    if isinstance(allocated, CompileError) or shorter.words <= allocated.words:
        return shorter
    for block in function.blocks:
        block.instructions, block.slots = after[block]
    return allocated


def _copy(instruction: MachineInstruction) -> MachineInstruction:
    """An instruction with operands of its own, which the allocator changes."""
    copied = copy(instruction)
    copied.defs, copied.uses = [copy(each) for each in instruction.defs], [copy(use) for use in instruction.uses]
    return copied
