"""From a module to a program: the phases of code generation in order.

What is too long, or needs too many registers, is made again in the form of fewest words: nothing is computed in
advance, and equal functions of several values are one loop, which takes more cycles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from backends.theia.codegen import refuse
from backends.theia.codegen.abi import Interface, plan
from backends.theia.codegen.constants import Constants, assign_constants
from backends.theia.codegen.finalize import Block, assemble, blocks_of, check_size
from backends.theia.codegen.legalize import legalize
from backends.theia.codegen.machine_ops import (
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
from backends.theia.codegen.reflect import reflect
from backends.theia.codegen.rewrites.overflow import order_factors, saturate
from backends.theia.codegen.rewrites.scene_inputs import expand_scene_inputs
from backends.theia.codegen.rows.demanded_lanes import open_unread_lanes
from backends.theia.codegen.rows.emitter import RowEmitter, RowTarget
from backends.theia.codegen.select import RULES
from backends.theia.codegen.settings import (
    Settings,
    parse_bindings,
    parse_pins,
    parse_ranges,
    settings_of,
)
from backends.theia.codegen.value_ranges import Ranges, ranges_of
from backends.theia.isa.container import pack
from backends.theia.isa.conventions import TARGET_NAME
from backends.theia.isa.program import ORIGIN, Program
from backends.theia.isa.validate import validate
from compiler.analysis.manager import AnalysisManager
from compiler.artifact import Artifact, Stats
from compiler.codegen.fit import Exceeded, fitting
from compiler.codegen.forward import forward_outputs
from compiler.codegen.invalid import require_valid
from compiler.codegen.machine import MachineBlock, MachineFunction
from compiler.codegen.regalloc import allocate
from compiler.codegen.select import select
from compiler.diagnostics import DiagnosticSink
from compiler.ir.block_order import block_order
from compiler.ir.module import Function, Module
from compiler.ir.variables import PREAMBLE
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace

_ALWAYS_THERE = (ZERO, PIXEL, RAW_THREE, RAW_STEPS, TEXTURE_SIZE)


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code with its listing, register map and statistics; every program is validated."""
    return artifact_and_module(module, costs, options, sink)[0]


def artifact_and_module(
    module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink
) -> tuple[Artifact, Module]:
    """Machine code for `module`, and the legalised module that it was selected from."""
    make = partial(_generate, module, settings_of(options, costs), options.values)
    (artifact, legalised), exceeded = fitting(make, sink)
    return replace(artifact, stats=replace(artifact.stats, exceeded=exceeded)), legalised


def _generate(
    original: Module, settings: Settings, options: Mapping[str, object], exceeded: Exceeded, sink: DiagnosticSink
) -> tuple[Artifact, Module]:
    """Machine code, of few words where the machine had too little of something."""
    if exceeded:
        settings = replace(settings, hoists=False, rerolls=True)
    module = clone_module(original)
    # What a host computes of uniforms is in uniforms: its function is not ours.
    module.functions.pop(PREAMBLE, None)
    bound = parse_bindings(str(options["bind"]), module, sink)
    pins = parse_pins(str(options["pin"]), module, sink)
    stated = parse_ranges(str(options["range"]), module, sink)
    refuse.scene_types(module, bound, sink)
    sink.raise_if_errors()
    interface = plan(expand_scene_inputs(module, bound, settings.variant), pins, settings)
    legalize(module, settings, interface, sink)
    refuse.operations(module, settings, sink)
    sink.raise_if_errors()
    ranges = ranges_of(module, stated, saturate if settings.saturates else Ranges)
    for function, known in ranges.items():
        refuse.overflows(function, known, sink)
        order_factors(function, known)
    sink.raise_if_errors()
    interface.assign_registers(module, sink)
    functions, constants = _machine_code(interface, ranges, settings, sink)
    blocks = blocks_of(functions, constants.block)
    check_size(blocks, settings.variant, sink)
    program = assemble(blocks, settings.variant)
    require_valid(TARGET_NAME, validate(program))
    return _artifact(
        module, interface, settings, program, blocks, _stats(functions, constants, interface, blocks)
    ), module


def _machine_code(
    interface: Interface, ranges: Mapping[Function, Ranges], settings: Settings, sink: DiagnosticSink
) -> tuple[list[MachineFunction], Constants]:
    """Allocated machine code of the block of constants, if there is one, and of the shader."""
    depths: dict[MachineBlock, int] = {}
    functions = [_selected(function, interface, known, settings, depths, sink) for function, known in ranges.items()]
    sink.raise_if_errors()
    needs = {key: lanes for function in functions for key, lanes in open_unread_lanes(function).items()}
    constants = assign_constants(functions, interface, needs, depths)
    for function in functions:
        function.live_in.update(dict.fromkeys((*_ALWAYS_THERE, *interface.registers()), ROW))
        allocate(function, Model(), sink)
    sink.raise_if_errors()
    return functions, constants


def _selected(
    function: Function,
    interface: Interface,
    ranges: Ranges,
    settings: Settings,
    depths: dict[MachineBlock, int],
    sink: DiagnosticSink,
) -> MachineFunction:
    """Machine code on virtual registers, its blocks in their final order; `depths` gets the loops around each."""
    nest = None
    if len(function.blocks) > 1:
        from compiler.analysis.loops import loop_nest
        from compiler.codegen.regions import split_critical_edges

        split_critical_edges(function)
        nest = AnalysisManager(function).get(loop_nest)
    target = RowTarget(RULES, interface.temporaries, interface.input_rows(), ranges, settings)
    selected, made = select(function, target, RowEmitter)
    selected.blocks = [made[block] for block in block_order(function)]
    depths |= {made[block]: nest.depth(block) for block in function.blocks} if nest else {}
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


def _artifact(
    module: Module, interface: Interface, settings: Settings, program: Program, blocks: Sequence[Block], stats: Stats
) -> Artifact:
    words = [word for block in blocks for word in block.words]
    patches = [(address, word.patch) for address, word in enumerate(words, ORIGIN) if word.patch is not None]
    reflection = reflect(module, interface, settings, patches, stats.instructions)
    origins = tuple((word.span,) if word.span is not None else () for word in words)
    return Artifact(pack(program), partial(_assembly, program), reflection, stats, origins=origins)


def _assembly(program: Program) -> str:
    from backends.theia.isa.disasm import disassemble

    return disassemble(pack(program), "<generated>", DiagnosticSink(), variant=program.variant)


def _stats(
    functions: Sequence[MachineFunction], constants: Constants, interface: Interface, blocks: Sequence[Block]
) -> Stats:
    written: set[object] = {d.register for function in functions for i in function.instructions() for d in i.defs}
    sizes = {block.entry.lower(): len(block.words) for block in blocks}
    total = sum(sizes.values())
    return Stats(total, total, len(written), constants.used + len(interface.results), sizes)
