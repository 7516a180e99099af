"""Code generation, its stages in order: IR module to `.shbin`.

    legalize -> registers of the interface -> select -> outputs written where they are computed -> constants
    -> legal operands -> address registers -> allocate -> words -> container -> validate

Free placement of components makes more operand descriptors than fixed placement.  Where the table overflows, the
program is made again more and more strictly: every component in its own place, then products and sums in two words,
whose descriptors may stand anywhere in the table.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from backends.pica200 import numbers
from backends.pica200.abi import (
    ALWAYS,
    TARGET_NAME,
    Interface,
    arrange,
    executable_tables,
    input_bindings,
    output_bindings,
    uniform_bindings,
)
from backends.pica200.address_registers import set_addresses
from backends.pica200.asm import assemble_files
from backends.pica200.asm_code import Code
from backends.pica200.asm_text import Rejected
from backends.pica200.disasm import disassemble_program
from backends.pica200.finalize import write_words
from backends.pica200.fixup import fix_operands
from backends.pica200.isa import CODE_WORDS, COMPONENTS, DESCRIPTORS, MAD_DESCRIPTORS, decode, destination_register
from backends.pica200.legalize import legalize, prepare
from backends.pica200.loops import CountedLoop, join_back_edges, ranges_of
from backends.pica200.machine_ops import OPS
from backends.pica200.mads import split_mads
from backends.pica200.moves import join_moves
from backends.pica200.program import Constant, Program
from backends.pica200.registers import CONSTANTS, OUTPUTS, TEMPORARIES
from backends.pica200.select import Selection
from backends.pica200.strips import emissions
from backends.pica200.validate import validate
from compiler.artifact import Artifact, Literal32, Location, Reflection, Stats
from compiler.codegen.constants import assign_constants
from compiler.codegen.forward import forward_outputs
from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use, VirtualRegister
from compiler.codegen.regalloc import RegisterModel, allocate, check_allocation, snapshot
from compiler.codegen.regions import split_critical_edges
from compiler.codegen.registers import Register
from compiler.codegen.select import select
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.passes.clone import clone_module
from compiler.records import dataclass


class CodeGenerationFault(Exception):
    """The compiler made a program that the hardware would not run: a mistake of the compiler."""


class Temporaries(RegisterModel):
    """The r registers, as the allocator sees them."""

    target = TARGET_NAME
    resource = "temporary registers"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])

    def component_cost(self, register: VirtualRegister, component: int, place: int) -> int:
        # Unmoved components make descriptors that other instructions share.
        return int(component != place)


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


def generate(module: Module, options: TargetOptions, costs: CostModel, sink: DiagnosticSink) -> Artifact:
    """The `.shbin` of a vertex or geometry shader, with everything about it."""
    context = PassContext(costs, options.precise)
    may_unroll = prepare(module, context, sink)
    if not may_unroll:
        return _generate(module, options, context, sink, unroll=False)
    # Unrolling makes indices and places in strips constant, or only more code: what is shorter is seen in the end.
    trial = DiagnosticSink()
    try:
        unrolled = _generate(clone_module(module), options, PassContext(costs, options.precise), trial, unroll=True)
    except CompileError:
        return _generate(module, options, context, sink, unroll=False)
    try:
        rolled = _generate(module, options, context, DiagnosticSink(), unroll=False)
    except CompileError:
        rolled = unrolled
    sink.diagnostics += trial.diagnostics
    return min(unrolled, rolled, key=lambda artifact: artifact.stats.code_words)


def _generate(
    module: Module, options: TargetOptions, context: PassContext, sink: DiagnosticSink, *, unroll: bool
) -> Artifact:
    counted = legalize(module, context, unroll=unroll)
    split_critical_edges(module.main)
    join_back_edges(module.main)
    interface = arrange(module, counted, str(options.values.get("outputs", "")), sink)
    program = _program(module, interface, counted, sink)
    _require_valid(program)
    return _artifact(module, interface, program, sink)


def _require_valid(program: Program) -> None:
    faults = validate(program)
    if faults:
        raise CodeGenerationFault("; ".join(f"word {f.address}: {f.rule}: {f.message}" for f in faults[:4]))


def _program(module: Module, interface: Interface, counted: list[CountedLoop], sink: DiagnosticSink) -> Program:
    """The program of the first attempt whose descriptors fit."""
    for strictness in _ATTEMPTS[:-1]:
        program = _attempt(module, interface, counted, strictness, DiagnosticSink())
        if program is not None:
            return program
    program = _attempt(module, interface, counted, _ATTEMPTS[-1], sink)
    sink.raise_if_errors()
    assert program is not None, "an attempt that fails says why"
    return program


def _attempt(
    module: Module, interface: Interface, counted: list[CountedLoop], strictness: _Strictness, sink: DiagnosticSink
) -> Program | None:
    """A program, or None where its descriptors do not fit; any other limit is reported and raised."""
    function = _machine_code(module, interface, counted, strictness, sink)
    code = Code(DiagnosticSink())
    try:
        jumps_always = write_words(function, code)
    except Rejected:
        _report_excess(code, sink)
        if not any("descriptor" in what for what in code.exceeded):
            sink.raise_if_errors()
        return None
    words = code.finish()
    shader = executable_tables(interface, _constants(interface, counted, jumps_always))
    shader.entry, shader.end = code.procedures["main"].start, code.procedures["main"].end
    return Program(words, code.table.words, [shader], [word.span for word in code.words])


def _report_excess(code: Code, sink: DiagnosticSink) -> None:
    """What the assembler's back end had no room for, as a limit of the target."""
    help = "move work to the fragment stage or to the host, or divide the shader"
    for what, (limit, span) in code.exceeded.items():
        need = f"more than {limit}"
        sink.report(RESOURCE_EXCEEDED, span, target=TARGET_NAME, need=need, what=what, limit=limit, help=help)


def _machine_code(
    module: Module, interface: Interface, counted: list[CountedLoop], strictness: _Strictness, sink: DiagnosticSink
) -> MachineFunction:
    """Code on physical registers."""
    vertices = emissions(module.main, TARGET_NAME, sink)
    function, _ = select(module.main, Selection(interface, counted, vertices))
    forward_outputs(function, _is_output)
    interface.constants.literals.clear()
    assign_constants(function, interface.constants, negate=True, free=_free_constants(interface))
    fix_operands(function)
    set_addresses(function)
    for register in function.registers:
        register.ordered |= strictness.ordered
    before = snapshot(function)
    allocate(function, Temporaries(), sink)
    faults = check_allocation(before, function)
    if faults:
        raise CodeGenerationFault(faults[0])
    join_moves(function)
    if strictness.mad_descriptors is not None:
        split_mads(function, strictness.mad_descriptors)
    return function


def _is_output(register: Register) -> bool:
    return register.file is OUTPUTS


def _free_constants(interface: Interface) -> list[int]:
    """Registers for literals: from the last one down, as the common assembler gives them out."""
    taken = {index for variable in interface.constants.uniforms for index in interface.constants.registers_of(variable)}
    return [index for index in reversed(range(CONSTANTS.count)) if index not in taken]


def _constants(interface: Interface, counted: list[CountedLoop], jumps_always: bool) -> list[Constant]:
    """The container's constants: literals, ranges of loops, the bool that is always set."""
    found = [
        Constant("c", index, tuple(numbers.pattern_of(value or 0.0) for value in values))
        for index, values in sorted(interface.constants.literals.items())
    ]
    found += [Constant("i", number, contents.values) for number, contents in enumerate(ranges_of(counted))]
    return found + ([Constant("b", ALWAYS, (1,))] if jumps_always else [])


def join(artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
    """One file of several shaders; their procedures need names of their own."""
    texts = []
    for artifact in artifacts:
        name = f"{artifact.reflection.stage}_main"
        text = artifact.assembly.replace(".proc main\n", f".entry {name}\n.proc {name}\n")
        texts.append((text, artifact.reflection.stage))
    program = assemble_files(texts, sink)
    sink.raise_if_errors()
    _require_valid(program)
    return program.binary


# --- The artifact -----------------------------------------------------------------------------------------------------


def _artifact(module: Module, interface: Interface, program: Program, sink: DiagnosticSink) -> Artifact:
    words, descriptors = len(program.code), len(program.descriptors)
    constants = interface.constants.used
    temporaries = _temporaries(program)
    reflection = Reflection(
        TARGET_NAME,
        module.stage,
        attributes=input_bindings(interface, "attribute"),
        inputs=input_bindings(interface, "input"),
        uniforms=uniform_bindings(interface, module),
        varyings=output_bindings(interface, varyings=True),
        outputs=output_bindings(interface, varyings=False),
        literals=tuple(_literals(interface)),
        limits={
            "code words": (words, CODE_WORDS),
            "operand descriptors": (descriptors, DESCRIPTORS),
            "constant registers": (constants, CONSTANTS.count),
            "temporary registers": (temporaries, TEMPORARIES.count),
        },
    )
    stats = Stats(words, words, temporaries, constants, {"descriptors": descriptors})
    return Artifact(program.binary, disassemble_program(program, sink), reflection, stats)


def _literals(interface: Interface) -> list[Literal32]:
    """Literals of the container, as float32 patterns."""
    found = []
    for index, values in sorted(interface.constants.literals.items()):
        letters = "".join(letter for letter, value in zip(COMPONENTS, values, strict=True) if value is not None)
        words = tuple(struct.unpack("<I", struct.pack("<f", value))[0] for value in values if value is not None)
        found.append(Literal32(Location("c", index, letters), words))
    return found


def _temporaries(program: Program) -> int:
    """How many r registers the words name."""
    used = set()
    for word in program.code:
        instruction = decode(word)
        if instruction is not None and "dst" in instruction.fields:
            bank, index = destination_register(instruction.fields["dst"])
            if bank == "r":
                used.add(index)
    return len(used)
