"""Levels at which temporaries suffice, forms with branches and without, versions: what is taken and what is said."""

from __future__ import annotations

import pytest

from compiler.diagnostics import CompileError
from tests.backends.agal.compiled import compiled, mnemonics, refusal

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


# --- Later versions ---------------------------------------------------------------------------------------------------


def uniforms(count: int) -> str:
    sums = " + ".join(f"u[{k}]" for k in range(count))
    return (
        f"precision highp float; varying vec4 v; uniform vec4 u[{count}]; void main() {{ gl_FragColor = v + {sums}; }}"
    )


@pytest.mark.parametrize(("count", "version", "advice"), [(29, 1, 2), (64, 1, 2), (65, 1, 3), (65, 2, 3), (200, 1, 3)])
def test_the_first_later_version_that_would_do_is_named(count: int, version: int, advice: int) -> None:
    found = refusal(uniforms(count), "fragment", agal_version=version)
    needs = {1: 28, 2: 64}[version]
    assert found.message == f"needs {count} constant registers, agal {version} has {needs}"
    assert found.help == f"'u' may have {needs} elements at most; --agal-version {advice} would do"
    assert compiled(uniforms(count), "fragment", agal_version=advice)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_no_version_is_named_where_none_would_do(version: int) -> None:
    found = refusal(uniforms(201), "fragment", agal_version=version)
    assert found.help == f"'u' may have { ({1: 28, 2: 64, 3: 200}[version]) } elements at most"


def test_each_level_is_tried_where_temporaries_are_too_few() -> None:
    """Constants that are too many, and code that is too long, are so at every level."""
    (taken,) = compiled(_MORE, "fragment").stats.levels
    assert (taken.name, taken.number, taken.count, taken.policy) == ("recomputed", 3, 3, "first that fits")
    assert [other.level for other in taken.passed_over] == ["direct", "reordered"]
    assert compiled(_MORE, "fragment", agal_version=2).stats.levels == ()


_MORE = _FUNCTIONS.replace("vec4 t =", "vec4 k = v + w, o = v * w; vec4 t =").replace(
    "gl_FragColor = (m * p + t * x + u * y)", "gl_FragColor = (k + o) * (m * k * p + t * x + u * y + o)"
)
