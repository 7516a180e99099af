"""Proofs of compilations, shader by shader.

    python -m tests.proof --target agal [--target adreno] [--draws 64] PATH...

Prints what differs or is unknown, and counts.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.proof.compare import QUICK
from tests.proof.prove import prove_text

_SUFFIXES = (".vert", ".frag", ".glsl")


def main() -> int:
    """Prove every shader of the paths on every target."""
    parser = argparse.ArgumentParser(prog="python -m tests.proof", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--target", action="append", required=True)
    parser.add_argument("--draws", type=int, default=QUICK)
    arguments = parser.parse_args()
    files = sorted(file for path in arguments.paths for file in _files(path))
    differs = 0
    for target in arguments.target:
        counts: Counter[str] = Counter()
        for file in files:
            for stage in _stages(file, target):
                try:
                    verdict = prove_text(file.read_text(), target, stage, filename=str(file), draws=arguments.draws)
                except CompileError:
                    counts["refused"] += 1
                    continue
                counts[verdict.outcome] += 1
                if verdict.outcome in ("differs", "unknown"):
                    print(f"{target} {file.name}: {verdict.outcome}: {verdict.reason}", flush=True)
        differs += counts["differs"]
        print(target, ", ".join(f"{outcome} {count}" for outcome, count in sorted(counts.items())))
    return bool(differs)


def _stages(file: Path, target: str) -> tuple[str | None, ...]:
    """The programs of a shader: that of its suffix, and what computes positions alone."""
    has_two = file.suffix == ".vert" and "coordinate" in find_target(target, DiagnosticSink()).program_stages
    return (None, "coordinate") if has_two else (None,)


def _files(path: Path) -> list[Path]:
    return [file for file in path.rglob("*") if file.suffix in _SUFFIXES] if path.is_dir() else [path]


if __name__ == "__main__":
    raise SystemExit(main())
