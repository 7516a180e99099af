"""The pictures of the pages about the combiners of the 3DS: `python -m tests.docs.combiner_pictures`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

IMAGES = PROJECT_ROOT / "docs" / "images"
SHADERS = PROJECT_ROOT / "examples" / "shaders"
LIGHTING = PROJECT_ROOT / "docs" / "pica200-lighting.md"
TUTORIAL = PROJECT_ROOT / "docs" / "tutorials" / "3ds-program.md"
#: Uniforms that a picture needs others of than a preview gives: lights that are somewhere, and add up to 1.
EXAMPLES: Mapping[str, Sequence[str]] = {
    "01_flat": (),
    "02_vertex_color": (),
    "03_textured": (),
    "04_lambert": (),
    "06_alpha_test": (),
    "07_lights": (
        "u_lights[].position=[[2,1,2],[-2,1,1],[0,-2,1],[0,0,3]]",
        "u_lights[].color=[[1,0.3,0.2],[0.2,0.4,1],[0.2,0.8,0.2],[0.2,0.2,0.2]]",
        "u_lights[].reach=[3,3,3,4]",
    ),
    "09_phong": ("u_ambient=[0,0,0]",),
}
_LAMP = (
    "u_lamp=[0.5,1,1.8]",
    "u_along=[-0.3,-0.5,-1]",
    "u_square=0.2",
    "u_ambient=[0.1,0.1,0.2]",
    "u_diffuse=[0.8,0.7,0.5]",
)
#: As in the tutorial's command.
_ROAD = ("u_hour=-1", "u_dusk=[0.5,0.2,0.3]")
_LAMP_VERTEX = """
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_matrix;
varying vec3 v_normal, v_position;
void main() {
    gl_Position = u_matrix * a_position;
    v_normal = a_normal;
    v_position = a_position.xyz;
}
"""


def write_pictures() -> None:
    """Renew the pictures."""
    for name, uniforms in EXAMPLES.items():
        _draw(SHADERS / f"{name}.vert", SHADERS / f"{name}.frag", uniforms, f"pica-{name}.png")
    with TemporaryDirectory() as folder:
        vertex, fragment = Path(folder) / "lamp.vert", Path(folder) / "lamp.frag"
        vertex.write_text(_LAMP_VERTEX)
        fragment.write_text(_shader_under("## Lamps that fade, and spots", LIGHTING))
        _draw(vertex, fragment, _LAMP, "pica-lamp.png")
        road = [Path(folder) / name for name in ("road.vert", "road.frag")]
        for path in road:
            path.write_text(_shader_under(f"`{path.name}`:", TUTORIAL))
        _draw(road[0], road[1], _ROAD, "pica-road.png")


def _draw(vertex: Path, fragment: Path, uniforms: Sequence[str], name: str) -> None:
    given = [part for uniform in uniforms for part in ("--uniform", uniform)]
    arguments = [str(vertex), str(fragment), "--target", "pica200", "--compare", "--size", "128x128", *given]
    assert main(["render", *arguments, "-o", str(IMAGES / name)]) == 0


def _shader_under(heading: str, page: Path) -> str:
    """The first shader after some words of a page."""
    found = re.search(r"```glsl\n(.*?)```", page.read_text(encoding="utf-8").partition(heading)[2], re.DOTALL)
    assert found is not None
    return found[1]


if __name__ == "__main__":
    write_pictures()
