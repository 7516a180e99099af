"""`glslc-multi run SHADER --inputs in.json`: run a shader on values under its GLSL names, and show the results.

The JSON holds `inputs` (a list with one value for each vertex or pixel), `uniforms` and `textures`; a texture is an
object with `image` (rows from the bottom, of texels from 0 to 1), and if need be `filter`, `wrap` and `mips`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from glslc_multi.cli.compile_options import add_compile_flags, make_request, only_target
from glslc_multi.cli.parser import OneOf, new_parser
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, read_source, read_text, write_text
from glslc_multi.report.table import text_table

if TYPE_CHECKING:
    from glslc_multi.runtime.textures import Texture

_USAGE = "glslc-multi run [options] SHADER --target T --inputs IN.json"
_DESCRIPTION = "Run a shader on values from a JSON file: {inputs: {name: [value, ...]}, uniforms, textures}."
_EPILOG = "Example: glslc-multi run lit.vert --target pica200 --inputs in.json --engine reference"
_ENGINES = ("simulator", "translated", "reference", "jit")
_SECTIONS = ("inputs", "uniforms", "textures")
_TEXTURE_KEYS = ("image", "filter", "wrap", "mips", "kind", "texels", "channels", "compare")


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_with_project(build_parser, arguments, sink)
    if found is None:
        return
    if not found.shaders:
        sink.report(usage.NO_INPUT, help="see glslc-multi run --help")
    elif len(found.shaders) > 1:
        sink.report(usage.UNEXPECTED_ARGUMENT, argument=found.shaders[1])
    elif found.shaders[0] == found.values == STANDARD_STREAM:
        sink.report(usage.CONFLICTING_OPTIONS, first="-", second="--inputs -")
    sink.raise_if_errors()
    values = _read_values(found.values, sink)
    from glslc_multi.compiler.driver import compile_source
    from glslc_multi.runtime.shader import CompiledShader

    target = only_target(found, sink)
    request = make_request(found, target)
    source = read_source(found.shaders[0], found.stage, sink)
    shader = CompiledShader(compile_source(source, target, request, sink), source, target, request)
    results = shader.run(
        values["inputs"], values["uniforms"], values["textures"], engine=found.engine, quads=found.quads
    )
    plain = {name: _plain(value.tolist()) for name, value in results.items()}
    text = json.dumps(plain) + "\n" if found.json else _as_table(plain)
    write_text(found.output or STANDARD_STREAM, text, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the target on the command line."""
    parser = new_parser("glslc-multi run", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("shaders", nargs="*", metavar="SHADER", help=argparse.SUPPRESS)
    parser.add_argument("--inputs", dest="values", metavar="JSON", help="the values, - for standard input")
    parser.add_argument(
        "--engine", type=OneOf("--engine", _ENGINES), default="simulator", metavar="E",
        help="simulator, translated: the machine code; reference, jit: the source (simulator)",
    )  # fmt: skip
    parser.add_argument("--quads", action="store_true", help="each four pixels are a 2x2 block, for derivatives")
    parser.add_argument("--json", action="store_true", help="results as JSON")
    parser.add_argument("--stage", "-fshader-stage", metavar="S", help="vertex, fragment, geometry or coordinate")
    add_compile_flags(parser, arguments)
    return parser


# -------------------------------------------------------------------------------------- values in
def _read_values(path: str | None, sink: DiagnosticSink) -> dict[str, dict[str, Any]]:
    """The three sections of the file; a shader that reads nothing needs none."""
    sections: dict[str, dict[str, Any]] = {name: {} for name in _SECTIONS}
    if path is None:
        return sections
    try:
        data = json.loads(read_text(path, sink, streams=False))
    except (ValueError, RecursionError) as error:
        reason = f"it is not JSON ({error})" if isinstance(error, ValueError) else "it is nested too deeply"
        _refuse(path, reason, sink)
    if not isinstance(data, dict) or not all(isinstance(part, dict) for part in data.values()):
        _refuse(path, "it is not an object that holds objects", sink)
    for name, part in data.items():
        if name not in sections:
            _refuse(path, f"it has '{name}' where {', '.join(_SECTIONS)} are expected", sink)
        sections[name] = part
    textures = {name: _texture(name, value, path, sink) for name, value in sections["textures"].items()}
    return sections | {"textures": textures}


def _texture(name: str, value: Any, path: str, sink: DiagnosticSink) -> Texture | list[Any]:
    if isinstance(value, list):
        return [_texture(name, part, path, sink) for part in value]
    if not isinstance(value, dict) or "image" not in value or any(key not in _TEXTURE_KEYS for key in value):
        _refuse(path, f"texture '{name}' is not an object with {', '.join(_TEXTURE_KEYS)}", sink)
    from glslc_multi.runtime.textures import Texture

    settings: dict[str, Any] = {
        key: tuple(part) if isinstance(part, list) else part for key, part in value.items() if key != "image"
    }
    try:
        import numpy as np

        dtype = {"int": np.int32, "uint": np.uint32}.get(settings.get("texels", ""), np.float64)
        if isinstance(settings.get("mips"), tuple):
            settings["mips"] = [np.array(mip, dtype=dtype) for mip in settings["mips"]]
        return Texture(np.array(value["image"], dtype=dtype), **settings)
    except (TypeError, ValueError, OverflowError) as error:
        _refuse(path, f"texture '{name}' cannot be made ({error})", sink)


def _refuse(path: str, problem: str, sink: DiagnosticSink) -> NoReturn:
    sink.report(usage.UNUSABLE_JSON, path=path, problem=problem)
    sink.raise_if_errors()
    raise AssertionError("the sink raises")


# ------------------------------------------------------------------------------------ results out
def _plain(value: Any) -> Any:
    """Numbers that JSON has no words for as strings."""
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _as_table(results: Mapping[str, list[Any]]) -> str:
    """A row for each vertex or pixel."""
    count = max(map(len, results.values()), default=0)
    rows = [[str(lane), *(_cell(values[lane]) for values in results.values())] for lane in range(count)]
    return text_table(["", *results], rows)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return "(" + ", ".join(map(_cell, value)) + ")"
    return f"{value:.7g}" if isinstance(value, float) else str(value).lower()
