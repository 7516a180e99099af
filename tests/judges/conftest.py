"""Judges for tests, each made ready once a process; a test whose judge is not ready is skipped and says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache

import pytest

from tests.judges.model import Judge, Unavailable
from tests.judges.registry import JUDGES


@pytest.fixture(scope="session")
def ready() -> Iterator[Callable[[str], Judge | str]]:
    """By name, a judge, or why it is not there."""
    with ExitStack() as stack:

        @cache
        def found(name: str) -> Judge | str:
            judge = stack.enter_context(closing(JUDGES[name]()))
            try:
                judge.prepare(fetch=False)
            except Unavailable as reason:
                return str(reason)
            return judge

        yield found


@pytest.fixture
def judge(request: pytest.FixtureRequest, ready: Callable[[str], Judge | str]) -> Judge:
    """The judge that a test's parameter names."""
    found = ready(request.param)
    if isinstance(found, str):
        pytest.skip(f"{request.param}: {found}")
    return found
