"""Railroad diagrams of the grammar, drawn by pyparsing: `python -m tests.frontends.glsl.reference.diagram` renews the
page.
"""

from __future__ import annotations

import re
import sys

import railroad
from pyparsing.diagram import railroad_to_html, to_railroad

from tests.frontends.glsl.reference import grammar
from tests.shared_data import PROJECT_ROOT

PAGE = PROJECT_ROOT / "docs" / "glsl-grammar.html"
_HEAD = """
<title>The grammar of GLSL</title>
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
<h1>The grammar of GLSL</h1>
<p>What the parser reads in version 3.30; it is compared with these rules on thousands of texts. Names are those of
chapter 9 of the specification where it has them. Round boxes are tokens, square ones lead to their rules. What older
versions lack the checker tells.</p>
"""


def page() -> str:
    """Return the whole page."""
    diagrams = to_railroad(grammar.translation_unit)
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
