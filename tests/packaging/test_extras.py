"""Compiling needs neither numpy nor llvmlite nor ortools nor pygls; what needs them says so in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import PROJECT_ROOT

#: Runs the command with its arguments where nothing of the extras `run` and `prove` can be imported.
_WITHOUT = """
import sys
sys.modules.update(numpy=None, llvmlite=None, ortools=None, pygls=None)
from glslc_multi.cli.main import main
for words in {lines!r}:
    if status := main(words):
        sys.exit(f"{{words}} ends with status {{status}}")
"""
SHADERS = PROJECT_ROOT / "examples" / "shaders"
PAIR = [str(SHADERS / "09_phong.vert"), str(SHADERS / "09_phong.frag")]
TARGETS = {"adreno": PAIR, "agal": PAIR, "pica200": PAIR[:1], "theia": PAIR[1:], "vc4": PAIR, "xenos": PAIR}


def run_without(lines: list[list[str]], folder: Path) -> subprocess.CompletedProcess[str]:
    program = _WITHOUT.format(lines=[[*words, "--no-cache"] for words in lines])
    command = [sys.executable, "-c", program]
    environment = {"PYTHONPATH": str(PROJECT_ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("target", TARGETS)
def test_compiling_needs_no_extra(target: str, tmp_path: Path) -> None:
    kinds = ("bin", "asm", "ir", "json", "stats", "c", "header", "html")
    levels = ("-O0", "-O3", "-Os", "-fpreamble", "--verify-each")
    lines = [
        [shader, "--target", target, *words, "-o", "out"]
        for shader in TARGETS[target]
        for words in (*(["--emit", kind] for kind in kinds), *([level] for level in levels))
    ]
    lines += [["explain", TARGETS[target][0], "--target", target, "-o", "-"]]
    if len(TARGETS[target]) == 2:
        lines += [["link", *PAIR, "--target", target, "-o", "pair"]]
    ran = run_without(lines, tmp_path)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["run", PAIR[0], "--target", "vc4", "--inputs", "in.json"],
        ["render", *PAIR, "--target", "vc4", "-o", "a.png"],
    ],
    ids=["run", "render"],
)
def test_running_asks_for_what_is_missing(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text('{"inputs": {"a_position": [[0, 0, 0, 1]]}}')
    ran = run_without([words], tmp_path)
    assert "error: running shaders needs numpy, which is not installed [E0948]" in ran.stderr
    assert "help: pip install 'glslc-multi[run]'" in ran.stderr
    assert "status 2" in ran.stderr


def test_proving_asks_for_what_is_missing(tmp_path: Path) -> None:
    ran = run_without([[PAIR[0], "--target", "vc4", "--prove", "-o", "out"]], tmp_path)
    assert "error: --prove needs the package ortools [E0949]" in ran.stderr
    assert "help: pip install 'glslc-multi[prove]'" in ran.stderr
    assert "status 2" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_the_language_server_asks_for_what_is_missing(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(pygls=None)\nfrom glslc_multi.cli.main import main\nsys.exit(main(['lsp']))"
    )
    command, environment = [sys.executable, "-c", program], {"PYTHONPATH": str(PROJECT_ROOT)}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "error: the language server needs the package pygls [E0958]" in ran.stderr
    assert "help: pip install 'glslc-multi[lsp]'" in ran.stderr
    assert ran.returncode == 2


def test_the_package_asks_too(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules.update(numpy=None)\n"
        "import glslc_multi\n"
        "shader = glslc_multi.compile('void main() { gl_Position = vec4(1.0); }', target='vc4', stage='vertex')\n"
        "try: shader.run({})\n"
        "except glslc_multi.CompileError as error: print(error)\n"
        "import glslc_multi.runtime.program"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(PROJECT_ROOT)}, capture_output=True, text=True, check=False
    )
    assert "running shaders needs numpy" in ran.stdout
    assert (
        ran.stderr.splitlines()[-1]
        == "ImportError: glslc_multi.runtime.program needs numpy: pip install 'glslc-multi[run]'"
    )
