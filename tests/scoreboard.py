"""`python -m tests.scoreboard [TARGET...]`: one table a target, from all runners, written to `docs/scoreboard.md`.

Every figure is the last line of a runner that anyone can start; the page says how.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from backends.registry import target_names
from compiler.records import dataclass
from tests.shared_data import PROJECT_ROOT, shared_root

PAGE = PROJECT_ROOT / "docs" / "scoreboard.md"

_HEAD = """# Scoreboard

What the runners of `tests/` say about each target, over the recordings of real assemblers, emulators, drivers and other
compilers. `make scoreboard` renews this page; each row names the command that gives its figure.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what it is, and the runner that gives it as its last line."""

    title: str
    runner: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        return f"python -m tests.{self.runner} {' '.join(self.arguments)}"


#: The data that code sizes are compared on.
SIZES = {
    "agal": "golden/agal/counts",
    "pica200": "golden/pica200/exec_shaders.json",
    "adreno": "golden/adreno/mesa_counts.json",
    "vc4": "golden/adreno/mesa_counts.json",
}
#: Engine options that make rows of their own.
_VARIANTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "agal": tuple(("--option", f"agal_version={version}") for version in (1, 2, 3)),
}


def rows(target: str) -> Iterator[Row]:
    """The figures of a target."""
    yield Row("recorded machine code", "golden", (target, f"golden/{target}/*.json"))
    for options in _VARIANTS.get(target, ((),)):
        suffix = f" ({options[1]})" if options else ""
        engine = ("--engine", target, *options)
        suite = (*engine, "corpus/cts", "golden/reference/features.jsonl")
        yield Row(f"conformance{suffix}", "conformance", suite)
        yield Row(f"real shaders{suffix}", "conformance", (*engine, "golden/reference/real.jsonl"))
    if target in SIZES:
        yield Row("code size against the peer", "codesize", (SIZES[target], "--target", target))


def measure(row: Row, shared: Path) -> str:
    """The last line that the runner prints."""
    arguments = [part for argument in row.arguments for part in _expanded(argument, shared)]
    command = [sys.executable, "-m", f"tests.{row.runner}", *arguments]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if lines else f"no result: {done.stderr.strip().splitlines()[-1:]}"


def _expanded(argument: str, shared: Path) -> list[str]:
    """An argument with the place of the shared data, patterns expanded."""
    if not argument.startswith(("golden/", "corpus/")):
        return [argument]
    return sorted(map(str, shared.glob(argument))) or [str(shared / argument)]


def page(tables: Sequence[tuple[str, Sequence[tuple[Row, str]]]]) -> str:
    """The page, from the figures of every target."""
    parts = [_HEAD]
    for target, figures in tables:
        parts.append(f"\n## {target}\n\n| what | figure | command |\n| --- | --- | --- |\n")
        parts += [f"| {row.title} | {figure} | `{row.command}` |\n" for row, figure in figures]
    return "".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    wanted = list(sys.argv[1:] if arguments is None else arguments) or list(target_names())
    unknown = [name for name in wanted if name not in target_names()]
    if unknown:
        print(f"tests.scoreboard: error: there is no target '{unknown[0]}'", file=sys.stderr)
        return 2
    shared = shared_root()
    if not shared.is_dir():
        print("tests.scoreboard: the shared data is not here, so there is nothing to measure", file=sys.stderr)
        return 2
    tables = []
    for target in wanted:
        figures = []
        for row in rows(target):
            figures.append((row, measure(row, shared)))
            print(f"{target}: {row.title}: {figures[-1][1]}", flush=True)
        tables.append((target, figures))
    if arguments is None and len(sys.argv) == 1:
        PAGE.write_text(page(tables), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
