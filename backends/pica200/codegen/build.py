"""One program from a legalised module: machine code from selection to words.

In: the module, and the registers of everything that has a name.  Out: code, operand descriptors and constants.

Code keeps the order of the source, and a value has any components of a register, which makes more operand descriptors
than a fixed place for each.  Where r registers or descriptors run short, code is made again: in an order in which fewer
values live at a time, with every component in its own lane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NoReturn

from glslc_multi.backends.pica200.codegen.abi import ALWAYS, TARGET_NAME, Interface
from glslc_multi.backends.pica200.codegen.address_registers import set_addresses
from glslc_multi.backends.pica200.codegen.common_ends import merge_common_ends
from glslc_multi.backends.pica200.codegen.executable import executable_tables
from glslc_multi.backends.pica200.codegen.finalize import NOWHERE, write_words
from glslc_multi.backends.pica200.codegen.fixup import fix_operands
from glslc_multi.backends.pica200.codegen.length import expected_words, least_of_blocks, least_words
from glslc_multi.backends.pica200.codegen.mads import split_mads
from glslc_multi.backends.pica200.codegen.moves import join_moves
from glslc_multi.backends.pica200.codegen.procedures.calls import Procedures, call_repeats
from glslc_multi.backends.pica200.codegen.procedures.equal_runs import call_equal_runs
from glslc_multi.backends.pica200.codegen.procedures.vertices import compute_apart
from glslc_multi.backends.pica200.codegen.register_files import CONSTANTS, OUTPUTS
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from glslc_multi.backends.pica200.codegen.rewrites.strips import Choice, Emission
from glslc_multi.backends.pica200.codegen.select import select_code
from glslc_multi.backends.pica200.codegen.temporaries import RESOURCE, Temporaries
from glslc_multi.backends.pica200.isa import numbers
from glslc_multi.backends.pica200.isa.code import OF_MADS, Code
from glslc_multi.backends.pica200.isa.program import Constant, Program
from glslc_multi.backends.pica200.isa.registers import ADDRESSES, CODE_WORDS, MAD_DESCRIPTORS
from glslc_multi.compiler.codegen.constants import ConstantTable, assign_constants, report_constant_limit
from glslc_multi.compiler.codegen.copies import drop_held_copies
from glslc_multi.compiler.codegen.fit import Exceeded
from glslc_multi.compiler.codegen.forward import forward_outputs
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction
from glslc_multi.compiler.codegen.regalloc import allocate
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.module import Function, Instruction
from glslc_multi.compiler.isa.mistakes import Reported
from glslc_multi.compiler.options import DEFAULT_OPTIMISATION
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """What a program is made of."""

    main: Function
    interface: Interface
    counted: list[CountedLoop]
    #: What SETEMIT says of each vertex that a geometry shader emits.
    vertices: Mapping[Instruction, Emission | Choice]
    optimisation: int


@dataclass(frozen=True, slots=True)
class Made:
    """A program, and what its c registers hold."""

    program: Program
    constants: ConstantTable
    #: Its blocks, and the words that each takes at least.
    blocks: tuple[tuple[MachineBlock, int], ...]


#: How many descriptors multiply-adds may have, one after the other, where these find no room: those that share none do
#: not count exactly.
_MADS_KEPT = (MAD_DESCRIPTORS, 24, 16, 8, 0)


def build_program(task: Task, exceeded: Exceeded, sink: DiagnosticSink) -> Build:
    """Return the code of a program; where r registers or descriptors were too few, of one that needs fewer."""
    ordered = any("descriptors" in what for what in exceeded)
    if RESOURCE not in exceeded:
        return shortest(task, sink, ordered=ordered)
    from glslc_multi.backends.pica200.codegen.pressure import reorder

    build = Build(task, sink, ordered=ordered)
    reorder(build.function)
    set_addresses(build.function)
    return build


def shortest(task: Task, sink: DiagnosticSink, *, ordered: bool = False) -> Build:
    """Return code that calls what repeats in it; of several vertices, the shorter one of two: these share values, or
    have their own."""
    builds = [Build(task, sink, ordered=ordered)]
    if task.optimisation >= DEFAULT_OPTIMISATION:
        builds[0].call_repeats()
        if task.vertices:
            apart = Build(task, sink, ordered=ordered, apart=True)
            builds += [apart] if apart.is_apart and apart.call_repeats() else []
    for build in builds:
        set_addresses(build.function)
    return min(builds, key=Build.words) if len(builds) > 1 else builds[0]


class Build:
    """Machine code from selection to words."""

    def __init__(self, task: Task, sink: DiagnosticSink, *, ordered: bool = False, apart: bool = False) -> None:
        """Select legal code on virtual registers; report and raise too many constants.  `ordered`: every component is
        in its own lane; `apart`: what several vertices write is computed for each of them."""
        self.task = task
        placed = task.interface.constants
        self.table = ConstantTable(CONSTANTS, placed.uniforms, dict(placed.literals))
        self.function = select_code(task.main, task.interface, task.counted, task.vertices)
        self.procedures: Procedures = {}
        self._ordered = ordered
        #: Whether that makes a difference.
        self.is_apart = apart and compute_apart(self.function)
        forward_outputs(self.function, _is_output)
        assign_constants(self.function, self.table, negate=True, free=_free_constants(self.table))
        report_constant_limit(self.table, CONSTANTS.count, TARGET_NAME, sink, self.function)
        sink.raise_if_errors()
        fix_operands(self.function)

    def call_repeats(self) -> bool:
        """Let the code call what repeats in it; tell whether anything does."""
        self.procedures = call_repeats(self.function, ordered=self._ordered)
        return bool(self.procedures)

    def words(self) -> int:
        """Return about how many words it takes, when address registers are set."""
        return expected_words(self.function, self.procedures.values())

    def allocate(self, sink: DiagnosticSink) -> None:
        """Give code whose address registers are set its registers."""
        functions = (self.function, *self.procedures.values())
        self._check_length(functions, sink)
        for register in self.function.registers:
            register.ordered |= self._ordered
        self._least = [words for function in functions for words in least_of_blocks(function)]
        allocate(self.function, Temporaries(), sink)
        for function in functions:
            drop_held_copies(function)
            join_moves(function)
        if self.task.optimisation >= DEFAULT_OPTIMISATION:
            merge_common_ends(self.function)
            call_equal_runs(self.function, self.procedures)
            added = list(self.procedures.values())[len(functions) - 1 :]
            self._least += [words for function in added for words in least_of_blocks(function)]

    def finish(self, sink: DiagnosticSink) -> Made:
        """Return the words of allocated code."""
        functions = (self.function, *self.procedures.values())
        program = self._program(functions, sink)
        blocks = [block for function in functions for block in function.blocks]
        return Made(program, self.table, tuple(zip(blocks, self._least, strict=True)))

    def _check_length(self, functions: Sequence[MachineFunction], sink: DiagnosticSink) -> None:
        """Refuse what has too many words wherever its values are, before registers are looked for."""
        least = sum(map(least_words, functions))
        if least > CODE_WORDS:
            spans = [instruction.span for instruction in self.function.instructions() if instruction.span is not None]
            span = spans[min(CODE_WORDS, len(spans) - 1)] if spans else None
            _code_words(least).report(f"at least {least}", span, sink)
            raise CompileError(sink.diagnostics)

    def _program(self, functions: Sequence[MachineFunction], sink: DiagnosticSink) -> Program:
        # Multiply-adds whose descriptors find no room become products and sums, whose may be anywhere.
        code, jumps_always = self._code()
        for kept in _MADS_KEPT:
            if OF_MADS not in code.exceeded:
                break
            split_mads(functions, kept)
            code, jumps_always = self._code()
        if code.exceeded:
            _refuse_rejected(code, sink)
        if code.address > CODE_WORDS:
            span = next(word.span for word in reversed(code.words[: CODE_WORDS + 1]) if word.span is not NOWHERE)
            _code_words(code.address).report(code.address, span, sink)
            raise CompileError(sink.diagnostics)
        words = code.finish()
        # The container's constants: literals, ranges of loops, the bool that is always set.
        constants = [
            Constant("c", index, tuple(numbers.pattern_of(numbers.nearest(value or 0.0)) for value in values))
            for index, values in sorted(self.table.literals.items())
        ]
        ranges = ranges_of(self.task.counted)
        constants += [Constant("i", number, contents.values) for number, contents in enumerate(ranges)]
        shader = executable_tables(
            self.task.interface, constants + ([Constant("b", ALWAYS, (1,))] if jumps_always else [])
        )
        shader.entry, shader.end = code.procedures["main"].start, code.procedures["main"].end
        return Program(words, code.table.words, [shader], [word.span for word in code.words])

    def _code(self) -> tuple[Code, bool]:
        """Return the words, or what they exceed; and whether they need the b register that is always set."""
        # Procedures in place make blocks longer: these may be too long then.
        for in_place in (True, False):
            code = Code(DiagnosticSink(), capacity=ADDRESSES)
            jumps_always = False
            with suppress(Reported):
                jumps_always = write_words(self.function, self.procedures, code, in_place=in_place)
            if not code.exceeded:
                break
        return code, jumps_always


def _is_output(register: Register) -> bool:
    return register.file is OUTPUTS


def _free_constants(table: ConstantTable) -> list[int]:
    """Registers for literals: from the last one down, as the common assembler gives them out."""
    taken = {index for variable in table.uniforms for index in table.registers_of(variable)}
    return [index for index in reversed(range(CONSTANTS.count)) if index not in taken]


# --- Limits -----------------------------------------------------------------------------------------------------------

_LESS_WORK = "move work to the fragment stage or to the host"


def _refuse_rejected(code: Code, sink: DiagnosticSink) -> NoReturn:
    """Report what the assembler's back end had no room for."""
    for what, (limit, span) in code.exceeded.items():
        help = f"{_LESS_WORK}, or divide the shader"
        Limit(TARGET_NAME, what, limit, help).report(f"more than {limit}", span, sink)
    raise CompileError(sink.diagnostics)


def _code_words(need: int) -> Limit:
    return Limit(TARGET_NAME, "words of code", CODE_WORDS, f"{need - CODE_WORDS} words must go: {_LESS_WORK}")
