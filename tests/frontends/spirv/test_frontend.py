"""Which files are modules, and of which stage, before anything is read in earnest."""

from __future__ import annotations

import struct

import pytest

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.spirv.binary import MAGIC
from glslc_multi.frontends.spirv.frontend import FRONT_END, is_module
from tests.frontends.spirv.modules import refusal, shader

_LITTLE, _BIG = struct.pack("<5I", MAGIC, 0x10000, 0, 9, 0), struct.pack(">5I", MAGIC, 0x10000, 0, 9, 0)


@pytest.mark.parametrize(
    ("name", "content", "takes"),
    [
        # By the first word, whatever the name, and by the name, whatever the content.
        ("a.bin", _LITTLE, True),
        ("", _BIG, True),
        ("a.vert", _LITTLE, True),
        ("a.spv", b"", True),
        ("a.spvasm", "", True),
        ("a.spvasm", b"OpNop", True),
        ("a.vert", "void main() {}", False),
        ("a.vert", b"void main() {}", False),
        ("a.bin", _LITTLE[:3], False),
        ("a.bin", b"\0" + _LITTLE, False),
        ("spv", "", False),
        ("", "", False),
        ("", _LITTLE.decode("latin-1"), False),
    ],
)
def test_modules_are_told_by_their_first_word_or_their_name(name: str, content: str | bytes, takes: bool) -> None:
    assert FRONT_END.takes(name, content) == takes
    assert is_module(content) == (content in (_LITTLE, _BIG))


def _entries(*models: str) -> str:
    return "".join(f'OpEntryPoint {model} %main "{n}"\n' for n, model in enumerate(models))


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        (_entries("Vertex"), "vertex"),
        (_entries("Fragment"), "fragment"),
        (_entries("Vertex", "Vertex"), "vertex"),
        # Where there are both, a name has to say; other stages do not count.
        (_entries("Vertex", "Fragment"), ""),
        (_entries("GLCompute", "Vertex"), "vertex"),
        (_entries("GLCompute"), "fragment"),
        ("", "fragment"),
        # What cannot be read is told later, whatever the stage.
        ("OpEntryPont", "fragment"),
    ],
)
def test_entry_points_say_the_stage(text: str, stage: str) -> None:
    assert FRONT_END.stage_of("a.spvasm", text) == FRONT_END.stage_of("a.spvasm", text.encode()) == stage


def test_a_binary_that_cannot_be_read_has_some_stage() -> None:
    assert FRONT_END.stage_of("a.spv", _LITTLE[:8]) == "fragment"
    assert refusal(_LITTLE[:8])[0] == "E1001"


def _identity(text: str, **options: object) -> object:
    source = Source(text, "a.spvasm", FRONT_END)
    prepared = FRONT_END.prepare(source, "fragment", FrontEndOptions(**options), DiagnosticSink())  # type: ignore[arg-type]
    return FRONT_END.identity(prepared)


def test_what_decides_about_the_code_is_its_identity() -> None:
    """Comments do not, names of the text, entry points and values of constants do."""
    text = shader("%result = OpFAdd %vec4 %a %b\n")
    assert _identity(text) == _identity(f"; a comment\n{text}")
    others = [
        _identity(text.replace("OpFAdd", "OpFSub")),
        _identity(text.replace("%result", "%other")),
        _identity(text, entry="main"),
        _identity(text, specializations={1: "2"}),
    ]
    assert all(other != _identity(text) for other in others)
    assert _identity(text, specializations={1: "2", 3: "4"}) == _identity(text, specializations={3: "4", 1: "2"})
