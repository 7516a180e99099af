"""The shader reducer on planted failures."""

from __future__ import annotations

from random import Random

import pytest

from frontends.glsl.reduce import reduce
from tests.generators.glsl import generate


def test_keeps_only_what_the_failure_needs() -> None:
    source = generate(Random(5), "fragment", statements=20).source
    planted = source.replace("void main() {", "void main() {\n    float bad = sin(cos(1.0) + 2.0);", 1)
    smallest = reduce(planted, lambda text: "sin(" in text and text.count("(") == text.count(")"))
    assert "sin(" in smallest
    assert len(smallest) < 20


def test_takes_arguments_out_of_calls() -> None:
    smallest = reduce("float f() { return max(a, min(bad, c)); }\n", lambda text: "bad" in text)
    assert smallest == "bad"


def test_refuses_a_shader_that_does_not_fail() -> None:
    with pytest.raises(ValueError, match="does not fail"):
        reduce("void main() {}\n", lambda _: False)


def test_terminates_on_unbalanced_text() -> None:
    assert reduce("((((\n{{{{\n", lambda text: text.count("(") >= 2).count("(") == 2
