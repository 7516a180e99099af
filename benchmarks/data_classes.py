"""What `compiler/records.py` buys: a cold compilation with it, and with the standard library's data classes.

    python -m benchmarks.data_classes [--target pica200] [--rounds 15]

Whole processes take turns, without the cache of results; times are CPU time, user and system.  Also says how many data
classes the compilation declares and how many of them it makes instances of: those at least would stay if others became
plain classes or were imported later.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.cold_start import child_cpu
from benchmarks.harness import as_table, compare
from benchmarks.shaders import small

_OURS = "from glslc_multi.entry import main; main()"
_STANDARD = f"import sys, dataclasses; sys.modules['glslc_multi.compiler.records'] = dataclasses; {_OURS}"
_COUNT = """
import sys
from glslc_multi.compiler import records
declared, used = set(), set()
process, fill = records._process, records._make_first_init
def count_declared(cls, *flags):
    declared.add(f"{cls.__module__}.{cls.__qualname__}")
    return process(cls, *flags)
def count_used(cls, *facts):
    initialise = fill(cls, *facts)
    def first(self, *values, **named):
        used.add(cls)
        initialise(self, *values, **named)
    return first
records._process, records._make_first_init = count_declared, count_used
from glslc_multi.entry import run
import os
run(sys.argv[1:], dict(os.environ))
print(f"{len(declared)} data classes declared, {len(used)} of them with instances")
"""


def _run(program: str, words: list[str], folder: Path) -> str:
    environment = {**os.environ, "GLSLC_MULTI_CACHE": "off", "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="pica200", help="one with a vertex stage")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "small.vert").write_text(small("vertex"))
        words = ["small.vert", "--target", asked.target, "-o", "small.bin"]
        timings = compare(
            {
                "glslc_multi.compiler.records": lambda: _run(_OURS, words, folder),
                "dataclasses": lambda: _run(_STANDARD, words, folder),
            },
            rounds=asked.rounds,
            clock=child_cpu,
        )
        print(as_table(timings))
        print(_run(_COUNT, words, folder), end="")


if __name__ == "__main__":
    main()
