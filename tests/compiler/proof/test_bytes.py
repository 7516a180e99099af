"""Fragment shaders of machines that compute with bytes: within the bound that the compiler states."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.records import replace
from tests.generators.combiners import fitting_shader
from tests.proof.prove import compile_text, prove_artifact, prove_text, prove_with_fault

HEAD = """
precision mediump float;
varying vec2 v_uv; varying vec4 v_tint; uniform sampler2D u_map, u_other; uniform vec4 u_colour; uniform float u_part;
"""
BODIES = {
    "product": "gl_FragColor = texture2D(u_map, v_uv) * v_tint;",
    "computed by the host": "gl_FragColor = texture2D(u_map, v_uv) * sin(u_part) + u_colour * 0.3;",
    "mix": "gl_FragColor = mix(texture2D(u_map, v_uv), texture2D(u_other, v_uv), v_tint.a) + v_tint * u_part;",
    "dot": "gl_FragColor = vec4(dot(v_tint.rgb * 2.0 - 1.0, texture2D(u_map, v_uv).rgb * 2.0 - 1.0));",
    "clamp": "gl_FragColor = clamp(texture2D(u_map, v_uv) + v_tint - 0.5, 0.0, 1.0) * u_colour;",
    "discard": "vec4 c = texture2D(u_map, v_uv) * v_tint; if (c.a < u_part) discard; gl_FragColor = c;",
    "discard of a texel": "vec4 c = texture2D(u_map, v_uv); if (c.a < u_part) discard; gl_FragColor = c;",
    "nothing is drawn": "if (u_part < 0.5) discard; gl_FragColor = texture2D(u_map, v_uv) * v_tint;",
}


@pytest.mark.parametrize("rounding", ["azahar", "hardware"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_right_stages_are_within_their_bound(body: str, rounding: str) -> None:
    options = {"rounding": rounding}
    module, artifact = compile_text(f"{HEAD}void main() {{ {body} }}", "pica200", "fragment", options=options)
    verdict = prove_artifact(module, artifact, "pica200", options=options, draws=64)
    assert verdict.outcome in ("equal", "near"), verdict
    assert 255 * verdict.distance <= (artifact.stats.error_steps or 0.0) + 0.01


def test_a_colour_that_is_handed_on_is_equal() -> None:
    verdict = prove_text(f"{HEAD}void main() {{ gl_FragColor = texture2D(u_map, v_uv); }}", "pica200", "fragment")
    assert verdict.outcome == "equal"


def test_limits_that_are_promised_are_those_of_inputs() -> None:
    text = f"#pragma pica200 range u_colour 2 4\n{HEAD}void main() {{ gl_FragColor = v_tint * u_colour * 0.25; }}"
    assert prove_text(text, "pica200", "fragment", draws=32).outcome == "near"


def test_no_generated_shader_differs() -> None:
    outcomes = []
    for seed in range(24):
        random = Random(seed)
        text, rounding = fitting_shader(random), random.choice(("azahar", "hardware"))
        try:
            verdict = prove_text(text, "pica200", "fragment", draws=16, options={"rounding": rounding})
        except CompileError:
            continue
        outcomes.append(verdict.outcome)
    assert len(outcomes) > 12
    assert set(outcomes) <= {"equal", "near"}


#: Body, and what is changed in the text of its stages.
FAULTS = [
    ("product", "primary.rgb", "primary.aaa"),
    ("product", "texture0.a", "texture0.r"),
    ("mix", "texture1.rgb", "texture0.rgb"),
    ("clamp", "- 0.5", ""),
    ("discard", "function=>=", "function=<"),
    ("discard of a texel", "function=>=", "function=<="),
]


@pytest.mark.parametrize(("name", "right", "wrong"), FAULTS)
def test_other_stages_differ(name: str, right: str, wrong: str) -> None:
    text = f"{HEAD}void main() {{ {BODIES[name]} }}"
    verdict = prove_with_fault(text, "pica200", lambda code: code.replace(right, wrong), "fragment", draws=64)
    assert verdict.outcome == "differs", verdict


def test_a_bound_that_is_too_small_differs() -> None:
    """Products are cut off, which the half of a step that rounding takes is not enough for."""
    module, artifact = compile_text(f"{HEAD}void main() {{ {BODIES['product']} }}", "pica200", "fragment")
    assert artifact.stats.error_steps == 1.0
    assert prove_artifact(module, _bounded(artifact, 0.0), "pica200", draws=32).outcome == "differs"


def _bounded(artifact: Artifact, steps: float) -> Artifact:
    return replace(artifact, stats=replace(artifact.stats, error_steps=steps))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "vec4 c = texture2D(u_map, v_uv);"
            "gl_FragColor = vec4(mix(u_colour.rgb, c.rgb, exp2(-u_part * gl_FragCoord.z)), c.a);",
            "tables and images that the host computes",
        ),
        ("gl_FragColor = vec4(vec3(max(dot(normalize(v_n), u_l), 0.0)), 1.0);", "the lighting unit"),
    ],
)
def test_what_other_units_do_is_unknown(body: str, reason: str) -> None:
    text = f"{HEAD}varying vec3 v_n; uniform vec3 u_l; void main() {{ {body} }}"
    verdict = prove_text(text, "pica200", "fragment")
    assert (verdict.outcome, verdict.reason) == ("unknown", reason)
