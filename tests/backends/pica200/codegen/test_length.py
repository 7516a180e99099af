"""What is said of the length of code before registers are given out, compared with the code."""

from __future__ import annotations

import pytest

from glslc_multi.backends.pica200.codegen import build
from glslc_multi.backends.pica200.codegen.length import expected_words, least_words
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.regalloc import RegisterModel, allocate
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.pica200.compiled import compiled

_STRAIGHT = """
attribute vec4 a; attribute vec3 n; uniform mat4 m; uniform vec4 light; varying vec4 v_color;
void main() {
    vec3 normal = normalize(n);
    float facing = max(dot(normal, light.xyz), 0.0);
    v_color = vec4(light.rgb * facing, light.a);
    gl_Position = m * a;
}
"""
_BRANCHES = """
attribute vec4 a; uniform vec4 k; varying vec4 v_color;
void main() {
    vec4 sum = a;
    for (int i = 0; i < 5; i++) {
        if (sum.x > k.x) { sum = sum.wzyx * k + a; } else { sum.xy -= k.zw; }
        sum += a * float(i);
    }
    v_color = sum.x < 2.0 ? sum : k;
    gl_Position = sum;
}
"""


def _told(source: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, int]:
    """Words at least, words expected, and the words of a shader without calls."""
    told: list[tuple[int, int]] = []

    def listening(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
        told.append((least_words(function), expected_words(function, ())))
        allocate(function, model, sink)

    monkeypatch.setattr(build, "allocate", listening)
    words = compiled(source, opt=1).stats.code_words
    ((least, expected),) = told
    return least, expected, words


def test_the_length_of_straight_code_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    least, expected, words = _told(_STRAIGHT, monkeypatch)
    assert least <= expected == words


def test_the_length_of_branches_is_known_but_for_padding(monkeypatch: pytest.MonkeyPatch) -> None:
    least, expected, words = _told(_BRANCHES, monkeypatch)
    assert least <= expected <= words <= expected + 3


_ONE_SELECT = """
attribute vec4 a; uniform vec4 k; varying vec4 v_color;
void main() {
    vec4 sum = a;
    if (sum.x > 0.25 && a.y < 0.5) sum = sum.wzyx * 0.5 + k;
    v_color = sum;
    gl_Position = sum + a;
}
"""
_TWO_SELECTS = """
attribute vec4 a; uniform vec4 k; varying vec4 v_color;
void main() {
    vec4 sum = a * k, other = a;
    if (sum.x > 0.25) { sum = sum.wzyx * 0.5 + k; other = sum * k; }
    v_color = sum;
    gl_Position = sum + other;
}
"""


@pytest.mark.parametrize("source", [_ONE_SELECT, _TWO_SELECTS])
def test_the_form_that_will_be_shorter_is_finished_alone(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With branches or with selects."""
    told: list[int] = []
    finished: list[MachineFunction] = []

    def telling(self: build.Build) -> int:
        told.append(words_of(self))
        return told[-1]

    def listening(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
        finished.append(function)
        allocate(function, model, sink)

    words_of = build.Build.words
    monkeypatch.setattr(build.Build, "words", telling)
    monkeypatch.setattr(build, "allocate", listening)
    words = compiled(source).stats.code_words
    assert len(told) == 2 and len(finished) == 1
    assert min(told) <= words <= min(told) + 1
