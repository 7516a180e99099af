"""What the phases of code generation (`compiler/codegen/phases.py`) are for the family."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple, cast

from glslc_multi.backends.xenos_family.codegen.abi import Interface, assign_literals, make_interface
from glslc_multi.backends.xenos_family.codegen.clauses import Bundle, make_clauses
from glslc_multi.backends.xenos_family.codegen.conventions import Conventions
from glslc_multi.backends.xenos_family.codegen.encode import exports_of
from glslc_multi.backends.xenos_family.codegen.finalize import Layout, check_least_size, check_size
from glslc_multi.backends.xenos_family.codegen.fixup import (
    ensure_output,
    fetch_first,
    fix_constants,
    fold_limits,
    position_first,
)
from glslc_multi.backends.xenos_family.codegen.legalize import legalize
from glslc_multi.backends.xenos_family.codegen.machine_ops import FETCHES
from glslc_multi.backends.xenos_family.codegen.neighbours import needed_by_neighbours
from glslc_multi.backends.xenos_family.codegen.predication import Masks, Step, linearise, tree_of
from glslc_multi.backends.xenos_family.codegen.reflect import reflect, vertex_fetches
from glslc_multi.backends.xenos_family.codegen.register_files import (
    EXPORT,
    POSITION,
    Registers,
    live_in,
    registers_used,
)
from glslc_multi.backends.xenos_family.codegen.rewrites.frag_coord import PassDepth, needs_depth
from glslc_multi.backends.xenos_family.codegen.rewrites.hardware_loops import CountLoops
from glslc_multi.backends.xenos_family.codegen.rewrites.pack_varyings import Share, pack_varyings, registers_of
from glslc_multi.backends.xenos_family.codegen.schedule.dual_issue import arrange, make_slots
from glslc_multi.backends.xenos_family.codegen.select import Selection
from glslc_multi.backends.xenos_family.codegen.statistics import count
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.compiler.artifact import Artifact, BlockProof
from glslc_multi.compiler.codegen.exact.budget import budget_of
from glslc_multi.compiler.codegen.fit import Exceeded
from glslc_multi.compiler.codegen.forward import forward_outputs
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.regions import split_critical_edges
from glslc_multi.compiler.codegen.select import select
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Instruction
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import DCE
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Code:
    """A program, where its variables are, and how much of the machine it takes."""

    program: Program
    interface: Interface
    registers: int
    exports: frozenset[int]
    #: What a solver says of its blocks, where it was asked.
    proofs: tuple[BlockProof, ...] = ()


class Packed(NamedTuple):
    """The file of a program."""

    binary: bytes
    #: What the register map says of it besides.
    map_keys: Mapping[str, object] = {}
    #: What its text has before that of the program.
    write_head: Callable[[], str] = str
    #: What the host must know besides.
    host_state: Mapping[str, bool | int | str] = {}


class FamilyGenerator(CodeGenerator[Interface, MachineFunction, Code]):
    """Makes code of clauses, with two operations an instruction where they go together.

    Where registers are too few, it keeps the order of the source, without pairs.
    """

    curable = (Registers.resource,)
    conventions: ClassVar[Conventions]
    #: Branches that end a loop which the machine counts -> how often it runs.
    counted: dict[Instruction, int]
    #: Varyings that share registers.
    packed: dict[Variable, Share]
    arranges = True

    @abstractmethod
    def pack(self, code: Code) -> Packed:
        """Return the file of a program."""

    @property
    def stage(self) -> Stage:
        return cast(Stage, self.module.stage)

    @property
    def loops(self) -> range:
        """The loop constants that the stage may have."""
        return self.conventions.loops_of(self.stage, is_linked=self.options.linked is not None)

    def prepare(self, sink: DiagnosticSink) -> None:
        if self.stage == "vertex" and needs_depth(self.options.linked):
            run_pipeline(self.module, (PassDepth(self.conventions.has_viewport),))
        registers = [] if self.options.linked is None else registers_of(self.options.linked)
        self.packed = pack_varyings(self.module, registers)

    def legalize(self, sink: DiagnosticSink) -> None:
        legalize(self.module, self.costs, self.target, sink, precise=self.options.precise)
        # Nothing stands between the end of a loop and its head.
        split_critical_edges(self.module.main, back_edges=False)
        self.counted = {}
        context = PassContext(self.costs, self.options.precise)
        run_pipeline(self.module, (CountLoops(len(self.loops), self.counted), DCE), context)
        self.budget = budget_of(self.options.values, sink)

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        self.arranges = False

    def plan(self, sink: DiagnosticSink) -> Interface:
        interface = make_interface(self.conventions, self.module, self.options.linked, self.packed, sink)
        if self.stage == "vertex":
            interface.fetches = self.conventions.lay_out_vertices(interface.attributes, self.options, sink)
        interface.loop_limit = len(self.loops)
        interface.loops = dict(zip(sorted(set(self.counted.values())), self.loops, strict=False))
        return interface

    def select(self, sink: DiagnosticSink) -> MachineFunction:
        selection = Selection(self.interface, self.counted, needed_by_neighbours(self.module))
        return select(self.module.main, selection)[0]

    def fix_up(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        machine.live_in = live_in(machine)
        ensure_output(machine, self.stage)
        fix_constants(machine)
        fold_limits(machine)
        fetch_first(machine)
        # Outputs are written by what computes them.
        last = set(machine.blocks[-1].instructions)
        fetched = {fetch.defs[0].register for fetch in machine.instructions() if fetch.op in FETCHES}
        forward_outputs(
            machine,
            lambda register: register.file is EXPORT,
            # Fetches cannot, nor do moves that bring together what fetches found: the register allocator removes these.
            lambda instruction, _: (
                instruction in last
                and instruction.op not in FETCHES
                and not (instruction.op.copy and instruction.uses[0].register in fetched)
            ),
        )
        position_first(machine.blocks[-1])
        self.zero = assign_literals(machine, self.interface, sink)
        check_least_size(self.conventions.isa, machine, self.module, sink)

    def allocate(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        self.tree = tree_of(machine)
        self.masks = Masks(self.tree)
        if self.arranges:
            arrange(machine, self.interface.constants)
        allocate(machine, Registers(self.target, self.masks.registers), sink)

    def finalize(self, machine: MachineFunction, sink: DiagnosticSink) -> Code:
        used = registers_used(machine, self.interface.input_registers)
        exports = frozenset(export for instruction in machine.instructions() for export in exports_of((instruction,)))
        steps = list(linearise(self.tree, self.masks, used, self.zero))
        layout, proofs = self._lay_out(steps, sum(export < POSITION.index for export in exports))
        check_size(self.conventions.isa, layout, self.module, sink)
        return Code(layout.program(), self.interface, used + self.masks.registers, exports, proofs)

    def _lay_out(self, steps: Sequence[Step], parameters: int) -> tuple[Layout, tuple[BlockProof, ...]]:
        """Return the clauses of a program, and what a solver says of their slots where it is asked."""
        constants = self.interface.constants

        def lay_out(bundle: Bundle) -> Layout:
            clauses = make_clauses(self.conventions.isa, steps, bundle, skips=not self.options.small)
            return Layout(self.conventions, clauses, parameters)

        layout = lay_out(lambda run: make_slots(run, constants))
        if self.budget is None:
            return layout, ()
        from glslc_multi.backends.xenos_family.codegen.schedule.exact import ExactSlots

        solver = ExactSlots(constants, self.budget)
        shorter = lay_out(solver)
        if shorter.size < layout.size:
            return shorter, tuple(solver.proofs)
        return layout, tuple(proof.as_known() for proof in solver.proofs)

    def judge(self, code: Code) -> Iterable[object]:
        return validate(code.program, self.stage)

    def describe(self, code: Code) -> Artifact:
        packed = self.pack(code)
        stats = count(code.program, code.registers, code.interface.constants.used)
        return Artifact(
            binary=packed.binary,
            write_assembly=partial(_assembly, code.program, self.stage, packed.write_head),
            reflection=reflect(self.module, code.interface, code.program, code.registers, packed.host_state),
            stats=replace(stats, proofs=code.proofs),
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
    from glslc_multi.backends.xenos_family.isa.disasm import disassemble_program

    return write_head() + disassemble_program(program, DiagnosticSink(), stage=stage)
