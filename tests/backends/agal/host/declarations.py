"""Declarations of an interface in ActionScript, for a compiler that has none of it.

In: `client/*.txt`, lines `class package.Name [extends package.Name]` with members below, that name classes in full.
Out: a file for each class, which a compiler reads as a library that is there when the program runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_CLASS = re.compile(r"class ([\w.]+)\.(\w+)(?: extends ([\w.]+))?")
_QUALIFIED = re.compile(r"\b((?:[a-z]\w*\.)+[A-Z]\w*)\b")


def write_declarations(text: str, folder: Path) -> list[str]:
    """The files of all classes of a text; their names in full."""
    names = []
    for package, name, base, members in _classes(text):
        place = folder.joinpath(*package.split("."))
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{name}.as").write_text(_file(package, name, base, members), encoding="utf-8")
        names.append(f"{package}.{name}")
    return names


def _classes(text: str) -> Iterator[tuple[str, str, str | None, list[str]]]:
    for block in text.split("\n\n"):
        first, *members = block.strip().splitlines()
        if match := _CLASS.fullmatch(first):
            yield match[1], match[2], match[3], members


def _file(package: str, name: str, base: str | None, members: list[str]) -> str:
    body = "\n".join(members)
    imports = sorted(set(_QUALIFIED.findall(f"{base or ''}\n{body}")))
    short = _QUALIFIED.sub(lambda found: found[1].rpartition(".")[2], body)
    extends = f" extends {base.rpartition('.')[2]}" if base else ""
    lines = "".join(f"    import {imported};\n" for imported in imports)
    return f"package {package} {{\n{lines}    public class {name}{extends} {{\n{short}\n    }}\n}}\n"
