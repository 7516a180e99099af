"""How long a command takes from nothing: a hit of the cache and misses, against `glslangValidator` and `glslc -O`.

    python -m benchmarks.cold_start [--target pica200] [--rounds 11] [--clock wall|cpu] [--json]

The compiler is measured as users have it: as a wheel, which pip has installed into an environment of its own.  Whole
processes take turns, so ratios hold on a busy machine where milliseconds do not.  A miss compiles and keeps its
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
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.harness import Timing, as_table, summarise, take_samples
from benchmarks.shaders import dense, small
from glslc_multi.compiler.records import asdict

_ROOT = Path(__file__).resolve().parents[1]
#: Lines of the dense shader, and a target that it fits.
_DENSE_LINES = 140
_DENSE_TARGET = ("--target", "agal", "--agal-version", "3")
SPIRV = ("glslc", "-O", "--target-env=opengl", "-fauto-map-locations", "-o", os.devnull)

START = "python -c pass"
HIT = "glslc-multi, hit"
MISS = "glslc-multi, miss"
DENSE_MISS = f"glslc-multi, miss, {_DENSE_LINES} dense lines"
CHECK = "glslangValidator"
OPTIMISE = "glslc -O"
DENSE_OPTIMISE = f"glslc -O, {_DENSE_LINES} dense lines"
#: Peer -> candidates compared with it, each with the greatest ratio that counts as good.
GOALS: dict[str, dict[str, float | None]] = {
    CHECK: {START: None, HIT: 1.1},
    OPTIMISE: {START: None, HIT: 0.15, MISS: 2.5},
    DENSE_OPTIMISE: {DENSE_MISS: 2.6},
}

Candidate = Callable[[], object]


def candidates(folder: Path, target: str) -> dict[str, Candidate]:
    """The commands, with their files in `folder`; peers that are not installed are left out."""
    for name, text, peer_text in (
        ("small.vert", small("vertex"), small("vertex", 310)),
        ("dense.vert", dense("vertex", _DENSE_LINES), dense("vertex", _DENSE_LINES, 310)),
    ):
        (folder / name).write_text(text)
        (folder / f"peer_{name}").write_text(peer_text)
    python = _install(folder / "environment")
    script = str(python.with_name("glslc-multi"))
    ours = [script, "small.vert", "--target", target, "-o", "small.bin"]
    number = count()
    found: dict[str, Candidate] = {
        START: lambda: _run([str(python), "-c", "pass"], folder),
        HIT: lambda: _run(ours, folder),
        MISS: lambda: _run([*ours, f"-DROUND={next(number)}"], folder),
        DENSE_MISS: lambda: _run(
            [script, "dense.vert", *_DENSE_TARGET, "-o", "dense.bin", f"-DROUND={next(number)}"], folder
        ),
    }
    if shutil.which("glslangValidator"):
        found[CHECK] = lambda: _run(["glslangValidator", "small.vert"], folder)
    if shutil.which("glslc"):
        found[OPTIMISE] = lambda: _run([*SPIRV, "peer_small.vert"], folder)
        found[DENSE_OPTIMISE] = lambda: _run([*SPIRV, "peer_dense.vert"], folder)
    return found


def measure(
    target: str = "pica200", *, rounds: int = 11, clock: Callable[[], float] = perf_counter
) -> dict[str, list[Timing]]:
    """Peer -> its time, and the times of the candidates with their ratios to it; without peers, all of them
    against starting Python."""
    with tempfile.TemporaryDirectory() as name:
        samples = take_samples(candidates(Path(name), target), rounds=rounds, clock=clock)
    compared = {peer: [peer, *beside] for peer, beside in GOALS.items() if peer in samples} or {START: list(samples)}
    return {peer: summarise({name: samples[name] for name in names}, peer) for peer, names in compared.items()}


def child_cpu() -> float:
    """User and system seconds of the processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _install(place: Path) -> Path:
    """An environment into which pip has installed the compiler; returns its Python."""
    pip = [sys.executable, "-m", "pip"]
    wheels = place.with_name("wheels")
    _run_checked([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(_ROOT)])
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    _run_checked([*pip, "--python", str(python), "install", "--no-deps", "--no-index", *map(str, wheels.glob("*.whl"))])
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return python


def _run(words: list[str], folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    _run_checked(words, cwd=folder, env={**environment, "GLSLC_MULTI_CACHE": str(folder / "cache")})


def _run_checked(words: list[str], **where: Any) -> None:
    run = subprocess.run(words, check=False, capture_output=True, text=True, **where)
    if run.returncode:
        raise SystemExit(f"{' '.join(words)}: exit status {run.returncode}\n{run.stdout}{run.stderr}")


def _report(results: dict[str, list[Timing]]) -> str:
    blocks = [f"ratios to {peer}\n{as_table(timings)}" for peer, timings in results.items()]
    for peer, timings in results.items():
        for timing in timings:
            goal = GOALS.get(peer, {}).get(timing.name)
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
