"""The shaders whose code is recorded: the examples, real shaders, the shaders of recorded data, and generated ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import stage_of_suffix
from tests.generators.glsl import Stage, generate
from tests.shared_data import PROJECT_ROOT, shared_root

#: Recorded data with shaders in them; the conformance records are far more than the rest, so a tenth serves.
_RECORDINGS = (
    "adreno/mesa_programs.json",
    "agal/to_glsl.json",
    "pica200/exec_shaders.json",
    "vc4/mesa_programs.json",
    "real-counts/mesa_programs.json",
)
_CONFORMANCE, _CONFORMANCE_STEP = "reference/features.jsonl", 10
_SEED = 20_000


@dataclass(frozen=True, slots=True)
class Shader:
    """A text to compile."""

    name: str
    stage: str
    text: str


def shaders_for(target: str, generated: int) -> Iterator[Shader]:
    """Every shader whose stage the target has; `generated` of them are random."""
    stages = load_target(target).stages
    yield from (shader for shader in _written() if shader.stage in stages)
    drawn: list[Stage] = [stage for stage in ("vertex", "fragment") if stage in stages]
    for seed in range(generated):
        random = Random(_SEED + seed)
        program = generate(random, random.choice(drawn))
        yield Shader(f"generated {seed}", program.stage, program.source)


@cache
def _written() -> tuple[Shader, ...]:
    """Each text once, under the first name that it has."""
    found: dict[tuple[str, str], Shader] = {}
    for shader in (*_files(), *_recorded(), *_conformance()):
        found.setdefault((shader.stage, shader.text), shader)
    return tuple(found.values())


def _files() -> Iterator[Shader]:
    for root in (PROJECT_ROOT / "examples", shared_root() / "corpus/real", shared_root() / "golden/agal/counts"):
        yield from shaders_in(root)


def shaders_in(root: Path) -> Iterator[Shader]:
    """The shader of a file, or those of a folder."""
    for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
        stage = stage_of_suffix().get(path.suffix)
        if stage is not None and path.exists():
            name = f"{root.name}/{path.relative_to(root).as_posix()}" if path != root else path.name
            yield Shader(name, stage, path.read_text(encoding="utf-8"))


def _recorded() -> Iterator[Shader]:
    for file in _RECORDINGS:
        path = shared_root() / "golden" / file
        if path.exists():
            yield from _texts(json.loads(path.read_text(encoding="utf-8")), file)


def _texts(data: Any, name: str) -> Iterator[Shader]:
    """The shaders of a record: a key says `glsl` and, where the record does not, the stage."""
    if isinstance(data, list):
        for number, item in enumerate(data):
            yield from _texts(item, f"{name} {number}")
    if isinstance(data, dict):
        for key, value in data.items():
            if "glsl" in key and isinstance(value, str):
                stage = "fragment" if "fragment" in key else data.get("stage", "vertex")
                yield Shader(f"{name} {key}", stage, value)
            else:
                yield from _texts(value, name)


def _conformance() -> Iterator[Shader]:
    path = shared_root() / "golden" / _CONFORMANCE
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines()[::_CONFORMANCE_STEP]:
            record = json.loads(line)
            yield Shader(record["name"], record["stage"], record["source"])
