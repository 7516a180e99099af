"""A fault in generated code is seen: for each rule one is planted, and the checks of whole programs fail.

A fifth of them by a fixed seed; all with GLSLC_MULTI_ALL=1.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

import glslc_multi
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.backends.pica200.host.programs import check_program
from tests.backends.pica200.host.stub import COMPILER
from tests.backends.pica200.host.test_program import ATTRIBUTES, GEOMETRY, LOOPS, VERTEX
from tests.compiler.host_code.test_c_uniforms import COMPUTED, EVERYTHING
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

_PIXELS = """
#pragma pica200 range u_density 0 8
precision highp float;
uniform sampler2D u_image; uniform vec3 u_tint, u_fog; uniform float u_least, u_density; uniform bool u_shown;
varying vec2 v_uv;
void main() { %s }
"""
_PLAIN = """attribute vec4 a_position; attribute vec2 a_uv; varying vec2 v_uv;
void main() { gl_Position = a_position; v_uv = a_uv; }"""
_PIXEL_PROGRAMS = {
    "combiners": """vec4 t = texture2D(u_image, v_uv); if (t.a < u_least) discard;
        gl_FragColor = vec4(t.rgb * (1.0 - t.a) * u_tint * 2.0, t.a);""",
    "nothing drawn": "if (!u_shown) discard; gl_FragColor = vec4(u_tint, 1.0);",
    "fog": """gl_FragColor = vec4(mix(u_fog, texture2D(u_image, v_uv).rgb, exp(-u_density * gl_FragCoord.z)), 1.0);""",
    "place": "gl_FragColor = vec4(texture2D(u_image, gl_FragCoord.xy * u_density).rgb * u_tint, 1.0);",
    "image": """vec2 c = v_uv - 0.5; vec4 t = texture2D(u_image, v_uv);
        gl_FragColor = vec4(t.rgb * u_tint * clamp(1.0 - u_density * dot(c, c), 0.0, 1.0), t.a);""",
}
_VERTEX_PROGRAMS = {
    "uniforms": EVERYTHING,
    "preamble": COMPUTED,
    "loops": f"#version 330\n{LOOPS}",
    "attributes": ATTRIBUTES,
}


@cache
def made(name: str) -> CompiledShader | CompiledProgram:
    if name in _VERTEX_PROGRAMS:
        return glslc_multi.compile(
            _VERTEX_PROGRAMS[name], target="pica200", stage="vertex", preamble=name == "preamble"
        )
    if name in _PIXEL_PROGRAMS:
        options = {"images": name == "image"}
        text = _PIXELS % _PIXEL_PROGRAMS[name]
        return glslc_multi.link(_PLAIN, text, target="pica200", options=options)
    if name == "geometry":
        return glslc_multi.link(VERTEX, GEOMETRY, target="pica200", fragment_filename="a.geom")
    assert name == "lights"
    folder = PROJECT_ROOT / "examples/projects/3ds-cube/source"
    return glslc_multi.link(*((folder / f"cube.{end}").read_text() for end in ("vert", "frag")), target="pica200")


@pytest.mark.parametrize("name", [*_VERTEX_PROGRAMS, *_PIXEL_PROGRAMS, "geometry", "lights"])
def test_nothing_is_wrong_without_a_fault(name: str, tmp_path: Path) -> None:
    check_program(tmp_path, made(name), 1)


#: What is wrong: the program, what stands in its source, and what is to stand there.
FAULTS = {
    # Uniforms.
    "a wrong register": ("uniforms", r"_SHADER, 30, value\[0\]", "_SHADER, 95, value[0]"),
    "swapped columns": ("uniforms", r"value\[4 \+ i\], value\[8 \+ i\]", "value[8 + i], value[4 + i]"),
    "columns for rows": (
        "uniforms",
        r"value\[i\], value\[4 \+ i\], value\[8 \+ i\], value\[12 \+ i\]",
        "value[4 * i], value[4 * i + 1], value[4 * i + 2], value[4 * i + 3]",
    ),
    "matrices that overlap": ("uniforms", r"4 \+ 4 \* i \+ j\)", "4 + 3 * i + j)"),
    "one element too few": ("uniforms", r"i < 5", "i < 4"),
    "a component twice": (
        "uniforms",
        r"value\[0\], value\[1\], value\[2\], 0.0f",
        "value[0], value[1], value[1], 0.0f",
    ),
    "a bool the other way round": ("uniforms", r"(C3D_BoolUnifSet\(.*), ", r"\1, !"),
    "a count that is one more": ("uniforms", r"\(int32_t\)value\[0\] - 1\)", "(int32_t)value[0])"),
    "a loop without its count": ("uniforms", r"    C3D_IVUnifSet.*\n", ""),
    "a setter that sets nothing": ("uniforms", r"(void lit_set_v\([^}]*)    lit_put_v\(program\);\n", r"\1"),
    "a uniform that binding forgets": ("uniforms", r"(lit_put_all\([^}]*)    lit_put_v\(program\);\n", r"\1"),
    "a stale result": ("preamble", r"(void lit_set_\w+\([^}]*)    program->is_stale = true;\n", r"\1"),
    "a result in a wrong register": ("preamble", r"(lit_vertex_preamble\(&(.|\n)*_SHADER, )\d+", r"\g<1>77"),
    "a loop that starts elsewhere": ("loops", r"\{0, 1\}, \{0, 2\}", "{1, 1}, {0, 2}"),
    "a loop with another step": ("loops", r"\{0, 1\}, \{0, 2\}", "{0, 1}, {0, 1}"),
    "a viewport that begins at its centre": ("place", r"= x \+ width / 2", "= x"),
    "a viewport's whole width for its half": ("place", r"\[0\] = width / 2", "[0] = width"),
    "a viewport's width for its height": ("place", r"= y \+ height / 2", "= y + width / 2"),
    # Programs.
    "a wrong word of code": ("geometry", r"0x504c5644", "0x504c5645"),
    "no geometry stride": ("geometry", r"DVLE\[1\], 4\)", "DVLE[1], 0)"),
    "no geometry shader": ("geometry", r"\n.*shaderProgramSetGsh.*\)\) \{|\n.*shaderProgramSetGsh.*< 0", ""),
    "the wrong part of the file": (
        "geometry",
        r"SetVsh\(&program->shader, &program->file->DVLE\[0\]",
        "SetVsh(&program->shader, &program->file->DVLE[1]",
    ),
    "a register of the other unit": ("geometry", r"GPU_GEOMETRY_SHADER", "GPU_VERTEX_SHADER"),
    # Vertices.
    "no order of many attributes": ("attributes", r"    info->permutation = .*\n", ""),
    "two attributes exchanged": ("attributes", r"permutation = 0x(.)(.)", r"permutation = 0x\2\1"),
    "a wrong register of an attribute": ("lights", r"AddLoader\(info, 0,", "AddLoader(info, 3,"),
    "a wrong width of an attribute": ("lights", r"GPU_FLOAT, 3\)", "GPU_FLOAT, 4)"),
    "a wrong format of an attribute": ("lights", r"GPU_FLOAT, 3\)", "GPU_SHORT, 3)"),
    "an attribute less": ("lights", r"    AttrInfo_AddLoader\(info, 2.*\n", ""),
    "attributes of the program before": ("lights", r"    AttrInfo_Init\(info\);\n", ""),
    "a wrong order in the buffer": ("lights", r"3, 0x210\)", "3, 0x120)"),
    "a wrong stride": ("lights", r"sizeof \*vertices, 3", "sizeof *vertices + 4, 3"),
    "a wrong count in the buffer": ("lights", r"vertices, 3, 0x210", "vertices, 2, 0x210"),
    # Combiners.
    "an inert stage left out": ("combiners", r"    env = C3D_GetTexEnv\(5\);\n(    C3D_TexEnv\w+\(env.*\n)+", ""),
    "a wrong source": ("combiners", r"GPU_TEXTURE0", "GPU_TEXTURE1"),
    "operands of the program before": ("combiners", r"C3D_TexEnvInit\(env\);", "(void)env;"),
    "operands left out": ("combiners", r"    C3D_TexEnvOp.*\n", ""),
    "another function": ("combiners", r"GPU_MODULATE", "GPU_ADD"),
    "no scale": ("combiners", r"    C3D_TexEnvScale.*\n", ""),
    "the buffer of the program before": ("combiners", r"    C3D_TexEnvBufUpdate\(C3D_RGB.*\n", ""),
    "channels exchanged": ("combiners", r"constant0\[0\]\)", "constant0[1])"),
    "bytes cut off": ("combiners", r"\(255.0 \* number \+ 0.5\)", "(255.0 * number)"),
    "a constant of another stage": (
        "combiners",
        r"C3D_TexEnvColor\(C3D_GetTexEnv\(\d\)",
        "C3D_TexEnvColor(C3D_GetTexEnv(5)",
    ),
    "another comparison of alpha": ("combiners", r"GPU_GEQUAL", "GPU_GREATER"),
    "no reference": ("combiners", r"GPU_GEQUAL, \(int\).*\);", "GPU_GEQUAL, 0);"),
    "alpha of the program before": (
        "nothing drawn",
        r"(_bind\((.|\n)*?)    C3D_AlphaTest.*\n((.|\n)*)    if \(!(.|\n)*else\n    .*\n",
        r"\1\3",
    ),
    "drawn where nothing is": ("nothing drawn", r"if \(!\(", "if (("),
    # Fog, lights, images.
    "no fog": ("fog", r"GPU_FOG,", "GPU_NO_FOG,"),
    "fog from the other end": ("fog", r"GPU_PLAIN_DENSITY, true", "GPU_PLAIN_DENSITY, false"),
    "fog without slopes": ("fog", r"fog\[n \+ 1\] - fog\[n\]", "fog[n] - fog[n]"),
    "fog of another colour": ("fog", r"C3D_FogColor\((?!0)", "C3D_FogColor(~"),
    "a table of fog that is not bound": ("fog", r"    C3D_FogLutBind.*\n", ""),
    "lights switched off": ("lights", r"0x08F, 0xF, 0x00000001", "0x08F, 0xF, 0x00000000"),
    "a register of lights left out": ("lights", r"    GPUCMD_AddMaskedWrite\(0x1C4.*\n", ""),
    "red and blue of lights exchanged": ("lights", r"colour\[0\]\) << 20", "colour[2]) << 20"),
    "colours of lights cut off": (
        "lights",
        r"ceil\(fmax\(255.0 \* limited - 0x1p-10, 0.0\)\)",
        "floor(255.0 * limited)",
    ),
    "a light at another place": ("lights", r"0x144", "0x145"),
    "floats of 16 bits cut off": ("lights", r"over < under \? below \+ 1 : below", "over < under ? below : below"),
    "lines that do not rise": ("lights", r"\(u32\)fabs\(rise\) << 12 \|", ""),
    "a table at another place": ("lights", r"0xF, number << 8\)", "0xF, (number + 1) << 8)"),
    "columns for rows of texels": (
        "image",
        r"2 \* bit \| \(u32\)\(above >> bit & 1\) << \(2 \* bit \+ 1\)",
        "(2 * bit + 1) | (u32)(above >> bit & 1) << 2 * bit",
    ),
    "blocks in another order": (
        "image",
        r"above / 8 \* \(columns / 8\) \+ x / 8",
        "above / 8 + x / 8 * (image->height / 8)",
    ),
    "texels with hard edges": ("image", r"GPU_LINEAR", "GPU_NEAREST"),
    "channels of texels in another order": ("image", r"texel << 8 \| (\(channels.*255\));", r"texel >> 8 | \1 << 24;"),
    "an image on another unit": ("image", r"C3D_TexBind\(\d", "C3D_TexBind(2"),
}


PLANTED = [*FAULTS] if os.environ.get("GLSLC_MULTI_ALL") else Random(45).sample([*FAULTS], len(FAULTS) // 5)


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_seen(fault: str, tmp_path: Path) -> None:
    name, pattern, replacement = FAULTS[fault]

    def edit(text: str) -> str:
        planted, count = re.subn(pattern, replacement, text)
        if count == 0:
            pytest.fail(f"nothing to plant it in: {text}")
        return planted

    with pytest.raises(AssertionError):
        check_program(tmp_path, made(name), 1, edit)
