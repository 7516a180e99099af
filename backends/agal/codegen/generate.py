"""Code generation, its stages in order: IR module to byte code.

    legalize -> registers of the interface -> select -> outputs -> constants -> moves -> schedule -> allocate -> tokens

Versions 2 and 3 have branches.  Where some are left that might be worth it, the program is made with them and without,
and the shorter one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from backends.agal.codegen.abi import Abi, shapes_of
from backends.agal.codegen.legalize import legalize, prepare
from backends.agal.codegen.machine_ops import MOV, Machine, machine_of
from backends.agal.isa.container import pack
from backends.agal.isa.program import Program
from backends.agal.isa.registers import CONSTANT, OUTPUT, TEMPORARY, TOKEN_LIMITS, Stage
from compiler.artifact import Artifact, Reflection, Stats
from compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, Use
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.options import TargetOptions
from compiler.records import dataclass

if TYPE_CHECKING:
    from backends.agal.codegen.samplers import Samplers
    from compiler.ir.module import Module


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to make do with the temporaries."""

    #: Random orders that are looked at.
    tries: int = 0
    #: Whether constants are moved, and cheap values computed, again for every reader.
    again: bool = False


#: In order, until one succeeds.
_ATTEMPTS = (_Attempt(), _Attempt(tries=16), _Attempt(tries=64, again=True))


class InvalidCode(Exception):
    """The validator refuses what the compiler made: an error of the compiler."""


def generate_version(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Code of one version."""
    from backends.agal.codegen.clip import convert_depth
    from compiler.passes.control_flow.clone import clone_module

    if options.values.get("agal_clip_z") and module.stage == "vertex":
        convert_depth(module)
    loop_limit = int(options.values.get("agal_loop_limit", 0))
    prepare(module, version, loop_limit, precise=options.precise, sink=sink)
    has_branches = version > 1 and len(module.main.blocks) > 1
    branching = _with_branches(clone_module(module), version, options) if has_branches else None
    if branching is None:
        return _generate(module, version, options, sink, branches=False)
    try:
        flat = _generate(module, version, options, DiagnosticSink(), branches=False)
    except CompileError:
        return branching
    return min(flat, branching, key=lambda artifact: artifact.stats.instructions)


def _with_branches(module: Module, version: int, options: TargetOptions) -> Artifact | None:
    """Code with branches, where the machine can have them."""
    from backends.agal.codegen.branches import NoForm

    try:
        return _generate(module, version, options, DiagnosticSink(), branches=True)
    except (CompileError, NoForm):
        return None


def _generate(
    module: Module, version: int, options: TargetOptions, sink: DiagnosticSink, *, branches: bool
) -> Artifact:
    from backends.agal.codegen.samplers import host_samplers, sampler_words, settings_of

    machine = machine_of(cast("Stage", module.stage), version)
    shapes = shapes_of(module)
    in_rows = legalize(module, version, branches=branches, precise=options.precise, sink=sink)
    abi = Abi(module, machine, shapes, in_rows, options.linked)
    abi.check_limits(sink)
    from_host = bool(options.values.get("agal_host_samplers")) and version > 1
    settings = settings_of(module, str(options.values.get("agal_samplers", "")), sink)
    samplers = sampler_words(module, abi, settings, from_host=from_host, sink=sink)
    tokens = _in_order(_allocated(module, machine, abi, options, sink))
    program = _program(tokens, machine, samplers, sink)
    return _artifact(program, tokens, abi, host_samplers(samplers, settings))


def _in_order(function: MachineFunction) -> list[MachineInstruction]:
    """The instructions that become tokens."""
    if len(function.blocks) == 1:
        from backends.agal.codegen.finalize import instructions_of

        return instructions_of(function.entry)
    from backends.agal.codegen.branches import in_order

    return in_order(function)


def _allocated(
    module: Module, machine: Machine, abi: Abi, options: TargetOptions, sink: DiagnosticSink
) -> MachineFunction:
    """Machine code on physical registers: in the order of the source, else in others."""
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
    from backends.agal.codegen.complete import complete_outputs
    from backends.agal.codegen.fixup import free_constants
    from backends.agal.codegen.pressure import reorder
    from backends.agal.codegen.recompute import recompute
    from backends.agal.codegen.select import select_code
    from compiler.codegen.constants import assign_constants, place_uniforms
    from compiler.codegen.forward import forward_outputs

    function = select_code(module.main, machine, abi)
    forward_outputs(function, lambda register: _is_output(machine, register), _Writes(machine, function))
    complete_outputs(function, machine)
    abi.constants = place_uniforms(abi.uniforms, machine.files[CONSTANT])
    shared = _free_components(abi) if options.values.get("agal_pack_literals") else None
    assign_constants(function, abi.constants, shared=shared)
    if abi.constants.bound > machine.files[CONSTANT].count:
        abi.report_limit(CONSTANT, abi.constants.bound, None, sink)
        sink.raise_if_errors()
    free_constants(function, machine, share=not attempt.again)
    # Copies may vanish yet, nothing else; what is too long anyway need not be brought into registers.
    certain = [made for made in function.instructions() if not (made.op.copy or made.op.terminator)]
    _check_size(certain, f"at least {len(certain)}", machine, sink)
    if attempt.again:
        recompute(function)
    reorder(function, machine, attempt.tries)
    return function


class _Model(RegisterModel):
    """The machine as the allocator sees it."""

    resource = "temporary registers"

    def __init__(self, machine: Machine) -> None:
        self.general = machine.temporaries
        self.target = f"agal {machine.version}"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])


def _is_output(machine: Machine, register: Register) -> bool:
    from backends.agal.isa.registers import DEPTH, VARYING

    type = machine.type_of(register)
    return type in (OUTPUT, DEPTH) or (type == VARYING and machine.stage == "vertex")


class _Writes:
    """Which instructions may write an output themselves: none in a branch, and a colour is written as a whole."""

    def __init__(self, machine: Machine, function: MachineFunction) -> None:
        self.machine = machine
        self.may_write = {made for block in _unconditional_blocks(function) for made in block.instructions}

    def __call__(self, instruction: MachineInstruction, definition: Def) -> bool:
        from backends.agal.isa.instructions import BY_NAME

        if instruction not in self.may_write:
            return False
        register = definition.register
        assert isinstance(register, Register)
        if self.machine.stage == "fragment" and self.machine.type_of(register) == OUTPUT:
            return len(definition.lanes) == 4
        return not BY_NAME[instruction.op.name].only_xyz or definition.lanes == (0, 1, 2)


def _unconditional_blocks(function: MachineFunction) -> Iterable[MachineBlock]:
    if len(function.blocks) == 1:
        return function.blocks
    from backends.agal.codegen.branches import unconditional_blocks

    return unconditional_blocks(function)


def _free_components(abi: Abi) -> dict[int, tuple[int, ...]]:
    """Components of uniforms' registers that hold nothing."""
    free: dict[int, tuple[int, ...]] = {}
    for binding in abi.uniform_bindings():
        for location in binding.locations:
            rest = tuple(range(len(location.components), 4))
            if rest:
                free[location.index] = rest
    return free


def _program(
    tokens: Sequence[MachineInstruction], machine: Machine, samplers: Samplers, sink: DiagnosticSink
) -> Program:
    """The program, judged by the validator."""
    from backends.agal.codegen.finalize import finalize
    from backends.agal.isa.validate import validate

    program = finalize(tokens, machine, samplers)
    _check_size(tokens, str(len(tokens)), machine, sink)
    faults = validate(pack(program), machine.stage)
    if faults:
        lines = "; ".join(f"{fault.number} {fault.text} (token {fault.token})" for fault in faults)
        raise InvalidCode(f"agal: the code generated breaks a rule: {lines}")
    return program


def _check_size(tokens: Sequence[MachineInstruction], need: str, machine: Machine, sink: DiagnosticSink) -> None:
    """Report tokens that are too many, at the first one that has no room."""
    limit = TOKEN_LIMITS[machine.version]
    if len(tokens) > limit:
        help = "compute less, or let loops run fewer times: they are unrolled"
        target = f"agal {machine.version}"
        sink.report(
            RESOURCE_EXCEEDED, tokens[limit].span, help=help, target=target, need=need, what="tokens", limit=limit
        )
        sink.raise_if_errors()


def _artifact(program: Program, tokens: Sequence[MachineInstruction], abi: Abi, host_samplers: list[int]) -> Artifact:
    from compiler.codegen.machine import origins_of

    machine = abi.machine
    written = {definition.register for made in tokens for definition in made.defs}
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
        inputs=abi.instance_bindings(),
        uniforms=abi.uniform_bindings(),
        samplers=abi.sampler_bindings(),
        varyings=abi.varying_bindings(),
        outputs=abi.output_bindings(r for r in written if isinstance(r, Register)),
        literals=abi.literals(),
        limits=limits,
        host_state={"samplers": ",".join(f"fs{number}" for number in host_samplers)} if host_samplers else None,
    )
    stats = Stats(count, 6 * count, len(registers), abi.constants.used)
    origins = tuple([origins_of([made]) for made in tokens])
    data = pack(program)
    text = partial(_text, data)
    return Artifact(data, text, reflection, stats, make_map_keys=partial(_map_keys, data, reflection), origins=origins)


def _text(data: bytes) -> str:
    """The code in AGALMiniAssembler's text; none where that cannot name what it uses: it has eight samplers only."""
    from backends.agal.isa.disasm import disassemble

    try:
        return disassemble(data, "", DiagnosticSink(), is_canonical=True)
    except CompileError:
        return ""


def _map_keys(data: bytes, reflection: Reflection) -> dict[str, object]:
    from backends.agal.codegen.loader_map import loader_map

    return loader_map(reflection, _text(data))
