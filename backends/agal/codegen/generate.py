"""What the phases of code generation (`compiler/codegen/phases.py`) are for AGAL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple, cast

from glslc_multi.backends.agal.codegen.abi import Abi
from glslc_multi.backends.agal.codegen.compat import (
    check_consumers,
    named_consumers,
    read_rows_first,
    spare_narrow_attributes,
    takes_whole_products,
)
from glslc_multi.backends.agal.codegen.costs import costs_of, version_of
from glslc_multi.backends.agal.codegen.finalize import check_size, finalize
from glslc_multi.backends.agal.codegen.fixup import free_constants
from glslc_multi.backends.agal.codegen.least_size import refuse_what_cannot_fit
from glslc_multi.backends.agal.codegen.legalize import legalize, prepare
from glslc_multi.backends.agal.codegen.machine_ops import instructions_of
from glslc_multi.backends.agal.codegen.outputs import write_outputs_directly
from glslc_multi.backends.agal.codegen.reflect import reflect, temporaries_of
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles, register_files
from glslc_multi.backends.agal.codegen.samplers import host_state, sampler_operands, settings_of
from glslc_multi.backends.agal.codegen.select import select_code
from glslc_multi.backends.agal.codegen.temporaries import RESOURCE, assign_temporaries, reorder
from glslc_multi.backends.agal.isa.container import pack
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import VERSIONS, Stage
from glslc_multi.backends.agal.isa.validate import validate
from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
from glslc_multi.compiler.codegen.constants import CONSTANT_REGISTERS
from glslc_multi.compiler.codegen.fit import Exceeded, attempt, raise_into
from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction, origins_of
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_LITERALS_PACKED
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.ir.variables import Variable
    from glslc_multi.compiler.passes.base import CostModel


#: Random orders that are looked at for one that needs few temporaries.
_TRIES = 16


class AgalGenerator(CodeGenerator[Abi, MachineFunction, Program]):
    """Makes code of the version that the options name; errors name the first later version that would do.

    Where temporaries run short, the program is made again in random orders of instructions; where constant registers
    do, literals take components that uniforms leave free.
    """

    target = "agal"
    curable = (CONSTANT_REGISTERS, RESOURCE)
    #: Variables as they are declared.
    declared: dict[Variable, Variable]
    exceeded: Exceeded = frozenset()
    #: Whether values find no room in registers, or only with more instructions.
    lacks_registers = False

    def __init__(
        self,
        module: Module,
        costs: CostModel,
        options: TargetOptions,
        version: int = 0,
        *,
        branches: bool = False,
        joins: int = 2,
    ) -> None:
        super().__init__(module, costs, options)
        self.version = version or version_of(options)
        self.branches = branches
        #: What is joined, for more registers: 1, operations on few components; 2, products with a common factor, too.
        self.joins = joins
        self.files = register_files(cast("Stage", module.stage), self.version)
        self.tokens: list[MachineInstruction] = []

    # --- Versions, branches, and packing ------------------------------------------------------------------------------

    def generate(self, sink: DiagnosticSink) -> Artifact:
        spare = clone_module(self.module)
        attempts = [self._attempt(sink.renewed())]
        while attempts[-1].lacks_registers and len(attempts) <= self.joins:
            joins = self.joins - len(attempts)
            other = AgalGenerator(clone_module(spare), self.costs, self.options, joins=joins)
            attempts.append(other._attempt(sink.renewed()))
        artifact, reported, _ = min(attempts, key=_tokens)
        sink.absorb(reported)
        if isinstance(artifact, CompileError):
            # The error, with the version that would do in place of other help.
            later = self._version_that_fits(spare, sink)
            if later is not None:
                artifact = CompileError(_with_help(each, later) for each in artifact.diagnostics)
            raise_into(sink, artifact)
        return artifact

    def _attempt(self, sink: DiagnosticSink) -> _Attempt:
        artifact = attempt(self._generate_version, sink)
        return _Attempt(artifact, sink, self.lacks_registers)

    def _version_that_fits(self, module: Module, sink: DiagnosticSink) -> int | None:
        """Find the first later version that compiles the module."""
        for later in range(self.version + 1, VERSIONS[-1] + 1):
            generator = AgalGenerator(clone_module(module), costs_of(later), self.options, later, joins=0)
            if not isinstance(attempt(generator._generate_version, sink.renewed()), CompileError):
                return later
        return None

    def _generate_version(self, sink: DiagnosticSink) -> Artifact:
        """Make code with branches, or without where there are none, or they are refused or do not fit."""
        self.prepare(sink)
        if self.version > 1 and len(self.module.main.blocks) > 1:
            spare = clone_module(self.module)
            branching = AgalGenerator(spare, self.costs, self.options, self.version, branches=True, joins=self.joins)
            artifact = attempt(branching.make_artifact, sink)
            self.lacks_registers = branching.lacks_registers
            if not isinstance(artifact, CompileError):
                return artifact
        return self.make_artifact(sink)

    # --- Phases -------------------------------------------------------------------------------------------------------

    def prepare(self, sink: DiagnosticSink) -> None:
        prepare(self.module, self.version, self.costs, self.options, sink)
        refuse_what_cannot_fit(self.module.main, self.version, sink)

    def legalize(self, sink: DiagnosticSink) -> None:
        self.declared = legalize(
            self.module,
            self.version,
            self.costs,
            branches=self.branches,
            joins=self.joins,
            precise=self.options.precise,
            sink=sink,
        )

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        self.exceeded = exceeded

    def plan(self, sink: DiagnosticSink) -> Abi:
        values = self.options.values
        abi = Abi(self.module, self.files, self.declared, self.options.linked)
        abi.check_limits(sink)
        self.settings = settings_of(self.module, str(values.get("agal_samplers", "")), sink)
        from_host = bool(values.get("agal_host_samplers")) and self.version > 1
        self.samplers = sampler_operands(self.module, abi, self.settings, from_host=from_host, sink=sink)
        self.named = named_consumers(values, sink)
        return abi

    def select(self, sink: DiagnosticSink) -> MachineFunction:
        return select_code(self.module.main, self.files, self.interface)

    def fix_up(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        abi, files = self.interface, self.files
        spare_narrow_attributes(machine, files, abi.widths, self.named, precise=self.options.precise)
        write_outputs_directly(machine, files, whole_products=takes_whole_products(self.named))
        is_packed = bool(self.options.values.get("agal_pack_literals")) or CONSTANT_REGISTERS in self.exceeded
        abi.assign_constants(machine, pack_literals=is_packed, sink=sink)
        free_constants(machine, files)

    def allocate(self, machine: MachineFunction, sink: DiagnosticSink) -> None:
        # Copies may vanish yet, nothing else; what is too long anyway need not be brought into registers.
        certain = [each for each in machine.instructions() if not (each.op.copy or each.op.terminator)]
        check_size(certain, f"at least {len(certain)}", self.files, sink)
        self.lacks_registers = bool(self.exceeded)
        tokens = sum(1 for _ in machine.instructions())
        reorder(machine, self.files, _TRIES if self.exceeded else 0)
        assign_temporaries(machine, self.files, sink, splits=bool(self.exceeded))
        self.lacks_registers = sum(1 for _ in machine.instructions()) > tokens

    def finalize(self, machine: MachineFunction, sink: DiagnosticSink) -> Program:
        self.tokens = _in_order(machine, self.files, self.named, sink)
        program = finalize(self.tokens, self.files, self.samplers, sink)
        if CONSTANT_REGISTERS in self.exceeded:
            sink.report(AGAL_LITERALS_PACKED, None)
        check_consumers(program, self.interface.widths, self.tokens, self.named, sink)
        return program

    def judge(self, code: Program) -> Iterable[object]:
        return validate(pack(code), self.files.stage)

    def describe(self, code: Program) -> Artifact:
        abi, data = self.interface, pack(code)
        written = _registers_written(self.tokens)
        reflection = reflect(code, abi, written, host_state(self.module, abi, self.samplers, self.settings))
        count = len(code.words)
        return Artifact(
            data,
            partial(_text, data),
            reflection,
            Stats(count, 6 * count, temporaries_of(written, abi), abi.constants.used),
            make_map_keys=partial(_map_keys, code, data, reflection),
            origins=tuple([origins_of([token]) for token in self.tokens]),
        )


class _Attempt(NamedTuple):
    """Code, or why there is none, and what was reported of it."""

    artifact: Artifact | CompileError
    sink: DiagnosticSink
    #: Whether other code might do with fewer registers, and so fewer moves.
    lacks_registers: bool


def _tokens(made: _Attempt) -> float:
    """Count the tokens of what was made: none is worse than any."""
    return inf if isinstance(made.artifact, CompileError) else made.artifact.stats.instructions


def _with_help(diagnostic: Diagnostic, later: int) -> Diagnostic:
    if diagnostic.severity != "error" or "--agal-version" in (diagnostic.help or ""):
        return diagnostic
    advice = f"--agal-version {later} would do"
    return replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)


def _in_order(
    function: MachineFunction, files: RegisterFiles, named: frozenset[str], sink: DiagnosticSink
) -> list[MachineInstruction]:
    """The instructions that become tokens."""
    if len(function.blocks) == 1:
        return read_rows_first(instructions_of(function.entry), files, named)
    from glslc_multi.backends.agal.codegen.layout import lay_out

    return lay_out(function, files, sink)


def _registers_written(tokens: Sequence[MachineInstruction]) -> frozenset[Register]:
    registers = {definition.register for token in tokens for definition in token.defs}
    return frozenset(register for register in registers if isinstance(register, Register))


def _text(data: bytes) -> str:
    """The code in AGALMiniAssembler's text; none where that cannot name what it uses: it has eight samplers only."""
    from glslc_multi.backends.agal.isa.disasm import disassemble

    text = attempt(partial(disassemble, data, ""), DiagnosticSink())
    return "" if isinstance(text, CompileError) else text


def _map_keys(program: Program, data: bytes, reflection: Reflection) -> dict[str, object]:
    from glslc_multi.backends.agal.codegen.loader_map import loader_map, sampler_states

    own = {"agal_version": program.version, "sampler_states": sampler_states(program)}
    return own | loader_map(reflection, _text(data))
