"""From a module to a program: the stages of code generation in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NoReturn

from backends.adreno.codegen.abi import Interface, check_constants, make_interface
from backends.adreno.codegen.attributes import place_attributes
from backends.adreno.codegen.counted import count_loops
from backends.adreno.codegen.depth import hand_on_depth, needs_depth
from backends.adreno.codegen.dual import arrange, make_slots
from backends.adreno.codegen.encode import exports_of
from backends.adreno.codegen.finalize import TooManySlots, finalise
from backends.adreno.codegen.fixup import drop_unread, fetch_first, fix_constants, fold_limits, position_first
from backends.adreno.codegen.flow import Masks, linearise, tree_of
from backends.adreno.codegen.legalize import legalize
from backends.adreno.codegen.machine_ops import CHANGE, FETCHES, MOVE
from backends.adreno.codegen.reflect import fetch_rows, reflect
from backends.adreno.codegen.register_files import EXPORT, POSITION, R
from backends.adreno.codegen.select import Selection
from backends.adreno.codegen.statistics import count
from backends.adreno.isa.container import pack
from backends.adreno.isa.program import SLOT_LIMIT, STAGES, Program, Stage
from backends.adreno.isa.validate import validate
from compiler.artifact import Artifact
from compiler.codegen.constants import assign_constants
from compiler.codegen.forward import forward_outputs
from compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
)
from compiler.codegen.regalloc import RegisterModel, allocate
from compiler.codegen.regions import split_critical_edges
from compiler.codegen.registers import Register
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.module import Instruction, Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.records import dataclass

#: By level of optimisation; the last one is for the smallest code, too.
_SEARCH = (0, 0, 160, 2048)


@dataclass(frozen=True, slots=True)
class Generated:
    """A program, where its variables are, and how much of the machine it takes."""

    program: Program
    interface: Interface
    registers: int
    exports: int


class Registers(RegisterModel):
    """The general registers; those of masks come behind all others."""

    target = "adreno"
    resource = "registers"

    def __init__(self, masks: int) -> None:
        self.reserve = frozenset(R.registers()[R.count - masks :])

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        is_plain = not (source.negate or source.absolute)
        return MachineInstruction(MOVE if is_plain else CHANGE, [target], [source])


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Generated:
    """Machine code for `module`."""
    if module.stage == "vertex" and needs_depth(options.linked):
        hand_on_depth(module)
    legalize(module, costs, sink, precise=options.precise)
    counted = count_loops(module.main)
    split_critical_edges(module.main)
    try:
        return _generate_in_order(module, counted, options, DiagnosticSink(), is_arranged=True)
    except CompileError:
        # Pairs that stand together need more registers than the order of the source.
        return _generate_in_order(module, counted, options, sink, is_arranged=False)


def _generate_in_order(
    module: Module,
    counted: Mapping[Instruction, int],
    options: TargetOptions,
    sink: DiagnosticSink,
    *,
    is_arranged: bool,
) -> Generated:
    """Machine code for a legalised module, its operations arranged in pairs or as they are."""
    interface = make_interface(module, options.linked, sink)
    interface.fetches = place_attributes(interface.attributes, options, sink)
    interface.loops = {count: number for number, count in enumerate(sorted(set(counted.values())))}
    function, _ = select(module.main, Selection(interface, counted))
    zero = _prepare(function, interface)
    check_constants(interface, interface.constants.uniforms, sink)
    tree = tree_of(function)
    masks = Masks(tree)
    if is_arranged:
        arrange(function, interface.constants)
    allocate(function, Registers(masks.registers), sink)
    used = _registers_used(function, interface)
    exports = {export for instruction in function.instructions() for export in exports_of((instruction,))}
    parameters = len([export for export in exports if export < POSITION.index])
    try:
        program = finalise(
            linearise(tree, masks, used, zero, body_of),
            lambda run: make_slots(run, interface.constants, _effort(options)),
            parameters,
            skips=not options.small,
        )
    except TooManySlots as large:
        _report_size(large, module, options, sink)
    return Generated(program, interface, used + masks.registers, len(exports))


def _effort(options: TargetOptions) -> int:
    """How many instructions of a run may be made into slots again, in search of fewer of them."""
    if options.small:
        return _SEARCH[-1]
    return _SEARCH[options.optimisation]


# --------------------------------------------------------------------------------------------- before allocation
def _prepare(function: MachineFunction, interface: Interface) -> Use:
    """All that comes between selection and allocation; answers with a use of the constant 0."""
    function.live_in = _live_in(function)
    _ensure_output(function, interface.stage)
    fix_constants(function)
    fold_limits(function)
    drop_unread(function)
    fetch_first(function)
    last = set(function.blocks[-1].instructions)
    forward_outputs(
        function,
        lambda register: register.file is EXPORT,
        lambda instruction, _: instruction in last and instruction.op not in FETCHES,
    )
    position_first(function.blocks[-1])
    return _assign_constants(function, interface)


def _live_in(function: MachineFunction) -> dict[Register, tuple[int, ...]]:
    """The registers that the code reads and nothing writes: inputs."""
    read: dict[Register, set[int]] = {}
    for instruction in function.instructions():
        for use in instruction.uses:
            if isinstance(use.register, Register) and use.register.file is R:
                read.setdefault(use.register, set()).update(lane for lane in use.lanes if lane is not None)
    return {register: tuple(sorted(lanes)) for register, lanes in read.items()}


def _ensure_output(function: MachineFunction, stage: str) -> None:
    """Every program exports its position or colour, be it 0."""
    needed = POSITION if stage == "vertex" else EXPORT[0]
    if not any(definition.register == needed for definition in _definitions(function)):
        nothing = Use(Literal32((0.0,)), (0, 0, 0, 0))
        function.blocks[-1].instructions.insert(0, MachineInstruction(MOVE, [Def(needed, (0, 1, 2, 3))], [nothing]))


def _assign_constants(function: MachineFunction, interface: Interface) -> Use:
    """Places for constants, and for the 0 that loops begin with where there are loops."""
    zero = Use(Literal32((0.0,)))
    if len(function.blocks) == 1:
        assign_constants(function, interface.constants, negate=True)
        return zero
    reader = MachineInstruction(CHANGE, [], [zero])
    function.entry.instructions.insert(0, reader)
    assign_constants(function, interface.constants, negate=True)
    function.entry.instructions.remove(reader)
    return zero


# ---------------------------------------------------------------------------------------------- after allocation
def _definitions(function: MachineFunction) -> Iterator[Def]:
    for instruction in function.instructions():
        yield from instruction.defs


def _registers_used(function: MachineFunction, interface: Interface) -> int:
    """One more than the highest register in use, inputs included."""
    inputs = [register.index for register in (interface.depth, interface.parameter) if register is not None]
    inputs += interface.varyings.values() if interface.stage == "fragment" else [0]
    operands: list[Def | Use] = [*_definitions(function), *(use for i in function.instructions() for use in i.uses)]
    used = [o.register.index for o in operands if isinstance(o.register, Register) and o.register.file is R]
    return max([*inputs, *used], default=-1) + 1


def body_of(block: MachineBlock) -> list[MachineInstruction]:
    """The instructions of a block that become slots."""
    return [instruction for instruction in block.instructions if not instruction.op.terminator]


def _report_size(large: TooManySlots, module: Module, options: TargetOptions, sink: DiagnosticSink) -> NoReturn:
    """The program is too long: where its end would have to be, and what makes it shorter."""
    too_many = large.need - SLOT_LIMIT
    help_ = f"what the rest computes, {too_many} slot{'s' if too_many > 1 else ''}, must go, or to the other stage"
    if not options.small:
        help_ = f"try -Os, which keeps loops as loops; else {help_}"
    span = large.origins[0] if large.origins else module.main.span
    sink.report(
        RESOURCE_EXCEEDED,
        span,
        help=help_,
        need=large.need,
        what="instruction slots",
        target="adreno",
        limit=SLOT_LIMIT,
    )
    sink.raise_if_errors()
    raise AssertionError("an error was reported")


# ----------------------------------------------------------------------------------------------------- the artifact
def compile_module(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    """Machine code with its listing, register map and numbers; every program is validated."""
    made = generate(module, costs, options, sink)
    assert module.stage in STAGES
    stage: Stage = module.stage
    faults = validate(made.program, stage)
    if faults:
        raise BrokenProgram("; ".join(map(str, faults)))
    return Artifact(
        binary=pack(made.program),
        write_assembly=partial(_text, made.program, stage),
        reflection=reflect(module, made.interface, made.program, made.registers),
        stats=count(made.program, made.registers, made.interface.constants.used),
        make_map_keys=partial(
            dict,
            gprs=made.registers,
            exports=made.exports,
            fetches=list(fetch_rows(made.program, made.interface)),
        ),
        origins=made.program.origins,
    )


def _text(program: Program, stage: Stage) -> str:
    from backends.adreno.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink(), stage=stage)


class BrokenProgram(Exception):
    """A program breaks a rule of the machine: an error of the compiler."""
