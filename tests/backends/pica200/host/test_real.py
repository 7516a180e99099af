"""Real shaders as generated programs; all of them by `python -m tests.backends.pica200.host.real`."""

from __future__ import annotations

import pytest

from tests.backends.pica200.host.real import main
from tests.backends.pica200.host.stub import COMPILER


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
def test_a_sample_is_set_by_name_and_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "16", "--seed", "26"]) == 0
    counts, verdict = capsys.readouterr().out.splitlines()
    assert not verdict.startswith("0 passed")
    assert " 0 registers" not in counts
