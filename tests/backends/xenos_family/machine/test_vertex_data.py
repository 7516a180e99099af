"""Numbers of attributes packed as a host does."""

from __future__ import annotations

import numpy as np

from glslc_multi.backends.xenos_family.machine.packing import pack


def test_signed_formats_limit_and_round() -> None:
    values = np.array([[-2.0, 1.0], [0.5, 127.6]])
    assert pack(values, "byte", 2).view(np.int8).tolist() == [[-2, 1], [0, 127]]
    assert pack(values, "byte-norm", 1).view(np.int8).tolist() == [[-128], [64]]
    assert pack(values, "fixed", 1).view("<i4").tolist() == [[-131072], [32768]]
