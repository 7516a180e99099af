"""The explanation as a page: one HTML file that needs nothing else.

Source, machine code, flow graphs and pressure are HTML and SVG in the page; elements carry the lines of the source
that they come from as `data-k`, and the script lights up all that share one.  The steps of the compilation and the
fields of the words are data that the script shows on demand: lines that several steps have are held once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from glslc_multi.compiler import __version__
from glslc_multi.editor.highlight import html_lines
from glslc_multi.frontends.glsl.language.versions import language_of
from glslc_multi.report.explain.data import VALUE_COLUMNS, steps_data, value_rows, words_data
from glslc_multi.report.explain.explanation import Explanation, ListedWord, costs_of, shown_lines, title_of
from glslc_multi.report.explain.graph_svg import graph_svg
from glslc_multi.report.explain.places import Key
from glslc_multi.report.explain.pressure_svg import pressure_svg


def page(*stages: Explanation) -> str:
    """The whole page, of the stages that were compiled together."""
    title = escape(title_of(stages))
    sections = [
        _section("source", "Source", "".join(_sources(stages))),
        _section("code", "Machine code", "".join(_of_each(stages, _code))),
        _section("bits", "Bits", '<div id="word">Point at a word.</div>'),
        _section("steps", "Steps", '<div id="names"></div><div id="step" class="step"></div>'),
        *(_section(f"drawing{number}", *drawing) for number, drawing in enumerate(_drawings(stages))),
        _section("values", "Where values are", "".join(_of_each(stages, _values))),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_asset('shown.css')}{_asset('page.css')}</style></head>\n<body>"
        f"<header><h1>{title}</h1>{''.join(f'<p>{escape(stage.numbers)}</p>' for stage in stages)}</header>\n<main>"
        + "\n".join(sections)
        + f"</main>\n<footer>glslc-multi {__version__}</footer>"
        f'\n<script type="application/json" id="data">{_data(stages)}</script>'
        f'\n<script type="module">{_asset("shown.js")}{_asset("page.js")}</script></body></html>\n'
    )


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _section(name: str, title: str, content: str) -> str:
    return f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>'


def _mark(keys: Iterable[Key]) -> str:
    """The attribute that says where an element comes from."""
    joined = " ".join(keys)
    return f' data-k="{joined}"' if joined else ""


def _of_each(stages: Sequence[Explanation], show: Callable[[Explanation], str]) -> Iterator[str]:
    """A part of every stage, with the stage's name where there are several."""
    for number, stage in enumerate(stages):
        heading = f"<h3>{escape(stage.stage)}</h3>" if len(stages) > 1 else ""
        yield f'<div data-stage="{number}">{heading}{show(stage)}</div>'


# ------------------------------------------------------------------------------------ what the page shows
def _sources(stages: Sequence[Explanation]) -> Iterator[str]:
    costs, files = costs_of(stages), stages[0].files
    most = max(costs.values(), default=1)
    for number, file in enumerate(files):
        # Included files are in the words of the shader that includes them; of two, those agree.
        language = language_of(files[min(number, stages[0].sources - 1)].text)
        yield f'<h3>{escape(file.name)}</h3><div class="lines">'
        coloured = html_lines("\n".join(shown_lines(file)), language.number)
        for line, text in enumerate(coloured, start=1):
            key = f"{number}:{line}"
            count = costs.get(key, 0)
            cost = f'<i style="--share:{count / most:.2f}">{count}</i>' if count else "<i></i>"
            yield f'<div{_mark([key])} tabindex="0"><b>{line}</b>{cost}<code>{text}</code></div>'
        yield "</div>"


def _code(stage: Explanation) -> str:
    rows = "".join(
        f'<div{_mark(listed.keys)} data-w="{number}" tabindex="0"><b>{escape(listed.word.address)}</b>'
        f"<code>{escape(listed.word.text)}{_samplers_of(listed)}</code>"
        f"<u>{listed.word.parts[0].hex}</u></div>"
        for number, listed in enumerate(stage.words)
    )
    return f'<div class="lines">{rows}</div>'


def _samplers_of(listed: ListedWord) -> str:
    return f' <span class="g-comment">; {escape(", ".join(listed.samplers))}</span>' if listed.samplers else ""


def _drawings(stages: Sequence[Explanation]) -> Iterator[tuple[str, str]]:
    """Flow graphs and the pressure on registers, each with its title."""
    for stage in stages:
        whose = f" of {stage.stage}" if len(stages) > 1 else ""
        for title, nodes in stage.graphs.items():
            yield f"Flow graph{whose}: {title}", f'<div class="wide">{graph_svg(nodes)}</div>'
        if stage.pressure is not None and stage.pressure.most:
            about = f"Components of registers in use around each instruction: at most {stage.pressure.most}."
            picture = pressure_svg(stage.pressure, stage.pressure_keys)
            yield f"Register pressure{whose}", f'<p>{about}</p><div class="wide">{picture}</div>'


def _values(stage: Explanation) -> str:
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in value_rows(stage)]
    heading = "".join(f"<th>{title}</th>" for title in VALUE_COLUMNS)
    return f"<table><tr>{heading}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


# ------------------------------------------------------------------------------- what the script shows
def _data(stages: Iterable[Explanation]) -> str:
    data = [{"stage": stage.stage, **steps_data(stage.steps), **words_data(stage.words)} for stage in stages]
    # Nothing in the data may end the element that holds it.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
