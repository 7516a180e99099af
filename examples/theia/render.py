"""Renders the shaders of this folder on the simulated chip: `python examples/theia/render.py FOLDER` writes PNGs.

The scene is a pyramid of two visible triangles above a floor; rays, hits and barycentrics are the firmware's.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.registry import load_target

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from glslc_multi.backends.theia.isa.container import unpack  # noqa: E402
from glslc_multi.backends.theia.isa.numbers import pattern_of  # noqa: E402
from glslc_multi.backends.theia.isa.program import ORIGIN, Program  # noqa: E402
from glslc_multi.backends.theia.isa.registers import BY_NAME  # noqa: E402
from glslc_multi.backends.theia.machine.scene import Scene, render  # noqa: E402
from glslc_multi.compiler.artifact import Artifact  # noqa: E402
from glslc_multi.compiler.diagnostics import DiagnosticSink  # noqa: E402
from glslc_multi.compiler.driver import compile_source  # noqa: E402
from glslc_multi.compiler.options import Request  # noqa: E402
from glslc_multi.frontends.registry import make_source  # noqa: E402

SIZE, CORES = 40, 4
UNIFORMS: Mapping[str, Sequence[float]] = {
    "u_lamp": (4.0, 6.0, 8.0),
    "u_light": (0.95, 0.9, 0.7),
    "u_dark": (0.2, 0.15, 0.4),
    "u_fog": (0.6, 0.7, 0.8),
    "u_density": (0.12,),
    "u_tint": (1.0, 0.7, 0.4),
}
_TEXELS = 8


def scene() -> Scene:
    """Looked at from (0, 0, 10) through a window at z = 8."""
    registers = {
        "CREG_CAMERA_POSITION": (0.0, 0.0, 10.0),
        "CREG_PROJECTION_WINDOW_MIN": (-1.0, -1.0, 8.0),
        "CREG_PROJECTION_WINDOW_MAX": (1.0, 1.0, 8.0),
        "CREG_RESOLUTION": (SIZE, SIZE, 0.0),
        "CREG_TEXTURE_SIZE": (_TEXELS, _TEXELS, 0.0),
    }
    top, left, right = (0.0, 2.5, 0.0), (-3.5, -1.5, -1.0), (3.5, -1.5, -1.0)
    middle = (0.0, -2.0, 2.0)
    floor = ((-6.0, -2.5, 3.0), (6.0, -2.5, 3.0), (0.0, -1.0, -8.0))
    triangles = [
        _triangle((left, middle, top), (0.9, 0.4, 0.3)),
        _triangle((middle, right, top), (0.3, 0.7, 0.4)),
        _triangle(floor, (0.5, 0.5, 0.6)),
    ]
    rows = {BY_NAME["trunk"][name]: _row(values) for name, values in registers.items()}
    return Scene(SIZE, SIZE, rows, triangles, CORES, _texture())


def _row(values: Sequence[float]) -> list[int]:
    return [pattern_of(value) for value in values]


def _triangle(corners: Sequence[Sequence[float]], diffuse: Sequence[float]) -> dict[str, list[int]]:
    uvs = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    triangle = {f"V{number}": _row(corner) for number, corner in enumerate(corners)}
    triangle |= {f"UV{number}": _row(uv) for number, uv in enumerate(uvs)}
    return triangle | {"TRI_DIFFUSE": _row(diffuse)}


def _texture() -> dict[int, int]:
    """Colours that change from texel to texel."""
    texels = [(u / 8 + 0.1, v / 8 + 0.1, ((u ^ v) & 3) / 3) for v in range(_TEXELS) for u in range(_TEXELS)]
    return dict(enumerate(pattern_of(channel) for texel in texels for channel in texel))


def compiled(path: Path) -> Artifact:
    return compile_source(
        make_source(path.read_text(encoding="utf-8"), path.name), load_target("theia"), Request(), DiagnosticSink()
    )


def with_uniforms(artifact: Artifact, values: Mapping[str, Sequence[float]]) -> Program:
    """The program with values in the instructions that the reflection names."""
    program = unpack(artifact.binary)
    words = list(program.words)
    for binding in artifact.reflection.uniforms:
        for place in binding.locations:
            if place.space == "code":
                words[place.index - ORIGIN] |= pattern_of(values[binding.name][place.first])
    return Program(tuple(words), program.variant, program.entries)


def png(pixels: Sequence[Sequence[Sequence[int]]], scale: int = 6) -> bytes:
    """An image file of pixels, enlarged, the first row at the bottom."""
    lines = [b"\0" + b"".join(bytes(pixel) * scale for pixel in row) for row in reversed(pixels) for _ in range(scale)]
    width, height = len(pixels[0]) * scale, len(pixels) * scale
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
    body = [struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for path in sorted(HERE.glob("*.frag")):
        image = render(with_uniforms(compiled(path), UNIFORMS), scene())
        (folder / f"theia-{path.stem}.png").write_bytes(png(image))
        print(f"theia-{path.stem}.png")


if __name__ == "__main__":
    main()
