"""What manifests and Python ask for beside binaries: kinds of output, forms of host code, prefixes of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.cli.main import main
from tests.glslc_multi.batch.conftest import FRAGMENT, VERTEX, files_of, without_quotes

MANIFEST = """
targets = ["pica200"]
output = "out"

[[shader]]
source = "lit.vert"
emit = ["bin", "asm", "header", "host"]
prefix = "glow"
defines = {SHADE = 0.5, FOG = [false, true]}

[[shader]]
source = "plain.frag"
targets = ["agal", "vc4"]
emit = ["host", "json"]
host_form.agal = "haxe"
host_form.vc4 = "bare"
"""


@pytest.fixture
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place)
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(place / "cache"))
    (place / "batch.toml").write_text(MANIFEST)
    return place


def test_every_kind_is_what_the_command_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    found = files_of(folder / "out")
    for name, macros in {"lit.vert": [], "lit.vert.FOG": ["-DFOG"]}.items():
        prefix = "glow_FOG" if macros else "glow"
        common = ["lit.vert", "--target", "pica200", "-DSHADE=0.5", *macros, "--prefix", prefix]
        for kind, suffix in {"bin": "shbin", "asm": "s", "header": "h"}.items():
            assert main([*common, "--emit", kind, "-o", "one"]) == 0
            assert found[f"pica200/{name}.{suffix}"] == (folder / "one").read_bytes()
        assert main([*common, "--emit", "host", "-o", f"host.{name}/"]) == 0
        for file, data in files_of(folder / f"host.{name}").items():
            assert found[f"pica200/{name}.host/{file}"] == data
    assert {
        "agal/plain.frag.host/PlainFrag.hx",
        "agal/plain.frag.json",
        "vc4/plain.frag.host/vc4_job_bare.h",
    } <= found.keys()
    assert "agal/plain.frag.agalbin" not in found
    rows = json.loads(found["index.json"])["variants"]
    assert rows[0]["files"] == {
        "bin": {"vertex": "pica200/lit.vert.shbin"},
        "asm": {"vertex": "pica200/lit.vert.s"},
        "header": {"vertex": "pica200/lit.vert.h"},
        "host": {"vertex": "pica200/lit.vert.host/"},
    }
    assert [row["file"] for row in rows][-1] == "vc4/plain.frag.host/"
    capsys.readouterr()
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    assert capsys.readouterr().out == "4 variants: 4 from the cache\n"


def test_another_form_is_another_result(folder: Path) -> None:
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    (folder / "batch.toml").write_text(MANIFEST.replace("haxe", "as3"))
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    assert (folder / "out/agal/plain.frag.host/PlainFrag.as").exists()


def test_what_a_form_cannot_is_an_error_of_the_variant_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "batch.toml").write_text(MANIFEST.replace('vc4 = "bare"', 'vc4 = "drm"'))
    assert main(["batch", "batch.toml", "-j", "1"]) == 2
    assert "draw with a fragment stage alone" in capsys.readouterr().err
    assert not (folder / "out/vc4/plain.frag.host").exists()
    assert (folder / "out/agal/plain.frag.host/PlainFrag.hx").exists()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('emit = ["hosts"]', "'emit' has no kind 'hosts' [E0940]\nhelp: did you mean 'host'?"),
        ("emit = []", "'emit' is empty"),
        ('emit = "asm"', "'emit' is not a list of texts"),
        ('host_form = "bare"', "'host_form' is not a table"),
        ("host_form.vc4 = 1", "'host_form' is not a table of targets and their forms"),
        ("prefix = 1", "'prefix' is not a text"),
    ],
)
def test_mistakes_are_explained(line: str, problem: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "batch.toml").write_text(f'targets = ["vc4"]\n[[shader]]\nsource = "plain.frag"\n{line}\n')
    assert main(["batch", "batch.toml"]) == 2
    assert problem in without_quotes(capsys.readouterr().err)


def test_python_has_the_same_files(folder: Path) -> None:
    shader = glslc_multi.compile(FRAGMENT, target="agal", stage="fragment")
    assert glslc_multi.emit(shader, "bin", prefix="plain").keys() == {"plain.agalbin", "plain.agalbin.json"}
    assert main(["plain.frag", "--target", "agal", "--emit", "header", "-o", "plain.h", "--prefix", "plain"]) == 0
    assert glslc_multi.emit(shader, "header", prefix="plain") == {"plain.h": (folder / "plain.h").read_bytes()}
    assert glslc_multi.emit(shader, "host", prefix="plain", host_form="haxe").keys() == {"Plain.hx"}
    vertex = VERTEX.replace("SHADE", "0.5")
    program = glslc_multi.link(vertex, FRAGMENT, target="vc4")
    assert glslc_multi.emit(program, "asm", prefix="lit").keys() == {"lit.vs.s", "lit.cs.s", "lit.fs.s"}
    assert "vc4_job_drm.h" in glslc_multi.emit(program, "host")
    with pytest.raises(ValueError, match="kind is one of bin, asm"):
        glslc_multi.emit(shader, "exe")
