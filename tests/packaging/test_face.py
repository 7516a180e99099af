"""The public face `glslc_multi`: light to import, and it notices foreign packages of the same names."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import glslc_multi
from tests.shared_data import PACKAGE, PROJECT_ROOT


def run_python(program: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    # -I -S: only the standard library and `folders` can be imported, whatever is installed.
    prologue = f"import sys; sys.path[:0] = {[str(folder) for folder in folders]!r}; "
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", prologue + program], capture_output=True, text=True, check=False
    )


def test_importing_the_face_loads_no_heavy_package() -> None:
    heavy = "{'networkx', 'numpy', 'pyparsing', 'llvmlite', 'glslc_multi.compiler.driver'}"
    run = run_python(f"import glslc_multi; print(sorted({heavy} & set(sys.modules)))", PROJECT_ROOT)
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_a_checkout_without_links_says_what_to_do(tmp_path: Path) -> None:
    """As git makes one on Windows: a link is a file with the name that it leads to."""
    shutil.copytree(PACKAGE, tmp_path / "glslc_multi", symlinks=True)
    (tmp_path / "glslc_multi" / "compiler").unlink()
    (tmp_path / "glslc_multi" / "compiler").write_text("../compiler")
    for program in ("from glslc_multi import compile", "import glslc_multi.entry"):
        run = run_python(program, tmp_path)
        assert run.stderr.splitlines()[-1] == (
            "ImportError: this checkout has no symbolic links: 'git config core.symlinks true' and 'git checkout .'"
            " make them, 'pip install .' needs none"
        )


def test_the_face_offers_what_it_lists() -> None:
    for name in glslc_multi.__all__:
        assert getattr(glslc_multi, name) is not None
    assert dir(glslc_multi) == sorted(glslc_multi.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'compyle'"):
        glslc_multi.compyle  # noqa: B018


def test_what_python_shows_of_an_object_fits_a_line() -> None:
    source = "attribute vec4 p; uniform mat4 m, n; void main() { gl_Position = m * (n * p); }"
    shader = glslc_multi.compile(source, target="agal", stage="vertex")
    pair = glslc_multi.link(source, "void main() { gl_FragColor = vec4(1.0); }", target="agal")
    values = glslc_multi.Program.of(pair).new_values()
    (update, *_) = values.take_updates()
    with pytest.raises(glslc_multi.CompileError) as caught:
        glslc_multi.compile(f"void main() {{ {'a' * 70} = 1; }}", target="agal", stage="vertex")
    (diagnostic,) = caught.value.diagnostics
    assert [*map(repr, (shader, shader.artifact, shader.reflection, shader.reflection.uniforms[0], shader.target))] == [
        "<vertex shader for agal, 2 instructions>",
        f"<vertex code for agal, {len(shader.binary)} bytes>",
        "<register map of a vertex shader for agal>",
        "<mat4 m in vc0, vc1, vc2, vc3>",
        "<target agal>",
    ]
    assert repr(pair) == "<vertex, fragment shaders for agal>"
    assert repr(values) == "<values for <program of vertex, fragment with 2 uniforms>>"
    assert repr(update) == "<update of vertex vc0, 8 registers>"
    assert (
        repr(shader.stats)
        == f"Stats(instructions=2, code_words=12, registers=1, constants={shader.stats.constants}, ...)"
    )
    assert repr(diagnostic) == f"<error E0301 at <string>:1:15: '{'a' * 59}...>"


def test_an_unknown_target_is_a_compile_error() -> None:
    with pytest.raises(glslc_multi.CompileError, match=r"unknown target 'toaster' \[E0908\]") as caught:
        glslc_multi.compile("void main() {}", target="toaster", stage="vertex")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.entry.exit_status == 2
    with pytest.raises(glslc_multi.CompileError):
        glslc_multi.assemble("nop", "toaster")
    with pytest.raises(glslc_multi.CompileError):
        glslc_multi.disassemble(b"", "toaster")


SHADER = "void main() { gl_Position = vec4(1.0); }"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": SHADER.encode()}, "source is text, found bytes: decode it, as in data.decode()"),
        ({"source": Path("a.vert")}, "source is text; found PosixPath PosixPath('a.vert')"),
        ({"filename": Path("a.vert")}, "filename is text; found PosixPath PosixPath('a.vert')"),
        ({"defines": {"A": 1}}, """the value of defines['A'] is text, as in {'A': "1"}; found int 1"""),
        ({"defines": {1: "A"}}, "each name in defines is text; found int 1"),
        ({"defines": ["A=1"]}, "defines is a mapping from names to values; found list ['A=1']"),
        ({"std": 300}, "std is text; found int 300"),
        ({"entry": 1}, "entry is text; found int 1"),
        ({"spec": [2]}, "spec is a mapping from numbers of constants to values; found list [2]"),
        ({"spec": {"0": 2}}, "each number in spec is an int; found str '0'"),
        ({"spec": {0: None}}, "the value of spec[0] is a number, a truth value or text; found NoneType None"),
        ({"options": "loop"}, "options is a mapping from names to values; found str 'loop'"),
        ({"include_dirs": "lib"}, "include_dirs is a sequence of folders, found one text: write ['lib']"),
        ({"include_dirs": [Path("lib")]}, "include_dirs[0] is text, as str(path) is; found PosixPath PosixPath('lib')"),
    ],
)
def test_an_argument_of_the_wrong_type_is_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        glslc_multi.compile(**{"source": SHADER, "stage": "vertex", "target": "vc4", **arguments})
    assert str(caught.value) == message


def test_the_version_of_a_source_that_says_none_is_an_argument() -> None:
    source = "uniform float f; void main() { gl_Position = vec4(f * 1.0f); }"
    with pytest.raises(glslc_multi.CompileError, match="no number suffix"):
        glslc_multi.compile(source, stage="vertex", target="vc4")
    assert glslc_multi.compile(source, stage="vertex", target="vc4", std="120").binary
    expected = "option 'std' takes one of 100, 300es, 110, 120, 130, 140, 150, 330, 100es, found '13'"
    with pytest.raises(glslc_multi.CompileError, match=expected):
        glslc_multi.compile(source, stage="vertex", target="vc4", std="13")


def test_wrong_arguments_of_the_other_functions_are_explained() -> None:
    with pytest.raises(TypeError, match="fragment_source is text, found bytes"):
        glslc_multi.link(SHADER, b"", target="vc4")
    with pytest.raises(TypeError, match="text is text, found bytes"):
        glslc_multi.assemble(b"", "vc4")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="data is bytes; found str ''"):
        glslc_multi.disassemble("", "vc4")  # type: ignore[arg-type]
