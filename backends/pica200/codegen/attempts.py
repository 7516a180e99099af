"""From a legalised module to a program that fits: selection to words, as often as it takes.

In: the module, and the places of everything that has a name.  Out: code, operand descriptors and constants.

Free placement of components makes more operand descriptors than fixed placement.  Where the table overflows, the
program is made again more and more strictly: every component in its own place, then products and sums in two words,
whose descriptors may stand anywhere in the table.  Where registers run short, its instructions change their order
(`temporaries.py`).  Where code repeats, it is made with calls as well (`calls.py`), and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backends.pica200.codegen.abi import ALWAYS, TARGET_NAME, Interface, executable_tables, report_constants
from backends.pica200.codegen.address_registers import set_addresses
from backends.pica200.codegen.calls import Procedures, call_repeats
from backends.pica200.codegen.finalize import write_words
from backends.pica200.codegen.fixup import fix_operands
from backends.pica200.codegen.length import expected_words, least_words
from backends.pica200.codegen.mads import split_mads
from backends.pica200.codegen.moves import join_moves
from backends.pica200.codegen.register_files import CONSTANTS, OUTPUTS
from backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from backends.pica200.codegen.rewrites.strips import Choice, Emission
from backends.pica200.codegen.select import Selection
from backends.pica200.codegen.temporaries import SEARCHING, Order, Temporaries, orders
from backends.pica200.isa import numbers
from backends.pica200.isa.asm.code import Code
from backends.pica200.isa.instructions import ADDRESSES, CODE_WORDS, MAD_DESCRIPTORS
from backends.pica200.isa.program import Constant, Program
from compiler.codegen.constants import ConstantTable, assign_constants
from compiler.codegen.forward import forward_outputs
from compiler.codegen.regalloc import allocate
from compiler.codegen.registers import Register
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.module import Function, Instruction
from compiler.isa.lines import Rejected
from compiler.options import DEFAULT_OPTIMISATION
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
    #: The words of another way to make the program; what gets longer is given up.
    most_words: int | None
    #: What is to be given up as well: that which takes no fewer words before anything is called.
    plain_words: int | None


@dataclass(frozen=True, slots=True)
class Made:
    """A program, and what its c registers hold."""

    program: Program
    constants: ConstantTable
    #: The words that it took at least before anything was called.
    plain_words: int


@dataclass(frozen=True, slots=True)
class _Strictness:
    """How a program is made so that its descriptors fit."""

    ordered: bool = False
    #: How many descriptors multiply-adds may have; those that share none do not count exactly, so that there are steps.
    mad_descriptors: int | None = None


_ATTEMPTS = (
    _Strictness(),
    _Strictness(ordered=True),
    *(_Strictness(ordered, kept) for kept in (MAD_DESCRIPTORS, 24, 16, 8, 0) for ordered in (False, True)),
)


class _DescriptorsExceeded(CompileError):
    """The program needs more operand descriptors than there are: it may be made more strictly."""


class _RegistersExceeded(CompileError):
    """The program needs more registers than there are: another order of instructions may need fewer."""


class _Longer(CompileError):
    """The program gets longer than another one."""


def make_program(task: Task) -> Made:
    """The program of the first attempt that fits; where none does, the last limit is raised."""
    orders_to_try = orders(task.optimisation)
    places_fit = True
    failure: CompileError | None = None
    for strictness in _ATTEMPTS:
        if strictness.ordered and not places_fit:
            continue
        try:
            # Where every component has its own place, other orders hardly make room.
            return _in_some_order(task, strictness, orders_to_try[:1] if strictness.ordered else orders_to_try)
        except _DescriptorsExceeded as error:
            failure = error
        except _RegistersExceeded as error:
            if not strictness.ordered:
                raise
            places_fit = False
            failure = failure or error
    assert failure is not None, "an attempt that fails says why"
    raise failure


def _in_some_order(task: Task, strictness: _Strictness, tried: Sequence[Order | None]) -> Made:
    """The program of the first order whose values find registers; the shortest of all orders where those are wanted."""
    found: list[Made] = []
    failure: CompileError | None = None
    for order in tried:
        try:
            found.append(_with_calls(task, strictness, order))
        except CompileError as error:
            failure = error
            if not isinstance(error, _RegistersExceeded) and task.optimisation < SEARCHING:
                raise
        if found and task.optimisation < SEARCHING:
            break
    return _shortest(found, failure)


def _with_calls(task: Task, strictness: _Strictness, order: Order | None) -> Made:
    """The program with calls of what repeats in it; without them, where that is no longer."""
    code = _Code(task, order)
    if task.plain_words is not None and code.plain_words >= task.plain_words:
        raise _Longer(())
    if task.optimisation < DEFAULT_OPTIMISATION or not code.call_repeats(strictness):
        return code.finish(strictness, task.most_words)
    made = _result(lambda: code.finish(strictness, task.most_words))
    most = len(made.program.code) if isinstance(made, Made) else task.most_words
    plain: Made | CompileError = _Longer(())
    if most is None or code.plain_words <= most:
        plain = _result(lambda: _Code(task, order).finish(strictness, most))
    if isinstance(plain, Made):
        return plain
    if isinstance(made, CompileError):
        raise _decisive(made, plain)
    return made


def _result(make: Callable[[], Made]) -> Made | CompileError:
    try:
        return make()
    except CompileError as error:
        return error


def _decisive(with_calls: CompileError, plain: CompileError) -> CompileError:
    """The failure of two that counts: one that another order or being stricter may cure, but for a lack of words, of
    which being stricter takes more."""
    is_curable = isinstance(with_calls, _RegistersExceeded | _DescriptorsExceeded)
    return plain if is_curable or isinstance(plain, _RegistersExceeded) else with_calls


def _shortest(found: list[Made], failure: CompileError | None) -> Made:
    if not found:
        assert failure is not None, "an attempt that fails says why"
        raise failure
    return min(found, key=lambda made: len(made.program.code))


class _Code:
    """Machine code on its way from selection to words."""

    def __init__(self, task: Task, order: Order | None) -> None:
        """Legal code on virtual registers."""
        self.task = task
        self.table = ConstantTable(CONSTANTS, task.interface.constants.uniforms)
        self.function, _ = select(task.main, Selection(task.interface, task.counted, task.vertices))
        self.procedures: Procedures = {}
        forward_outputs(self.function, _is_output)
        assign_constants(self.function, self.table, negate=True, free=_free_constants(self.table))
        sink = DiagnosticSink()
        report_constants(self.table, sink)
        sink.raise_if_errors()
        fix_operands(self.function)
        if order is not None:
            from backends.pica200.codegen.pressure import reorder

            reorder(self.function, order)
        self.plain_words = least_words(self.function)

    def call_repeats(self, strictness: _Strictness) -> bool:
        """Let the code call what repeats in it, if anything does."""
        self.procedures = call_repeats(self.function, ordered=strictness.ordered)
        return bool(self.procedures)

    def finish(self, strictness: _Strictness, most_words: int | None) -> Made:
        """The words; a limit is raised, and code that gets longer than `most_words` given up."""
        set_addresses(self.function)
        if most_words is not None and expected_words(self.function, self.procedures.values()) > most_words:
            raise _Longer(())
        for register in self.function.registers:
            register.ordered |= strictness.ordered
        try:
            allocate(self.function, Temporaries(), DiagnosticSink())
        except CompileError as error:
            raise _RegistersExceeded(error.diagnostics) from None
        functions = (self.function, *self.procedures.values())
        for function in functions:
            join_moves(function)
        if strictness.mad_descriptors is not None:
            split_mads(functions, strictness.mad_descriptors)
        program = self._program()
        if most_words is not None and len(program.code) > most_words:
            raise _Longer(())
        return Made(program, self.table, self.plain_words)

    def _program(self) -> Program:
        code = Code(DiagnosticSink(), capacity=ADDRESSES)
        sink = DiagnosticSink()
        try:
            jumps_always = write_words(self.function, self.procedures, code)
        except Rejected:
            for what, (limit, span) in code.exceeded.items():
                _report_excess(what, f"more than {limit}", limit, span, sink, f"{_LESS_WORK}, or divide the shader")
            raise _error_of(code)(sink.diagnostics) from None
        if code.address > CODE_WORDS:
            help = f"{code.address - CODE_WORDS} words must go: {_LESS_WORK}"
            span = code.words[CODE_WORDS].span
            _report_excess("words of code", str(code.address), CODE_WORDS, span, sink, help)
            sink.raise_if_errors()
        words = code.finish()
        shader = executable_tables(self.task.interface, self._constants(jumps_always))
        shader.entry, shader.end = code.procedures["main"].start, code.procedures["main"].end
        return Program(words, code.table.words, [shader], [word.span for word in code.words])

    def _constants(self, jumps_always: bool) -> list[Constant]:
        """The container's constants: literals, ranges of loops, the bool that is always set."""
        found = [
            Constant("c", index, tuple(numbers.pattern_of(value or 0.0) for value in values))
            for index, values in sorted(self.table.literals.items())
        ]
        ranges = ranges_of(self.task.counted)
        found += [Constant("i", number, contents.values) for number, contents in enumerate(ranges)]
        return found + ([Constant("b", ALWAYS, (1,))] if jumps_always else [])


def _error_of(code: Code) -> type[CompileError]:
    """What is raised for what the assembler's back end had no room for."""
    return _DescriptorsExceeded if any("descriptor" in what for what in code.exceeded) else CompileError


def _is_output(register: Register) -> bool:
    return register.file is OUTPUTS


def _free_constants(table: ConstantTable) -> list[int]:
    """Registers for literals: from the last one down, as the common assembler gives them out."""
    taken = {index for variable in table.uniforms for index in table.registers_of(variable)}
    return [index for index in reversed(range(CONSTANTS.count)) if index not in taken]


_LESS_WORK = "move work to the fragment stage or to the host"


def _report_excess(what: str, need: str, limit: int, span: Span, sink: DiagnosticSink, help: str) -> None:
    """What the program has no room for, at the first place beyond it."""
    sink.report(RESOURCE_EXCEEDED, span, target=TARGET_NAME, need=need, what=what, limit=limit, help=help)
