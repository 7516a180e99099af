"""Keys of the register map that only this target has: the states of samplers, and the keys of glsl2agal, for loaders
that read its JSON (reference section 5).

`varnames`: name in the source -> first register; `consts`: register -> numbers of a literal register; `types` and
`storage`: register -> type in the source and kind of variable; `agalasm`: the text; `info`: messages, none here.
"""

from __future__ import annotations

import struct

from glslc_multi.backends.agal.isa.program import Program, samplers_of
from glslc_multi.backends.agal.isa.sampler_options import BIAS_STEPS, IGNORE_SAMPLER, spell_states
from glslc_multi.compiler.artifact import Binding, Reflection


def sampler_states(program: Program) -> list[dict[str, object]]:
    """How the code reads each of its samplers; textures that it does not read must not be set (runtime error 3697)."""
    return [
        {
            "register": number,
            **spell_states(sampler),
            "bias": sampler.bias / BIAS_STEPS,
            "ignored": bool(sampler.special & IGNORE_SAMPLER),
        }
        for number, sampler in sorted(samplers_of(program).items())
    ]


def loader_map(reflection: Reflection, text: str) -> dict[str, object]:
    is_vertex = reflection.stage == "vertex"
    kinds: list[tuple[tuple[Binding, ...], str]] = [
        ((*reflection.attributes, *reflection.inputs), "ir_var_in"),
        (reflection.uniforms, "ir_var_uniform"),
        (reflection.samplers, "ir_var_uniform"),
        (reflection.varyings, "ir_var_out" if is_vertex else "ir_var_in"),
        (reflection.outputs, "ir_var_out"),
    ]
    names: dict[str, str] = {}
    types: dict[str, str] = {}
    storage: dict[str, str] = {}
    for bindings, kind in kinds:
        for binding in bindings:
            first = min(binding.locations, key=lambda location: location.index)
            register = _register(first.space, first.index)
            names[binding.name] = register
            types[register], storage[register] = binding.type, kind
    consts = {
        _register(literal.location.space, literal.location.index): _numbers(literal.location.components, literal.words)
        for literal in reflection.literals
    }
    return {"varnames": names, "consts": consts, "types": types, "storage": storage, "agalasm": text, "info": ""}


def _register(space: str, index: int) -> str:
    return space if space in ("op", "oc", "od") and index == 0 else f"{space}{index}"


def _numbers(components: str, words: tuple[int, ...]) -> list[float]:
    values = [0.0] * 4
    for letter, word in zip(components, words, strict=True):
        values["xyzw".index(letter)] = struct.unpack("<f", struct.pack("<I", word))[0]
    return values
