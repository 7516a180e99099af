"""Words for the chip's registers, in the map and as C: fields by the registers' description, against programs' text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import glslc_multi
from glslc_multi.report.c_text import c_header
from glslc_multi.runtime.shader import CompiledShader

TARGETS = ("adreno", "xenos")
VERTEX = """attribute vec3 p; attribute mat2 m; attribute float f; uniform mat4 u; varying vec2 v; varying vec4 w;
void main() {{ gl_Position = u * vec4(p, 1.0); v = m * p.xy; w = u * vec4(p, f); {more} }}"""
FRAGMENT = """#extension GL_EXT_draw_buffers : enable
precision highp float; varying vec2 v; varying vec4 w; void main() {{ {body} }}"""


def _link(target: str, body: str, more: str = "") -> dict[str, CompiledShader]:
    pair = glslc_multi.link(VERTEX.format(more=more), FRAGMENT.format(body=body), target=target)
    return dict(pair.stages)


def _field(word: int, first: int, last: int) -> int:
    return word >> first & (1 << last - first + 1) - 1


def _highest_register(shader: CompiledShader) -> int:
    return max(int(number) for number in re.findall(r"\bR(\d+)", shader.assembly))


#: Body of the fragment shader -> registers that interpolators fill, colours, the register of the position.
BODIES = [
    ("gl_FragColor = w * v.x;", 2, 1, None),
    ("gl_FragColor = w + gl_FragCoord.x;", 1, 1, 1),
    ("gl_FragColor = w + v.x * gl_FragCoord.xyxz;", 3, 1, 3),
    ("gl_FragData[0] = w; gl_FragData[2] = w * v.x;", 2, 3, None),
    ("gl_FragColor = w + vec4(1.0, 0.5, 0.0, 1.0);", 1, 1, None),
    ("gl_FragColor = vec4(gl_PointCoord, gl_FrontFacing ? w.xy : w.zw);", 1, 1, 1),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("body", "inputs", "colours", "position"), BODIES)
def test_words_of_a_pair(target: str, body: str, inputs: int, colours: int, position: int | None) -> None:
    """SQ_PROGRAM_CNTL, SQ_CONTEXT_MISC with PARAM_GEN_POS, SQ_INTERPOLATOR_CNTL; hosts OR those of both stages."""
    stages = _link(target, body)
    keys: dict[str, Any] = {stage: shader.artifact.map_keys for stage, shader in stages.items()}
    assert keys["vertex"]["program_control"] & keys["fragment"]["program_control"] == 0
    control = keys["vertex"]["program_control"] | keys["fragment"]["program_control"]
    assert _field(control, 0, 7) == _highest_register(stages["vertex"])
    assert _field(control, 8, 15) == max(_highest_register(stages["fragment"]), position or 0, inputs - 1)
    assert _field(control, 16, 17) == (3 if target == "adreno" else 1)
    assert _field(control, 18, 18) == int(position is not None)
    assert _field(control, 20, 23) == inputs - 1
    assert _field(control, 24, 26) == 0
    assert _field(control, 27, 30) == 2 * colours
    misc = keys["fragment"]["context_misc"]
    assert (_field(misc, 2, 3), _field(misc, 1, 1)) == (1, int(position is not None))
    assert _field(misc, 8, 15) == (position or 0)
    assert (stages["fragment"].reflection.host_state or {}).get("parameter_register") == position
    assert keys["fragment"]["interpolator_control"] == ((1 << inputs) - 1) * 0x10001
    assert keys["vertex"]["context_misc"] == 0


@pytest.mark.parametrize("target", TARGETS)
def test_a_point_size_is_a_second_vector(target: str) -> None:
    keys: Any = _link(target, "gl_FragColor = w;", "gl_PointSize = 3.0;")["vertex"].artifact.map_keys
    assert _field(keys["program_control"], 24, 26) == 2


def test_a_depth_is_in_the_export_mode() -> None:
    source = "#extension GL_EXT_frag_depth : enable\nvoid main() { gl_FragColor = vec4(1.0); gl_FragDepthEXT = 0.5; }"
    keys: Any = glslc_multi.compile(source, target="xenos", stage="fragment").artifact.map_keys
    assert _field(keys["program_control"], 27, 30) == 3


@pytest.mark.parametrize("target", TARGETS)
def test_words_and_slots_of_fetches_in_c(target: str, tmp_path: Path) -> None:
    """A program includes both headers and walks over the table, as one does that patches fetches."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    stages = _link(target, "gl_FragColor = w + v.x * gl_FragCoord.x;")
    for stage, shader in stages.items():
        (tmp_path / f"{stage}.h").write_text(c_header(shader.artifact, stage, shader.target))
    (tmp_path / "main.c").write_text("""
#include <stdio.h>
#include "vertex.h"
#include "fragment.h"
static const unsigned fetches[VERTEX_FETCHES_COUNT][6] = VERTEX_FETCHES;
int main(void) {
    (void)vertex_code, (void)fragment_code;
    printf("%u %u %d", VERTEX_PROGRAM_CONTROL | FRAGMENT_PROGRAM_CONTROL, FRAGMENT_CONTEXT_MISC,
           FRAGMENT_STATE_parameter_register);
    for (int i = 0; i < VERTEX_FETCHES_COUNT; i++)
        for (int k = 0; k < 6; k++) printf(" %u", fetches[i][k]);
}
""")
    subprocess.run([compiler, "-Wall", "-Werror", "-o", "main", "main.c"], cwd=tmp_path, check=True)
    found = [int(n) for n in subprocess.run([tmp_path / "main"], capture_output=True, check=True).stdout.split()]
    keys: dict[str, Any] = {stage: shader.artifact.map_keys for stage, shader in stages.items()}
    control = keys["vertex"]["program_control"] | keys["fragment"]["program_control"]
    parameter = (stages["fragment"].reflection.host_state or {})["parameter_register"]
    names = ("attribute_number", "vertex_constant", "format", "offset", "stride")
    rows = [[slot, *(row[name] for name in names)] for row in keys["vertex"]["fetches"] for slot in row["slots"]]
    assert len(rows) == 4
    assert found == [control, keys["fragment"]["context_misc"], parameter, *(n for row in rows for n in row)]
