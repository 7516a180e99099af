"""Code generation, its phases in order: IR module to byte code.

    legalize -> abi -> select -> outputs -> constants -> fixup -> schedule -> allocate -> finalize -> reflect

Versions 2 and 3 have branches.  Where some are left that might be worth it, the program is made with them and without,
and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from backends.agal.codegen.outputs import settle_outputs
from backends.agal.codegen.recompute import recompute
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
from compiler.codegen.invalid import require_valid
from compiler.codegen.levels import (
    Failed,
    Failure,
    Found,
    Level,
    first_that_fits,
    outcome_of,
    required,
    smallest_that_fits,
)
from compiler.codegen.machine import MachineFunction, MachineInstruction, origins_of
from compiler.codegen.registers import Register
from compiler.diagnostics import Diagnostic, DiagnosticSink
from compiler.diagnostics.catalogue.machine import AGAL_LITERALS_PACKED
from compiler.options import TargetOptions
from compiler.passes.control_flow.clone import clone_module
from compiler.records import dataclass, replace

if TYPE_CHECKING:
    from backends.agal.isa.program import Program
    from compiler.ir.module import Module
    from compiler.passes.base import CostModel


@dataclass(frozen=True, slots=True)
class _Effort:
    """What is done to make do with the temporaries."""

    #: Random orders that are looked at.
    tries: int = 0
    #: Whether constants are moved, and cheap values computed, again for every reader, and live ranges are split.
    again: bool = False


_LEVELS = (
    Level("direct", "the usual orders of instructions", _Effort()),
    Level("reordered", "random orders of instructions, too, for one that needs few temporaries", _Effort(tries=16)),
    Level(
        "recomputed",
        "constants and cheap values are computed again for every reader, live ranges are split",
        _Effort(64, again=True),
    ),
)

#: Whether literals use components that uniforms leave free.
_PACKINGS = (
    Level("apart", "literals have registers of their own", False),
    Level("packed", "literals take components that uniforms leave free, as with --agal-pack-literals", True),
)

#: Whether branches that are worth it stay.
_FORMS = (
    Level("branching", "branches stay where both arms would cost more", True),
    Level("flat", "no branches: both arms run, and arithmetic chooses", False),
)


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Code of the version that the options name; errors name the first later version that would do."""
    version = version_of(options)
    spare = clone_module(module)
    outcome = outcome_of(partial(_generate_version, module, version, costs, options), sink)
    if isinstance(outcome, Failure):
        outcome = _with_advice(outcome, _version_that_fits(spare, version, options, sink))
    return required(outcome, sink)


def _version_that_fits(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> int | None:
    """The first later version that compiles the module."""
    for later in range(version + 1, VERSIONS[-1] + 1):
        make = partial(_generate_version, clone_module(module), later, costs_of(later), options)
        if not isinstance(outcome_of(make, sink.renewed()), Failure):
            return later
    return None


def _with_advice(failure: Failure, later: int | None) -> Failure:
    """The failure, with the version that would do in place of other help."""
    if later is None:
        return failure
    return replace(failure, diagnostics=tuple(_with_help(each, later) for each in failure.diagnostics))


def _with_help(diagnostic: Diagnostic, later: int) -> Diagnostic:
    if diagnostic.severity != "error" or "--agal-version" in (diagnostic.help or ""):
        return diagnostic
    advice = f"--agal-version {later} would do"
    return replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)


def _generate_version(
    module: Module, version: int, costs: CostModel, options: TargetOptions, sink: DiagnosticSink
) -> Artifact | Failure:
    prepare(module, version, costs, options, sink)
    refuse_what_cannot_fit(module.main, version, sink)
    if version == 1 or len(module.main.blocks) == 1:
        return _generate_form(module, version, costs, options, branches=False, sink=sink)

    def make(form: Level[bool], trial: DiagnosticSink) -> Artifact | Failure:
        return _generate_form(clone_module(module), version, costs, options, branches=form.values, sink=trial)

    found = smallest_that_fits(
        _FORMS, make, sink, size=lambda made: made.stats.instructions, unit="instructions", order=int
    )
    return found if isinstance(found, Failure) else found.made.at_levels(found.taken)


def _generate_form(
    module: Module, version: int, costs: CostModel, options: TargetOptions, *, branches: bool, sink: DiagnosticSink
) -> Artifact | Failure:
    """Code with the branches that are worth it, or without any."""
    files = register_files(cast("Stage", module.stage), version)
    shapes = shapes_of(module)
    row_major = legalize(module, version, costs, branches=branches, precise=options.precise, sink=sink)
    abi = Abi(module, files, shapes, row_major, options.linked)
    abi.check_limits(sink)
    settings = settings_of(module, str(options.values.get("agal_samplers", "")), sink)
    from_host = bool(options.values.get("agal_host_samplers")) and version > 1
    samplers = sampler_operands(module, abi, settings, from_host=from_host, sink=sink)
    named = named_consumers(options.values, sink)
    found = _code(partial(_allocated, module, files, abi, options, named), options, sink)
    if isinstance(found, Failure):
        return found
    tokens = _in_order(found.made, files, named, sink)
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
        Stats(count, 6 * count, temporaries_of(written, abi), abi.constants.used),
        make_map_keys=partial(_map_keys, program, data, reflection),
        origins=tuple([origins_of([made]) for made in tokens]),
    ).at_levels(found.taken)


def _code(
    make: Callable[[bool, Level[_Effort], DiagnosticSink], MachineFunction],
    options: TargetOptions,
    sink: DiagnosticSink,
) -> Found[MachineFunction] | Failure:
    """What `make` makes: with literals apart if that can be, at the first level that makes do with the temporaries."""

    def at_packing(packing: Level[bool], trial: DiagnosticSink) -> Found[MachineFunction] | Failure:
        return first_that_fits(_LEVELS, partial(make, packing.values), trial, _helps)

    packings = [row for row in _PACKINGS if row.values or not options.values.get("agal_pack_literals")]
    found = first_that_fits(packings, at_packing, sink, _packing_helps)
    if isinstance(found, Failure):
        return found
    if found.taken:
        sink.report(AGAL_LITERALS_PACKED, None)
    return replace(found.made, taken=(*found.taken, *found.made.taken))


def _packing_helps(level: Level[bool], failed: Sequence[Failed[bool]]) -> bool:
    return failed[-1].failure.exceeded == {CONSTANT_REGISTERS}


def _helps(level: Level[_Effort], failed: Sequence[Failed[_Effort]]) -> bool:
    """Levels save temporaries; code that is too long, and too many constants, stay so."""
    return failed[-1].failure.exceeded == {RESOURCE}


def _allocated(
    module: Module,
    files: RegisterFiles,
    abi: Abi,
    options: TargetOptions,
    named: frozenset[str],
    pack_literals: bool,
    level: Level[_Effort],
    sink: DiagnosticSink,
) -> MachineFunction:
    """Machine code on physical registers."""
    effort = level.values
    function = select_code(module.main, files, abi)
    spare_narrow_attributes(function, files, abi.widths, named, precise=options.precise)
    settle_outputs(function, files, whole_products=takes_whole_products(named))
    abi.assign_constants(function, pack_literals=pack_literals, sink=sink)
    free_constants(function, files, share=not effort.again)
    # Copies may vanish yet, nothing else; what is too long anyway need not be brought into registers.
    certain = [made for made in function.instructions() if not (made.op.copy or made.op.terminator)]
    check_size(certain, f"at least {len(certain)}", files, sink)
    if effort.again:
        recompute(function)
    reorder(function, files, effort.tries)
    assign_temporaries(function, files, sink, splits=effort.again)
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
    registers = {definition.register for made in tokens for definition in made.defs}
    return frozenset(register for register in registers if isinstance(register, Register))


def _text(data: bytes) -> str:
    """The code in AGALMiniAssembler's text; none where that cannot name what it uses: it has eight samplers only."""
    from backends.agal.isa.disasm import disassemble

    text = outcome_of(partial(disassemble, data, ""), DiagnosticSink())
    return "" if isinstance(text, Failure) else text


def _map_keys(program: Program, data: bytes, reflection: Reflection) -> dict[str, object]:
    from backends.agal.codegen.loader_map import loader_map, sampler_states

    own = {"agal_version": program.version, "sampler_states": sampler_states(program)}
    return own | loader_map(reflection, _text(data))
