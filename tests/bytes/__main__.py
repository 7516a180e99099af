"""`python -m tests.bytes record|compare FILE`: is the code that comes out still the same, byte for byte?

    python -m tests.bytes record before.json          # for every target at -O0, -O2 and -Os; takes many minutes
    python -m tests.bytes compare before.json -j 2    # after a change that should change no code

`compare` takes what the file has; with `--every 10`, a tenth of it.  The last line is
"N the same, M differ"; the exit status is 1 where any differs.  A refused shader is recorded by its diagnostics' codes
and places.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import islice
from pathlib import Path

import glslc_multi
from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.report.reflection import register_map
from tests.bytes.programs import Shader, shaders_for

_LEVELS: tuple[int | str, ...] = (0, 2, "s")
_GENERATED = 300
_CHUNK = 4

#: What came out, each part as a short digest; or why nothing did.
Digest = dict[str, str]
Job = tuple[str, int | str, Shader]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bytes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--target", action="append", choices=target_names(), help="only this one; may be repeated")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth shader")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    found = parser.parse_args(arguments)
    recorded = json.loads(found.file.read_text(encoding="utf-8")) if found.action == "compare" else {}
    targets = found.target or target_names()
    jobs = [job for target in targets for job in _jobs_of(target, found.every)]
    digests = dict(_digests([job for job in jobs if not recorded or _key(job) in recorded], found.jobs))
    if found.action == "record":
        found.file.write_text(json.dumps(digests, indent=0) + "\n", encoding="utf-8")
        print(f"{len(digests)} recorded")
        return 0
    return _report(recorded, digests)


def _jobs_of(target: str, every: int) -> Iterator[Job]:
    shaders = islice(shaders_for(target, _GENERATED), 0, None, every)
    return ((target, level, shader) for shader in shaders for level in _LEVELS)


def _key(job: Job) -> str:
    target, level, shader = job
    return f"{target} -O{level} {shader.name}"


def _digests(jobs: Sequence[Job], processes: int) -> Iterator[tuple[str, Digest]]:
    names = map(_key, jobs)
    if processes == 1:
        yield from zip(names, map(_digest, jobs), strict=True)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from zip(names, pool.map(_digest, jobs, chunksize=_CHUNK), strict=True)


def _digest(job: Job) -> Digest:
    target, level, shader = job
    try:
        made = glslc_multi.compile(shader.text, target=target, stage=shader.stage, opt=level)
    except CompileError as error:
        errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        return {"refused": ", ".join(f"{one.code} at {_place(one.span)}" for one in errors)}
    parts = {"code": made.binary, "assembly": made.assembly.encode(), "map": register_map(made.artifact).encode()}
    return {name: sha256(data).hexdigest()[:16] for name, data in parts.items()}


def _place(span: Span | None) -> str:
    return "the whole" if span is None else f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def _report(recorded: dict[str, Digest], digests: dict[str, Digest]) -> int:
    different = [name for name, digest in digests.items() if digest != recorded[name]]
    for name in different:
        before, now = recorded[name], digests[name]
        parts = [part for part in before.keys() | now.keys() if before.get(part) != now.get(part)]
        print(f"{name}: {', '.join(sorted(parts))}" + (f" ({now['refused']})" if "refused" in now else ""))
    print(f"{len(digests) - len(different)} the same, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
