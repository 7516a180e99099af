"""Pages of the documentation as scripts: their files are written, their commands are run, one after the other.

In a page, a fenced block after a paragraph that ends with a name in backquotes and a colon is a file:

    `lit.vert`:
    ```glsl
    ...

and a block of the language `console` holds commands after `$ `, each followed by what it prints.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.shared_data import PROJECT_ROOT

_FENCED = re.compile(
    r"(?:`(?P<file>[^`\n]+)`:\n+)?```(?P<language>\w+)\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE
)
_COMMAND = re.compile(r"^\$ (?P<command>[^\n]+)\n(?P<output>(?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)
#: Word of a command -> the program that it needs, which may be missing.
TOOLS = {tool: tool for tool in ("make", "ninja", "cmake", "meson", "cc", "dot")} | {"hlsl": "glslangValidator"}


@dataclass(frozen=True, slots=True)
class File:
    """A file that the reader is to write."""

    name: str
    content: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and where in the page its output is."""

    words: str
    start: int
    end: int


def steps(text: str) -> Iterator[File | Command]:
    """What a reader of the page does, in order."""
    for block in _FENCED.finditer(text):
        if block["language"] == "console":
            offset = block.start("content")
            for match in _COMMAND.finditer(block["content"]):
                start, end = match.span("output")
                yield Command(match["command"], offset + start, offset + end)
        elif block["file"]:
            yield File(block["file"], block["content"])


def missing_tools(text: str) -> list[str]:
    """Programs that the page's commands need and this machine lacks."""
    used = {word for step in steps(text) if isinstance(step, Command) for word in re.findall(r"[\w-]+", step.words)}
    return [tool for word, tool in TOOLS.items() if word in used and shutil.which(tool, path=_path()) is None]


def make_command(folder: Path) -> Path:
    """A folder with the command `glslc-multi` of this project, as an installation would have it."""
    command = folder / "glslc-multi"
    program = f"import sys; sys.path.insert(0, {str(PROJECT_ROOT)!r}); from glslc_multi.entry import main; main()"
    command.write_text(f"#!{sys.executable}\n{program}\n")
    command.chmod(0o755)
    return folder


def played(text: str, folder: Path, tools: Path, examples: Path = PROJECT_ROOT / "examples") -> str:
    """The page with the output that its commands print now, run in `folder`; the command is found in `tools`."""
    (folder / "examples").symlink_to(examples)
    settings = {"PATH": f"{tools}{os.pathsep}{_path()}", "GLSLC_MULTI_CACHE": "off", "NO_COLOR": "1", "LC_ALL": "C"}
    environment = {**readers_environment(), **settings}
    parts, done = [], 0
    for step in steps(text):
        if isinstance(step, File):
            path = folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.content, encoding="utf-8")
            continue
        parts += [text[done : step.start], _printed(step.words, folder, environment)]
        done = step.end
    return "".join([*parts, text[done:]])


def readers_environment() -> dict[str, str]:
    """This process's variables, except those through which an outer make talks to one that a page shows."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}


def _printed(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a reader sees in a terminal without colours."""
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return run.stdout


def _path() -> str:
    """Where programs are looked for: beside Python first, which has those that pip installs."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
