"""Programs for tests of judges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.container import pack
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.judges.model import AGAL_1, NO_OPTIONS, Judge, Program, Variants
from tests.judges.programs import Compilation, shaders
from tests.shared_data import PROJECT_ROOT

_EXAMPLES = PROJECT_ROOT / "examples/shaders"
#: Generated shaders in the sample; the examples come before them.
GENERATED = 8


def of(name: str) -> pytest.MarkDecorator:
    """What the parameter `judge` of a test is."""
    return pytest.mark.parametrize("judge", [name], indirect=True)


def rules(judge: Judge, program: Program) -> set[str]:
    """The rules that a program breaks."""
    return {complaint.rule for complaint in judge.judge(program)}


def sample_for(judge: Judge) -> list[Program | str]:
    """The programs of a few shaders; judges of the same code share them."""
    return _sample(judge.target, judge.variants)


@cache
def _sample(target: str | None, variants: Variants) -> list[Program | str]:
    compilations = [Compilation(shader, target, variants) for shader in shaders([_EXAMPLES], GENERATED, 0)]
    return [program for compilation in compilations for program in compilation.programs()]


@cache
def textured(target: str) -> Program:
    """A fragment program that looks a texture up."""
    (shader,) = shaders([_EXAMPLES / "03_textured.frag"], 0, 0)
    variants = AGAL_1 if target == "agal" else NO_OPTIONS
    program = Compilation(shader, target, variants).programs()[0]
    assert isinstance(program, Program)
    return program


def vc4_program(*lines: str) -> Program:
    """A program of these lines and the end of the thread."""
    text = "\n".join([*lines, "nop; thrend", "nop", "nop"])
    return Program("planted", "", "fragment", pack(assemble(text, "planted", DiagnosticSink())))


def bytes_of(words: Sequence[int], size: int) -> bytes:
    """Words of so many bits, the lowest byte first."""
    return b"".join(word.to_bytes(size // 8, "little") for word in words)
