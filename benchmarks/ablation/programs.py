"""The programs that pieces are measured on: real shaders, and those whose sizes are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source, stage_of_suffix
from tests.codesize.cases import DATA, RECORDED, SizeCase, load_cases
from tests.codesize.meter import artifacts_of
from tests.shared_data import shared_root

Corpus = Literal["real", "recorded"]
CORPORA: tuple[Corpus, ...] = ("real", "recorded")
#: Linked pairs of the real shaders.
_REAL_PAIRS = ("golden/real-counts/mesa_counts.json", ("adreno", "vc4"))
#: Options under which real shaders are compiled: the default, and the version that has most room.
_REAL_OPTIONS: dict[str, tuple[dict[str, object], ...]] = {"agal": ({}, {"agal_version": 3})}


@dataclass(frozen=True, slots=True)
class Program:
    """Something to compile, at some level of optimisation; the code of its stages comes out."""

    name: str
    compile: Callable[[int], list[Artifact]]


def programs_of(target: Target, corpus: Corpus, every: int = 1) -> list[Program]:
    """Every Nth program of a corpus for a target."""
    found = _real(target) if corpus == "real" else _recorded(target)
    return list(islice(found, 0, None, every))


def _real(target: Target) -> Iterator[Program]:
    for options in _REAL_OPTIONS.get(target.name, ({},)):
        for file in sorted((shared_root() / "corpus" / "real").iterdir()):
            stage = stage_of_suffix().get(file.suffix)
            if stage in target.stages:
                yield _alone(file, stage, target, options)
    pairs, owners = _REAL_PAIRS
    if target.name in owners:
        yield from (_of_case(case, target) for case in load_cases(shared_root() / pairs, target.name))


def _recorded(target: Target) -> Iterator[Program]:
    for data in DATA:
        if data.target == target.name and data.name == RECORDED:
            for case in load_cases(shared_root() / data.path, target.name):
                yield _of_case(case, target)


def _alone(file: Path, stage: str, target: Target, options: dict[str, object]) -> Program:
    text = file.read_text(encoding="utf-8")

    def compile(level: int) -> list[Artifact]:
        request = Request(level, target_options=options)
        return [compile_source(make_source(text, file.name, stage), target, request, DiagnosticSink())]

    return Program(" ".join([file.name, *map(str, options.values())]), compile)


def _of_case(case: SizeCase, target: Target) -> Program:
    return Program(case.name, lambda level: list(artifacts_of(case, target, level).values()))
