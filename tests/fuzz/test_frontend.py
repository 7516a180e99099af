"""A sample of the front end's fuzzing; `python -m tests.fuzz.frontend --count 20000` runs more."""

from __future__ import annotations

from random import Random

from tests.fuzz.frontend import examine, fuzz, seeds
from tests.fuzz.mutate import mutate


def test_mutated_shaders_end_in_a_module_or_in_diagnostics() -> None:
    report = fuzz(seeds([]), 300, seed=2)
    assert report.findings == []
    assert report.outcomes["accepted"] > 10
    assert report.outcomes["rejected"] > 100


def test_random_characters_end_in_diagnostics() -> None:
    random = Random(3)
    for _ in range(200):
        text = "".join(chr(random.choice((random.randrange(128), random.randrange(0x110000)))) for _ in range(60))
        text = text.encode("utf-8", "replace").decode("utf-8")
        assert examine(text, random.choice(("vertex", "fragment"))) == "rejected"


def test_mutants_are_reproducible() -> None:
    assert mutate("void main() {}", Random(1), "float x;") == mutate("void main() {}", Random(1), "float x;")
