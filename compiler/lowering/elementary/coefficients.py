"""Polynomials of least relative error for elementary functions, found by `tests.compiler.lowering.elementary.minimax`.

`error` is the largest relative error of the polynomial itself, in exact arithmetic; what number formats add is
measured by the tests of `lower-transcendentals`.
"""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Polynomial:
    """Coefficients from the constant one on, good between `low` and `high`."""

    low: float
    high: float
    coefficients: tuple[float, ...]
    error: float


#: sin(2 pi sqrt(u)) / sqrt(u): the sine of an angle in turns, over that angle.
SIN_TURNS = Polynomial(
    0.0, 0.0625, (6.28318527379, -41.3416774784, 81.6022312427, -76.5749921821, 39.7109181439), 5.3e-09
)
#: (2^f - 1) / f
EXP2 = Polynomial(
    -0.5,
    0.5,
    (0.693147187927, 0.24022649795, 0.0555035743364, 0.00961823749373, 0.00133907354781, 0.000154035127617),
    1.1e-08,
)
#: log2(1 + t) / t, from sqrt(1/2) to sqrt(2)
LOG2 = Polynomial(
    -0.2928932188134524,
    0.41421356237309515,
    (
        1.44269500365,
        -0.721347346802,
        0.480910642941,
        -0.360703682945,
        0.287916248338,
        -0.238944818695,
        0.215715601099,
        -0.207269762217,
        0.125837052018,
    ),
    2.6e-08,
)
#: atan(sqrt(u)) / sqrt(u)
ATAN = Polynomial(
    0.0,
    1.0,
    (
        0.99999990099,
        -0.333319907465,
        0.199697239011,
        -0.140194809279,
        0.0991429287174,
        -0.0594863936673,
        0.0242524034283,
        -0.00469327609989,
    ),
    9.9e-08,
)
#: asin(sqrt(u)) / sqrt(u)
ASIN = Polynomial(
    0.0, 0.25, (1.00000007951, 0.166651301761, 0.0754715331736, 0.0396778924877, 0.0505920253378), 8.0e-08
)
