"""Where a project file is looked for, and what of it is told to the command line."""

from __future__ import annotations

from pathlib import Path, PurePath

import pytest

from glslc_multi.cache.footprint import Footprint
from glslc_multi.cache.lookup import ABSENT
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.files import watching
from glslc_multi.project.project import NAME, Project, find_project

ALL_KEYS = """
targets = ["3ds", "agal"]
optimisation = "s"
include_dirs = ["common", "../shared"]
std = "300es"
compat = true
entry = "main"
spec = {3 = 2.5}
output = "build"
emit = ["asm"]
[defines]
FOG = true
LIGHTS = 4
OFF = false
[options.flash]
agal_version = 2
[[shader]]
source = "a.vert"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a/b/c").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b")
    return tmp_path


def _found(folder: str | Path) -> Project | None:
    return find_project(PurePath(folder), DiagnosticSink())


def _message(folder: str | Path) -> str:
    with pytest.raises(CompileError) as raised:
        _found(folder)
    return render(raised.value.diagnostics)


def test_everything_that_a_command_line_may_say(place: Path) -> None:
    (place / "a" / NAME).write_text(ALL_KEYS)
    assert _found("c") == Project(
        "../glslc-multi.toml",
        ("pica200", "agal"),
        "s",
        ("../common", "../../shared"),
        {"FOG": "1", "LIGHTS": "4", "OFF": None},
        "300es",
        True,
        "main",
        {3: "2.5"},
        {"agal": {"agal_version": 2}},
    )


@pytest.mark.parametrize("folder", ["c", ".", "", "../b/c", "c/../c"])
def test_the_nearest_one_counts(folder: str, place: Path) -> None:
    (place / "a" / NAME).write_text('std = "100"')
    (place / NAME).write_text("nonsense")
    project = _found(folder)
    assert project is not None and project.std == "100"
    project = _found(place / "a/b" / folder)
    assert project is not None and Path(project.path).samefile(place / "a" / NAME)


def test_all_places_are_noted_for_the_cache(place: Path) -> None:
    """A relative name stands for as many folders wherever it is: else a file that appears elsewhere is not noticed."""
    footprint = Footprint()
    with watching(footprint):
        assert _found("c") is None
    names = [f"c/{NAME}", NAME, *(f"{'../' * count}{NAME}" for count in range(1, 15))]
    assert footprint.states == dict.fromkeys(names, ABSENT)
    footprint = Footprint()
    (place / "a" / NAME).write_text("")
    with watching(footprint):
        assert _found(place / "a/b") is not None
    assert list(footprint.states) == [str(place / "a/b" / NAME), str(place / "a" / NAME)]
    assert footprint.states[str(place / "a" / NAME)] != ABSENT


def test_the_search_ends_at_the_root_and_after_sixteen_folders(place: Path) -> None:
    deep = place.joinpath(*"d" * 20)
    deep.mkdir(parents=True)
    (place / NAME).write_text("")
    assert _found(place.joinpath(*"d" * 15)) is not None
    assert _found(place.joinpath(*"d" * 16)) is None
    footprint = Footprint()
    with watching(footprint):
        _found("/")
    assert list(footprint.states) == [f"/{NAME}"]


def test_links_that_lead_to_themselves_are_no_projects(place: Path) -> None:
    (place / "a/b" / NAME).symlink_to(NAME)
    (place / "a/b/loop").symlink_to("../b")
    (place / "a" / NAME).write_text('std = "100"')
    for folder in (".", "loop", "loop/loop/c"):
        project = _found(folder)
        assert project is not None and Path(project.path).samefile(place / "a" / NAME)


def test_a_folder_of_this_name_is_none(place: Path) -> None:
    (place / "a/b" / NAME).mkdir()
    assert _found("c") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("std = \ncompat = true", "glslc-multi.toml:1:7: error: cannot use 'glslc-multi.toml': invalid value [E0940]"),
        ("std = 1", "glslc-multi.toml:1:1: error: cannot use 'glslc-multi.toml': 'std' is not a text [E0940]"),
        (
            '# std\n std = "301es"',
            "glslc-multi.toml:2:2: error: cannot use 'glslc-multi.toml': 'std' has no version '301es'",
        ),
        (
            "[defines]\nGL_X = 1",
            "glslc-multi.toml:2:1: error: cannot use 'glslc-multi.toml': 'defines' has macro 'GL_X'",
        ),
        (
            "[defines]\nX = [1]",
            ":2:1: error: cannot use 'glslc-multi.toml': 'defines' gives macro 'X' a value that is no",
        ),
        ('targets = ["agl"]', "'targets' has no target 'agl' [E0940]\n   1 | targets = "),
        (
            "[options.vc4]\nthraeded = true",
            ":2:1: error: cannot use 'glslc-multi.toml': 'options' of vc4: unknown option",
        ),
        ("options = {vc4 = {thraeded = true}}", "glslc-multi: error: cannot use 'glslc-multi.toml': 'options' of vc4"),
        ("[options.vc5]\nthreaded = true", "'options' has no target 'vc5'"),
        ("optimisation = 4", "'optimisation' is not 0, 1, 2, 3 or \"s\""),
        ("optimise = 2", ":1:1: error: cannot use 'glslc-multi.toml': the file has no key 'optimise' [E0940]"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(text: str, message: str, place: Path) -> None:
    (place / "a/b" / NAME).write_text(text)
    assert message in _message("c")


def test_a_misspelt_key_gets_a_hint(place: Path) -> None:
    (place / "a/b" / NAME).write_text("include_dir = []")
    assert "help: did you mean 'include_dirs'?" in _message("c")


def test_a_file_that_cannot_be_read_is_a_message(place: Path) -> None:
    (place / "a/b" / NAME).write_bytes(b"# caf\xe9")
    assert "'glslc-multi.toml' is not UTF-8" in _message("c")
