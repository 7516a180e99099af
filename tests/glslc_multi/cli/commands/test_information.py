"""Information: lists, limits, help that fits a screen, completion; and none of it loads heavy packages."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.cli.commands.completion import flags_of
from glslc_multi.cli.commands.information import SHELLS
from glslc_multi.cli.main import COMMANDS, PARSERS, main
from glslc_multi.compiler import __version__
from tests.shared_data import PROJECT_ROOT

#: Lines and columns of a small terminal, with some scrolling.
LINES, COLUMNS = 40, 100


def output_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


# ------------------------------------------------------------------------------------------ help
@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen_and_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of([command, "--help"], capsys)
    lines = text.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= COLUMNS
    (example,) = (line for line in lines if line.startswith("Example: "))
    assert example.startswith(f"Example: glslc-multi {'' if command == 'compile' else command}")


@pytest.mark.parametrize("command", COMMANDS)
def test_all_options_are_in_the_long_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of([command, "--help-all"], capsys)
    for flag in flags_of(command):
        assert all(re.search(rf"{re.escape(name)}\b", text) for name in flag.names), flag


def test_every_subcommand_has_a_parser() -> None:
    assert list(PARSERS) == sorted(PARSERS, key=list(COMMANDS).index)
    assert set(PARSERS) == set(COMMANDS)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (["lnk"], "link"),
        (["targts"], "targets"),
        (["--targt", "agal"], "--target"),
        (["stats", "diff", "a", "b", "--max-grwth", "1"], "--max-growth"),
        (["a.vert", "--target", "pica20"], "pica200"),
        (["--print-target-info", "agla"], "agal"),
        (["a.vert", "--target", "x86"], None),
    ],
)
def test_the_nearest_name_is_suggested(
    words: list[str], suggestion: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    if suggestion is None:
        assert "help: known names: " in error
    else:
        assert f"did you mean '{suggestion}'?" in error


# ----------------------------------------------------------------------------------------- lists
def test_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(["--list-targets"], capsys) == output_of(["targets"], capsys)
    rows = json.loads(output_of(["--list-targets", "--json"], capsys))
    assert tuple(row["name"] for row in rows) == target_names()


def test_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert output_of(["--list-passes"], capsys) == output_of(["opt", "--list-passes"], capsys)
    rows = json.loads(output_of(["--list-passes", "--json"], capsys))
    targets = {row["name"]: row["targets"] for row in rows}
    assert (targets["dce"], targets["agal-selects"], targets["xenos-family-angles"]) == (
        [],
        ["agal"],
        ["adreno", "xenos"],
    )


def test_warnings_can_be_switched_off_by_the_names_that_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(output_of(["--list-warnings", "--json"], capsys))
    assert rows
    text = output_of(["--list-warnings"], capsys)
    for row in rows:
        assert row["group"] in text
        assert main(["--version", f"-Wno-{row['group']}"]) == 0


@pytest.mark.parametrize("target", target_names())
def test_what_a_target_holds(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(output_of(["--print-target-info", target, "--json"], capsys))
    assert found["stages"] == list(load_target(target).stages)
    text = output_of(["--print-target-info", target], capsys)
    for stage, limits in found["limits"].items():
        for name, limit in limits.items():
            assert f"{limit} {name.replace('_', ' ')}" in text, stage


def test_limits_of_the_manuals(capsys: pytest.CaptureFixture[str]) -> None:
    # AGAL 1: 128 constants for vertices, 28 for pixels, 8 temporaries, 200 tokens.
    agal = json.loads(output_of(["--print-target-info", "agal", "--json"], capsys))["limits"]
    assert agal["vertex"] == {"tokens": 200, "temporaries": 8, "constants": 128}
    assert agal["fragment"] == {"tokens": 200, "temporaries": 8, "constants": 28}
    # PICA200: 96 float uniforms, 16 temporaries, 512 words.
    pica = json.loads(output_of(["--print-target-info", "pica200", "--json"], capsys))["limits"]["vertex"]
    assert {96, 16, 512} <= set(pica.values())


def test_the_version_tells_instruction_sets_apart(capsys: pytest.CaptureFixture[str]) -> None:
    first, *rows = output_of(["--version"], capsys).splitlines()
    assert first == f"glslc-multi {__version__}"
    digests = {row.split()[0]: row.split()[-1] for row in rows}
    assert tuple(digests) == target_names()
    for target, found in digests.items():
        folder = PROJECT_ROOT / "docs" / "isa"
        # A machine whose stages differ has a page for each kind.
        pages = [folder / f"{target}.md", *sorted(folder.glob(f"{target}-*.md"))]
        content = b"".join(page.read_bytes() for page in pages)
        assert found == blake2b(content, digest_size=8).hexdigest()


# ------------------------------------------------------------------------------------ completion
def test_completion_in_bash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    path = tmp_path / "complete.bash"
    path.write_text(output_of(["--completion", "bash"], capsys))

    def complete(*words: str) -> list[str]:
        quoted = " ".join(f"'{word}'" for word in ("glslc-multi", *words))
        state = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words)}"
        program = f"source {path}; {state}; _glslc_multi; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run([bash, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout.split()

    assert complete("li") == ["link"]
    assert complete("a.vert", "--target", "ag") == ["agal"]
    assert complete("a.vert", "--emi") == ["--emit"]
    assert complete("a.vert", "--emit", "he") == ["header"]
    assert complete("stats", "--max-g") == ["--max-growth"]
    assert complete("run", "--engine", "s") == ["simulator"]
    assert complete("link", "--engine") == []
    assert complete("a.vert", "-o", "comp") == ["complete.bash"]


def test_completion_in_fish(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    path = tmp_path / "complete.fish"
    path.write_text(output_of(["--completion", "fish"], capsys))

    def complete(line: str) -> list[str]:
        program = f"source {path}; complete -C 'glslc-multi {line}'"
        done = subprocess.run([fish, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    assert complete("li") == ["link"]
    assert complete("a.vert --target ag") == ["agal"]
    assert complete("stats --max-g") == ["--max-growth"]
    assert "--engine" not in complete("link --e")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_accept_the_script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(output_of(["--completion", shell], capsys))
    subprocess.run([program, "-n", str(path)], check=True)


def test_installed_scripts_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"bash": "glslc-multi.bash", "zsh": "_glslc-multi", "fish": "glslc-multi.fish"}
    assert files.keys() == set(SHELLS)
    for shell, name in files.items():
        text = (PROJECT_ROOT / "docs" / "completions" / name).read_text(encoding="utf-8")
        assert text == output_of(["--completion", shell], capsys), "run `make docs`"


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_name_every_option(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(["--completion", shell], capsys)
    for command in COMMANDS:
        for flag in flags_of(command):
            for name in flag.names:
                assert (name.lstrip("-") if shell == "fish" else name) in text


# --------------------------------------------------------------------------------------- imports
_LOADED = (
    "import sys; from glslc_multi.cli.main import main; status = main(sys.argv[1:]);"
    "print(status, sorted({'networkx', 'numpy', 'pyparsing', 'llvmlite'} & set(sys.modules)), file=sys.stderr)"
)


def loaded(words: list[str], folder: Path) -> str:
    """The last line: exit status and the heavy packages that were imported."""
    run = subprocess.run(
        [sys.executable, "-c", _LOADED, *words],
        cwd=folder, env={"PYTHONPATH": str(PROJECT_ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stderr.splitlines()[-1]


@pytest.mark.parametrize("target", target_names())
def test_a_disassembly_loads_what_assembles_its_text_alone(target: str, tmp_path: Path) -> None:
    stage = load_target(target).stages[-1]
    text = (
        "void main() { gl_FragColor = vec4(0.5); }"
        if stage == "fragment"
        else "void main() { gl_Position = vec4(0.5); }"
    )
    (tmp_path / "a.glsl").write_text(text)
    binary = tmp_path / "a.bin"
    assert main([str(tmp_path / "a.glsl"), "--stage", stage, "--target", target, "-o", str(binary)]) == 0
    assert loaded(["dis", "a.bin", "--target", target], tmp_path) == "0 ['pyparsing']"


@pytest.mark.parametrize("words", [["--version"], ["--list-targets"], ["--list-warnings"], ["--completion", "bash"]])
def test_lists_load_no_heavy_package(words: list[str], tmp_path: Path) -> None:
    assert loaded(words, tmp_path) == "0 []"
