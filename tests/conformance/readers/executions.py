"""Records of values that another GL implementation computed (schema glsl-exec-1)."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance.flatten import flatten, per_lane
from tests.conformance.model import Expected, Flat, Record, Run, TextureData, Tolerance
from tests.conformance.readers.language import is_whole, language_of
from tests.shared_data import shared_root

Row = Mapping[str, Any]

_COMPONENTS = "xyzw"


def read_record(row: Row) -> Record:
    """One line of a reference file."""
    name = row["name"]
    inputs = {input: _lanes_of_input(values, row["lanes"]) for input, values in row["inputs"].items()}
    blocks = row.get("uniform_blocks", {})
    uniforms = {uniform: flatten(value) for uniform, value in row["uniforms"].items()} | dict(_block_values(blocks))
    textures = {sampler: _texture(data) for sampler, data in row.get("textures", {}).items()}
    run = Run(
        sources={row["stage"]: _source(row)},
        filename=name,
        lanes=row["lanes"],
        inputs=inputs,
        uniforms=uniforms,
        expected=tuple(_expected(row)),
        textures=textures,
        quads=row["quads"],
        discarded=_discarded(row),
        language=language_of(row),
        whole=frozenset(_whole_names(row)),
        blocks=blocks,
    )
    return Record(name, None, (run,), (), tuple(row.get("tags", ())))


def _source(row: Row) -> str:
    if "source" in row:
        return str(row["source"])
    corpus = "real3" if "version" in row else "real"
    return (shared_root() / "corpus" / corpus / str(row["file"])).read_text(encoding="utf-8")


def _block_values(blocks: Row) -> Iterator[tuple[str, Flat]]:
    """The members of uniform blocks as uniforms."""
    for block, layout in blocks.items():
        for member, facts in layout["members"].items():
            yield member_name(block, member), flatten(facts["value"])


def member_name(block: str, member: str) -> str:
    """`Blk[1].v` for what OpenGL calls `Blk.v` in each block of an array."""
    family, bracket, _ = block.partition("[")
    return f"{block}.{member.removeprefix(f'{family}.')}" if bracket else member


def _whole_names(row: Row) -> Iterator[str]:
    """Inputs, uniforms and members of blocks that are whole numbers."""
    for types in ("input_types", "uniform_types"):
        yield from (name for name, glsl_type in row.get(types, {}).items() if is_whole(glsl_type))
    for block, layout in row.get("uniform_blocks", {}).items():
        members = layout["members"].items()
        yield from (member_name(block, member) for member, facts in members if is_whole(facts["type"]))


def _lanes_of_input(values: list[Any], lanes: int) -> tuple[Flat, ...]:
    if len(values) != lanes:
        raise ValueError(f"{len(values)} values for {lanes} lanes")
    return per_lane(values)


def _expected(row: Row) -> Iterator[Expected]:
    tolerance = Tolerance(row["tolerance"]["abs"], row["tolerance"]["rel"])
    discarded = {(lane, None) for lane, is_gone in enumerate(row.get("discarded", ())) if is_gone}
    unsure = {(lane, None) for lane in row.get("undefined", {}).get("discarded", ())}
    for name, values in row["outputs"].items():
        undefined = frozenset(discarded | unsure | set(_undefined(row, name)))
        sensitive = frozenset(row.get("sensitive", {}).get(name, ()))
        whole = is_whole(row.get("output_types", {}).get(name, ""))
        yield Expected(name, per_lane(values), tolerance, undefined, sensitive, is_whole=whole)


def _undefined(row: Row, name: str) -> Iterator[tuple[int, int | None]]:
    """Lanes of `name` as a whole, and of its components (`gl_FragColor.x`)."""
    for key, lanes in row.get("undefined", {}).items():
        if key == name:
            yield from ((lane, None) for lane in lanes)
        elif key[:-2] == name and key[-2] == "." and key[-1] in _COMPONENTS:
            yield from ((lane, _COMPONENTS.index(key[-1])) for lane in lanes)


def _discarded(row: Row) -> tuple[bool | None, ...]:
    """Absent means that no lane discards."""
    recorded = row.get("discarded", [False] * row["lanes"])
    unsure = row.get("undefined", {}).get("discarded", ())
    return tuple(None if lane in unsure else bool(is_gone) for lane, is_gone in enumerate(recorded))


def _texture(data: Row) -> TextureData:
    smaller = [] if data["mips"] == "none" else data["mips"]
    images = [data["data"], *(level["data"] if isinstance(level, dict) else level for level in smaller)]
    return TextureData(
        kind=data["kind"],
        width=data["width"],
        height=data["height"],
        levels=tuple(base64.b64decode(image) for image in images),
        minify=data["min"],
        magnify=data["mag"],
        wrap_s=data["wrap_s"],
        wrap_t=data["wrap_t"],
        wrap_r=data.get("wrap_r", "repeat"),
        depth=data.get("depth", 1),
        format=data["format"],
        compare=data.get("compare", ""),
    )
