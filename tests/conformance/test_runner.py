"""The runner with an engine made for the test: what passes, fails, is skipped or left out."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, usage
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from tests.conformance import small_records as small
from tests.conformance.__main__ import main
from tests.conformance.engines.engines import Engine, Observation, Outputs
from tests.conformance.model import Run, Tolerance, Verdict

OBEDIENT = f"{__name__}:ObedientEngine"


class ObedientEngine:
    """Gives what the record expects, unless an option tells it to err."""

    slack = Tolerance(0.0, 0.0)
    wider: Engine | None = None

    def __init__(self, optimisation: int | str, options: Mapping[str, str]) -> None:
        self.mistake = options.get("mistake", "")
        self.judges_verdicts = "only_values" not in options
        self.only_vertex = "only_vertex" in options
        largest = options.get("largest_whole")
        self.whole_numbers = None if largest is None else WholeNumbers(exact=int(largest), outside=int(largest))
        if "wider" in options:
            self.wider = ObedientEngine(optimisation, {})

    def takes(self, stages: Collection[str]) -> bool:
        return not self.only_vertex or set(stages) <= {"vertex"}

    def check_verdict(self, verdict: Verdict) -> Observation:
        sink = DiagnosticSink()
        sink.report(usage.NO_INPUT)
        if verdict.expect == "link_fail":
            return Observation({}, sink.diagnostics)
        rejects = (verdict.expect == "compile_fail") != (self.mistake == "verdict")
        return Observation({"vertex": sink.diagnostics} if rejects else {})

    def run_values(self, run: Run) -> Outputs:
        sink = DiagnosticSink()
        if self.mistake == "limit":
            sink.report(limits.RESOURCE_EXCEEDED, need=9, what="temporaries", target="agal", limit=8)
        if self.mistake == "reject":
            sink.report(usage.NO_INPUT)
        sink.raise_if_errors()
        if self.mistake == "crash":
            raise KeyError("lost")
        off = 1.0 if self.mistake in ("value", "large") else 0.0
        least = 100.0 if self.mistake == "large" else 0.0
        values = {
            e.name: [[number + off * (abs(number) >= least) for number in lane] for lane in e.values]
            for e in run.expected
        }
        return Outputs(values, [bool(is_gone) for is_gone in run.discarded])


@pytest.fixture
def records(tmp_path: Path) -> Path:
    rows = [
        small.VERTEX_VALUES,
        small.EXECUTION,
        small.cts("link", {"vertex": "", "fragment": ""}, expect="link_fail"),
        small.webgl_single("fail", "vertex", "", "fail"),
        small.webgl_single("pass", "vertex", "", "pass"),
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(records: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    status = main(["--engine", OBEDIENT, *arguments, str(records)])
    return status, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_everything_passes_in_one_process_and_in_two(
    jobs: str, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(records, capsys, "--jobs", jobs) == (0, ["5 passed, 0 failed, 0 skipped"])


def test_wrong_values_fail_except_where_the_language_leaves_them_open(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = run(records, capsys, "--option", "mistake=value")
    assert status == 1
    assert lines[0] == "failed: vertex.sum: out0 is (4) in lane 0, expected (3)"
    assert lines[1].startswith("passed: exec#0: differs within the language's freedom: gl_FragColor is ")
    assert lines[2:] == ["4 passed, 1 failed, 0 skipped"]


def test_wrong_verdicts_fail(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(records, capsys, "--option", "mistake=verdict")
    assert status == 1
    assert lines == [
        "failed: fail: accepted, but the text is wrong",
        "failed: pass: vertex shader rejected: no input file given [E0915]",
        "3 passed, 2 failed, 0 skipped",
    ]


def test_limits_of_hardware_are_skips_by_code_and_count_for_the_share(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limited = ("--option", "mistake=limit")
    assert run(records, capsys, *limited) == (
        0,
        [
            "skipped: 2 E0701 needs N temporaries, agal has N",
            "in all: 60.0 % passed; skipped E0701: 2",
            "3 passed, 0 failed, 2 skipped",
        ],
    )
    assert run(records, capsys, *limited, "--min-share", "0.6")[0] == 0
    status, lines = run(records, capsys, *limited, "--min-share", "0.61")
    assert (status, lines[-3]) == (1, "only 3 of 5 passed, 61% are required")


@pytest.mark.parametrize(
    ("mistake", "reason"), [("reject", "no input file given [E0915]"), ("crash", "internal error: KeyError: 'lost'")]
)
def test_other_refusals_and_breakdowns_fail(
    mistake: str, reason: str, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, lines = run(records, capsys, "--option", f"mistake={mistake}")
    assert status == 1
    assert lines == [f"failed: vertex.sum: {reason}", f"failed: exec#0: {reason}", "3 passed, 2 failed, 0 skipped"]


def test_what_is_not_an_engines_business_is_left_out(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(records, capsys, "--option", "only_values=1", "--option", "only_vertex=1")
    assert status == 0
    assert lines == ["left out, not this engine's business: 4", "1 passed, 0 failed, 0 skipped"]


def test_an_unknown_engine_or_file_is_wrong_usage(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--engine", "toaster", str(records)]) == 2
    assert "there is no engine 'toaster' in this release" in capsys.readouterr().err
    assert main(["--engine", OBEDIENT, str(tmp_path / "absent")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_what_the_number_format_alone_explains_passes_and_is_listed(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--engine", OBEDIENT, "--option", "mistake=value", "--option", "wider=yes", str(records)]) == 0
    assert "differs by the machine's number format alone" in capsys.readouterr().out


def test_whole_numbers_beyond_the_machine_are_skipped_and_the_other_lanes_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "whole.jsonl"
    row = small.MODERN_EXECUTION | {"outputs": {"u": [[1, 2], [300, 4]], "f": [1, 2]}}
    path.write_text(json.dumps(row))
    beyond = ("--option", "largest_whole=100")
    status, lines = run(path, capsys, "--option", "mistake=large", *beyond)
    assert status == 0
    assert lines[0] == "skipped: 1 range whole numbers beyond the machine's"
    # The same mistake where ints have all bits, and one in a lane of small numbers.
    assert run(path, capsys, "--option", "mistake=large")[0] == 1
    assert run(path, capsys, "--option", "mistake=value", *beyond)[0] == 1
    # Right values pass, however large they are.
    assert run(path, capsys, *beyond) == (0, ["1 passed, 0 failed, 0 skipped"])
    # An input or a uniform beyond the machine excuses its lane, or all.
    for changed in ({"inputs": {**row["inputs"], "i": [1, 500]}}, {"uniforms": {"n": 500}}):
        path.write_text(json.dumps(row | {"outputs": {"u": [[1, 2], [3, 4]], "f": [1, 200]}} | changed))
        assert run(path, capsys, "--option", "mistake=large", *beyond)[0] == 0


def test_totals_are_given_for_each_path(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(small.EXECUTION))
    assert main(["--engine", OBEDIENT, "--option", "mistake=limit", str(records), str(other)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "skipped: 3 E0701 needs N temporaries, agal has N",
        f"{records}: 3 passed, 0 failed, 2 skipped (60.0 % passed; skipped E0701: 2)",
        f"{other}: 0 passed, 0 failed, 1 skipped (0.0 % passed; skipped E0701: 1)",
        "in all: 50.0 % passed; skipped E0701: 3",
        "3 passed, 0 failed, 3 skipped",
    ]


def test_code_with_inexact_integers_is_a_skip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = "#version 300 es\nin int i;\nflat out int u;\nvoid main() { u = i * i * i; gl_Position = vec4(0.0); }\n"
    row = small.MODERN_EXECUTION | {
        "source": source, "uniforms": {}, "uniform_blocks": {}, "textures": {}, "inputs": {"i": [1, 2]},
        "outputs": {"u": [1, 8]}, "output_types": {"u": "int"},
    }  # fmt: skip
    path = tmp_path / "cube.jsonl"
    path.write_text(json.dumps(row))
    refused = ["--engine", "agal", str(path)]
    for option, code in (("false", "E0715"), ("true", "W0715")):
        assert main([*refused, "--option", f"inexact-integers={option}"]) == 0
        assert capsys.readouterr().out.startswith(f"skipped: 1 {code} the integer here may be")
