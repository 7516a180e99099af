"""Messages as SARIF, against the parts of the standard's schema that such documents use.

The schema below is written from the property tables of the standard (OASIS SARIF 2.1.0, sections 3.13 to 3.57).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from glslc_multi.compiler import __version__
from glslc_multi.compiler.diagnostics import Diagnostic, Fix, Label, Origin, SourceFile
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.compiler.records import replace
from tests.compiler.diagnostics.origins import with_origin
from tests.compiler.diagnostics.samples import MISUSE, ODD, TOO_BIG, find, problem

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema comes with the test extra")

LEVEL = {"enum": ["none", "note", "warning", "error"]}
MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
POSITIVE = {"type": "integer", "minimum": 1}
NATURAL = {"type": "integer", "minimum": 0}


def closed(required: list[str], **properties: object) -> dict[str, object]:
    """An object without other properties than those named."""
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def array(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


# Sections 3.30, 3.4, 3.29.
REGION = closed(
    ["startLine"],
    startLine=POSITIVE,
    startColumn=POSITIVE,
    endLine=POSITIVE,
    endColumn=POSITIVE,
    byteOffset=NATURAL,
    byteLength=NATURAL,
)
ARTIFACT = closed(["uri"], uri={"type": "string", "pattern": r"^[!#$&-;=?-\[\]_a-z~%]*$"})
PHYSICAL = closed(["artifactLocation"], artifactLocation=ARTIFACT, region=REGION)
# Sections 3.28, 3.55 to 3.57.
LOCATION = closed([], id=NATURAL, physicalLocation=PHYSICAL, message=MESSAGE)
REPLACEMENT = closed(["deletedRegion"], deletedRegion=REGION, insertedContent=closed([], text={"type": "string"}))
CHANGE = closed(
    ["artifactLocation", "replacements"],
    artifactLocation=ARTIFACT,
    replacements={**array(REPLACEMENT), "minItems": 1},
)
FIX = closed(["artifactChanges"], description=MESSAGE, artifactChanges={**array(CHANGE), "minItems": 1})
# Sections 3.27, 3.49, 3.19, 3.20, 3.14, 3.13.
RESULT = closed(
    ["message"],
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": -1},
    level=LEVEL,
    message=MESSAGE,
    locations=array(LOCATION),
    relatedLocations={**array(LOCATION), "uniqueItems": True},
    fixes=array(FIX),
    properties={"type": "object"},
)
RULE = closed(
    ["id"],
    id={"type": "string"},
    shortDescription=MESSAGE,
    fullDescription=MESSAGE,
    defaultConfiguration=closed([], level=LEVEL),
)
DRIVER = closed(
    ["name"], name={"type": "string"}, version={"type": "string"}, rules={**array(RULE), "uniqueItems": True}
)
INVOCATION = closed(["executionSuccessful"], executionSuccessful={"type": "boolean"}, exitCode={"type": "integer"})
RUN = closed(
    ["tool"],
    tool=closed(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=array(INVOCATION),
    results=array(RESULT),
)
DOCUMENT = closed(
    ["version", "runs"], **{"$schema": {"type": "string"}, "version": {"const": "2.1.0"}, "runs": array(RUN)}
)

TOP = SourceFile("/shaders/top file.frag", '#include "b.glsl"\n')
FILE = SourceFile("b.glsl", "/* ö */ bad + worse\n", find(TOP, "#include"))


def run(*diagnostics: Diagnostic) -> dict[str, Any]:
    document = json.loads(render(diagnostics, "sarif"))
    jsonschema.Draft202012Validator(DOCUMENT).validate(document)
    (only,) = document["runs"]
    return dict(only)


def test_a_run_without_messages_is_a_whole_document() -> None:
    found = run()
    assert found["results"] == []
    assert found["tool"]["driver"] == {"name": "glslc-multi", "version": __version__, "rules": []}
    assert found["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]


def test_results_point_at_their_rules() -> None:
    found = run(problem(entry=TOO_BIG), problem(entry=ODD), problem(entry=TOO_BIG))
    rules = found["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in found["results"]] == ["E0001", "W0000", "E0001"]
    assert [result["level"] for result in found["results"]] == ["error", "warning", "error"]
    assert found["invocations"] == [{"executionSuccessful": False, "exitCode": 3}]


def test_a_place_has_lines_columns_and_bytes() -> None:
    (result,) = run(problem(find(FILE, "bad")))["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "b.glsl"},
        "region": {
            "startLine": 1,
            "startColumn": 9,
            "endLine": 1,
            "endColumn": 12,
            "byteOffset": len("/* ö */ ".encode()),
            "byteLength": 3,
        },
    }


def test_regions_are_physical_whatever_line_directives_say() -> None:
    file = SourceFile("a.frag", "#line 90 5\nbad\n")
    file.renumber(2, 90, "5")
    (result,) = run(problem(find(file, "bad")))["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("a.frag", 2)


def test_labels_includes_and_calls_are_related_locations() -> None:
    span = with_origin(find(FILE, "bad"), Origin("inlined", "f", find(FILE, "worse")))
    (result,) = run(replace(problem(span), labels=(Label(find(FILE, "worse"), "see"),)))["results"]
    related = [
        (place["id"], place["message"]["text"], place["physicalLocation"]["artifactLocation"]["uri"])
        for place in result["relatedLocations"]
    ]
    assert related == [
        (1, "see", "b.glsl"),
        (2, "included from here", "file:///shaders/top%20file.frag"),
        (3, "in this call of 'f'", "b.glsl"),
    ]


def test_notes_and_help_are_lines_of_the_message() -> None:
    (result,) = run(replace(problem(), notes=("one", "two"), help="less"))["results"]
    assert result["message"]["text"] == "something is wrong\nnote: one\nnote: two\nhelp: less"


def test_fixes_are_grouped_by_file() -> None:
    fixes = (Fix(find(FILE, "bad"), "good"), Fix(find(TOP, "b.glsl"), "c.glsl"), Fix(find(FILE, "worse"), ""))
    (result,) = run(replace(problem(), fixes=fixes))["results"]
    (fix,) = result["fixes"]
    replaced = [
        [part["insertedContent"]["text"] for part in change["replacements"]] for change in fix["artifactChanges"]
    ]
    assert replaced == [["good", ""], ["c.glsl"]]


def test_the_target_and_the_pass_are_properties() -> None:
    (result,) = run(replace(problem(entry=MISUSE), target="agal", pass_name="gvn"))["results"]
    assert result["properties"] == {"target": "agal", "pass": "gvn"}


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.frag", "a%20b.frag"),
        ("<string>", "%3Cstring%3E"),
        ("c:d.frag", "c%3Ad.frag"),
        ("größe", "gr%C3%B6%C3%9Fe"),
        ("/a/b", "file:///a/b"),
        ("bad\udc80", "bad%ED%B2%80"),
    ],
)
def test_file_names_become_uris(name: str, uri: str) -> None:
    (result,) = run(problem(find(SourceFile(name, "bad"), "bad")))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


@pytest.mark.parametrize(
    ("name", "uri"),
    [("a b\\c.frag", "a%20b/c.frag"), ("C:\\a\\b.frag", "file:///C:/a/b.frag"), ("d:/b.frag", "file:///d:/b.frag")],
)
def test_file_names_of_windows_become_uris(name: str, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    test_file_names_become_uris(name, uri)
