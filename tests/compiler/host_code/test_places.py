"""Runs of registers: as loops they copy what the locations of the register map say, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import glslc_multi
from glslc_multi.compiler.artifact import Binding, Location
from glslc_multi.compiler.host_code.places import Run, Step, runs_of, shape_of, size_of

SHADER = """attribute vec4 p;
struct Lamp { mat3 turn; float power; vec2 size[2]; };
uniform mat4 m; uniform mat4 bones[3]; uniform Lamp lamps[2]; uniform vec3 v; uniform float f[5];
void main() {
    vec3 sum = v;
    for (int i = 0; i < 3; i++) sum += (bones[i] * p).xyz;
    for (int i = 0; i < 2; i++) sum += lamps[i].turn * p.xyz * lamps[i].power + lamps[i].size[1].xyx;
    for (int i = 0; i < 5; i++) sum *= f[i];
    gl_Position = m * vec4(sum, 1.0);
}
"""


def copies(run: Run) -> Iterator[tuple[str, int, str, str, int]]:
    """What the loops of a run do, as the docstring of the module writes them."""
    for turns in product(*(range(step.count) for step in run.steps)):
        register = run.first + sum(turn * step.register for turn, step in zip(turns, run.steps, strict=True))
        moved = sum(turn * step.source for turn, step in zip(turns, run.steps, strict=True))
        for letter, source in zip(run.components, run.sources, strict=True):
            yield run.space, register, letter, run.transform, source + moved


def copies_one_by_one(binding: Binding) -> Iterator[tuple[str, int, str, str, int]]:
    """The same by the contract of `Location`, from the value as nested lists [element][column][row]."""
    columns, rows = shape_of(binding.type)
    numbers = iter(range(size_of(binding)))
    value = [[[next(numbers) for _ in range(rows)] for _ in range(columns)] for _ in range(binding.length or 1)]
    for place in binding.locations:
        matrix = value[place.element]
        line = [column[place.column] for column in matrix] if place.transform == "transpose" else matrix[place.column]
        for letter, number in zip(place.components, line[place.first :], strict=False):
            yield place.space, place.index, letter, place.transform, number


@pytest.mark.parametrize("target", ["pica200", "agal", "adreno", "vc4"])
def test_loops_copy_what_the_locations_say(target: str) -> None:
    uniforms = glslc_multi.compile(SHADER, target=target, stage="vertex").reflection.uniforms
    assert {uniform.name for uniform in uniforms} >= {"m", "bones", "lamps[].turn", "v", "f"}
    for uniform in uniforms:
        expected = sorted(copies_one_by_one(uniform))
        assert sorted(copy for run in runs_of(uniform) for copy in copies(run)) == expected
        assert len({(space, register, letter) for space, register, letter, *_ in expected}) == len(expected)


def test_rows_of_an_array_of_matrices_are_two_loops() -> None:
    places = tuple(
        Location("c", 10 + 5 * element + row, "xyz", "transpose", element, row)
        for element in range(2)
        for row in range(4)
    )
    (run,) = runs_of(Binding("m", "mat3x4", 2, places))
    assert run == Run("c", 10, "xyz", "transpose", (0, 4, 8), (Step(2, 5, 12), Step(4, 1, 1)))
    assert run.registers == (10, 11, 12, 13, 15, 16, 17, 18)


def test_registers_that_are_filled_differently_are_runs_of_their_own() -> None:
    places = tuple(Location("c", n, letter, "identity", n) for n, letter in enumerate("xxyx"))
    assert [run.registers for run in runs_of(Binding("f", "float", 4, places))] == [(0, 1), (2,), (3,)]


@pytest.mark.parametrize(
    ("type_name", "shape"),
    [("float", (1, 1)), ("ivec3", (1, 3)), ("mat2", (2, 2)), ("mat4x2", (4, 2)), ("bool", (1, 1)), ("bvec2", (1, 2))],
)
def test_shapes(type_name: str, shape: tuple[int, int]) -> None:
    assert shape_of(type_name) == shape
