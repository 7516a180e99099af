"""Linking never loses a component that is read: random pairs, linked for each target, against the unlinked pair.

The vertex stage of the linked pair computes only what the fragment stage reads (`compiler/linking/trim.py`).
"""

from __future__ import annotations

import os
from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.diagnostics import CompileError
from tests.code_generators import CODE_GENERATORS, LEVELS, CodeGenerator
from tests.conformance.engines.engines import make_engine
from tests.conformance.engines.machine import MachineEngine, make_machines
from tests.conformance.model import Run
from tests.generators.pairs import LANES, generate_pair

COUNT = 1000 if os.environ.get("GLSLC_MULTI_ALL") else 30
#: Sums of a dozen products of numbers below 50; the evaluator computes in float32.
_ROUNDING = 1e-3


def run_of(seed: int) -> Run:
    pair = generate_pair(Random(seed))
    sources = {"vertex": pair.vertex, "fragment": pair.fragment}
    inputs = {name: tuple(lanes) for name, lanes in pair.inputs.items()}
    return Run(sources, f"pair {seed}", LANES, inputs, pair.uniforms, ())


def complaint(run: Run, engine: MachineEngine, wanted: np.ndarray) -> str | None:
    """What is wrong; None where the machine is too small."""
    try:
        found = np.array(engine.run_values(run).values["gl_FragColor"])
    except CompileError as error:
        assert all(
            diagnostic.code.startswith("E07") for diagnostic in error.diagnostics if diagnostic.severity == "error"
        )
        return None
    allowed = (_ROUNDING + 20 * engine.slack.absolute) + (1e-4 + 4 * engine.slack.relative) * np.abs(wanted)
    if (np.abs(found - wanted) <= allowed).all():
        return ""
    return f"{run.filename}: {found.tolist()}, expected {wanted.tolist()}\n{'// ----'.join(run.sources.values())}"


@pytest.mark.parametrize("generator", CODE_GENERATORS, ids=lambda generator: generator.name)
def test_no_component_that_is_read_is_lost(generator: CodeGenerator) -> None:
    reference = make_engine("reference", 0, {})
    engines = make_machines(generator.target, LEVELS, generator.options)
    if not engines[0].takes({"vertex", "fragment"}):
        pytest.skip(f"{generator.target} has no vertex stage")
    if generator.target == "pica200":
        pytest.skip("its colours are bytes: pairs for it are in tests/backends/pica200/codegen/fragment/link")
    complaints = []
    for seed in range(COUNT):
        run = run_of(seed)
        wanted = np.array(reference.run_values(run).values["gl_FragColor"])
        complaints += [complaint(run, engine, wanted) for engine in engines]
    assert [text for text in complaints if text] == []
    # Limits of the hardware must not hide that nothing is tested.
    assert complaints.count("") > len(complaints) // 3
