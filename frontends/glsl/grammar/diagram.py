"""Railroad diagrams of the grammar, drawn by pyparsing: `python -m frontends.glsl.grammar.diagram` renews the page."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import railroad
from pyparsing import ParserElement, Token
from pyparsing.diagram import railroad_to_html, to_railroad

from frontends.glsl.grammar import rules

PAGE = Path(__file__).resolve().parents[3] / "docs" / "glsl-grammar.html"
_HEAD = """
<title>The grammar of GLSL ES 1.00</title>
<style>
body { font-family: sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222; }
.railroad-heading { font: bold 1.1em monospace; margin: 1.5em 0 0.3em; }
.railroad-svg svg { max-width: 100%; height: auto; background: none; }
svg.railroad-diagram path { stroke: #567; stroke-width: 2; fill: none; }
svg.railroad-diagram text { font: bold 14px monospace; text-anchor: middle; white-space: pre; }
svg.railroad-diagram rect { stroke: #567; stroke-width: 2; fill: #e8f2e8; }
svg.railroad-diagram .non-terminal rect { fill: #eef; }
svg.railroad-diagram a text { fill: #226; }
</style>
"""
_BODY = """
<h1>The grammar of GLSL ES 1.00</h1>
<p>What the parser reads, drawn by pyparsing from the rules it parses with (<code>make docs</code>). Names are those of
chapter 9 of the specification where it has them. Round boxes are tokens, square ones lead to their rules. Operators
that are reserved (section 5.1) are read and refused by name; <code>layout_qualifier</code> is that of later versions.
Where a block, a statement or an expression nests too deep, and what a mistake leads to, no diagram shows.</p>
"""


def page() -> str:
    """The whole page; rules are called as their variables."""
    for name, element in vars(rules).items():
        if isinstance(element, ParserElement) and not isinstance(element, Token):
            element.set_name(name)
    diagrams = to_railroad(rules.translation_unit)
    for drawn in diagrams:
        drawn.diagram = railroad.Diagram(*map(_arranged, drawn.diagram.items[1:-1]))
    html = railroad_to_html(diagrams, head=_HEAD, body=_BODY, css="")
    # railroad writes the text of a link twice.
    html = re.sub(r"(<text [^>]*>[^<]*</text>)\1", r"\1", html)
    return "".join(f"{line.rstrip()}\n" for line in html.splitlines() if line.strip())


def _arranged(item: railroad.DiagramItem) -> railroad.DiagramItem:
    """As books have it: alternatives one below the other (pyparsing: side by side), a sequence in one line."""
    if isinstance(item, railroad.HorizontalChoice):
        return railroad.Choice(0, *map(_arranged, item.items))
    if isinstance(item, railroad.Choice):
        return railroad.Choice(item.default, *map(_arranged, item.items))
    if isinstance(item, railroad.Sequence | railroad.Stack):
        return railroad.Sequence(*map(_arranged, item.items))
    if isinstance(item, railroad.OneOrMore):
        return railroad.OneOrMore(_arranged(item.item), _arranged(item.rep))
    return item


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print(page(), end="")
    else:
        PAGE.write_text(page(), encoding="utf-8")
