"""One program from a legalised module: machine code from selection to words.

In: the module, and the registers of everything that has a name.  Out: code, operand descriptors and constants; or why
there is no such program, which tells what to change (`constraint_levels.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

from backends.pica200.codegen.abi import ALWAYS, TARGET_NAME, Interface
from backends.pica200.codegen.address_registers import set_addresses
from backends.pica200.codegen.calls import Procedures, call_repeats
from backends.pica200.codegen.executable import executable_tables
from backends.pica200.codegen.finalize import NOWHERE, write_words
from backends.pica200.codegen.fixup import fix_operands
from backends.pica200.codegen.length import expected_words, least_of_blocks, least_words, prove_blocks
from backends.pica200.codegen.mads import split_mads
from backends.pica200.codegen.moves import join_moves
from backends.pica200.codegen.register_files import CONSTANTS, OUTPUTS
from backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from backends.pica200.codegen.rewrites.strips import Choice, Emission
from backends.pica200.codegen.select import select_code
from backends.pica200.codegen.temporaries import Order, Temporaries
from backends.pica200.codegen.vertices import compute_apart
from backends.pica200.isa import numbers
from backends.pica200.isa.code import Code
from backends.pica200.isa.program import Constant, Program
from backends.pica200.isa.registers import ADDRESSES, CODE_WORDS
from compiler.codegen.constant_limit import report_constant_limit
from compiler.codegen.constants import ConstantTable, assign_constants
from compiler.codegen.exact.proof import BlockProof
from compiler.codegen.forward import forward_outputs
from compiler.codegen.levels import Failure
from compiler.codegen.regalloc import allocate
from compiler.codegen.registers import Register
from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.module import Function, Instruction
from compiler.isa.mistakes import Reported
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """What a program is made of."""

    main: Function
    interface: Interface
    counted: list[CountedLoop]
    #: What SETEMIT says of each vertex that a geometry shader emits.
    vertices: Mapping[Instruction, Emission | Choice]
    optimisation: int
    #: Words that the program may have; one that gets longer is given up.
    upper_bound: int | None
    #: The lower bound of a program that is alike: one whose own is no lower is given up too.
    lower_bound: int | None
    #: Whether every block is to be compared with the words that it takes at least.
    proves: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A program, and what its c registers hold."""

    program: Program
    constants: ConstantTable
    #: The words that it took at least before anything was called.
    lower_bound: int
    #: What is known of its blocks, where that was asked.
    proofs: tuple[BlockProof, ...] = ()


@dataclass(frozen=True, slots=True)
class Constraints:
    """How tightly code is constrained so that its descriptors fit."""

    #: Whether every component is in its own lane of a register.
    ordered: bool = False
    #: How many descriptors multiply-adds may have; those that share none do not count exactly, so that there are steps.
    mad_descriptors: int | None = None


#: What is said of code that is as long as other code at least, and not finished.
LONGER = Failure(given_up="would be no shorter")


class Build:
    """Machine code from selection to words."""

    def __init__(self, task: Task, order: Order | None, sink: DiagnosticSink, *, apart: bool = False) -> None:
        """Legal code on virtual registers; too many constants are reported and raised.  `apart`: what several vertices
        write is computed for each of them."""
        self.task = task
        self.table = ConstantTable(CONSTANTS, task.interface.constants.uniforms)
        self.function = select_code(task.main, task.interface, task.counted, task.vertices)
        self.procedures: Procedures = {}
        #: Whether that makes a difference.
        self.is_apart = apart and compute_apart(self.function)
        forward_outputs(self.function, _is_output)
        assign_constants(self.function, self.table, negate=True, free=_free_constants(self.table))
        report_constant_limit(self.table, CONSTANTS.count, TARGET_NAME, sink, self.function)
        sink.raise_if_errors()
        fix_operands(self.function)
        #: The order of the instructions, as their numbers in the order of the source.
        self.order = tuple(self._reorder(order))
        self.lower_bound = least_words(self.function)

    def _reorder(self, order: Order | None) -> Iterable[int]:
        numbers = {id(made): number for number, made in enumerate(self.function.instructions())}
        if order is None:
            return numbers.values()
        from backends.pica200.codegen.pressure import reorder

        reorder(self.function, order)
        return [numbers[id(made)] for made in self.function.instructions()]

    def call_repeats(self, constraints: Constraints) -> bool:
        """Let the code call what repeats in it, if anything does."""
        self.procedures = call_repeats(self.function, ordered=constraints.ordered)
        return bool(self.procedures)

    def finish(self, constraints: Constraints, upper_bound: int | None, sink: DiagnosticSink) -> Made | Failure:
        """The words, of which there may be `upper_bound`."""
        set_addresses(self.function)
        self._check_length(sink)
        if upper_bound is not None and expected_words(self.function, self.procedures.values()) > upper_bound:
            return LONGER
        for register in self.function.registers:
            register.ordered |= constraints.ordered
        functions = (self.function, *self.procedures.values())
        least = [least_of_blocks(function) for function in functions]
        allocate(self.function, Temporaries(), sink)
        for function in functions:
            join_moves(function)
        if constraints.mad_descriptors is not None:
            split_mads(functions, constraints.mad_descriptors)
        program = self._program(sink)
        if upper_bound is not None and len(program.code) > upper_bound:
            return LONGER
        proofs: tuple[BlockProof, ...] = ()
        if self.task.proves:
            proofs = tuple(proof for each in zip(functions, least, strict=True) for proof in prove_blocks(*each))
        return Made(program, self.table, self.lower_bound, proofs)

    def _check_length(self, sink: DiagnosticSink) -> None:
        """Refuse what has too many words wherever its values are, before registers are looked for."""
        least = self.lower_bound
        if self.procedures:
            least = sum(map(least_words, (self.function, *self.procedures.values())))
        if least > CODE_WORDS:
            spans = [made.span for made in self.function.instructions() if made.span is not None]
            place = spans[min(CODE_WORDS, len(spans) - 1)] if spans else None
            _report_excess("words of code", f"at least {least}", CODE_WORDS, place, sink, _shorter_by(least))
            raise CompileError(sink.diagnostics)

    def _program(self, sink: DiagnosticSink) -> Program:
        code = Code(DiagnosticSink(), capacity=ADDRESSES)
        try:
            jumps_always = write_words(self.function, self.procedures, code)
        except Reported:
            _refuse_rejected(code, sink)
        if code.address > CODE_WORDS:
            _refuse_length(code, sink)
        words = code.finish()
        shader = executable_tables(self.task.interface, self._constants(jumps_always))
        shader.entry, shader.end = code.procedures["main"].start, code.procedures["main"].end
        return Program(words, code.table.words, [shader], [word.span for word in code.words])

    def _constants(self, jumps_always: bool) -> list[Constant]:
        """The container's constants: literals, ranges of loops, the bool that is always set."""
        found = [
            Constant("c", index, tuple(numbers.pattern_of(numbers.nearest(value or 0.0)) for value in values))
            for index, values in sorted(self.table.literals.items())
        ]
        ranges = ranges_of(self.task.counted)
        found += [Constant("i", number, contents.values) for number, contents in enumerate(ranges)]
        return found + ([Constant("b", ALWAYS, (1,))] if jumps_always else [])


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
        _report_excess(what, f"more than {limit}", limit, span, sink, f"{_LESS_WORK}, or divide the shader")
    raise CompileError(sink.diagnostics)


def _refuse_length(code: Code, sink: DiagnosticSink) -> NoReturn:
    span = next(word.span for word in reversed(code.words[: CODE_WORDS + 1]) if word.span is not NOWHERE)
    _report_excess("words of code", str(code.address), CODE_WORDS, span, sink, _shorter_by(code.address))
    raise CompileError(sink.diagnostics)


def _shorter_by(words: int) -> str:
    return f"{words - CODE_WORDS} words must go: {_LESS_WORK}"


def _report_excess(what: str, need: str, limit: int, span: Span | None, sink: DiagnosticSink, help: str) -> None:
    """What the program has no room for, at the first word beyond the limit."""
    sink.report(RESOURCE_EXCEEDED, span, target=TARGET_NAME, need=need, what=what, limit=limit, help=help)
