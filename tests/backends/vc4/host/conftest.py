"""The kernel's driver for generated programs, where it is ready."""

from __future__ import annotations

import pytest

from tests.judges.kernel import KernelJudge
from tests.judges.model import Unavailable


@pytest.fixture(scope="session")
def driver() -> tuple[str, ...]:
    """Arguments for the C compiler."""
    judge = KernelJudge()
    try:
        judge.prepare(fetch=False)
    except Unavailable as reason:
        pytest.skip(str(reason))
    return judge.driver
