"""Generated programs with citro3d and libctru themselves: what command lists leave in the GPU is what the map says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.pica200.host.commands import NO_LIBRARY, Handed, built, built_library
from tests.backends.pica200.host.fragments import check_fragment
from tests.backends.pica200.host.registers import check_attributes, check_registers, registers_of, wanted_registers
from tests.backends.pica200.host.stub import write_program
from tests.backends.pica200.host.test_planted import made
from tests.backends.pica200.host.trial import Trial

pytestmark = pytest.mark.skipif(bool(NO_LIBRARY), reason=NO_LIBRARY)
_NAMES = "uniforms", "loops", "attributes", "geometry", "combiners", "nothing drawn", "fog", "image", "lights"
#: The register of the geometry unit's input, which has the stride less one.
_STRIDE = 0x289


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_library(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("name", _NAMES)
def test_the_gpu_gets_what_the_map_says(name: str, library: Path, tmp_path: Path) -> None:
    trial = Trial.of(made(name), 1)
    write_program(tmp_path, trial.program)
    head = '#include <3ds.h>\n#include <citro3d.h>\n#include <stdio.h>\n#include "lit.h"\n'
    (tmp_path / "main.c").write_text(f"{head}int main(void)\n{{\n{trial.main()}\nreturn 0;\n}}\n")
    handed = Handed.of(built(tmp_path, [tmp_path / "main.c", tmp_path / "lit.c"], library))
    # Registers that no uniform has are the file's, or 0.
    mine = wanted_registers(trial).keys()
    calls = [call for call in handed.calls() if registers_of([call]).keys() <= mine]
    assert check_registers(trial, calls) + check_attributes(trial, calls) + check_fragment(trial, calls) > 0
    if "geometry" in trial.stages:
        # A line has two vertices of two registers.
        assert [write.value & 0xFF for write in handed.writes if write.register == _STRIDE][-1] + 1 == 4
