"""Measures pieces: the size of programs with a piece and without it, and how much work both compilations are.

Work is counted in calls of Python functions, which repeat exactly on a busy machine, too; that takes three times as
long as a compilation, so that some programs have to do.  Ratios are those of sums over the programs that compile either
way.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType

from benchmarks.ablation.pieces import pieces_of
from benchmarks.ablation.programs import CORPORA, Corpus, Program, programs_of
from benchmarks.ablation.switch import Piece, observed, switched_off
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.target import Target
from tests.work import count_calls

#: Seconds after which a compilation without a piece is given up.
_LONGEST = 120
#: Of so many programs, the work of one is counted.
_COUNTED = 4


@dataclass(slots=True)
class Totals:
    """Sums over the programs that compile with a piece and without it."""

    programs: int = 0
    size: int = 0
    size_without: int = 0
    calls: int = 0
    calls_without: int = 0
    #: Programs whose size changes.
    changed: int = 0
    #: Programs that do not compile without the piece.
    lost: int = 0

    def add(self, both: Compiled, without: Compiled) -> None:
        if both.size is None:
            return
        if without.size is None:
            self.lost += 1
            return
        self.programs += 1
        self.size += both.size
        self.size_without += without.size
        self.calls += both.calls
        self.calls_without += without.calls
        self.changed += both.size != without.size

    @property
    def buys(self) -> float:
        """By how much code is larger without the piece, as a share."""
        return self.size_without / self.size - 1 if self.size else 0.0


@dataclass(slots=True)
class Finding:
    """What was measured of a piece."""

    piece: str
    kind: str
    target: str
    #: Whether it came into play at all.
    is_active: bool = True
    totals: dict[Corpus, Totals] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program in one of its forms."""

    #: None where it does not compile.
    size: int | None
    #: 0 where they were not counted.
    calls: int = 0


# ---------------------------------------------------------------------------------------------------- what plays a part
def active_pieces(target: str, every: int) -> set[str]:
    """The names of the pieces that come into play; the modules that compilations import are there afterwards."""
    active: set[str] = set()
    pieces = pieces_of(target)
    for level in sorted({piece.level for piece in pieces}):
        with observed([piece for piece in pieces if piece.level == level], active):
            for corpus in CORPORA:
                for program in programs_of(load_target(target), corpus, every):
                    _compile(program, load_target(target), level)
    return active


# ----------------------------------------------------------------------------------------------------------- measuring
def measure(target: str, names: Sequence[str], every: int) -> list[Finding]:
    """What pieces of one level of optimisation buy."""
    loaded = load_target(target)
    pieces = [piece for piece in pieces_of(target) if piece.name in names]
    findings = [Finding(piece.name, piece.kind, target) for piece in pieces]
    for corpus in CORPORA:
        for number, program in enumerate(programs_of(loaded, corpus, every)):
            compile = partial(_compile, program, loaded, pieces[0].level)
            # What is made only once is there after the first compilation.
            if compile().size is None:
                continue
            is_counted = number % _COUNTED == 0
            both = compile(is_counted=is_counted)
            for piece, finding in zip(pieces, findings, strict=True):
                with switched_off(piece):
                    finding.totals.setdefault(corpus, Totals()).add(both, compile(is_counted=is_counted))
    return findings


def _compile(program: Program, target: Target, level: int, *, is_counted: bool = False) -> Compiled:
    """The size of all stages, and the work; without a piece, anything may go wrong."""
    artifacts: list[Artifact] = []
    calls = 0
    try:
        with _time_limit():
            if is_counted:
                calls = count_calls(lambda: artifacts.extend(program.compile(level)))
            else:
                artifacts = program.compile(level)
    except Exception:
        return Compiled(None)
    return Compiled(sum(target.size(artifact.stats) for artifact in artifacts), calls)


@contextmanager
def _time_limit() -> Iterator[None]:
    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, _LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError


def chunks(pieces: Iterable[Piece], most: int) -> Iterator[list[str]]:
    """Names of pieces that are measured together: those of one level, `most` at a time."""
    by_level: dict[int, list[str]] = {}
    for piece in pieces:
        by_level.setdefault(piece.level, []).append(piece.name)
    for names in by_level.values():
        yield from (names[start : start + most] for start in range(0, len(names), most))
