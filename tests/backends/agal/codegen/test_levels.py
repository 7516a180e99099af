"""Levels at which temporaries suffice, forms with branches and without, versions: what is taken and what is said."""

from __future__ import annotations

import pytest

from compiler.diagnostics import CompileError
from tests.backends.agal.compiled import compiled, mnemonics

_FUNCTIONS = """
precision highp float;
varying vec4 v; varying vec4 w;
uniform vec4 a; uniform vec4 b;
void main() {
    vec4 p = sin(v * a), q = sin(v * b), r = sin(w * a), s = sin(w * b);
    vec4 t = p * q, u = q * r, x = r * s, y = s * p;
    vec4 m = t + u * p + x * q + y * r;
    gl_FragColor = (m * p + t * x + u * y) / (m + p * p + q * q + r * r + s * s + 8.0);
}
"""


def test_temporaries_that_suffice_for_another_order_are_reported() -> None:
    (taken,) = compiled(_FUNCTIONS, "fragment").stats.levels
    assert (taken.name, taken.number, taken.count) == ("reordered", 2, 3)
    assert [(other.level, other.why) for other in taken.passed_over] == [
        ("direct", "failed: needs 9 temporary registers, agal 1 has 8")
    ]


def test_more_temporaries_need_no_level() -> None:
    assert compiled(_FUNCTIONS, "fragment", agal_version=2).stats.levels == ()


def test_too_many_constants_are_said_at_once() -> None:
    sums = " + ".join(f"u[{k}] * {k}.25" for k in range(29))
    source = f"precision highp float; uniform vec4 u[29]; void main() {{ gl_FragColor = {sums}; }}"
    with pytest.raises(CompileError, match="constant"):
        compiled(source, "fragment")


def branch(then: str) -> str:
    head = "precision highp float; varying vec4 v; uniform float k;"
    return f"{head} void main() {{ vec4 c = v; if (v.x > k) {{ {then} }} gl_FragColor = c; }}"


def test_the_smaller_form_is_reported_with_the_size_of_the_other() -> None:
    dear = " ".join(f"c = normalize(c + vec4({k}.5));" for k in range(4))
    cheap = dear.replace("normalize", "sin")
    for then, name, other in ((dear, "branching", "flat"), (cheap, "flat", "branching")):
        artifact = compiled(branch(then), "fragment", agal_version=2)
        (taken,) = artifact.stats.levels
        assert (taken.name, taken.policy, taken.count) == (name, "smallest that fits", 2)
        assert (name == "branching") == any(word.startswith("if") for word in mnemonics(artifact))
        (passed_over,) = taken.passed_over
        assert passed_over.level == other
        words = passed_over.why.removeprefix("takes ").removesuffix(" instructions")
        assert int(words) >= artifact.stats.instructions
