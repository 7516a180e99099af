"""Every rule of the hardware, checked on the words of a finished program.

`validate` decodes the program again and knows nothing of how it was made.  A `Fault` has a stable rule
name (`rules.py` explains each), the word, and what is wrong.  Rules about a single word or table entry are
here; those about paths through the program are in `validate_paths.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from glslc_multi.backends.pica200.isa.instructions import Instruction, decode
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.backends.pica200.isa.program import SEMANTICS, Executable, Program
from glslc_multi.backends.pica200.isa.registers import BANKS, CODE_WORDS, DESCRIPTORS, MAPPED_OUTPUTS, source_register
from glslc_multi.backends.pica200.isa.rules import Fault
from glslc_multi.backends.pica200.isa.validate_paths import check_paths

_POSITION, _DUMMY = 0, 9
_ALL_COMPONENTS = 0xF
#: The hardware sets b15 after the first run of a geometry shader.
_GEOMETRY_BOOL = 15


def validate(program: Program) -> list[Fault]:
    """All faults of a program, words first; none for a program that the hardware runs as written."""
    instructions = [decode(word) for word in program.code]
    faults = list(_check_sizes(program))
    for address, (word, instruction) in enumerate(zip(program.code, instructions, strict=True)):
        if instruction is None:
            faults.append(Fault("unknown-word", address, f"{word:#010x} is no instruction"))
            continue
        for rule in _WORD_RULES:
            message = rule(instruction, program)
            if message:
                faults.append(Fault(rule.__name__.strip("_").replace("_", "-"), address, message))
    for number, shader in enumerate(program.executables):
        faults += _check_executable(shader, number)
        faults += check_paths(program, instructions, shader)
    return list(dict.fromkeys(faults))


def _check_sizes(program: Program) -> Iterator[Fault]:
    if len(program.code) > CODE_WORDS:
        yield Fault("code-size", None, f"{len(program.code)} words, code memory has {CODE_WORDS}")
    if len(program.descriptors) > DESCRIPTORS:
        yield Fault("descriptor-count", None, f"{len(program.descriptors)} descriptors, the table has {DESCRIPTORS}")
    for number, word in enumerate(program.descriptors):
        if word >> 31:
            yield Fault("descriptor-reserved", None, f"descriptor {number} has bit 31 set")


# --- One word ---------------------------------------------------------------------------------------------------------


def _missing_descriptor(instruction: Instruction, program: Program) -> str:
    number = instruction.descriptor
    if number is None or number < len(program.descriptors):
        return ""
    return f"descriptor {number} of {len(program.descriptors)}"


def _two_inputs(instruction: Instruction, program: Program) -> str:
    registers = [source_register(instruction.fields[source]) for source in instruction.operation.layout.sources]
    inputs = sorted({index for bank, index in registers if bank == "v"})
    return f"reads v{inputs[0]} and v{inputs[1]}" if len(inputs) > 1 else ""


def _relative_without_uniform(instruction: Instruction, program: Program) -> str:
    wide = instruction.operation.layout.wide
    if not wide or not instruction.fields["idx"]:
        return ""
    bank, index = source_register(instruction.fields[wide])
    return "" if bank == "c" else f"{bank}{index} is indexed, which has no effect"


def _unknown_relation(instruction: Instruction, program: Program) -> str:
    relation = max((instruction.fields.get(name, 0) for name in ("cmpx", "cmpy")), default=0)
    return f"relation {relation} is not to be used" if relation >= len(RELATION_NAMES) else ""


def _missing_register(instruction: Instruction, program: Program) -> str:
    number = instruction.fields.get("id", 0)
    if instruction.name == "LOOP" and number >= BANKS["i"]:
        return f"there is no register i{number}"
    if instruction.name == "SETEMIT" and instruction.fields["vertex"] > 2:
        return "there is no vertex slot 3"
    return ""


def _untested_instruction(instruction: Instruction, program: Program) -> str:
    return "what DSTI puts where is not known" if instruction.name == "DSTI" else ""


_WORD_RULES: tuple[Callable[[Instruction, Program], str], ...] = (
    _missing_descriptor,
    _two_inputs,
    _relative_without_uniform,
    _unknown_relation,
    _missing_register,
    _untested_instruction,
)

# --- One executable ---------------------------------------------------------------------------------------------------


def _check_executable(shader: Executable, number: int) -> Iterator[Fault]:
    # What the loader lays on the rasteriser's output map.
    registers = sorted({output.register for output in shader.outputs})
    mapped = [register for register in registers if register < MAPPED_OUTPUTS]
    if mapped != list(range(len(mapped))):
        yield Fault("output-gap", None, f"shader {number}: mapped outputs are {mapped}, they must follow from o0")
    for output in shader.outputs:
        if output.semantic not in SEMANTICS or not 0 < output.mask <= _ALL_COMPONENTS:
            yield Fault("output-entry", None, f"shader {number}: o{output.register} has an unknown property or mask")
        elif output.register >= MAPPED_OUTPUTS and (shader.geometry or output.semantic != _DUMMY):
            yield Fault("output-register", None, f"shader {number}: o{output.register} is not in the output map")
    positions = [output for output in shader.outputs if output.semantic == _POSITION]
    if not any(output.mask == _ALL_COMPONENTS for output in positions) and not shader.merges_outputs:
        yield Fault("missing-position", None, f"shader {number}: no output is the position, with all components")
    for first, second in _overlapping(shader):
        yield Fault("output-overlap", None, f"shader {number}: {first} and {second} share a component")
    for constant in shader.constants:
        if constant.register >= BANKS[constant.bank]:
            yield Fault(
                "constant-register", None, f"shader {number}: {constant.bank}{constant.register} does not exist"
            )
    for uniform in shader.uniforms:
        start = uniform.start
        if start is None:
            yield Fault("uniform-range", None, f"shader {number}: '{uniform.name}' is in no bank")
        elif shader.geometry and start[0] == "b" and start[1] + uniform.last - uniform.first >= _GEOMETRY_BOOL:
            yield Fault("geometry-bool", None, f"shader {number}: '{uniform.name}' takes b15, which the hardware sets")


def _overlapping(shader: Executable) -> Iterator[tuple[str, str]]:
    """Pairs of properties on one component of a register."""
    for index, first in enumerate(shader.outputs):
        for second in shader.outputs[index + 1 :]:
            if first.register == second.register and first.mask & second.mask:
                yield SEMANTICS.get(first.semantic, "?"), SEMANTICS.get(second.semantic, "?")
