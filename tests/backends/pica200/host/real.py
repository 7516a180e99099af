"""Real shaders of others as generated programs: everything is set by name, and read back right.

    python -m tests.backends.pica200.host.real [--count N] [--seed S]

All of the shared corpora: vertex shaders alone, fragment shaders alone, and linked pairs; with --count only so many,
drawn by the seed.  The last line is "N passed, M failed, K refused".
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.backends.pica200.codegen.fragment.real.shaders import PROMISES
from tests.backends.pica200.host.programs import check_program
from tests.shared_data import PROJECT_ROOT, shared_root


@dataclass(frozen=True, slots=True)
class Real:
    """A shader, or a pair."""

    files: tuple[Path, ...]
    version: str

    @property
    def name(self) -> str:
        return " + ".join(path.name for path in self.files)

    def compiled(self) -> CompiledShader | CompiledProgram:
        """Generated images are allowed, and there are the promises that hosts make."""
        texts = [path.read_text(encoding="utf-8") for path in self.files]
        options = {"images": True, "ranges": PROMISES.get(self.files[-1].name, "")}
        wanted: dict[str, Any] = {"target": "pica200", "std": self.version, "inexact_integers": True}
        wanted["compat"] = self.version.isdigit() and self.version != "100"
        is_pair, stage = len(texts) > 1, "vertex" if self.files[0].suffix == ".vert" else "fragment"
        if stage == "fragment" or is_pair:
            wanted["options"] = options
        if is_pair:
            return glslc_multi.link(*texts, **wanted)
        return glslc_multi.compile(texts[0], stage=stage, **wanted)


def all_real() -> list[Real]:
    return [*_corpus("corpus/real"), *_corpus("corpus/real3"), *_examples()]


def _corpus(name: str) -> Iterator[Real]:
    folder = shared_root() / name
    if not folder.exists():
        return
    for row in json.loads((folder / "manifest.json").read_text())["shaders"]:
        version = str(row.get("glsl_version", "100")).replace(" ", "")
        yield Real((folder / row["file"],), version)
        if row["stage"] == "fragment" and row["partner"]:
            yield Real((folder / row["partner"], folder / row["file"]), version)


def _examples() -> Iterator[Real]:
    """Fewer of the others' fragment shaders fit than of those that were written for it."""
    for vertex in sorted((PROJECT_ROOT / "examples/shaders").glob("*.vert")):
        yield Real((vertex, vertex.with_suffix(".frag")), "100")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.backends.pica200.host.real",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, help="so many, drawn by the seed; else all")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    reals = all_real()
    if given.count is not None:
        reals = Random(given.seed).sample(reals, min(given.count, len(reals)))
    counts: Counter[str] = Counter()
    for real in reals:
        counts.update(_verdict(real, given.seed))
    kinds = "programs of one stage", "pairs", "registers", "loaders", "computed"
    print(", ".join(f"{counts[kind]} {kind}" for kind in kinds))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['refused']} refused")
    return 1 if counts["failed"] else 0


def _verdict(real: Real, seed: int) -> dict[str, int]:
    try:
        made = real.compiled()
        with tempfile.TemporaryDirectory() as folder:
            found = check_program(Path(folder), made, seed)
    except CompileError:
        return {"refused": 1}
    except Exception as failure:  # whatever goes wrong is told of, and the others go on
        print(f"{real.name}: {type(failure).__name__}: {str(failure)[:400]}", flush=True)
        return {"failed": 1}
    kind = "pairs" if len(real.files) > 1 else "programs of one stage"
    counts = {"registers": found.registers, "loaders": found.loaders, "computed": found.computed}
    return {"passed": 1, kind: 1, **counts}


if __name__ == "__main__":
    sys.exit(main())
