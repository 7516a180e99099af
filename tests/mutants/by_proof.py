"""Faults judged by the proof of compilations: does one that changes what code computes end in *differs*?

First every program (`programs.py`) is compiled without a fault: what code it becomes, and which lines of the compiler
that takes.  Then each fault is planted, and the programs that come by its line are compiled again.  Code that has
changed is proven in full; where the proof sees nothing, its values are compared with the evaluator's.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.records import dataclass
from tests.mutants import plan
from tests.mutants.faults import Fault
from tests.mutants.trial import Trial, run_all

#: Programs that a fault is tried on, at most, and seconds of work that these may take.
_PROGRAMS, _SECONDS = 24, 60.0
#: Seconds of work for all programs of a target without a fault, while lines are counted.
_SURVEY_SECONDS = 3000.0
_OF_BACK_END = {"xenos_family": ("adreno", "xenos")}
_COUNTED = ("proof", "values")


@dataclass(frozen=True, slots=True)
class Judged:
    """A fault, and what came of it.

    That is "proof", "values", "error" or "code" with the program that shows it (the first two: what the code computes
    has changed, and who noticed), or "" where no code has changed.
    """

    fault: Fault
    result: str

    @property
    def kind(self) -> str:
        return self.result.partition(" ")[0]


def judge_by_proof(faults: Sequence[Fault], wanted: int, jobs: int, log: Path) -> list[Judged]:
    """Judge faults until so many have changed what code computes; those of the log are not tried again."""
    log.parent.mkdir(parents=True, exist_ok=True)
    known = _read_log(log)
    judged = [Judged(fault, known[key]) for fault in faults if (key := _key(fault)) in known]
    left = [fault for fault in faults if _key(fault) not in known]
    missing = wanted - sum(each.kind in _COUNTED for each in judged)
    surveys = _surveys(sorted({fault.path for fault in left}), jobs) if missing > 0 else {}
    while left and missing > 0:
        # No more than are wanted, so that the run ends soon after the last one.
        batch, left = left[:missing], left[missing:]
        trials = [Trial(partial(_first, _tried(fault, surveys)), fault, _SECONDS) for fault in batch]
        for number, result in run_all(trials, jobs):
            judged.append(Judged(batch[number], result.said))
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*_key(batch[number]), result.said]) + "\n")
            missing -= judged[-1].kind in _COUNTED
    return judged


def share_proven(judged: Sequence[Judged]) -> float:
    """Of the faults that change what code computes, the share that the proof has seen."""
    counted = [each.kind == "proof" for each in judged if each.kind in _COUNTED]
    return sum(counted) / max(len(counted), 1)


def summary(judged: Sequence[Judged], folders: Sequence[str]) -> str:
    """What the proof has not seen, and the share that it has, by folder."""
    unseen = [each for each in judged if each.kind == "values"]
    lines = [f"{each.result}:\n{each.fault.diff(plan.text_of(each.fault.path))}\n" for each in unseen]
    width = max(map(len, [*folders, "all"]))
    for folder in [*folders, "all"]:
        inside = [each for each in judged if folder == "all" or each.fault.path.startswith(folder)]
        kinds = Counter(each.kind or "nothing" for each in inside)
        if inside:
            others = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
            lines.append(f"{folder:{width}}  {share_proven(inside):4.0%}  ({others})")
    return "\n".join(lines)


def _key(fault: Fault) -> tuple[str, str]:
    return fault.path, fault.diff(plan.text_of(fault.path))


def _read_log(log: Path) -> dict[tuple[str, str], str]:
    """What an earlier run has found."""
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
    return {(path, diff): result for path, diff, result in rows}


# --- Without a fault --------------------------------------------------------------------------------------------------

#: Target -> program -> a digest of its code, and by file the lines that its compilation takes.
Surveys = Mapping[str, Mapping[str, tuple[str, Mapping[str, Sequence[int]]]]]


def _surveys(paths: Sequence[str], jobs: int) -> Surveys:
    targets = sorted({target for path in paths for target in _targets_of(path)})
    trials = [Trial(partial(_survey, target, paths), None, _SURVEY_SECONDS) for target in targets]
    return {targets[number]: json.loads(result.said) for number, result in run_all(trials, jobs)}


def _survey(target: str, paths: Sequence[str]) -> str:
    from tests.mutants import programs

    return json.dumps(programs.survey(target, paths))


def _tried(fault: Fault, surveys: Surveys) -> dict[str, dict[str, str]]:
    """Target -> program -> digest, for a sample of the programs that come by the fault."""
    targets, lines = _targets_of(fault.path), lines_of(fault)
    coming = [
        (target, name)
        for target in targets
        for name, (_, covered) in surveys[target].items()
        if not lines or lines & set(covered.get(fault.path, ()))
    ]
    chosen = Random(1).sample(coming, min(_PROGRAMS, len(coming)))
    return {target: {name: surveys[target][name][0] for at, name in chosen if at == target} for target in targets}


def _targets_of(path: str) -> Sequence[str]:
    """The targets whose code comes by a file."""
    parts = Path(path).parts
    return _OF_BACK_END.get(parts[1], (parts[1],)) if parts[0] == "backends" else target_names()


def lines_of(fault: Fault) -> set[int]:
    """The lines of a function that the fault is in; none where it is in what is run when the file is loaded."""
    text = plan.text_of(fault.path)
    first, last = (text.count("\n", 0, place) + 1 for place in (fault.start, max(fault.start, fault.end - 1)))
    inside = [statement for statement in _statements(fault.path) if statement[0] <= first <= statement[1]]
    return set(range(max(inside)[0], last + 1)) if inside else set()


@cache
def _statements(path: str) -> list[tuple[int, int]]:
    """First and last lines of the statements of all functions."""
    functions = [node for node in ast.walk(ast.parse(plan.text_of(path))) if isinstance(node, ast.FunctionDef)]
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for function in functions
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt)
    ]


# --- With one ---------------------------------------------------------------------------------------------------------


def _first(tried: Mapping[str, Mapping[str, str]]) -> str:
    from tests.mutants import programs

    return programs.first_difference(tried)
