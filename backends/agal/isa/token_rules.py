"""Rules that a token breaks by itself, whatever stands before it.

`token_faults` gives the numbers of `rules.py` in the order in which runtimes look: opcode, destination,
sources, and what they must be together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.instructions import Instruction
from glslc_multi.backends.agal.isa.program import Destination, Sampler, Source, Token, decode, decode_operand
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    BY_TYPE,
    CONSTANT,
    DEPTH,
    FULL_MASK,
    IDENTITY,
    INSTANCE,
    OUTPUT,
    SAMPLER,
    TEMPORARY,
    TYPE_NAMES,
    VARYING,
    Stage,
    is_scalar,
)
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER

_XYZ = 0b0111
_X = 0b0001
#: Type -> fault of a number that is too large; the outputs have rules of their own.
_OUT_OF_RANGE = {SAMPLER: 3656, VARYING: 3657, ATTRIBUTE: 3658, CONSTANT: 3659, OUTPUT: 3660, TEMPORARY: 3661}
#: Type -> fault of writing it, in both stages.
_UNWRITABLE = {ATTRIBUTE: 3651, CONSTANT: 3652, SAMPLER: 3649, INSTANCE: 3786}
#: Stage and type -> fault of reading it as a source.
_UNREADABLE: Mapping[tuple[Stage, int], int] = {
    ("vertex", OUTPUT): 3646,
    ("vertex", DEPTH): 3646,
    ("vertex", VARYING): 3644,
    ("vertex", SAMPLER): 3637,
    ("fragment", OUTPUT): 3646,
    ("fragment", DEPTH): 3646,
    ("fragment", ATTRIBUTE): 3645,
    ("fragment", SAMPLER): 3638,
    ("fragment", INSTANCE): 3788,
}
#: Field of a sampler -> fault, and the largest value in version 1 (of [V], before the later additions) and after.
_SAMPLER_FIELDS = {
    "dimension": (3664, 1, 1),
    "filter": (3665, 1, 5),
    "mip": (3666, 2, 2),
    "wrap": (3667, 1, 3),
    "special": (3668, 0, 7),
    "format": (3654, 3, 3),
}
_CLAMP, _NO_MIP, _CUBE = 0, 0, 1


def token_faults(word: int, stage: Stage, version: int) -> tuple[int, ...]:
    """The rules that the token breaks; at most one for each operand."""
    fault = _opcode_fault(word, stage, version)
    if fault is not None:
        # The operands of an instruction that does not exist mean nothing.
        return (fault,)
    token = decode(word)
    assert token is not None
    name = token.instruction.name
    faults = [_operand_fault(name, letter, instructions.part_of(word, letter), stage, version) for letter in "Dab"]
    return tuple([fault for fault in (*faults, _joint_fault(token)) if fault is not None])


def _opcode_fault(word: int, stage: Stage, version: int) -> int | None:
    """Whether the stage and version have this instruction."""
    instruction = instructions.find(word)
    if instruction is None or not instruction.executable:
        return 3620 if instructions.OPCODE.extract(word) > instructions.LAST_CODE else 3621
    if instruction.fragment_only and stage != "fragment":
        return 3622
    return 3726 if instruction.version > version else None


# Programs are long, but have few different operands: each is checked once.
@lru_cache(maxsize=1 << 12)
def _operand_fault(name: str, letter: str, part: int, stage: Stage, version: int) -> int | None:
    """The first rule that a destination (D) or source (a, b) of an instruction breaks."""
    instruction = instructions.BY_NAME[name]
    faults = _destination_faults if letter == "D" else _source_part_faults
    return next(faults(instruction, letter, part, stage, version), None)


# --- Destinations -----------------------------------------------------------------------------------------------------


def _destination_faults(instruction: Instruction, letter: str, part: int, stage: Stage, version: int) -> Iterator[int]:
    if letter not in instruction.operands:
        if part:
            yield 3627
        return
    destination = decode_operand(letter, part)
    assert isinstance(destination, Destination)
    if not instructions.DESTINATION.accepts(part):
        yield 3654
    if destination.mask == 0:
        yield 3653
    if destination.type >= len(TYPE_NAMES):
        yield 3655
    else:
        yield from _written_faults(destination, stage, version)
    if instruction.only_xyz and destination.mask != _XYZ:
        yield 3628


def _written_faults(destination: Destination, stage: Stage, version: int) -> Iterator[int]:
    """What may be written, with which number and mask."""
    type = destination.type
    if type in _UNWRITABLE:
        yield _UNWRITABLE[type]
    elif type == VARYING and stage == "fragment":
        yield 3650
    elif type == DEPTH:
        if stage != "fragment":
            yield 3750
        elif destination.number >= BY_TYPE[stage, DEPTH].size(version):
            yield 3749
        elif destination.mask != _X:
            yield 3756
    else:
        yield from _number_faults(type, destination.number, stage, version)
    if type == OUTPUT and stage == "fragment" and destination.mask != FULL_MASK:
        yield 3701


def _number_faults(type: int, number: int, stage: Stage, version: int) -> Iterator[int]:
    if number < BY_TYPE[stage, type].size(version):
        return
    # Several colour outputs came with version 2, and with them a fault of their own.
    yield 3760 if type == OUTPUT and stage == "fragment" and version > 1 else _OUT_OF_RANGE[type]


# --- Sources ----------------------------------------------------------------------------------------------------------


def _source_part_faults(instruction: Instruction, letter: str, part: int, stage: Stage, version: int) -> Iterator[int]:
    """The faults of source 1 or 2, or of the sampler in its place."""
    if letter in instruction.operands:
        if not instructions.SOURCE.accepts(part):
            yield 3654
        source = decode_operand(letter, part)
        assert isinstance(source, Source)
        yield from _source_faults(source, instruction, letter, stage, version)
    elif letter == "b" and instruction.role == "texture":
        sampler = decode_operand("s", part)
        assert isinstance(sampler, Sampler)
        if sampler.type != SAMPLER:
            yield 3693
        if not instructions.SAMPLER.accepts(part):
            yield 3654
        yield from _number_faults(SAMPLER, sampler.number, stage, version)
        for name, (fault, first, later) in _SAMPLER_FIELDS.items():
            if getattr(sampler, name) > (first if version == 1 else later):
                yield fault
        if sampler.dimension == _CUBE and not sampler.special & IGNORE_SAMPLER:
            if sampler.wrap != _CLAMP:
                yield 3662
            if sampler.mip == _NO_MIP:
                yield 3704
    elif part:
        yield 3636


def _source_faults(source: Source, instruction: Instruction, letter: str, stage: Stage, version: int) -> Iterator[int]:
    rows = instruction.rows if letter == "b" else 1
    if source.indirect:
        if instruction.role == "texture":
            yield 3641
        elif stage != "vertex":
            yield 3639
        elif source.type != CONSTANT:
            yield 3640
        elif source.index_type not in (ATTRIBUTE, CONSTANT, TEMPORARY):
            yield 3642
        else:
            yield from _number_faults(source.index_type, source.number, stage, version)
    else:
        if source.offset or source.index_type or source.index_component:
            yield 3643
        yield from _read_faults(source.type, source.number + rows - 1, stage, version)
    if instruction.role in ("kill", "if") and not is_scalar(source.swizzle):
        yield 3703
    if rows > 1 and source.swizzle != IDENTITY:
        yield 3689


def _read_faults(type: int, number: int, stage: Stage, version: int) -> Iterator[int]:
    """Whether a register of this type and number can be read."""
    if type >= len(TYPE_NAMES):
        yield 3655
    elif (stage, type) in _UNREADABLE:
        yield _UNREADABLE[stage, type]
    elif type == INSTANCE:
        if BY_TYPE["vertex", INSTANCE].size(version) == 0:
            yield 3789
        elif number:
            # There is one instance id: a number could only be in bits without a meaning.
            yield 3654
    else:
        yield from _number_faults(type, number, stage, version)


# --- Several operands together ----------------------------------------------------------------------------------------


def _joint_fault(token: Token) -> int | None:
    sources, instruction = token.sources, token.instruction
    if not sources:
        return None
    only_constants = all(source.type == CONSTANT for source in sources)
    if only_constants and instruction.name != "mov" and token.sampler is None:
        return 3625
    if len(sources) == 2 and all(source.indirect for source in sources):
        return 3626
    return 3758 if instruction.role == "if" and sources[0] == sources[1] else None
