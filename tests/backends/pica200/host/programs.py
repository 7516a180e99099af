"""Everything that can be checked of a generated program: code, registers of uniforms, loaders, combiners and lights."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.backends.pica200.host.fragments import check_fragment
from tests.backends.pica200.host.registers import check_attributes, check_registers
from tests.backends.pica200.host.stub import Call
from tests.backends.pica200.host.trial import AGAIN, Edit, Trial


@dataclass(frozen=True, slots=True)
class Checked:
    """How much of each there was."""

    registers: int
    loaders: int
    #: Numbers that the host computes for the fragment stage.
    computed: int


def check_program(folder: Path, made: CompiledShader | CompiledProgram, seed: int, edit: Edit = str) -> Checked:
    """Set all uniforms of what was compiled, and draw; the generated source is as `edit` leaves it."""
    trial = Trial.of(made, seed)
    calls = trial.run(folder, edit)
    again = calls.index([AGAIN])
    _check_code(trial, calls)
    for part in (calls[:again], calls[again:]):
        found = Checked(check_registers(trial, part), check_attributes(trial, calls), check_fragment(trial, part))
    return found


def _check_code(trial: Trial, calls: Iterable[Call]) -> None:
    """The file, and the shaders of it that are loaded."""
    loaded = [call for call in calls if call[0] in ("file", "shaderProgramSetVsh", "shaderProgramSetGsh")]
    if "vertex" not in trial.stages:
        assert loaded == []
        return
    (_, *words), *shaders = loaded
    assert struct.pack(f"<{len(words)}I", *words) == (trial.made.binary or trial.stages["vertex"].binary)
    wanted: list[Call] = [["shaderProgramSetVsh", 0]]
    if "geometry" in trial.stages:
        state = trial.stages["geometry"].reflection.host_state or {}
        wanted.append(["shaderProgramSetGsh", 1, state["geometry_stride"]])
    assert shaders == wanted
