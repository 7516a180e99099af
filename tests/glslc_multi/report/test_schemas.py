"""What the command writes for programs keeps to the schemas that it prints, and these describe every key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from glslc_multi.backends.registry import target_names
from glslc_multi.batch.batch import _INDEX_VERSION
from glslc_multi.cli.commands.information import SCHEMAS
from glslc_multi.cli.commands.survey import Row
from glslc_multi.cli.main import main
from glslc_multi.compiler.artifact import Artifact, BlockProof, Reflection, Stats, Verdict
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED
from glslc_multi.compiler.diagnostics.model import ExitStatus, Severity
from glslc_multi.compiler.diagnostics.span import OriginKind
from glslc_multi.compiler.records import fields
from glslc_multi.report import schemas
from glslc_multi.report.schemas import schema_text
from glslc_multi.report.statistics import statistics_json
from tests.glslc_multi.report.register_maps import close
from tests.shared_data import PROJECT_ROOT

SCHEMA: dict[str, dict[str, Any]] = {name: json.loads(schema_text(name)) for name in SCHEMAS}
STAGE = SCHEMA["stats"]["$defs"]["stage"]["properties"]
#: Between them, these show every count that a machine has of its own.
SHADERS = [
    PROJECT_ROOT / "examples" / "shaders" / name
    for name in ("03_textured.vert", "03_textured.frag", "07_lights.vert", "07_lights.frag", "12_toon.frag")
]
#: Mistakes in an included file, in a macro, twice at one name, and what a parser can mend.
WRONG = {
    "included.frag": '#extension GL_GOOGLE_include_directive : require\n#include "wrong.glsl"\nvoid main() {}\n',
    "wrong.glsl": "mediump float half_of() { return nothing; }\n",
    "macro.frag": "#define TWICE(x) (x * colour)\nvoid main() { mediump vec4 color; gl_FragColor = TWICE(2.0); }\n",
    "twice.frag": "void main() { mediump vec4 color, color; }\n",
    "open.frag": "void main() { gl_FragColor = vec4(1.0) }\n",
}
#: More lookups than any machine has samplers.
LOOKUPS = " + ".join(f"texture2D(a[{number}], v)" for number in range(40))
LARGE = f"""precision mediump float; uniform sampler2D a[40]; varying vec2 v;
void main() {{ gl_FragColor = {LOOKUPS}; }}
"""


def faults(name: str, data: object, target: str | None = None) -> list[str]:
    """List what the schema says against data; of a target, undescribed counts are faults, too."""
    schema = SCHEMA[name] if target is None else close(SCHEMA[name], target)
    return [f"{error.json_path}: {error.message[:300]}" for error in Draft202012Validator(schema).iter_errors(data)]


def written(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    status = main(words)
    shown = capsys.readouterr()
    assert status == 0, shown.err
    return shown.out


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_command_prints_the_schemas(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Draft202012Validator.check_schema(SCHEMA[name])
    assert written(["--print-schema", name], capsys) == schema_text(name)


def test_every_schema_has_a_name() -> None:
    files = Path(schemas.__file__).parent.glob("*.json")
    assert sorted(path.name.removesuffix(".schema.json") for path in files) == list(SCHEMAS)


# --- statistics -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def statistics(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The statistics of all shaders on all machines, by name."""
    folder = tmp_path_factory.mktemp("statistics")
    data: dict[str, Any] = {}
    for target in target_names():
        for shader in SHADERS:
            path = folder / "stats.json"
            if main([str(shader), "--target", target, "--emit", "stats", "-o", str(path), "--proof=off"]) == 0:
                data[f"{shader.name} {target}"] = json.loads(path.read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize("target", target_names())
def test_statistics(target: str, statistics: dict[str, Any]) -> None:
    mine = {name: data for name, data in statistics.items() if name.endswith(f" {target}")}
    assert mine
    for name, data in mine.items():
        assert faults("stats", data, target) == [], name
    assert faults("stats", mine, target) == []


def test_every_count_of_a_machine_occurs(statistics: dict[str, Any]) -> None:
    found = {
        (key, name.split()[1]) for name, stages in statistics.items() for stage in stages.values() for key in stage
    }
    described = {(key, target) for key, row in STAGE.items() for target in row.get("x-targets", ())}
    assert described - found == {("blocks", target) for target in STAGE["blocks"]["x-targets"]}


def test_statistics_of_several_stages_and_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["link", *map(str, SHADERS[:2]), "--target", "vc4", "-o", str(tmp_path / "a"), "--stats=json"]
    linked = json.loads(written(words, capsys))
    assert list(linked) == ["vertex", "coordinate", "fragment"]
    assert linked["vertex"]["proof"]["linked"] is True
    assert faults("stats", linked, "vc4") == []
    output = str(tmp_path / "{stem}.{target}")
    words = [str(SHADERS[1]), "--target", "agal", "--target", "theia", "-o", output, "--stats=json"]
    both = json.loads(written(words, capsys))
    assert len(both) == 2
    assert faults("stats", both) == []


def full_statistics() -> dict[str, Any]:
    """Everything that statistics can hold besides the counts of a machine."""
    sink = DiagnosticSink()
    span = Span(SourceFile("a.vert", "abc"), 1, 2, 1, 3)
    sink.report(RESOURCE_EXCEEDED, span, target="fake", need=9, what="registers", limit=8)
    stats = Stats(
        *(7, 14, 2, 1),
        exceeded=tuple(sink.diagnostics),
        proofs=(BlockProof("entry", 14, 12, 12, 12, 12),),
        error_steps=0.5,
        is_shortest=True,
        verdict=Verdict("near", "so", distance=1e-6, linked=True),
    )
    data: dict[str, Any] = json.loads(statistics_json({"vertex": Artifact(b"", str, Reflection("f", "vertex"), stats)}))
    return data


def test_everything_that_statistics_can_hold_is_in_the_schema() -> None:
    data = full_statistics()
    assert faults("stats", data) == []
    own = {key for key, row in STAGE.items() if row.get("$ref") != "#/$defs/count" or "x-targets" not in row}
    assert data["vertex"].keys() == own
    for key in ("exceeded", "blocks", "proof"):
        (part,) = data["vertex"][key] if key != "proof" else [data["vertex"][key]]
        assert part.keys() == STAGE[key].get("items", STAGE[key])["properties"].keys()
    assert list(STAGE["blocks"]["items"]["properties"]) == [field.name for field in fields(BlockProof)]
    assert STAGE["proof"]["properties"]["outcome"]["enum"] == list(get_args(get_type_hints(Verdict)["outcome"]))


# --- other outputs ----------------------------------------------------------------------------------------------------


def test_what_is_said_of_all_machines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    looping = tmp_path / "loop.frag"
    looping.write_text(
        "precision mediump float; uniform int n; void main() { float s = 0.0; for (int i = 0; i < 9; i++)"
        " { if (i >= n) break; s += s * 0.5 + 1.0; } gl_FragColor = vec4(s); }"
    )
    rows = json.loads(written([str(SHADERS[0]), str(looping), "--target", "all", "--json"], capsys))
    assert faults("survey", rows) == []
    assert {row["target"] for row in rows} == set(target_names())
    assert {row["fits"] for row in rows} == {True, False}
    assert list(SCHEMA["survey"]["items"]["properties"]) == [field.name for field in fields(Row)]
    assert SCHEMA["survey"]["items"]["required"] == [field.name for field in fields(Row)]


def test_the_index_of_a_batch(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "shaders").mkdir()
    for shader in SHADERS[:2]:
        (tmp_path / "shaders" / shader.name).write_bytes(shader.read_bytes())
    (tmp_path / "shaders" / "bad.vert").write_text("void main() { gl_Position = 1; }")
    words = ["batch", str(tmp_path / "shaders"), "--target", "all", "-DDEBUG=1", "--no-cache", "-j", "1"]
    listed = json.loads(written([*words, "--list"], capsys))
    assert main([*words, "-o", str(tmp_path / "out")]) == 1
    index = json.loads((tmp_path / "out" / "index.json").read_text(encoding="utf-8"))
    assert faults("batch", listed) == faults("batch", index) == []
    assert {row["target"] for row in index["variants"]} == set(target_names())
    assert {row["status"] for row in index["variants"]} == {0, 1}
    properties = SCHEMA["batch"]["properties"]
    assert properties["version"]["const"] == _INDEX_VERSION
    statuses = properties["variants"]["items"]["properties"]["status"]["enum"]
    assert statuses == sorted((0, *get_args(ExitStatus)))


def diagnostics_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    main([*words, "--diagnostics-format", "json"])
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


@pytest.fixture
def messages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> list[dict[str, Any]]:
    """Messages of all machines, and some with everything that a message can have."""
    for name, text in {**WRONG, "large.frag": LARGE}.items():
        (tmp_path / name).write_text(text)
    listed = [
        message
        for name in WRONG
        if name.endswith(".frag")
        for message in diagnostics_of([str(tmp_path / name), "--target", "agal", "-S"], capsys)
    ]
    for target in target_names():
        found = diagnostics_of([str(tmp_path / "large.frag"), "--target", target, "-S", "--proof=off"], capsys)
        assert found, target
        listed += found
    return [*listed, *diagnostics_of(["--target", "toaster"], capsys)]


def test_diagnostics(messages: list[dict[str, Any]]) -> None:
    assert [fault for message in messages for fault in faults("diagnostics", message)] == []
    for key in ("line", "labels", "notes", "help", "fixes", "target", "include_stack", "origins"):
        assert {bool(message[key]) for message in messages} == {True, False}, key
    properties = SCHEMA["diagnostics"]["properties"]
    assert properties["severity"]["enum"] == list(get_args(Severity))
    assert properties["origins"]["items"]["properties"]["kind"]["enum"] == list(get_args(OriginKind))


# --- planted faults ---------------------------------------------------------------------------------------------------

#: Keys that may be missing, and objects whose keys are names of the user's.
OPTIONAL = {"linked", "distance", "reason", "place", "error_steps", "is_shortest", "proof", "exceeded", "blocks"}
NAMES = ("stats", "defines", "files")


def objects(value: object, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """List the objects in a value with the keys that they are found under."""
    if isinstance(value, dict):
        yield name, value
        for key, part in value.items():
            yield from objects(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part, name)


def check_planted_faults(name: str, data: object) -> None:
    """Add a key to each object in turn, take each key that must be there away, and see that the schema minds."""
    assert faults(name, data) == []
    for place, part in objects(data, name):
        part["surplus"] = None
        assert faults(name, data), f"a key more in {place}"
        del part["surplus"]
        for key in [] if place in NAMES else part.keys() - OPTIONAL:
            value = part.pop(key)
            assert faults(name, data), f"{place} without {key}"
            part[key] = value


def test_a_wrong_key_of_statistics_is_a_fault() -> None:
    data = full_statistics()
    check_planted_faults("stats", data)
    assert faults("stats", data, "pica200") == []
    data["vertex"]["surplus"] = 1
    assert faults("stats", data) == [], "a target of another distribution may count what it likes"
    assert faults("stats", data, "pica200")


def test_a_wrong_key_of_a_message_is_a_fault(messages: list[dict[str, Any]]) -> None:
    for message in messages:
        check_planted_faults("diagnostics", message)


def test_a_wrong_key_of_the_other_outputs_is_a_fault(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }")
    check_planted_faults("survey", json.loads(written([str(tmp_path / "a.vert"), "--target", "all", "--json"], capsys)))
    listed = written(["batch", str(tmp_path), "--target", "agal", "-DA=1", "--list"], capsys)
    check_planted_faults("batch", json.loads(listed))
