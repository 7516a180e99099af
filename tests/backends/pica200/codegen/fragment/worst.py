"""Looks for the inputs of which a fragment shader is farthest from its meaning, in one rounding or the other.

    python -m tests.backends.pica200.codegen.fragment.worst --count 3000 --seed 1

In: generated shaders.  Many pixels start at random and at corners; the worst of them are changed a little, again and
again, and so are the uniforms.  What is found must not be above what the compiler states.
The last line is "N passed, M failed, K refused".
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

import glslc_multi
from glslc_multi.backends.pica200.isa.fragment.rounding import ROUNDINGS
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.runtime.shader import CompiledShader
from glslc_multi.runtime.textures import Texture
from tests.backends.pica200.codegen.fragment.pixels import Array, bound_of
from tests.generators.combiners import ROUNDED, fitting_shader

#: Pixels that are looked at together, and how many of them the next ones are made of.
_LANES, _PARENTS = 512, 24
#: How often the pixels of the same uniforms are changed, and how often other uniforms are tried.
_GENERATIONS, _DRAWS = 4, 4
#: What single precision does to numbers of the host and of the meaning.
NOISE = 2e-3
#: Bytes on whose both sides something changes.
_EDGES = np.array([0, 1, 127, 128, 254, 255], np.uint8)
_STEPS = np.array([-16, -3, -2, -1, 1, 2, 3, 16])


@dataclass(frozen=True)
class Draw:
    """What a shader is run with: bytes of pixels by name of the varying or the sampler, and uniforms."""

    pixels: Mapping[str, Array]
    uniforms: Mapping[str, Array]


def largest_difference(shader: CompiledShader, random: Random) -> float:
    """The largest difference from the shader's meaning that is found, in steps of 1/255."""
    lanes = np.random.default_rng(random.randrange(1 << 30))
    best: Draw | None = None
    most = 0.0
    for number in range(_DRAWS):
        uniforms = _uniforms(shader, random, None if best is None or number % 2 else best.uniforms)
        draw = Draw(_pixels(shader, lanes) if best is None or number % 3 else best.pixels, uniforms)
        for _ in range(_GENERATIONS):
            errors = _errors(shader, draw)
            if errors.max() > most:
                best, most = draw, float(errors.max())
            draw = replace(draw, pixels=_changed(draw.pixels, errors, lanes))
    return most


def _variables(shader: CompiledShader, storage: str) -> list[Any]:
    return [v for v in shader.module.variables.values() if v.storage == storage]


def _uniforms(shader: CompiledShader, random: Random, old: Mapping[str, Array] | None) -> dict[str, Array]:
    """Numbers of 0 to 1; bytes, and what is just beside the middle of two, are the more likely ones."""
    found: dict[str, Array] = {}
    for variable in _variables(shader, "uniform"):
        shape = tuple(n for n in (variable.length if variable.is_array else 1, variable.type.width) if n > 1)
        numbers = np.array([_number(random) for _ in range(int(np.prod(shape)))]).reshape(shape)
        keep = np.array([random.random() < 0.7 for _ in range(numbers.size)]).reshape(shape)
        found[variable.name] = numbers if old is None else np.where(keep, old[variable.name], numbers)
    return found


def _number(random: Random) -> float:
    step = random.randrange(256) + random.choice((0.0, 0.0, 0.499, 0.501, 0.5))
    return min(random.choice((0.0, 1.0, random.random(), step / 255, step / 255)), 1.0)


def _pixels(shader: CompiledShader, lanes: np.random.Generator) -> dict[str, Array]:
    found = {}
    for variable in _variables(shader, "varying") + _variables(shader, "sampler"):
        bytes_ = lanes.integers(0, 256, (_LANES, 4), np.uint8)
        edges = lanes.choice(_EDGES, (_LANES, 4))
        found[variable.name] = np.where(lanes.random((_LANES, 1)) < 0.4, edges, bytes_)
    return found


def _changed(pixels: Mapping[str, Array], errors: Array, lanes: np.random.Generator) -> dict[str, Array]:
    """Children of the worst pixels, which stay themselves."""
    parents = np.argsort(errors)[-_PARENTS:]
    chosen = np.concatenate([parents, lanes.choice(parents, _LANES - _PARENTS)])
    found = {}
    for name, old in pixels.items():
        moved = np.clip(old[chosen].astype(int) + lanes.choice(_STEPS, old.shape), 0, 255)
        other = np.where(lanes.random(old.shape) < 0.5, moved, lanes.integers(0, 256, old.shape))
        is_new = lanes.random(old.shape) < 0.3
        is_new[:_PARENTS] = False
        found[name] = np.where(is_new, other, old[chosen]).astype(np.uint8)
    return found


def _errors(shader: CompiledShader, draw: Draw) -> Array:
    """Of each pixel that is drawn."""
    place = np.stack([(np.arange(_LANES) + 0.5) / _LANES, np.full(_LANES, 0.5)], axis=1)
    varyings = {}
    for v in _variables(shader, "varying"):
        value = place if "uv" in v.name else draw.pixels[v.name] / 255
        varyings[v.name] = value[:, 0] if v.type.width == 1 else value[:, : v.type.width]
    textures = {v.name: Texture(draw.pixels[v.name][None]) for v in _variables(shader, "sampler")}
    uniforms = {name: float(x) if x.ndim == 0 else x.tolist() for name, x in draw.uniforms.items()}
    meant, found = (shader.run(varyings, uniforms, textures, engine=e) for e in ("reference", "simulator"))
    apart = np.abs(np.clip(meant["gl_FragColor"], 0.0, 1.0) - found["gl_FragColor"]).max(axis=1)
    return np.where(found["discarded"] | meant["discarded"], 0.0, 255 * apart)


def outcome(text: str, random: Random) -> str:
    """ "passed", "refused", or what is wrong."""
    rounding = random.choice(ROUNDINGS)
    try:
        shader = glslc_multi.compile(text, filename="a.frag", target="pica200", options={"rounding": rounding})
    except CompileError:
        return "refused"
    found, bound = largest_difference(shader, random), bound_of(shader)
    if found <= bound + NOISE:
        return "passed"
    return f"with rounding {rounding} differs by {found:.3f} steps, the bound is {bound:.2f}\n{text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    found = parser.parse_args()
    counts: Counter[str] = Counter()
    for seed in range(found.seed, found.seed + found.count):
        random = Random(seed)
        verdict = outcome(fitting_shader(random, ROUNDED), random)
        if verdict not in ("passed", "refused"):
            print(f"seed {seed}: {verdict}", flush=True)
            verdict = "failed"
        counts[verdict] += 1
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
