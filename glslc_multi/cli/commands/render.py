"""`glslc-multi render VERT FRAG --target T -o out.png`: draw a mesh with two shaders, as the target would.

Uniforms, textures and attributes that are not given get default values, chosen by their names.  `--compare` shows
the meaning of the source, what the engine made, and their difference, amplified, side by side.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NoReturn

from glslc_multi.cli.compile_options import (
    add_compile_flags,
    add_statistics_flag,
    make_request,
    only_target,
    print_statistics,
)
from glslc_multi.cli.parser import OneOf, new_parser, refuse_value
from glslc_multi.cli.project_options import parse_with_project
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.files import STANDARD_STREAM, read_bytes, read_source, read_text, write_bytes

if TYPE_CHECKING:
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.meshes import Mesh
    from glslc_multi.runtime.preview import Preview, Scene
    from glslc_multi.runtime.raster import Frame
    from glslc_multi.runtime.textures import Texture

_USAGE = "glslc-multi render [options] VERT FRAG --target T -o OUT.png"
_DESCRIPTION = "Draw a mesh with a vertex and a fragment shader on a target's simulator."
_EPILOG = "Example: glslc-multi render lit.vert lit.frag --target adreno -o lit.png --mesh torus --compare"
_OTHER_PICTURES = frozenset((".bmp", ".gif", ".jpeg", ".jpg", ".ppm", ".tga", ".webp"))
_ENGINES = ("simulator", "translated", "jit", "reference")
_LARGEST = 4096
_SIZE = re.compile(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})")
#: How much `--compare` makes differences larger.
_AMPLIFIED = 16


def run(arguments: Sequence[str], sink: DiagnosticSink) -> None:
    """Do what the command line says."""
    found = parse_with_project(build_parser, arguments, sink)
    if found is None:
        return
    _check(found, sink)
    from glslc_multi.runtime.extra import require_run_extra

    require_run_extra()
    from glslc_multi.runtime.preview import prepare

    target = only_target(found, sink)
    request = make_request(found, target)
    vertex, fragment = (
        read_source(path, stage, sink) for path, stage in zip(found.inputs, ("vertex", "fragment"), strict=True)
    )
    preview = prepare(vertex, fragment, target, request, sink)
    scene = _scene(found, preview.target, sink)
    from glslc_multi.runtime.lent import MACHINE_ENGINES
    from glslc_multi.runtime.png import encode_png
    from glslc_multi.runtime.preview import note_absent_stages

    if found.engine in MACHINE_ENGINES:
        note_absent_stages(preview, sink)
    frame = preview.draw(scene, found.engine)
    pixels = frame.to_bytes()[:, :, :3] if not found.compare else _compared(preview, scene, frame)
    write_bytes(found.output, encode_png(pixels), sink)
    print_statistics(found.stats, {"": preview.artifacts}, found.output == STANDARD_STREAM, sink)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options, with those of the target on the command line."""
    parser = new_parser("glslc-multi render", _DESCRIPTION, _USAGE)
    parser.epilog = _EPILOG
    parser.add_argument("inputs", nargs="*", metavar="IN", help=argparse.SUPPRESS)
    parser.add_argument(
        "--mesh", default="sphere", metavar="M", help="cube, quad, sphere, torus or an .obj file (sphere)"
    )
    parser.add_argument("--size", type=_size, default=(256, 256), metavar="WxH", help="pixels of the picture (256x256)")
    parser.add_argument(
        "--texture", dest="textures", action="append", type=_named("--texture"), default=[], metavar="NAME=FILE.png",
        help="an image for a sampler; without one it is chequered",
    )  # fmt: skip
    parser.add_argument(
        "--uniform", dest="uniforms", action="append", type=_named("--uniform"), default=[], metavar="NAME=JSON",
        help="a value, such as 0.5 or [1,0,0]; without one the name decides",
    )  # fmt: skip
    parser.add_argument(
        "--engine", type=OneOf("--engine", _ENGINES), default="simulator", metavar="E",
        help="simulator, translated: the machine code; jit, reference: the source (simulator)",
    )  # fmt: skip
    parser.add_argument(
        "--compare", action="store_true", help="reference, engine and amplified difference side by side"
    )
    add_compile_flags(parser, arguments)
    add_statistics_flag(parser)
    return parser


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text)
    if match is None or max(map(int, match.groups())) > _LARGEST:
        refuse_value("--size", f"WxH, each from 1 to {_LARGEST}", text)
    return int(match[1]), int(match[2])


class _named:
    """A converter for `NAME=VALUE`."""

    def __init__(self, option: str) -> None:
        self.option = option

    def __call__(self, text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            refuse_value(self.option, "NAME=VALUE", text)
        return name, value


def _check(options: argparse.Namespace, sink: DiagnosticSink) -> None:
    if len(options.inputs) != 2:
        sink.report(usage.NO_INPUT, help="render takes a vertex and a fragment shader; see glslc-multi render --help")
    elif options.output is None:
        sink.report(usage.MISSING_OPTION_VALUE, option="-o", expected="the name of a .png file")
    elif PurePath(options.output).suffix.lower() in _OTHER_PICTURES:
        expected = "the name of a .png file"
        sink.report(usage.INVALID_OPTION_VALUE, option="-o", expected=expected, value=options.output)
    sink.raise_if_errors()


# --------------------------------------------------------------------------------------------- scene
def _scene(options: argparse.Namespace, target: Target, sink: DiagnosticSink) -> Scene:
    from glslc_multi.runtime.preview import Scene

    width, height = options.size
    uniforms = {name: _json(name, text) for name, text in options.uniforms}
    textures = {name: _texture(path, target, sink) for name, path in options.textures}
    return Scene(_mesh(options.mesh, sink), width, height, uniforms, textures)


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        refuse_value("--uniform", f"a number or a list of them for '{name}'", text)


def _mesh(name: str, sink: DiagnosticSink) -> Mesh:
    from glslc_multi.runtime.meshes import BUILT_IN, MeshError, read_obj

    if name in BUILT_IN:
        return BUILT_IN[name]()
    if not name.endswith(".obj"):
        refuse_value("--mesh", f"one of {', '.join(BUILT_IN)} or an .obj file", name)
    try:
        return read_obj(read_text(name, sink, streams=False))
    except MeshError as error:
        _refuse_file(name, str(error), sink)


def _texture(path: str, target: Target, sink: DiagnosticSink) -> Texture:
    from glslc_multi.runtime.png import PngError, decode_png
    from glslc_multi.runtime.preview_values import make_texture

    try:
        # Textures have the lowest row first.
        return make_texture(decode_png(read_bytes(path, sink, streams=False))[::-1], target)
    except PngError as error:
        _refuse_file(path, str(error), sink)


def _refuse_file(path: str, reason: str, sink: DiagnosticSink) -> NoReturn:
    sink.report(usage.UNREADABLE_FILE, path=path, reason=reason)
    sink.raise_if_errors()
    raise AssertionError("the sink raises")


# ------------------------------------------------------------------------------------------ comparison
def _compared(preview: Preview, scene: Scene, frame: Frame) -> Any:
    import numpy as np

    wanted = preview.draw(scene, "reference").to_bytes()[:, :, :3]
    pixels = frame.to_bytes()[:, :, :3]
    difference = np.abs(pixels.astype(int) - wanted) * _AMPLIFIED
    return np.concatenate([wanted, pixels, np.minimum(difference, 255).astype(np.uint8)], axis=1)
