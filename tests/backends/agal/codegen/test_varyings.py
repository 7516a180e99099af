"""Which registers varyings have: of a stage alone, and of columns that share some."""

from __future__ import annotations

from glslc_multi.backends.agal.codegen.varyings import VaryingPlace, are_shared, named_places, packed
from glslc_multi.compiler.ir.types import VEC2, VEC4
from glslc_multi.compiler.ir.variables import Variable


def test_a_stage_alone_goes_by_the_alphabet_and_the_window_comes_last() -> None:
    variables = [Variable(name, "varying", VEC4) for name in ("z", "$window", "a")]
    variables.append(Variable("m", "varying", VEC2, columns=2, dims=(2,)))
    places = {element: place.register for element, place in named_places(variables).items()}
    elements = {("m", element, column): 1 + 2 * element + column for element in (0, 1) for column in (0, 1)}
    assert places == {("a", 0, 0): 0, **elements, ("z", 0, 0): 5, ("$window", 0, 0): 6}


def test_the_widest_columns_come_first_each_into_the_first_with_room() -> None:
    """GLSL ES 1.00 appendix A section 7, by hand: 3 + 1, 2 + 2, and 2 alone."""
    a, b, c, d, e = ((name, 0, 0) for name in "abcde")
    parts = {a: range(1), b: range(1, 3), c: range(3), d: range(2), e: range(2, 4)}
    assert packed(parts) == {
        c: VaryingPlace(0, 0, 0, 3),
        a: VaryingPlace(0, 3, 0, 1),
        b: VaryingPlace(1, 0, 1, 2),
        d: VaryingPlace(1, 2, 0, 2),
        e: VaryingPlace(2, 0, 2, 2),
    }
    assert are_shared(packed(parts))
    assert not are_shared(packed({c: range(3), b: range(2)}))
