"""Messages as JSON lines."""

from __future__ import annotations

import json
from typing import Any

from glslc_multi.compiler.diagnostics import Diagnostic, Fix, Label, Origin, SourceFile
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.records import replace
from tests.compiler.diagnostics.origins import with_origin
from tests.compiler.diagnostics.samples import MISUSE, find, problem

TOP = SourceFile("top.frag", '#include "größe.glsl"\n')
FILE = SourceFile("größe.glsl", "/* 漢字 */ bad + worse\n#line 40 9\nlast\n", find(TOP, "#include"))
FILE.renumber(3, 40, "9")

FIELDS = {
    *("code", "severity", "message", "file", "line", "column", "end_line", "end_column", "physical_file"),
    *("start_byte", "end_byte", "labels", "notes", "help", "fixes", "target", "pass", "include_stack", "origins"),
}


def record(diagnostic: Diagnostic) -> dict[str, Any]:
    (line,) = render([diagnostic], "json").splitlines()
    found = json.loads(line)
    assert set(found) == FIELDS
    return dict(found)


def quoted(place: dict[str, Any]) -> str:
    """The text between the byte offsets of a place in FILE."""
    return FILE.text.encode()[place["start_byte"] : place["end_byte"]].decode()


def test_a_message_without_a_place_has_every_field() -> None:
    found = record(problem(entry=MISUSE))
    assert (found["code"], found["severity"], found["message"]) == ("E0002", "error", "wrong use")
    assert {found[field] for field in ("file", "line", "column", "start_byte", "help", "target", "pass")} == {None}
    assert [found[field] for field in ("labels", "notes", "fixes", "include_stack", "origins")] == [[], [], [], [], []]


def test_places_count_characters_and_bytes() -> None:
    found = record(problem(find(FILE, "bad")))
    assert [found[field] for field in ("file", "line", "column", "end_line", "end_column")] == [
        *("größe.glsl", 1, 10, 1, 13),
    ]
    assert quoted(found) == "bad"


def test_line_directives_change_the_shown_place_only() -> None:
    found = record(problem(find(FILE, "last")))
    assert (found["file"], found["line"], found["end_line"], found["physical_file"]) == ("9", 40, 40, "größe.glsl")
    assert quoted(found) == "last"


def test_labels_notes_help_and_fixes() -> None:
    found = record(
        replace(
            problem(find(FILE, "bad")),
            labels=(Label(find(FILE, "worse"), "see"),),
            notes=("n",),
            help="h",
            fixes=(Fix(find(FILE, "bad"), "good"),),
            target="vc4",
            pass_name="sink",
        )
    )
    (label,), (fix,) = found["labels"], found["fixes"]
    assert (label["text"], quoted(label)) == ("see", "worse")
    assert (fix["text"], quoted(fix)) == ("good", "bad")
    assert (found["notes"], found["help"], found["target"], found["pass"]) == (["n"], "h", "vc4", "sink")


def test_the_chains_behind_a_place() -> None:
    found = record(problem(with_origin(find(FILE, "bad"), Origin("macro", "M", find(FILE, "worse")))))
    (origin,), (place,) = found["origins"], found["include_stack"]
    assert (origin["kind"], origin["name"], quoted(origin)) == ("macro", "M", "worse")
    assert (place["file"], place["line"]) == ("top.frag", 1)


def test_every_message_is_one_line_of_ascii() -> None:
    text = render([problem(find(FILE, "bad")), replace(problem(), message="a\nb\udc80")], "json", color=True)
    assert text.isascii()
    assert [json.loads(line)["message"] for line in text.splitlines()] == ["something is wrong", "a\nb\udc80"]
