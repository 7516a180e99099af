"""Records that say accept or reject: schema webgl, and the manifest of shaders of real projects.

A webgl pair with `render` is also drawn: a quad over the whole target that must have one colour.  It is
looked at in a 2x2 block of pixels within each of its two triangles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.conformance.flatten import flatten
from tests.conformance.model import Dialect, Expectation, Expected, Flat, Record, Run, Tolerance, Verdict
from tests.conformance.readers.language import language_of

Row = Mapping[str, Any]

#: The quad's corners in order around it, as the WebGL suite sets them up.
_CORNERS: tuple[Flat, ...] = ((1, 1, 0, 1), (-1, 1, 0, 1), (-1, -1, 0, 1), (1, -1, 0, 1))
_TEXTURE_COORDINATES: tuple[Flat, ...] = ((1, 1), (0, 1), (0, 0), (1, 0))
#: One pixel's width as a share of the quad's; a power of two keeps the weights exact.
_PIXEL = 1 / 64
_VERSION_LINE = re.compile(r"^[ \t]*#[ \t]*version\b.*$", re.MULTILINE)
#: A colour that a fragment shader declares, where it does not write gl_FragColor.
_DECLARED_COLOUR = re.compile(r"\bout\s[^;()]*?(\w+)\s*;")

#: Where the blocks of pixels start, in the coordinates of the texture: above and below the diagonal.
_BLOCKS = ((0.25, 0.625), (0.625, 0.25))


def read_record(row: Row) -> Record:
    """One line of a webgl file."""
    verdict = _pair(row) if row["kind"] == "pair" else _single(row)
    runs = (_drawing(row),) if row.get("render") and row["expect"] == "pass" else ()
    tags = (f"dialect:{_dialect(row)}",)
    return Record(row["name"], verdict, runs, tuple(row.get("requires_extensions", ())), tags)


def read_manifest(manifest: Row, folder: Path) -> Iterator[Record]:
    """Every shader must compile, and link with its partner."""
    rows = {row["file"]: row for row in manifest["shaders"]}
    for name, row in rows.items():
        partner = row.get("partner")
        sources = {row["stage"]: (folder / name).read_text(encoding="utf-8")}
        if partner is not None:
            sources[rows[partner]["stage"]] = (folder / partner).read_text(encoding="utf-8")
        verdict = Verdict(sources, "pass", language=language_of(row))
        yield Record(name, verdict, (), (), tuple(row.get("features", ())))


def _single(row: Row) -> Verdict:
    passes, language = row["expect"] == "pass", language_of(row)
    sources = {row["stage"]: row["source"]}
    expect: Expectation = "pass" if passes else "compile_fail"
    if row.get("check_link"):
        expect = "pass" if passes else "compile_or_link_fail"
        sources |= _trivial_partner(row["stage"], row["source"])
    lines = tuple(row.get("error_lines", ()))
    return Verdict(sources, expect, error_lines=lines, dialect=_dialect(row), language=language)


def _trivial_partner(stage: str, source: str) -> dict[str, str]:
    """The other stage where a verdict is about linking, too, in the same version."""
    found = _VERSION_LINE.search(source)
    version = f"{found[0].strip()}\n" if found else ""
    if stage == "vertex":
        return {"fragment": f"{version}void main() {{ }}\n"}
    return {"vertex": f"{version}void main() {{ gl_Position = vec4(0.0); }}\n"}


def _pair(row: Row) -> Verdict:
    accepted = {stage: row[f"expect_{stage}"] == "pass" for stage in ("vertex", "fragment")}
    sources = {stage: row[stage] for stage in accepted}
    return Verdict(sources, row["expect"], accepted, dialect=_dialect(row), language=language_of(row))


def _dialect(row: Row) -> Dialect:
    """The rules of the suite that a record comes from: WebGL's own judges by WebGL everywhere."""
    return "webgl" if {row.get("set"), row.get("dialect")} & {"webgl", "webgl2"} else "essl100"


def _drawing(row: Row) -> Run:
    render = row["render"]
    pixels = tuple(_weights(u + x * _PIXEL, v + y * _PIXEL) for u, v in _BLOCKS for y in (0, 1) for x in (0, 1))
    colour = tuple(byte / 255 for byte in render["color"])
    # A byte is right when the value rounds to it, so half a step is allowed besides the tolerance.
    tolerance = Tolerance((render["tolerance"] + 0.5) / 255, 0.0)
    return Run(
        sources={stage: row[stage] for stage in ("vertex", "fragment")},
        filename=row["name"],
        lanes=len(_CORNERS),
        inputs={"vPosition": _CORNERS, "texCoord0": _TEXTURE_COORDINATES},
        uniforms={uniform["name"]: flatten(uniform["value"]) for uniform in render["uniforms"]},
        expected=(Expected(_colour_name(row["fragment"]), (colour,) * len(pixels), tolerance, clamped=True),),
        pixels=pixels,
        quads=True,
        discarded=(False,) * len(pixels),
        dialect=_dialect(row),
        language=language_of(row),
    )


def _colour_name(fragment: str) -> str:
    """The output that is looked at: the one that the text declares, else gl_FragColor."""
    declared = _DECLARED_COLOUR.search(fragment)
    return declared[1] if declared else "gl_FragColor"


def _weights(u: float, v: float) -> Flat:
    """The weights of the four corners at (u, v); the diagonal runs from (0, 0) to (1, 1)."""
    if v >= u:
        return (u, v - u, 1 - v, 0.0)
    return (v, 0.0, 1 - u, u - v)
