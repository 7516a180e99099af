"""From a legalised module to a program that fits: selection to words, as often as it takes.

In: the module, and the places of everything that has a name.  Out: code, operand descriptors and constants.

Free placement of components makes more operand descriptors than fixed placement.  Where the table overflows, the
program is made again more and more strictly: every component in its own place, then products and sums in two words,
whose descriptors may stand anywhere in the table.  Where registers run short, its instructions change their order
(`temporaries.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.pica200 import numbers
from backends.pica200.abi import ALWAYS, TARGET_NAME, Interface, executable_tables, report_constants
from backends.pica200.address_registers import set_addresses
from backends.pica200.asm_code import Code
from backends.pica200.asm_text import Rejected
from backends.pica200.finalize import write_words
from backends.pica200.fixup import fix_operands
from backends.pica200.isa import ADDRESSES, CODE_WORDS, MAD_DESCRIPTORS
from backends.pica200.loops import CountedLoop, ranges_of
from backends.pica200.mads import split_mads
from backends.pica200.moves import join_moves
from backends.pica200.program import Constant, Program
from backends.pica200.registers import CONSTANTS, OUTPUTS
from backends.pica200.select import Selection
from backends.pica200.strips import Choice, Emission
from backends.pica200.temporaries import SEARCHING, Order, Pressure, Temporaries, orders
from compiler.codegen.constants import ConstantTable, assign_constants
from compiler.codegen.forward import forward_outputs
from compiler.codegen.machine import MachineFunction
from compiler.codegen.regalloc import allocate
from compiler.codegen.registers import Register
from compiler.codegen.schedule import schedule
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink, Span
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.module import Function, Instruction
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


@dataclass(frozen=True, slots=True)
class Made:
    """A program, and what its c registers hold."""

    program: Program
    constants: ConstantTable


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


def make_program(task: Task, sink: DiagnosticSink) -> Made:
    """The program of the first attempt that fits, at -O3 the shortest of its orders; where none does, the last limit
    is reported and raised."""
    trial = DiagnosticSink()
    for strictness in _ATTEMPTS:
        trial = DiagnosticSink()
        try:
            programs = _programs(task, strictness, trial)
        except CompileError:
            if strictness is _ATTEMPTS[0]:
                break
            continue
        if programs:
            return min(programs, key=lambda made: len(made.program.code))
    sink.absorb(trial)
    raise CompileError(sink.diagnostics)


def _programs(task: Task, strictness: _Strictness, sink: DiagnosticSink) -> list[Made]:
    """Code of the orders whose values find registers, one unless all are wanted; none where descriptors do not
    fit.  Any other limit is reported and raised."""
    found: list[Made] = []
    for order in orders(task.optimisation):
        trial = DiagnosticSink()
        table = ConstantTable(CONSTANTS, task.interface.constants.uniforms)
        try:
            function = _machine_code(task, table, strictness, order, trial)
        except CompileError:
            continue
        program = _program(task, function, table, sink)
        found += [] if program is None else [Made(program, table)]
        if task.optimisation < SEARCHING:
            return found
    if trial.error_count and not found:
        sink.absorb(trial)
        sink.raise_if_errors()
    return found


def _machine_code(
    task: Task, table: ConstantTable, strictness: _Strictness, order: Order | None, sink: DiagnosticSink
) -> MachineFunction:
    """Code on physical registers; its literals are added to `table`."""
    function, _ = select(task.main, Selection(task.interface, task.counted, task.vertices))
    forward_outputs(function, _is_output)
    assign_constants(function, table, negate=True, free=_free_constants(table))
    report_constants(table, sink)
    sink.raise_if_errors()
    fix_operands(function)
    if order is not None:
        schedule(function, Pressure(function, order))
    set_addresses(function)
    for register in function.registers:
        register.ordered |= strictness.ordered
    allocate(function, Temporaries(), sink)
    join_moves(function)
    if strictness.mad_descriptors is not None:
        split_mads(function, strictness.mad_descriptors)
    return function


def _is_output(register: Register) -> bool:
    return register.file is OUTPUTS


def _free_constants(table: ConstantTable) -> list[int]:
    """Registers for literals: from the last one down, as the common assembler gives them out."""
    taken = {index for variable in table.uniforms for index in table.registers_of(variable)}
    return [index for index in reversed(range(CONSTANTS.count)) if index not in taken]


def _program(task: Task, function: MachineFunction, table: ConstantTable, sink: DiagnosticSink) -> Program | None:
    """The words, or None where their descriptors do not fit; any other limit is reported and raised."""
    code = Code(DiagnosticSink(), capacity=ADDRESSES)
    try:
        jumps_always = write_words(function, code)
    except Rejected:
        for what, (limit, span) in code.exceeded.items():
            _report_excess(what, f"more than {limit}", limit, span, sink)
        if not any("descriptor" in what for what in code.exceeded):
            sink.raise_if_errors()
        return None
    if code.address > CODE_WORDS:
        _report_excess("words of code", str(code.address), CODE_WORDS, code.words[CODE_WORDS].span, sink)
        sink.raise_if_errors()
    words = code.finish()
    shader = executable_tables(task.interface, _constants(task, table, jumps_always))
    shader.entry, shader.end = code.procedures["main"].start, code.procedures["main"].end
    return Program(words, code.table.words, [shader], [word.span for word in code.words])


def _report_excess(what: str, need: str, limit: int, span: Span, sink: DiagnosticSink) -> None:
    """What the program has no room for, at the first place beyond it."""
    help = "move work to the fragment stage or to the host, or divide the shader"
    sink.report(RESOURCE_EXCEEDED, span, target=TARGET_NAME, need=need, what=what, limit=limit, help=help)


def _constants(task: Task, table: ConstantTable, jumps_always: bool) -> list[Constant]:
    """The container's constants: literals, ranges of loops, the bool that is always set."""
    found = [
        Constant("c", index, tuple(numbers.pattern_of(value or 0.0) for value in values))
        for index, values in sorted(table.literals.items())
    ]
    found += [Constant("i", number, contents.values) for number, contents in enumerate(ranges_of(task.counted))]
    return found + ([Constant("b", ALWAYS, (1,))] if jumps_always else [])
