"""Which numbers a case feeds a shader: seeded by the case's name, so that they never change by themselves.

All numbers are dyadic rationals of few bits.  They are exact in every number format that runs them, and the
formulas start from the very values that the shader reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.conformance.define.types import Scalar


@dataclass(frozen=True, slots=True)
class Domain:
    """Multiples of 1/`steps` from `low` to `high`; a quarter of the numbers are `edges`."""

    low: float
    high: float
    steps: int = 8
    edges: tuple[float, ...] = ()
    #: A gap around 0 that no number falls in.
    least: float = 0.0
    #: Added to every multiple, to stay between the edges of texels.
    offset: float = 0.0
    #: In a block of pixels: how far the first component moves to the right and the second upwards; else at random.
    slope: float | None = None

    def pick(self, random: Random) -> float:
        if self.edges and random.random() < 0.25:
            return random.choice(self.edges)
        while True:
            number = (
                random.randint(round(self.low * self.steps), round(self.high * self.steps)) / self.steps + self.offset
            )
            if abs(number) >= self.least:
                return number


ANY = Domain(-4, 4, edges=(0.0, 1.0, -1.0))
SMALL = Domain(-2, 2, 16, (0.0, 1.0, -1.0))
UNIT = Domain(0, 1, 16, (0.0, 1.0))
SIGNED_UNIT = Domain(-1, 1, 64, (0.0, 1.0, -1.0))
POSITIVE = Domain(0.125, 8, 8, (0.125, 1.0, 2.0))
NON_NEGATIVE = Domain(0, 8, 8, (0.0, 1.0, 4.0))
NON_ZERO = Domain(-4, 4, edges=(1.0, -1.0, 0.5), least=0.5)
ANGLE = Domain(-6.5, 6.5, 32, (0.0,))
WHOLE = Domain(-8, 8, 1, (0.0, 1.0, -1.0))
WHOLE_NON_ZERO = Domain(-8, 8, 1, (1.0, -1.0), least=1)
NATURAL = Domain(0, 8, 1, (0.0, 1.0))
#: Whole numbers of 32 bits: small ones, which every machine holds, and those where wrapping shows.
INT = Domain(-1000, 1000, 1, (0.0, -1.0, 2.0**31 - 1, -(2.0**31), 65537.0, -65536.0, 1431655765.0))
UINT = Domain(0, 1000, 1, (0.0, 1.0, 2.0**32 - 1, 2.0**31, 65537.0, 3735928559.0))
INDEX2 = Domain(0, 1, 1)
INDEX3 = Domain(0, 2, 1)
INDEX4 = Domain(0, 3, 1)
COUNT = Domain(0, 6, 1, (0.0,))
TRUTH = Domain(0, 1, 1)
#: Texture coordinates beyond both sides of the image, never on the edge of a texel nor in its middle.
COORDINATE = Domain(-2, 2, 16, offset=1 / 64)

#: What a type's inputs are where a case does not say.
USUAL: dict[Scalar, Domain] = {"float": ANY, "int": WHOLE, "uint": NATURAL, "bool": TRUTH}
