"""An explanation as data for scripts: the page holds it, and the playground sends it.

In: parts of an `Explanation`.  Out: mappings, lists, texts and numbers, as JSON has them.  What many words or steps
have in common is held once: words are values of the fields of a few formats, steps are numbers of lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from glslc_multi.report.explain.explanation import ListedWord
from glslc_multi.report.explain.steps import Line, Step


def steps_data(steps: Iterable[Step]) -> dict[str, Any]:
    """Steps as numbers of lines."""
    lines: dict[Line, int] = {}
    listed = [[step.name, [lines.setdefault(line, len(lines)) for line in step.lines]] for step in steps]
    return {"steps": listed, "lines": [[line.text, " ".join(line.keys)] for line in lines]}


def words_data(words: Iterable[ListedWord]) -> dict[str, Any]:
    """Words as values of the fields of a few formats."""
    formats: dict[int, int] = {}
    layouts: list[dict[str, Any]] = []
    listed = []
    for each in words:
        parts = []
        for part in each.word.parts:
            if id(part.format) not in formats:
                formats[id(part.format)] = len(layouts)
                rows = [[row.name, row.low, row.width, row.doc] for row, _ in part.fields]
                layouts.append({"name": part.format.name, "size": part.format.size, "fields": rows})
            parts.append([formats[id(part.format)], part.hex, [value for _, value in part.fields]])
        listed.append([each.word.address, each.word.text, parts])
    return {"formats": layouts, "words": listed}
