"""The runner of mutants: what faults there are, that they are planted, and that the lists are current."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.mutants import plan
from tests.mutants.by_proof import judge_by_proof, lines_of, share_proven
from tests.mutants.faults import KINDS, Fault, faults_of, is_program
from tests.mutants.lists import harmless, planted
from tests.mutants.trial import TIME, VALUE, Trial, first_failure, run_all
from tests.shared_data import PROJECT_ROOT

TEXT = '''
def area(width: int, height: int, *, flipped: bool = False) -> bool:
    """Docstrings and annotations stay: 1 + 1, text -> one, two."""
    if width < 0:
        return False
    rows = ["fsub(x, y) -> ADD(x, -y)"]
    return not flipped and width - height != max(width, -height) and len(rows) > 0


__all__ = ["area", "nothing", "SIZES"]
SIZES = {"small": (1, 2, 3), "large": 9, "huge": 12}


def nothing() -> None:
    area(1, 2)
    SIZES["small"] = ()
    return "one".startswith(("o", "n")) and 7 in (5, 6)
'''


def changes(kind: str) -> set[str]:
    """What stands instead, by line, for the faults of a kind."""
    found = [fault for fault in faults_of("area.py", TEXT) if fault.kind == kind]
    return {line[1:].strip() for fault in found for line in fault.diff(TEXT).splitlines()[2:] if line[0] == "+"}


def test_every_kind_is_found() -> None:
    assert {fault.kind for fault in faults_of("area.py", TEXT)} == set(KINDS)
    assert "if width <= 0:" in changes("condition")
    assert "if width >= 0:" in changes("condition")
    assert "if not (width < 0):" in changes("polarity")
    assert "if False:" in changes("early return")
    assert "return" in changes("early return")
    assert 'rows = ["fsub(x, y) -> ADD(x, y)"]' in changes("sign")
    assert 'rows = ["fsub(x, y) -> ADD(-y, x)"]' in changes("order")
    assert "area(2, 1)" in changes("order")
    assert "area(1, 3)" in changes("constant")
    assert "return not flipped and width + height != max(width, -height) and len(rows) > 0" in changes("operator")
    assert "area(0, 2)" in changes("bound")
    assert 'SIZES = {"small": (2, 3), "large": 9, "huge": 12}' in changes("row")
    assert 'SIZES = {"small": (1, 2, 3), "huge": 12}' in changes("row")
    assert not any("nothing" in change for change in changes("row"))
    assert changes("deletion") == {"pass"}
    assert not any("Docstrings" in change for kind in KINDS for change in changes(kind))
    assert 'return "one".startswith(("o", "n")) and 7 in (5, 7)' in changes("constant")
    assert not any("in (6, 5)" in change or '"n", "o"' in change for change in changes("order"))
    assert not any("Docstrings" in change for kind in KINDS for change in changes(kind))


def test_faults_are_programs() -> None:
    assert all(is_program(fault, TEXT) for fault in faults_of("area.py", TEXT))
    assert not is_program(Fault("area.py", "none", 0, 0, "\n"), TEXT)
    assert not is_program(Fault("area.py", "none", 0, 0, "("), TEXT)


def test_samples_repeat_and_have_equal_shares() -> None:
    folders = ("backends/agal/codegen/rewrites/selects.py", "backends/vc4/codegen/signs.py")
    faults = plan.sample(folders, 15, seed=3)
    assert faults == plan.sample(folders, 15, seed=3)
    assert faults != plan.sample(folders, 15, seed=4)
    assert [sum(fault.path == path for fault in faults) for path in folders] == [8, 7]


def test_a_sample_changes_only_where_the_text_does(monkeypatch: pytest.MonkeyPatch) -> None:
    path = "backends/vc4/codegen/signs.py"
    text = plan.text_of(path)
    before = plan.sample([path], 30, seed=1)
    longer = text.replace("\n\n", "\n\n_NUMBER = 3\n", 1)
    monkeypatch.setattr(plan, "text_of", lambda _path: longer)
    after = plan.sample([path], 30, seed=1)
    assert longer != text
    lines = [
        {fault.diff(each).partition("@@\n")[2] for fault in faults}
        for each, faults in ((text, before), (longer, after))
    ]
    assert len(lines[0] & lines[1]) >= 27


@pytest.mark.parametrize("folder", plan.PACKAGES)
def test_files_have_tests(folder: str) -> None:
    for path in plan.files(folder)[::20]:
        tests = [test for run in plan.tests_of(path) for test in run if test.startswith("tests/")]
        assert all((PROJECT_ROOT / test.partition("::")[0]).exists() for test in tests)


def test_lists_are_current() -> None:
    """Each listed fault stands once in its file, and leaves a program."""
    assert all(is_program(fault, plan.text_of(fault.path)) for fault in planted())
    assert all(reason for reason in harmless().values())


def _before(path: str, line: str, inserted: str) -> Fault:
    """Give the fault that inserts something before a line."""
    start = plan.text_of(path).index(line)
    return Fault(path, "planted", start, start, inserted)


@pytest.mark.thorough
def test_trials_tell_caught_from_survived_and_endless(tmp_path: Path) -> None:
    """Of a file of the project that has its own small test."""
    path = "compiler/records.py"
    text = plan.text_of(path)
    broken = Fault(path, "planted", 0, 0, "raise ImportError\n")
    endless = Fault(path, "planted", len(text), len(text), "\nwhile True: pass\n")
    looping = _before("compiler/markdown.py", "    lines = [heads", "    while True:\n        pass\n")
    tests = (("tests/compiler/test_records.py", "tests/compiler/test_markdown.py"),)
    trials = [
        Trial(partial(first_failure, tests), fault, limit)
        for fault, limit in ((None, 60.0), (broken, 60.0), (endless, 1.0), (looping, 40.0))
    ]
    caught = {number: result.said for number, result in run_all(trials, jobs=1)}
    assert caught[0] == ""
    assert caught[1].startswith(f"{VALUE} tests/compiler/test_records")
    assert caught[2] == TIME
    assert caught[3].startswith(VALUE) and caught[3].endswith("does not end")


#: A rewrite of signs that subtracts where it should add, and the witness of that rewrite.
_SIGNS, _ADDED = "backends/agal/codegen/rewrites/signs.py", "return b.op(ops.FADD, first, second.operands[0])"


def _tried(digest: str) -> str:
    """What comes of the witness of `x - -y`, if its code had a digest."""
    from tests.mutants import programs

    name = next(p.name for p in programs.programs_of("agal") if p.witness and "signs: x - -y" in p.witness.title)
    if digest == "right":
        digest = next(p for p in programs.programs_of("agal") if p.name == name).digest()
    return programs.first_difference({"agal": {name: digest}})


def test_the_proof_tells_wrong_code_from_other_code_and_from_none() -> None:
    text = plan.text_of(_SIGNS)
    start = text.index(_ADDED)
    wrong = Fault(_SIGNS, "planted", start, start + len(_ADDED), _ADDED.replace("FADD", "FSUB"))
    broken = Fault(_SIGNS, "planted", start, start, "raise KeyError\n        ")
    cases = [(None, "right"), (None, "#another"), (wrong, "#another"), (broken, "#another"), (broken, "E0101")]
    trials = [Trial(partial(_tried, digest), fault, 60.0) for fault, digest in cases]
    found = {number: result.said.split(" ")[0] for number, result in run_all(trials, jobs=1)}
    assert [found[number] for number in range(len(cases))] == ["", "code", "proof", "error", ""]


def test_what_a_log_has_is_not_tried_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    faults = plan.sample(["backends/agal/codegen/costs.py"], 2, seed=1)
    results = ["proof agal somewhere", "values agal elsewhere"]
    rows = [json.dumps([f.path, f.diff(plan.text_of(f.path)), r]) + "\n" for f, r in zip(faults, results, strict=True)]
    log.write_text("".join(rows))
    judged = judge_by_proof(faults, 2, 1, log)
    assert [each.result for each in judged] == results
    assert share_proven(judged) == 0.5


def test_lines_of_a_fault_are_those_of_its_statement() -> None:
    for fault in plan.sample(["backends/agal/codegen/rewrites/signs.py"], 20, seed=1):
        text = plan.text_of(fault.path)
        line = text.count("\n", 0, fault.start) + 1
        assert not (found := lines_of(fault)) or line in found
