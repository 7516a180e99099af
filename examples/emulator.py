"""Draws machine code of an old machine twice: on our simulator, and decompiled on the GPU of this computer.

    python examples/emulator.py [VERT FRAG] [--target T] [-o OUT.png]

On the left is the simulator's picture, in the middle OpenGL's, on the right their difference, sixteen times as large.
A stage whose code is not lifted goes to OpenGL as its source.  Needs moderngl, and EGL where there is no window.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

import glslc_multi
from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.reflection import register_map as register_map_of
from glslc_multi.runtime.meshes import sphere
from glslc_multi.runtime.png import encode_png
from glslc_multi.runtime.preview import Preview, Scene, prepare
from glslc_multi.runtime.preview_defaults import uniforms_of
from glslc_multi.runtime.preview_values import attributes_of, textures_of

SHADERS = Path(__file__).parent / "shaders"
SIZE = 200
STAGES = ("vertex", "fragment")
_AMPLIFIED = 16
#: Steps of 255 that one might see.
_VISIBLE = 4


def main() -> int:
    """Draw, and write the pictures side by side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vertex", nargs="?", type=Path, default=SHADERS / "09_phong.vert")
    parser.add_argument("fragment", nargs="?", type=Path, default=SHADERS / "09_phong.frag")
    parser.add_argument("--target", default="pica200")
    parser.add_argument("-o", dest="output", type=Path, default=Path("emulator.png"))
    arguments = parser.parse_args()
    sources = {stage: getattr(arguments, stage).read_text(encoding="utf-8") for stage in STAGES}
    try:
        preview, frame, picture = draw(sources, arguments.target)
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    apart = np.abs(frame.astype(int) - picture)
    difference = np.minimum(apart * _AMPLIFIED, 255).astype(np.uint8)
    arguments.output.write_bytes(encode_png(np.hstack([frame, picture, difference])))
    share = (apart.max(axis=2) > _VISIBLE).mean()
    code = " and ".join(preview.artifacts)
    print(f"{arguments.output}: {code} code for {arguments.target}")
    print(f"{share:.2%} of the pixels are more than {_VISIBLE} apart")
    return 0


def draw(sources: Mapping[str, str], target: str) -> tuple[Preview, Any, Any]:
    """Return the compiled stages, and both pictures."""
    sink = DiagnosticSink()
    vertex, fragment = (make_source(text, f"<{stage}>", stage) for stage, text in sources.items())
    preview = prepare(vertex, fragment, find_target(target, sink), Request(), sink)
    scene = Scene(sphere(), SIZE, SIZE)
    texts = {stage: as_opengl(source, stage, preview.artifacts.get(stage)) for stage, source in sources.items()}
    return preview, preview.draw(scene, "simulator").to_bytes()[:, :, :3], on_opengl(texts, preview, scene)


def as_opengl(source: str, stage: str, artifact: Artifact | None) -> str:
    """Return GLSL 3.30 of what a machine runs; of its source where that is not lifted."""
    if artifact is not None:
        with tempfile.TemporaryDirectory() as folder:
            register_map = Path(folder, "map.json")
            register_map.write_text(register_map_of(artifact), encoding="utf-8")
            try:
                return glslc_multi.decompile(
                    artifact.binary, target=artifact.reflection.target, version="330", register_map=str(register_map)
                )
            except CompileError as error:
                print(f"{stage}: {error.diagnostics[0].message}; OpenGL has the source", file=sys.stderr)
    return glslc_multi.optimise(source, stage=stage, version="330")


def on_opengl(texts: Mapping[str, str], preview: Preview, scene: Scene) -> Any:
    """Return the picture that the GPU of this computer draws of the scene."""
    settings: Any = {"backend": "egl"} if sys.platform == "linux" else {}
    context = moderngl.create_context(standalone=True, **settings)
    program = context.program(vertex_shader=texts["vertex"], fragment_shader=texts["fragment"])
    members: dict[str, Any] = {name: program[name] for name in program}
    modules = preview.modules.values()
    uniforms, textures = uniforms_of(modules, SIZE, SIZE), textures_of(modules, preview.target)
    for unit, name in enumerate(members.keys() & textures.keys()):
        image = textures[name].levels[0][0]
        height, width = image.shape[:2]
        texture = context.texture((width, height), 4, image.astype(np.float32).tobytes(), dtype="f4")
        texture.use(unit)
        members[name].value = unit
    for name, member in members.items():
        if (value := uniforms.get(name)) is not None:
            values = np.asarray(value, np.int32 if member.fmt[-1] in "iI" else np.float32)
            # OpenGL has the columns of matrices one after another.
            member.write((values.swapaxes(-1, -2) if member.matrix else values).tobytes())
    buffers = [
        (context.buffer(value.astype(np.float32).tobytes()), f"{value.shape[1] if value.ndim > 1 else 1}f", name)
        for name, value in attributes_of(preview.modules["vertex"], scene.mesh).items()
        if name in members
    ]
    indices = context.buffer(scene.mesh.triangles.astype(np.int32).tobytes())
    target = context.simple_framebuffer((SIZE, SIZE))
    target.use()
    target.clear(0.0, 0.0, 0.0, 1.0)
    context.enable(moderngl.DEPTH_TEST)
    context.vertex_array(program, buffers, indices).render()
    return np.frombuffer(target.read(components=3), np.uint8).reshape(SIZE, SIZE, 3)[::-1]


if __name__ == "__main__":
    sys.exit(main())
