"""Measures our size against the peer's: the geometric mean of the ratios, and the ratio of the sums.

A *meter* compiles a case for its target at -O2, executes the code against the IR's evaluator, and gives
the size of each stage (`meter.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import exp, log

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import dataclass, field
from tests.codesize.cases import Peer, SizeCase


@dataclass(frozen=True, slots=True)
class Measured:
    """Our code for one stage."""

    size: int
    #: With loops unrolled as the peer does it, where that is known.
    unrolled: int | None = None
    #: What is wrong with its values; "" when they agree with the evaluator.
    wrong: str = ""
    #: Of a machine that issues two operations a slot: slots with both, and all slots of such operations.
    dual: tuple[int, int] | None = None
    #: Slots in which nothing is done, by reason.
    nops: Mapping[str, int] = field(default_factory=dict)


Meter = Callable[[SizeCase], Mapping[str, Measured]]


class NoMeter(Exception):
    """The target cannot be measured."""


@dataclass(frozen=True, slots=True)
class Row:
    """One stage of one case."""

    name: str
    stage: str
    peer: Peer
    ours: Measured | None
    #: Why there is no code.
    refusal: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether both have right code."""
        return self.peer.size is not None and self.ours is not None and not self.ours.wrong

    @property
    def complaint(self) -> str:
        """Why the run fails because of this row; "" when it does not."""
        if self.ours is None:
            return "" if self.peer.size is None else f"does not compile: {self.refusal}"
        if self.ours.wrong:
            return f"computes wrongly: {self.ours.wrong}"
        if self.peer.size is not None and self.ours.size > self.peer.size:
            return f"larger than the peer's: {self.ours.size} > {self.peer.size}"
        return ""


def find_meter(target: str) -> Meter:
    """The meter of `target`."""
    if target not in target_names():
        raise NoMeter(f"there is no target '{target}'; targets: {', '.join(target_names()) or 'none'}")
    from tests.codesize.meter import make_meter

    return make_meter(target)


def measure(cases: Iterable[SizeCase], meter: Meter) -> Iterator[Row]:
    """A row for each stage of each case."""
    for case in cases:
        measured: Mapping[str, Measured] = {}
        refusal = "this stage does not come out"
        try:
            measured = meter(case)
        except CompileError as error:
            refusal = error.summary
        except Exception as error:
            refusal = f"internal error: {type(error).__name__}: {error}"
        for stage, peer in case.peers.items():
            yield Row(case.name, stage, peer, measured.get(stage), refusal)


def report(rows: Iterable[Row]) -> tuple[list[str], bool]:
    """The table, what is wrong, the lines with the means; and whether nothing is wrong."""
    rows = list(rows)
    lines = [f"{'shader':24} {'stage':10} {'ours':>6} {'unroll':>6} {'peer':>6} {'hand':>6} {'ratio':>6}"]
    lines += [_line(row) for row in rows]
    complaints = [f"{row.name} ({row.stage}): {row.complaint}" for row in rows if row.complaint]
    return [*lines, *_dual_issue(rows), *_nops(rows), *complaints, *_means(rows)], not complaints


@dataclass(frozen=True, slots=True)
class Mean:
    """What all stages come to that both have right code for."""

    geometric: float
    summed: float
    larger: int
    stages: int
    left_out: int = 0

    def __str__(self) -> str:
        ratios = f"geometric mean ratio {self.geometric:.4f}, of the sums {self.summed:.4f}"
        return f"{ratios}, {self.larger} of {self.stages} stages larger"


def mean_of(rows: Sequence[Row]) -> Mean:
    """Our code as it is shipped."""
    sizes = [
        (row.ours.size, row.peer.size) for row in rows if row.ours is not None and row.peer.size and row.is_counted
    ]
    return _mean(sizes, left_out=sum(row.peer.size is not None for row in rows) - len(sizes))


def _means(rows: Sequence[Row]) -> Iterator[str]:
    unrolled = [
        (row.ours.unrolled, row.peer.size)
        for row in rows
        if row.ours is not None and row.ours.unrolled is not None and row.peer.size and row.is_counted
    ]
    if unrolled:
        yield f"loops unrolled as the peer's: {_mean(unrolled)}"
    mean = mean_of(rows)
    yield f"{mean}; {mean.left_out} stages left out"


def _mean(sizes: Sequence[tuple[int, int]], left_out: int = 0) -> Mean:
    mean = exp(sum(log(ours / theirs) for ours, theirs in sizes) / len(sizes)) if sizes else 1.0
    summed = sum(ours for ours, _ in sizes) / max(sum(theirs for _, theirs in sizes), 1)
    return Mean(mean, summed, sum(ours > theirs for ours, theirs in sizes), len(sizes), left_out)


def _dual_issue(rows: Sequence[Row]) -> Iterator[str]:
    """How full the slots are that take two operations, of each stage and of all."""
    fills = [(row.stage, row.ours.dual) for row in rows if row.ours is not None and row.ours.dual is not None]
    for name in dict.fromkeys([*(stage for stage, _ in fills), *(["all stages"] if fills else [])]):
        both, slots = (sum(fill[n] for stage, fill in fills if name in (stage, "all stages")) for n in (0, 1))
        yield f"dual issue, {name}: {both} of {slots} slots have both halves ({100 * both / max(slots, 1):.1f} %)"


def _line(row: Row) -> str:
    size = row.ours.size if row.ours else None
    unrolled = row.ours.unrolled if row.ours else None
    ratio = f"{size / row.peer.size:.3f}" if size and row.peer.size and row.is_counted else "-"
    cells = (_cell(number) for number in (size, unrolled, row.peer.size, row.peer.reference))
    return f"{row.name:24} {row.stage:10} {' '.join(cells)} {ratio:>6}"


def _cell(number: int | None) -> str:
    return f"{'-' if number is None else number:>6}"


def _nops(rows: Sequence[Row]) -> Iterator[str]:
    """Where slots stay empty."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update({} if row.ours is None else row.ours.nops)
    if found:
        yield "NOPs: " + ", ".join(f"{count} for {reason.replace('_', ' ')}" for reason, count in found.most_common())
