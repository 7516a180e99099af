"""The option that all tests share: `pytest --accept` rewrites recorded output instead of comparing it."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what came out over what is recorded; review the diff")


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether recorded output is to be rewritten."""
    return bool(request.config.getoption("--accept"))
