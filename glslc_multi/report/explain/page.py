"""The explanation as a page: one HTML file that needs nothing else.

Source, machine code, flow graphs and pressure are HTML and SVG in the page; elements carry the lines of the source
that they come from as `data-k`, and the script lights up all that share one.  The steps of the compilation and the
fields of the words are data that the script shows on demand: lines that several steps have are held once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from compiler import __version__
from frontends.glsl.language.versions import language_of
from glslc_multi.editor.highlight import html_lines
from glslc_multi.report.explain.data import VALUE_COLUMNS, sampler_names, steps_data, value_rows, words_data
from glslc_multi.report.explain.explanation import Explanation, ListedWord, shown_lines
from glslc_multi.report.explain.graph_svg import graph_svg
from glslc_multi.report.explain.places import Key
from glslc_multi.report.explain.pressure_svg import pressure_svg


def page(explanation: Explanation) -> str:
    """The whole page."""
    sections = [
        _section("source", "Source", "".join(_sources(explanation))),
        _section("code", "Machine code", _code(explanation.words, sampler_names(explanation))),
        _section("bits", "Bits", '<div id="word">Point at a word.</div>'),
        _section("steps", "Steps", '<div id="names"></div><div id="step" class="step"></div>'),
        *(
            _section(f"graph{number}", f"Flow graph: {title}", f'<div class="wide">{graph_svg(nodes)}</div>')
            for number, (title, nodes) in enumerate(explanation.graphs.items())
        ),
        *_pressure(explanation),
        _section("values", "Where values are", _values(explanation)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(explanation.title)}</title><style>{_asset('shown.css')}{_asset('page.css')}</style></head>\n<body>"
        f"<header><h1>{escape(explanation.title)}</h1><p>{escape(explanation.numbers)}</p></header>\n<main>"
        + "\n".join(sections)
        + f"</main>\n<footer>glslc-multi {__version__}</footer>"
        f'\n<script type="application/json" id="data">{_data(explanation)}</script>'
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


# ------------------------------------------------------------------------------------ what the page shows
def _sources(explanation: Explanation) -> Iterator[str]:
    costs = explanation.words_by_line
    most = max(costs.values(), default=1)
    # Included files are in the words of the shader that includes them.
    language = language_of(explanation.files[0].text)
    for number, file in enumerate(explanation.files):
        yield f'<h3>{escape(file.name)}</h3><div class="lines">'
        coloured = html_lines("\n".join(shown_lines(file)), language.number)
        for line, text in enumerate(coloured, start=1):
            key = f"{number}:{line}"
            count = costs.get(key, 0)
            cost = f'<i style="--share:{count / most:.2f}">{count}</i>' if count else "<i></i>"
            yield f'<div{_mark([key])} tabindex="0"><b>{line}</b>{cost}<code>{text}</code></div>'
        yield "</div>"


def _code(words: Iterable[ListedWord], samplers: Mapping[str, str]) -> str:
    rows = "".join(
        f'<div{_mark(listed.keys)} data-w="{number}" tabindex="0"><b>{escape(listed.word.address)}</b>'
        f"<code>{escape(listed.word.text)}{_samplers_of(listed, samplers)}</code>"
        f"<u>{listed.word.parts[0].hex}</u></div>"
        for number, listed in enumerate(words)
    )
    return f'<div class="lines">{rows}</div>'


def _samplers_of(listed: ListedWord, samplers: Mapping[str, str]) -> str:
    """The names of the samplers that a word reads by their registers."""
    names = [samplers[word] for word in re.findall(r"\w+", listed.word.text) if word in samplers]
    return f' <span class="g-comment">; {escape(", ".join(names))}</span>' if names else ""


def _pressure(explanation: Explanation) -> Iterator[str]:
    pressure = explanation.pressure
    if pressure is None or not pressure.most:
        return
    about = f"Components of registers in use around each instruction: at most {pressure.most}."
    picture = pressure_svg(pressure, explanation.pressure_keys)
    yield _section("pressure", "Register pressure", f'<p>{about}</p><div class="wide">{picture}</div>')


def _values(explanation: Explanation) -> str:
    rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in value_rows(explanation)]
    heading = "".join(f"<th>{title}</th>" for title in VALUE_COLUMNS)
    return f"<table><tr>{heading}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


# ------------------------------------------------------------------------------- what the script shows
def _data(explanation: Explanation) -> str:
    data = {**steps_data(explanation.steps), **words_data(explanation.words)}
    # Nothing in the data may end the element that holds it.
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
