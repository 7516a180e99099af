"""Whole runs: what is planted is found, made small and written; a killed run goes on where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.frontends.glsl import lower
from glslc_multi.frontends.glsl.lower import lower as lower_shader
from tests.fuzz.__main__ import main
from tests.fuzz.campaign import Campaign, OtherRun, open_campaign
from tests.fuzz.case import Case, Verdict, finding
from tests.fuzz.inputs import Inputs
from tests.fuzz.minimise import Minimiser
from tests.fuzz.state import State
from tests.fuzz.test_inputs import OWN, own_texts
from tests.fuzz.workers import Limits
from tests.shared_data import PROJECT_ROOT


def small_campaign(folder: Path, said: list[str]) -> Campaign:
    inputs = Inputs("frontend", 1, own_texts())
    state = State("frontend", 1, own_texts().digest)
    return Campaign(
        inputs,
        state,
        limits=Limits(seconds=60, waiting=600),
        state_file=folder / "state.json",
        findings_folder=folder / "findings",
        say=said.append,
    )


@pytest.mark.thorough
def test_a_planted_fault_is_found_made_small_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(checked: Any, main: Any, *rest: Any) -> Any:
        if len(checked.unit.declarations) == 3:
            raise AssertionError("three declarations\nin two lines")
        return lower_shader(checked, main, *rest)

    monkeypatch.setattr(lower, "lower", plant)
    said: list[str] = []
    campaign = small_campaign(tmp_path, said)
    campaign.run(200)
    (found,) = campaign.state.findings
    assert found.signature.startswith(
        "AssertionError in compile_tokens of glslc_multi/frontends/glsl/frontend.py: three declarations"
    )
    assert found.smallest is not None
    (smallest,) = found.smallest.files.values()
    assert len(smallest) < 50
    assert found.title in said
    (folder,) = (tmp_path / "findings").iterdir()
    assert f"input {found.number}" in (folder / "about.txt").read_text(encoding="utf-8")
    assert [file.read_bytes() for file in (folder / "smallest").iterdir()] == [smallest]
    assert State.load(tmp_path / "state.json") == campaign.state


def test_what_was_mended_is_no_finding_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(*_: object) -> None:
        raise KeyError("a planted fault")

    said: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(lower, "lower", plant)
        broken = small_campaign(tmp_path, said)
        broken.minimise_seconds = 0
        broken.run(60)
    assert [found.count for found in broken.state.findings] == [sum(broken.state.counts.values()) - _sound(broken)]
    mended = small_campaign(tmp_path, said)
    mended.state = State.load(tmp_path / "state.json")
    mended.run(60)
    assert mended.state.findings == []
    assert any(line.startswith("mended: frontend seed 1 input ") for line in said)
    fresh = small_campaign(tmp_path, said)
    fresh.run(60)
    assert +mended.state.counts == fresh.state.counts


def _sound(campaign: Campaign) -> int:
    return sum(campaign.state.by_outcome().values())


def _command(state: Path, count: int) -> list[str]:
    names = ["frontend", "--count", str(count), "--jobs", "2", "--state", str(state), *map(str, OWN)]
    return [sys.executable, "-m", "tests.fuzz", *names]


@pytest.mark.thorough
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    main(["frontend", "--count", "100", "--state", str(state), *map(str, OWN)])
    process = subprocess.Popen(_command(state, 10**6), cwd=PROJECT_ROOT, stdout=subprocess.PIPE)
    before = state.read_bytes()
    while process.poll() is None and state.read_bytes() == before:
        time.sleep(0.1)
    process.kill()
    process.wait()
    killed = State.load(state)
    assert killed.inputs > 100
    count = killed.inputs + 100
    assert main(["frontend", "--count", str(count), "--state", str(state), *map(str, OWN)]) == 0
    resumed = State.load(state)
    assert resumed.done == [(0, count)]
    fresh = tmp_path / "fresh.json"
    assert main(["frontend", "--count", str(count), "--state", str(fresh), *map(str, OWN)]) == 0
    assert resumed.counts == State.load(fresh).counts


@pytest.mark.thorough
def test_an_interrupt_leaves_the_state(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    process = subprocess.Popen(_command(state, 10**6), cwd=PROJECT_ROOT, stdout=subprocess.PIPE, text=True)
    while process.poll() is None and not state.exists():
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate()
    assert process.returncode == 130
    known = State.load(state)
    assert output == f"interrupted: {known.summary()}\n"
    assert sum(known.counts.values()) == known.inputs > 0


def test_a_state_of_another_run_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    State("frontend", 2, own_texts().digest).save(state)
    with pytest.raises(OtherRun, match="of seed 2"):
        open_campaign("frontend", 1, paths=OWN, state_file=state)
    assert main(["frontend", "--state", str(state), *map(str, OWN)]) == 2


def test_places_without_shaders_are_wrong_usage(tmp_path: Path) -> None:
    assert main(["frontend", str(tmp_path)]) == 2


def test_one_input_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["compiler", "--only", "3", *map(str, OWN)]) == 0
    shown = capfd.readouterr().out
    assert " --target " in shown
    assert any(outcome in shown for outcome in ("accepted", "rejected", "too large", "wrong usage"))


def test_what_is_missing_of_a_run() -> None:
    state = State("frontend", 1, "", done=[(0, 10), (15, 20)])
    assert list(state.missing(26, 4)) == [range(10, 14), range(14, 15), range(20, 24), range(24, 26)]
    assert list(state.missing(17, 4)) == [range(10, 14), range(14, 15)]
    assert list(state.missing(10, 4)) == []


def test_a_state_survives_its_file(tmp_path: Path) -> None:
    """Bytes that are no UTF-8, too."""
    state = State("compiler", 3, "x")
    case = Case("bytes", {"fuzz.vert": bytes(range(256))}, ("compile", "fuzz.vert"))
    campaign = Campaign(Inputs("compiler", 3, own_texts()), state)
    campaign.state.findings += [_finding(case)]
    state.save(tmp_path / "s.json")
    assert State.load(tmp_path / "s.json") == state
    assert json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["mode"] == "compiler"


def _finding(case: Case) -> Any:
    from tests.fuzz.case import Finding

    return Finding("compiler", 3, 7, "KeyError", "", case, smallest=case)


def test_files_bytes_and_flags_are_made_small() -> None:
    def judge(case: Case) -> Verdict:
        is_bad = b"\xff\xc3" in case.files["a.vert"] and b"bad" in case.files["b.frag"] and "-w" in case.arguments
        return finding("planted") if is_bad else Verdict("rejected")

    files = {"a.vert": b"some text \xff\xc3 and more", "b.frag": b"void main() { good(); bad(); }"}
    arguments = ("link", "a.vert", "b.frag", "--target", "vc4", "-O", "2", "-w", "-D", "A=1", "-o", "out")
    smallest = Minimiser(Case("", files, arguments), "planted", judge, seconds=60).run()
    assert smallest.files == {"a.vert": b"\xff\xc3", "b.frag": b"bad"}
    assert smallest.arguments == ("link", "a.vert", "b.frag", "--target", "vc4", "-w", "-o", "out")


def test_what_fails_no_more_stays_as_it_is() -> None:
    case = Case("", {"a.vert": b"x"})
    assert Minimiser(case, "planted", lambda _: Verdict("accepted"), seconds=60).run() == case
    assert Minimiser(case, "planted", lambda _: finding("planted"), seconds=0).run() == case
