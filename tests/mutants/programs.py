"""The programs on which the proof judges a fault: witnesses and real shaders, compiled, proven and run."""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Any

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import FULL_PROOF, NO_PROOF, Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.proof.effort import proven
from glslc_multi.compiler.proof.snapshot import Snapshot
from glslc_multi.compiler.records import asdict, dataclass, replace
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, position_program
from tests.bytes.programs import shaders_in
from tests.shared_data import PACKAGE, PROJECT_ROOT, shared_root
from tests.witnesses.run import complaint, module_of
from tests.witnesses.witness import SHARED, Witness, load


@dataclass(frozen=True, slots=True)
class Program:
    """A shader for a target, with its witness if it is one."""

    name: str
    stage: str
    text: str
    target: Target
    request: Request
    witness: Witness | None = None

    def compile(self) -> tuple[Module, Artifact, Mapping[str, Any]]:
        """What the front end leaves, its code, and the options that it was made with."""
        sink = DiagnosticSink()
        if self.witness is not None:
            module = module_of(self.witness)
        else:
            module = lower_source(make_source(self.text, self.name, self.stage), FrontEndOptions(), sink)
        checked = checked_options(self.target, self.stage, self.request, sink)
        return module, compile_module(clone_module(module), self.target, checked, self.request, sink), checked.values

    def digest(self) -> str:
        """What changes with the code; of what is refused the reason."""
        try:
            return _digest(self.compile()[1])
        except CompileError as error:
            return " ".join(diagnostic.code or "" for diagnostic in error.diagnostics)

    def result(self, digest: str) -> str:
        """What has become of the code that had a digest: "proof", "values", "code" or "error"; "" if nothing."""
        try:
            module, artifact, values = self.compile()
        except Exception:
            # A fault raises anything at all.
            return "" if not digest.startswith("#") else "error"
        if _digest(artifact) == digest:
            return ""
        sink = DiagnosticSink()
        checked = checked_options(self.target, self.stage, self.request, sink)
        try:
            proven(artifact, Snapshot(module), self.target, checked, FULL_PROOF, sink)
        except CompileError:
            return "proof"
        if self.witness is None:
            return "code"
        try:
            position = position_program(self.target, module, self.request)
            return "values" if complaint(Simulated(self.target, artifact, module, values, position)) else "code"
        except Exception:
            return "values"


def programs_of(target_name: str) -> Iterator[Program]:
    """Those of a target."""
    target = load_target(target_name)
    exact: dict[str, object] = dict(target.exact_outputs)
    for witness in (*load(SHARED), *load(target_name)):
        if witness.suits(target):
            request = replace(witness.request(exact), proof=NO_PROOF, verify_each=False)
            yield Program(witness.place, witness.stage, witness.source, target, request, witness)
    for root in (PROJECT_ROOT / "examples", shared_root() / "corpus/real"):
        for shader in shaders_in(root):
            if shader.stage in target.stages:
                yield Program(shader.name, shader.stage, shader.text, target, Request(target_options=exact))


def survey(target: str, paths: Sequence[str]) -> dict[str, tuple[str, dict[str, list[int]]]]:
    """Program -> a digest of its code, and by file the lines that its compilation takes."""
    files = {str(PACKAGE / path.removeprefix("glslc_multi/")): path for path in paths}
    taken: dict[str, set[int]] = defaultdict(set)

    def enter(frame: FrameType, event: str, _: object) -> Any:
        return note if frame.f_code.co_filename in files else None

    def note(frame: FrameType, event: str, _: object) -> Any:
        taken[frame.f_code.co_filename].add(frame.f_lineno)
        return note

    found = {}
    for program in programs_of(target):
        taken.clear()
        sys.settrace(enter)
        digest = program.digest()
        sys.settrace(None)
        found[program.name] = digest, {files[file]: sorted(lines) for file, lines in taken.items()}
    return found


def first_difference(tried: Mapping[str, Mapping[str, str]]) -> str:
    """The first program whose code the proof finds to differ; else one that shows what else has changed, or ""."""
    others: dict[str, str] = {}
    for target, digests in tried.items():
        for program in programs_of(target):
            if program.name not in digests:
                continue
            kind = program.result(digests[program.name])
            if kind:
                others.setdefault(kind, f"{kind} {target} {program.name}")
            if kind == "proof":
                break
        if "proof" in others:
            break
    return next((others[kind] for kind in ("proof", "values", "error", "code") if kind in others), "")


def _digest(artifact: Artifact) -> str:
    return "#" + hashlib.sha256(repr((artifact.binary, asdict(artifact.reflection))).encode()).hexdigest()
