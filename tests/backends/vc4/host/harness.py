"""Generated host code built with a program that draws once, and run: with the kernel's driver, or without.

In: compiled stages and what is to be drawn.  Out: the memory that the chip would read (`lists.Image`).
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.c_uniforms import CMachine, c_uniforms
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.records import dataclass, field
from tests.backends.vc4.host.lists import Image
from tests.host_values import SANITIZED, SANITIZERS, Flat, setter_call

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", *SANITIZERS)
TEMPLATE = Path(__file__).parent / "draw.c.in"
PREFIX = "drawn"


@dataclass(frozen=True, slots=True)
class Texels:
    """An image with its levels: words, red in the lowest byte, level by level, face by face."""

    width: int
    height: int
    levels: int
    words: Sequence[int]
    nearest: bool = False
    faces: int = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn beside the shaders."""

    #: Of each vertex all numbers of the generated structure.
    vertices: Sequence[Sequence[float | int]]
    uniforms: Mapping[str, Flat]
    #: Of each element of a sampler.
    textures: Mapping[str, Sequence[Texels]] = field(default_factory=dict)
    indices: Sequence[int] = ()
    width: int = 96
    height: int = 80
    clear: int = 0xFF000000
    primitive: str = "VC4_TRIANGLES"
    cull: str = "VC4_CULL_NOTHING"
    top_first: bool = False


def write_program(folder: Path, stages: Mapping[str, Artifact], scene: Scene, form: str, draw: str = "draw") -> Path:
    """The generated files and the program that draws with them; its path."""
    program = HostProgram(stages, PREFIX)
    for file in load_target("vc4").host_code(program, form, DiagnosticSink()):
        (folder / file.name).write_bytes(file.data)
    main = folder / "main.c"
    main.write_text(fill(TEMPLATE, _texts(program, scene, draw)))
    return main


def build(folder: Path, main: Path, arguments: Sequence[str]) -> Path:
    """The program of this computer."""
    output = folder / "program"
    sources = (str(main), str(folder / f"{PREFIX}.c"))
    done = subprocess.run(
        ["cc", *FLAGS, f"-I{folder}", *sources, *arguments, "-lm", "-o", str(output)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return output


def run(program: Path, arguments: Sequence[object] = ()) -> Image:
    """The memory image that a run leaves."""
    path = program.with_suffix(".image")
    environment = {**SANITIZED, "VC4_IMAGE": str(path)}
    done = subprocess.run([str(program), *map(str, arguments)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Image.read(path.read_bytes())


def draw_with_kernel(folder: Path, stages: Mapping[str, Artifact], scene: Scene, driver: Sequence[str]) -> Image:
    """Through the ioctl calls of the driver, of which `driver` are the arguments for the compiler."""
    folder.mkdir(parents=True, exist_ok=True)
    return run(build(folder, write_program(folder, stages, scene, "drm"), driver))


def draw_bare(
    folder: Path, stages: Mapping[str, Artifact], scene: Scene, addresses: Sequence[int], draw: str = "draw"
) -> Image:
    """Without a kernel, with lists at these addresses."""
    folder.mkdir(parents=True, exist_ok=True)
    return run(build(folder, write_program(folder, stages, scene, "bare", draw), ["-DBARE"]), addresses)


def word_of(number: float | int) -> int:
    if isinstance(number, float):
        (word,) = struct.unpack("<I", struct.pack("<f", number))
        return int(word)
    return number & 0xFFFFFFFF


def _texts(program: HostProgram, scene: Scene, draw: str) -> dict[str, str | list[str]]:
    words = [word_of(number) for vertex in scene.vertices for number in vertex]
    return {
        "WIDTH": str(scene.width),
        "HEIGHT": str(scene.height),
        "VERTICES": ", ".join(f"0x{word:08x}" for word in words) or "0",
        "INDICES": ", ".join(map(str, scene.indices)) or "0",
        "SETTERS": setters(program, scene),
        "TEXTURES": list(_textures(program, scene)),
        "CLEAR": f"0x{scene.clear:08x}",
        "PRIMITIVE": scene.primitive,
        "COUNT": str(len(scene.indices) or len(scene.vertices)),
        "INDEX_BYTES": "2" if scene.indices else "0",
        "LAST_INDEX": str(max(scene.indices, default=0)),
        "TOP_FIRST": str(int(scene.top_first)),
        "CULL": scene.cull,
        "DRAW": draw,
    }


def setters(program: HostProgram, scene: Scene) -> list[str]:
    """Calls that give the uniforms their values."""
    members = c_uniforms(program, CMachine(lambda write: ())).members
    known = {uniform.name: uniform for uniform in host_uniforms(program.stages)}
    return [
        setter_call(f"{PREFIX}_set_{members[name]}", known[name], value)
        for name, value in scene.uniforms.items()
        if name in known
    ]


def _textures(program: HostProgram, scene: Scene) -> list[str]:
    names = CNames()
    for member in c_uniforms(program, CMachine(lambda write: ())).members.values():
        names.new(member)
    lines = []
    samplers = {
        b.name: b
        for stage in ("fragment", "vertex", "coordinate")
        if stage in program.stages
        for b in program.stages[stage].reflection.samplers
    }
    for name in samplers:
        setter = names.new(member_name(name))
        for element, texels in enumerate(scene.textures.get(name, ())):
            words = ", ".join(f"0x{word:08x}u" for word in texels.words)
            made = f"{texels.width}, {texels.height}, {texels.levels}, {int(texels.nearest)}"
            lines += [
                "{",
                f"    static const uint32_t texels[] = {{ {words} }};",
                f"    vc4_texture texture = new_texture({made}, texels, {texels.faces});",
                f"    {PREFIX}_set_{setter}(program, {element}, &texture);",
                "}",
            ]
    return lines
