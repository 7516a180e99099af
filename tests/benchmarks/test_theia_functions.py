"""The measurements of THEIA's functions: right values, and a page that lists every function."""

from __future__ import annotations

import numpy as np

from benchmarks.theia_functions import FUNCTIONS, PAGE, measure


def test_values_and_costs_are_measured() -> None:
    x = np.array([[0.25, 4.0, 2.25], [1.0, 9.0, 0.0]])
    found = measure("sqrt(x)", x, x)
    bare = measure("x", x, x)
    assert found.values.tolist() == [[0.5, 2.0, 1.5], [1.0, 3.0, 0.0]]
    assert found.instructions > bare.instructions
    assert found.cycles > bare.cycles


def test_the_page_has_every_function() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [function.text for function in FUNCTIONS if f"| `{function.text}` |" not in text] == []
