"""A compiled shader as C and C++ text: the binary as an array, and a macro for everything that a host binds.

Names begin with a prefix and the name of the GLSL variable: `LIT_u_matrix_REGISTER`; a member is set off by two
underscores (`lights[].pos` gives `lights__pos`), which no name in GLSL holds.  The order is that of the reflection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection
from glslc_multi.compiler.host_code.c_names import CNames, c_name

if TYPE_CHECKING:
    from glslc_multi.compiler.target import Target

_BYTES_IN_A_LINE = 12
_KINDS = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")


def c_source(artifact: Artifact, prefix: str) -> str:
    """A file to compile: the array `<prefix>_code` and its length in bytes."""
    lines = [
        _heading(artifact),
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        *_alignment(),
        f"extern const unsigned char {prefix}_code[{len(artifact.binary)}];",
        f"extern const unsigned long {prefix}_code_size;",
        *_array(f"const unsigned char {prefix}_code", artifact.binary),
        f"const unsigned long {prefix}_code_size = {len(artifact.binary)}ul;",
        "#ifdef __cplusplus",
        "}",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def c_header(artifact: Artifact, prefix: str, target: Target) -> str:
    """A header that needs no other file: the same array, and macros for registers and constants."""
    guard = f"{prefix.upper()}_SHADER_H"
    name = prefix.upper()
    lines = [
        _heading(artifact),
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        *_macros(artifact.reflection, name),
        *_host_macros(artifact, name, target),
        "",
        *_alignment(),
        f"#define {name}_CODE_SIZE {len(artifact.binary)}",
        *_array(f"static const unsigned char {prefix}_code", artifact.binary),
        "",
        f"#endif /* {guard} */",
    ]
    return "\n".join(lines) + "\n"


def _heading(artifact: Artifact) -> str:
    return f"/* {artifact.reflection.stage} shader for {artifact.reflection.target}, made by glslc-multi */"


def _alignment() -> Sequence[str]:
    # Loaders read words of up to 64 bits; an array of bytes may have any alignment.
    return (
        "#ifndef GLSLC_MULTI_ALIGNED",
        "#if defined(__GNUC__)",
        "#define GLSLC_MULTI_ALIGNED __attribute__((aligned(8)))",
        "#else",
        "#define GLSLC_MULTI_ALIGNED",
        "#endif",
        "#endif",
    )


def _array(declaration: str, data: bytes) -> Iterator[str]:
    yield f"{declaration}[{len(data)}] GLSLC_MULTI_ALIGNED = {{"
    for start in range(0, len(data), _BYTES_IN_A_LINE):
        yield "    " + " ".join(f"0x{byte:02x}," for byte in data[start : start + _BYTES_IN_A_LINE])
    yield "};"


# ------------------------------------------------------------------------------------- macros
def _macros(reflection: Reflection, prefix: str) -> Iterator[str]:
    names = CNames()
    for kind in _KINDS:
        bindings: Iterable[Binding] = getattr(reflection, kind)
        for binding in bindings:
            extent = "" if binding.length is None else f"[{binding.length}]"
            yield f"/* {kind[:-1]} {binding.type} {binding.name}{extent} */"
            yield from _places(names.new(f"{prefix}_{_macro_name(binding.name)}"), binding.locations)
    # Constants of the code that the host uploads, as 32-bit patterns.
    if reflection.literals:
        yield f"#define {prefix}_LITERAL_COUNT {len(reflection.literals)}"
    for number, literal in enumerate(reflection.literals):
        place, name = literal.location, f"{prefix}_LITERAL_{number}"
        yield f'#define {name}_SPACE "{place.space}"'
        yield f"#define {name}_REGISTER {place.index}"
        yield f'#define {name}_COMPONENTS "{place.components}"'
        yield f"#define {name}_WORDS {{ {', '.join(f'0x{word:08x}u' for word in literal.words)} }}"
    yield from _stream(reflection, prefix)


def _macro_name(name: str) -> str:
    return c_name(name.replace("[]", "").replace(".", "__"))


def _places(name: str, locations: Sequence[Location]) -> Iterator[str]:
    """Where a value is: a run of registers, or several runs with numbers from 1."""
    runs = _runs(locations)
    for number, run in enumerate(runs, start=1):
        label = name if len(runs) == 1 else f"{name}_{number}"
        yield f'#define {label}_SPACE "{run[0].space}"'
        yield f"#define {label}_REGISTER {run[0].index}"
        yield f"#define {label}_COUNT {len(run)}"
        yield f'#define {label}_COMPONENTS "{run[0].components}"'
        if run[0].transform != "identity":
            yield f'#define {label}_TRANSFORM "{run[0].transform}"'


def _runs(locations: Sequence[Location]) -> list[list[Location]]:
    """Registers that follow each other and are filled alike."""
    runs: list[list[Location]] = []
    for location in locations:
        last = runs[-1][-1] if runs else None
        follows = last is not None and (last.space, last.index + 1, last.components, last.transform) == (
            location.space,
            location.index,
            location.components,
            location.transform,
        )
        if follows:
            runs[-1].append(location)
        else:
            runs.append([location])
    return runs


def _host_macros(artifact: Artifact, prefix: str, target: Target) -> Iterator[str]:
    """State that the host must set, and what else the target tells: numbers, and tables as initialisers."""
    state = artifact.reflection.host_state or {}
    for name, value in state.items():
        number = int(value) if isinstance(value, bool) else value
        yield f"#define {prefix}_STATE_{c_name(name)} " + (f'"{number}"' if isinstance(number, str) else str(number))
    for name, told in target.host_numbers(artifact).items():
        label = f"{prefix}_{c_name(name).upper()}"
        if isinstance(told, int):
            yield f"#define {label} 0x{told:x}u"
            continue
        yield f"/* {name}: {', '.join(told[0]).replace('_', ' ')} */"
        yield f"#define {label}_COUNT {len(told)}"
        yield f"#define {label} {{ {', '.join(f'{{ {_listed(row)} }}' for row in told)} }}"


def _listed(row: Mapping[str, int]) -> str:
    return ", ".join(map(str, row.values()))


def _stream(reflection: Reflection, prefix: str) -> Iterator[str]:
    """The words that the code reads in order, each by its kind and source."""
    if not reflection.stream:
        return
    yield f"#define {prefix}_STREAM_COUNT {len(reflection.stream)}"
    rows = ", ".join(f'{{ "{kind}", "{source}" }}' for kind, source in reflection.stream)
    yield f"#define {prefix}_STREAM {{ {rows} }}"
