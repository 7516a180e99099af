"""The example pairs, on every target: the code computes what the shader means, or a limit of the hardware is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.linking.match import LinkedPair
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.frontends.registry import make_source
from tests.codesize.meter import wrong_values
from tests.shared_data import PROJECT_ROOT

VERTEX_SHADERS = sorted((PROJECT_ROOT / "examples" / "shaders").glob("*.vert"))
#: Example and target -> why it cannot be: the code of the diagnostic.
REFUSED: dict[tuple[str, str], str] = {
    # Six sines and cosines are more than 116 instructions.
    ("11_plasma", "theia"): "E0701",
    # Five numbers beside the coordinates, five lookups, a sine.
    ("05_fog", "pica200"): "E0726",
    ("10_blur", "pica200"): "E0721",
    ("11_plasma", "pica200"): "E0723",
}


def linked(vertex: Path) -> LinkedPair:
    first, second = (
        make_source(path.read_text(encoding="utf-8"), path.name) for path in (vertex, vertex.with_suffix(".frag"))
    )
    return link_sources(first, second, FrontEndOptions(), DiagnosticSink())


def test_there_are_pairs_of_rising_difficulty() -> None:
    assert len(VERTEX_SHADERS) >= 12
    assert all(path.with_suffix(".frag").is_file() for path in VERTEX_SHADERS)


@pytest.mark.parametrize("target", target_names())
@pytest.mark.parametrize("vertex", VERTEX_SHADERS, ids=lambda path: path.stem)
def test_a_pair_on_a_target(vertex: Path, target: str) -> None:
    backend = load_target(target)
    pair = linked(vertex)
    modules = {stage: clone_module(pair.of_stage(stage)) for stage in ("vertex", "fragment")}
    expected = REFUSED.get((vertex.stem, target), "")
    try:
        program = compile_linked(pair, backend, Request(target_options=backend.exact_outputs), DiagnosticSink())
    except CompileError as error:
        assert [diagnostic.code for diagnostic in error.diagnostics if diagnostic.severity == "error"] == [expected]
        return
    assert not expected, "it compiles now"
    for stage, artifact in program.stages.items():
        if artifact.lent:
            # Linking moved work between the stages; tests/backends/pica200/codegen/fragment/link runs them as one.
            continue
        module = modules["fragment" if stage == "fragment" else "vertex"]
        assert wrong_values(backend, artifact, module, modules["vertex"]) == ""


def test_the_readme_lists_the_pairs() -> None:
    page = (PROJECT_ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    for vertex in VERTEX_SHADERS:
        lines = vertex.read_text(encoding="utf-8").splitlines()
        about = next(line for line in lines if not line.startswith("#version")).removeprefix("// ")
        assert f"| `{vertex.stem}` | {about} |" in page
