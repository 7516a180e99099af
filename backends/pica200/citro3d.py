"""A compiled fragment stage as C for citro3d: a function that binds it, and one that sets its constants.

    NAME_bind()             all six stages, inert ones too, buffer, alpha test, fog
    NAME_set(&uniforms)     what the host computes of the uniforms of the GLSL text, generated images among it
    NAME_u_image_UNIT       the texture unit of each sampler
    NAME_tev                the five words of each stage, for programs without citro3d

In: the artifact, and the names that C text has for what its preamble computes.  Out: lines of C99.

Registers of the lighting unit are written as they are: citro3d's own lights are objects that host and library share,
and must not be bound at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from backends.pica200.citro3d_images import image_declarations, image_setting
from backends.pica200.isa.fragment.citro3d.program_calls import Call, calls_of
from backends.pica200.isa.fragment.container import read
from backends.pica200.isa.fragment.decode import decode
from backends.pica200.isa.fragment.encode import colour_word, stage_words, table_writes
from backends.pica200.isa.fragment.entries import FOG_ENTRIES
from backends.pica200.isa.fragment.program import Configuration, Write
from backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from backends.pica200.isa.fragment.registers.fog import FOG_COLOR
from backends.pica200.isa.fragment.tables import TABLES
from compiler.artifact import Artifact
from compiler.target import DriverNames, DriverSource

#: Numbers of constants in the space "tev" beyond the stages' own.
BUFFER, REFERENCE, FOG = 6, 7, 8
#: The space of the fog table.
FOG_SPACE = "fog"
_LETTERS = "xyzw"
_WORDS_IN_A_LINE = 8
#: Registers outside of the stages that `calls_of` has calls for.
_BY_CALLS = frozenset({UPDATE_BUFFER.address, FOG_COLOR.address})


def source(artifact: Artifact, names: DriverNames) -> DriverSource:
    """The lines, to follow the structures and the function of the preamble."""
    return DriverSource("#include <citro3d.h>", tuple(_lines(artifact, names)))


def _lines(artifact: Artifact, names: DriverNames) -> Iterator[str]:
    configuration = decode(read(artifact.binary))
    yield from _units(artifact, names.prefix)
    words = [word for stage in configuration.stages for word in stage_words(stage)]
    yield from _array(f"static const u32 {names.prefix}_tev[{len(words)}]", words)
    if "fog" in configuration.tables:
        yield from _array(f"static C3D_FogLut {names.prefix}_fog", configuration.tables["fog"])
    yield ""
    yield from _bind(names, configuration)
    if artifact.preamble is not None:
        yield ""
        yield from _set(names, configuration, artifact)


def _units(artifact: Artifact, prefix: str) -> Iterator[str]:
    for binding in artifact.reflection.samplers:
        name = binding.name.replace("[]", "").replace(".", "__")
        for location in binding.locations:
            element = "" if binding.length is None else f"_{location.element}"
            yield f"#define {prefix.upper()}_{name}{element}_UNIT {location.index}"


def _array(declaration: str, words: Sequence[int]) -> Iterator[str]:
    braces = ("{{", "}}") if "Lut" in declaration else ("{", "}")
    yield f"{declaration} = {braces[0]}"
    for start in range(0, len(words), _WORDS_IN_A_LINE):
        yield "    " + " ".join(f"0x{word:08X}," for word in words[start : start + _WORDS_IN_A_LINE])
    yield f"{braces[1]};"


# --- Binding ----------------------------------------------------------------------------------------------------------


def _bind(names: DriverNames, configuration: Configuration) -> Iterator[str]:
    yield f"{names.linkage}void {names.prefix}_bind(void)"
    yield "{"
    yield "    C3D_TexEnv *env;"
    for call in calls_of(configuration):
        if call[0] == "C3D_TexEnvInit":
            yield f"    env = C3D_GetTexEnv({str(call[1]).removeprefix('env')});"
        yield f"    {_call_text(call)}"
    if "fog" in configuration.tables:
        yield f"    C3D_FogLutBind(&{names.prefix}_fog);"
    yield from (f"    {_write_text(write)}" for write in _raw_writes(configuration))
    yield f"    (void){names.prefix}_tev;"
    yield "}"


def _call_text(call: Call) -> str:
    name, *arguments = call
    return f"{name}({', '.join(map(_argument_text, arguments))});"


def _argument_text(argument: str | int) -> str:
    if isinstance(argument, int):
        return f"0x{argument:X}" if argument > 9 else str(argument)
    return "env" if argument.startswith("env") else argument


def _raw_writes(configuration: Configuration) -> Iterator[Write]:
    """Registers and tables of the lighting unit, written as they are."""
    yield from (write for write in configuration.unit_writes if write.register not in _BY_CALLS)
    for name, entries in configuration.tables.items():
        if name != "fog":
            yield from table_writes(TABLES[name], entries)


def _write_text(write: Write) -> str:
    return f"GPUCMD_AddMaskedWrite(0x{write.register:03X}, 0x{write.mask:X}, 0x{write.value:08X});"


# --- Setting ----------------------------------------------------------------------------------------------------------


def _set(names: DriverNames, configuration: Configuration, artifact: Artifact) -> Iterator[str]:
    prefix = names.prefix
    yield from (
        f"static {'inline ' if names.linkage else ''}u32 {prefix}_byte(float number)",
        "{",
        "    return !(number > 0.0f) ? 0 : number >= 1.0f ? 255 : (u32)(255.0 * number + 0.5);",
        "}",
        *image_declarations(artifact, prefix),
        "",
        f"{names.linkage}void {prefix}_set(const {prefix}_uniforms *uniforms)",
        "{",
        f"    {prefix}_computed computed;",
        f"    {prefix}_preamble(uniforms, &computed);",
    )
    for index, parts in sorted(_bytes(artifact, names).items()):
        yield f"    {_setter(index, parts, configuration)}"
    yield from (f"    {line}" for line in _fog_table(artifact, names))
    array_of = partial(_array_of, names)
    yield from (f"    {line}" for line in image_setting(artifact, prefix, array_of))
    yield "}"


def _array_of(names: DriverNames, name: str) -> str:
    """What the preamble computes as an array."""
    return f"&{names.component(name, 0)}"


def _fog_table(artifact: Artifact, names: DriverNames) -> Iterator[str]:
    """The fog table of its values at the ends of all lines, of which the library takes values and differences."""
    for name in (b.name for b in artifact.reflection.uniforms if b.locations[0].space == FOG_SPACE):
        yield f"const float *fog = &{names.component(name, 0)};"
        yield f"float fog_lines[{2 * FOG_ENTRIES}];"
        yield f"for (int n = 0; n < {FOG_ENTRIES}; n++) {{"
        yield "    fog_lines[n] = fog[n];"
        yield f"    fog_lines[n + {FOG_ENTRIES}] = fog[n + 1] - fog[n];"
        yield "}"
        yield f"FogLut_FromArray(&{names.prefix}_fog, fog_lines);"
        yield f"C3D_FogLutBind(&{names.prefix}_fog);"


def _bytes(artifact: Artifact, names: DriverNames) -> Mapping[int, dict[str, str]]:
    """Number of a constant -> letter -> expression of its byte."""
    found: dict[int, dict[str, str]] = {}
    places = [(b.name, place) for b in artifact.reflection.uniforms for place in b.locations if place.space == "tev"]
    for name, location in places:
        for place, letter in enumerate(location.components):
            number = names.component(name, location.first + place)
            found.setdefault(location.index, {})[letter] = f"{names.prefix}_byte({number})"
    return found


def _setter(index: int, parts: Mapping[str, str], configuration: Configuration) -> str:
    stages = configuration.stages
    if index < len(stages):
        return f"C3D_TexEnvColor(C3D_GetTexEnv({index}), {_word(parts, colour_word(stages[index].constant))});"
    if index == BUFFER:
        return f"C3D_TexEnvBufColor({_word(parts, colour_word(configuration.buffer_colour))});"
    if index == FOG:
        return f"C3D_FogColor({_word(parts, 0)});"
    assert index == REFERENCE, "there are no other constants"
    ((_, enable, function, _),) = (call for call in calls_of(configuration) if call[0] == "C3D_AlphaTest")
    return f"C3D_AlphaTest({enable}, {function}, (int){parts['x']});"


def _word(parts: Mapping[str, str], rest: int) -> str:
    """Computed bytes, and those that are known."""
    places = {letter: 8 * number for number, letter in enumerate(_LETTERS)}
    known = sum(rest & 0xFF << shift for letter, shift in places.items() if letter not in parts)
    shifted = [f"{parts[letter]} << {shift}" for letter, shift in places.items() if letter in parts]
    return " | ".join([f"0x{known:08X}u", *shifted] if known else shifted)
