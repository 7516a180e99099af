"""Real shaders through generated classes: every uniform, attribute and texture, set by its name, is where the register
map says (`contract.py`).  A sample in CI; all with `python -m tests.backends.agal.host.test_real_shaders`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from random import Random

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.backends.agal.host.contract import check
from tests.backends.agal.host.tools import need_haxe
from tests.shared_data import shared_path

_SAMPLE, _SEED, _BATCH = 6, 26, 24
_FOLDERS = ("corpus/real", "corpus/real3")


def real_shaders(suffix: str) -> list[Path]:
    return [path for folder in _FOLDERS for path in sorted(shared_path(folder).rglob(f"*{suffix}"))]


def compiled(paths: Iterable[Path]) -> list[HostProgram]:
    """Those that have code, in the first version that has it."""
    found: list[HostProgram] = []
    for path in paths:
        source = make_source(path.read_text(encoding="utf-8"), path.name)
        for version in (1, 2, 3):
            try:
                request = Request(target_options={"agal_version": version}, inexact_integers=True)
                artifact = compile_source(source, load_target("agal"), request, DiagnosticSink())
            except CompileError:
                continue
            found.append(HostProgram({artifact.reflection.stage: artifact}, f"real_{len(found)}"))
            break
    return found


def test_real_shaders_have_what_was_set_by_name(tmp_path: Path) -> None:
    need_haxe()
    random = Random(_SEED)
    sample = [path for suffix in (".vert", ".frag") for path in random.sample(real_shaders(suffix), _SAMPLE)]
    programs = compiled(sample)
    stages = [stage for program in programs for stage in program.stages]
    assert set(stages) == {"vertex", "fragment"}
    assert [found.faults for found in check(programs, tmp_path) if found.faults] == []


if __name__ == "__main__":
    paths, shaders, values, wrong = [*real_shaders(".vert"), *real_shaders(".frag")], 0, 0, 0
    for first in range(0, len(paths), _BATCH):
        programs = compiled(paths[first : first + _BATCH])
        with tempfile.TemporaryDirectory() as place:
            for number, found in enumerate(check(programs, Path(place))):
                shaders, values, wrong = shaders + 1, values + found.values, wrong + bool(found.faults)
                if found.faults:
                    print(f"{programs[number].prefix} of those from {paths[first]}", *found.faults, sep="\n")
    print(f"{shaders} shaders, {values} uniforms and attributes, {wrong} shaders wrong")
    sys.exit(bool(wrong))
