"""Ruffle draws what the simulator draws with programs that we say it takes, and with no other.

They are written by hand, for each of its restrictions (`backends/agal/isa/consumers.py`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.host_code.templates import fill
from tests.backends.agal.consumer_programs import RUFFLE, WIDTHS, Case
from tests.backends.agal.helpers import bytes_of
from tests.backends.agal.host.painter import drawn
from tests.backends.agal.host.recorded import BACK_BUFFER, Device, Stream, VertexBuffer
from tests.backends.agal.host.scenes import SIZE
from tests.backends.agal.host.test_ruffle import player, shown
from tests.backends.agal.host.tools import CLIENT, need_royale, need_ruffle

pytestmark = pytest.mark.thorough

_TEXTURE, _TOLERANCE = 1, 2
_CORNERS = [(-1, -1, 0.5, 1), (1, -1, 0.5, 1), (-1, 1, 0.5, 1), (1, 1, 0.5, 1)]
_RANDOM = np.random.default_rng(26)
#: Positions, then three numbers, two and one; all are different.
_VERTICES = np.hstack([_CORNERS, _RANDOM.permutation(24).reshape(4, 6) / 32]).astype(np.float32)
#: The first one makes a coordinate of a position; no two of the rest are the same.
_CONSTANTS = np.vstack([[0.5, 0.5, 0, 1], _RANDOM.permutation(131 * 4).reshape(-1, 4) / 1024]).astype(np.float32)


def _codes(case: Case) -> tuple[bytes, bytes]:
    return bytes_of(case.vertex, "vertex", case.version), bytes_of(case.fragment, "fragment", case.version)


def _counts(case: Case) -> tuple[int, int]:
    """Constants of the stages: those of version 1, and the ones beyond them that a program reads."""
    beyond = 1 if case.version > 1 and case.refused else 0
    return 128 + beyond, 28 + beyond


def _simulated(case: Case) -> Array:
    buffer = VertexBuffer(_VERTICES.reshape(-1), _VERTICES.shape[1])
    device = Device(code=_codes(case), sizes={BACK_BUFFER: (SIZE, SIZE)}, textures={0: _TEXTURE})
    offsets = np.cumsum([0, *WIDTHS.values()])
    device.streams = {register: Stream(buffer, int(offsets[register]), width) for register, width in WIDTHS.items()}
    for stage, count in zip(("vertex", "fragment"), _counts(case), strict=True):
        for number, row in enumerate(_CONSTANTS[:count].view(np.uint32).tolist()):
            device.constants[stage, number] = row
    y, x = np.mgrid[0:64, 0:64]
    chequers = np.where((x + y)[..., None] % 2 == 0, (0x40, 0x00, 0xA0, 0xFF), (0xC0, 0x80, 0xE0, 0xFF))
    device.images = {BACK_BUFFER: np.array([[[0, 0, 0, 255]]]), _TEXTURE: chequers}
    return drawn(device, np.array([0, 1, 2, 2, 1, 3]))[..., :3].astype(int)


def _client() -> dict[str, list[str] | str]:
    rows = []
    for case in RUFFLE:
        codes = ", ".join(str(list(code)) for code in _codes(case))
        rows.append(f"[{codes}, {_counts(case)[0]}, {_counts(case)[1]}, {str('tex' in case.fragment).lower()}],")
    return {
        "PROGRAMS": [*rows[:-1], rows[-1].removesuffix(",")],
        "VERTICES": ", ".join(map(str, _VERTICES.reshape(-1).tolist())),
        "CONSTANTS": ", ".join(map(str, _CONSTANTS.reshape(-1).tolist())),
    }


def test_ruffle_takes_and_refuses_what_we_say(tmp_path: Path) -> None:
    need_royale()
    need_ruffle()
    (tmp_path / "Pictures.as").write_text(fill(CLIENT / "Programs.as", _client()), encoding="utf-8")
    with player(tmp_path) as (window, address):
        is_open = False
        for number, case in enumerate(RUFFLE):
            if not is_open:
                window.open(address)
            pixels = shown(window, number)
            is_open = pixels is not None
            is_taken = is_open and bool((abs(pixels[..., :3].astype(int) - _simulated(case)) <= _TOLERANCE).all())
            assert (case, is_taken) == (case, case.refused is None)
