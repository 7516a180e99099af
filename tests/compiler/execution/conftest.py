"""Tests leave the user's cache of compiled code alone."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "")
