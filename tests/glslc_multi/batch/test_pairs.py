"""Rows of a manifest that are linked pairs: their files are those of `glslc-multi link`, and they are known again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.batch.variants import Variant
from glslc_multi.cli.main import main
from glslc_multi.compiler.options import Request
from glslc_multi.report.kinds import Emission
from tests.glslc_multi.batch.conftest import FRAGMENT, VERTEX, files_of, run, without_quotes, write_sources

GEOMETRY = """#pragma geometry(triangles)
attribute vec4 v_colour[3];
varying vec4 colour;
void main() {
    for (int i = 0; i < 3; i++) { gl_Position = gl_PositionIn[i]; colour = v_colour[i]; EmitVertex(); }
    EndPrimitive();
}
"""
INCLUDING = "#extension GL_GOOGLE_include_directive : require\n"
PAIR = 'vertex = "lit.vert"\nfragment = "plain.frag"\n'


@pytest.fixture
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place)
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(place / "cache"))
    return place


def _manifest(folder: Path, row: str, targets: str = '["agal"]') -> None:
    text = f'targets = {targets}\noutput = "out"\n[[shader]]\n{row}\n'
    (folder / "batch.toml").write_text(text)


def _rows(folder: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads((folder / "out/index.json").read_text())["variants"]
    return rows


@pytest.mark.parametrize("target", ["agal", "pica200", "vc4", "xenos"])
def test_every_kind_is_what_link_writes(target: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ["bin", "asm", "json", "stats", "c", "header", "host"]
    _manifest(folder, f"{PAIR}emit = {kinds}\ndefines = {{SHADE = 0.5, FOG = [false, true]}}", f'["{target}"]')
    assert main(["batch", "batch.toml", "-j", "1"]) == 0, capsys.readouterr().err
    expected: dict[str, bytes] = {}
    for name, macros in {"lit": [], "lit.FOG": ["-DFOG"]}.items():
        common = ["link", "lit.vert", "plain.frag", "--target", target, "-DSHADE=0.5", *macros]
        common += ["--prefix", name.replace(".", "_")]
        for kind in kinds:
            place = folder / "expected" / f"{name}.{kind}"
            place.mkdir(parents=True)
            ending = {"bin": f"one{load_target(target).suffix}", "asm": "one.s", "host": ""}.get(kind, "one")
            output = f"{place}/{ending}"
            assert main([*common, "--emit", kind, "-o", output]) == 0
            inner = f"{target}/{name}.host/" if kind == "host" else f"{target}/{name}"
            expected |= {inner + file.removeprefix("one"): data for file, data in files_of(place).items()}
    found = files_of(folder / "out")
    del found["index.json"]
    assert found == expected


@pytest.mark.parametrize(
    ("target", "names"),
    [
        ("agal", {"vertex": "agal/lit.vs.agalbin", "fragment": "agal/lit.fs.agalbin"}),
        ("pica200", {"vertex": "pica200/lit.shbin", "fragment": "pica200/lit.tev"}),
        ("theia", {"fragment": "theia/lit.mem"}),
    ],
)
def test_the_index_has_the_files_of_every_stage(target: str, names: dict[str, str], folder: Path) -> None:
    # THEIA computes no varyings.
    (folder / "plain.frag").write_text("void main() { gl_FragColor = vec4(0.5); }")
    _manifest(folder, f'{PAIR}defines.SHADE = 0.5\nemit = ["bin", "host"]', f'["{target}"]')
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    (row,) = _rows(folder)
    assert row["sources"] == {"vertex": "lit.vert", "fragment": "plain.frag"}
    assert row["files"] == {"bin": names, "host": {"program": f"{target}/lit.host/"}}
    assert all((folder / "out" / path).is_file() for path in names.values())
    assert any((folder / "out" / f"{target}/lit.host").iterdir())


def test_a_geometry_shader_is_in_one_file_with_its_vertex_shader(folder: Path) -> None:
    (folder / "lines.geom").write_text(GEOMETRY)
    row = 'vertex = "lit.vert"\ngeometry = "lines.geom"\ndefines.SHADE = 0.5\nemit = ["bin", "asm", "header"]'
    _manifest(folder, row, '["agal", "pica200"]')
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    common = ["link", "lit.vert", "lines.geom", "--target", "pica200", "-DSHADE=0.5"]
    assert main([*common, "-o", "one.shbin"]) == 0
    assert main([*common, "-S", "-o", "one.s"]) == 0
    found = files_of(folder / "out")
    assert found["pica200/lit.shbin"] == (folder / "one.shbin").read_bytes()
    assert found["pica200/lit.s"] == (folder / "one.s").read_bytes()
    # AGAL has no geometry stage, so it is left out.
    assert found.keys() - {"index.json"} == {
        "pica200/lit.shbin", "pica200/lit.s", "pica200/lit.vs.h", "pica200/lit.gs.h",
    }  # fmt: skip


def test_pairs_of_the_same_text_or_code_are_compiled_once(place: Path) -> None:
    """FOG and SHADE change the code, UNUSED before the passes only, IGNORED nothing."""
    axes = "FOG = [false, true], UNUSED = [false, true], IGNORED = [false, true], SHADE = [0.25, 0.5]"
    _manifest(place, f"{PAIR}defines = {{{axes}}}", '["agal", "pica200"]')
    words = ("batch.toml", "-j", "1")
    assert run(place, *words).stdout == "32 variants: 16 with the same text, 16 compiled\n"
    one = files_of(place / "out")
    assert run(place, *words).stdout == "32 variants: 32 from the cache\n"
    assert run(place, "batch.toml", "-j", "2", cache="other").stdout.startswith("32 variants: ")
    assert files_of(place / "out") == one
    # Another name for a variable of `main` is another text of the same code.
    (place / "plain.frag").write_text(FRAGMENT.replace("void main", "/* other */ void  main"))
    assert run(place, *words).stdout == "32 variants: 32 with the same text\n"
    (place / "lit.vert").write_text(
        VERTEX.replace("colour = mix", "colour = (mix").replace("Position.z);", "Position.z));")
    )
    assert run(place, *words).stdout == "32 variants: 24 with the same text, 8 with the same code\n"


@pytest.mark.parametrize("changed", ["lit.vert", "plain.frag", "common.glsl"])
def test_a_change_of_any_file_of_the_pair_is_noticed(changed: str, place: Path) -> None:
    (place / "plain.frag").write_text(f'{INCLUDING}#include "common.glsl"\n{FRAGMENT.replace("0.5", "STRENGTH")}')
    (place / "common.glsl").write_text("#define STRENGTH 0.5\n")
    _manifest(place, f"{PAIR}defines.SHADE = 0.5")
    assert run(place, "batch.toml", "-j", "1").stdout == "1 variants: 1 compiled\n"
    before = files_of(place / "out")
    text = (place / changed).read_text()
    (place / changed).write_text(text.replace("0.5", "0.75").replace("vec4(SHADE)", "vec4(SHADE * 0.5)"))
    if changed == "plain.frag":
        (place / changed).write_text(text.replace("STRENGTH", "0.75"))
    assert run(place, "batch.toml", "-j", "1").stdout == "1 variants: 1 compiled\n"
    assert files_of(place / "out") != before


def test_errors_are_those_of_link(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "plain.frag").write_text(
        FRAGMENT.replace("varying vec4", "varying vec3").replace("v_colour *", "vec4(v_colour, 1.0) *")
    )
    _manifest(place, f"{PAIR}defines.SHADE = 0.5")
    ran = run(place, "batch.toml", "-j", "1")
    assert ran.returncode == 1
    assert "lit.vert and plain.frag for agal, SHADE=0.5:\n" in ran.stderr
    assert main(["link", str(place / "lit.vert"), str(place / "plain.frag"), "--target", "agal", "-DSHADE=0.5"]) == 1
    message = capsys.readouterr().err.replace(f"{place}/", "")
    assert "v_colour" in message
    assert message in ran.stderr
    assert _rows(place)[0]["status"] == 1 and _rows(place)[0]["files"] == {}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ('fragment = "plain.frag"', "'fragment' is linked with a vertex shader, and there is no 'vertex'"),
        (
            'vertex = "lit.vert"',
            "'vertex' is linked with one of 'fragment' and 'geometry' [E0940]\nhelp: write 'source'",
        ),
        (
            f'{PAIR}geometry = "g.geom"',
            "one of 'fragment' and 'geometry' [E0940]\nhelp: write a [[shader]] for each pair",
        ),
        (f'{PAIR}source = "lit.vert"', "shaders that are linked have no 'source'"),
        (f'{PAIR}stage = "vertex"', "shaders that are linked have no 'stage'"),
        ('vertex = ["lit.vert"]\nfragment = "plain.frag"', "'vertex' is not a text"),
        (f'{PAIR}fragmnet = "a"', " has no key 'fragmnet' [E0940]\nhelp: did you mean 'fragment'?"),
    ],
)
def test_mistakes_name_the_row_and_the_key(
    row: str, problem: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _manifest(folder, f'source = "lit.vert"\n[[shader]]\n{row}')
    assert main(["batch", "batch.toml"]) == 2
    message = without_quotes(capsys.readouterr().err)
    assert problem in message
    assert "'batch.toml': [[shader]] 2" in message


def test_no_target_may_lack_both(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "lines.geom").write_text(GEOMETRY)
    _manifest(folder, 'vertex = "lit.vert"\ngeometry = "lines.geom"')
    assert main(["batch", "batch.toml"]) == 3
    assert "no target of the batch has the stage of 'lit.vert' and 'lines.geom'" in capsys.readouterr().err


def test_names_are_those_of_the_vertex_shader(folder: Path) -> None:
    (folder / "sub").mkdir()
    write_sources(folder / "sub")
    text = 'vertex = "sub/lit.vert"\nfragment = "plain.frag"\ndefines.SHADE = 0.5\n'
    _manifest(folder, f'{text}[[shader]]\n{text}name = "menu"\nprefix = "glow"\nemit = ["header"]')
    assert main(["batch", "batch.toml", "-j", "1"]) == 0
    assert files_of(folder / "out").keys() - {"index.json"} == {
        "agal/sub/lit.vs.agalbin", "agal/sub/lit.vs.agalbin.json", "agal/sub/lit.fs.agalbin",
        "agal/sub/lit.fs.agalbin.json", "agal/sub/lit.menu.vs.h", "agal/sub/lit.menu.fs.h",
    }  # fmt: skip
    assert "glow_vs_code" in (folder / "out/agal/sub/lit.menu.vs.h").read_text()


@pytest.mark.parametrize(
    ("suffix", "may"),
    [
        (".vs.agalbin", True), (".fs.agalbin.json", True), (".s", True), (".host/Lit.as", True),
        (".agalbin", False), (".cs.agalbin", False), (".vs.s", False), (".vs.host/x", False), (".host/../x", False),
    ],
)  # fmt: skip
def test_a_result_has_files_of_the_stages_that_the_pair_becomes(suffix: str, may: bool) -> None:
    emissions = (Emission(), Emission("asm"), Emission("host", "lit"))
    variant = Variant({"vertex": "lit.vert", "fragment": "lit.frag"}, "agal", Request(), "agal/lit", emissions)
    assert variant.may_have(suffix) == may
