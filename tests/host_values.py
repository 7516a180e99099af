"""Values for all uniforms of a compiled program, drawn by a seed: for generated setters, flat as OpenGL takes them, and
for `glslc_multi.runtime.program`, which is the second opinion on where they go."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import product
from typing import TypeAlias

import numpy as np

from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.host_code.places import size_of
from glslc_multi.compiler.host_code.uniforms import HostUniform
from glslc_multi.compiler.lowering.interface.window import VIEWPORT
from glslc_multi.runtime.program import UniformValues
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader

#: What finds reads and writes beside what is there, in generated code; and the environment of such programs, which need
#: not free all memory.
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SANITIZED = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
Flat: TypeAlias = "list[float] | list[int]"
#: How the setters of C call the elements of arrays.
_ELEMENTS = {"int": "int32_t", "uint": "uint32_t", "bool": "int", "float": "float"}


def stages_of(made: CompiledShader | CompiledProgram) -> dict[str, Artifact]:
    shaders = made.stages.values() if isinstance(made, CompiledProgram) else (made,)
    return {shader.reflection.stage: shader.artifact for shader in shaders}


def drawn(uniforms: Iterable[HostUniform], seed: int) -> dict[str, Flat]:
    """By name: halves and quarters, which every number format holds, and ints that loops can count to."""
    random = np.random.default_rng(seed)
    values: dict[str, Flat] = {}
    for uniform in uniforms:
        binding = _binding(uniform)
        count = size_of(binding)
        if binding.kind == "float":
            values[uniform.name] = [float(number) / 8 for number in random.integers(-99, 300, count)]
        else:
            low, high = {"bool": (0, 2), "int": (-9, 300), "uint": (0, 300)}[binding.kind]
            values[uniform.name] = [int(number) for number in random.integers(low, high, count)]
    return values


def give(uploaded: UniformValues, uniforms: Iterable[HostUniform], values: Mapping[str, Flat]) -> None:
    """To the runtime: by GLSL names, elements one by one."""
    for uniform in uniforms:
        value = values[uniform.name]
        dims = uploaded.program.names.leaves[uniform.name].dims
        size = len(value) // (uniform.length or 1)
        template = uniform.name.replace("[]", "[{}]") + "[{}]" * (len(dims) - uniform.name.count("[]"))
        for number, indices in enumerate(product(*(range(length) for length in dims))):
            element = value[number * size : (number + 1) * size]
            uploaded[template.format(*indices)] = element if size > 1 else element[0]


def setter_call(function: str, uniform: HostUniform, value: Flat) -> str:
    """A call of a generated setter in C."""
    if uniform.name == VIEWPORT:
        width, height, x, y = map(float, value)
        value = [x - width, y - height, 2 * width, 2 * height]
        return f"{function}(program, {', '.join(f'{number.hex()}f' for number in value)});"
    numbers = [number.hex() + "f" if isinstance(number, float) else str(number) for number in value]
    if uniform.length is None and len(value) == 1:
        return f"{function}(program, {numbers[0]});"
    place = "" if uniform.length is None else f"0, {uniform.length}, "
    return f"{function}(program, {place}(const {element_type(uniform)}[]){{{', '.join(numbers)}}});"


def element_type(uniform: HostUniform) -> str:
    """In C."""
    return _ELEMENTS[_binding(uniform).kind]


def _binding(uniform: HostUniform) -> Binding:
    return Binding(uniform.name, uniform.type, uniform.length, ())
