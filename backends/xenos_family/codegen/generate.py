"""From a module to a program: the phases of code generation in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from backends.xenos_family.codegen.abi import Interface, assign_literals, make_interface
from backends.xenos_family.codegen.clauses import Bundle, make_clauses
from backends.xenos_family.codegen.conventions import Conventions
from backends.xenos_family.codegen.encode import exports_of
from backends.xenos_family.codegen.finalize import Layout, check_least_size, check_size
from backends.xenos_family.codegen.fixup import ensure_output, fetch_first, fix_constants, fold_limits, position_first
from backends.xenos_family.codegen.legalize import legalize
from backends.xenos_family.codegen.machine_ops import FETCHES
from backends.xenos_family.codegen.neighbours import needed_by_neighbours
from backends.xenos_family.codegen.predication import Masks, Step, linearise, tree_of
from backends.xenos_family.codegen.reflect import reflect, vertex_fetches
from backends.xenos_family.codegen.register_files import EXPORT, POSITION, Registers, live_in, registers_used
from backends.xenos_family.codegen.rewrites.frag_coord import needs_depth, pass_depth
from backends.xenos_family.codegen.rewrites.hardware_loops import count_loops
from backends.xenos_family.codegen.schedule.dual_issue import arrange, make_slots
from backends.xenos_family.codegen.select import Selection
from backends.xenos_family.codegen.statistics import count
from backends.xenos_family.isa.program import Program
from backends.xenos_family.isa.registers import STAGES, Stage
from backends.xenos_family.isa.validate import validate
from compiler.artifact import Artifact, BlockProof
from compiler.codegen.exact.budget import Budget, budget_of
from compiler.codegen.fit import Exceeded, fitting
from compiler.codegen.forward import forward_outputs
from compiler.codegen.invalid import require_valid
from compiler.codegen.machine import MachineFunction
from compiler.codegen.regalloc import allocate
from compiler.codegen.regions import split_critical_edges
from compiler.codegen.select import select
from compiler.diagnostics import Diagnostic, DiagnosticSink
from compiler.ir.module import Instruction, Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Code:
    """A program, where its variables are, and how much of the machine it takes."""

    program: Program
    interface: Interface
    registers: int
    exports: frozenset[int]
    #: What a solver says of its blocks, where it was asked.
    proofs: tuple[BlockProof, ...] = ()


HostState = Mapping[str, bool | int | str]


class Packed(NamedTuple):
    """The file of a program."""

    binary: bytes
    #: What the register map says of it besides.
    map_keys: Mapping[str, object] = {}
    #: What its text has before that of the program.
    write_head: Callable[[], str] = str
    #: What the host must know besides.
    host_state: Mapping[str, bool | int | str] = {}


Pack = Callable[[Code], Packed]


def generate(
    conventions: Conventions,
    pack: Pack,
    module: Module,
    costs: CostModel,
    options: TargetOptions,
    sink: DiagnosticSink,
) -> Artifact:
    """Machine code with its listing, register map and statistics; every program is validated."""
    if module.stage == "vertex" and needs_depth(options.linked):
        pass_depth(module, has_viewport=conventions.has_viewport)
    legalize(module, costs, conventions.target, sink, precise=options.precise)
    loops = conventions.loops_of(module.stage, is_linked=options.linked is not None)
    # Nothing stands between the end of a loop and its head.
    split_critical_edges(module.main, back_edges=False)
    counted = count_loops(module.main, len(loops))
    make = partial(_make_code, conventions, module, counted, options, budget_of(options.values, sink))
    code, exceeded = fitting(make, sink, {Registers.resource})
    assert module.stage in STAGES
    require_valid(conventions.target, validate(code.program, module.stage))
    return _artifact(module, module.stage, code, pack, exceeded)


def _make_code(
    conventions: Conventions,
    module: Module,
    counted: Mapping[Instruction, int],
    options: TargetOptions,
    budget: Budget | None,
    exceeded: Exceeded,
    sink: DiagnosticSink,
) -> Code:
    """Make code for a legalised module; where registers were too few, it keeps the order of the source."""
    interface = make_interface(conventions, module, options.linked, sink)
    if module.stage == "vertex":
        interface.fetches = conventions.lay_out_vertices(interface.attributes, options, sink)
    loops = conventions.loops_of(module.stage, is_linked=options.linked is not None)
    interface.loop_limit = len(loops)
    interface.loops = dict(zip(sorted(set(counted.values())), loops, strict=False))
    function, _ = select(module.main, Selection(interface, counted, needed_by_neighbours(module)))
    _prepare(function, interface.stage)
    zero = assign_literals(function, interface, sink)
    check_least_size(conventions.isa, function, module, sink)
    tree = tree_of(function)
    masks = Masks(tree)
    if not exceeded:
        arrange(function, interface.constants)
    allocate(function, Registers(conventions.target, masks.registers), sink)
    used = registers_used(function, interface.input_registers)
    exports = frozenset(export for instruction in function.instructions() for export in exports_of((instruction,)))
    steps = list(linearise(tree, masks, used, zero))
    parameters = len([export for export in exports if export < POSITION.index])
    layout, proofs = _lay_out(steps, interface, parameters, budget, skips=not options.small)
    check_size(conventions.isa, layout, module, sink)
    return Code(layout.program(), interface, used + masks.registers, exports, proofs)


def _lay_out(
    steps: Sequence[Step], interface: Interface, parameters: int, budget: Budget | None, *, skips: bool
) -> tuple[Layout, tuple[BlockProof, ...]]:
    """The clauses of a program, and what a solver says of their slots where it is asked."""

    def lay_out(bundle: Bundle) -> Layout:
        clauses = make_clauses(interface.conventions.isa, steps, bundle, skips=skips)
        return Layout(interface.conventions, clauses, parameters)

    layout = lay_out(lambda run: make_slots(run, interface.constants))
    if budget is None:
        return layout, ()
    from backends.xenos_family.codegen.schedule.exact import ExactSlots

    solver = ExactSlots(interface.constants, budget)
    shorter = lay_out(solver)
    if shorter.size < layout.size:
        return shorter, tuple(solver.proofs)
    return layout, tuple(proof.as_known() for proof in solver.proofs)


def _prepare(function: MachineFunction, stage: str) -> None:
    """The steps between selection and allocation; outputs are written by what computes them."""
    function.live_in = live_in(function)
    ensure_output(function, stage)
    fix_constants(function)
    fold_limits(function)
    fetch_first(function)
    last = set(function.blocks[-1].instructions)
    forward_outputs(
        function,
        lambda register: register.file is EXPORT,
        lambda instruction, _: instruction in last and instruction.op not in FETCHES,
    )
    position_first(function.blocks[-1])


def _artifact(module: Module, stage: Stage, code: Code, pack: Pack, exceeded: tuple[Diagnostic, ...]) -> Artifact:
    packed = pack(code)
    stats = count(code.program, code.registers, code.interface.constants.used)
    return Artifact(
        binary=packed.binary,
        write_assembly=partial(_assembly, code.program, stage, packed.write_head),
        reflection=reflect(module, code.interface, code.program, code.registers, packed.host_state),
        stats=replace(stats, proofs=code.proofs, exceeded=exceeded),
        make_map_keys=partial(
            dict,
            gprs=code.registers,
            exports=len(code.exports),
            fetches=list(vertex_fetches(code.program, code.interface)),
            **packed.map_keys,
        ),
        origins=code.program.origins,
    )


def _assembly(program: Program, stage: Stage, write_head: Callable[[], str]) -> str:
    from backends.xenos_family.isa.disasm import disassemble_program

    return write_head() + disassemble_program(program, DiagnosticSink(), stage=stage)
