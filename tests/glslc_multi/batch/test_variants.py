"""What a batch is made of: names of files, macros, requests and parts, without compiling anything."""

from __future__ import annotations

import sys
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest

from glslc_multi.batch import variants
from glslc_multi.batch.variants import Row, Variant, expand, rows_of_folder, shard
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import Target
from glslc_multi.report.kinds import Emission


def _row(name: str = "lit.vert", targets: str = "agal", **more: Any) -> Row:
    more.setdefault("prefix", Path(name).name)
    return Row({"": Path("/sources", name)}, name, tuple(targets.split()), **more)


def _plain(target: Target) -> Request:
    return Request(target_options={})


def _variants(*rows: Row, request: Request | None = None) -> list[Variant]:
    return expand(rows, _plain if request is None else lambda target: request, DiagnosticSink())


def _stems(*rows: Row) -> list[str]:
    return [variant.stem for variant in _variants(*rows)]


def test_every_target_has_a_folder() -> None:
    assert _stems(_row(targets="vc4 agal")) == ["vc4/lit.vert", "agal/lit.vert"]
    assert _stems(_row("sub/lit.vert")) == ["agal/sub/lit.vert"]


def test_targets_without_the_stage_are_left_out() -> None:
    """THEIA has no vertex stage; where no target has it, that is an error."""
    assert _stems(_row(targets="theia agal")) == ["agal/lit.vert"]
    with pytest.raises(CompileError) as caught:
        _variants(_row(targets="theia"))
    assert caught.value.diagnostics[0].notes == ("no target of the batch has the stage of '/sources/lit.vert'",)


_AXES: dict[str, Any] = {"FOG": [False, True], "LIGHTS": [1, 2], "WAY": ["x"]}


def test_combinations_are_in_the_order_of_the_axes() -> None:
    """The last one changes first; what is always the same is no part of the name, nor what is left undefined."""
    assert _stems(_row(axes=_AXES)) == [
        "agal/lit.vert.LIGHTS=1",
        "agal/lit.vert.LIGHTS=2",
        "agal/lit.vert.FOG.LIGHTS=1",
        "agal/lit.vert.FOG.LIGHTS=2",
    ]
    found = [dict(variant.request.front_end.defines) for variant in _variants(_row(axes=_AXES))]
    assert found == [
        {"LIGHTS": "1", "WAY": "x"},
        {"LIGHTS": "2", "WAY": "x"},
        {"FOG": "1", "LIGHTS": "1", "WAY": "x"},
        {"FOG": "1", "LIGHTS": "2", "WAY": "x"},
    ]


@pytest.mark.parametrize(
    ("unwanted", "left"),
    [
        ([{"FOG": True}], 2),
        ([{"FOG": True, "LIGHTS": 2}], 3),
        ([{"FOG": True}, {"LIGHTS": 1}], 1),
        ([{"LIGHTS": 3}], 4),
        # True and 1 are two values.
        ([{"LIGHTS": True}], 4),
        ([{"FOG": 1}], 4),
        ([{"OTHER": True}], 4),
    ],
)
def test_combinations_that_nobody_needs(unwanted: list[dict[str, Any]], left: int) -> None:
    assert len(_stems(_row(axes=_AXES, exclude=unwanted))) == left


def test_a_macro_of_the_command_line_is_not_defined_beside_that_of_the_row() -> None:
    request = Request(front_end=FrontEndOptions(defines={"FOG": "7", "OTHER": "8"}))
    off, on = _variants(_row(axes={"FOG": [False, True]}), request=request)
    assert dict(off.request.front_end.defines) == {"OTHER": "8"}
    assert dict(on.request.front_end.defines) == {"OTHER": "8", "FOG": "1"}


def test_values_that_no_file_name_has_are_told_apart() -> None:
    """By a code behind what can be shown of them."""
    first, second, third = _stems(_row(axes={"E": ["a/b", "a:b", "a_b"]}))
    assert third == "agal/lit.vert.E=a_b"
    assert first.startswith("agal/lit.vert.E=a_b-") and second.startswith("agal/lit.vert.E=a_b-")
    assert first != second


@pytest.mark.parametrize(("length", "is_cut"), [(180, False), (181, True), (400, True)])
def test_names_of_files_have_at_most_180_bytes(length: int, is_cut: bool) -> None:
    name = "n" * (length - 5) + ".vert"
    (stem,) = _stems(_row(name))
    found = stem.removeprefix("agal/")
    assert len(found) == min(length, 180)
    assert (found != name) == is_cut
    other = "n" * (length - 6) + "o.vert"
    assert len({found, *(each.removeprefix("agal/") for each in _stems(_row(other)))}) == 2


def test_a_row_says_more_than_the_command_line() -> None:
    """But for options of the target, where the command line has the last word."""
    given = Request(
        front_end=FrontEndOptions(
            std="100", entry="main", specializations={1: "2"}, compat=True, include_dirs=("late",)
        ),
        target_options={"bias": 1},
        optimisation=1,
    )
    (variant,) = _variants(_row(), request=given)
    assert variant.request == given
    row = _row(
        std="120", entry="other", spec={3: "4"}, compat=False, include_dirs=("early",), optimisation="s",
        options={"agal": {"bias": 2, "version": 3}, "vc4": {"version": 9}},
    )  # fmt: skip
    (variant,) = _variants(row, request=given)
    front_end = variant.request.front_end
    assert (front_end.std, front_end.entry, front_end.specializations) == ("120", "other", {3: "4"})
    assert (front_end.compat, front_end.include_dirs) == (False, ("early", "late"))
    assert variant.request.target_options == {"bias": 1, "version": 3}
    assert variant.request.small


@pytest.mark.parametrize(("level", "effort"), [(0, 0), (2, 2), ("1", 1)])
def test_a_row_says_how_much_is_optimised(level: int | str, effort: int) -> None:
    (variant,) = _variants(_row(optimisation=level), request=Request(optimisation=3))
    assert (variant.request.optimisation, variant.request.small) == (effort, False)


def test_each_kind_has_its_file() -> None:
    """Names of the reader's language begin with the row's prefix, or the name of the shader, and the combination."""
    kinds = ("bin", "asm", "json", "stats", "c", "header", "host")
    _, variant = _variants(_row(emit=kinds, axes={"FOG": [False, True]}))
    assert variant.outputs == {
        "bin": {"vertex": "agal/lit.vert.FOG.agalbin"},
        "asm": {"vertex": "agal/lit.vert.FOG.s"},
        "json": {"vertex": "agal/lit.vert.FOG.json"},
        "stats": {"vertex": "agal/lit.vert.FOG.stats.json"},
        "c": {"vertex": "agal/lit.vert.FOG.c"},
        "header": {"vertex": "agal/lit.vert.FOG.h"},
        "host": {"vertex": "agal/lit.vert.FOG.host/"},
    }
    assert variant.output == "agal/lit.vert.FOG.agalbin"
    names = {emission.kind: emission.prefix for emission in variant.emissions}
    assert names == {**dict.fromkeys(kinds, ""), **dict.fromkeys(("c", "header", "host"), "lit_vert_FOG")}
    (variant,) = _variants(_row(emit=("c",), prefix="own"))
    assert variant.emissions == (Emission("c", "own"),)


def test_host_code_has_the_form_of_its_target() -> None:
    row = _row(targets="agal vc4", emit=("host", "c"), host_form={"vc4": "c"})
    found = [[emission.host_form for emission in variant.emissions] for variant in _variants(row)]
    assert found == [[None, None], ["c", None]]


@pytest.mark.parametrize(
    ("kinds", "suffix", "may"),
    [
        (("asm",), ".s", True),
        (("asm",), ".c", False),
        (("asm",), ".s.json", True),
        (("asm",), ".stats", False),
        (("bin",), ".agalbin", True),
        (("bin",), ".agalbin.json", True),
        (("bin",), ".agalbin.txt", False),
        (("host",), ".host/shader.c", True),
        (("host",), ".host/sub/shader.c", False),
        (("host",), ".host", False),
        (("bin", "asm"), ".s", True),
        (("bin", "host"), ".host/a.as", True),
    ],
)
def test_which_files_a_compilation_may_have_made(kinds: tuple[str, ...], suffix: str, may: bool) -> None:
    (variant,) = _variants(_row(emit=kinds))
    assert variant.may_have(suffix) == may


def test_no_file_is_written_twice() -> None:
    for rows in ((_row(), _row()), (_row(axes={"A": [1, 1]}),)):
        with pytest.raises(CompileError) as caught:
            _variants(*rows)
        assert "agal/lit.vert" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    "rows",
    [
        (_row(axes={"FOG": [False, True]}), _row(axes={"fog": [False, True]}, exclude=[{"fog": False}])),
        (_row("caf\u00e9.vert"), _row("cafe\u0301.vert")),
    ],
    ids=["case", "accent"],
)
def test_names_that_macos_takes_for_one_are_one(rows: tuple[Row, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(set(_stems(*rows))) == len(_stems(*rows))
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(CompileError, match="E0924"):
        _variants(*rows)


def test_names_are_those_of_other_systems_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "PurePath", PureWindowsPath)
    assert _stems(_row("sub/lit.vert")) == ["agal/sub/lit.vert"]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_parts_have_every_variant_once(count: int) -> None:
    variants = _variants(_row(axes={"N": [1, 2, 3, 4, 5]}))
    parts = [shard(variants, index, count) for index in range(1, count + 1)]
    assert sorted(variant.stem for part in parts for variant in part) == [variant.stem for variant in variants]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_a_folder_has_a_row_for_every_shader(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "folder.vert").mkdir()
    for name in ("b.frag", "a.vert", "sub/c.vert", "notes.txt"):
        (tmp_path / name).write_text("")
    rows = rows_of_folder(tmp_path, ("agal",))
    assert [(row.name, row.targets) for row in rows] == [
        ("a.vert", ("agal",)),
        ("b.frag", ("agal",)),
        ("sub/c.vert", ("agal",)),
    ]


class _Windows(PureWindowsPath):
    """A path of Windows below which there are shaders."""

    def is_file(self) -> bool:
        return True

    def rglob(self, pattern: str) -> list[PureWindowsPath]:
        return [type(self)(self, name) for name in ("a.vert", "B.vert", "sub/c.vert")]


def test_the_order_is_that_of_other_systems_on_windows() -> None:
    names = [row.name for row in rows_of_folder(_Windows("C:/shaders"), ("agal",))]  # type: ignore[arg-type]
    assert names == ["B.vert", "a.vert", "sub/c.vert"]


def test_a_source_tells_its_stage_where_its_name_does_not(tmp_path: Path) -> None:
    file = tmp_path / "a.spvasm"
    file.write_text('OpEntryPoint Vertex %main "main"\n')
    (variant,) = _variants(Row({"": file}, "a.spvasm", ("agal",)))
    assert variant.sources == {"vertex": str(file)}
    (variant,) = _variants(Row({"fragment": file}, "a.spvasm", ("agal",)))
    assert variant.sources == {"fragment": str(file)}
