"""What an explanation says is true of the bytes: words, fields, and the lines they come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.report.explain.explanation import Explanation, ListedWord, explain_words
from glslc_multi.report.explain.terminal import listing
from tests.glslc_multi.report.explain.shaders import SHADERS, TEXTS, explained


def _whole(size: int) -> Callable[[Sequence[ListedWord]], bytes]:
    """Words of whole bytes, the lowest first."""
    return lambda words: b"".join(listed.word.parts[0].value.to_bytes(size, "little") for listed in words)


def _adreno(words: Sequence[ListedWord]) -> bytes:
    """Pairs of clauses of 48 bits, then instructions of 96."""
    parts = [listed.word.parts[0] for listed in words]
    return b"".join(part.value.to_bytes(part.format.size // 8, "little") for part in parts)


def _theia(words: Sequence[ListedWord]) -> bytes:
    values = [listed.word.parts[0].value for listed in words]
    return "\n".join(f"{value >> 32:08x} {value & 0xFFFFFFFF:08x}" for value in values).encode()


def _xenos(words: Sequence[ListedWord]) -> bytes:
    """The same in dwords whose bytes are the other way round."""
    data = _adreno(words)
    return b"".join(data[at : at + 4][::-1] for at in range(0, len(data), 4))


#: How a target's file holds its words, from the descriptions of the formats.
IN_FILE = {
    "agal": _whole(24),
    "pica200": _whole(4),
    "vc4": _whole(8),
    "adreno": _adreno,
    "theia": _theia,
    "xenos": _xenos,
}


@pytest.mark.parametrize("target", SHADERS)
def test_the_words_are_those_of_the_file(target: str) -> None:
    explanation = explained(target)
    assert IN_FILE[target](explanation.words) in explanation.artifact.binary


@pytest.mark.parametrize("target", SHADERS)
def test_fields_make_the_word_again(target: str) -> None:
    for listed in explained(target).words:
        for part in listed.word.parts:
            assert part.format.accepts(part.value)
            assert part.format.encode({row.name: value for row, value in part.fields}) == part.value


@pytest.mark.parametrize("target", SHADERS)
def test_every_place_is_a_line_of_the_source(target: str) -> None:
    explanation = explained(target)
    lines = {f"0:{number}" for number in range(1, len(TEXTS[SHADERS[target]].splitlines()) + 1)}
    groups = [listed.keys for listed in explanation.words]
    groups += [line.keys for step in explanation.steps for line in step.lines]
    groups += [*explanation.pressure_keys]
    assert {key for keys in groups for key in keys} <= lines
    assert sum(bool(listed.keys) for listed in explanation.words) > 0


def words_of(explanation: Explanation, line: int) -> list[str]:
    return [listed.word.text for listed in explanation.words if f"0:{line}" in listed.keys]


def test_a_word_belongs_to_its_line() -> None:
    explanation = explained("pica200")
    assert len(words_of(explanation, 6)) == 4
    assert all(text.startswith("dp4 o0.") for text in words_of(explanation, 6))
    assert [text.split()[0] for text in words_of(explanation, 7)] == ["mul"]
    assert explanation.words_by_line == {"0:6": 4, "0:7": 1}
    assert explanation.frame == {5: "epilogue"}


def test_a_word_of_a_function_belongs_to_the_call_too() -> None:
    explanation = explained("agal", "a.frag")
    (product,) = words_of(explanation, 5)
    assert product.startswith("mul ")
    assert product in words_of(explanation, 8)
    assert explanation.words_by_line["0:5"] == 1


def test_steps_lead_from_the_front_end_to_registers() -> None:
    names = [step.name for step in explained("pica200", "loop.vert").steps]
    assert names[0] == "front end"
    assert names[-1] == "allocate"
    assert names.index("select") < names.index("assign constants")


def test_graphs_of_a_loop() -> None:
    graphs = explained("pica200", "loop.vert").graphs
    for nodes in graphs.values():
        order = list(range(len(nodes)))
        assert any(target <= number for number in order for target in nodes[number].successors), "a way back"
    assert len(graphs) == 2
    assert not explained("pica200").graphs


def test_pressure_counts_what_is_still_needed() -> None:
    pressure = explained("agal", "a.frag").pressure
    assert pressure is not None and pressure.peak is not None
    # One vec4 is put together before it goes out as a whole.
    assert 3 <= pressure.peak.components <= 4


def test_the_listing_shows_costs_and_code() -> None:
    text = listing(explained("pica200"))
    assert "a.vert: vertex shader for pica200" in text
    assert "    4  6 |     gl_Position = u_matrix * a_position;" in text
    rows = [line.split() for line in text.splitlines()]
    assert [row[2:4] for row in rows if row[:1] == ["000"]] == [["6", "dp4"]]


def test_the_listing_with_fields() -> None:
    text = listing(explained("vc4"), fields=True)
    assert "63:60       sig " in text
    assert text.count("signal; selects the format") == len(explained("vc4").words)


@pytest.mark.parametrize(("target", "name", "cycles"), [("agal", "a.vert", 5), ("pica200", "a.vert", 6)])
def test_cycles_are_counted_by_rows_and_words(target: str, name: str, cycles: int) -> None:
    # AGAL: a product with four rows, and one of two vectors.
    assert f"; about {cycles} cycles\n" in listing(explained(target, name))


def test_cycles_of_sixteen_lanes() -> None:
    explanation = explained("vc4")
    assert f"; about {4 * len(explanation.words)} cycles\n" in listing(explanation)


@pytest.mark.parametrize("target", SHADERS)
def test_words_alone_are_the_same_words(target: str) -> None:
    whole = explained(target)
    source = make_source(TEXTS[SHADERS[target]], whole.files[0].name)
    words = explain_words(source, load_target(target), Request(), DiagnosticSink())
    assert [(listed.word.address, listed.word.text, listed.keys) for listed in words.words] == [
        (listed.word.address, listed.word.text, listed.keys) for listed in whole.words
    ]
    assert (words.numbers, words.words_by_line, words.frame) == (whole.numbers, whole.words_by_line, whole.frame)
    assert not words.steps and not words.graphs and words.pressure is None
