"""The file of a program: what its words tell, and what a compiler knows besides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from glslc_multi.backends.xenos.isa import container, register_words
from glslc_multi.backends.xenos.isa.container import Element, File, Interpolator
from glslc_multi.backends.xenos.isa.usages import TEXCOORD, USAGES, default_usage
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.container import SLOT_BYTES
from glslc_multi.backends.xenos_family.isa.operands import decode_alu
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.register_words import (
    context_misc,
    exports_of,
    fragment_control,
    interpolator_control,
    stage_of,
    vertex_control,
)
from glslc_multi.backends.xenos_family.isa.registers import (
    COMPONENT_COUNT,
    CONSTANT_SPACE,
    CONSTANTS,
    LOOP_SPACE,
    PARAMETERS,
)
from glslc_multi.compiler.artifact import Literal32, Location
from glslc_multi.compiler.isa.components import COMPONENTS

#: Where the literals of a file go that are no floats: four times the dword after those of bools.
FIRST_LOOP_WORD = 0x2320
Literals = tuple[tuple[int, tuple[int, ...]], ...]


def vertex_file(
    program: Program, registers: int, elements: Iterable[Element], floats: Literals = (), integers: Literals = ()
) -> File:
    """The file of a vertex program."""
    exports = exports_of(program)
    parameters = {number: rows for number, rows in sorted(exports.items()) if number < PARAMETERS}
    slots = [[slot for slot, _ in rows] for rows in parameters.values()]
    masks = {number: _union(mask for _, mask in rows) for number, rows in parameters.items()}
    starts = container.first_exports(slots)
    return File(
        "vertex",
        code_of(program),
        vertex_control(registers, exports),
        0,
        _interpolators_word(masks),
        tuple(elements),
        tuple(
            Interpolator(TEXCOORD, number, number, masks[number], start)
            for number, start in zip(parameters, starts, strict=True)
        ),
        container.exports_of(slots),
        floats=floats,
        integers=integers,
    )


def fragment_file(
    program: Program,
    registers: int,
    masks: Mapping[int, int],
    position_register: int | None = None,
    floats: Literals = (),
    integers: Literals = (),
) -> File:
    """The file of a fragment program; `masks` are the components of each register that an interpolator fills."""
    exports = exports_of(program)
    return File(
        "fragment",
        code_of(program),
        fragment_control(registers, exports, position_register),
        context_misc(position_register),
        _interpolators_word(masks),
        interpolators=tuple(Interpolator(TEXCOORD, number, number, mask) for number, mask in sorted(masks.items())),
        interpolator_control=interpolator_control(len(masks)),
        outputs=register_words.outputs_word(exports, _kills(program)),
        floats=floats,
        integers=integers,
    )


def assembled_file(program: Program) -> File:
    """The file of a program of which nothing but its words is known: fetch n is attribute n."""
    stage = stage_of(exports_of(program))
    if stage == "fragment":
        return fragment_file(program, _registers_of(program), {})
    elements = [Element(slot, *default_usage(number)) for number, slot in enumerate(vertex_fetches_of(program))]
    return vertex_file(program, _registers_of(program), elements)


def vertex_fetches_of(program: Program) -> list[int]:
    """Slots of vertex fetches, in order."""
    fetches = sorted({issue.slot for issue in program.issues() if issue.is_fetch})
    rows = ((slot, program.isa.decode_fetch(program.instruction(slot) or 0)[0]) for slot in fetches)
    return [slot for slot, row in rows if row is not None and row.kind == "vertex"]


def names_of(file: File) -> dict[int, str]:
    """Return what fetches read, by slot: `position`, `texcoord1`."""
    return {
        row.slot: USAGES[row.usage].lower() + (str(row.usage_index) if row.usage_index or row.usage == TEXCOORD else "")
        for row in file.elements
        if row.usage < len(USAGES)
    }


def literals_of(file: File) -> tuple[Literal32, ...]:
    """Return the constants that a file brings."""
    first, count = 0 if file.stage == "vertex" else CONSTANTS, COMPONENT_COUNT
    literals = [
        Literal32(Location(CONSTANT_SPACE, register - first + at // count, COMPONENTS), words[at : at + count])
        for register, words in file.floats
        for at in range(0, len(words) - count + 1, count)
    ]
    literals += [
        Literal32(Location(LOOP_SPACE, (register - FIRST_LOOP_WORD) // 4 + at, "x"), (word,))
        for register, words in file.integers
        if register >= FIRST_LOOP_WORD
        for at, word in enumerate(words)
    ]
    return tuple(literals)


def code_of(program: Program) -> bytes:
    """The slots of a program."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "little") for slot in program.slots)


def _interpolators_word(masks: Mapping[int, int]) -> int:
    return register_words.interpolators_word(len(masks), sum(mask.bit_count() for mask in masks.values()))


def _union(masks: Iterable[int]) -> int:
    mask_ = 0
    for mask in masks:
        mask_ |= mask
    return mask_


def _kills(program: Program) -> bool:
    words = (program.instruction(issue.slot) for issue in program.issues() if not issue.is_fetch)
    for word in (word for word in words if word is not None):
        fields = formats.ALU.decode(word)
        rows = (
            instructions.VECTOR_BY_CODE.get(fields["vector_op"]),
            instructions.SCALAR_BY_CODE.get(fields["scalar_op"]),
        )
        if any(row is not None and row.kills is not None for row in rows):
            return True
    return False


def _registers_of(program: Program) -> int:
    """One more than the highest register that words name."""
    return 1 + max((number for numbers in _named(program) for number in numbers), default=0)


def _named(program: Program) -> Iterator[Collection[int]]:
    for issue in program.issues():
        word = program.instruction(issue.slot) or 0
        if issue.is_fetch:
            fields = program.isa.decode_fetch(word)[1]
            yield fields["src_reg"], fields["dst_reg"]
        elif (found := decode_alu(word)) is not None:
            sources: Sequence[object] = (*found.vector_sources, *found.scalar_sources)
            yield [source.number for source in found.vector_sources + found.scalar_sources if source.is_register]
            if not found.fields["export"] and sources:
                yield found.fields["vector_dest"], found.fields["scalar_dest"]
