"""Manifests and folders become variants: every combination, in order, each with a name of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.batch.manifest import read_manifest
from glslc_multi.batch.variants import Variant, expand, rows_of_folder, shard
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from tests.glslc_multi.batch.conftest import without_quotes


def variants_of(
    text: str, place: Path, targets: tuple[str, ...] = (), defines: dict[str, str] | None = None
) -> list[Variant]:
    (place / "batch.toml").write_text(text)
    sink = DiagnosticSink()
    manifest = read_manifest(str(place / "batch.toml"), targets, sink)
    front_end = FrontEndOptions(defines or {})
    return expand(manifest.rows, lambda target: Request(front_end=front_end), sink)


def message_of(text: str, place: Path) -> str:
    with pytest.raises(CompileError) as raised:
        variants_of(text, place)
    return without_quotes(render(raised.value.diagnostics)).replace(str(place), "DIR")


def test_every_combination_but_those_excluded(place: Path) -> None:
    text = """
targets = ["agal"]
[[shader]]
source = "lit.vert"
defines = {FOG = [false, true], LIGHTS = [1, 2], MODE = "fast"}
exclude = [{FOG = true, LIGHTS = 2}]
"""
    found = {variant.output: dict(variant.request.front_end.defines) for variant in variants_of(text, place)}
    assert found == {
        "agal/lit.vert.LIGHTS=1.agalbin": {"LIGHTS": "1", "MODE": "fast"},
        "agal/lit.vert.LIGHTS=2.agalbin": {"LIGHTS": "2", "MODE": "fast"},
        "agal/lit.vert.FOG.LIGHTS=1.agalbin": {"FOG": "1", "LIGHTS": "1", "MODE": "fast"},
    }


def test_shaders_go_before_the_whole_and_the_command_line_before_both_targets(place: Path) -> None:
    text = """
targets = ["agal"]
optimisation = 1
include_dirs = ["common"]
options.agal.agal_version = 2
[[shader]]
source = "lit.vert"
[[shader]]
source = "lit.vert"
name = "small"
targets = ["pica200", "theia"]
optimisation = "s"
"""
    first, second = variants_of(text, place, defines={"SHADE": "1.0"})
    assert first.request.target_options == {"agal_version": 2}
    assert (first.request.optimisation, first.request.front_end.include_dirs) == (1, (str(place / "common"),))
    assert first.request.front_end.defines == {"SHADE": "1.0"}
    # THEIA has no vertex stage.
    assert (second.output, second.request.small) == ("pica200/lit.vert.small.shbin", True)
    assert [variant.target for variant in variants_of(text, place, ("adreno",))] == ["adreno", "adreno"]


def test_the_version_and_the_fixed_functions_are_those_of_the_shader_or_the_whole(place: Path) -> None:
    text = """
targets = ["agal"]
std = "300es"
[[shader]]
source = "lit.vert"
[[shader]]
source = "lit.vert"
name = "old"
std = "120"
compat = true
"""
    found = [variant.request.front_end for variant in variants_of(text, place)]
    assert [(options.std, options.compat) for options in found] == [("300es", False), ("120", True)]


def test_macros_of_the_manifest_go_before_those_of_the_command_line(place: Path) -> None:
    text = 'targets = ["agal"]\n[[shader]]\nsource = "lit.vert"\ndefines = {A = [false, 2]}\n'
    found = [variant.request.front_end.defines for variant in variants_of(text, place, defines={"A": "9", "B": "1"})]
    assert found == [{"B": "1"}, {"B": "1", "A": "2"}]


def test_values_that_no_file_name_holds_get_names_of_their_own(place: Path) -> None:
    text = 'targets = ["agal"]\n[[shader]]\nsource = "lit.vert"\ndefines.E = ["a/b", "a*b", "a_b"]\n'
    names = [variant.output for variant in variants_of(text, place)]
    assert len(set(names)) == 3
    assert names[2] == "agal/lit.vert.E=a_b.agalbin"
    assert all(name.startswith("agal/lit.vert.E=a_b") for name in names)
    long = text.replace('"a/b"', f'"{"x" * 300}", "{"x" * 301}"')
    names = [variant.output for variant in variants_of(long, place)]
    assert len(set(names)) == 4
    assert max(map(len, names)) < 200


def test_patterns_name_files_in_order(place: Path) -> None:
    (place / "sub").mkdir()
    for name in ("b", "a"):
        (place / "sub" / f"{name}.vert").write_text("void main() {}")
    text = 'targets = ["agal"]\n[[shader]]\nsource = ["plain.frag", "sub/*.vert"]\n'
    assert [variant.output for variant in variants_of(text, place)] == [
        "agal/plain.frag.agalbin", "agal/sub/a.vert.agalbin", "agal/sub/b.vert.agalbin",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("targets = [", "cannot use 'DIR/batch.toml': invalid value"),
        ("", "it lists no shader [E0940]\nhelp: add a table [[shader]]"),
        ("[[shader]]\nsource = 'lit.vert'", "it names no target [E0940]\nhelp: add targets"),
        ("[[shaders]]\nsource = 'lit.vert'", "the file has no key 'shaders' [E0940]\nhelp: did you mean 'shader'?"),
        ("targets = ['agal']\n[[shader]]\nsource = 1", "'source' is not a list of texts"),
        ("targets = ['agal']\n[[shader]]", "[[shader]] 1: it has no 'source'"),
        ("targets = 'agal'\n[[shader]]\nsource = 'lit.vert'", "'targets' is not a list of texts"),
        ("targets = ['agl']\n[[shader]]\nsource = 'lit.vert'", "'targets' has no target 'agl'"),
        ("targets = ['agal']\n[[shader]]\nsource = '*.geom'", "no file matches '*.geom'"),
        ("targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\ndefines.A = [[1]]", "1: 'defines' gives macro 'A'"),
        ("targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\ndefines.A = []", "gives macro 'A' a value that is no"),
        (
            "targets = ['agal', 'vc4']\n[[shader]]\nsource = 'lit.vert'\n"
            + "".join(f"defines.A{i} = [1, 2]\n" for i in range(16)),
            f"it asks for {2**17} variants, the most are {2**16} [E0940]\nhelp: list fewer values",
        ),
        (
            "targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\n"
            + "".join(f"defines.A{i} = [{', '.join('0123456789')}]\n" for i in range(5000)),
            "it asks for more than 10^15 variants",
        ),
        ("targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\nexclude = [{B = 1}]", "'exclude' has no key 'B'"),
        ("targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\nexclude = [{}]", "'exclude' has an empty table"),
        ("targets = ['agal']\noptimisation = true\n[[shader]]\nsource = 'lit.vert'", "'optimisation' is not 0, 1"),
        ("targets = ['agal']\noptions = {agal = 1}\n[[shader]]\nsource = 'lit.vert'", "'options' is not a table of"),
        ("targets = ['theia']\n[[shader]]\nsource = 'lit.vert'", "no target of the batch has the stage of"),
        (
            "targets = ['agal']\n[[shader]]\nsource = 'lit.vert'\n[[shader]]\nsource = 'lit.vert'",
            "'agal/lit.vert.agalbin' would be written twice",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_named(text: str, expected: str, place: Path) -> None:
    assert expected in message_of(text, place)


def test_a_mistake_is_at_the_line_of_its_shader(place: Path) -> None:
    """The key of the first shader, and that of the whole, are right."""
    shader = "[[shader]]\nsource = 'lit.vert'\nemit = "
    text = f"targets = ['agal']\nemit = ['bin']\n{shader}['bin']\n{shader}['bni']\n"
    (place / "batch.toml").write_text(text)
    with pytest.raises(CompileError) as raised:
        read_manifest(str(place / "batch.toml"), (), DiagnosticSink())
    span = raised.value.diagnostics[0].span
    assert span is not None and (span.line, span.column, span.end_column) == (8, 1, 5)


def test_macros_of_the_whole_are_those_of_every_shader(place: Path) -> None:
    text = """
targets = ["agal"]
defines = {A = 1, B = true, C = false}
[[shader]]
source = "lit.vert"
[[shader]]
source = "lit.vert"
name = "own"
defines = {A = [2, 3]}
"""
    found = {variant.output: dict(variant.request.front_end.defines) for variant in variants_of(text, place)}
    assert found == {
        "agal/lit.vert.agalbin": {"A": "1", "B": "1"},
        "agal/lit.vert.own.A=2.agalbin": {"A": "2", "B": "1"},
        "agal/lit.vert.own.A=3.agalbin": {"A": "3", "B": "1"},
    }


def test_a_folder_is_all_its_shaders(place: Path) -> None:
    (place / "deep" / "er").mkdir(parents=True)
    (place / "deep" / "er" / "x.frag").write_text("")
    (place / "deep" / "readme.txt").write_text("")
    rows = rows_of_folder(place, ("agal", "pica200"))
    assert [row.name for row in rows] == ["deep/er/x.frag", "lit.vert", "plain.frag"]
    outputs = [variant.output for variant in expand(rows, lambda target: Request(), DiagnosticSink())]
    assert outputs == [
        "agal/deep/er/x.frag.agalbin", "pica200/deep/er/x.frag.tev", "agal/lit.vert.agalbin", "pica200/lit.vert.shbin",
        "agal/plain.frag.agalbin", "pica200/plain.frag.tev",
    ]  # fmt: skip


def test_shards_are_a_partition(place: Path) -> None:
    text = 'targets = ["agal"]\n[[shader]]\nsource = "lit.vert"\ndefines.N = [1, 2, 3, 4, 5, 6, 7]\n'
    variants = variants_of(text, place)
    parts = [shard(variants, index, 3) for index in (1, 2, 3)]
    assert sorted(len(part) for part in parts) == [2, 2, 3]
    assert {variant.output for part in parts for variant in part} == {variant.output for variant in variants}
