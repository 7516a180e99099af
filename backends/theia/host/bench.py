"""The form `bench`: a Python program that writes what the test bench of the open hardware reads.

In: a pixel shader for trunk.  Out: `PREFIX.py` with the code and the places of uniforms, rules of make, and the modules
that all such programs share, which are written as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from keyword import iskeyword
from math import isfinite
from pathlib import Path

from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.conventions import CODE_SPACE, ROW_SPACE, SCENE_SPACE, SCENE_VALUES, TARGET_NAME
from glslc_multi.backends.theia.isa.program import ENTRIES, FIRMWARE, LIMITS
from glslc_multi.compiler.artifact import Binding, Reflection
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.usage import HOST_FORM_CANNOT
from glslc_multi.compiler.host_code.places import size_of, sources_of
from glslc_multi.compiler.host_code.preamble_calls import CallSyntax, call_lines
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import computed_of, host_uniforms
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.records import replace

FORM = "bench"
_FOLDER = Path(__file__).parent
#: Modules that programs share; the second one is for those that compute uniforms (`-fpreamble`).
_SHARED = ("theia_bench", "theia_numbers")
#: What the bench's host gives to no core.
_NEVER_FED = frozenset({"LightPosition", "LightDiffuse"})
#: Values of the scene that are one for the whole picture -> key of a description.
_SETTABLE = {"CameraPosition": "camera", "Resolution": "size"}
_PYTHON = CallSyntax(
    declared=dict.fromkeys(("float", "int", "bool"), "{name} = {value}"),
    end="",
    choice="{yes} if {condition} else {no}",
    words={"true": "True", "false": "False", "nan": "NAN", "inf": "INF"},
)


def host_files(program: HostProgram, sink: DiagnosticSink) -> Sequence[HostFile]:
    """The files; what the bench cannot do is reported, and none come out."""
    for cannot, remedy in _refusals(program):
        sink.report(HOST_FORM_CANNOT, help=remedy, form=FORM, cannot=cannot)
    sink.raise_if_errors()
    artifact = program.stages["fragment"]
    code, compute, fed = unpack(artifact.binary), _compute(artifact.preamble), dict(_of_scene(artifact.reflection))
    uniforms = {binding.name for binding in artifact.reflection.uniforms}
    settable = {name: _SETTABLE[value] for name, value in fed.items() if name in uniforms and value in _SETTABLE}
    values = {
        "PREFIX": program.prefix,
        "IMPORTS": ["from theia_numbers import *"] if compute else [],
        "INPUTS": [f'"{name}": "{value}",' for name, value in fed.items()],
        "COMPUTE": compute,
        "TABLE": [f"0x{code.entries.get(name, FIRMWARE[code.variant][name]):04x},  # {name}" for name in ENTRIES],
        "WORDS": [f"0x{word:016x}," for word in code.words],
        "UNIFORMS": list(_uniforms(program, computed_of(artifact))),
        "OF_SCENE": [f'"{name}": "{key}",' for name, key in settable.items()],
        "COMPUTED": "_compute" if compute else "None",
    }
    rules = {"PREFIX": program.prefix, "NAME": program.prefix.upper()}
    shared = _SHARED if compute else _SHARED[:1]
    return [
        HostFile(f"{program.prefix}.py", fill(_FOLDER / "program.py.in", values)),
        HostFile(f"{program.prefix}.mk", fill(_FOLDER / "rules.mk.in", rules)),
        *(HostFile(f"{name}.py", (_FOLDER / f"{name}.py").read_bytes()) for name in shared),
    ]


# --- What the bench cannot do -----------------------------------------------------------------------------------------


def _refusals(program: HostProgram) -> Iterator[tuple[str, str]]:
    """What the bench cannot do with a program, each with a remedy."""
    artifact = program.stages["fragment"]
    reflection = artifact.reflection
    if program.prefix in _SHARED or iskeyword(program.prefix):
        yield f"have the name {program.prefix}", "another one with --prefix"
    # The others have more room for code, or a firmware at other addresses.
    limits = artifact.reflection.limits or {}
    if not (limits["instructions"][1] == LIMITS["trunk"] and unpack(artifact.binary).variant == "trunk"):
        yield "run code of other variants than trunk", "leave out --variant: the bench of trunk is what is public"
    if any("w" in location.components for binding in reflection.outputs for location in binding.locations):
        yield "show what was compiled with --output=raw", "leave out --output: the bench shows three channels"
    for binding in (*reflection.varyings, *reflection.inputs):
        if binding.locations and all(place.space == ROW_SPACE for place in binding.locations):
            remedy = f"a varying can be bound to a value of the scene: --bind {binding.name}=TexCoord"
            if binding.name.startswith("gl_"):
                remedy = "a uniform or a value of the scene can stand for it"
            yield f"give the shader {binding.name}: nothing on the chip computes it", remedy
    scene_names = {f"{TARGET_NAME}_{value}" for value in SCENE_VALUES}
    for name in scene_names & (artifact.preamble.variables.keys() if artifact.preamble else set()):
        yield f"compute on the host what depends on {name}, a value of the scene", "leave out -fpreamble"
    for name, value in _of_scene(reflection):
        if value in _NEVER_FED:
            yield f"give the shader {name}: its host loads no lights", "a uniform of another name can have the value"


# --- The lines of the program -----------------------------------------------------------------------------------------


def _of_scene(reflection: Reflection) -> Iterator[tuple[str, str]]:
    """Names of the shader that are values of the scene."""
    for binding in (*reflection.varyings, *reflection.inputs, *reflection.uniforms):
        for location in binding.locations:
            if location.space == SCENE_SPACE:
                yield binding.name, SCENE_VALUES[location.index]


def _uniforms(program: HostProgram, computed: Sequence[Binding]) -> Iterator[str]:
    """An entry for each value that the code, or what is computed for it, takes."""
    for uniform in host_uniforms(program.stages):
        binding = uniform.places.get("fragment") or Binding(uniform.name, uniform.type, uniform.length, ())
        if all(location.space == CODE_SPACE for location in binding.locations):
            yield _entry(replace(binding, default=uniform.default))
    yield from map(_entry, computed)


def _entry(binding: Binding) -> str:
    value = "".join(f"{_number(float(number))}, " for number in binding.default or (0,) * size_of(binding))
    places = tuple((location.index, sources_of(location, binding)[0]) for location in binding.locations)
    shown = ", ".join(f"(0x{address:04x}, {number})" for address, number in places)
    places_text = f"({shown},)" if places else "()"
    return f'"{binding.name}": theia_bench.Uniform("{binding.type}", {binding.length}, ({value}), {places_text}),'


def _number(number: float) -> str:
    return repr(number) if isfinite(number) else f'float("{number}")'


def _compute(preamble: Module | None) -> list[str]:
    if preamble is None:
        return []
    arrays = {variable: f'values["{variable.name}"]' for variable in preamble.variables.values()}
    body = [f"    {line}" for line in call_lines(preamble, arrays, _PYTHON)]
    return ["", "def _compute(values):", '    """What the code takes of uniforms."""', *body, ""]
