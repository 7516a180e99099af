"""The explanation as text: the source with the words that each line costs, then the code with its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.isa.listing import CodeWord
from glslc_multi.report.explain.explanation import Explanation, costs_of, shown_lines, title_of
from glslc_multi.report.explain.places import Key
from glslc_multi.report.table import text_table


def listing(*stages: Explanation, fields: bool = False) -> str:
    """The whole text of the stages that were compiled together; with `fields`, what the bits of each word say."""
    parts = [f"{title_of(stages)}\n"]
    for stage in stages:
        parts += [f"{stage.numbers}\n", *_peak(stage)]
    parts += _source(stages)
    for stage in stages:
        parts.append(f"\n{stage.stage}\n" if len(stages) > 1 else "\n")
        parts.append(_code(stage))
        if fields:
            parts += _fields(listed.word for listed in stage.words)
    return "".join(parts)


def _peak(explanation: Explanation) -> Iterator[str]:
    """Where most registers are in use."""
    pressure = explanation.pressure
    peak = None if pressure is None else pressure.peak
    if pressure is None or peak is None or not peak.components:
        return
    keys = explanation.pressure_keys[pressure.moments.index(peak)]
    where = f", at line {_place(keys[0], explanation)}" if keys else ""
    yield f"most in use at once: {peak.components} components of registers{where}\n"


def _source(stages: Sequence[Explanation]) -> Iterator[str]:
    costs = costs_of(stages)
    for number, file in enumerate(stages[0].files):
        lines = shown_lines(file)
        width = len(str(len(lines)))
        yield f"\nwords  {file.name}\n"
        for line, text in enumerate(lines, start=1):
            count = costs.get(f"{number}:{line}", 0)
            yield f"{count or '':>5}  {line:{width}} | {text}".rstrip() + "\n"
    for part, count in Counter(part for stage in stages for part in stage.frame.values()).items():
        yield f"{count:>5}  {part}\n"


def _code(explanation: Explanation) -> str:
    frame = explanation.frame
    rows = [
        [
            listed.word.address,
            listed.word.parts[0].hex,
            frame.get(number) or " ".join(_place(key, explanation) for key in listed.keys),
            listed.word.text + (f"  ; {', '.join(listed.samplers)}" if listed.samplers else ""),
        ]
        for number, listed in enumerate(explanation.words)
    ]
    return text_table(["address", "word", "line", "code"], rows)


def _place(key: Key, explanation: Explanation) -> str:
    """A line of the stage's own shader by its number, one of another file with its name."""
    file, _, line = key.partition(":")
    return line if int(file) == explanation.own_file else f"{explanation.files[int(file)].name}:{line}"


def words_listing(words: Sequence[CodeWord], *, fields: bool = False) -> str:
    """Words that come from no shader."""
    rows = [[word.address, word.parts[0].hex, word.text] for word in words]
    return "".join((text_table(["address", "word", "code"], rows), *(_fields(words) if fields else ())))


def _fields(words: Iterable[CodeWord]) -> Iterator[str]:
    for word in words:
        yield f"\n{word.address}  {word.text}\n"
        for part in word.parts:
            rows = [
                [
                    row.bits,
                    row.name,
                    str(value),
                    row.doc,
                ]
                for row, value in part.fields
            ]
            yield text_table([f"bits of {part.format.size}", part.format.name, "value", "meaning"], rows)
