"""Generated host code, compiled for this computer and run; and the pairs of real shaders that it is tried on."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.host_code.c_uniforms import CMachine, c_uniforms
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.program import Program, UniformValues
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.host_values import SANITIZED, SANITIZERS, Flat, drawn, give, setter_call, stages_of
from tests.shared_data import shared_parameters, shared_root

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-ffp-contract=off", *SANITIZERS)
#: How many of the real pairs the default run takes.
_SAMPLE, _SEED = 12, 26


def lines_printed(folder: Path, files: Iterable[HostFile], main: str, *include: Path) -> list[str]:
    """What a program prints that is made of host code and `main`."""
    sources = []
    for file in files:
        (folder / file.name).write_bytes(file.data)
        sources += [file.name] if file.name.endswith(".c") else []
    (folder / "main.c").write_text(main)
    flags = [f"-I{path}" for path in (folder, *include)]
    made = ["cc", *FLAGS, *flags, "main.c", *sources, "-o", "main", "-lm"]
    subprocess.run(made, check=True, cwd=folder)
    done = subprocess.run([folder / "main"], env=SANITIZED, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A value for every uniform, given to the runtime, which is the second opinion on where it goes."""

    program: Program
    uniforms: tuple[HostUniform, ...]
    values: Mapping[str, Flat]
    uploaded: UniformValues

    @classmethod
    def of(cls, made: CompiledProgram | CompiledShader, seed: int) -> Drawn:
        program, uniforms = Program.of(made), host_uniforms(stages_of(made))
        values, uploaded = drawn(uniforms, seed), program.new_values()
        give(uploaded, [uniform for uniform in uniforms if uniform.name in program.names.leaves], values)
        return cls(program, uniforms, values, uploaded)

    def calls(self, prefix: str) -> list[str]:
        """The calls of setters in C."""
        made = HostProgram({stage: shader.artifact for stage, shader in self.program.stages.items()}, prefix)
        members = c_uniforms(made, CMachine(lambda write: ())).members
        return [setter_call(f"{prefix}_set_{members[u.name]}", u, self.values[u.name]) for u in self.uniforms]

    def compare(self, found: Mapping[str, Any]) -> int:
        """Each component of each constant that a uniform has, bit by bit; how many there were.

        `found` has the constants of each stage.  The runtime knows no sizes of textures: they are floats of theirs.
        """
        count = 0
        for space in (space for space in self.program.spaces if space.name == "C"):
            words = self.uploaded.words(space.stage, "C")
            for binding in self.program.stages[space.stage].reflection.uniforms:
                is_size = binding.name in self.values and binding.name not in self.program.names.leaves
                sizes = np.array(self.values.get(binding.name, ()), np.float32).view(np.uint32)
                for place in (place for place in binding.locations if place.space == "C"):
                    columns = ["xyzw".index(letter) for letter in place.components]
                    wanted = sizes[: len(columns)] if is_size else words[place.index, columns]
                    np.testing.assert_array_equal(found[space.stage][place.index][columns], wanted, binding.name)
                    count += len(columns)
        return count


def words_of_line(line: str) -> Any:
    return np.array([int(word, 16) for word in line.split()], np.uint32)


def literals_of(artifact: Artifact) -> dict[tuple[int, str], int]:
    """Constant and component -> word."""
    return {
        (literal.location.index, letter): word
        for literal in artifact.reflection.literals
        if literal.location.space == "C"
        for letter, word in zip(literal.location.components, literal.words, strict=True)
    }


# --- Real shaders -----------------------------------------------------------------------------------------------------


def real_pairs() -> list[Any]:
    """Parameters: the fragment shader of each pair; a sample by a fixed seed, or all with GLSLC_MULTI_ALL."""
    pairs = list(_pairs())
    if not os.environ.get("GLSLC_MULTI_ALL"):
        pairs = Random(_SEED).sample(pairs, min(_SAMPLE, len(pairs)))
    return shared_parameters("corpus/real", pairs)


def _pairs() -> Iterator[Path]:
    for folder in (shared_root() / "corpus/real", shared_root() / "corpus/real3"):
        for row in _manifest(folder) if folder.exists() else ():
            if row["stage"] == "fragment" and row["partner"]:
                yield folder / row["file"]


def _manifest(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text())["shaders"]
    return rows


def link_real(fragment: Path, target: str) -> CompiledProgram:
    """The pair as code; skips the calling test where the machine cannot hold it, or its stages do not fit."""
    (row,) = [row for row in _manifest(fragment.parent) if row["file"] == fragment.name]
    vertex = (fragment.parent / row["partner"]).read_text(encoding="utf-8")
    version = str(row.get("glsl_version", "100")).replace(" ", "")
    try:
        return glslc_multi.link(
            vertex,
            fragment.read_text(encoding="utf-8"),
            target=target,
            std=version,
            compat=version.isdigit() and version != "100",
            inexact_integers=True,
        )
    except CompileError as error:
        codes = {found.code for found in error.diagnostics if found.severity == "error"}
        assert all(code.startswith(("E07", "E05")) for code in codes), codes
        pytest.skip(f"the machine cannot hold it: {', '.join(sorted(codes))}")
