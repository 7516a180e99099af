"""The code generator in order: legalise, plan registers, select, place constants, allocate, write words, judge.

What is too long, or needs too many registers, is tried again in a way that takes fewer words and more cycles.
Section numbers are those of the machine's reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from backends.theia.codegen import finalize, refuse
from backends.theia.codegen.abi import (
    TARGET_NAME,
    Interface,
    input_bindings,
    output_bindings,
    plan,
    sampler_bindings,
    uniform_bindings,
)
from backends.theia.codegen.constants import Constants, place_constants
from backends.theia.codegen.factors import order_factors
from backends.theia.codegen.facts import Facts, facts_of
from backends.theia.codegen.interface import Patch
from backends.theia.codegen.lanes import open_unread_lanes
from backends.theia.codegen.legalize import legalize
from backends.theia.codegen.machine_ops import ALPHA, PIXEL, RAW_STEPS, RAW_THREE, ROW, SINK, TEXTURE_SIZE, ZERO, copy
from backends.theia.codegen.rows import RowEmitter, RowTarget
from backends.theia.codegen.saturate import saturate
from backends.theia.codegen.scene_inputs import expand_scene_inputs
from backends.theia.codegen.select import RULES
from backends.theia.codegen.settings import Settings, settings_of
from backends.theia.isa.container import pack
from backends.theia.isa.program import LIMITS, ORIGIN, Program
from backends.theia.isa.validate import validate
from compiler.analysis.manager import AnalysisManager
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.forward import forward_outputs
from compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use
from compiler.codegen.regalloc import RegisterModel, allocate
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink, Label, Span
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.block_order import block_order
from compiler.ir.module import Function, Module
from compiler.ir.variables import PREAMBLE
from compiler.options import TargetOptions
from compiler.passes.control_flow.clone import clone_module
from compiler.records import dataclass, field, replace

_ALWAYS_THERE = (ZERO, PIXEL, RAW_THREE, RAW_STEPS, TEXTURE_SIZE)
#: How many of the most expensive lines a refusal names.
_NAMED_LINES = 4


class _Model(RegisterModel):
    """The machine as the allocator sees it."""

    target = TARGET_NAME
    resource = "temporary rows"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return copy(target, source)


def generate(module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code for `module`."""
    return artifact_and_module(module, options, sink)[0]


def artifact_and_module(module: Module, options: TargetOptions, sink: DiagnosticSink) -> tuple[Artifact, Module]:
    """Machine code for `module`, and the legalised module that it was selected from."""
    from backends.theia.target import TARGET

    settings = settings_of(options, TARGET.costs(options))
    for tried in (settings, replace(settings, hoists=False, shares=True)):
        trial, legal = replace(sink, diagnostics=[], error_count=0), clone_module(module)
        try:
            artifact = _Translation(legal, tried, options.values, trial).run()
        except CompileError:
            is_last = tried.shares
            if is_last or any(d.severity == "error" and d.entry is not RESOURCE_EXCEEDED for d in trial.diagnostics):
                sink.absorb(trial)
                raise CompileError(sink.diagnostics) from None
        else:
            sink.absorb(trial)
            return artifact, legal
    raise AssertionError("the last way ends either way")


@dataclass(slots=True)
class _Translation:
    """One way through the code generator."""

    module: Module
    settings: Settings
    options: Mapping[str, object]
    sink: DiagnosticSink
    #: In how many loops a block stands.
    depths: dict[MachineBlock, int] = field(default_factory=dict)

    def run(self) -> Artifact:
        module, settings, sink = self.module, self.settings, self.sink
        # What a host computes of uniforms stands in uniforms: its function is not ours.
        module.functions.pop(PREAMBLE, None)
        bound = refuse.parse_bindings(str(self.options["bind"]), module, sink)
        pins = refuse.parse_pins(str(self.options["pin"]), module, sink)
        told = refuse.parse_ranges(str(self.options["range"]), module, sink)
        refuse.scene_types(module, bound, sink)
        scene = expand_scene_inputs(module, bound, settings.variant)
        interface = plan(scene, pins, settings)
        legalize(module, settings, interface, sink)
        refuse.operations(module, settings, sink)
        sink.raise_if_errors()
        facts = facts_of(module, told, saturate if settings.saturates else Facts)
        for function, known in facts.items():
            refuse.ranges(function, known, sink)
            order_factors(function, known)
        sink.raise_if_errors()
        interface.settle(module, sink)
        functions, constants = self._machine_code(interface, facts)
        return self._artifact(interface, functions, constants)

    def _machine_code(
        self, interface: Interface, facts: Mapping[Function, Facts]
    ) -> tuple[list[MachineFunction], Constants]:
        """Allocated machine code of the block of constants, if there is one, and of the shader."""
        functions = [self._selected(function, interface, known) for function, known in facts.items()]
        self.sink.raise_if_errors()
        needs = {key: lanes for function in functions for key, lanes in open_unread_lanes(function).items()}
        constants = place_constants(functions, interface, needs, self.depths)
        for function in functions:
            function.live_in.update(dict.fromkeys((*_ALWAYS_THERE, *interface.registers()), ROW))
            allocate(function, _Model(), self.sink)
        self.sink.raise_if_errors()
        return functions, constants

    def _selected(self, function: Function, interface: Interface, facts: Facts) -> MachineFunction:
        """Machine code on virtual registers, its blocks in the order in which they will stand."""
        nest = None
        if len(function.blocks) > 1:
            from compiler.analysis.loops import loop_nest
            from compiler.codegen.regions import split_critical_edges

            split_critical_edges(function)
            nest = AnalysisManager(function).get(loop_nest)
        target = RowTarget(RULES, interface.temporaries, interface.places(), facts, self.settings)
        selected, made = select(function, target, RowEmitter)
        selected.blocks = [made[block] for block in block_order(function)]
        self.depths |= {made[block]: nest.depth(block) for block in function.blocks} if nest else {}
        refuse.numbers(selected, self.sink)
        if function.name == PREAMBLE:
            results = interface.results.values()
            forward_outputs(selected, lambda register: register in results)
            selected.live_out.update(dict.fromkeys(results, ROW))
        elif self.settings.raw:
            selected.live_out[ALPHA] = ROW
        if not self.settings.has_memory:
            selected.live_out[SINK] = ROW
        return selected

    def _artifact(self, interface: Interface, functions: Sequence[MachineFunction], constants: Constants) -> Artifact:
        variant = self.settings.variant
        blocks = _blocks(functions, constants)
        words = [word for block in blocks for word in block.words]
        if len(words) > LIMITS[variant]:
            _report_size(words, LIMITS[variant], self.sink)
        program = finalize.assemble(blocks, variant)
        faults = validate(program)
        if faults:
            raise AssertionError(f"generated code breaks a rule: {faults[0].rule}: {faults[0].message}")
        sites = [(ORIGIN + number, word.patch) for number, word in enumerate(words) if word.patch is not None]
        stats = _stats(functions, constants.used + len(interface.results), blocks)
        reflection = self._reflection(interface, sites, stats)
        origins = tuple((word.span,) if word.span is not None else () for word in words)
        return Artifact(pack(program), partial(_text, program), reflection, stats, origins=origins)

    def _reflection(self, interface: Interface, sites: Sequence[tuple[int, Patch]], stats: Stats) -> Reflection:
        varyings, inputs = input_bindings(self.module, interface)
        return Reflection(
            TARGET_NAME,
            "fragment",
            uniforms=uniform_bindings(self.module, interface, sites),
            samplers=sampler_bindings(self.module),
            varyings=varyings,
            inputs=inputs,
            outputs=output_bindings(self.module, raw=self.settings.raw),
            limits={"instructions": (stats.instructions, LIMITS[self.settings.variant])},
        )


def _blocks(functions: Sequence[MachineFunction], constants: Constants) -> list[finalize.Block]:
    *before, main = functions
    shader = finalize.flow_block("PIXELSHADER", main.blocks)
    if before:
        before[0].entry.instructions[:0] = constants.block
        return [finalize.flow_block("USERCONSTANTS", before[0].blocks), shader]
    return [finalize.straight_block("USERCONSTANTS", constants.block), shader] if constants.block else [shader]


def _text(program: Program) -> str:
    from backends.theia.isa.disasm import disassemble

    return disassemble(pack(program), "<generated>", DiagnosticSink(), variant=program.variant)


def _report_size(words: Sequence[finalize.Word], limit: int, sink: DiagnosticSink) -> None:
    """Refuse what is too long, and name the lines that most of it comes from."""
    by_line = Counter((word.span.file, word.span.line) for word in words if word.span is not None)
    spans: dict[object, Span] = {}
    for word in words:
        if word.span is not None:
            spans.setdefault((word.span.file, word.span.line), word.span)
    worst = by_line.most_common(_NAMED_LINES)
    labels = [Label(spans[line], f"{count} instructions") for line, count in worst]
    sink.report(
        RESOURCE_EXCEEDED,
        labels[0].span if labels else None,
        labels=labels[1:],
        help="compute less for each pixel: leave out what these lines do, or find a cheaper form",
        target=TARGET_NAME,
        need=len(words),
        what="instructions",
        limit=limit,
    )
    sink.raise_if_errors()


def _stats(functions: Sequence[MachineFunction], constants: int, blocks: Sequence[finalize.Block]) -> Stats:
    written: set[object] = {d.register for function in functions for i in function.instructions() for d in i.defs}
    sizes = {block.entry.lower(): len(block.words) for block in blocks}
    total = sum(sizes.values())
    return Stats(total, total, len(written), constants, sizes)
