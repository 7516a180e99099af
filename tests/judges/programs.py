"""What is judged: the examples, the real shaders where they are present, named files, and generated shaders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import make_source
from tests.bytes.programs import Shader, shaders_in
from tests.generators.glsl import Stage, generate
from tests.judges.model import Options, Program, Variants
from tests.shared_data import PROJECT_ROOT, shared_root

LEVELS: tuple[int | str, ...] = (2, "s")


def shaders(paths: Sequence[Path], count: int, seed: int) -> Iterator[Shader]:
    """The texts: of files and folders, else those of the project and the real ones; and `count` generated ones."""
    for path in paths or (PROJECT_ROOT / "examples", shared_root() / "corpus/real"):
        yield from shaders_in(path)
    for number in range(seed, seed + count):
        random = Random(number)
        stages: tuple[Stage, ...] = ("vertex", "fragment")
        program = generate(random, random.choice(stages))
        yield Shader(f"generated {number}", program.stage, program.source)


@dataclass(frozen=True, slots=True)
class Compilation:
    """A text on its way to programs, each of which is a program or why there is none."""

    shader: Shader
    target: str | None
    variants: Variants

    def programs(self) -> list[Program | str]:
        """All that differ."""
        if self.target is None:
            return [self._text()]
        return list(self._codes(self.target).values())

    def _codes(self, target: str) -> dict[tuple[str, str | bytes], Program | str]:
        """The machine code of each stage, level and variant."""
        known = load_target(target)
        stages = [self.shader.stage]
        if known.position_stage is not None and self.shader.stage == "vertex":
            stages.append(known.position_stage)
        found: dict[tuple[str, str | bytes], Program | str] = {}
        for stage, options, level in product(stages, self.variants, LEVELS):
            if stage in known.stages:
                program = self._program(target, stage, options, level)
                found.setdefault((stage, program if isinstance(program, str) else program.code), program)
        return found

    def _text(self) -> Program | str:
        shader = self.shader
        try:
            lower_source(make_source(shader.text, shader.name, shader.stage), FrontEndOptions(), DiagnosticSink())
        except CompileError as error:
            return _reason(error)
        return Program(shader.name, shader.text, shader.stage)

    def _program(self, target: str, stage: str, options: Options, level: int | str) -> Program | str:
        try:
            made = glslc_multi.compile(self.shader.text, target=target, stage=stage, opt=level, options=dict(options))
        except CompileError as error:
            return _reason(error)
        name = " ".join([self.shader.name, stage, f"-O{level}", *(f"{name}={value}" for name, value in options)])
        reflection = made.artifact.reflection
        state = dict(reflection.host_state or {})
        return Program(name, self.shader.text, stage, made.binary, reflection.stream, state)


def _reason(error: CompileError) -> str:
    """The codes of an error: limits of the hardware, as a rule."""
    return ", ".join(sorted({one.code for one in error.diagnostics if one.severity == "error"}))
