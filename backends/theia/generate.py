"""The code generator in order: legalise, plan registers, select, place constants, allocate, write words, judge.

Section numbers are those of the machine's reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from backends.theia import check, finalize
from backends.theia.abi import (
    TARGET_NAME,
    Interface,
    input_bindings,
    output_bindings,
    plan,
    sampler_bindings,
    uniform_bindings,
)
from backends.theia.constants import Constants, Patch, place_constants
from backends.theia.container import pack
from backends.theia.disasm import disassemble
from backends.theia.facts import Facts
from backends.theia.lanes import open_unread_lanes
from backends.theia.legalize import legalize
from backends.theia.machine_ops import ALPHA, FILE, PIXEL, RAW_STEPS, RAW_THREE, ROW, TEXTURE_SIZE, ZERO, copy
from backends.theia.program import LIMIT, ORIGIN, Program
from backends.theia.registers import Variant
from backends.theia.rows import RowEmitter, RowTarget
from backends.theia.scene_inputs import DEPTH, expand_scene_inputs
from backends.theia.select import RULES
from backends.theia.validate import validate
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from compiler.codegen.regalloc import RegisterModel, allocate
from compiler.codegen.registers import Register
from compiler.codegen.select import select
from compiler.diagnostics import DiagnosticSink, Label, Span
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.block_order import block_order
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.records import replace

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
    from backends.theia.target import TARGET

    variant, raw = cast("Variant", options.values["variant"]), options.values["output"] == "raw"
    bound = check.parse_bindings(str(options.values["bind"]), module, sink)
    check.scene_types(module, bound, sink)
    scene = expand_scene_inputs(module, bound, variant)
    clamp = options.values["wrap"] == "clamp"
    legalize(module, variant, TARGET.costs(options), sink, precise=options.precise, clamp=clamp)
    check.operations(module, sink)
    sink.raise_if_errors()
    told = check.parse_ranges(str(options.values["range"]), module, sink)
    facts = Facts(module, module.main, told)
    check.ranges(module, facts, sink)
    sink.raise_if_errors()
    interface = plan(module, scene, raw=raw, variant=variant, sink=sink)
    function, constants = _machine_code(module, interface, facts, raw=raw, sink=sink)
    blocks = _blocks(function, constants)
    words = [word for block in blocks for word in block.words]
    if len(words) > LIMIT:
        _report_size(words, sink)
    program = finalize.assemble(blocks, variant)
    faults = validate(program)
    if faults:
        raise AssertionError(f"generated code breaks a rule: {faults[0].rule}: {faults[0].message}")
    sites = [(ORIGIN + number, word.patch) for number, word in enumerate(words) if word.patch is not None]
    origins = tuple((word.span,) if word.span is not None else () for word in words)
    artifact = _artifact(module, interface, program, sites, _stats(function, constants, blocks), raw=raw)
    return replace(artifact, origins=origins)


def _machine_code(
    module: Module, interface: Interface, facts: Facts, *, raw: bool, sink: DiagnosticSink
) -> tuple[MachineFunction, Constants]:
    """Allocated machine code, blocks in the order in which they will stand."""
    main = module.main
    if len(main.blocks) > 1:
        from compiler.codegen.regions import split_critical_edges

        split_critical_edges(main)
    target = RowTarget(RULES, interface.temporaries, interface.inputs, facts, clamps=not raw)
    function, made = select(main, target, RowEmitter)
    function.blocks = [made[block] for block in block_order(main)]
    check.numbers(function, sink)
    sink.raise_if_errors()
    needs = open_unread_lanes(function)
    reads_depth = DEPTH in interface.inputs.values()
    constants = place_constants(function, interface.temporaries, [DEPTH] if reads_depth else [], needs)
    function.live_in.update(dict.fromkeys(_ALWAYS_THERE, ROW))
    function.live_in.update(dict.fromkeys(_input_registers(interface), ROW))
    if raw:
        function.live_out[ALPHA] = ROW
    allocate(function, _Model(), sink)
    sink.raise_if_errors()
    return function, constants


def _input_registers(interface: Interface) -> list[Register]:
    from backends.theia.interface import row_count

    return [FILE[first + n] for variable, first in interface.inputs.items() for n in range(row_count(variable))]


def _blocks(function: MachineFunction, constants: Constants) -> list[finalize.Block]:
    shader = finalize.flow_block("PIXELSHADER", function.blocks)
    if not constants.block:
        return [shader]
    return [finalize.straight_block("USERCONSTANTS", constants.block), shader]


def _report_size(words: Sequence[finalize.Word], sink: DiagnosticSink) -> None:
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
        limit=LIMIT,
    )
    sink.raise_if_errors()


def _stats(function: MachineFunction, constants: Constants, blocks: Sequence[finalize.Block]) -> Stats:
    written = {definition.register for i in function.instructions() for definition in i.defs}
    sizes = {block.entry.lower(): len(block.words) for block in blocks}
    total = sum(sizes.values())
    return Stats(total, total, len(written), constants.used, sizes)


def _artifact(
    module: Module,
    interface: Interface,
    program: Program,
    sites: Sequence[tuple[int, Patch]],
    stats: Stats,
    *,
    raw: bool,
) -> Artifact:
    binary = pack(program)
    assembly = disassemble(binary, "<generated>", DiagnosticSink(), variant=program.variant)
    varyings, inputs = input_bindings(module, interface)
    limits: Mapping[str, tuple[int, int]] = {"instructions": (stats.instructions, LIMIT)}
    reflection = Reflection(
        TARGET_NAME,
        "fragment",
        uniforms=uniform_bindings(module, interface, sites),
        samplers=sampler_bindings(module),
        varyings=varyings,
        inputs=inputs,
        outputs=output_bindings(module, raw=raw),
        limits=limits,
    )
    return Artifact(binary, assembly, reflection, stats)
