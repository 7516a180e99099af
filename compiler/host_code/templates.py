"""Templates of host code: plain files beside the code that fills them, with `@NAME@` where something is to stand.

In: the template's file, and a text or lines for every name.  Out: the text.

A name that has a line to itself stands for any number of lines, which are indented as it is; without any, its line is
gone.  The names that a template has and those that it is given must be the same: a difference is a mistake of ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

_ALONE = re.compile(r"^([ \t]*)@(\w+)@\n", re.MULTILINE)
_WITHIN = re.compile(r"@(\w+)@")


def fill(template: Path, values: Mapping[str, str | Sequence[str]]) -> str:
    """The text of `template` with `values` in their places."""
    text = _read(template)
    wanted = set(_WITHIN.findall(text))
    if wanted != set(values):
        raise KeyError(f"{template.name} and its values differ in {', '.join(sorted(wanted ^ set(values)))}")
    # In one go: what is filled in may hold an @ of its own.
    parts = re.split(rf"({_ALONE.pattern})", text, flags=re.MULTILINE)
    filled = []
    for number in range(0, len(parts), 4):
        filled.append(_WITHIN.sub(lambda found: _one_line(found[1], values), parts[number]))
        if number + 3 < len(parts):
            indent = parts[number + 2]
            value = values[parts[number + 3]]
            lines = value.splitlines() if isinstance(value, str) else value
            filled.append("".join(f"{indent}{line}\n" if line else "\n" for line in lines))
    return "".join(filled)


@cache
def _read(template: Path) -> str:
    return template.read_text(encoding="utf-8")


def _one_line(name: str, values: Mapping[str, str | Sequence[str]]) -> str:
    value = values[name]
    if not isinstance(value, str):
        raise TypeError(f"@{name}@ stands within a line, and is given lines")
    return value
