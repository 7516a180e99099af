"""A compiled fragment stage as calls of citro3d: what binds it, and what sets the constants that the host computes.

In: the artifact, and C expressions for what its preamble computes.  Out: lines of C99, to stand in functions.

Registers of the lighting unit are written as they are (`lighting.py`): citro3d's own lights are objects that host and
library share, and must not be bound at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.host.calls import calls_of
from glslc_multi.backends.pica200.host.images import image_declarations, image_setting
from glslc_multi.backends.pica200.host.lighting import computed_tables, light_functions, light_setting, register_text
from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import decode
from glslc_multi.backends.pica200.isa.fragment.encode import colour_word
from glslc_multi.backends.pica200.isa.fragment.entries import FOG_ENTRIES, LIGHT_ENTRIES
from glslc_multi.backends.pica200.isa.fragment.program import Configuration, Write
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.fog import FOG_COLOR
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.records import dataclass

#: Numbers of constants in the space "tev" beyond the stages' own.
BUFFER, REFERENCE, FOG = 6, 7, 8
#: The spaces of the fog table, and of whether anything is drawn.
FOG_SPACE, DRAW_SPACE = "fog", "draw"
_LETTERS = "xyzw"
_WORDS_IN_A_LINE = 8
_BYTE = """static inline u32 {prefix}_byte(float number)
{{
    return !(number > 0.0f) ? 0 : number >= 1.0f ? 255 : (u32)(255.0 * number + 0.5);
}}

"""
#: Registers outside of the stages that `calls_of` has calls for.
_BY_CALLS = frozenset({UPDATE_BUFFER.address, FOG_COLOR.address})


def unit_macros(artifact: Artifact, prefix: str) -> Iterator[str]:
    """The texture unit of each sampler, as C3D_TexBind takes it."""
    names = CNames()
    varyings = (place.space for binding in artifact.reflection.varyings for place in binding.locations)
    is_projected = "texcoord0w" in varyings
    for binding in artifact.reflection.samplers:
        for number, location in enumerate(binding.locations):
            element = "" if binding.length is None else f"_{location.element}"
            again = [place for place in binding.locations[:number] if place.element == location.element]
            label = f"{prefix.upper()}_{member_name(binding.name)}{element}"
            remark = "the same image again, at other coordinates" if again else f"{binding.type} {binding.name}"
            if is_projected and location.index == 0 and binding.type != "samplerCube":
                remark += ", made with GPU_TEX_PROJECTION"
            yield f"#define {names.new(f'{label}_UNIT')} {location.index} /* {remark} */"


@dataclass(frozen=True, slots=True)
class FragmentStage:
    """What templates take of a fragment stage."""

    #: Declarations outside of functions.
    tables: tuple[str, ...]
    #: Statements that set everything up.
    binding: tuple[str, ...]
    #: Statements that set what the host computes, with the type of a colour's byte from `PREFIX_byte`.
    setting: tuple[str, ...]


def fragment_stage(artifact: Artifact, prefix: str, computed: Mapping[str, str]) -> FragmentStage:
    """`computed` has, by name, expressions for arrays of what the preamble computes."""
    configuration = decode(read(artifact.binary))
    tables: list[str] = []
    if "fog" in configuration.tables:
        tables += _array(f"static C3D_FogLut {prefix}_fog", configuration.tables["fog"], braces=2)
    fixed = [name for name in configuration.tables if name not in ("fog", *computed_tables(artifact))]
    for name in fixed:
        tables += _array(f"static const u32 {prefix}_table_{name}[{LIGHT_ENTRIES}]", configuration.tables[name])
    setting = list(_set(artifact, prefix, configuration, computed))
    lights = list(light_setting(artifact, prefix, configuration, computed))
    images = list(image_setting(artifact, prefix, computed))
    if setting or images:
        tables += _BYTE.format(prefix=prefix).splitlines()
    tables += image_declarations(artifact, prefix)
    if lights:
        tables += light_functions(prefix)
    return FragmentStage(
        tables=tuple(tables),
        binding=tuple(_bind(prefix, configuration, fixed)),
        setting=(*setting, *lights, *images),
    )


def _array(declaration: str, words: Sequence[int], braces: int = 1) -> Iterator[str]:
    yield f"{declaration} = {'{' * braces}"
    for start in range(0, len(words), _WORDS_IN_A_LINE):
        yield "    " + " ".join(f"0x{word:08X}," for word in words[start : start + _WORDS_IN_A_LINE])
    yield f"{'}' * braces};"


# --- Binding ----------------------------------------------------------------------------------------------------------


def _bind(prefix: str, configuration: Configuration, tables: Sequence[str]) -> Iterator[str]:
    yield "C3D_TexEnv *env;"
    for call in calls_of(configuration):
        if call[0] == "C3D_TexEnvInit":
            yield f"env = C3D_GetTexEnv({str(call[1]).removeprefix('env')});"
        name, *arguments = call
        yield f"{name}({', '.join(map(_argument_text, arguments))});"
    if "fog" in configuration.tables:
        yield f"C3D_FogLutBind(&{prefix}_fog);"
    # Registers and tables of the lighting unit are written as they are.
    yield from (_write_text(write) for write in configuration.unit_writes if write.register not in _BY_CALLS)
    for name in tables:
        yield _write_text(Write(TABLES[name].index_register, TABLES[name].first))
        data = register_text(TABLES[name].data_register)
        yield f"GPUCMD_AddWrites({data}, {prefix}_table_{name}, {LIGHT_ENTRIES});"


def _argument_text(argument: str | int) -> str:
    if isinstance(argument, int):
        return f"0x{argument:X}" if argument > 9 else str(argument)
    return "env" if argument.startswith("env") else argument


def _write_text(write: Write) -> str:
    return f"GPUCMD_AddMaskedWrite({register_text(write.register)}, 0x{write.mask:X}, 0x{write.value:08X});"


# --- Setting ----------------------------------------------------------------------------------------------------------


def _set(artifact: Artifact, prefix: str, configuration: Configuration, computed: Mapping[str, str]) -> Iterator[str]:
    # Number of a constant -> letter -> expression of its byte.
    bytes: dict[int, dict[str, str]] = {}
    places = [(b.name, place) for b in artifact.reflection.uniforms for place in b.locations if place.space == "tev"]
    for name, location in places:
        for place, letter in enumerate(location.components):
            number = f"{computed[name]}[{location.first + place}]"
            bytes.setdefault(location.index, {})[letter] = f"{prefix}_byte({number})"
    for index, parts in sorted(bytes.items()):
        if index != REFERENCE:
            yield _setter(index, parts, configuration)
    drawn = [computed[b.name] for b in artifact.reflection.uniforms if b.locations[0].space == DRAW_SPACE]
    yield from _alpha_test(configuration, bytes.get(REFERENCE, {}).get("x"), *drawn)
    # The fog table of its values at the ends of all lines, of which the library takes values and differences.
    for name in (b.name for b in artifact.reflection.uniforms if b.locations[0].space == FOG_SPACE):
        yield f"const float *fog = {computed[name]};"
        yield f"float fog_lines[{2 * FOG_ENTRIES}];"
        yield f"for (int n = 0; n < {FOG_ENTRIES}; n++) {{"
        yield "    fog_lines[n] = fog[n];"
        yield f"    fog_lines[n + {FOG_ENTRIES}] = fog[n + 1] - fog[n];"
        yield "}"
        yield f"FogLut_FromArray(&{prefix}_fog, fog_lines);"
        yield f"C3D_FogLutBind(&{prefix}_fog);"


def _alpha_test(configuration: Configuration, reference: str | None, drawn: str | None = None) -> Iterator[str]:
    """The test with a reference that is computed; one that nothing passes where nothing is to be drawn."""
    ((_, enable, function, known),) = (call for call in calls_of(configuration) if call[0] == "C3D_AlphaTest")
    test = f"C3D_AlphaTest({enable}, {function}, {known if reference is None else f'(int){reference}'});"
    if drawn is not None:
        yield f"if (!({drawn}[0] > 0.5f))"
        yield "    C3D_AlphaTest(true, GPU_NEVER, 0);"
        yield "else"
        yield f"    {test}"
    elif reference is not None:
        yield test


def _setter(index: int, parts: Mapping[str, str], configuration: Configuration) -> str:
    stages = configuration.stages
    if index < len(stages):
        return f"C3D_TexEnvColor(C3D_GetTexEnv({index}), {_word(parts, colour_word(stages[index].constant))});"
    if index == BUFFER:
        return f"C3D_TexEnvBufColor({_word(parts, colour_word(configuration.buffer_colour))});"
    assert index == FOG, "there are no other colours"
    return f"C3D_FogColor({_word(parts, 0)});"


def _word(parts: Mapping[str, str], rest: int) -> str:
    """Computed bytes, and those that are known."""
    places = {letter: 8 * number for number, letter in enumerate(_LETTERS)}
    known = sum(rest & 0xFF << shift for letter, shift in places.items() if letter not in parts)
    shifted = [f"{parts[letter]} << {shift}" for letter, shift in places.items() if letter in parts]
    return " | ".join([f"0x{known:08X}u", *shifted] if known else shifted)
