"""What an emulator would draw with decompiled shaders is what the simulator draws with the machine code."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

moderngl = pytest.importorskip("moderngl", reason="needs moderngl, which renders without a window")

from examples.emulator import SHADERS, STAGES, draw  # noqa: E402

#: A difference that one might see, and how many pixels may have one: edges, and colours that the 3DS has in bytes.
_VISIBLE, _SHARE = 8, 0.005


def sources(name: str) -> Mapping[str, str]:
    return {stage: (SHADERS / f"{name}.{stage[:4]}").read_text(encoding="utf-8") for stage in STAGES}


@pytest.fixture(autouse=True)
def gpu() -> None:
    try:
        moderngl.create_context(standalone=True, backend="egl").release()
    except Exception as error:
        pytest.skip(f"needs a software GPU behind EGL (Debian: libegl1, libgl1-mesa-dri): {error}")


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("pica200", "04_lambert"),
        ("pica200", "06_alpha_test"),
        ("agal", "06_alpha_test"),
        ("adreno", "09_phong"),
        ("xenos", "03_textured"),
        ("xenos", "07_lights"),
    ],
)
def test_both_draw_the_same(target: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    preview, ours, theirs = draw(sources(name), target)
    # All stages were lifted.
    assert capsys.readouterr().err == ""
    assert set(preview.artifacts) == set(STAGES)
    apart = np.abs(ours.astype(int) - theirs).max(axis=2)
    assert (apart > _VISIBLE).mean() < _SHARE
    assert (ours.max(axis=2) > 0).mean() > 0.2
