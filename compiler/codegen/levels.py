"""Code made again under other constraints: levels as data, failures as values, two policies of choice.

A target has a table of levels, from the loosest to the tightest, and one function that makes code at a level.  What
comes of a level is a value: code, or a `Failure`.  `first_that_fits` takes the loosest level with code,
`smallest_that_fits` the one with the smallest; both say why they took no other one (`LevelTaken`), for `--stats`.

Nothing else goes on after an error.  Each level reports to a sink of its own: of the level that is taken all is kept,
and where there is none what the last one of the table reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Generic, Literal, TypeVar

from compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from compiler.records import dataclass, replace

Values = TypeVar("Values")
Made = TypeVar("Made")
Policy = Literal["first that fits", "smallest that fits"]


@dataclass(frozen=True, slots=True)
class Level(Generic[Values]):
    """A row of a target's table."""

    name: str
    #: What is done here, in a few words.
    about: str
    #: The constraints that it sets.
    values: Values


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no code: errors among the diagnostics, or that it was given up."""

    diagnostics: tuple[Diagnostic, ...] = ()
    #: What follows the level's name in a sentence, where there are no errors.
    given_up: str = ""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self.diagnostics if each.severity == "error")

    @property
    def exceeded(self) -> frozenset[str]:
        """The resources that the machine has too little of; none where anything else is wrong."""
        if any(error.entry is not RESOURCE_EXCEEDED for error in self.errors):
            return frozenset()
        return frozenset(error.values["what"] for error in self.errors)


@dataclass(frozen=True, slots=True)
class Failed(Generic[Values]):
    """A level that was tried in vain."""

    level: Level[Values]
    failure: Failure


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A level that was tried and not taken."""

    level: str
    #: What follows its name in a sentence: "failed: needs 9 registers, ..." or "takes 12 words".
    why: str
    #: The error that it failed for.
    error: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class LevelTaken:
    """The level that code was made at, and the others that were tried."""

    name: str
    about: str
    policy: Policy
    #: Its place in the table, from 1, and how many levels there are.
    number: int
    count: int
    passed_over: tuple[PassedOver, ...]


@dataclass(frozen=True, slots=True)
class Found(Generic[Made]):
    """What was made, and at which level; `taken` is empty where there was nothing to choose."""

    made: Made
    taken: tuple[LevelTaken, ...]


#: Makes code at a level; what it reports or raises as an error is a failure, too.
Make = Callable[[Level[Values], DiagnosticSink], "Made | Failure"]
#: Whether a level may help after those that have failed.
Rule = Callable[[Level[Values], Sequence[Failed[Values]]], bool]


def makes_do_with_less(level: Level[Values], failed: Sequence[Failed[Values]]) -> bool:
    """The usual rule: tighter levels help where there is too little of something, and where nothing else is wrong."""
    return bool(failed[-1].failure.exceeded)


def outcome_of(make: Callable[[DiagnosticSink], Made | Failure], sink: DiagnosticSink) -> Made | Failure:
    """What is made, its warnings in `sink`; or why nothing was, and nothing in `sink`."""
    trial = sink.renewed()
    try:
        made = make(trial)
        trial.raise_if_errors()
    except CompileError as error:
        return Failure(error.diagnostics)
    if isinstance(made, Failure):
        return replace(made, diagnostics=(*trial.diagnostics, *made.diagnostics))
    sink.absorb(trial)
    return made


def required(outcome: Made | Failure, sink: DiagnosticSink) -> Made:
    """What was made; a failure is reported and raised."""
    if not isinstance(outcome, Failure):
        return outcome
    sink.diagnostics += outcome.diagnostics
    sink.error_count += len(outcome.errors)
    raise CompileError(sink.diagnostics)


def first_that_fits(
    levels: Sequence[Level[Values]],
    make: Make[Values, Made],
    sink: DiagnosticSink,
    helps: Rule[Values] = makes_do_with_less,
) -> Found[Made] | Failure:
    """The code of the first level that has any; levels that cannot help after those before them are left out."""
    failed: list[Failed[Values]] = []
    for level in levels:
        if failed and not helps(level, failed):
            continue
        outcome = outcome_of(partial(make, level), sink)
        if not isinstance(outcome, Failure):
            passed_over = [_failed(each.level, each.failure) for each in failed]
            return Found(outcome, _taken(level, levels, "first that fits", passed_over))
        failed.append(Failed(level, outcome))
    return failed[-1].failure


def smallest_that_fits(
    levels: Sequence[Level[Values]],
    make: Make[Values, Made],
    sink: DiagnosticSink,
    *,
    size: Callable[[Made], int],
    unit: str,
    order: Callable[[Values], int] = lambda values: 0,
) -> Found[Made] | Failure:
    """The smallest code of all levels; levels are tried by `order`, and of code of one size the first is taken."""
    trials = [(level, sink.renewed()) for level in sorted(levels, key=lambda level: order(level.values))]
    outcomes = [(level, outcome_of(partial(make, level), trial), trial) for level, trial in trials]
    fitting = [(level, made, trial) for level, made, trial in outcomes if not isinstance(made, Failure)]
    if not fitting:
        return next(made for level, made, _ in outcomes if level is levels[-1] and isinstance(made, Failure))
    best, smallest, notes = min(fitting, key=lambda each: size(each[1]))
    sink.absorb(notes)
    passed_over = [
        _failed(level, made) if isinstance(made, Failure) else PassedOver(level.name, f"takes {size(made)} {unit}")
        for level, made, _ in outcomes
        if level is not best
    ]
    return Found(smallest, _taken(best, levels, "smallest that fits", passed_over))


def _taken(
    level: Level[Values],
    levels: Sequence[Level[Values]],
    policy: Policy,
    passed_over: Sequence[PassedOver],
) -> tuple[LevelTaken, ...]:
    if not passed_over:
        return ()
    number = levels.index(level) + 1
    return (LevelTaken(level.name, level.about, policy, number, len(levels), tuple(passed_over)),)


def _failed(level: Level[Values], failure: Failure) -> PassedOver:
    error = next(iter(failure.errors), None)
    return PassedOver(level.name, failure.given_up if error is None else f"failed: {error.message}", error)
