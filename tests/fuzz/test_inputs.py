"""Inputs: the same wherever they are made, of all kinds, and through every production and every option."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from hashlib import sha256
from random import Random

from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.frontends.glsl.preprocess import directives
from tests.frontends.glsl.reference import grammar as rules
from tests.fuzz import grammar
from tests.fuzz.attempt import attempt
from tests.fuzz.case import MODES, Case, Mode
from tests.fuzz.commands import VALUES_OF_WORDS
from tests.fuzz.edits import edit
from tests.fuzz.inputs import Inputs
from tests.fuzz.mutate import mutate
from tests.fuzz.texts import SEEDS, Texts, cut_function, load_texts
from tests.shared_data import PROJECT_ROOT

OWN = (PROJECT_ROOT / "examples", SEEDS)


@cache
def own_texts() -> Texts:
    """The examples: what is there on every machine."""
    return load_texts(OWN)


def cases(mode: Mode, count: int) -> list[Case]:
    inputs = Inputs(mode, 1, own_texts())
    return [inputs.case(number) for number in range(count)]


def digest(mode: Mode) -> str:
    return sha256(repr(cases(mode, 60)).encode()).hexdigest()


def test_inputs_are_the_same_in_another_process() -> None:
    """Whatever the order of sets is there."""
    program = "from tests.fuzz.test_inputs import digest, MODES; print(*map(digest, MODES))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [digest(mode) for mode in MODES]


def test_inputs_depend_on_seed_and_number() -> None:
    texts = own_texts()
    assert len({repr(Inputs("frontend", seed, texts).case(number)) for seed in (1, 2) for number in range(20)}) > 35


def test_all_kinds_occur() -> None:
    for mode in MODES:
        origins = Counter(case.origin for case in cases(mode, 300))
        assert set(origins) == {"mutant", "grammar", "bytes"}
        assert min(origins.values()) >= 5


def test_every_production_occurs() -> None:
    missing = {id(element): element for element in grammar.all_elements()}
    for seed in range(3000):
        seen: set[int] = set()
        grammar.Walk(Random(seed), 300, 300, seen).text(rules.translation_unit)
        grammar.Walk(Random(seed), 60, 300, seen).text(rules.selection_statement)
        missing = {key: element for key, element in missing.items() if key not in seen}
        if not missing:
            break
    assert not missing


def test_every_directive_occurs() -> None:
    lines = "\n".join(grammar.write_directive(Random(seed)) for seed in range(400))
    for name in (*directives._CONDITIONALS, *directives._DIRECTIVES):
        assert f"#{name}" in lines


def test_every_target_level_and_option_occurs() -> None:
    lines = [case.arguments for case in cases("compiler", 1000)]
    words = {word.partition("=")[0].replace("--no-", "--") for line in lines for word in line}
    levels = {line[line.index("-O") + 1] for line in lines}
    assert levels == {"0", "1", "2", "3", "s"}
    for name in target_names():
        assert name in words
        assert {option.flag for option in load_target(name).options} <= words
    assert {"compile", "link", "-D", "-U", "--verify-each", "-fprecise", "-fpreamble", "coordinate"} <= words


def test_options_that_take_words_have_words_here() -> None:
    options = [option for name in target_names() for option in load_target(name).options]
    assert {option.name for option in options if option.default == "" and not option.choices} == set(VALUES_OF_WORDS)


def test_small_edits_leave_most_shaders_valid() -> None:
    texts = own_texts()
    outcomes = Counter(
        attempt(Case("", {f"fuzz.{text.stage[:4]}": edit(text.source, Random(seed)).encode()})).outcome
        for seed in range(6)
        for text in texts.plain
    )
    assert outcomes["accepted"] > 0.8 * outcomes.total()


def test_one_function_of_many_is_cut_out() -> None:
    source = "float a;\nfloat f(float x) { if (x > a) { return x; } return a; }\nvoid g() { }\nvoid main() { g(); }\n"
    cuts = {cut_function(source, Random(seed)) for seed in range(30)}
    assert "float a;\n\nvoid g() { }\n\n" in cuts
    assert all(text.startswith("float a;") and text.count("{") == text.count("}") for text in cuts)


def test_pairs_are_a_vertex_and_a_fragment_shader() -> None:
    pairs = own_texts().pairs
    assert len(pairs) >= 12
    assert {(vertex.stage, fragment.stage) for vertex, fragment in pairs} == {("vertex", "fragment")}


def test_mutants_are_reproducible() -> None:
    assert mutate("void main() {}", Random(1), "float x;") == mutate("void main() {}", Random(1), "float x;")
