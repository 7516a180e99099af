"""What is asked of every check file, of passes and of lowerings."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.ir.evaluate import EvaluationError
from glslc_multi.compiler.ir.verify import BrokenModule
from tests.compiler.passes.accept import renew
from tests.compiler.passes.check_file import CheckFailure, read_check_file, run_check_file
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import module_trial


def name_of(path: Path) -> str:
    return "/".join(path.parts[-2:])


def must_hold(path: Path, accept: bool) -> None:
    """The result matches the checks; `accept` writes them anew."""
    try:
        if accept:
            renew(path)
        run_check_file(read_check_file(path))
    except (CheckFailure, BrokenModule) as failure:
        pytest.fail(str(failure), pytrace=False)


def must_compute_the_same(path: Path) -> None:
    """The module computes the same after its passes."""
    file = read_check_file(path)
    if {"expect-error", "not-executed"} & set(file.directives):
        return
    try:
        complaint = complaint_about(module_trial(file.name, file.module), file.pipeline, file.context())
    except EvaluationError as error:
        pytest.fail(f"cannot be executed (say '; not-executed: why'): {error}", pytrace=False)
    assert not complaint, f"{complaint}\n(a case that reads undefined values says '; not-executed: why')"
