"""What the phases of code generation (`compiler/codegen/phases.py`) are for THEIA."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from glslc_multi.backends.theia.codegen import refuse
from glslc_multi.backends.theia.codegen.abi import Interface, plan
from glslc_multi.backends.theia.codegen.constants import Constants, assign_constants
from glslc_multi.backends.theia.codegen.finalize import Block, assemble, blocks_of, check_size
from glslc_multi.backends.theia.codegen.legalize import legalize
from glslc_multi.backends.theia.codegen.machine_ops import (
    ALPHA,
    PIXEL,
    RAW_STEPS,
    RAW_THREE,
    ROW,
    SINK,
    TEXTURE_SIZE,
    ZERO,
    Model,
)
from glslc_multi.backends.theia.codegen.reflect import reflect
from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import ExpandSceneInputs, SceneInputs
from glslc_multi.backends.theia.codegen.rows.demanded_lanes import open_unread_lanes
from glslc_multi.backends.theia.codegen.rows.emitter import RowEmitter, RowTarget
from glslc_multi.backends.theia.codegen.select import RULES
from glslc_multi.backends.theia.codegen.settings import (
    parse_bindings,
    parse_pins,
    parse_ranges,
    settings_of,
)
from glslc_multi.backends.theia.codegen.value_ranges import Ranges, ranges_of
from glslc_multi.backends.theia.isa.container import pack
from glslc_multi.backends.theia.isa.conventions import TARGET_NAME
from glslc_multi.backends.theia.isa.program import ORIGIN, Program
from glslc_multi.backends.theia.isa.validate import validate
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.artifact import Artifact, Stats
from glslc_multi.compiler.codegen.fit import Exceeded, attempt, raise_into
from glslc_multi.compiler.codegen.forward import forward_outputs
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.select import select
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import replace

#: Of the block of constants, where there is one, and of the shader.
Functions = list[MachineFunction]

_ALWAYS_THERE = (ZERO, PIXEL, RAW_THREE, RAW_STEPS, TEXTURE_SIZE)


class TheiaGenerator(CodeGenerator[Interface, Functions, Program]):
    """Makes code of the block of constants, if there is one, and of the shader.

    What is too long, or needs too many registers, is made again in the form of fewest words: nothing is computed in
    advance, and equal functions of several values are one loop, which takes more cycles.
    """

    target = TARGET_NAME
    ranges: Mapping[Function, Ranges]
    constants: Constants
    stats: Stats

    def __init__(self, module: Module, costs: CostModel, options: TargetOptions) -> None:
        super().__init__(module, costs, options)
        self.spare = clone_module(module)
        self.settings = settings_of(options, costs)

    def prepare(self, sink: DiagnosticSink) -> None:
        # What a host computes of uniforms is in uniforms: its function is not ours.
        self.module.functions.pop(PREAMBLE, None)
        values = self.options.values
        bound = parse_bindings(str(values["bind"]), self.module, sink)
        pins = parse_pins(str(values["pin"]), self.module, sink)
        self.stated = parse_ranges(str(values["range"]), self.module, sink)
        refuse.scene_types(self.module, bound, sink)
        sink.raise_if_errors()
        scene = SceneInputs()
        run_pipeline(self.module, (ExpandSceneInputs(self.settings.variant, bound, scene),))
        self.interface = plan(scene, pins, self.settings)

    def legalize(self, sink: DiagnosticSink) -> None:
        # What is said of this form does not hold for another one.
        self.reports = sink.renewed()
        legal = attempt(self._legalize, self.reports)
        if isinstance(legal, CompileError):
            raise_into(sink, legal)

    def _legalize(self, sink: DiagnosticSink) -> None:
        legalize(self.module, self.settings, self.interface, self.stated, sink)
        refuse.operations(self.module, self.settings, sink)
        sink.raise_if_errors()
        self.ranges = ranges_of(self.module, self.stated)
        for function, known in self.ranges.items():
            refuse.overflows(function, known, sink)
        sink.raise_if_errors()

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        self.settings = replace(self.settings, hoists=False, rerolls=True)
        self.module = self.spare
        self.prepare(sink.renewed())
        self.legalize(sink)

    def plan(self, sink: DiagnosticSink) -> Interface:
        sink.absorb(self.reports)
        self.interface.assign_registers(self.module, sink)
        return self.interface

    def select(self, sink: DiagnosticSink) -> Functions:
        self.depths: dict[MachineBlock, int] = {}
        functions = [self._selected(function, known, sink) for function, known in self.ranges.items()]
        sink.raise_if_errors()
        return functions

    def _selected(self, function: Function, ranges: Ranges, sink: DiagnosticSink) -> MachineFunction:
        """Return machine code on virtual registers, its blocks in their final order; note the loops around each."""
        nest = None
        if len(function.blocks) > 1:
            from glslc_multi.compiler.analysis.loops import loop_nest
            from glslc_multi.compiler.codegen.regions import split_critical_edges

            split_critical_edges(function)
            nest = AnalysisManager(function).get(loop_nest)
        interface, settings = self.interface, self.settings
        target = RowTarget(RULES, interface.temporaries, interface.input_rows(), ranges, settings)
        selected, block_of = select(function, target, RowEmitter)
        selected.blocks = [block_of[block] for block in block_order(function)]
        self.depths |= {block_of[block]: nest.depth(block) for block in function.blocks} if nest else {}
        refuse.numbers(selected, sink)
        if function.name == PREAMBLE:
            results = interface.results.values()
            forward_outputs(selected, lambda register: register in results)
            selected.live_out.update(dict.fromkeys(results, ROW))
        elif settings.raw:
            selected.live_out[ALPHA] = ROW
        if not settings.has_memory:
            selected.live_out[SINK] = ROW
        return selected

    def fix_up(self, machine: Functions, sink: DiagnosticSink) -> None:
        needs = {key: lanes for function in machine for key, lanes in open_unread_lanes(function).items()}
        self.constants = assign_constants(machine, self.interface, needs, self.depths)

    def allocate(self, machine: Functions, sink: DiagnosticSink) -> None:
        for function in machine:
            function.live_in.update(dict.fromkeys((*_ALWAYS_THERE, *self.interface.registers()), ROW))
            allocate(function, Model(), sink)
        sink.raise_if_errors()

    def finalize(self, machine: Functions, sink: DiagnosticSink) -> Program:
        self.blocks = blocks_of(machine, self.constants.block)
        self.stats = _stats(machine, self.constants, self.interface, self.blocks)
        check_size(self.blocks, self.settings.variant, sink)
        return assemble(self.blocks, self.settings.variant)

    def judge(self, code: Program) -> Iterable[object]:
        return validate(code)

    def describe(self, code: Program) -> Artifact:
        words = [word for block in self.blocks for word in block.words]
        patches = [(address, word.patch) for address, word in enumerate(words, ORIGIN) if word.patch is not None]
        reflection = reflect(self.module, self.interface, self.settings, patches, self.stats.instructions)
        origins = tuple((word.span,) if word.span is not None else () for word in words)
        return Artifact(pack(code), partial(_assembly, code), reflection, self.stats, origins=origins)


def _assembly(program: Program) -> str:
    from glslc_multi.backends.theia.isa.disasm import disassemble

    return disassemble(pack(program), "<generated>", DiagnosticSink(), variant=program.variant)


def _stats(
    functions: Sequence[MachineFunction], constants: Constants, interface: Interface, blocks: Sequence[Block]
) -> Stats:
    written: set[object] = {d.register for function in functions for i in function.instructions() for d in i.defs}
    sizes = {block.entry.lower(): len(block.words) for block in blocks}
    total = sum(sizes.values())
    return Stats(total, total, len(written), constants.used + len(interface.results), sizes)
