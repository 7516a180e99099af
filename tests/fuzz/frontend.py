"""Fuzzes the front end with mutated shaders: every input must end in a module or in diagnostics.

    python -m tests.fuzz.frontend --count 20000 --seed 1 [PATH...]

PATHs are shaders to mutate, or folders of them; without any, the shared corpus where it is found, and
generated programs.  A finding is a traceback, an undocumented exit status, a run over five seconds, or
accepted text whose IR breaks a rule; its input is written to `--findings`.
"""

from __future__ import annotations

import argparse
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.model import exit_status
from compiler.diagnostics.render import render
from compiler.ir.verify import verify_module
from compiler.records import dataclass, field
from frontends.glsl.frontend import compile_shader
from tests.fuzz.mutate import mutate
from tests.generators.glsl import Stage, generate
from tests.shared_data import shared_root

SECONDS = 5
#: Exit statuses that a shader alone can lead to (architecture: 70 would be an internal error).
DOCUMENTED = frozenset({0, 1, 3})
_STAGES: dict[str, Stage] = {".vert": "vertex", ".frag": "fragment"}


class Slow(Exception):
    """A run took longer than it may."""


@dataclass(slots=True)
class Report:
    """What a fuzzing run saw."""

    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[str, Stage, str]] = field(default_factory=list)


def seeds(paths: Sequence[Path]) -> list[tuple[Stage, str]]:
    """The texts to mutate."""
    if not paths:
        real = shared_root() / "corpus" / "real"
        paths = [real] if real.is_dir() else []
        stages: tuple[Stage, ...] = ("vertex", "fragment")
        generated = [(stage, generate(Random(seed), stage).source) for seed in range(20) for stage in stages]
    else:
        generated = []
    files = [f for path in paths for f in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    texts = [(_STAGES[f.suffix], f.read_text(encoding="utf-8")) for f in files if f.suffix in _STAGES]
    return generated + texts


def fuzz(texts: Sequence[tuple[Stage, str]], count: int, seed: int) -> Report:
    """Compile `count` mutants of `texts`."""
    random, report = Random(seed), Report()
    for _ in range(count):
        stage, source = random.choice(texts)
        mutant = mutate(source, random, random.choice(texts)[1])
        outcome = examine(mutant, stage)
        report.outcomes[outcome.split(":")[0]] += 1
        if outcome.startswith("finding"):
            report.findings.append((outcome, stage, mutant))
    return report


def examine(source: str, stage: Stage) -> str:
    """The outcome of one text: "accepted", "rejected", or "finding: ..."."""
    sink = DiagnosticSink()
    try:
        with _time_limit():
            module = compile_shader(source, filename="fuzz", stage=stage, sink=sink)
            faults = verify_module(module, final=True)
        return f"finding: accepted, but {faults[0]}" if faults else "accepted"
    except CompileError as error:
        return _judge(error)
    except Slow:
        return f"finding: over {SECONDS} s"
    except Exception:
        return f"finding: {traceback.format_exc()}"


def _judge(error: CompileError) -> str:
    status = exit_status(error.diagnostics)
    if status not in DOCUMENTED or status == 0:
        return f"finding: exit status {status}"
    render(error.diagnostics, "text", color=False)
    if any(diagnostic.span is None for diagnostic in error.diagnostics):
        return f"finding: a message without a place: {error}"
    return "rejected"


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise Slow

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the front end with mutated shaders.")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, help="folder to write failing inputs to")
    arguments = parser.parse_args()

    report = fuzz(seeds(arguments.paths), arguments.count, arguments.seed)
    for number, (outcome, stage, source) in enumerate(report.findings):
        print(outcome)
        if arguments.findings is not None:
            arguments.findings.mkdir(parents=True, exist_ok=True)
            (arguments.findings / f"{number}.{stage[:4]}").write_text(source, encoding="utf-8")
    print(f"{arguments.count} texts: {dict(report.outcomes)}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
