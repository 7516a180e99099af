"""What is kept of compilations, and when it is taken for what another one would give."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.batch.results import Found, Result, Results
from glslc_multi.batch.variants import Variant
from glslc_multi.cache.lookup import ABSENT, digest, write_entry
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import replace
from glslc_multi.report.kinds import Emission

VARIANT = Variant({"vertex": "lit.vert"}, "agal", Request(), "agal/lit.vert", (Emission("asm"), Emission("json")))
RESULT = Result(0, ((".s", b"code\0"), (".json", b"{}")), "a warning: \udcff\n")


@pytest.fixture
def results(tmp_path: Path) -> Results:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o700)
    return Results(str(folder), b"this compiler")


def _kept(results: Results, inputs: dict[str, bytes], result: Result = RESULT) -> Found:
    found = results.put(results.key("code", 1), result)
    results.keep(VARIANT, inputs, found)
    return found


def _again(results: Results, identity: bytes = b"this compiler") -> Results:
    """Another run: states of files are read anew."""
    return Results(results.folder, identity)


def test_a_result_comes_back_as_it_was(results: Results, tmp_path: Path) -> None:
    source, other = tmp_path / "lit.vert", tmp_path / "none.glsl"
    source.write_text("void main() {}")
    _kept(results, {str(source): digest(b"void main() {}"), str(other): ABSENT})
    found = _again(results).of_variant(VARIANT)
    assert found == replace(RESULT, inputs=(str(source), str(other)))


@pytest.mark.parametrize("change", ["other text", "gone", "there now"])
def test_a_file_that_has_changed_makes_a_result_old(results: Results, tmp_path: Path, change: str) -> None:
    source, other = tmp_path / "lit.vert", tmp_path / "none.glsl"
    source.write_text("old")
    _kept(results, {str(source): digest(b"old"), str(other): ABSENT})
    assert _again(results).of_variant(VARIANT) is not None
    if change == "other text":
        source.write_text("new")
    elif change == "gone":
        source.unlink()
    else:
        other.write_text("")
    assert _again(results).of_variant(VARIANT) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(VARIANT, sources={"vertex": "other.vert"}),
        replace(VARIANT, sources={"fragment": "lit.vert"}),
        replace(VARIANT, sources={"vertex": "lit.vert", "fragment": "lit.frag"}),
        replace(VARIANT, target="vc4"),
        replace(VARIANT, request=Request(optimisation=0)),
        replace(VARIANT, emissions=(Emission("asm"),)),
    ],
)
def test_another_variant_has_another_result(results: Results, other: Variant) -> None:
    _kept(results, {})
    assert _again(results).of_variant(VARIANT) is not None
    assert _again(results).of_variant(other) is None


def test_the_name_of_the_files_is_not_part_of_a_variant(results: Results) -> None:
    _kept(results, {})
    assert _again(results).of_variant(replace(VARIANT, stem="elsewhere")) is not None


def test_another_compiler_has_results_of_its_own(results: Results) -> None:
    _kept(results, {})
    assert _again(results, b"another compiler").of_variant(VARIANT) is None


def test_results_are_shared_by_keys(results: Results) -> None:
    found = results.put(results.key("code", "c"), RESULT)
    keys = [results.key("text", number) for number in range(2)]
    results.share(keys, found)
    for key in keys:
        assert _again(results).shared(key, VARIANT) == found
    assert _again(results).shared(results.key("text", 2), VARIANT) is None
    assert len({*keys, results.key("code", 0), results.key("text", "0")}) == 4


@pytest.mark.parametrize("suffix", [".c", ".s/../../x", "/etc/passwd", ".agalbin"])
def test_a_result_with_files_that_the_variant_cannot_have_is_none(results: Results, suffix: str) -> None:
    _kept(results, {}, Result(0, ((suffix, b""),)))
    assert _again(results).of_variant(VARIANT) is None


@pytest.mark.parametrize(
    "entry",
    [
        # Nothing, a number alone, no number, a suffix without a file, a text that is none.
        [],
        [b"0"],
        [b"zero", b""],
        [b"0", b"", b".s"],
        [b"0", b"", b"\xff", b"code"],
    ],
)
def test_entries_that_are_no_results_are_none(results: Results, entry: list[bytes]) -> None:
    found = _kept(results, {})
    write_entry(results.folder, found.address, entry)
    assert _again(results).of_variant(VARIANT) is None


@pytest.mark.parametrize("status", [0, 1, 3])
def test_failures_are_kept_without_files(results: Results, status: int) -> None:
    _kept(results, {}, Result(status, (), "error: no\n"))
    assert _again(results).of_variant(VARIANT) == Result(status, (), "error: no\n")


def test_names_without_their_states_are_none(results: Results) -> None:
    found = _kept(results, {})
    write_entry(results.folder, results._variant_key(VARIANT), [found.address, b"lit.vert"])
    assert _again(results).of_variant(VARIANT) is None


def test_a_file_is_looked_at_once_in_a_run(results: Results, tmp_path: Path) -> None:
    source = tmp_path / "lit.vert"
    source.write_text("old")
    _kept(results, {str(source): digest(b"old")})
    run = _again(results)
    assert run.of_variant(VARIANT) is not None
    source.write_text("new")
    assert run.of_variant(VARIANT) is not None
    assert _again(results).of_variant(VARIANT) is None


def test_where_nothing_can_be_written_results_are_given_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    results = Results(str(tmp_path / "file" / "kept"), b"this compiler")
    assert results.put(results.key("code", 1), RESULT).result == RESULT
    with results.alone(results.key("code", 1)):
        assert results.of_variant(VARIANT) is None
