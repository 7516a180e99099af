"""The speed of the compiler against its peers, in one run: `python -m benchmarks.speed [--quick] [--json] [--write]`.

Cold starts, warm compilations for every target, their phases, parsing against lark, growth, memory, batches, and how
fast what was compiled runs here.  Peers are `glslangValidator` and `glslc -O` (Debian: glslang-tools, glslc); missing
ones are reported and left out.  Whole processes and compilations in this process take turns; times are CPU time, so
that other processes do not count, and ratios are medians of the ratios within a round.  `--write` renews
docs/performance.md.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

import glslc_multi
from benchmarks import cold_start, frontend
from benchmarks.cold_start import OPTIMISE, SPIRV, child_cpu
from benchmarks.harness import summarise, take_samples
from benchmarks.shaders import Stage, dense, small
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import asdict, dataclass

_ROOT = Path(__file__).resolve().parents[1]
_PAGE = _ROOT / "docs" / "performance.md"
#: Where a target has versions, the one that holds most.
_OPTIONS = {"agal": {"agal_version": 3}}
_SIZES = (20, 100, 500, 1000, 5000)
#: Lines -> the greatest share of the peer's whole process that a warm compilation may take.
_WARM_GOALS = {19: 0.25, 137: 0.8}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure."""

    area: str
    name: str
    value: float
    unit: str
    #: Against what, and the ratio; empty where there is nothing to compare with.
    peer: str = ""
    ratio: float | None = None
    #: What the ratio (else the value) should be: "<= 2.5".
    goal: str = ""
    note: str = ""


def cold_rows(rounds: int) -> Iterator[Row]:
    """Whole processes: a hit of the cache, misses, and peers."""
    results = cold_start.measure(rounds=rounds, clock=child_cpu)
    for peer, timings in results.items():
        for timing in timings:
            if timing.name != peer:
                goal = cold_start.GOALS.get(peer, {}).get(timing.name)
                goal_text = "" if goal is None else f"<= {goal}"
                yield Row("cold start", timing.name, timing.median * 1e3, "ms", peer, timing.ratio, goal_text)


def warm_rows(rounds: int) -> Iterator[Row]:
    """Compilations in this process, each against a whole process of the peer on the same shader."""
    for lines, times in ((19, rounds), (137, max(1, rounds // 3))):
        for name in target_names():
            stage: Stage = "vertex" if "vertex" in load_target(name).stages else "fragment"
            yield from _warm_row(name, stage, lines, times)


def _warm_row(target: str, stage: Stage, lines: int, rounds: int) -> Iterator[Row]:
    source = small(stage) if lines == 19 else dense(stage, lines)

    def ours() -> None:
        glslc_multi.compile(source, target=target, stage=stage, options=_OPTIONS.get(target))

    try:
        ours()
    except CompileError as error:
        yield Row("warm", f"{target}, {lines} lines", 0.0, "ms", note=f"does not fit: {error.diagnostics[0].message}")
        return
    peer_text = small(stage, 310) if lines == 19 else dense(stage, lines, 310)
    with tempfile.TemporaryDirectory() as folder:
        samples = take_samples({target: ours, **_peer(folder, peer_text, stage)}, rounds=rounds, clock=_cpu)
    baseline = OPTIMISE if OPTIMISE in samples else target
    timing = summarise(samples, baseline)[0]
    goal = f"<= {_WARM_GOALS[lines]}"
    yield _compared("warm", f"{target}, {lines} lines", timing.median * 1e3, baseline, timing.ratio, goal, target)


def _compared(area: str, name: str, value: float, peer: str, ratio: float, goal: str, own: str) -> Row:
    return Row(area, name, value, "ms") if peer == own else Row(area, name, value, "ms", peer, ratio, goal)


def _peer(folder: str, text: str, stage: Stage) -> dict[str, Callable[[], object]]:
    if not shutil.which("glslc"):
        return {}
    path = Path(folder, "peer.vert" if stage == "vertex" else "peer.frag")
    path.write_text(text, encoding="utf-8")
    words = [*SPIRV, str(path)]
    return {OPTIMISE: lambda: subprocess.run(words, check=True, capture_output=True)}


def phase_rows(rounds: int) -> Iterator[Row]:
    """Where the time of a warm compilation goes."""
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.driver import lower_prepared, optimise_for, prepare
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.compiler.generate import generate_code
    from glslc_multi.compiler.options import Request, TargetOptions
    from glslc_multi.frontends.registry import make_source

    backend, sink = load_target("pica200"), DiagnosticSink()
    request = Request()
    options = TargetOptions("vertex", values={option.name: option.default for option in backend.options})
    source = make_source(dense("vertex", 40), "dense.vert")
    seconds: dict[str, list[float]] = {}

    def timed(name: str, act: Callable[[], object]) -> object:
        start = process_time()
        result = act()
        seconds.setdefault(name, []).append(process_time() - start)
        return result

    for _ in range(rounds):
        prepared = timed("preprocess", lambda: prepare(source, FrontEndOptions(), sink))
        module = timed("parse, check, lower", lambda: lower_prepared(prepared, sink))  # type: ignore[arg-type]  # noqa: B023
        timed("passes", lambda: optimise_for(backend, module, options, request))  # type: ignore[arg-type]  # noqa: B023
        timed("code generation", lambda: generate_code(backend, module, options, sink))  # type: ignore[arg-type]  # noqa: B023
    for name, times in seconds.items():
        yield Row("phases (pica200, 40 dense lines)", name, sorted(times)[len(times) // 2] * 1e3, "ms")


def parse_rows(rounds: int) -> Iterator[Row]:
    """Lines a second of the front end, against lark."""
    for lines in (137, 1000):
        *ours, lark = frontend.measure(lines, rounds)
        for timing in ours:
            name = f"{timing.name}, {lines} lines"
            yield Row("parsing", name, lines / timing.median, "lines/s", lark.name, lark.median / timing.median, ">= 2")


def growth_rows() -> Iterator[Row]:
    """From text to optimised IR, from 20 to 5,000 dense lines."""
    _front_end_and_passes(_SIZES[0])  # It imports and fills tables.
    for lines in _SIZES:
        front_end, passes = _front_end_and_passes(lines)
        yield Row("growth", f"front end, {lines} lines", lines / front_end, "lines/s")
        yield Row("growth", f"-O2, {lines} lines", lines / passes, "lines/s")


def _front_end_and_passes(lines: int) -> tuple[float, float]:
    """The seconds of both."""
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.driver import lower_source, optimise
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.frontends.registry import make_source

    start = process_time()
    module = lower_source(make_source(dense("vertex", lines), "dense.vert"), FrontEndOptions(), DiagnosticSink())
    middle = process_time()
    optimise(module, 2)
    return middle - start, process_time() - middle


def memory_rows() -> Iterator[Row]:
    """The most memory that a process of the compiler takes."""
    for lines in (20, 1000):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.vert").write_text(dense("vertex", lines), encoding="utf-8")
            words = [
                sys.executable,
                "-m",
                "glslc_multi.entry",
                "a.vert",
                "--emit",
                "ir",
                "-o",
                os.devnull,
                "--no-cache",
            ]
            measured = (
                f"import resource, subprocess; subprocess.run({words!r}, check=True); "
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            )
            environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
            ran = subprocess.run(
                [sys.executable, "-c", measured],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
        yield Row("memory", f"{lines} lines to IR", int(ran.stdout) / 1024, "MiB")


_MANIFEST = """
targets = ["adreno", "agal", "pica200", "vc4"]
output = "out"
[[shader]]
source = "lit.vert"
defines.FOG = [false, true]
defines.UNUSED = [false, true]
defines.IGNORED = [false, true]
defines.SCALE = [{scales}]
[[shader]]
source = "flat.frag"
targets = ["adreno", "agal", "theia", "vc4"]
defines.IGNORED = [false, true]
defines.SCALE = [{scales}]
"""
_BATCH_VERTEX = """
    vec4 extra = a_position * float(SCALE);
#ifdef FOG
    extra = mix(extra, u_offset, clip.z);
#endif
#ifdef UNUSED
    float nothing = a_uv.x * 7.0;
#endif
    gl_Position = clip + extra;
"""


def batch_rows(scales: int) -> Iterator[Row]:
    """A manifest of many permutations: compiled by one process, by two, and from the cache."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = ", ".join(f"{number}.5" for number in range(scales))
        (folder / "batch.toml").write_text(_MANIFEST.format(scales=values))
        (folder / "lit.vert").write_text(small("vertex").replace("    gl_Position = clip;", _BATCH_VERTEX))
        (folder / "flat.frag").write_text(small("fragment").replace("0.125", "0.125 * float(SCALE) / 64.0"))
        one, cpu_of_one, count = _batch(folder, "one", 1)
        two, cpu_of_two, _ = _batch(folder, "two", 2)
        _, cpu_of_hits, _ = _batch(folder, "two", 1)
        _, cpu_of_nothing, _ = _batch(folder, "two", 1, "--shard", f"{count}/{count}")
    yield Row("batch", f"{count} variants, one process", count / one, "variants/s")
    yield Row(
        "batch", f"{count} variants, two processes", count / two, "variants/s", "one process", one / two, ">= 1.8"
    )
    share = 2 * cpu_of_one / cpu_of_two
    yield Row(
        "batch",
        "the same, if two processors were free",
        count / one * share,
        "variants/s",
        "one process",
        share,
        ">= 1.8",
    )
    yield Row(
        "batch", "from the cache, a processor", count / (cpu_of_hits - cpu_of_nothing), "variants/s", goal=">= 5000"
    )


def _batch(folder: Path, cache: str, jobs: int, *words: str) -> tuple[float, float, int]:
    """Seconds, seconds of CPU, and the number of variants."""
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "GLSLC_MULTI_CACHE": str(folder / cache)}
    command = [
        sys.executable,
        "-m",
        "glslc_multi.entry",
        "batch",
        "batch.toml",
        "-j",
        str(jobs),
        "-o",
        cache,
        *words,
    ]
    cpu, start = child_cpu(), perf_counter()
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return perf_counter() - start, child_cpu() - cpu, int(ran.stdout.split()[0])


def execution_rows(lanes: int, rounds: int) -> Iterator[Row]:
    """Shaders of 18 vector instructions on this computer, by the wall clock: see `benchmarks.execute`."""
    from benchmarks import execute

    shown: set[str] = set()
    for kernel in (execute.VECTORS, execute.ROWS):
        records = execute.measure(kernel, lanes, rounds)
        speeds: dict[str, float] = {record["engine"]: record["millions a second"] for record in records}
        area = f"execution (`{kernel.name}`)"
        if execute.PLAIN_C in speeds:
            yield _speed(area, "jit kernel", speeds, execute.PLAIN_C, ">= 0.7")
        for name in target_names():
            if f"{name} interpreter" in speeds and name not in shown:
                shown.add(name)
                yield Row(area, f"{name} interpreter", speeds[f"{name} interpreter"], "M/s", goal=">= 3")
                yield _speed(area, f"{name} kernel", speeds, f"{name} interpreter", ">= 10")


def _speed(area: str, engine: str, speeds: dict[str, float], peer: str, goal: str) -> Row:
    return Row(area, engine, speeds[engine], "M/s", peer, speeds[engine] / speeds[peer], goal)


def _cpu() -> float:
    """CPU time of this process and those that it waited for."""
    return process_time() + child_cpu()


def as_markdown(rows: Sequence[Row]) -> str:
    """A table for each area."""
    lines: list[str] = []
    for area in dict.fromkeys(row.area for row in rows):
        lines += ["", f"## {area.capitalize()}", "", "| | | ratio | goal |", "| --- | --- | --- | --- |"]
        for row in rows:
            if row.area == area:
                value = row.note or f"{row.value:,.{0 if row.value >= 100 else 1}f} {row.unit}"
                ratio = "" if row.ratio is None else f"{row.ratio:.2f} of {row.peer}"
                lines.append(f"| {row.name} | {value} | {ratio} | {row.goal} |")
    return "\n".join(lines).lstrip("\n") + "\n"


def measure(*, quick: bool) -> list[Row]:
    """All figures; `quick` has fewer rounds and smaller sizes."""
    rounds = 3 if quick else 11
    gc.collect()
    return [
        *cold_rows(rounds),
        *warm_rows(rounds),
        *phase_rows(rounds),
        *parse_rows(rounds),
        *growth_rows(),
        *memory_rows(),
        *batch_rows(5 if quick else 50),
        *execution_rows(1 << 14 if quick else 1 << 18, rounds),
    ]


_INTRODUCTION = """# Performance

How long glslc-multi takes, compared with other compilers. `python -m benchmarks.speed --write` measured this in one
run, in which the candidates took turns. Quote the ratios: milliseconds depend on the computer
(here {machine}, Python {python}).

Times are CPU time, user and system, of whole processes or of a compilation in a warm process. The peers are
`glslangValidator`, which only checks GLSL ES 1.00, and `glslc -O`, which makes SPIR-V of the same shader as GLSL ES
3.10. Lines of the dense shaders have about 23 tokens, and the result depends on all of them.

A miss starts Python and loads the part of the compiler that the shader needs; one of a shader with
branches also loads networkx, which alone takes longer than `glslc -O` does for 140 lines. In a build system, or from
Python, that is paid once: `glslc-multi batch` and `glslc_multi.compile` compile at the rates under *Warm* and *Batch*.

Execution is timed by the wall clock: millions of vertices or pixels a second of the simulator (`interpreter`),
of the same machine code translated for this computer (`kernel`), and of the shader itself (`jit kernel`) against the
same loop in C.

"""


def page(rows: Sequence[Row]) -> str:
    """The text of docs/performance.md."""
    machine = f"{platform.machine()}, {os.cpu_count()} processors"
    return _INTRODUCTION.format(machine=machine, python=platform.python_version()) + as_markdown(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, smaller sizes")
    parser.add_argument("--json", action="store_true", help="a list of records")
    parser.add_argument("--write", action="store_true", help=f"write {_PAGE.relative_to(_ROOT)}")
    asked = parser.parse_args()
    for peer, package in ((("glslangValidator"), "glslang-tools"), ("glslc", "glslc")):
        if not shutil.which(peer):
            print(f"{peer} is not installed (Debian: {package}), so there is nothing to compare with", file=sys.stderr)
    rows = measure(quick=asked.quick)
    if asked.write:
        _PAGE.write_text(page(rows))
    print(json.dumps([asdict(row) for row in rows], indent=1) if asked.json else as_markdown(rows))


if __name__ == "__main__":
    main()
