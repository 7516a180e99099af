"""The code generator in order: legalise, plan the interface, select, allocate, bundle, write words, judge them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from math import inf

from backends.vc4.codegen.abi import Interface, make_interface
from backends.vc4.codegen.emitter import QpuEmitter, QpuTarget
from backends.vc4.codegen.fetches import RULES
from backends.vc4.codegen.finalize import STREAM_ADDRESS, Code, finalise, finalise_drafts
from backends.vc4.codegen.folding import fold
from backends.vc4.codegen.layout import reset_stream, settle_branches
from backends.vc4.codegen.legalize import legalize
from backends.vc4.codegen.machine_ops import PAYLOAD_W, PAYLOAD_Z, A, B
from backends.vc4.codegen.prologue import read_inputs
from backends.vc4.codegen.reflect import reflect
from backends.vc4.codegen.schedule.bundling import Qpu
from backends.vc4.codegen.schedule.lookups import give_rooms
from backends.vc4.codegen.schedule.threads import CannotSwitch
from backends.vc4.codegen.schedule.weave import Effort, Woven, weave, weave_blocks
from backends.vc4.isa.accesses import REGISTERS, places_read, places_written
from backends.vc4.isa.container import pack
from backends.vc4.isa.validate_driver import check
from backends.vc4.isa.encoding import Alu, Instruction, decode
from backends.vc4.isa.program import Program, Stage
from backends.vc4.isa.validate import validate
from compiler.artifact import Artifact, Stats
from compiler.codegen.bundle import BundleStatistics, bundle
from compiler.codegen.machine import MachineFunction
from compiler.codegen.registers import Register
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.ir.block_order import block_order
from compiler.ir.module import Module
from compiler.ir.prune import remove_written
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace
from compiler.trace import is_watched, show

#: How long to search for shorter programs at the levels of optimisation.
_EFFORT = (Effort(0, 1), Effort(250, 4), Effort(1500, 6), Effort(16000, 200))


class BrokenProgram(Exception):
    """A program breaks a rule of the machine or the driver: an error of the compiler."""


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code for `module`."""
    if len(module.main.blocks) == 1:
        return _generate(module, costs, options, sink)
    # Code without branches needs fewer registers.
    spare, attempt = clone_module(module), sink.renewed()
    try:
        artifact = _generate(module, costs, options, attempt)
    except CompileError:
        return _generate(spare, replace(costs, branch=inf), options, sink)
    sink.absorb(attempt)
    return artifact


def _generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    if options.stage == "coordinate":
        remove_written(module, [v for v in module.variables.values() if v.storage == "varying"])
    legalize(module, costs, sink, precise=options.precise)
    interface = make_interface(module, options, sink)
    function = _select(module, interface)
    function.live_in = _live_in(function)
    code, statistics = _make_words(function, interface, _EFFORT[options.optimisation], sink)
    _judge(code, interface.stage)
    return _artifact(module, interface, code, statistics)


def _select(module: Module, interface: Interface) -> MachineFunction:
    """Machine code on virtual registers, blocks in their final order."""
    main = module.main
    if len(main.blocks) > 1:
        from compiler.codegen.regions import split_critical_edges

        split_critical_edges(main)
    emitters: list[QpuEmitter] = []

    def make_emitter(target: QpuTarget, function: MachineFunction) -> QpuEmitter:
        # What comes behind selection asks the emitter.
        emitters.append(QpuEmitter(target, function))
        return emitters[-1]

    function, made = select(main, QpuTarget(RULES, interface), make_emitter)
    function.blocks = [made[block] for block in block_order(main)]
    read_inputs(emitters[0])
    fold(function)
    reset_stream(function)
    return function


def _make_words(
    function: MachineFunction, interface: Interface, effort: Effort, sink: DiagnosticSink
) -> tuple[Code, BundleStatistics]:
    """Registers and words: straight code in one walk, else one after the other."""
    is_fragment = interface.is_fragment
    straight = _weave(function, interface, effort) if len(function.blocks) == 1 else None
    if straight is None:
        statistics = _bundle(function, interface, effort, sink)
        return finalise(function, is_fragment=is_fragment), statistics
    if is_watched():
        function.entry.slots = straight.slots(Qpu(is_fragment=is_fragment))
        function.entry.instructions = [made for slot in function.entry.slots for made in slot]
        show("weave", function)
    return finalise_drafts(straight.drafts, is_fragment=is_fragment), straight.statistics


def _bundle(function: MachineFunction, interface: Interface, effort: Effort, sink: DiagnosticSink) -> BundleStatistics:
    """Blocks that are woven one by one, or registers by the shared allocator; then branches and words."""
    # Straight code, which most shaders are, needs neither this nor what it stands on.
    from backends.vc4.codegen.schedule.crossing import settle_crossings

    interface.threads = 1
    give_rooms(function, threads=1)
    model = Qpu(is_fragment=interface.is_fragment)
    places = settle_crossings(function)
    settle_branches(function)
    woven = None if places is None else weave_blocks(function, model, places, effort)
    if woven is not None:
        model.woven = woven
    else:
        from backends.vc4.codegen.register_files import Registers
        from compiler.codegen.regalloc import allocate

        allocate(function, Registers(), sink)
        sink.raise_if_errors()
    return bundle(function, model)


def _weave(function: MachineFunction, interface: Interface, effort: Effort) -> Woven | None:
    """The words of straight code, as two threads where that is asked for and possible."""
    if interface.threads > 1 and give_rooms(function, threads=2):
        with suppress(CannotSwitch):
            woven = weave(function.entry, Qpu(is_fragment=True, threads=2), effort)
            if woven is not None:
                return woven
    interface.threads = 1
    give_rooms(function, threads=1)
    return weave(function.entry, Qpu(is_fragment=interface.is_fragment), effort)


def _live_in(function: MachineFunction) -> dict[Register, tuple[int, ...]]:
    read = {use.register for made in function.instructions() for use in made.uses}
    return {register: (0,) for register in (PAYLOAD_W, PAYLOAD_Z) if register in read}


def _judge(code: Code, stage: str) -> None:
    """Validate the words, and give the stream the length that the driver derives."""
    faults = [str(fault) for fault in validate(code.words, _stage(stage))]
    verdict = check(code.words)
    if faults or verdict.fault is not None:
        raise BrokenProgram("; ".join(faults or [str(verdict.fault)]))
    missing = verdict.uniforms_size // 4 - len(code.stream)
    if missing not in (0, 1):
        raise BrokenProgram(f"the stream has {len(code.stream)} words, the driver derives {verdict.uniforms_size // 4}")
    code.stream += [STREAM_ADDRESS] * missing


def _stage(stage: str) -> Stage:
    return "fragment" if stage == "fragment" else "coordinate" if stage == "coordinate" else "vertex"


def _artifact(module: Module, interface: Interface, code: Code, statistics: BundleStatistics) -> Artifact:
    program = Program(tuple(code.words))
    words = [decode(word) for word in code.words]
    used = _registers_used(words)
    nops = {f"nops_{reason.replace(' ', '_')}": count for reason, count in statistics.nops.items()}
    extra = {
        "uniform_words": len(code.stream),
        "operations": statistics.instructions,
        "dual_slots": _dual_words(words),
        "alu_slots": len(words),
        **nops,
    }
    return Artifact(
        binary=pack(program),
        write_assembly=partial(_text, program),
        reflection=reflect(
            module, interface, code.stream, {"registers": (used, (A.count + B.count) // interface.threads)}
        ),
        stats=Stats(len(code.words), len(code.words), used, _constants(code), extra),
        origins=tuple(code.origins),
    )


def _text(program: Program) -> str:
    from backends.vc4.isa.disasm import disassemble_program

    return disassemble_program(program, is_canonical=True)


def _registers_used(words: Sequence[Instruction]) -> int:
    """Registers of the files that the words name."""
    used = 0
    for word in words:
        used |= places_read(word) | places_written(word)
    return (used & REGISTERS).bit_count()


def _dual_words(words: Sequence[Instruction]) -> int:
    """Words in which both ALUs work."""
    return sum(1 for word in words if isinstance(word, Alu) and word.add.op and word.mul.op)


def _constants(code: Code) -> int:
    return sum(1 for slot in code.stream if slot.kind == "constant")
