"""The picture of the floors in docs/architecture.md, drawn from the graph of imports.

    python -m tests.architecture.picture        # renews it

A floor is a band; in it, a room stands above the rooms that it imports.  Only arrows that no path of other arrows
implies are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import networkx as nx

from tests.architecture.imports import FLOORS, Graph, floor_of, import_graph, quotient, room_of
from tests.shared_data import PROJECT_ROOT

IMAGE = PROJECT_ROOT / "docs" / "images" / "floors.svg"

_WIDTH, _BOX, _HEIGHT, _LAYER, _MARGIN, _TITLE = 1180, 160, 34, 74, 20, 24
_BANDS = ("#eef4fb", "#f2f0fa", "#eff7ef", "#fbf5ea")
_STYLE = (
    "text { font: 13px sans-serif; fill: #222 } .floor { font-weight: bold; fill: #555 }"
    " .box { fill: #fff; stroke: #667 } .arrow { stroke: #778; fill: none; marker-end: url(#head) }"
)


def picture(graph: Graph) -> str:
    """The whole image."""
    boxes = {module: _drawn_as(module, graph) for module in graph}
    rooms = nx.transitive_reduction(quotient(nx.relabel_nodes(graph, boxes), depth=3))
    places: dict[str, tuple[float, float]] = {}
    parts: list[str] = []
    top = float(_MARGIN)
    for number, packages in enumerate(FLOORS):
        layers = _layers(rooms, number)
        height = _TITLE + len(layers) * _LAYER
        title = " and ".join(f"{package}/" for package in packages)
        parts.append(f'<rect x="{_MARGIN}" y="{top:g}" width="{_WIDTH - 2 * _MARGIN}" height="{height}" '
                     f'rx="6" fill="{_BANDS[number]}"/>')  # fmt: skip
        parts.append(f'<text class="floor" x="{_MARGIN + 10}" y="{top + 18:g}">{escape(title)}</text>')
        for depth, names in enumerate(layers):
            step = (_WIDTH - 2 * _MARGIN) / len(names)
            for index, name in enumerate(names):
                places[name] = _MARGIN + step * (index + 0.5), top + _TITLE + depth * _LAYER + _HEIGHT
        top += height + _MARGIN
    parts += [_arrow(*places[user], *places[used]) for user, used in sorted(rooms.edges)]
    parts += [part for name, place in places.items() for part in _box(name, *place)]
    return "\n".join([_head(top), *parts, "</svg>", ""])


def _layers(rooms: Graph, floor: int) -> list[list[str]]:
    """The rooms of a floor, those that nothing on it imports first; neighbours stand near what they import."""
    own = rooms.subgraph([name for name in rooms if floor_of(name) == floor])
    depth = dict.fromkeys(own, 0)
    for name in nx.topological_sort(own):
        for used in own[name]:
            depth[used] = max(depth[used], depth[name] + 1)
    return [sorted(name for name in own if depth[name] == level) for level in range(max(depth.values()) + 1)]


def _drawn_as(module: str, graph: Graph) -> str:
    """What stands for a module in the picture: its room; the rooms of all targets as those of one, `T`; `runtime`,
    which has none; the files of `compiler/` itself are three boxes: below all rooms, between them, above them."""
    package, room = module.partition(".")[0], room_of(module)
    if room == "linking":
        # The contract of a target names pairs, which have the options of targets.
        return "compiler.target, artifact"
    if package == "runtime":
        return package
    if package == "backends" and room:
        inside = module.split(".")[2:3] or ["target"]
        return f"backends.T.{inside[0]}"
    if room or package != "compiler":
        return f"{package}.{room}" if room else module
    if not any(map(room_of, nx.descendants(graph, module))):
        return "compiler.records, plugins"
    is_below = any(user.startswith("compiler.") and room_of(user) for user in nx.ancestors(graph, module))
    return "compiler.target, artifact" if is_below else "compiler.driver, programs"


def _head(height: float) -> str:
    size = f'width="{_WIDTH}" height="{height:g}" viewBox="0 0 {_WIDTH} {height:g}"'
    marker = '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    arrow = '<path d="M0 0L8 4L0 8z" fill="#778"/></marker>'
    style = f"<style>{_STYLE}</style><defs>{marker}{arrow}</defs>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}<rect width="100%" height="100%" fill="#fff"/>'


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    start, end = y + _HEIGHT / 2, to_y - _HEIGHT / 2
    bend = (end - start) / 2
    return f'<path class="arrow" d="M{x:g} {start:g}C{x:g} {start + bend:g} {to_x:g} {end - bend:g} {to_x:g} {end:g}"/>'


def _box(name: str, x: float, y: float) -> Iterator[str]:
    label = name if len(FLOORS[floor_of(name)]) > 1 else name.partition(".")[2] or name
    yield (f'<rect class="box" x="{x - _BOX / 2:g}" y="{y - _HEIGHT / 2:g}" width="{_BOX}" height="{_HEIGHT}" rx="4"/>')
    yield f'<text x="{x:g}" y="{y + 5:g}" text-anchor="middle">{escape(label)}</text>'


if __name__ == "__main__":
    IMAGE.write_text(picture(import_graph()), encoding="utf-8")
