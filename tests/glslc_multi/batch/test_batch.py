"""Batches as the command line runs them: one compilation for each piece of different code, whoever does it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path, PureWindowsPath

import pytest

from glslc_multi.batch import batch
from glslc_multi.batch.variants import Variant
from glslc_multi.cache.lookup import read_entry
from glslc_multi.compiler.options import Request
from tests.glslc_multi.batch.conftest import (
    DIFFERENT,
    UNPROVEN,
    VARIANTS,
    command,
    counts,
    environment,
    files_of,
    run,
    write_sources,
)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the whole batch, from one process."""
    place = tmp_path_factory.mktemp("expected")
    write_sources(place)
    assert run(place, "batch.toml", "-j", "1").returncode == 0
    return files_of(place / "out")


def test_each_file_is_what_compiling_it_alone_gives(place: Path, expected: dict[str, bytes]) -> None:
    words = ["lit.vert", "--target", "agal", "-DFOG", "-DSHADE=0.5", "-o", "alone.bin"]
    alone = [*command()[:-1], *words]
    subprocess.run(alone, cwd=place, env=environment(place), check=True)
    for name in ("lit.vert.FOG.SHADE=0.5", "lit.vert.FOG.UNUSED.SHADE=0.5", "lit.vert.FOG.UNUSED.IGNORED.SHADE=0.5"):
        assert expected[f"agal/{name}.agalbin"] == (place / "alone.bin").read_bytes()
        assert expected[f"agal/{name}.agalbin.json"] == (place / "alone.bin.json").read_bytes()


def test_processes_give_the_same_files_and_compile_each_code_once(place: Path, expected: dict[str, bytes]) -> None:
    ran = run(place, "batch.toml", "-j", "3")
    assert (ran.returncode, ran.stderr) == (0, "")
    found = counts(ran.stdout)
    assert (found["variants"], found["compiled"]) == (VARIANTS, DIFFERENT)
    assert files_of(place / "out") == expected
    again = run(place, "batch.toml", "-j", "3", "-o", "again")
    assert again.stdout == f"{VARIANTS} variants: {VARIANTS} from the cache\n"
    assert files_of(place / "again") == expected


def test_shards_give_the_same_files_together(place: Path, expected: dict[str, bytes]) -> None:
    for index in (1, 2, 3):
        assert run(place, "batch.toml", "-j", "1", "--shard", f"{index}/3", cache=f"cache{index}").returncode == 0
    found = files_of(place / "out")
    indices = [json.loads(found.pop(f"index-{index}-of-3.json"))["variants"] for index in (1, 2, 3)]
    whole = json.loads(expected["index.json"])["variants"]
    assert [indices[number % 3][number // 3] for number in range(VARIANTS)] == whole
    assert found == {name: data for name, data in expected.items() if name != "index.json"}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_goes_on_where_it_was(place: Path, expected: dict[str, bytes], jobs: str) -> None:
    process = subprocess.Popen(
        command("batch.toml", "-j", jobs), cwd=place, env=environment(place), start_new_session=True
    )
    deadline = time.monotonic() + 30
    while not list((place / "out").rglob("*.shbin")) and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    keys = {name for name, data in files_of(place / "cache" / "batch").items() if "locks" not in name and data}
    ran = run(place, "batch.toml", "-j", "1")
    assert ran.returncode == 0
    assert files_of(place / "out") == expected
    after = {name for name, data in files_of(place / "cache" / "batch").items() if "locks" not in name and data}
    assert keys <= after
    found = counts(ran.stdout)
    # What was known is not compiled again: new results are as many as compilations.
    assert found["compiled"] < DIFFERENT
    assert _results(place, after) - _results(place, keys) == found["compiled"]


def _results(place: Path, names: set[str]) -> int:
    """How many of these entries are results, which begin with a status; the others begin with an address."""
    keys = [bytes.fromhex(name.replace("/", "")) for name in names]
    values = [read_entry(str(place / "cache" / "batch"), key) for key in keys]
    return sum(value is not None and value[0].isdigit() for value in values)


def test_workers_end_with_a_run_that_is_killed(place: Path) -> None:
    process = subprocess.Popen(
        command("batch.toml", "-j", "2"), cwd=place, env=environment(place), start_new_session=True
    )
    while not (place / "out").exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("workers live on")


def test_changes_of_sources_includes_and_options_are_noticed(place: Path) -> None:
    (place / "lit.vert").write_text(
        '#extension GL_GOOGLE_include_directive : require\n#include "part.glsl"\n'
        "void main() { gl_Position = vec4(SIZE); }\n"
    )
    (place / "part.glsl").write_text("#define SIZE 1.0\n")
    (place / "batch.toml").write_text('targets = ["agal"]\noutput = "out"\n[[shader]]\nsource = "lit.vert"\n')
    assert counts(run(place, "batch.toml").stdout)["compiled"] == 1
    first = files_of(place / "out")
    (place / "part.glsl").write_text("#define SIZE 2.0\n")
    assert counts(run(place, "batch.toml").stdout)["compiled"] == 1
    assert files_of(place / "out") != first
    assert counts(run(place, "batch.toml", "-O0").stdout)["compiled"] == 1
    assert counts(run(place, "batch.toml").stdout) == {"variants": 1, "from the cache": 1}


def test_failures_are_summarised_and_known_the_next_time(place: Path) -> None:
    (place / "wrong.vert").write_text("void main() { gl_Position = missing; }\n")
    for first in (True, False):
        ran = run(place, ".", "--target", "agal", "--target", "pica200", "-DSHADE=1.0", "-o", "out")
        assert ran.returncode == 1
        assert ran.stderr.count("'missing' is not declared") == 1
        assert "wrong.vert for agal, SHADE=1.0 and 1 more:\n" in ran.stderr
        assert ran.stdout.endswith("; 2 failed\n")
        assert "error: 2 of 6 variants have errors [E0944]" in ran.stderr
        assert ("compiled" in counts(ran.stdout)) == first
    index = json.loads((place / "out" / "index.json").read_text())
    assert [row["status"] for row in index["variants"] if "wrong.vert" in row["sources"].values()] == [1, 1]
    assert {row["file"] for row in index["variants"] if row["status"]} == {None}


def test_without_a_cache_duplicates_are_still_found(place: Path, expected: dict[str, bytes]) -> None:
    ran = run(place, "batch.toml", "-j", "1", "--no-cache")
    assert counts(ran.stdout)["compiled"] == DIFFERENT
    assert files_of(place / "out") == expected
    assert not (place / "cache").exists()


def test_without_proofs_code_is_the_same_after_the_passes(place: Path, expected: dict[str, bytes]) -> None:
    ran = run(place, "batch.toml", "-j", "1", "--proof", "off")
    assert counts(ran.stdout)["compiled"] == UNPROVEN
    assert files_of(place / "out") == expected


def test_damaged_results_are_computed_again(place: Path, expected: dict[str, bytes]) -> None:
    run(place, "batch.toml", "-j", "1")
    for number, name in enumerate(sorted(files_of(place / "cache"))):
        path = place / "cache" / name
        data = bytearray(path.read_bytes())
        if data and number % 2:
            data[number % len(data)] ^= 0x40
            path.write_bytes(data)
    assert run(place, "batch.toml", "-j", "1", "-o", "again").returncode == 0
    assert files_of(place / "again") == expected


def test_a_folder_that_cannot_be_made_is_a_diagnostic(place: Path) -> None:
    (place / "taken").write_text("")
    ran = run(place, "batch.toml", "-j", "1", "-o", "taken")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("glslc-multi: error: cannot write 'taken")


def test_wrong_use_is_a_diagnostic(place: Path) -> None:
    (place / "empty").mkdir()
    for words, expected in (
        ([], "no input file given"),
        (["batch.toml", "batch.toml"], "no input file given"),
        (["missing.toml"], "cannot find 'missing.toml'"),
        (["batch.toml", "--shard", "3/2"], "option '--shard' takes a part and a number of parts"),
        (["batch.toml", "-j", "2", "--scheduler", "tcp://x"], "cannot be used together"),
        (["."], "no target given"),
        (["empty", "--target", "agal"], "'empty' holds no shader"),
    ):
        ran = run(place, *words)
        assert (ran.returncode, ran.stdout) == (2, ""), words
        assert expected in ran.stderr


def test_a_shard_of_nothing_is_an_empty_list(place: Path) -> None:
    ran = run(place, "batch.toml", "--shard", f"{VARIANTS + 1}/{VARIANTS + 1}")
    assert (ran.returncode, ran.stdout) == (0, "0 variants: nothing to do\n")
    index = json.loads((place / "out" / f"index-{VARIANTS + 1}-of-{VARIANTS + 1}.json").read_text())
    assert index == {"version": 2, "variants": []}


def test_the_list_of_variants_can_be_had_alone(place: Path, expected: dict[str, bytes]) -> None:
    ran = run(place, "batch.toml", "--list")
    assert ran.stdout.encode() == expected["index.json"]
    assert not (place / "out").exists()


def test_the_index_has_slashes_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "Path", PureWindowsPath)
    variant = Variant({"vertex": r"sub\lit.vert"}, "agal", Request(target_options={}), "agal/sub/lit.vert")
    (row,) = json.loads(batch.index_text([variant], [0]))["variants"]
    assert (row["sources"], row["file"]) == ({"vertex": "sub/lit.vert"}, "agal/sub/lit.vert.agalbin")


def test_ints_that_may_be_rounded_are_refused(place: Path) -> None:
    cube = "#version 300 es\nuniform int n;\nvoid main() { gl_Position = vec4(n * n * n); }\n"
    (place / "cube.vert").write_text(cube)
    (place / "ints.toml").write_text('targets = ["agal"]\n[[shader]]\nsource = "cube.vert"\n')
    ran = run(place, "ints.toml", "-j", "1")
    assert ran.returncode == 1
    assert "[E0715]" in ran.stderr
    assert run(place, "ints.toml", "-j", "1", "--inexact-integers").returncode == 0
