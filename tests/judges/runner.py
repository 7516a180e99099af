"""Compiles what is judged, in several processes if asked to, and lets every judge judge it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

from tests.bytes.programs import Shader
from tests.judges.model import Judge, NotTaken, Program, Variants, Verdicts
from tests.judges.programs import Compilation

_CHUNK = 8


def judge_all(judges: Sequence[Judge], shaders: Sequence[Shader], jobs: int) -> dict[str, Verdicts]:
    """What each judge says; judges of the same code get it from one compilation."""
    found = {judge.name: Verdicts() for judge in judges}
    for group in _groups(judges):
        target, variants = group[0].target, group[0].variants
        compilations = [Compilation(shader, target, variants) for shader in shaders]
        for program in chain.from_iterable(_compiled(compilations, jobs)):
            for judge in group:
                ask(judge, program, found[judge.name])
    return found


def ask(judge: Judge, program: Program | str, verdicts: Verdicts) -> None:
    """Let a judge judge; `program` may be why there is none."""
    if isinstance(program, str):
        verdicts.skip(program)
        return
    try:
        complaints = judge.judge(program)
    except NotTaken as reason:
        verdicts.skip(str(reason))
        return
    if complaints:
        verdicts.failed += 1
        verdicts.complaints += [(program, complaint) for complaint in complaints]
    else:
        verdicts.passed += 1


def _groups(judges: Sequence[Judge]) -> Iterable[list[Judge]]:
    """Judges of the same code."""
    groups: dict[tuple[str | None, Variants], list[Judge]] = {}
    for judge in judges:
        groups.setdefault((judge.target, judge.variants), []).append(judge)
    return groups.values()


def _compiled(compilations: Sequence[Compilation], jobs: int) -> Iterator[list[Program | str]]:
    if jobs == 1:
        yield from map(Compilation.programs, compilations)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(Compilation.programs, compilations, chunksize=_CHUNK)
