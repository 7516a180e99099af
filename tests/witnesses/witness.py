"""What a witness is, and how it is written down.

    //: selection.arithmetic: fsub(x, y)
    //: -O 0 agal_version=1
    //: size 1
    attribute vec4 a, b;
    void main() { gl_Position = a - b; }

A head line is a title, which says what the witness is of; or (a line that begins with `-`) says how to compile; or the
size of the code (`Target.size`), for rules that make it shorter.  The folder of a file is the target; of `shared`,
every target is tried, and sizes name theirs: `size agal 3`.

A shader with the pragma of geometry shaders is one; else one that writes `gl_Position` is a vertex shader.  Files
`*.sir` hold modules of the IR instead, for what no source makes by itself; their heads begin with `;: `.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from glslc_multi.compiler.options import QUICK_PROOF, Request, split_level
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.target import Target

CASES = Path(__file__).parent / "cases"
FOLDERS = sorted(path.name for path in CASES.iterdir())
#: The folder whose witnesses are for the rules that all targets share.
SHARED = "shared"
_HEADS = {".glsl": "//: ", ".sir": ";: "}
_SIZE = "size "


@dataclass(frozen=True, slots=True)
class Witness:
    """A shader, and how it is compiled."""

    path: Path
    line: int
    #: What it is a witness of.
    title: str
    #: As after the command's name: `-O s -fprecise agal_version=2`.
    options: tuple[str, ...]
    source: str
    #: Target -> the size of its code, where that matters.
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @property
    def is_module(self) -> bool:
        """Whether the text is a module of the IR."""
        return self.path.suffix == ".sir"

    @property
    def stage(self) -> str:
        if "#pragma geometry(" in self.source:
            return "geometry"
        return "vertex" if "gl_Position" in self.source else "fragment"

    def suits(self, target: Target) -> bool:
        """Whether a target has the stage and the options."""
        names = {option.name for option in target.options}
        return self.stage in target.stages and {word.split("=")[0] for word in self.options if "=" in word} <= names

    @property
    def place(self) -> str:
        return f"{self.folder}/{self.path.name}:{self.line}"

    def request(self, defaults: dict[str, object]) -> Request:
        words = list(self.options)
        level: int | str = 2
        if "-O" in words:
            place = words.index("-O")
            level = words[place + 1]
            del words[place : place + 2]
        optimisation, small = split_level(level)
        given = dict(word.split("=", 1) for word in words if "=" in word)
        flags = {word for word in words if "=" not in word}
        if flags - {"-fprecise", "-fpreamble"}:
            raise ValueError(f"{self.place}: unknown options {flags}")
        return Request(
            optimisation,
            precise="-fprecise" in flags,
            preamble="-fpreamble" in flags,
            target_options={**defaults, **given},
            small=small,
            verify_each=True,
            proof=QUICK_PROOF,
        )


def load(folder: str) -> list[Witness]:
    """The witnesses of a folder."""
    return [w for path in sorted((CASES / folder).glob("*.*")) if path.suffix in _HEADS for w in read(path)]


def read(path: Path) -> Iterator[Witness]:
    """The witnesses of a file, one after the other."""
    head: list[str] = []
    body: list[str] = []
    start, mark = 1, _HEADS[path.suffix]
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), mark], 1):
        if not line.startswith(mark):
            body.append(line)
            continue
        if body and head:
            yield _made(path, start, head, body)
            head, body = [], []
        if not head:
            start = number
        head.append(line.removeprefix(mark).strip())


def _made(path: Path, line: int, head: list[str], body: list[str]) -> Witness:
    folder = path.parent.name
    sizes = dict(_size(folder, text) for text in head if text.startswith(_SIZE))
    title = "; ".join(text for text in head if not text.startswith(("-", _SIZE)))
    options = tuple(word for text in head if text.startswith("-") for word in text.split() if word != "-")
    return Witness(path, line, title, options, "\n".join(body) + "\n", sizes)


def _size(folder: str, text: str) -> tuple[str, int]:
    *target, number = text.removeprefix(_SIZE).split()
    return target[0] if target else folder, int(number)


def accept_size(witness: Witness, target: str, size: int) -> None:
    """Write another size into the head of a witness."""
    lines = witness.path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number in range(witness.line - 1, len(lines)):
        text = lines[number].removeprefix(_HEADS[witness.path.suffix])
        if text.startswith(_SIZE) and _size(witness.folder, text)[0] == target:
            lines[number] = lines[number].replace(str(witness.sizes[target]), str(size))
            break
    witness.path.write_text("".join(lines), encoding="utf-8")
