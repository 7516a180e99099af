"""The cold-start benchmark measures what it says: hits come from the cache, misses fill it."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cold_start import DENSE_MISS, HIT, MISS, candidates


@pytest.mark.thorough
def test_a_hit_is_kept_once_and_every_miss_anew(tmp_path: Path) -> None:
    found = candidates(tmp_path, "pica200")
    sizes = []
    for name in (HIT, HIT, MISS, MISS, DENSE_MISS):
        found[name]()
        sizes.append(sum(path.is_file() for path in (tmp_path / "cache").rglob("*")))
    assert sizes == [2, 2, 4, 6, 8]
    assert (tmp_path / "small.bin").stat().st_size > 100


@pytest.mark.thorough
def test_peers_accept_the_shader(tmp_path: Path) -> None:
    for name, run in candidates(tmp_path, "pica200").items():
        if name not in (HIT, MISS, DENSE_MISS):
            run()
