"""What other programs read in the tree: workflows call what there is, and hooks run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.environment import lint
from tests.shared_data import PROJECT_ROOT

yaml = pytest.importorskip("yaml", reason="files of workflows are YAML")
WORKFLOWS = sorted((PROJECT_ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = yaml.safe_load((PROJECT_ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_call_what_there_is(path: Path) -> None:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    commands = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    targets = re.findall(r"^([\w-]+):", (PROJECT_ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for command in commands:
        first, *words = command.split()
        assert first in {"git", "python", "make"} or (PROJECT_ROOT / first).is_file(), command
        if first == "make":
            assert set(words) <= set(targets), command


@pytest.mark.parametrize(("hook", "status"), [("glslc-multi-check", 1), ("glslc-multi-fmt", 0)])
def test_hooks_run(hook: str, status: int, tmp_path: Path) -> None:
    """A badly laid out shader with a mistake: one hook refuses it, the other lays it out."""
    (entry,) = (each["entry"].split() for each in HOOKS if each["id"] == hook)
    assert entry[0] == "glslc-multi"
    (tmp_path / "a.vert").write_text("void main() {\ngl_Position = nothing;\n}\n", encoding="utf-8")
    words = [sys.executable, "-m", "glslc_multi", *entry[1:], "a.vert"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    changed = (tmp_path / "a.vert").read_text(encoding="utf-8") == "void main() {\n    gl_Position = nothing;\n}\n"
    assert changed == (hook == "glslc-multi-fmt")


@pytest.mark.parametrize(("target", "status", "rules"), [("", 1, ["E0301"]), ("toaster", 2, ["E0908"])])
def test_the_action_keeps_status_and_results(target: str, status: int, rules: list[str], tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    action = yaml.safe_load((PROJECT_ROOT / "action.yml").read_text(encoding="utf-8"))
    (script,) = (step["run"] for step in action["runs"]["steps"] if step.get("id") == "check")
    (tmp_path / "a.vert").write_text("void main() { gl_Position = vec4(1.0); }\n", encoding="utf-8")
    (tmp_path / "b.vert").write_text("void main() { nothing; }\n", encoding="utf-8")
    command = f'glslc-multi() {{ "{sys.executable}" -m glslc_multi "$@"; }}\n{script}'
    variables = {"FILES": "*.vert", "TARGET": target, "GITHUB_OUTPUT": str(tmp_path / "output")}
    subprocess.run([bash, "-e", "-c", command], cwd=tmp_path, env={**os.environ, **variables}, check=True)
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"status={status}\n"
    (run,) = json.loads((tmp_path / "shaders.sarif").read_text(encoding="utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == rules


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_accepted(path: Path) -> None:
    lint(["actionlint", str(path)])


@pytest.mark.parametrize(
    ("schema", "paths"),
    [("vendor.github-workflows", WORKFLOWS), ("vendor.github-actions", [PROJECT_ROOT / "action.yml"])],
)
def test_workflows_and_the_action_fit_their_schemas(schema: str, paths: list[Path]) -> None:
    lint(["check-jsonschema", "--builtin-schema", schema, *map(str, paths)])
