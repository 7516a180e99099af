"""Varyings of linked pairs: which registers they share, and that each value arrives in its place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from glslc_multi.backends.agal.isa.validate import validate_pair
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.programs import compile_program
from glslc_multi.frontends.registry import make_source
from tests.conformance.engines.engines import make_engine
from tests.conformance.engines.machine import make_machine
from tests.conformance.model import Run

_LANES = 4
_WIDTHS = {"float": 1, "vec2": 2, "vec3": 3, "vec4": 4}


def sources(declarations: str, colour: str) -> dict[str, str]:
    """A pair whose varyings hold different numbers of the lane: n-th varying, k-th component: a[k] + n."""
    found = [
        (type, name) for type, names in re.findall(r"(\w+) ([\w, ]+);", declarations) for name in names.split(", ")
    ]
    declared = "".join(f"varying {type} {name};" for type, name in found)
    writes = "".join(
        f"{name} = {type}(a.{'xyzw'[: _WIDTHS[type]]}) + {number + 1}.0;" for number, (type, name) in enumerate(found)
    )
    return {
        "vertex": f"attribute vec4 a; {declared} void main() {{ {writes} gl_Position = a; }}",
        "fragment": f"precision highp float; {declared} void main() {{ gl_FragColor = {colour}; }}",
    }


def linked(texts: dict[str, str], version: int = 1) -> dict[str, Artifact]:
    pair = [make_source(texts[stage], f"a.{stage}", stage) for stage in ("vertex", "fragment")]
    request = Request(target_options={"agal_version": version})
    return dict(compile_program(pair[0], pair[1], load_target("agal"), request, DiagnosticSink()).stages)


def places(stages: dict[str, Artifact]) -> dict[str, str]:
    """Register and components of each varying, on which both stages agree."""
    assert validate_pair(stages["vertex"].binary, stages["fragment"].binary) == []
    found = {
        stage: {
            binding.name: " ".join(f"v{at.index}.{at.components}" for at in binding.locations)
            for binding in artifact.reflection.varyings
        }
        for stage, artifact in stages.items()
    }
    assert found["vertex"] == found["fragment"]
    return found["fragment"]


def check_values(texts: dict[str, str], version: int) -> None:
    """The machine code of the pair computes what the evaluator does."""
    rows = np.random.default_rng(5).integers(-16, 16, (_LANES, 4)) / 8
    run = Run(texts, "pair", _LANES, {"a": tuple(map(tuple, rows))}, {}, ())
    wanted, found = (
        engine.run_values(run).values["gl_FragColor"]
        for engine in (make_engine("reference", 0, {}), make_machine("agal", 2, {"agal_version": str(version)}))
    )
    np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-5)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_nine_vectors_of_two_are_in_five_registers(version: int) -> None:
    names = [f"t{number}" for number in range(9)]
    texts = sources(
        f"vec2 {', '.join(names)};", " + ".join(f"{name}.{'xyyx yxxy'.split()[n % 2]}" for n, name in enumerate(names))
    )
    found = places(linked(texts, version))
    assert {at.split(".")[0] for at in found.values()} == {f"v{number}" for number in range(5)}
    assert sorted(found.values()) == sorted([f"v{n}.{part}" for n in range(5) for part in ("xy", "zw")][:9])
    check_values(texts, version)


@pytest.mark.parametrize(
    ("declarations", "colour", "expected"),
    [
        # Three components first: nrm and its like write those.
        ("float s; vec3 n;", "vec4(n, s)", {"n": "v0.xyz", "s": "v0.w"}),
        ("vec2 t; vec4 c; vec2 u;", "c * vec4(t, u)", {"c": "v0.xyzw", "t": "v1.xy", "u": "v1.zw"}),
        # Nothing to share: in the order of the fragment shader.
        ("vec3 n; vec2 t; vec4 c;", "c * vec4(n, t.x) + t.y", {"n": "v0.xyz", "t": "v1.xy", "c": "v2.xyzw"}),
        # The widest first: in the order of the text they would take three registers.
        (
            "float r, s; vec3 n, o;",
            "vec4(n, r) * vec4(o, s)",
            {"n": "v0.xyz", "r": "v0.w", "o": "v1.xyz", "s": "v1.w"},
        ),
        # What is read counts: the middle of one, the end of the other.
        ("vec4 c, d;", "vec4(c.yz, d.zw)", {"c": "v0.xy", "d": "v0.zw"}),
    ],
)
def test_places(declarations: str, colour: str, expected: dict[str, str]) -> None:
    texts = sources(declarations, colour)
    assert places(linked(texts)) == expected
    check_values(texts, 1)


def test_the_map_says_which_components_are_there() -> None:
    stages = linked(sources("vec4 c, d;", "vec4(c.yz, d.zw)"))
    first = {b.name: [at.first for at in b.locations] for b in stages["fragment"].reflection.varyings}
    assert first == {"c": [1], "d": [2]}


def test_a_normal_is_written_in_place() -> None:
    """By hand: both tokens write v0 themselves, and the position is a third."""
    texts = {
        "vertex": "attribute vec3 a; attribute float b; varying float s; varying vec3 n;"
        "void main() { n = normalize(a); s = b; gl_Position = vec4(a, 1.0); }",
        "fragment": "precision highp float; varying float s; varying vec3 n;void main() { gl_FragColor = vec4(n, s); }",
    }
    stages = linked(texts)
    assert stages["vertex"].stats.instructions == 3
    assert stages["fragment"].stats.instructions == 1


def test_a_part_of_a_product_beside_another_varying() -> None:
    """By hand: m44 op; m44 v0.xy; mov v0.zw.  The rest of the product is not computed for the sake of v0.w."""
    texts = {
        "vertex": "attribute vec4 a, b; attribute float c; uniform mat4 m; varying vec4 p; varying float s;"
        "void main() { p = m * b; s = c; gl_Position = m * a; }",
        "fragment": "precision highp float; varying vec4 p; varying float s;"
        "void main() { gl_FragColor = vec4(p.xy, s, 1.0); }",
    }
    assert linked(texts)["vertex"].stats.instructions == 3


def test_ints_share_with_nobody() -> None:
    texts = {
        "vertex": "#version 300 es\nin vec4 a; flat out int k; out vec2 t; out float s;"
        "void main() { k = int(clamp(a.x, -1.0, 9.0) * 3.0); t = a.yz; s = a.w; gl_Position = a; }",
        "fragment": "#version 300 es\nprecision highp float; flat in mediump int k; in vec2 t; in float s; out vec4 c;"
        "void main() { c = vec4(t, s, float(k)); }",
    }
    assert places(linked(texts)) == {"k": "v0.x", "t": "v1.xy", "s": "v1.z"}


def test_what_does_not_fit_even_so() -> None:
    texts = sources("vec3 a0, a1, a2, a3, a4, a5, a6, a7, a8;", "vec4(a0+a1+a2+a3+a4+a5+a6+a7+a8, 1.0)")
    with pytest.raises(CompileError, match="needs 9 varying registers, agal 1 has 8"):
        linked(texts)
    assert linked(texts, 2)
