"""The target: options, prices, and the way from a module to a program, stage after stage.

legalize -> registers of the interface -> select -> outputs -> constants -> moves -> schedule -> allocate -> tokens
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from backends.agal.abi import Abi, shapes_of
from backends.agal.container import pack
from backends.agal.disasm import disassemble
from backends.agal.legalize import costs, legalize
from backends.agal.machine_ops import MOV, Machine, machine_of
from backends.agal.program import Program
from backends.agal.registers import CONSTANT, OUTPUT, TEMPORARY, TOKEN_LIMITS, VERSIONS, Stage
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.options import Option, TargetOptions
from compiler.records import dataclass, replace

if TYPE_CHECKING:
    from backends.agal.samplers import Samplers
    from compiler.codegen.listing import CodeWord
    from compiler.codegen.target import MachineInputs, MachineOutputs
    from compiler.ir.module import Module
    from compiler.passes.base import CostModel


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to make do with the temporaries."""

    #: Whether one copy of a constant serves several readers.
    share: bool = True
    #: Random orders that are looked at.
    tries: int = 0
    #: Whether cheap values are computed again.
    recompute: bool = False


#: In order, until one succeeds.
_ATTEMPTS = (_Attempt(), _Attempt(tries=16), _Attempt(False, 32), _Attempt(False, 64, True))
#: Components that those orders should leave free.
_SLACK = 8


class InvalidCode(AssertionError):
    """The validator refuses what the compiler made: an error of the compiler."""


class AgalTarget:
    """AGAL byte code, versions 1 to 3."""

    name = "agal"
    description = "AGAL byte code of Stage3D (Flash Player, AIR), versions 1 to 3"
    stages: tuple[str, ...] = ("vertex", "fragment")
    program_stages: tuple[str, ...] = ("vertex", "fragment")
    suffix = ".agalbin"
    needs_map = True
    options: tuple[Option, ...] = (
        Option("agal_version", 1, "version of the byte code", choices=VERSIONS),
        Option("agal_clip_z", False, "bring the depth of positions from OpenGL's -w...w to Stage3D's 0...w"),
        Option("agal_pack_literals", False, "let literals use components that uniforms leave free"),
        Option(
            "agal_host_samplers", False, "take filter, mip and wrap from Context3D.setSamplerStateAt (versions 2, 3)"
        ),
    )

    def costs(self, options: TargetOptions) -> CostModel:
        return costs(_version(options))

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from compiler.passes.clone import clone_module

        version = _version(options)
        spare = clone_module(module) if version < VERSIONS[-1] else None
        attempt = DiagnosticSink(max_errors=sink.max_errors)
        try:
            return generate_version(module, version, options, attempt)
        except CompileError as error:
            later = None if spare is None else _first_that_fits(spare, version, options)
            _pass_on(error, later, sink)
            raise CompileError(sink.diagnostics) from None

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.agal.asm import assemble
        from backends.agal.validate import report, validate

        program = assemble(text, filename, sink)
        data = pack(program)
        report(validate(data), sink, program.spans)
        return data

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.agal.listing import list_words

        return list_words(data)

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.agal.harness import run

        return run(artifact, inputs)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.agal.harness import translate

        return translate(artifact)


TARGET = AgalTarget()


def _version(options: TargetOptions) -> int:
    return int(options.values.get("agal_version", 1))


def _first_that_fits(module: Module, version: int, options: TargetOptions) -> int | None:
    """The first later version that compiles the module."""
    from compiler.passes.clone import clone_module

    for later in range(version + 1, VERSIONS[-1] + 1):
        try:
            generate_version(clone_module(module), later, options, DiagnosticSink())
        except CompileError:
            continue
        return later
    return None


def _pass_on(error: CompileError, later: int | None, sink: DiagnosticSink) -> None:
    """Add the diagnostics, with the version that would do in place of other help."""
    for diagnostic in error.diagnostics:
        if later is not None and diagnostic.severity == "error":
            advice = f"--agal-version {later} would do"
            diagnostic = replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)
        sink.diagnostics.append(diagnostic)
        sink.error_count += diagnostic.severity == "error"


# --- The stages -------------------------------------------------------------------------------------------------------


def generate_version(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Code of one version."""
    from backends.agal.clip import convert_depth
    from backends.agal.samplers import host_samplers, sampler_words

    machine = machine_of(cast("Stage", module.stage), version)
    shapes = shapes_of(module)
    if options.values.get("agal_clip_z") and module.stage == "vertex":
        convert_depth(module)
    in_rows = legalize(module, version, precise=options.precise, sink=sink)
    abi = Abi(module, machine, shapes, in_rows, options.linked)
    abi.check_limits(sink)
    from_host = bool(options.values.get("agal_host_samplers")) and version > 1
    samplers = sampler_words(module, abi, from_host=from_host, sink=sink)
    function = _allocated(module, machine, abi, options, sink)
    program = _program(function, machine, samplers, sink)
    return _artifact(program, function, abi, host_samplers(module, samplers))


def _allocated(
    module: Module, machine: Machine, abi: Abi, options: TargetOptions, sink: DiagnosticSink
) -> MachineFunction:
    """Machine code on physical registers: with shared copies of constants, else in other orders, and without."""
    from compiler.codegen.regalloc.allocate import allocate

    trial = DiagnosticSink()
    for attempt in _ATTEMPTS:
        trial = DiagnosticSink()
        function = _code(module, machine, abi, options, sink, attempt)
        try:
            allocate(function, _Model(machine), trial)
        except CompileError:
            continue
        return function
    for diagnostic in trial.diagnostics:
        sink.diagnostics.append(diagnostic)
        sink.error_count += 1
    raise CompileError(sink.diagnostics)


def _code(
    module: Module, machine: Machine, abi: Abi, options: TargetOptions, sink: DiagnosticSink, attempt: _Attempt
) -> MachineFunction:
    """Machine code on virtual registers, ready for allocation."""
    from backends.agal.complete import complete_outputs
    from backends.agal.fixup import free_constants
    from backends.agal.recompute import recompute
    from backends.agal.select import select_code
    from compiler.codegen.constants import assign_constants, place_uniforms
    from compiler.codegen.forward import forward_outputs
    from compiler.codegen.schedule import schedule

    function = select_code(module.main, machine, abi)
    forward_outputs(function, lambda register: _is_output(machine, register), _Writes(machine))
    complete_outputs(function, machine)
    abi.constants = place_uniforms(abi.uniforms, machine.files[CONSTANT])
    shared = _free_components(abi) if options.values.get("agal_pack_literals") else None
    assign_constants(function, abi.constants, shared=shared)
    if abi.constants.bound > machine.files[CONSTANT].count:
        abi.report_limit(CONSTANT, abi.constants.bound, None, sink)
        sink.raise_if_errors()
    free_constants(function, machine, share=attempt.share)
    if attempt.recompute:
        recompute(function)
    schedule(function, _schedule_model(machine, attempt.tries))
    return function


def _schedule_model(machine: Machine, tries: int) -> Any:
    from compiler.codegen.schedule import ScheduleModel

    class Pressure(ScheduleModel):
        """Only temporaries run short."""

        def weight(self, register: object) -> int:
            return 0 if isinstance(register, Register) and machine.type_of(register) != TEMPORARY else 1

    # Full registers are hard to place; so when that has failed, orders are sought that need less.
    limit = 4 * machine.files[TEMPORARY].count - _SLACK * bool(tries)
    return Pressure(limit, tries=tries)


class _Model(RegisterModel):
    """The machine as the allocator sees it."""

    resource = "temporary registers"

    def __init__(self, machine: Machine) -> None:
        self.general = machine.temporaries
        self.target = f"agal {machine.version}"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])


def _is_output(machine: Machine, register: Register) -> bool:
    from backends.agal.registers import DEPTH, VARYING

    type = machine.type_of(register)
    return type in (OUTPUT, DEPTH) or (type == VARYING and machine.stage == "vertex")


class _Writes:
    """Which instructions may write an output themselves: a colour takes all components at once."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def __call__(self, instruction: MachineInstruction, definition: Def) -> bool:
        from backends.agal.isa import BY_NAME

        register = definition.register
        assert isinstance(register, Register)
        if self.machine.stage == "fragment" and self.machine.type_of(register) == OUTPUT:
            return len(definition.lanes) == 4
        return not BY_NAME[instruction.op.name].only_xyz or definition.lanes == (0, 1, 2)


def _free_components(abi: Abi) -> dict[int, tuple[int, ...]]:
    """Components of uniforms' registers that hold nothing."""
    free: dict[int, tuple[int, ...]] = {}
    for binding in abi.uniform_bindings():
        for location in binding.locations:
            rest = tuple(range(len(location.components), 4))
            if rest:
                free[location.index] = rest
    return free


def _program(function: MachineFunction, machine: Machine, samplers: Samplers, sink: DiagnosticSink) -> Program:
    """The program, judged by the validator."""
    from backends.agal.finalize import finalize
    from backends.agal.validate import validate

    program = finalize(function, machine, samplers)
    limit = TOKEN_LIMITS[machine.version]
    if len(program.words) > limit:
        spans = [made.span for made in function.instructions()]
        sink.report(
            RESOURCE_EXCEEDED,
            spans[limit] if limit < len(spans) else None,
            help="compute less, or let loops run fewer times: they are unrolled",
            target=f"agal {machine.version}",
            need=len(program.words),
            what="tokens",
            limit=limit,
        )
        sink.raise_if_errors()
    faults = validate(pack(program), machine.stage)
    if faults:
        lines = "; ".join(f"{fault.number} {fault.text} (token {fault.token})" for fault in faults)
        raise InvalidCode(f"agal: the code generated breaks a rule: {lines}")
    return program


def _artifact(program: Program, function: MachineFunction, abi: Abi, host_samplers: list[int]) -> Artifact:
    from backends.agal.finalize import token_instructions
    from backends.agal.loader_map import loader_map
    from compiler.codegen.listing import origins_of

    machine = abi.machine
    data = pack(program)
    text = disassemble(data, "", DiagnosticSink()) if _has_text(program) else ""
    written = {definition.register for made in function.instructions() for definition in made.defs}
    registers = {r for r in written if isinstance(r, Register) and machine.type_of(r) == TEMPORARY}
    count = len(program.words)
    limits = {
        "tokens": (count, TOKEN_LIMITS[program.version]),
        "temporaries": (len(registers), machine.files[TEMPORARY].count),
        "constants": (abi.constants.bound, machine.files[CONSTANT].count),
    }
    reflection = Reflection(
        "agal",
        program.stage,
        attributes=abi.input_bindings() if program.stage == "vertex" else (),
        uniforms=abi.uniform_bindings(),
        samplers=abi.sampler_bindings(),
        varyings=abi.varying_bindings(),
        outputs=abi.output_bindings(r for r in written if isinstance(r, Register)),
        literals=abi.literals(),
        limits=limits,
        host_state={"samplers": ",".join(f"fs{number}" for number in host_samplers)} if host_samplers else None,
    )
    stats = Stats(count, 6 * count, len(registers), abi.constants.used)
    origins = tuple(origins_of([made]) for made in token_instructions(function))
    return Artifact(data, text, reflection, stats, map_keys=loader_map(reflection, text), origins=origins)


def _has_text(program: Program) -> bool:
    """AGALMiniAssembler's text names eight samplers only."""
    from backends.agal.disasm import spell

    return all(spell(word, program.stage, program.version) is not None for word in program.words)
