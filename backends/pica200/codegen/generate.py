"""Code generation, its stages in order: IR module to `.shbin`.

    legalize -> registers of the interface -> select -> outputs written where they are computed -> constants
    -> legal operands -> address registers -> allocate -> words -> container -> validate

What stands between the registers of the interface and the words is made as often as it takes: see `attempts.py`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from functools import partial

from backends.pica200.codegen.abi import (
    TARGET_NAME,
    Interface,
    arrange,
    attribute_bindings,
    input_bindings,
    output_bindings,
    uniform_bindings,
)
from backends.pica200.codegen.attempts import Made, Task, make_program
from backends.pica200.codegen.legalize import Variant, legalize, prepare, variants
from backends.pica200.codegen.register_files import CONSTANTS, TEMPORARIES
from backends.pica200.codegen.rewrites.loops import join_back_edges
from backends.pica200.codegen.rewrites.strips import emissions
from backends.pica200.codegen.rewrites.vertex_memory import move_inputs
from backends.pica200.isa.instructions import CODE_WORDS, COMPONENTS, DESCRIPTORS, decode, destination_register
from backends.pica200.isa.program import Program
from backends.pica200.isa.validate import validate
from compiler.artifact import Artifact, Literal32, Location, Reflection, Stats
from compiler.codegen.constants import ConstantTable
from compiler.codegen.regions import split_critical_edges
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.ir.module import Module
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.primitive import primitive_of
from compiler.records import dataclass

#: Where the text of a program names a procedure.
_PROCEDURE = r"(?m)^( *(?:\.proc|call) )(\w+)$"


class CodeGenerationFault(Exception):
    """The compiler made a program that the hardware would not run: a mistake of the compiler."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to make a program."""

    module: Module
    interface: Interface
    made: Made
    notes: DiagnosticSink

    @property
    def words(self) -> int:
        return len(self.made.program.code)


def generate(module: Module, options: TargetOptions, costs: CostModel, sink: DiagnosticSink) -> Artifact:
    """The `.shbin` of a vertex or geometry shader, with everything about it: the shortest of several ways."""
    context = PassContext(costs, options.precise)
    prepare(module, context, sink)
    shortest: _Way | None = None
    #: By families of variants, what is known of the one that is there.
    plain_words: dict[int, int] = {}
    failures: dict[int, CompileError] = {}
    # What is small goes first, so that others can be given up when they get no shorter.
    numbered = enumerate(variants(module, context, options.optimisation))
    for number, variant in sorted(numbered, key=lambda each: each[1].size):
        most_words = None if shortest is None else shortest.words - 1
        try:
            shortest = _make(variant, options, context, most_words, plain_words.get(variant.family))
            plain_words[variant.family] = shortest.made.plain_words
        except CompileError as error:
            failures[number] = error
    if shortest is None:
        raise CompileError([*sink.diagnostics, *failures[max(failures)].diagnostics])
    sink.absorb(shortest.notes)
    _require_valid(shortest.made.program)
    return _artifact(shortest)


def _make(
    variant: Variant, options: TargetOptions, context: PassContext, most_words: int | None, plain_words: int | None
) -> _Way:
    """One way; given up where it takes more than `most_words`, or without calls as many as `plain_words`."""
    module, notes = variant.module, DiagnosticSink()
    memory = move_inputs(module, primitive_of(module.pragmas))
    counted = legalize(module, context)
    split_critical_edges(module.main, context.analyses(module.main))
    join_back_edges(module.main)
    interface = arrange(module, counted, memory, str(options.values.get("outputs", "")), notes)
    vertices = emissions(module.main)
    task = Task(module.main, interface, counted, vertices, options.optimisation, most_words, plain_words)
    return _Way(module, interface, make_program(task), notes)


def _require_valid(program: Program) -> None:
    faults = validate(program)
    if faults:
        raise CodeGenerationFault("; ".join(f"word {f.address}: {f.rule}: {f.message}" for f in faults[:4]))


def join(artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
    """One file of several shaders; their procedures need names of their own."""
    from backends.pica200.isa.asm import assemble_files

    texts = []
    for artifact in artifacts:
        stage = artifact.reflection.stage
        text = re.sub(_PROCEDURE, rf"\1{stage}_\2", artifact.assembly)
        texts.append((f"{text}.entry {stage}_main\n", stage))
    program = assemble_files(texts, sink)
    sink.raise_if_errors()
    _require_valid(program)
    return program.binary


# --- The artifact -----------------------------------------------------------------------------------------------------


def _artifact(way: _Way) -> Artifact:
    module, interface, made = way.module, way.interface, way.made
    program = made.program
    words, descriptors = len(program.code), len(program.descriptors)
    constants = made.constants.used
    temporaries = _temporaries(program)
    reflection = Reflection(
        TARGET_NAME,
        module.stage,
        attributes=attribute_bindings(interface),
        inputs=input_bindings(interface, module),
        uniforms=uniform_bindings(interface, module),
        varyings=output_bindings(interface, varyings=True),
        outputs=output_bindings(interface, varyings=False),
        literals=tuple(_literals(made.constants)),
        limits={
            "code words": (words, CODE_WORDS),
            "operand descriptors": (descriptors, DESCRIPTORS),
            "constant registers": (constants, CONSTANTS.count),
            "temporary registers": (temporaries, TEMPORARIES.count),
        },
    )
    stats = Stats(words, words, temporaries, constants, {"descriptors": descriptors})
    origins = tuple((span,) for span in program.spans)
    return Artifact(program.binary, partial(_text, program), reflection, stats, origins=origins)


def _text(program: Program) -> str:
    from backends.pica200.isa.disasm import disassemble_program

    return disassemble_program(program, DiagnosticSink())


def _literals(table: ConstantTable) -> list[Literal32]:
    """Literals of the container, as float32 patterns."""
    found = []
    for index, values in sorted(table.literals.items()):
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
