"""Setters in C at the ends of their uniforms and beyond: under sanitizers, and against a list that is sliced."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.compiler.host_code.c_uniforms import CMachine, c_uniforms
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.program import Program
from tests.compiler.host_code.test_c_uniforms import EVERYTHING, Words, check, printed, text_of, words_printed
from tests.host_values import Flat, drawn, element_type, give, setter_call, stages_of

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")

_LEAST, _MOST = -(2**31), 2**31 - 1


def edges(length: int) -> Iterator[tuple[int, int]]:
    """First elements and counts: all of it, its ends, what begins or ends outside, and what overflows when added up."""
    for first in (_LEAST, -1, 0, 1, length - 1, length, _MOST):
        for count in (_LEAST, -1, 0, 1, 2, length - 1, length, length + 1, _MOST):
            yield first, count


def edge_calls(function: str, uniform: HostUniform, values: Flat) -> Iterator[str]:
    """Calls for one array; `values` become what it holds in the end.

    Nothing lies behind the elements that a call gives, and nothing at all where there is none to be set.
    """
    length = uniform.length
    assert length is not None
    size, type = len(values) // length, element_type(uniform)
    for number, (first, count) in enumerate(edges(length)):
        taken = max(min(count, length - first), 0) if 0 <= first < length else 0
        places = range(first * size, (first + taken) * size)
        for place in places:
            values[place] = (number + place) % 2 if type == "int" else (number * 16 + place) / 8  # type: ignore[assignment]
        numbers = ", ".join(map(str, (values[place] for place in places)))
        buffer = f"(const {type}[]){{{numbers}}}" if numbers else "NULL"
        yield f"{function}(program, {_literal(first)}, {_literal(count)}, {buffer});"


def _literal(number: int) -> str:
    return "INT32_MIN" if number == _LEAST else str(number)


@pytest.mark.parametrize("target", ["pica200", "adreno", "vc4", "xenos"])
def test_arrays_take_what_lies_in_them(tmp_path: Path, target: str) -> None:
    shader = glslc_multi.compile(EVERYTHING, target=target, stage="vertex")
    stages = stages_of(shader)
    machine = Words()
    made = c_uniforms(HostProgram(stages, "lit"), CMachine(machine.store))
    uniforms = host_uniforms(stages)
    values = drawn(uniforms, 45)
    calls = [setter_call(f"lit_set_{made.members[each.name]}", each, values[each.name]) for each in uniforms]
    arrays = [each for each in uniforms if each.length is not None]
    assert len(arrays) >= 4
    for each in arrays:
        calls += edge_calls(f"lit_set_{made.members[each.name]}", each, values[each.name])
    # Whatever was written beside a uniform comes to light.
    calls.append("lit_put_all(program);")
    program = Program.of(shader)
    uploaded = program.new_values()
    give(uploaded, uniforms, values)
    check(words_printed(printed(tmp_path, text_of(made, machine.spaces, calls)), machine), program, uploaded)
