"""Constants that no float of a machine is: beyond all exact numbers they stay, and else are refused."""

from __future__ import annotations

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.isa.whole_numbers import held
from tests.compiler.codegen.integers.test_whole_numbers import VERTEX, codes, compiled, result

_LEAST = "for (int i = 0; i < 4; i++) if (k[i] < x) x = k[i];"
#: Statements that set r -> its value by n = 1000, f = 3.7 and k = 7, 5, 9, 6.
_KEPT = {
    f"int x = 0x7fffffff; {_LEAST} r = x;": 5,
    "int x = -0x7fffffff; for (int i = 0; i < 4; i++) if (k[i] > x) x = k[i]; r = x;": 9,
    "int x = 0x7fffffff; int y = int(f); if (y < x) x = y; r = x;": 3,
    "int x = n; for (int i = 0; i < 4; i++) if (k[i] == 9) x = 16777217; r = int(x == 16777216) + 2 * int(x > n);": 2,
    f"int x = 99999999; {_LEAST} if (x == 99999999) x = 3; r = x < 16777216 ? 1 : 0;": 1,
}
#: Two constants that become one, an operation, and a comparison with a number of which nothing is known.
_CHOSEN = "int x = n; for (int i = 0; i < 4; i++) { if (k[i] == 9) x = 16777217; if (k[i] == n) x = %s; }"
_REFUSED = [
    f"{_CHOSEN % '16777218'} r = int(x == 16777217);",
    f"{_CHOSEN % '2'} r = x >> 1;",
    f"{_CHOSEN % '2'} r = x - 16777217;",
    f"{_CHOSEN % '2'} r = int(x < int(f));",
    f"{_CHOSEN.replace('16777217', '-16777217') % '-16777218'} r = int(x == -16777217);",
]


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("body", _KEPT)
@pytest.mark.parametrize("target", VERTEX)
def test_what_only_orders_is_kept(target: str, body: str, level: int) -> None:
    assert result(compiled(body, target, level=level), n=1000, f=3.7, k=[7, 5, 9, 6]) == _KEPT[body]


@pytest.mark.parametrize("body", _REFUSED)
@pytest.mark.parametrize("target", VERTEX)
def test_where_the_number_matters_it_is_refused(target: str, body: str) -> None:
    assert set(codes(body, target)) == {"E0715"}


@pytest.mark.parametrize("target", VERTEX)
def test_what_is_held_is_farther_from_0_and_a_float(target: str) -> None:
    limits = load_target(target).whole_numbers
    assert limits is not None
    exact = limits.exact
    assert [held(number, exact) for number in (exact, exact - 1, -exact)] == [exact, exact - 1, -exact]
    assert held(exact + 1, exact) == exact + 2
    assert held(-exact - 1, exact) == -exact - 2
    assert held(2**31 - 1, exact) == 2**31
