"""Runs records on an engine and sums up, in one process or several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor

from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.diagnostics.catalogue.evaluation import INTEGER_BEYOND_PROMISE
from glslc_multi.compiler.records import dataclass, field, replace
from tests.conformance.compare import complaints_about_values, complaints_about_verdict, may_differ
from tests.conformance.deviations import ENGINE_DEVIATIONS, KNOWN_DEVIATIONS
from tests.conformance.engines.engines import Engine, InexactInteger, make_engine
from tests.conformance.engines.reference import GLSL, front_end_in_use, use_front_end
from tests.conformance.model import Record
from tests.conformance.spirv.rewriter import NotTaken
from tests.conformance.summary import Outcome
from tests.conformance.whole import without_lanes_beyond

#: Codes of diagnostics that say what hardware cannot hold or do: the only reason for a skip.
_LIMIT_CODES = "E07"
#: In place of a code: a record's own numbers are larger than the machine's ints can be.
BEYOND = "range"
_NUMBER = re.compile(r"-?\b\d[\d.]*")
_CHUNK = 8


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Enough to make the same engine in another process."""

    name: str
    #: As after `-O`.
    optimisation: int | str = 2
    options: Mapping[str, str] = field(default_factory=dict)
    #: The way from a record's text to the IR.
    front_end: str = GLSL

    def make(self) -> Engine:
        use_front_end(self.front_end)
        return make_engine(self.name, self.optimisation, self.options)


def judge(record: Record, engine: Engine) -> Outcome:
    """Run one record."""
    return replace(_judge(record, engine), corpus=record.corpus)


def _judge(record: Record, engine: Engine) -> Outcome:
    stages = set(record.runs[0].sources) if record.runs else set()
    is_verdict = not record.runs
    if (is_verdict and (not engine.judges_verdicts or front_end_in_use() != GLSL)) or not engine.takes(stages):
        return Outcome(record.name, "left out")
    try:
        complaint = next(_complaints(record, engine), None)
    except NotTaken as error:
        return Outcome(record.name, "not taken", str(error))
    except CompileError as error:
        return _excuse(_refused(record, error), engine)
    except InexactInteger as error:
        return Outcome(record.name, "skipped", error.warning.code, _NUMBER.sub("N", error.warning.message))
    except Exception as error:
        # An engine that breaks down has failed this record; the others still count.
        return Outcome(record.name, "failed", f"internal error: {type(error).__name__}: {error}")
    if complaint is None:
        return Outcome(record.name, "passed")
    if may_differ(record.tags):
        return Outcome(record.name, "passed", f"differs within the language's freedom: {complaint}")
    if engine.wider is not None and next(_complaints(record, engine.wider), None) is None:
        return Outcome(record.name, "passed", f"differs by the machine's number format alone: {complaint}")
    limits = engine.whole_numbers
    narrowed = record if limits is None else without_lanes_beyond(record, limits)
    if narrowed is not record and next(_complaints(narrowed, engine), None) is None:
        return Outcome(record.name, "skipped", BEYOND, "whole numbers beyond the machine's")
    return _excuse(Outcome(record.name, "failed", complaint), engine)


def _excuse(outcome: Outcome, engine: Engine) -> Outcome:
    """A listed failure is none: the record contradicts the specification, or needs numbers that a target lacks."""
    target = getattr(engine, "target", None)
    known = KNOWN_DEVIATIONS | (ENGINE_DEVIATIONS.get(target.name, {}) if target else {})
    if outcome.status == "failed" and outcome.name in known:
        return Outcome(outcome.name, "deviation", known[outcome.name])
    return outcome


def _complaints(record: Record, engine: Engine) -> Iterator[str]:
    if not record.runs and record.verdict is not None:
        yield from complaints_about_verdict(record.verdict, engine.check_verdict(record.verdict))
    for run in record.runs:
        yield from complaints_about_values(run, engine.run_values(run), engine.slack)


def _refused(record: Record, error: CompileError) -> Outcome:
    errors = [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]
    if errors and all(found.entry is INTEGER_BEYOND_PROMISE for found in errors):
        return Outcome(record.name, "skipped", BEYOND, "whole numbers beyond the machine's")
    if errors and all(found.code.startswith(_LIMIT_CODES) for found in errors):
        return Outcome(record.name, "skipped", errors[0].code, _NUMBER.sub("N", errors[0].message))
    return Outcome(record.name, "failed", error.summary)


def run_records(records: Iterable[Record], choice: EngineChoice, jobs: int) -> Iterator[Outcome]:
    """The outcomes, in the order of the records."""
    if jobs == 1:
        engine = choice.make()
        yield from (judge(record, engine) for record in records)
        return
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(choice,)) as pool:
        yield from pool.map(_judge_in_worker, records, chunksize=_CHUNK)


_worker_engine: Engine | None = None


def _start_worker(choice: EngineChoice) -> None:
    global _worker_engine
    _worker_engine = choice.make()


def _judge_in_worker(record: Record) -> Outcome:
    assert _worker_engine is not None
    return judge(record, _worker_engine)
