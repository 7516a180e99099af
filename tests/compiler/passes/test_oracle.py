"""The oracle judges every pass on samples, and finds mistakes that are put in.

`GLSLC_MULTI_ORACLE_COUNT` multiplies the number of samples.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import ClassVar

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.passes import registry
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.pipeline import LEVELS, Pipeline, level
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.registry import PASSES
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.records import dataclass, replace
from tests.compiler.passes.oracle import complaint_about, corpus_complaints, reproduce
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials, module_trial
from tests.shared_data import shared_path

COUNT = int(os.environ.get("GLSLC_MULTI_ORACLE_COUNT", "1"))
#: What makes values out of a shader's memory, so that the other passes see something.
PROLOGUE = "inline,simplify-cfg,sroa,mem2reg,dce"
#: Passes that leave arithmetic alone: their results agree bit for bit.
EXACT = ("inline", "simplify-cfg", "sroa", "mem2reg", "dce")


def pipeline(text: str) -> Pipeline:
    return parse_pipeline(text, DiagnosticSink())


@pytest.mark.parametrize("name", sorted(PASSES))
def test_alone_on_modules(name: str) -> None:
    for trial in islice(ir_trials(1000), 6 * COUNT):
        assert not complaint_about(trial, pipeline(name)), trial.name


@pytest.mark.parametrize("name", sorted(PASSES))
def test_after_promotion_on_modules(name: str) -> None:
    for trial in islice(ir_trials(2000, statements=20), 6 * COUNT):
        assert not complaint_about(trial, pipeline(f"{PROLOGUE},{name}")), trial.name


@pytest.mark.parametrize("name", sorted(PASSES))
def test_on_shaders(name: str) -> None:
    for trial in islice(glsl_trials(3000), 3 * COUNT):
        judged = replace(trial, approximate=frozenset()) if name in EXACT else trial
        assert not complaint_about(judged, pipeline(f"{PROLOGUE},{name}")), trial.name


@pytest.mark.parametrize("name", sorted(PASSES))
@pytest.mark.parametrize("start", ["", PROLOGUE], ids=["alone", "after promotion"])
def test_progress_is_what_changes_the_module(name: str, start: str) -> None:
    """A pass that says "progress" without a change keeps `repeat` busy; the reverse leaves stale analyses."""
    for trial in islice(ir_trials(6000, statements=20), 6 * COUNT):
        module = trial.build()
        run_pipeline(module, pipeline(start))
        for _ in range(3):
            before = print_module(module)
            progress = run_pipeline(module, pipeline(name))
            assert progress == (print_module(module) != before), trial.name


@pytest.mark.parametrize("number", sorted(LEVELS))
def test_levels(number: int) -> None:
    for trial in [*islice(ir_trials(4000), 5 * COUNT), *islice(glsl_trials(4000), 3 * COUNT)]:
        assert not complaint_about(trial, level(number)), trial.name


@pytest.mark.parametrize("passes", [parse_pipeline(PROLOGUE, DiagnosticSink()), *map(level, LEVELS)], ids=len)
def test_recorded_shaders(passes: Pipeline) -> None:
    """Shaders that another implementation ran agree with it also after passes."""
    paths = [shared_path(f"golden/reference/{name}.jsonl") for name in ("features", "real")]
    findings = list(corpus_complaints(passes, paths, 20 * COUNT))
    assert findings
    assert not [finding for finding in findings if finding[1]]


# ------------------------------------------------------------------------------------------ mutations
@dataclass(frozen=True, slots=True)
class Mistake(Pass):
    """A wrong pass: does something forbidden to each instruction of one kind."""

    name: ClassVar[str] = "mistake"
    description: ClassVar[str] = "does what no pass may do"
    kind: str = ""

    def run(self, function: Function, context: PassContext) -> bool:
        for instruction in list(function.instructions()):
            _MISTAKES[self.kind](instruction)
        return True


def _swap_branch(instruction: Instruction) -> None:
    if instruction.op is ops.CONDBR:
        instruction.attribute.reverse()


def _swap_subtraction(instruction: Instruction) -> None:
    if instruction.op is ops.FSUB:
        first, second = instruction.operands
        instruction.set_operand(0, second)
        instruction.set_operand(1, first)


def _forget_discard(instruction: Instruction) -> None:
    if instruction.op is ops.KILL:
        instruction.erase()


def _break_type(instruction: Instruction) -> None:
    if instruction.op is ops.FADD:
        instruction.type = instruction.type.with_kind("int")


def _crash(instruction: Instruction) -> None:
    if instruction.op is ops.FMUL:
        raise KeyError("mistake")


_MISTAKES = {
    "branch": _swap_branch,
    "subtraction": _swap_subtraction,
    "discard": _forget_discard,
    "type": _break_type,
    "crash": _crash,
}


@pytest.fixture
def mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PASSES, "mistake", f"{__name__}:Mistake")


def first_complaint(kind: str) -> tuple[Trial, str]:
    complaints = ((trial, complaint_about(trial, (Mistake(kind),))) for trial in islice(ir_trials(0), 60))
    return next((trial, complaint) for trial, complaint in complaints if complaint)


@pytest.mark.parametrize(
    ("kind", "beginning"),
    [
        ("branch", "differs: "),
        ("subtraction", "differs: output"),
        ("discard", "differs: discarded lanes"),
        ("type", "broken: "),
        ("crash", "crash: KeyError"),
    ],
)
def test_mistakes_are_found(kind: str, beginning: str) -> None:
    assert first_complaint(kind)[1].startswith(beginning)


@pytest.mark.thorough
@pytest.mark.usefixtures("mistakes")
def test_failures_are_reduced_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    trial, complaint = first_complaint("subtraction")
    path = reproduce(trial, (Mistake("subtraction"),), complaint)
    text = path.read_text()
    assert path.is_relative_to(tmp_path)
    assert text.startswith("; passes: mistake{kind=subtraction}\n; IR program")
    module = parse_module(text, path.name, DiagnosticSink())
    assert module is not None
    assert sum(1 for _ in module.main.instructions()) <= 12
    assert any(instruction.op is ops.FSUB for instruction in module.main.instructions())


def test_made_up_values_fit_any_module() -> None:
    text = (
        "shader fragment\nvarying @v: vec2\nuniform @m: mat3[2]\nuniform @k: int\nuniform @b: bvec2\n"
        "sampler @s: samplerCube[2]\noutput @gl_FragColor: vec4 role(frag_color)\n\nfunc @main {\n^entry:\n"
        "  %0:vec3 = load @m[1].2\n  %1:vec4 = texture @s[1], %0\n  %2:vec2 = load @v\n  %3:vec2 = ddx %2\n"
        "  %4:vec4 = construct %3, %2\n  %5:vec4 = fadd %4, %1\n  store @gl_FragColor, %5\n  ret\n}\n"
    )

    def build() -> object:
        return parse_module(text, "made-up.sir", DiagnosticSink())

    trial = module_trial("made-up", build)  # type: ignore[arg-type]
    result = trial.run(trial.build())
    assert result.outputs["gl_FragColor"].shape == (8, 4)
    assert result.outputs["gl_FragColor"].any()
