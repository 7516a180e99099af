"""C for citro3d, compiled and run here: the registers that its calls set are those of the file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.host.fragment import unit_macros
from glslc_multi.backends.pica200.isa.fragment.container import read, write
from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import BUFFER_COLOR, CONSTANT, STAGE_BASES
from glslc_multi.backends.pica200.isa.fragment.registers.output import ALPHA_TEST, COMPARISONS
from glslc_multi.backends.pica200.isa.fragment.tables import INDEX_REGISTERS
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection, Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source, optimise
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.preamble import take_preamble
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.drivers import pica_colors
from glslc_multi.runtime.program import Program
from tests.backends.pica200.host.stub import COMPILER, run_stages, writes_of
from tests.backends.pica200.isa.fragment.test_encode import random_configuration

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

#: What the host computes: three numbers, and one that a byte cannot hold.
TEXT = """
precision highp float;
uniform vec3 u_tint;
uniform float u_time;
void main() { gl_FragColor = vec4(u_tint * 0.5, u_time * 3.0); }
"""


def artifact(configuration: Configuration, *uniforms: Binding, preamble: bool = False) -> Artifact:
    module = lower_source(make_source(TEXT, "a.frag"), FrontEndOptions(), DiagnosticSink())
    computed = take_preamble(optimise(module, 2, preamble=True)) if preamble else None
    sampler = Binding("u_image", "sampler2D", None, (Location("texture", 2, ""),))
    reflection = Reflection("pica200", "fragment", samplers=(sampler,), uniforms=uniforms)
    return Artifact(write(encode(configuration)), str, reflection, Stats(1, 1, 1, 1), preamble=computed)


@pytest.mark.parametrize("seed", range(12))
def test_binding_sets_the_registers_of_the_file(seed: int, tmp_path: Path) -> None:
    """Whatever another program has left in them."""
    numbers = random.Random(seed)
    before, wanted = (random_configuration(numbers) for _ in range(2))
    programs = {"p": {"fragment": artifact(before)}, "q": {"fragment": artifact(wanted)}}
    main = "p_program p; q_program q; p_init(&p); q_init(&q); p_bind(&p); q_bind(&q); p_free(&p); q_free(&q);"
    calls = run_stages(tmp_path, programs, main)
    writes, fog = writes_of(calls)
    found, expected = registers_after(writes), registers_after(encode(wanted))
    outside = {r for r in expected if r in INDEX_REGISTERS or 0xE8 <= r <= 0xEF or 0x1C8 <= r <= 0x1CF}
    assert {r: found.get(r) for r in expected if r not in outside} == {
        r: value for r, value in expected.items() if r not in outside
    }
    assert fog == wanted.tables.get("fog", fog)
    assert "#define Q_u_image_UNIT 2 " in (tmp_path / "q.h").read_text()


def test_constants_are_computed_of_the_uniforms(tmp_path: Path) -> None:
    configuration = random_configuration(random.Random(4))
    names = ["$preamble.0", "$preamble.1"]
    uniforms = (
        Binding(names[0], "vec3", None, (Location("tev", 3, "xyz", "unorm8"), Location("tev", 6, "yz", first=1))),
        Binding(names[1], "float", None, (Location("tev", 0, "w", "unorm8"),)),
    )
    made = artifact(configuration, *uniforms, preamble=True)
    main = """q_program q; const float tint[] = {0.5f, 1.0f, 0.3f};
    q_init(&q); q_bind(&q); q_set_u_tint(&q, tint); q_set_u_time(&q, 7.0f); q_update(&q);"""
    writes, _ = writes_of(run_stages(tmp_path, {"q": {"fragment": made}}, main))
    found = registers_after(writes)
    stages = configuration.stages
    # floor(255 x + 1/2): 0.25 is 63.75, 0.5 is 127.5, 0.15 is 38.25; what is above 1 is 1.
    assert bytes_of(found[STAGE_BASES[3] + 3]) == (64, 128, 38, stages[3].constant[3])
    assert bytes_of(found[STAGE_BASES[0] + 3]) == (*stages[0].constant[:3], 255)
    red, _, _, alpha = configuration.buffer_colour
    assert bytes_of(found[BUFFER_COLOR.address]) == (red, 128, 38, alpha)


#: Text, and a value of each uniform.
SHADERS: dict[str, dict[str, Any]] = {
    "gl_FragColor = mix(texture2D(u_image, v_uv), vec4(u_tint, 1.0), u_time);": {
        "u_tint": (0.9, 0.1, 0.35),
        "u_time": 0.77,
    },
    "vec4 a = texture2D(u_image, v_uv); if (a.a < u_time) discard; gl_FragColor = vec4(a.rgb * u_tint, a.a);": {
        "u_tint": (1.0, 0.2, 0.6),
        "u_time": 0.31,
    },
    "gl_FragColor = vec4(u_tint * sin(u_time * 3.0), 1.0) * texture2D(u_image, v_uv);": {
        "u_tint": (0.5, 0.25, 1.5),
        "u_time": 0.5,
    },
}


@pytest.mark.parametrize("body", SHADERS)
def test_a_compiled_shader_is_bound_and_set_as_the_host_would(body: str, tmp_path: Path) -> None:
    text = f"""precision highp float;
    uniform sampler2D u_image;
    varying vec2 v_uv;
    uniform vec3 u_tint;
    uniform float u_time;
    void main() {{ {body} }}"""
    shader = glslc_multi.compile(text, target="pica200", stage="fragment")
    values = Program.of(shader).new_values()
    values.set(SHADERS[body])
    words = {u.first + n: word for u in values.take_updates() for n, word in enumerate(pica_colors(u))}
    expected = registers_after(read(shader.binary))
    for number, word in words.items():
        if number < len(STAGE_BASES):
            expected[STAGE_BASES[number] + 3] = word
        else:
            assert number == 7, "the reference of the alpha test"
            expected[ALPHA_TEST.address] |= word << 8
    setters = {"u_tint": "(const float[]){%s}", "u_time": "%s"}
    calls = (
        f"lit_set_{name}(&lit, {setters[name] % ', '.join(f'{float(x)!r}f' for x in np.reshape(value, -1))});"
        for name, value in SHADERS[body].items()
    )
    main = f"lit_program lit; lit_init(&lit); lit_bind(&lit); {' '.join(calls)} lit_update(&lit);"
    writes, _ = writes_of(run_stages(tmp_path, {"lit": {"fragment": shader.artifact}}, main))
    found = registers_after(writes)
    assert {register: found[register] for register in expected} == expected
    assert words, "something is set"


@pytest.mark.parametrize("test", ["", "if (alpha < u_least) discard;"])
@pytest.mark.parametrize("hidden", [True, False])
def test_nothing_passes_where_uniforms_discard_everything(test: str, hidden: bool, tmp_path: Path) -> None:
    text = f"""precision highp float;
    uniform sampler2D u_image; uniform bool u_hidden; uniform float u_least; varying vec2 v_uv;
    void main() {{
        float alpha = texture2D(u_image, v_uv).a;
        if (u_hidden) discard;
        {test}
        gl_FragColor = vec4(1.0, 0.0, 0.0, alpha);
    }}"""
    stages = {"fragment": glslc_multi.compile(text, target="pica200", stage="fragment").artifact}
    least = "q_set_u_least(&q, 0.5f);" if test else ""
    setting = f"q_set_u_hidden(&q, {str(hidden).lower()}); {least} q_update(&q);"
    main = f"q_program q; q_init(&q); q_bind(&q); q_set_u_hidden(&q, true); q_update(&q); {setting}"
    writes, _ = writes_of(run_stages(tmp_path, {"q": stages}, main))
    found = ALPHA_TEST.format.decode(registers_after(writes)[ALPHA_TEST.address])
    if hidden:
        assert (found["enable"], COMPARISONS[found["function"]]) == (1, "never")
    else:
        # A half is 127.5 steps; what is at least that is 128 or more.
        wanted = (1, ">=", 128) if test else (0, "always", 0)
        assert (found["enable"], COMPARISONS[found["function"]], found["reference"]) == wanted


def test_a_projected_image_is_of_the_type_for_it() -> None:
    text = """precision highp float; uniform sampler2D u_a, u_b; varying vec3 v_p; varying vec2 v_uv;
    void main() { gl_FragColor = texture2DProj(u_a, v_p) * texture2D(u_b, v_uv); }"""
    made = glslc_multi.compile(text, target="pica200", stage="fragment").artifact
    projected = [line for line in unit_macros(made, "q") if "GPU_TEX_PROJECTION" in line]
    assert [line.split()[1:3] for line in projected] == [["Q_u_a_UNIT", "0"]]


def bytes_of(word: int) -> tuple[int, ...]:
    return tuple(CONSTANT.format.decode(word)[channel] for channel in "rgba")
