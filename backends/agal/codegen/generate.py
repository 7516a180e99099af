"""Code generation, its phases in order: IR module to byte code.

    legalize -> abi -> select -> outputs -> constants -> fixup -> schedule -> allocate -> finalize -> reflect

Versions 2 and 3 have branches.  Where some are left that might be worth it, the program is made with them and without,
and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from backends.agal.codegen.abi import Abi, shapes_of
from backends.agal.codegen.costs import costs_of, version_of
from backends.agal.codegen.finalize import check_size, finalize
from backends.agal.codegen.fixup import free_constants
from backends.agal.codegen.legalize import legalize, prepare
from backends.agal.codegen.machine_ops import instructions_of
from backends.agal.codegen.outputs import settle_outputs
from backends.agal.codegen.recompute import recompute
from backends.agal.codegen.reflect import reflect, temporaries_of
from backends.agal.codegen.register_files import RegisterFiles, register_files
from backends.agal.codegen.samplers import host_samplers, sampler_operands, settings_of
from backends.agal.codegen.select import select_code
from backends.agal.codegen.temporaries import assign_temporaries, reorder
from backends.agal.isa.container import pack
from backends.agal.isa.registers import VERSIONS, Stage
from backends.agal.isa.validate import validate
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.attempts import Attempt, first_that_fits, made_or_none
from compiler.codegen.invalid import require_valid
from compiler.codegen.machine import MachineFunction, MachineInstruction, origins_of
from compiler.codegen.registers import Register
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.options import TargetOptions
from compiler.passes.control_flow.clone import clone_module
from compiler.records import dataclass, replace

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.passes.base import CostModel


@dataclass(frozen=True, slots=True)
class _Level:
    """What is done to make do with the temporaries."""

    #: Random orders that are looked at.
    tries: int = 0
    #: Whether constants are moved, and cheap values computed, again for every reader.
    again: bool = False


#: In order, until one succeeds.
_LEVELS = (_Level(), _Level(tries=16), _Level(tries=64, again=True))


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Code of the version that the options name; errors name the first later version that would do."""
    version = version_of(options)
    spare = clone_module(module) if version < VERSIONS[-1] else None
    trial = sink.renewed()
    try:
        artifact = _generate_version(module, version, costs, options, trial)
    except CompileError as error:
        later = None if spare is None else _version_that_fits(spare, version, options, sink)
        _report_with_advice(error, later, sink)
        raise CompileError(sink.diagnostics) from None
    sink.absorb(trial)
    return artifact


def _version_that_fits(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> int | None:
    """The first later version that compiles the module."""
    for later in range(version + 1, VERSIONS[-1] + 1):
        attempt = partial(_generate_version, clone_module(module), later, costs_of(later), options)
        if made_or_none(attempt, sink.renewed()) is not None:
            return later
    return None


def _report_with_advice(error: CompileError, later: int | None, sink: DiagnosticSink) -> None:
    """Add the diagnostics, with the version that would do in place of other help."""
    for diagnostic in error.diagnostics:
        advice = f"--agal-version {later} would do"
        if later is not None and diagnostic.severity == "error" and "--agal-version" not in (diagnostic.help or ""):
            diagnostic = replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)
        sink.diagnostics.append(diagnostic)
        sink.error_count += diagnostic.severity == "error"


def _generate_version(
    module: Module, version: int, costs: CostModel, options: TargetOptions, sink: DiagnosticSink
) -> Artifact:
    prepare(module, version, costs, options, sink)
    form = partial(_generate_form, version=version, costs=costs, options=options)
    if version > 1 and len(module.main.blocks) > 1:
        branching = made_or_none(partial(form, clone_module(module), branches=True), DiagnosticSink())
        if branching is not None:
            flat = made_or_none(partial(form, module, branches=False), DiagnosticSink())
            return branching if flat is None else min(flat, branching, key=lambda made: made.stats.instructions)
    return form(module, sink, branches=False)


def _generate_form(
    module: Module, sink: DiagnosticSink, *, version: int, costs: CostModel, options: TargetOptions, branches: bool
) -> Artifact:
    """Code with the branches that are worth it, or without any."""
    files = register_files(cast("Stage", module.stage), version)
    shapes = shapes_of(module)
    row_major = legalize(module, version, costs, branches=branches, precise=options.precise, sink=sink)
    abi = Abi(module, files, shapes, row_major, options.linked)
    abi.check_limits(sink)
    settings = settings_of(module, str(options.values.get("agal_samplers", "")), sink)
    from_host = bool(options.values.get("agal_host_samplers")) and version > 1
    samplers = sampler_operands(module, abi, settings, from_host=from_host, sink=sink)
    allocated = first_that_fits(_forms(module, files, abi, options, sink), sink)
    tokens = _in_order(allocated, files, sink)
    program = finalize(tokens, files, samplers, sink)
    data = pack(program)
    require_valid("agal", validate(data, files.stage))
    written = _registers_written(tokens)
    reflection = reflect(program, abi, written, host_samplers(samplers, settings))
    count = len(program.words)
    return Artifact(
        data,
        partial(_text, data),
        reflection,
        Stats(count, 6 * count, temporaries_of(written, abi), abi.constants.used),
        make_map_keys=partial(_map_keys, data, reflection),
        origins=tuple([origins_of([made]) for made in tokens]),
    )


def _forms(
    module: Module, files: RegisterFiles, abi: Abi, options: TargetOptions, sink: DiagnosticSink
) -> Iterator[Attempt[MachineFunction]]:
    """Code on virtual registers at every level, and its allocation."""
    for level in _LEVELS:
        code = _virtual_code(module, files, abi, options, level, sink)
        yield partial(assign_temporaries, code, files)


def _virtual_code(
    module: Module, files: RegisterFiles, abi: Abi, options: TargetOptions, level: _Level, sink: DiagnosticSink
) -> MachineFunction:
    """Machine code on virtual registers, ready for allocation; what no level can mend is reported and raised."""
    function = select_code(module.main, files, abi)
    settle_outputs(function, files)
    abi.assign_constants(function, pack_literals=bool(options.values.get("agal_pack_literals")), sink=sink)
    free_constants(function, files, share=not level.again)
    # Copies may vanish yet, nothing else; what is too long anyway need not be brought into registers.
    certain = [made for made in function.instructions() if not (made.op.copy or made.op.terminator)]
    check_size(certain, f"at least {len(certain)}", files, sink)
    if level.again:
        recompute(function)
    reorder(function, files, level.tries)
    return function


def _in_order(function: MachineFunction, files: RegisterFiles, sink: DiagnosticSink) -> list[MachineInstruction]:
    """The instructions that become tokens."""
    if len(function.blocks) == 1:
        return instructions_of(function.entry)
    from backends.agal.codegen.layout import lay_out

    return lay_out(function, files, sink)


def _registers_written(tokens: Sequence[MachineInstruction]) -> frozenset[Register]:
    registers = {definition.register for made in tokens for definition in made.defs}
    return frozenset(register for register in registers if isinstance(register, Register))


def _text(data: bytes) -> str:
    """The code in AGALMiniAssembler's text; none where that cannot name what it uses: it has eight samplers only."""
    from backends.agal.isa.disasm import disassemble

    return made_or_none(lambda sink: disassemble(data, "", sink), DiagnosticSink()) or ""


def _map_keys(data: bytes, reflection: Reflection) -> dict[str, object]:
    from backends.agal.codegen.loader_map import loader_map

    return loader_map(reflection, _text(data))
