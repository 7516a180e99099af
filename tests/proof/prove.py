"""A shader compiled, and its code compared with its source in algebra (`compiler/proof`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler import driver, programs
from glslc_multi.compiler.artifact import Artifact, Verdict
from glslc_multi.compiler.assembly import assemble_text
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import NO_PROOF, Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.proof.compare import LIMIT, QUICK, Stage, prove
from glslc_multi.compiler.proof.linked import prove_linked
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.registry import make_source


def prove_text(
    text: str,
    target: str,
    stage: str | None = None,
    *,
    filename: str = "<text>",
    optimisation: int = 2,
    draws: int = QUICK,
    options: Mapping[str, Any] | None = None,
) -> Verdict:
    """The verdict on the code of a shader."""
    module, artifact = compile_text(text, target, stage, filename=filename, optimisation=optimisation, options=options)
    return prove_artifact(module, artifact, target, draws=draws, options=options)


def compile_text(
    text: str,
    target: str,
    stage: str | None = None,
    *,
    filename: str = "<text>",
    optimisation: int = 2,
    options: Mapping[str, Any] | None = None,
) -> tuple[Module, Artifact]:
    """The module that the front end leaves, and the code that it becomes."""
    sink = DiagnosticSink()
    machine = find_target(target, sink)
    request = Request(optimisation=optimisation, target_options=dict(options or {}))
    module = driver.lower_source(make_source(text, filename, stage), FrontEndOptions(), sink)
    settled = driver.checked_options(machine, stage or module.stage, request, sink)
    return module, driver.compile_module(clone_module(module), machine, settled, request, sink)


def prove_artifact(
    module: Module, artifact: Artifact, target: str, *, draws: int = QUICK, options: Mapping[str, Any] | None = None
) -> Verdict:
    """The verdict on the code of a module."""
    code = find_target(target, DiagnosticSink()).machine_code(artifact, options or {})
    if code is None:
        return Verdict("unknown", f"{target} has no proofs of the {module.stage} stage")
    preamble = None if artifact.preamble is None else Snapshot(artifact.preamble)
    return prove(Stage(Snapshot(module), artifact.reflection, code, preamble), draws)


def prove_with_fault(
    text: str,
    target: str,
    change: Callable[[str], str],
    stage: str = "vertex",
    draws: int = QUICK,
    options: Mapping[str, Any] | None = None,
) -> Verdict:
    """The verdict on code whose text was changed."""
    module, artifact = compile_text(text, target, stage, options=options)
    changed = change(artifact.assembly)
    assert changed != artifact.assembly
    sink = DiagnosticSink()
    binary = assemble_text(changed, target=find_target(target, sink), filename="<fault>", sink=sink)
    return prove_artifact(module, replace(artifact, binary=binary), target, draws=draws, options=options)


def _unchanged(_stage: str, artifact: Artifact) -> Artifact:
    return artifact


def prove_linked_text(
    vertex: str,
    fragment: str,
    target: str,
    *,
    optimisation: int = 2,
    draws: int = QUICK,
    options: Mapping[str, Any] | None = None,
    change: Callable[[str, Artifact], Artifact] = _unchanged,
    change_text: Callable[[str], str] | None = None,
) -> Verdict:
    """The verdict on linked stages as one, whose code was changed: each artifact, or the text of the vertex stage."""
    sink = DiagnosticSink()
    machine = find_target(target, sink)
    request = Request(optimisation=optimisation, target_options=dict(options or {}), proof=NO_PROOF)
    texts = make_source(vertex, "<vertex>", "vertex"), make_source(fragment, "<fragment>", "fragment")
    pair = programs.link_sources(*texts, FrontEndOptions(), sink, machine.machine_varyings)
    sources = [Snapshot(pair.vertex), Snapshot(pair.fragment)]
    stages = programs.compile_linked(pair, machine, request, sink).stages
    made: list[Stage] = []
    for source in sources:
        stage = source.module.stage
        artifact = change(stage, stages[stage])
        if change_text is not None and stage == "vertex":
            changed = change_text(artifact.assembly)
            assert changed != artifact.assembly
            binary = assemble_text(changed, target=machine, filename="<fault>", sink=sink)
            artifact = replace(artifact, binary=binary)
        code = machine.machine_code(artifact, options or {})
        assert code is not None
        preamble = None if artifact.preamble is None else Snapshot(artifact.preamble)
        made.append(Stage(source, artifact.reflection, code, preamble))
    lent = {variable.name for artifact in stages.values() for variable in artifact.lent}
    first, second = made
    return prove_linked(first, second, draws, LIMIT, lent, keeps_flat=machine.has_flat_varyings)
