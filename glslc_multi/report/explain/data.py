"""An explanation as data for scripts: the page holds it, and the playground sends it.

In: parts of an `Explanation`.  Out: mappings, lists, texts and numbers, as JSON has them.  What many words or steps
have in common is held once: words are values of the fields of a few formats, steps are numbers of lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from glslc_multi.compiler.artifact import Binding
from glslc_multi.report.explain.explanation import Explanation, ListedWord
from glslc_multi.report.explain.steps import Line, Step

_BINDINGS = ("attributes", "uniforms", "samplers", "varyings", "inputs", "outputs")
VALUE_COLUMNS = ("what", "type", "name", "where")


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
    for word in words:
        parts = []
        for part in word.word.parts:
            if id(part.format) not in formats:
                formats[id(part.format)] = len(layouts)
                rows = [[row.name, row.low, row.width, row.doc] for row, _ in part.fields]
                layouts.append({"name": part.format.name, "size": part.format.size, "fields": rows})
            parts.append([formats[id(part.format)], part.hex, [value for _, value in part.fields]])
        listed.append([word.word.address, word.word.text, parts])
    return {"formats": layouts, "words": listed}


def value_rows(explanation: Explanation) -> list[tuple[str, ...]]:
    """Where values are: a row of texts for each, by `VALUE_COLUMNS`."""
    reflection = explanation.artifact.reflection
    return [_value_row(kind[:-1], binding) for kind in _BINDINGS for binding in getattr(reflection, kind)]


def _value_row(kind: str, binding: Binding) -> tuple[str, ...]:
    extent = "" if binding.length is None else f"[{binding.length}]"
    places = ", ".join(f"{location.space}{location.index}.{location.components}" for location in binding.locations)
    return kind, binding.type + extent, binding.name, places
