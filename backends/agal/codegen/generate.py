"""Code generation, its phases in order: IR module to byte code.

    legalize -> abi -> select -> outputs -> constants -> fixup -> schedule -> allocate -> finalize -> reflect

Where temporaries run short, the program is made again in random orders of instructions; where constant registers do,
literals take components that uniforms leave free.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from backends.agal.codegen.abi import Abi, shapes_of
from backends.agal.codegen.compat import (
    judge,
    named_consumers,
    read_rows_first,
    spare_narrow_attributes,
    takes_whole_products,
)
from backends.agal.codegen.costs import costs_of, version_of
from backends.agal.codegen.finalize import check_size, finalize
from backends.agal.codegen.fixup import free_constants
from backends.agal.codegen.least_size import refuse_what_cannot_fit
from backends.agal.codegen.legalize import legalize, prepare
from backends.agal.codegen.machine_ops import instructions_of
from backends.agal.codegen.outputs import write_outputs_directly
from backends.agal.codegen.reflect import reflect, temporaries_of
from backends.agal.codegen.register_files import RegisterFiles, register_files
from backends.agal.codegen.samplers import host_state, sampler_operands, settings_of
from backends.agal.codegen.select import select_code
from backends.agal.codegen.temporaries import RESOURCE, assign_temporaries, reorder
from backends.agal.isa.container import pack
from backends.agal.isa.registers import VERSIONS, Stage
from backends.agal.isa.validate import validate
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.constant_limit import CONSTANT_REGISTERS
from compiler.codegen.fit import Exceeded, attempt, fitting, raise_into
from compiler.codegen.invalid import require_valid
from compiler.codegen.machine import MachineFunction, MachineInstruction, origins_of
from compiler.codegen.registers import Register
from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.diagnostics.catalogue.machine import AGAL_LITERALS_PACKED
from compiler.options import TargetOptions
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace

if TYPE_CHECKING:
    from backends.agal.isa.program import Program
    from compiler.ir.module import Module
    from compiler.passes.base import CostModel


#: Random orders that are looked at for one that needs few temporaries.
_TRIES = 16


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Make code of the version that the options name; errors name the first later version that would do."""
    version = version_of(options)
    spare = clone_module(module)
    made = attempt(partial(_generate_version, module, version, costs, options), sink)
    if isinstance(made, CompileError):
        # The error, with the version that would do in place of other help.
        later = _version_that_fits(spare, version, options, sink)
        raise_into(
            sink,
            made if later is None else CompileError(_with_help(diagnostic, later) for diagnostic in made.diagnostics),
        )
    return made


def _version_that_fits(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> int | None:
    """Find the first later version that compiles the module."""
    for later in range(version + 1, VERSIONS[-1] + 1):
        make = partial(_generate_version, clone_module(module), later, costs_of(later), options)
        if not isinstance(attempt(make, sink.renewed()), CompileError):
            return later
    return None


def _with_help(diagnostic: Diagnostic, later: int) -> Diagnostic:
    if diagnostic.severity != "error" or "--agal-version" in (diagnostic.help or ""):
        return diagnostic
    advice = f"--agal-version {later} would do"
    return replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)


def _generate_version(
    module: Module, version: int, costs: CostModel, options: TargetOptions, sink: DiagnosticSink
) -> Artifact:
    """Make code of one version: with branches, or without where there are none, or they are refused or do not fit."""
    prepare(module, version, costs, options, sink)
    refuse_what_cannot_fit(module.main, version, sink)
    if version > 1 and len(module.main.blocks) > 1:
        make = partial(_generate_form, clone_module(module), version, costs, options, True)
        branching = attempt(make, sink)
        if not isinstance(branching, CompileError):
            return branching
    return _generate_form(module, version, costs, options, False, sink)


def _generate_form(
    module: Module, version: int, costs: CostModel, options: TargetOptions, branches: bool, sink: DiagnosticSink
) -> Artifact:
    files = register_files(cast("Stage", module.stage), version)
    shapes = shapes_of(module)
    row_major = legalize(module, version, costs, branches=branches, precise=options.precise, sink=sink)
    abi = Abi(module, files, shapes, row_major, options.linked)
    abi.check_limits(sink)
    settings = settings_of(module, str(options.values.get("agal_samplers", "")), sink)
    from_host = bool(options.values.get("agal_host_samplers")) and version > 1
    samplers = sampler_operands(module, abi, settings, from_host=from_host, sink=sink)
    named = named_consumers(options.values, sink)
    make = partial(_allocated, module, files, abi, options, named)
    function, exceeded = fitting(make, sink, {CONSTANT_REGISTERS, RESOURCE})
    if any(error.values["what"] == CONSTANT_REGISTERS for error in exceeded):
        sink.report(AGAL_LITERALS_PACKED, None)
    tokens = _in_order(function, files, named, sink)
    program = finalize(tokens, files, samplers, sink)
    data = pack(program)
    require_valid("agal", validate(data, files.stage))
    judge(program, abi.widths, tokens, named, sink)
    written = _registers_written(tokens)
    reflection = reflect(program, abi, written, host_state(module, abi, samplers, settings))
    count = len(program.words)
    return Artifact(
        data,
        partial(_text, data),
        reflection,
        Stats(count, 6 * count, temporaries_of(written, abi), abi.constants.used, exceeded=exceeded),
        make_map_keys=partial(_map_keys, program, data, reflection),
        origins=tuple([origins_of([token]) for token in tokens]),
    )


def _allocated(
    module: Module,
    files: RegisterFiles,
    abi: Abi,
    options: TargetOptions,
    named: frozenset[str],
    exceeded: Exceeded,
    sink: DiagnosticSink,
) -> MachineFunction:
    """Make machine code on physical registers."""
    function = select_code(module.main, files, abi)
    spare_narrow_attributes(function, files, abi.widths, named, precise=options.precise)
    write_outputs_directly(function, files, whole_products=takes_whole_products(named))
    is_packed = bool(options.values.get("agal_pack_literals")) or CONSTANT_REGISTERS in exceeded
    abi.assign_constants(function, pack_literals=is_packed, sink=sink)
    free_constants(function, files)
    # Copies may vanish yet, nothing else; what is too long anyway need not be brought into registers.
    certain = [
        instruction for instruction in function.instructions() if not (instruction.op.copy or instruction.op.terminator)
    ]
    check_size(certain, f"at least {len(certain)}", files, sink)
    reorder(function, files, _TRIES if exceeded else 0)
    assign_temporaries(function, files, sink, splits=bool(exceeded))
    return function


def _in_order(
    function: MachineFunction, files: RegisterFiles, named: frozenset[str], sink: DiagnosticSink
) -> list[MachineInstruction]:
    """The instructions that become tokens."""
    if len(function.blocks) == 1:
        return read_rows_first(instructions_of(function.entry), files, named)
    from backends.agal.codegen.layout import lay_out

    return lay_out(function, files, sink)


def _registers_written(tokens: Sequence[MachineInstruction]) -> frozenset[Register]:
    registers = {definition.register for token in tokens for definition in token.defs}
    return frozenset(register for register in registers if isinstance(register, Register))


def _text(data: bytes) -> str:
    """The code in AGALMiniAssembler's text; none where that cannot name what it uses: it has eight samplers only."""
    from backends.agal.isa.disasm import disassemble

    text = attempt(partial(disassemble, data, ""), DiagnosticSink())
    return "" if isinstance(text, CompileError) else text


def _map_keys(program: Program, data: bytes, reflection: Reflection) -> dict[str, object]:
    from backends.agal.codegen.loader_map import loader_map, sampler_states

    own = {"agal_version": program.version, "sampler_states": sampler_states(program)}
    return own | loader_map(reflection, _text(data))
