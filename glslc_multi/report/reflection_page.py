"""The page of the register map in the documentation, `docs/reflection.md`: what people wrote, then what the schema
says, and the map of a shader for each machine.

Everything below the line `_MARK` is made anew: `python -m glslc_multi.report.reflection_page --write`, or `make docs`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from glslc_multi.compiler.markdown import show_or_write, spaced_table
from glslc_multi.report.schemas import schema_text

_ROOT = Path(__file__).resolve().parents[2]
PAGE = _ROOT / "docs" / "reflection.md"
_MARK = "<!-- What follows is made from the schema and the compiler by `make docs`. -->\n"
#: Machine, and a shader of the examples whose map shows what is its own.
_EXAMPLES = (
    ("agal", "03_textured.frag"),
    ("pica200", "02_vertex_color.vert"),
    ("pica200", "03_textured.frag"),
    ("adreno", "02_vertex_color.vert"),
    ("theia", "03_textured.frag"),
    ("vc4", "03_textured.frag"),
    ("xenos", "02_vertex_color.vert"),
)
_WIDTH = 144
#: What rows of the schema are that refer to others.
_KINDS = {"#/$defs/bindings": "A list of bindings", "#/$defs/location": "A location"} | {
    f"#/$defs/binding/properties/{key}": "As of a binding" for key in ("name", "type", "length", "default")
}
_Rows = Iterator[tuple[str, str, str]]


def page(written: str) -> str:
    """The page with its second half made anew; `written` is the page as it is."""
    introduction, _, _ = written.partition(_MARK)
    schema = json.loads(schema_text("reflection"))
    return introduction + _MARK + "".join([*_tables(schema), *_examples()])


def _tables(schema: Mapping[str, Any]) -> Iterator[str]:
    definitions = schema["$defs"]
    location = definitions["location"]["properties"]
    yield "\n## Keys\n" + _table("key", _fields(schema))
    yield f"\n### Bindings\n\n{definitions['binding']['description']}\n" + _table(
        "key", _fields(definitions["binding"])
    )
    yield f"\n### Locations\n\n{definitions['location']['description']}\n"
    yield _table("key", _fields(definitions["location"]))
    yield f"\n### Members of blocks\n\n{definitions['member']['description']}\n"
    yield _table("key", _fields(definitions["member"]))
    yield "\n## Spaces\n" + _table("space", _known(location["space"]))
    yield "\n## Words of the stream\n" + _table(
        "kind", _known(schema["properties"]["stream"]["items"]["properties"]["kind"])
    )
    yield "\n## State of the host\n" + _table("name", _fields(schema["properties"]["host_state"]))


def _table(heading: str, rows: _Rows) -> str:
    return spaced_table((heading, "machines", "what it is"), rows)


def _fields(node: Mapping[str, Any], before: str = "", targets: str = "all") -> _Rows:
    """A row for each key, and for those of the objects in it that have no name of their own."""
    for name, row in {**node.get("properties", {}), **node.get("patternProperties", {})}.items():
        names = ", ".join(f"`{before}{one}`" for one in row.get("x-name", name).split(", "))
        mine = ", ".join(row["x-targets"]) if "x-targets" in row else targets
        yield names, mine, _about(row)
        if name not in ("host_state", "limits"):
            inner = row.get("items", row)
            yield from _fields(inner, f"{before}{name}{'[]' if 'items' in row else ''}.", mine)


def _known(node: Mapping[str, Any]) -> _Rows:
    for row in sorted(node["x-known"], key=lambda row: row["x-targets"]):
        yield ", ".join(f"`{name}`" for name in row["values"]), ", ".join(row["x-targets"]), _about(row)


def _about(row: Mapping[str, Any]) -> str:
    """The description, after what the schema says by its words."""
    values = [json.dumps(row["const"])] if "const" in row else [str(value) for value in row.get("enum", ())]
    listed = ", ".join(f"`{value}`" for value in values)
    return ". ".join(part for part in (listed, _KINDS.get(row.get("$ref", "")), row.get("description")) if part)


# --- Examples ---------------------------------------------------------------------------------------------------------


def _examples() -> Iterator[str]:
    yield "\n## An example for each machine\n"
    for target, name in _EXAMPLES:
        heading = f"{target}: [{name}](../examples/shaders/{name})"
        yield f"\n### {heading}\n\n```json\n{compact(example_map(target, name))}\n```\n"


def example_map(target: str, name: str) -> dict[str, Any]:
    from glslc_multi.backends.registry import load_target
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.driver import compile_source
    from glslc_multi.compiler.options import Request
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.report.reflection import map_data

    source = make_source((_ROOT / "examples" / "shaders" / name).read_text(encoding="utf-8"), name)
    return map_data(compile_source(source, load_target(target), Request(), DiagnosticSink()))


def compact(value: object, indent: str = "") -> str:
    """JSON whose lists and objects are in one line where they fit."""
    line = json.dumps(value)
    if len(indent) + len(line) <= _WIDTH or not value or not isinstance(value, (dict, list)):
        return line
    deeper = indent + "  "
    parts: Iterable[str]
    if isinstance(value, dict):
        parts = (f"{json.dumps(key)}: {compact(part, deeper)}" for key, part in value.items())
        opening, closing = "{", "}"
    else:
        parts = (compact(part, deeper) for part in value)
        opening, closing = "[", "]"
    return f"{opening}\n" + ",\n".join(f"{deeper}{part}" for part in parts) + f"\n{indent}{closing}"


if __name__ == "__main__":
    show_or_write(PAGE, page, sys.argv)
