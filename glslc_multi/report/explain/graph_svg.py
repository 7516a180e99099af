"""A flow graph as SVG: a box for each block with its first lines, arrows for where control goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from glslc_multi.report.explain.layout import Box, Layout, Point, lay_out
from glslc_multi.report.explain.steps import Line, Node

#: Of a character and a line of the page's monospaced type, in pixels.
_CHARACTER, _LINE = 6.7, 15.0
_MARGIN = 7.0
_MOST_LINES, _MOST_CHARACTERS = 14, 60


def graph_svg(nodes: Sequence[Node]) -> str:
    """The picture."""
    shown = [_shown(node) for node in nodes]
    edges = [(number, target) for number, node in enumerate(nodes) for target in node.successors]
    layout = lay_out([_size(lines) for lines in shown], edges)
    branches = {number for number, node in enumerate(nodes) if len(node.successors) > 1}
    size = f"{layout.width:.0f} {layout.height:.0f}"
    head = f'<svg class="graph" width="{layout.width:.0f}" height="{layout.height:.0f}" viewBox="0 0 {size}">'
    arrow = '<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    parts = [f'{head}<defs>{arrow}<path d="M0 0L8 4L0 8z"/></marker></defs>']
    # After the blocks' boxes come the empty places of edges.
    parts += [_box(box, lines) for box, lines in zip(layout.boxes, shown, strict=False)]
    parts += list(_edges(layout, edges, branches))
    return "".join(parts) + "</svg>"


def _shown(node: Node) -> list[Line]:
    """Name and first lines, cut to what a box has room for."""
    rest = len(node.lines) - _MOST_LINES
    more = [Line(f"… {rest} more")] if rest > 0 else []
    return [
        Line(line.text if len(line.text) <= _MOST_CHARACTERS else line.text[: _MOST_CHARACTERS - 1] + "…", line.keys)
        for line in (Line(node.name), *node.lines[:_MOST_LINES], *more)
    ]


def _size(lines: Sequence[Line]) -> tuple[float, float]:
    return max(len(line.text) for line in lines) * _CHARACTER + 2 * _MARGIN, len(lines) * _LINE + 2 * _MARGIN


def _box(box: Box, lines: Sequence[Line]) -> str:
    left = box.x - box.width / 2
    parts = [f'<rect x="{left:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="4"/>']
    for number, line in enumerate(lines):
        y = box.y + _MARGIN + (number + 0.75) * _LINE
        kind = ' class="name"' if number == 0 else f' data-k="{" ".join(line.keys)}"' if line.keys else ""
        parts.append(f'<text x="{left + _MARGIN:.1f}" y="{y:.1f}"{kind}>{escape(line.text)}</text>')
    return "".join(parts)


def _edges(layout: Layout, edges: Sequence[tuple[int, int]], branches: set[int]) -> Iterator[str]:
    seen: set[int] = set()
    for (source, _), points in zip(edges, layout.paths, strict=True):
        yield f'<path class="edge" d="{_curve(points)}" marker-end="url(#arrow)"/>'
        if source in branches:
            x, y = points[0]
            # The first successor of a branch is the one where the condition holds.
            label = "false" if source in seen else "true"
            yield f'<text class="edge" x="{x + (6 if source in seen else -34):.1f}" y="{y + 13:.1f}">{label}</text>'
            seen.add(source)


def _curve(points: Sequence[Point]) -> str:
    """Smooth where it leads down, in straight lines where it leads back."""
    text = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (x, y), (next_x, next_y) in pairwise(points):
        if x == next_x or y == next_y:
            text.append(f"L{next_x:.1f} {next_y:.1f}")
        else:
            middle = (y + next_y) / 2
            text.append(f"C{x:.1f} {middle:.1f} {next_x:.1f} {middle:.1f} {next_x:.1f} {next_y:.1f}")
    return "".join(text)
