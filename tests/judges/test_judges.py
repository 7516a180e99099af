"""Every judge that is ready lets a sample pass and refuses what was broken on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

import backends.adreno.isa.instructions as adreno
import backends.vc4.isa.instructions as vc4
from backends.vc4.isa.asm import assemble
from backends.vc4.isa.container import pack
from backends.vc4.isa.program import Program as Vc4Program
from compiler.diagnostics import DiagnosticSink
from compiler.records import replace
from tests.judges.mesa_vc4 import MesaVc4Judge, differences
from tests.judges.model import Complaint, Judge, NotTaken, Program, Unavailable, Verdicts
from tests.judges.programs import Compilation, shaders
from tests.judges.registry import JUDGES
from tests.judges.runner import ask
from tests.shared_data import PROJECT_ROOT

#: Generated shaders in the sample; the examples come before them.
_COUNT = 8
_TEXTURED = PROJECT_ROOT / "examples/shaders/03_textured.frag"


@cache
def ready(name: str) -> Judge | str:
    """A judge, or why it is not there; one process keeps it."""
    judge = JUDGES[name]()
    try:
        judge.prepare(fetch=False)
    except Unavailable as reason:
        return str(reason)
    return judge


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    """The judge that a test's parameter names."""
    found = ready(request.param)
    if isinstance(found, str):
        pytest.skip(f"{request.param}: {found}")
    return found


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    for name in JUDGES:
        found = ready(name)
        if isinstance(found, Judge):
            found.close()
    ready.cache_clear()


def of(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("judge", [name], indirect=True)


@cache
def textured(target: str) -> Program:
    """A fragment program that looks a texture up."""
    (shader,) = shaders([_TEXTURED], 0, 0)
    program = Compilation(shader, target, ({"agal_version": "1"},) if target == "agal" else ({},)).programs()[0]
    assert isinstance(program, Program)
    return program


def rules(judge: Judge, program: Program) -> set[str]:
    return {complaint.rule for complaint in judge.judge(program)}


@pytest.mark.parametrize("judge", sorted(JUDGES), indirect=True)
def test_a_sample_passes(judge: Judge) -> None:
    verdicts = Verdicts()
    for shader in shaders([PROJECT_ROOT / "examples/shaders"], _COUNT, 0):
        for program in Compilation(shader, judge.target, judge.variants).programs():
            ask(judge, program, verdicts)
    unknown = [
        f"{program.name}: {complaint}"
        for program, complaint in verdicts.complaints
        if complaint.rule not in judge.known
    ]
    assert unknown == []
    assert verdicts.passed >= _COUNT


# --- What is broken on purpose ----------------------------------------------------------------------------------------


def vc4_program(text: str) -> Program:
    return Program("planted", "", "fragment", pack(assemble(text, "planted", DiagnosticSink())))


@of("linux-vc4")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nop\nnop\nnop", "failed to terminate"),
        ("nop\nnop\nbra -, 64\nnop\nnop\nnop\nnop; thrend\nnop\nnop", "relative branching required"),
        ("or t0s, unif, unif\nnop; thrend\nnop\nnop", "direct TMU load"),
    ],
)
def test_the_kernel_refuses_a_planted_fault(judge: Judge, text: str, message: str) -> None:
    (complaint,) = judge.judge(vc4_program(text))
    assert complaint.rule == "refused"
    assert message in complaint.text


@of("linux-vc4")
def test_the_kernel_knows_the_stream(judge: Judge) -> None:
    program = textured("vc4")
    assert rules(judge, program) == set()
    assert rules(judge, replace(program, stream=program.stream[:-1])) == {"stream size"}
    mistaken = tuple(("constant", "0x0") if kind == "texture_config0" else (kind, of) for kind, of in program.stream)
    assert rules(judge, replace(program, stream=mistaken)) == {"texture words"}
    mistaken = tuple(("stream_address", "") if kind != "texture_config0" else (kind, of) for kind, of in program.stream)
    assert rules(judge, replace(program, stream=mistaken)) == {"stream address"}


@of("mesa-vc4")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nop\nnop\nor ra1, r0, r0\nor r1, ra1, ra1\nnop; thrend\nnop\nnop", "Reads physical reg too soon after write"),
        ("nop\nnop\nor ra1, r0, r0; thrend\nnop\nnop", "write to phys reg in thread end"),
        ("nop\nnop\nor recip, r0, r0\nor log, r0, r0\nnop; thrend\nnop\nnop", "R4 write too soon after SFU write"),
    ],
)
def test_mesas_validator_refuses_a_planted_fault(judge: Judge, text: str, message: str) -> None:
    (complaint,) = judge.judge(vc4_program(text))
    assert complaint.rule == "refused"
    assert message in complaint.text


@of("mesa-vc4")
def test_mesas_disassembler_reads_random_words_as_we_do(judge: Judge) -> None:
    assert isinstance(judge, MesaVc4Judge)
    random = Random(1)
    words = [random.getrandbits(64) for _ in range(5000)]
    # Conditions that no branch has.
    words = [word for word in words if not (word >> 60 == 15 and 12 <= word >> 52 & 15 <= 14)]
    lines, _ = judge.read(pack(Vc4Program(tuple(words))))
    assert differences(words, lines) == []


@of("mesa-vc4")
def test_mesas_disassembler_finds_a_wrong_row(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    program = vc4_program("fmin r0, r1, ra2\nnop; thrend\nnop\nnop")
    assert rules(judge, program) == set()
    monkeypatch.setitem(vc4.ADD_BY_CODE, vc4.ADD["fmin"].code, vc4.ADD["fmax"])
    assert rules(judge, program) == {"text"}


@of("mesa-a2xx")
def test_the_a2xx_disassembler_finds_a_wrong_row(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    program = textured("adreno")
    assert rules(judge, program) == set()
    for code, row in tuple(adreno.VECTOR_BY_CODE.items()):
        monkeypatch.setitem(adreno.VECTOR_BY_CODE, code, replace(row, name=f"{row.name}x"))
    assert rules(judge, program) == {"text"}


@of("openfl-agal")
def test_openfl_refuses_a_planted_fault(judge: Judge) -> None:
    program = textured("agal")
    assert rules(judge, program) == set()
    # The first token's operation: there is no number 200.
    broken = program.code[:7] + (200).to_bytes(4, "little") + program.code[11:]
    assert rules(judge, replace(program, code=broken)) == {"refused"}
    assert rules(judge, program) == set()


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

    def __init__(self, said: Callable[[], list[Complaint]]) -> None:
        self._said = said

    def prepare(self, *, fetch: bool) -> None:
        raise Unavailable("it is only a test")

    def judge(self, program: Program) -> list[Complaint]:
        return self._said()


def _not_taken() -> list[Complaint]:
    raise NotTaken("too long")


def test_verdicts_are_counted() -> None:
    verdicts, program = Verdicts(), Program("p", "", "vertex")
    ask(_Strict(list), program, verdicts)
    ask(_Strict(lambda: [Complaint("a", "b"), Complaint("c", "d")]), program, verdicts)
    ask(_Strict(_not_taken), program, verdicts)
    ask(_Strict(list), "E0701", verdicts)
    assert verdicts.line == "1 passed, 1 failed, 2 skipped"
    assert verdicts.skipped == {"too long": 1, "E0701": 1}
    assert [complaint.rule for _, complaint in verdicts.complaints] == ["a", "c"]
