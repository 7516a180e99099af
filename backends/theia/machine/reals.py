"""Programs in real numbers in place of fixed point: what a lifter reads.

A word is the number that it stands for: 2^-17 for 1, so that addresses and masks are numbers, too.  Operations on
digits take words apart and put them together again; what they mean `digits.py` finds out when registers are values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import reduce

from glslc_multi.backends.theia.isa.conventions import SCENE_VALUES, TEXTURE_SIZE
from glslc_multi.backends.theia.isa.instructions import Row, decode
from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import Variant, physical
from glslc_multi.backends.theia.machine.arithmetic import Unit
from glslc_multi.backends.theia.machine.constants import LANES, lane_word
from glslc_multi.backends.theia.machine.execute import WRITES, Edges, Point
from glslc_multi.backends.theia.machine.pixel import PixelProgram
from glslc_multi.backends.theia.machine.scene_values import rows_of_scene, values_of_scene
from glslc_multi.compiler.arithmetic.protocol import Number, wrap_to_int32
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.execution.machine_code import TEXTURE_EXTENT, Given, Slot
from glslc_multi.compiler.execution.program import Element, Lanes, Named

#: The words of texture memory.
TEXELS = Named("texels")
#: Key of whether no colour leaves.
UNWRITTEN = "unwritten"
_NORMAL = SCENE_VALUES.index("Normal")


class RealUnit(Unit):
    """The arithmetic unit over floats."""

    def iconst(self, value: int) -> Number:
        return self.core.fconst(wrap_to_int32(value) / ONE)

    def fadd(self, x: Number, y: Number) -> Number:
        return self.core.fadd(x, y)

    def fsub(self, x: Number, y: Number) -> Number:
        return self.core.fsub(x, y)

    iadd, isub = fadd, fsub

    def fmul(self, x: Number, y: Number) -> Number:
        return self.core.fmul(x, y)

    def products(self, x: Sequence[Number], y: Sequence[Number]) -> Sequence[Number]:
        return [self.core.fmul(left, right) for left, right in zip(x, y, strict=True)]

    def narrowed(self, x: Number) -> Number:
        return x

    cut_sum = narrowed

    def fdiv(self, x: Number, y: Number) -> Number:
        return self.core.fdiv(x, y)

    def length(self, x: Sequence[Number]) -> Number:
        return self.core.fsqrt(reduce(self.core.fadd, self.products(x, x)))

    def ilt(self, x: Number, y: Number) -> Number:
        return self.core.flt(x, y)

    def ieq(self, x: Number, y: Number) -> Number:
        return self.core.feq(x, y)

    def iabs(self, x: Number) -> Number:
        return self.core.fabs(x)

    # --- Digits -------------------------------------------------------------------------------------------------------

    def bits_and(self, x: Number, y: Number) -> Number:
        return self._number(self.core.bits_and(self.word(x), self.word(y)))

    def imul(self, x: Number, y: Number) -> Number:
        return self._number(self.core.imul(self.word(x), self.word(y)))

    def shr(self, x: Number, count: Number) -> Number:
        return self._number(self.core.shr(self.word(x), self.core.iconst(FRACTION_BITS)))

    def shl(self, x: Number, count: Number) -> Number:
        return self._number(self.core.shl(self.word(x), self.core.iconst(FRACTION_BITS)))

    def word(self, x: Number) -> Number:
        """The integer that a number is in the machine."""
        return self.core.ftoi(self.core.fmul(x, self.core.fconst(float(ONE))))

    def _number(self, word: Number) -> Number:
        return self.core.fmul(self.core.itof(word), self.core.fconst(1.0 / ONE))


class RealProgram(PixelProgram):
    """A pixel in real numbers."""

    word: Element = "float"

    def __init__(self, program: Program, rows: Collection[int], reflection: Reflection, lanes: Lanes) -> None:
        super().__init__(program, rows, lanes)
        self.unit: RealUnit = RealUnit(lanes.operations)
        decoded = map(decode, program.words)
        if program.variant == "icarus" and any(each and each.instruction.name == "MAG" for each in decoded):
            lanes.fault("lengths of icarus come from a table")
        if _NORMAL in values_of_scene(reflection):
            lanes.fault("the normal of the scene is made of two edges")

    def finish(self) -> None:
        super().finish()
        self.lanes.output(UNWRITTEN, self.lanes.operations.bnot(self.lanes.read(WRITES, "i1")), "i1")

    def step(self, place: Point) -> Edges:
        """Forget which instruction came before where nothing depends on that, so that paths meet."""
        edges = super().step(place)
        return [(self._without_previous(after), condition) for after, condition in edges]

    def _without_previous(self, place: Point) -> Point:
        """Return the place that nothing came before, if an instruction does the same there."""
        alone = Point(place.address, returns=place.returns)
        return alone if self._issue(alone) == self._issue(place) else place

    def texels(self, addresses: Row) -> Row:
        return tuple([self.lanes.load(TEXELS, self.unit.word(address), self.word) for address in addresses])


def real_constants(
    constant: Callable[[int], Given], reflection: Reflection, variant: Variant
) -> Callable[[int], Given]:
    """What `constant` gives, as numbers; the size of the texture and values of the scene stand in their rows."""
    extents = {(physical(TEXTURE_SIZE, variant), lane): Slot(TEXTURE_EXTENT, 0, 0) for lane in range(LANES)}
    own = {
        lane_word(register, lane): given
        for (register, lane), given in (extents | rows_of_scene(reflection, variant)).items()
    }

    def number(index: int) -> Given:
        if index in own:
            return own[index]
        given = constant(index)
        # What the scene does not have is 0.
        return given if isinstance(given, Slot) else wrap_to_int32(given) / ONE if isinstance(given, int) else 0.0

    return number
