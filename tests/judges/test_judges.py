"""Every judge that is ready lets a sample pass and refuses what was broken on purpose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glslc_multi.compiler.records import replace
from tests.backends.agal.consumer_programs import OPENFL
from tests.backends.agal.helpers import bytes_of as agal_bytes
from tests.judges.__main__ import main
from tests.judges.model import Complaint, Judge, NotTaken, Program, Unavailable, Verdicts
from tests.judges.registry import JUDGES
from tests.judges.runner import ask
from tests.judges.sample import GENERATED, of, rules, sample_for, textured, vc4_program
from tests.shared_data import PROJECT_ROOT


@pytest.mark.parametrize("judge", sorted(JUDGES), indirect=True)
def test_a_sample_passes(judge: Judge) -> None:
    verdicts = Verdicts()
    for program in sample_for(judge):
        ask(judge, program, verdicts)
    assert [f"{program.name}: {complaint}" for program, complaint in verdicts.complaints] == []
    assert verdicts.passed >= GENERATED


# --- What is broken on purpose ----------------------------------------------------------------------------------------


@of("linux-vc4")
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("nop", "nop", "bra -, 64", "nop", "nop", "nop"), "relative branching required"),
        (("or t0s, unif, unif",), "direct TMU load"),
        (("or host_int, r0, r0",), "Unsupported waddr"),
    ],
)
def test_the_kernel_refuses_a_planted_fault(judge: Judge, lines: tuple[str, ...], message: str) -> None:
    (complaint,) = judge.judge(vc4_program(*lines))
    assert complaint.rule == "refused"
    assert message in complaint.text


@of("linux-vc4")
def test_the_kernel_wants_an_end(judge: Judge) -> None:
    program = vc4_program("nop")
    assert rules(judge, replace(program, code=program.code[:-16])) == {"refused"}


@of("linux-vc4")
def test_the_kernel_knows_how_the_host_binds_the_code(judge: Judge) -> None:
    program = textured("vc4")
    assert rules(judge, program) == set()
    assert rules(judge, replace(program, stream=program.stream[:-1])) == {"stream size"}
    mistaken = tuple(("constant", "0x0") if kind == "texture_config0" else (kind, of) for kind, of in program.stream)
    assert rules(judge, replace(program, stream=mistaken)) == {"texture words"}
    mistaken = tuple(("stream_address", "") if kind != "texture_config0" else (kind, of) for kind, of in program.stream)
    assert rules(judge, replace(program, stream=mistaken)) == {"stream address"}
    assert rules(judge, replace(program, state={"threads": 1})) == {"threads"}


@of("mesa-vc4")
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("nop", "nop", "or ra1, r0, r0", "or r1, ra1, ra1"), "Reads physical reg too soon after write"),
        (("nop", "nop", "or ra1, r0, r0; thrend", "nop", "nop"), "write to phys reg in thread end"),
        (("nop", "nop", "or recip, r0, r0", "or log, r0, r0"), "R4 write too soon after SFU write"),
    ],
)
def test_mesas_validator_refuses_a_planted_fault(judge: Judge, lines: tuple[str, ...], message: str) -> None:
    (complaint,) = judge.judge(vc4_program(*lines))
    assert complaint.rule == "refused"
    assert message in complaint.text


@of("openfl-agal")
def test_openfl_refuses_a_planted_fault(judge: Judge) -> None:
    program = textured("agal")
    assert rules(judge, program) == set()
    # The first token's operation: there is no number 200.
    broken = program.code[:7] + (200).to_bytes(4, "little") + program.code[11:]
    assert rules(judge, replace(program, code=broken)) == {"refused"}
    assert rules(judge, program) == set()


@of("openfl-agal")
def test_openfl_takes_and_refuses_what_we_say(judge: Judge) -> None:
    for text, stage, refused in OPENFL:
        program = Program("by hand", text, stage, agal_bytes(text, stage))
        if refused is None:
            assert (text, judge.judge(program)) == (text, [])
        else:
            with pytest.raises(NotTaken):
                judge.judge(program)


@of("openfl-agal")
def test_chromium_refuses_a_planted_fault(judge: Judge) -> None:
    program = textured("agal")
    # A fragment program as a vertex program: its outputs are not those of the stage.
    assert rules(judge, replace(program, stage="vertex")) == {"does not compile"}


@of("glslang")
def test_glslang_refuses_a_planted_fault(judge: Judge) -> None:
    assert rules(judge, Program("planted", "void main() { gl_Position = 1.0; }", "vertex")) == {"refused"}


@of("glslang")
@pytest.mark.parametrize("version", ["", "#version 100\n"])
@pytest.mark.parametrize(
    ("head", "result", "found"),
    [
        ("const mat2 m = matrixCompMult(mat2(1.0), mat2(2.0));", "m[0]", set()),
        ("const mat2 m = matrixCompMult(mat2(1.0), mat2(2.0));", "n[0]", {"refused"}),
        ("uniform mat2 u; const mat2 m = matrixCompMult(u, mat2(2.0));", "m[0]", {"refused"}),
    ],
)
def test_glslang_need_not_fold_what_it_cannot(
    judge: Judge, version: str, head: str, result: str, found: set[str]
) -> None:
    text = f"{version}{head} void main() {{ gl_Position = vec4({result}, 0.0, 1.0); }}"
    assert rules(judge, Program("planted", text, "vertex")) == found


# --- Counting ---------------------------------------------------------------------------------------------------------


class _Strict(Judge):
    """Holds what a test says against every program."""

    name = "strict"
    target = None

    def __init__(self, said: Callable[[], list[Complaint]] = list) -> None:
        self._said = said

    def prepare(self, *, fetch: bool) -> None:
        assert fetch

    def judge(self, program: Program) -> list[Complaint]:
        return self._said()


class _Absent(_Strict):
    name = "absent"

    def prepare(self, *, fetch: bool) -> None:
        raise Unavailable("it is only a test")


class _Harsh(_Strict):
    name = "harsh"

    def judge(self, program: Program) -> list[Complaint]:
        return [Complaint("colour", f"{program.name} is blue")]


def _not_taken() -> list[Complaint]:
    raise NotTaken("too long")


def test_verdicts_are_counted() -> None:
    verdicts, program = Verdicts(), Program("p", "", "vertex")
    ask(_Strict(), program, verdicts)
    ask(_Strict(lambda: [Complaint("a", "b"), Complaint("c", "d")]), program, verdicts)
    ask(_Strict(_not_taken), program, verdicts)
    ask(_Strict(), "E0701", verdicts)
    assert verdicts.line == "1 passed, 1 failed, 2 skipped"
    assert verdicts.skipped == {"too long": 1, "E0701": 1}
    assert [complaint.rule for _, complaint in verdicts.complaints] == ["a", "c"]


def test_the_command_says_who_cannot_be_had_and_what_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.judges.__main__.JUDGES", {one.name: one for one in (_Strict, _Absent, _Harsh)})
    paths = [str(PROJECT_ROOT / "examples" / name) for name in ("fade.frag", "mistake.frag")]
    assert main(["--count", "0", "--judge", "strict", "--judge", "absent", *paths]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "absent: skipped: it is only a test" in lines
    assert lines[-1] == "1 passed, 0 failed, 1 skipped (not to be had: absent)"
    assert main(["--count", "0", *paths]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "    fade.frag: fade.frag is blue" in lines
    assert lines[-1] == "1 passed, 1 failed, 2 skipped (not to be had: absent)"
