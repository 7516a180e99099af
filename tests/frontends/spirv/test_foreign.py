"""Outside compilers: which is called, with which words, and what is told of what they say."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.files import begin_run, inputs_of_run
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.spirv.foreign import HLSL, SLANG, WGSL, Foreign
from tests.frontends.spirv.modules import shader

#: Puts a program on the path; its result yields the words that it was last called with.
Maker = Callable[..., Callable[[], list[str]]]
#: What the stand-ins for compilers leave as their result.
_MODULE = shader("%result = OpFAdd %vec4 %a %b\n")
_NAME = "lit.frag.hlsl"


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Put a program on an otherwise empty path that notes its words and does what a script says; yield the words."""
    path = tmp_path / "bin"
    path.mkdir()
    module, words = tmp_path / "module", tmp_path / "words"
    module.write_text(_MODULE)
    monkeypatch.setenv("PATH", str(path))

    def make(name: str, script: str = "") -> Callable[[], list[str]]:
        program = path / name
        ending = script or f'/bin/cp "{module}" shader.spv'
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "{name}" "$@" > "{words}"\n{ending}\n')
        program.chmod(0o755)
        return lambda: words.read_text().splitlines()

    return make


def _lowered(
    folder: Path,
    front_end: Foreign = HLSL,
    name: str = _NAME,
    stage: str = "fragment",
    sink: DiagnosticSink | None = None,
    text: str = "  text",
    **options: object,
) -> Module:
    source = Source(text, str(folder / name), front_end)
    sink = sink or DiagnosticSink()
    prepared = front_end.prepare(source, stage, FrontEndOptions(**options), sink)  # type: ignore[arg-type]
    return front_end.lower(prepared, stage, sink)


#: Tool -> the words for a fragment shader with the entry point `shade`, a macro, and two folders.
_WORDS = {
    # glslang: -D is HLSL, -V Vulkan, -g debug information; then bindings and locations by itself.
    "glslangValidator": [
        *("-D", "-V", "-g", "--amb", "--aml", "-S", "frag", "-e", "shade", "-DLIGHTS=2"),
        *("-I{folder}", "-I{other}", "--depfile", "shader.d", "./lit.frag.hlsl", "-o", "shader.spv"),
    ],
    "glslc": [
        *("-x", "hlsl", "-g", "-fauto-bind-uniforms", "-fauto-map-locations", "-fshader-stage=frag"),
        *("-fentry-point=shade", "-DLIGHTS=2", "-I", "{folder}", "-I", "{other}", "-MD", "-MF"),
        *("shader.d", "./lit.frag.hlsl", "-o", "shader.spv"),
    ],
    "dxc": [
        *("-spirv", "-Zi", "-T", "ps_6_0", "-E", "shade", "-DLIGHTS=2"),
        *("-I", "{folder}", "-I", "{other}", "./lit.frag.hlsl", "-Fo", "shader.spv"),
    ],
    "slangc": [
        *("./lit.frag.hlsl", "-target", "spirv", "-O0", "-g", "-fvk-use-entrypoint-name", "-stage", "fragment"),
        *("-entry", "shade", "-DLIGHTS=2", "-I", "{folder}", "-I", "{other}", "-depfile", "shader.d"),
        *("-o", "shader.spv"),
    ],
}


@pytest.mark.parametrize("name", _WORDS)
def test_compilers_of_hlsl_are_called(name: str, tool: Maker, tmp_path: Path) -> None:
    words = tool(name)
    other = tmp_path / "other"
    module = _lowered(tmp_path, entry="shade", defines={"LIGHTS": "2"}, include_dirs=(str(other),))
    assert words() == [name, *(word.format(folder=tmp_path, other=other) for word in _WORDS[name])]
    assert "color" in module.variables


@pytest.mark.parametrize(
    ("name", "words"),
    [("naga", ["./lit.wgsl", "shader.spv"]), ("tint", ["--format", "spirv", "-o", "shader.spv", "./lit.wgsl"])],
)
def test_compilers_of_wgsl_are_called(name: str, words: list[str], tool: Maker, tmp_path: Path) -> None:
    found = tool(name)
    _lowered(tmp_path, WGSL, "lit.wgsl", entry="main")
    assert found() == [name, *words]


@pytest.mark.parametrize(
    ("text", "entry", "named"),
    [
        ("", "", ["-stage", "fragment", "-entry", "main"]),
        ('[shader("fragment")] float4 main()', "", []),
        ('[ shader ( "pixel" ) ] float4 main()', "", []),
        ('[shader("vertex")] float4 corner()', "", ["-stage", "fragment", "-entry", "main"]),
        ('[shader("fragment")] float4 main()', "main", ["-stage", "fragment", "-entry", "main"]),
    ],
)
def test_slang_finds_the_entry_points_that_are_marked(
    text: str, entry: str, named: list[str], tool: Maker, tmp_path: Path
) -> None:
    words = tool("slangc")
    _lowered(tmp_path, SLANG, "lit.slang", text=text, entry=entry)
    before = ["slangc", "./lit.slang", "-target", "spirv", "-O0", "-g", "-fvk-use-entrypoint-name"]
    assert words() == [*before, *named, "-I", str(tmp_path), "-depfile", "shader.d", "-o", "shader.spv"]


def test_what_the_compiler_has_included_is_an_input(tool: Maker, tmp_path: Path) -> None:
    """As rules of make name it: on joined lines, with backslashes before some characters, and two dollars for one."""
    other = tmp_path / "of another"
    other.mkdir()
    for name in ("near.hlsli", "far #1[$].hlsli", "last.hlsli"):
        (other / name).write_text("")
    escaped = str(other).replace(" ", "\\ ")
    names = ["./lit.slang", f"{escaped}/near.hlsli", "\\\n", f"{escaped}/far\\ \\#1\\[$$\\].hlsli"]
    (tmp_path / "rule").write_text(f"shader.spv: {' '.join(names)} {escaped}/last.hlsli /absent\n")
    tool("slangc", f'/bin/cp "{tmp_path}/rule" shader.d\n/bin/cp "{tmp_path}/module" shader.spv')
    begin_run()
    source = Source("text", str(tmp_path / "lit.slang"), SLANG)
    prepared = SLANG.prepare(source, "fragment", FrontEndOptions(entry="main"), DiagnosticSink())
    expected = [str(other / name) for name in ("near.hlsli", "far #1[$].hlsli", "last.hlsli")]
    assert list(prepared.dependencies) == expected
    assert inputs_of_run() == {*expected}


@pytest.mark.parametrize(("name", "word"), [("glslangValidator", "vert"), ("dxc", "vs_6_0"), ("slangc", "vertex")])
def test_the_stage_is_that_of_the_shader(name: str, word: str, tool: Maker, tmp_path: Path) -> None:
    """Without a name of the entry point it is `main`; the module here has none of the stage."""
    words = tool(name)
    with pytest.raises(CompileError):
        _lowered(tmp_path, stage="vertex")
    assert word in words() and "main" in words()


def test_the_first_compiler_that_is_there_is_called(tool: Maker, tmp_path: Path) -> None:
    tool("slangc")
    tool("dxc")
    words = tool("glslc")
    _lowered(tmp_path)
    assert words()[0] == "glslc"
    tool("glslangValidator")
    _lowered(tmp_path)
    assert words()[0] == "glslangValidator"


def test_with_v_the_command_is_shown(tool: Maker, tmp_path: Path) -> None:
    tool("dxc")
    for verbose in (False, True):
        sink = DiagnosticSink()
        _lowered(tmp_path, sink=sink, verbose=verbose)
        shown = [each.message for each in sink.diagnostics if each.code == "N1015"]
        assert len(shown) == verbose
    assert shown[0].startswith(f"runs {tmp_path}/bin/dxc -spirv -Zi")


def _failure(folder: Path, **options: object) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        _lowered(folder, **options)  # type: ignore[arg-type]
    (found,) = caught.value.diagnostics
    return found


@pytest.mark.usefixtures("tool")
def test_nothing_is_there(tmp_path: Path) -> None:
    found = _failure(tmp_path)
    tools = "glslangValidator, glslc, dxc, slangc"
    assert (found.code, found.message) == ("E1013", f"nothing here compiles hlsl: none of {tools} is installed")
    found = _failure(tmp_path, front_end=WGSL, name="lit.wgsl")
    assert found.message == "nothing here compiles wgsl: none of naga, tint is installed"
    found = _failure(tmp_path, front_end=SLANG, name="lit.slang")
    assert (found.code, found.message) == ("E1013", "nothing here compiles slang: none of slangc is installed")
    assert found.help == "install one, and put its folder on the path"


#: What a compiler prints before it fails -> the message, its line (0 for none), and whether the help is about --entry.
_SAID: dict[str, tuple[str, int, bool]] = {
    "ERROR: lit.frag.hlsl:1: 'x' : unknown": ("ERROR: lit.frag.hlsl:1: 'x' : unknown", 1, False),
    "warning: w\nlit.frag.hlsl:1:7: error: no x": ("lit.frag.hlsl:1:7: error: no x", 1, False),
    "lit.frag.hlsl(1): error 30015: undefined": ("lit.frag.hlsl(1): error 30015: undefined", 1, False),
    "error: unknown\n   at lit.frag.hlsl:1:2": ("error: unknown", 1, False),
    "error: unknown\nmore\n   at lit.frag.hlsl:1:2": ("error: unknown", 0, False),
    "error[E1]: unknown\n --> lit.frag.hlsl:1:2\n  |\n1 |   text\n  | ^^^ unknown 'x'.": (
        "error[E1]: unknown 'x'.",
        1,
        False,
    ),
    "error[E2]: no token\n --> lit.frag.hlsl:1:2\n  |\n1 |   text\n  | ^ expected ';'": (
        "error[E2]: no token: expected ';'",
        1,
        False,
    ),
    "error[E3]: cannot open 'a'\n --> lit.frag.hlsl:1:2\n  |\n1 |   text\n  | ^ cannot open 'a'": (
        "error[E3]: cannot open 'a'",
        1,
        False,
    ),
    "error[E1]: unknown\n --> other.slang:4:2": ("error[E1]: unknown (other.slang:4)", 0, False),
    "other.hlsli:9: error: no x": ("other.hlsli:9: error: no x", 0, False),
    "first error: a\nlit.frag.hlsl:1: error: b": ("first error: a", 1, False),
    "could not find entry point shade": ("could not find entry point shade", 0, True),
    "an Entry Point of none\nerror: a": ("error: a", 0, False),
    "nothing of use": ("it made no module", 0, False),
    "": ("it made no module", 0, False),
    "std::bad_alloc": ("it needs more than 1024 MB of memory", 0, False),
    "Out of Memory": ("it needs more than 1024 MB of memory", 0, False),
}


@pytest.mark.parametrize("said", _SAID)
def test_what_a_compiler_says_is_told(said: str, tool: Maker, tmp_path: Path) -> None:
    message, line, asks = _SAID[said]
    tool("dxc", f"printf '%s\\n' {shlex.join(said.splitlines())} >&2\nexit 1")
    found = _failure(tmp_path)
    assert (found.code, found.message) == ("E1014", f"dxc: {message}")
    # The words of the line are marked, without the blanks before them.
    marked = None if found.span is None else (found.span.line, found.span.column, found.span.end_column)
    assert marked == ((line, 3, 7) if line else None)
    assert ("--entry" in (found.help or "")) == asks


@pytest.mark.parametrize(("content", "code"), [("", "E1008"), ("garbage", "E1003")])
def test_a_compiler_that_leaves_garbage(content: str, code: str, tool: Maker, tmp_path: Path) -> None:
    tool("slangc", f"printf '{content}' > shader.spv")
    assert _failure(tmp_path, front_end=SLANG, name="lit.slang").code == code


def test_a_compiler_that_leaves_nothing_has_failed(tool: Maker, tmp_path: Path) -> None:
    tool("dxc", "exit 0")
    assert _failure(tmp_path).message == "dxc: it made no module"
    tool("dxc", "echo > shader.spv\nexit 3")
    assert _failure(tmp_path).message == "dxc: it made no module"


@pytest.mark.parametrize(
    ("front_end", "name", "text", "stage"),
    [
        (HLSL, "a.vert.hlsl", "", "vertex"),
        (HLSL, "a.vs.hlsl", "", "vertex"),
        (HLSL, "a.frag.hlsl", "", "fragment"),
        (HLSL, "a.fs.hlsl", "", "fragment"),
        (HLSL, "a.ps.hlsl", "", "fragment"),
        (HLSL, "a.hlsl", "", ""),
        (HLSL, "vert.hlsl", "", ""),
        (SLANG, "a.slang", '[shader("vertex")] float4 f()', "vertex"),
        (SLANG, "a.slang", '[shader("pixel")] float4 f()', "fragment"),
        (SLANG, "a.slang", '[shader("vertex")] float4 f() [shader("fragment")] float4 g()', ""),
        (SLANG, "a.vert.slang", "", "vertex"),
        (WGSL, "a.wgsl", "@vertex fn f() {}", "vertex"),
        (WGSL, "a.wgsl", "@fragment fn f() {}", "fragment"),
        (WGSL, "a.wgsl", "@vertex fn f() {} @fragment fn g() {}", ""),
        (WGSL, "a.vert.wgsl", "@vertex fn f() {} @fragment fn g() {}", "vertex"),
        (WGSL, "a.wgsl", "@vertexes fn f() {}", ""),
        (WGSL, "a.frag.wgsl", "", "fragment"),
    ],
)
def test_the_stage_of_a_file(front_end: Foreign, name: str, text: str, stage: str) -> None:
    assert front_end.stage_of(name, text) == front_end.stage_of(name, text.encode()) == stage
    assert front_end.takes(name, text)
    assert not front_end.takes("a.glsl", text)
