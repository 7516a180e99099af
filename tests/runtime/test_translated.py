"""Translated machine code does what the interpreter does with the same bytes, which judges it: bit for bit."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.agal.machine.simulate import maker as agal_maker
from glslc_multi.backends.agal.machine.simulate import simulate as run_agal
from glslc_multi.backends.agal.machine.simulate import valid_program
from glslc_multi.backends.pica200.machine.run import translated as translated_pica
from glslc_multi.backends.pica200.machine.simulate import simulate as run_pica
from glslc_multi.backends.registry import target_names
from glslc_multi.backends.theia.isa.program import ORIGIN
from glslc_multi.backends.theia.machine.simulate import maker as theia_maker
from glslc_multi.backends.vc4.machine.execute import maker as vc4_maker
from glslc_multi.backends.vc4.machine.simulate import REGISTERS as VC4_REGISTERS
from glslc_multi.backends.vc4.machine.simulate import simulate as run_vc4
from glslc_multi.backends.xenos_family.machine.simulate import maker as adreno_maker
from glslc_multi.backends.xenos_family.machine.simulate import simulate as run_adreno
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.native.programs import TranslatedCode
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from glslc_multi.runtime.simulator import Simulated
from tests.backends.theia.helpers import program_of as theia_program
from tests.conformance.engines.machine import make_machine
from tests.conformance.records import load_records
from tests.generated.trial import Trials
from tests.golden.runner import Failure, check_file
from tests.shared_data import PROJECT_ROOT, shared_path

_EVERYTHING = bool(os.environ.get("GLSLC_MULTI_ALL"))
_SEEDS = range(400 if _EVERYTHING else 6)
#: Of the project's own cases, every n-th one.
_STEP = 1 if _EVERYTHING else 100
_CASES = PROJECT_ROOT / "tests" / "conformance" / "cases"


def assert_same(found: Any, wanted: Any) -> None:
    """Equal numbers, NaN included."""
    np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


# --------------------------------------------------------------------------------------------- compiled shaders
def run_both(shader: Simulated, artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
    """In place of `Simulated.run`: the interpreter's registers, if translated code leaves the same."""
    wanted = shader.target.simulate(artifact, inputs, shader.options)
    found = shader.target.translate(artifact, shader.options)(inputs)
    assert found.outputs.keys() == wanted.outputs.keys()
    for space, registers in wanted.outputs.items():
        for number, values in registers.items():
            assert_same(found.outputs[space][number], values)
    if wanted.discarded is not None:
        assert_same(found.discarded, wanted.discarded)
    return wanted


@pytest.mark.parametrize("target", target_names())
def test_generated_shaders(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulated, "run", run_both)
    trials = Trials(target, levels=("2",), statements=6)
    outcomes = [outcome for seed in _SEEDS for outcome in trials.run(seed)]
    assert [outcome for outcome in outcomes if outcome.status == "failed"] == []
    assert any(outcome.status == "passed" for outcome in outcomes)


@pytest.mark.parametrize("target", target_names())
def test_own_cases(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Simulated, "run", run_both)
    engine = make_machine(target, 2, {})
    count = 0
    for record in list(load_records([_CASES]))[::_STEP]:
        try:
            for run in record.runs:
                if engine.takes(run.sources):
                    engine.run_values(run)
                    count += 1
        except CompileError as error:
            assert error.diagnostics[0].code.startswith(("E07", "E0664")), error
    assert count


# --------------------------------------------------------------------------------------------- recorded programs
class Recorded:
    """Runs recorded programs on both engines, in place of the simulators that the golden runner calls."""

    def __init__(self) -> None:
        self.count = 0
        #: What is left to the interpreter.
        self.refused: list[str] = []

    def translated(self, run: Callable[[], Any]) -> Any:
        """The result of translated code; None for what is left to the interpreter."""
        self.count += 1
        try:
            return run()
        except CompileError as error:
            assert [found.code for found in error.diagnostics] == ["E0660"]
            self.refused.append(error.diagnostics[0].message)
            return None

    def pica200(self, program: Any, inputs: Any, uniforms: Any, *, f32: bool) -> Any:
        wanted = run_pica(program, inputs, uniforms, f32=f32)
        found = self.translated(
            lambda: run_pica(program, inputs, uniforms, f32=f32, engine=translated_pica(program, f32=f32))
        )
        if found is not None:
            for name in ("outputs", "address", "counter", "flags"):
                assert_same(getattr(found, name), getattr(wanted, name))
        return wanted

    def agal(self, data: bytes, *values: Any, **more: Any) -> Any:
        wanted = run_agal(data, *values, **more)
        found = self.translated(
            lambda: run_agal(data, *values, **more, engine=TranslatedCode(agal_maker(valid_program(data))))
        )
        if found is not None:
            assert found.outputs.keys() == wanted.outputs.keys()
            assert_same(found.discarded, wanted.discarded)
            for name, value in wanted.outputs.items():
                assert_same(found.outputs[name], value)
        return wanted

    def adreno(self, program: Any, inputs: Any) -> Any:
        wanted = run_adreno(program, inputs)
        found = self.translated(lambda: run_adreno(program, inputs, engine=TranslatedCode(adreno_maker(program))))
        if found is not None:
            assert_same(found.killed, wanted.killed)
            for number, values in wanted.outputs.items():
                assert_same(found.outputs[number], values)
        return wanted

    def vc4(self, words: Any, inputs: Any) -> Any:
        wanted = run_vc4(words, inputs)
        found = self.translated(
            lambda: run_vc4(
                words,
                inputs,
                engine=TranslatedCode(vc4_maker(words, inputs.uniforms, tuple(inputs.registers), VC4_REGISTERS), 16),
            )
        )
        if found is not None:
            assert_same(found.files, wanted.files)
            assert_same(found.accumulators, wanted.accumulators)
            assert_same(found.vpm, wanted.vpm)
            assert [write.waddr for write in found.tlb] == [write.waddr for write in wanted.tlb]
            for ours, theirs in zip(found.tlb, wanted.tlb, strict=True):
                assert_same(ours.lanes, theirs.lanes)
                assert_same(ours.values[ours.lanes], theirs.values[theirs.lanes])
        return wanted


#: File of recorded programs, the module whose simulator runs them, and how many are left out for each one taken.
_FILES = (
    ("pica200/exec_flow.json", "tests.golden.pica200", 8),
    ("pica200/exec_random.json", "tests.golden.pica200", 100),
    ("pica200/exec_alu.json", "tests.golden.pica200", 100),
    ("agal/to_glsl.json", "tests.golden.agal_glsl", 1),
    ("adreno/exec_programs.json", "tests.golden.adreno", 20),
    ("vc4/executions.json", "tests.golden.vc4", 10),
)


@pytest.mark.parametrize(("file", "module", "step"), _FILES)
def test_recorded_programs(file: str, module: str, step: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    document = json.loads(shared_path(f"golden/{file}").read_text(encoding="utf-8"))
    cases = document if isinstance(document, list) else document["cases"]
    cases[:] = cases[:: 1 if _EVERYTHING else step]
    sliced = tmp_path / Path(file).name
    sliced.write_text(json.dumps(document), encoding="utf-8")
    target, recorded = file.partition("/")[0], Recorded()
    monkeypatch.setattr(f"{module}.simulate", getattr(recorded, target))
    assert [result for result in check_file(sliced, target) if isinstance(result.verdict, Failure)] == []
    assert recorded.count > 2 * len(recorded.refused), recorded.refused


# --------------------------------------------------------------------------------------------- the engine
FOREVER = """
attribute float a;
void main() {
    float x = a;
    for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) if (x > -1.0) x = x * 0.5 + a;
    gl_Position = vec4(x);
}
"""


@pytest.mark.parametrize("engine", ["translated", "simulator"])
@pytest.mark.parametrize("target", ["adreno", "pica200", "vc4"])
def test_the_number_of_steps_is_limited(target: str, engine: Any) -> None:
    shader = glslc_multi.compile(FOREVER, target=target, stage="vertex")
    with pytest.raises(CompileError) as caught:
        shader.run({"a": [0.5]}, engine=engine, max_steps=2000)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0656"]


def test_what_is_left_to_the_interpreter_says_so() -> None:
    """What would hang the hardware: nothing falls back in silence."""
    program = theia_program("RETURN RT_TRUE")
    with pytest.raises(CompileError) as caught:
        TranslatedCode(theia_maker(program, ORIGIN))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E0660"
    assert "RETURN" in diagnostic.message and "engine 'simulator'" in str(diagnostic.help)


@pytest.mark.parametrize("lanes", [1, 7, 16, 100])
@pytest.mark.parametrize("target", [name for name in target_names() if name != "theia"])
def test_any_number_of_lanes(target: str, lanes: int) -> None:
    """Groups are filled up; the lanes that fill them show nowhere."""
    source = "attribute vec4 p; uniform vec4 u[2]; void main() { gl_Position = p * u[1] + u[0]; }"
    shader = glslc_multi.compile(source, target=target, stage="vertex")
    p = np.arange(4 * lanes).reshape(lanes, 4) / 8.0
    u = np.array([[1, 2, 3, 4], [0.5, -1, 2, 0.25]])
    found = shader.run({"p": p}, {"u": u}, engine="translated")["gl_Position"]
    assert_same(found, p * u[1] + u[0])
