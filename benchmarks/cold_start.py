"""How long a command takes from nothing: a hit of the cache and a miss, beside `glslangValidator` and `glslc -O`.

    python -m benchmarks.cold_start [--target pica200] [--rounds 11] [--clock wall|cpu] [--json]

The compiler is measured as users have it, installed into an environment of its own with compiled modules.  Whole
processes take turns, so ratios hold on a busy machine where milliseconds do not.  The miss compiles and keeps its
result.  `cpu` is user and system time, which says what a quiet machine would do.  The peers are the
Debian packages glslang-tools and glslc; glslc makes SPIR-V of the same shader as GLSL ES 3.10, as it takes no 1.00.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sysconfig
import tempfile
import venv
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import perf_counter

from benchmarks.harness import Timing, as_table, summarise, take_samples
from benchmarks.shaders import small
from compiler.records import asdict

_ROOT = Path(__file__).resolve().parents[1]

#: What an installer makes of the console script.
_SCRIPT = """#!{python}
import sys
from compiler.cache.entry import main
if __name__ == "__main__":
    sys.exit(main())
"""
HIT = "glslc-multi, hit"
MISS = "glslc-multi, miss"
CHECK = "glslangValidator"
OPTIMISE = "glslc -O"
#: Candidate -> the greatest ratio that counts as good, against each peer.
GOALS = {HIT: {CHECK: 1.1, OPTIMISE: 0.15}, MISS: {OPTIMISE: 2.5}}

Candidate = Callable[[], object]


def candidates(folder: Path, target: str) -> dict[str, Candidate]:
    """The commands, with their files in `folder`; peers that are not installed are left out."""
    (folder / "shader.vert").write_text(small("vertex"))
    (folder / "peer.vert").write_text(small("vertex", 310))
    python = _install(folder / "environment")
    script = python.with_name("glslc-multi")
    ours = [str(script), "shader.vert", "--target", target, "-o", "shader.bin"]
    number = count()
    found: dict[str, Candidate] = {
        "python -c pass": lambda: _run([str(python), "-c", "pass"], folder),
        HIT: lambda: _run(ours, folder),
        MISS: lambda: _run([*ours, f"-DROUND={next(number)}"], folder),
    }
    if shutil.which("glslangValidator"):
        found[CHECK] = lambda: _run(["glslangValidator", "shader.vert"], folder)
    if shutil.which("glslc"):
        spirv = ["glslc", "-O", "--target-env=opengl", "-fauto-map-locations", "peer.vert", "-o", "peer.spv"]
        found[OPTIMISE] = lambda: _run(spirv, folder)
    return found


def measure(
    target: str = "pica200", *, rounds: int = 11, clock: Callable[[], float] = perf_counter
) -> dict[str, list[Timing]]:
    """Peer -> every candidate's time and its ratio to that peer; without peers, to starting Python."""
    with tempfile.TemporaryDirectory() as name:
        samples = take_samples(candidates(Path(name), target), rounds=rounds, clock=clock)
    peers = [peer for peer in (CHECK, OPTIMISE) if peer in samples] or ["python -c pass"]
    return {peer: summarise(samples, peer) for peer in peers}


def child_cpu() -> float:
    """User and system seconds of the processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _install(place: Path) -> Path:
    """An environment with the compiler and the console script; returns its Python."""
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    (packages,) = place.glob("lib/python*/site-packages")
    for name in ("compiler", "frontends", "backends", "runtime"):
        shutil.copytree(_ROOT / name, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    script = python.with_name("glslc-multi")
    script.write_text(_SCRIPT.format(python=python))
    script.chmod(0o755)
    return python


def _run(words: list[str], folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["GLSLC_MULTI_CACHE"] = str(folder / "cache")
    run = subprocess.run(words, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{' '.join(words)}: exit status {run.returncode}\n{run.stdout}{run.stderr}")


def _report(results: dict[str, list[Timing]]) -> str:
    blocks = [f"ratios to {peer}\n{as_table(timings)}" for peer, timings in results.items()]
    for peer, timings in results.items():
        for timing in timings:
            goal = GOALS.get(timing.name, {}).get(peer)
            if goal is not None:
                verdict = "met" if timing.ratio <= goal else "missed"
                blocks.append(f"{timing.name}: {timing.ratio:.2f} of {peer}, goal {goal:.2f}: {verdict}")
    absent = [peer for peer in (CHECK, OPTIMISE) if peer not in results]
    blocks += [f"{peer} is not installed, so there is nothing to compare with" for peer in absent]
    return "\n\n".join(blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="pica200", help="one with a vertex stage")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    clock = child_cpu if asked.clock == "cpu" else perf_counter
    results = measure(asked.target, rounds=asked.rounds, clock=clock)
    if asked.json:
        print(json.dumps({peer: [asdict(timing) for timing in timings] for peer, timings in results.items()}, indent=2))
    else:
        print(_report(results))


if __name__ == "__main__":
    main()
