"""A folder with shaders and a manifest, and the command line run in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_data import PROJECT_ROOT

#: FOG and SHADE change the text and the code; UNUSED the text, and the code before the passes; IGNORED nothing.
VERTEX = """attribute vec4 a_position;
uniform mat4 u_matrix;
uniform vec4 u_fog;
varying vec4 v_colour;
void main() {
    gl_Position = u_matrix * a_position;
    vec4 colour = vec4(SHADE);
#ifdef FOG
    colour = mix(colour, u_fog, gl_Position.z);
#endif
#ifdef UNUSED
    float nothing = a_position.x * 3.0;
#endif
    v_colour = colour;
}
"""
FRAGMENT = """precision mediump float;
varying vec4 v_colour;
void main() { gl_FragColor = v_colour * 0.5; }
"""
MANIFEST = """
targets = ["agal", "pica200"]
output = "out"

[[shader]]
source = "lit.vert"
[shader.defines]
FOG = [false, true]
UNUSED = [false, true]
IGNORED = [false, true]
SHADE = [0.25, 0.5, 0.75]

[[shader]]
source = "plain.frag"
targets = ["agal"]
"""
#: What of the 49 variants is different code: FOG, UNUSED and SHADE for two targets, and the fragment shader.  After the
#: passes, which count where nothing is proven, UNUSED is no difference.
VARIANTS, DIFFERENT, UNPROVEN = 2 * 24 + 1, 2 * 12 + 1, 2 * 6 + 1


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_sources(tmp_path)
    return tmp_path


def write_sources(place: Path) -> None:
    (place / "lit.vert").write_text(VERTEX)
    (place / "plain.frag").write_text(FRAGMENT)
    (place / "batch.toml").write_text(MANIFEST)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "glslc_multi.entry", "batch", *words]


def environment(place: Path, cache: str = "cache") -> dict[str, str]:
    known = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": str(place / cache)}
    return {name: value for name, value in known.items() if not name.startswith("PYTEST")}


def run(place: Path, *words: str, cache: str = "cache") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), cwd=place, env=environment(place, cache), capture_output=True, text=True, check=False
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Finished files: a process that was killed may leave a hidden one behind, never half of a named one."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".part"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def without_quotes(messages: str) -> str:
    """Remove the lines of a file that messages show."""
    return re.sub(r"^ +([0-9]+ )?\| .*\n", "", messages, flags=re.MULTILINE)


def counts(summary: str) -> dict[str, int]:
    """`49 variants: 36 with the same text, 13 compiled; 1 failed` as numbers by words."""
    total, _, parts = summary.strip().partition(" variants: ")
    found = {words: int(count) for count, _, words in (part.partition(" ") for part in re.split("[,;] ", parts))}
    return {"variants": int(total), **found}
