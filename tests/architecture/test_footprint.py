"""A small shader must not load and run more of the compiler than is recorded here; less is recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.footprint import Footprint
from tests.shared_data import PROJECT_ROOT

#: Calls vary by a few in ten thousand with what sets are ordered by; a change that is noticed is one of a hundredth.
_TOLERANCE = 0.01


@pytest.mark.parametrize(
    ("shader", "target", "recorded"),
    [
        ("02_vertex_color.vert", "vc4", Footprint(396, 1863, 42_520)),
        ("05_fog.vert", "pica200", Footprint(440, 2279, 42_520)),
        ("10_blur.frag", "agal", Footprint(415, 2201, 48_600)),
    ],
)
def test_a_small_shader_takes_no_more_of_the_compiler(
    shader: str, target: str, recorded: Footprint, tmp_path: Path
) -> None:
    words = [str(PROJECT_ROOT / "examples" / "shaders" / shader), "--target", target, "-o", str(tmp_path / "out.bin")]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.architecture.footprint", *words],
        cwd=PROJECT_ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True, capture_output=True, text=True,
    )  # fmt: skip
    counted = Footprint(*map(int, ran.stdout.split()))
    for name, now, before in zip(Footprint._fields, counted, recorded, strict=True):
        assert now <= before * (1 + _TOLERANCE), f"more {name}: {now} instead of {before}"
        assert now >= before * (1 - _TOLERANCE), f"fewer {name}: record {now} instead of {before}"
