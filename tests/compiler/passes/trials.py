"""Trials: modules that can be built again and again, with values to run them on.

They come from the generators of IR and GLSL, or are any module with made-up values.  All inputs are small
dyadic numbers, so that sums and products are exact and can be compared bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import Result, evaluate, value_shape
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.runtime.names import Names, bind, bind_textures
from tests.frontends.glsl.shaders import compile_shader
from tests.generators import glsl, ir
from tests.generators.run_glsl import textures_of

_MAX_STEPS = 200_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A module and its values, as the evaluator takes them."""

    name: str
    build: Callable[[], Module]
    lanes: int
    quads: bool = False
    inputs: Mapping[str, Any] = field(default_factory=dict)
    uniforms: Mapping[str, Any] = field(default_factory=dict)
    textures: Mapping[str, Sequence[Texture]] = field(default_factory=dict)
    #: Outputs that need not agree bit for bit.
    approximate: frozenset[str] = frozenset()

    def run(self, module: Module) -> Result:
        """Values of variables that `module` has lost are left out."""
        inputs, uniforms, textures = (
            {name: value for name, value in values.items() if name in module.variables}
            for values in (self.inputs, self.uniforms, self.textures)
        )
        return evaluate(module, inputs, uniforms, textures, lanes=self.lanes, quads=self.quads, max_steps=_MAX_STEPS)


def ir_trials(seed: int, *, statements: int = 12) -> Iterator[Trial]:
    """Generated modules, endlessly; everything about them is exact."""
    while True:
        yield _ir_trial(seed, statements)
        seed += 1


def _ir_trial(seed: int, statements: int) -> Trial:
    def generate() -> ir.Program:
        return ir.generate(Random(seed), statements=statements, textures=seed % 2 == 0, spans=True)

    program = generate()
    textures = _made_up_textures(program.module, Random(seed))
    return Trial(
        f"IR program {seed}",
        lambda: generate().module,
        program.lanes,
        inputs=program.inputs,
        uniforms=program.uniforms,
        textures=textures,
    )


def glsl_trials(seed: int, *, statements: int = 8) -> Iterator[Trial]:
    """Generated shaders, endlessly, vertex and fragment in turn."""
    while True:
        yield _glsl_trial(seed, statements)
        seed += 1


def _glsl_trial(seed: int, statements: int) -> Trial:
    stage: glsl.Stage = "vertex" if seed % 2 else "fragment"
    program = glsl.generate(Random(seed), stage, statements)
    name = f"GLSL program {seed}"

    def build() -> Module:
        return compile_shader(program.source, filename=name, stage=stage, sink=DiagnosticSink())

    module = build()
    storages = ("varying", "input") if stage == "fragment" else ("attribute", "input")
    return Trial(
        name,
        build,
        glsl.LANES,
        quads=program.quads,
        inputs=bind(_names("input", module, storages), program.inputs, lanes=glsl.LANES, fill=True),
        uniforms=bind(_names("uniform", module, ("uniform",)), program.uniforms, lanes=None, fill=True),
        textures=bind_textures(_names("sampler", module, ("sampler",)), textures_of(program), fill=True),
        approximate=frozenset(output for output, is_exact in program.outputs.items() if not is_exact),
    )


def _names(kind: str, module: Module, storages: Sequence[str]) -> Names:
    variables = [variable for variable in module.variables.values() if variable.storage in storages]
    declared_as = ("uniform",) if kind == "sampler" else storages
    return Names(kind, variables, [d for d in module.declarations if d.storage in declared_as])


def module_trial(name: str, build: Callable[[], Module], seed: int = 0) -> Trial:
    """Any module, with made-up values for whatever it reads."""
    module, random, lanes = build(), Random(seed), 8
    inputs: dict[str, Array] = {}
    uniforms: dict[str, Array] = {}
    written = set(module.outputs())
    for variable in module.interface():
        if variable.storage == "uniform":
            uniforms[variable.name] = _made_up_value(variable, value_shape(variable), random)
        elif variable.storage != "sampler" and variable not in written:
            inputs[variable.name] = _made_up_value(variable, (lanes, *value_shape(variable)), random)
    return Trial(
        name,
        build,
        lanes,
        quads=module.stage == "fragment",
        inputs=inputs,
        uniforms=uniforms,
        textures=_made_up_textures(module, random),
        approximate=frozenset(variable.name for variable in written),
    )


def _made_up_value(variable: Variable, shape: tuple[int, ...], random: Random) -> Array:
    draw: dict[str, Callable[[], float]] = {
        "float": lambda: random.randint(-16, 16) / 4,
        "int": lambda: random.randint(-4, 4),
        "bool": lambda: random.randint(0, 1),
    }
    count = int(np.prod(shape))
    return np.array([draw[variable.type.kind]() for _ in range(count)]).reshape(shape)


def _made_up_textures(module: Module, random: Random) -> dict[str, list[Texture]]:
    """Textures of quarters, without filtering."""
    samplers = [variable for variable in module.variables.values() if variable.storage == "sampler"]
    return {sampler.name: [_made_up_texture(sampler, random) for _ in range(sampler.length)] for sampler in samplers}


def _made_up_texture(sampler: Variable, random: Random) -> Texture:
    kind = SAMPLER_KINDS[sampler.type.kind]
    shape = (*(6 if axis == "faces" else 4 for axis in KINDS[kind.image_kind].axes), 4)
    numbers = np.array([random.randint(0, 4) for _ in range(int(np.prod(shape)))]).reshape(shape)
    if kind.texel != "float":
        dtype = np.int32 if kind.texel == "int" else np.uint32
        return Texture(numbers.astype(dtype), kind=kind.image_kind, texels=kind.texel)
    return Texture(numbers / 4, kind=kind.image_kind, compare="lequal" if kind.is_shadow else "")
