"""The pressure on registers as SVG: a bar for each instruction, with the lines of the source that it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.report.explain.places import Key
from glslc_multi.report.explain.pressure import Pressure

#: Of the bars, in pixels.
_WIDTH, _HEIGHT = 7, 120


def pressure_svg(pressure: Pressure, keys: Iterable[tuple[Key, ...]]) -> str:
    """The picture; there must be some pressure."""
    bars = []
    for number, (moment, own) in enumerate(zip(pressure.moments, keys, strict=True)):
        height = _HEIGHT * moment.components / pressure.most
        mark = f' data-k="{" ".join(own)}"' if own else ""
        about = f"{moment.components} components in {moment.registers} registers"
        bars.append(
            f'<rect{mark} x="{number * _WIDTH}" y="{_HEIGHT - height:.1f}" width="{_WIDTH - 1}"'
            f' height="{height:.1f}"><title>{about}</title></rect>'
        )
    return f'<svg class="bars" width="{len(bars) * _WIDTH}" height="{_HEIGHT}">{"".join(bars)}</svg>'
