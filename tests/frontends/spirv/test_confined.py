"""HLSL where reading is confined: compilers of others are given nothing that includes a file from elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.files import confined_to
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.spirv.confined import LONGEST, MOST_FILES, Copies
from glslc_multi.frontends.spirv.foreign import HLSL

needs_glslang = pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="glslang-tools is not installed")
SECRET = "float secret() { return 0.123; }\n"
MAIN = "float4 main() : SV_Target { return f(1.0); }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Shaders beside what nobody is to see, with links that lead there."""
    place = tmp_path / "shaders"
    (place / "sub").mkdir(parents=True)
    (tmp_path / "secret.hlsli").write_text(SECRET)
    (place / "link.hlsli").symlink_to(tmp_path / "secret.hlsli")
    (place / "linked").symlink_to(tmp_path)
    (place / "outer.hlsli").write_text('#ifndef OUTER\n#define OUTER\n#include "sub/inner.hlsli"\n#endif\n')
    (place / "sub" / "inner.hlsli").write_text(
        '#include "../outer.hlsli"\nfloat4 f(float x) { return x.xxxx * 0.25; }\n'
    )
    (place / "leads_out.hlsli").write_text('#include "sub/../../secret.hlsli"\n')
    os.mkfifo(place / "pipe.hlsli")
    return place


def confined(text: str, folder: Path, place: Path, *include_dirs: str) -> str:
    place.mkdir()
    with confined_to(folder):
        return Copies(place, include_dirs).confine(text, folder)


def lowered(text: str, folder: Path, *include_dirs: str) -> Module:
    sink = DiagnosticSink()
    with confined_to(folder):
        options = FrontEndOptions(include_dirs=include_dirs)
        source = Source(text, str(folder / "a.frag.hlsl"), HLSL)
        return HLSL.lower(HLSL.prepare(source, "fragment", options, sink), "fragment", sink)


ATTACKS = (
    '#include "{name}"', "#include <{name}>", '  #  include"{name}"', '#/* */include "{name}"',
    '/* */#include "{name}"',
    '/*\n*/ #include "{name}"', '#inc\\\nlude "{name}"', '\\\n#include "{name}"', '#inc\\  \nlude "{name}"',
    '#define NAME "{name}"\n#include NAME', '%:include "{name}"', '??=include "{name}"', '#import "{name}"',
    '#include_next "{name}"', '#embed "{name}"', 'import "{name}";', '__include "{name}";',
    '\'"\' /* "\n*/ #include "{name}"', '\'"\' /* "\n"*/ #/*" */ include "{name}"', '"/*"\n#include "{name}"\n"*/"',
    '// \\\n\n#include "{name}"', '#include "{name}" // "', '#include \\/**/\n"{name}"', '\ufeff#include "{name}"',
    '\f\v#include "{name}"', '#\0include "{name}"', '#include "{name}"\r', 'x\r#include "{name}"',
    '#/\\\n* */include "{name}"',
    '#if __has_include("{name}")\n#error there\n#endif', '#include "outer.hlsli"\n#include "{name}"',
)  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_from_elsewhere_is_read(attack: str, folder: Path, tmp_path: Path) -> None:
    names = ["../secret.hlsli", "link.hlsli", "linked/secret.hlsli", str(tmp_path / "secret.hlsli"), "secret.hlsli"]
    for number, name in enumerate(names):
        place = tmp_path / f"copies{number}"
        text = confined(attack.replace("{name}", name), folder, place, str(tmp_path), "/", "..")
        assert "0.123" not in "".join(path.read_text() for path in place.rglob("*") if path.is_file())
        directives = [line for line in text.split("\n") if line.lstrip("\0\f\v\t \ufeff")[:1] in ("#", "%", "?")]
        assert all(name not in line or line.startswith("#define") for line in directives)
        if shutil.which("glslangValidator"):
            with pytest.raises(CompileError) as error:
                lowered(f"{attack.replace('{name}', name)}\nfloat4 main() : SV_Target {{ return secret(); }}\n", folder)
            assert "0.123" not in str(error.value)


def test_what_leads_out_leads_out_of_a_file_that_is_included_too(folder: Path, tmp_path: Path) -> None:
    confined('#include "leads_out.hlsli"\n', folder, tmp_path / "copies", "/")
    assert [path.read_text() for path in (tmp_path / "copies").rglob("*.hlsli")] == [
        "#error no such file, or none that may be read\n"
    ]


def test_lines_keep_their_numbers(folder: Path, tmp_path: Path) -> None:
    text = "a /* 1\n2 */ b\nc \\\n d // e \\\n f\ng\r\nh\ri"
    lines = confined(text, folder, tmp_path / "copies").split("\n")
    assert [line.strip() for line in lines] == ["a   b", "", "c  d", "", "", "g", "h", "i"]


@pytest.mark.parametrize("name", ["pipe.hlsli", "sub", "", "x" * 5000, "\0", "\ud800"])
def test_what_is_no_file_is_not_read(name: str, folder: Path, tmp_path: Path) -> None:
    assert confined(f'#include "{name}"', folder, tmp_path / "copies").startswith("#error ")


def test_a_file_is_copied_once_and_not_more_than_so_many(folder: Path, tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        (folder / f"{number}.h").write_text('#include "outer.hlsli"\n#include "0.h"\n')
    text = "".join(f'#include "{number}.h"\n' for number in range(MOST_FILES + 5))
    assert confined(text, folder, tmp_path / "copies").count("#error") == 5
    assert len(list((tmp_path / "copies").iterdir())) == MOST_FILES


@needs_glslang
@pytest.mark.parametrize("name", ['"outer.hlsli"', "<outer.hlsli>", '"./sub/../outer.hlsli"'])
def test_includes_inside_are_found(folder: Path, name: str) -> None:
    module = lowered(f"// the text\n#include {name}\n{MAIN}", folder, str(folder))
    assert module.stage == "fragment"


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a script")
@pytest.mark.parametrize("tool", [name for name, _ in HLSL.tools])
@pytest.mark.parametrize("name", ["-o.frag.hlsl", "-Dx y.frag.hlsl", "--.frag.hlsl", "@a.frag.hlsl", "a.frag.hlsl"])
def test_no_name_is_an_option(tool: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / tool
    script.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word"; done > {tmp_path}/words\nexit 1\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin{os.pathsep}/usr/bin")
    monkeypatch.setattr(HLSL, "tools", tuple(each for each in HLSL.tools if each[0] == tool), raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompileError):
        HLSL.prepare(Source(MAIN, name, HLSL), "fragment", FrontEndOptions(), DiagnosticSink())
    assert f"./{name}" in (tmp_path / "words").read_text().splitlines()
    assert name not in (tmp_path / "words").read_text().splitlines()


@needs_glslang
@pytest.mark.parametrize("name", [f"{'x' * 300}.hlsl", "a\0.hlsl", "\ud800.hlsl"])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(CompileError):
        HLSL.prepare(Source(MAIN, name, HLSL), "fragment", FrontEndOptions(), DiagnosticSink())


@pytest.mark.parametrize("text", ["\\", "\\ ", "/*", "//", "#", "x\\\n", "a", " ", '"', "\\\\ x"])
def test_the_longest_texts_end(text: str, folder: Path, tmp_path: Path) -> None:
    # With work that grows by the square this takes hours.
    whole = text * (LONGEST // len(text))
    assert confined(whole, folder, tmp_path / "copies").count("\n") == whole.count("\n")
