"""A shader compiled, and its code compared with its source in algebra (`compiler/proof`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.registry import find_target
from compiler import driver
from compiler.artifact import Artifact, Verdict
from compiler.diagnostics import DiagnosticSink
from compiler.frontend import FrontEndOptions
from compiler.ir.module import Module
from compiler.options import Request
from compiler.passes.control_flow.clone import clone_module
from compiler.proof.compare import QUICK, prove
from compiler.proof.snapshot import Snapshot
from compiler.records import replace
from frontends.registry import make_source


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
    settled = driver.settle_options(machine, stage or module.stage, request, sink)
    return module, driver.compile_module(clone_module(module), machine, settled, request, sink)


def prove_artifact(
    module: Module, artifact: Artifact, target: str, *, draws: int = QUICK, options: Mapping[str, Any] | None = None
) -> Verdict:
    """The verdict on the code of a module."""
    code = find_target(target, DiagnosticSink()).machine_code(artifact, options or {})
    if code is None:
        return Verdict("unknown", f"{target} has no proofs of the {module.stage} stage")
    preamble = None if artifact.preamble is None else Snapshot(artifact.preamble)
    return prove(Snapshot(module), artifact.reflection, code, draws, preamble=preamble)


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
    binary = driver.assemble_text(changed, target=find_target(target, sink), filename="<fault>", sink=sink)
    return prove_artifact(module, replace(artifact, binary=binary), target, draws=draws, options=options)
