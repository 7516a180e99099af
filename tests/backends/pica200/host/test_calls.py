"""A configuration as calls of the driver library: by the model of the library they set its registers."""

from __future__ import annotations

import random

from glslc_multi.backends.pica200.host.calls import calls_of
from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from tests.backends.pica200.citro3d.context import Context
from tests.backends.pica200.citro3d.driver import writes_of_calls
from tests.backends.pica200.isa.fragment.test_encode import random_configuration


def test_a_configuration_as_calls() -> None:
    for seed in range(200):
        configuration = random_configuration(random.Random(seed))
        start = Context().registers
        by_calls = registers_after(writes_of_calls(calls_of(configuration)), start)
        directly = registers_after(encode(configuration), start)
        # Tables are objects of the host's program.
        for address in directly.keys() - {0x0E6, 0x0E8}:
            assert by_calls[address] == directly[address]
