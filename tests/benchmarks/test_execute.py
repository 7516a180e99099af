"""The benchmark of engines: C and the jit compute the same, and every engine gets a row."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from benchmarks.execute import KERNELS, VERTEX, Bench, Kernel, Rows, measure
from glslc_multi.compiler.native.compile import compile_module


@pytest.fixture(autouse=True)
def no_cache_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_c_and_jit_agree(kernel: Kernel) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    bench = Bench(kernel, 64)
    program = compile_module(bench.module)
    rows = Rows(bench.inputs, bench.uniforms, program, 64)
    for _, call in bench.c_calls(rows):
        call()
        by_c = np.stack(rows.outputs)
        program.bind_rows(rows.inputs, rows.words, rows.outputs, rows.discarded)()
        np.testing.assert_allclose(np.stack(rows.outputs), by_c, rtol=1e-5, atol=1e-5)


def test_every_engine_has_a_row() -> None:
    records = measure(VERTEX, 64, rounds=1)
    assert {"jit kernel", "jit", "reference"} <= {record["engine"] for record in records}
    assert all(record["millions a second"] > 0 and record["ratio"] > 0 for record in records)
