"""A program on lanes, and the slots of the register map that its keys mean: what a proof reads.

A word is a number, 17 of whose digits are behind the point: rounding is no part of it, nor is overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, cast

from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.conventions import (
    ALPHA,
    CODE_SPACE,
    PIXEL,
    RAW_STEPS,
    RAW_THREE,
    ROW_SPACE,
    SCENE_SPACE,
    SCENE_VALUES,
    SINK,
    TEXTURE_SIZE,
)
from glslc_multi.backends.theia.isa.instructions import Row
from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN, WORD_MASK
from glslc_multi.backends.theia.isa.program import ORIGIN, Program
from glslc_multi.backends.theia.isa.registers import BY_NAME, Variant, physical
from glslc_multi.backends.theia.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.backends.theia.machine.arithmetic import BY_ZERO, Unit
from glslc_multi.backends.theia.machine.constants import LANES, immediate_word, lane_word
from glslc_multi.backends.theia.machine.execute import OUTPUT, WRITES
from glslc_multi.backends.theia.machine.pixel import PixelProgram
from glslc_multi.backends.theia.machine.reals import UNWRITTEN, RealProgram, real_constants
from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import wrap_to_int32
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.execution.machine_code import Fetch, Given, Lookup, MachineCode, Outputs, ReadSlot, Slot
from glslc_multi.compiler.execution.program import Lanes
from glslc_multi.compiler.proof.field import Element
from glslc_multi.compiler.proof.numbers import Number, Unsupported, number_of
from glslc_multi.compiler.proof.operations import ProofOperations
from glslc_multi.compiler.proof.words import Bits
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.lifting.interface import Interface

#: The pixel's place, among the values of the scene.
_PLACE, _FRONT = SCENE_VALUES.index("FragCoord"), SCENE_VALUES.index("FrontFacing")
#: Texels in each direction.
_SIZE = 16
#: The least number above 0.
_SMALLEST = 1 / ONE
#: How near, in parts of it, an approximation of a root is when it takes the root's place.
_CONVERGED = 1e-6


def machine_code(artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
    """The program of an artifact: the block of constants, then the shader of a pixel."""
    program, reflection = unpack(artifact.binary, cast("Variant | None", options.get("variant"))), artifact.reflection
    variant = program.variant
    bindings = (*reflection.varyings, *reflection.inputs, *reflection.uniforms)
    places = [location for binding in bindings for location in binding.locations]
    rows = {physical(place.index, variant): place.index for place in places if place.space == ROW_SPACE}
    is_raw = any("w" in place.components for binding in reflection.outputs for place in binding.locations)
    is_register = variant == "v1.2"

    def make(lanes: Lanes) -> _Program:
        if any(place.space == SCENE_SPACE and place.index not in (_PLACE, _FRONT) for place in places):
            raise Unsupported("values of the scene")
        return _Program(program, rows, lanes)

    def output(slot: Slot, outputs: Outputs) -> Number:
        if slot.component == LANES:
            return _number(outputs[ALPHA, 0])
        return _number(outputs[physical(SINK, variant) if is_register else OUTPUT, slot.component])

    constant = _constants(program, {place.index for place in places if place.space == CODE_SPACE})
    code = MachineCode(
        make=make,
        input=lambda key: Slot(ROW_SPACE, rows[key[0]], key[1]),
        constant=constant,
        output=output,
        stored=lambda a, slot, x: x if is_raw else a.select(a.flt(x, _ZERO), _ZERO, x),
        discarded=lambda outputs: not is_register and not outputs[WRITES],
        lookup=_lookup(options),
        # Constants have 17 digits behind the point, polynomials are good for as many.
        largest={"int": WHOLE_NUMBERS.exact},
        rounding=2.0**-16,
        step=_SMALLEST,
    )
    colour = physical(SINK, variant) if is_register else OUTPUT
    return replace(
        code,
        real=replace(
            code,
            make=lambda lanes: RealProgram(program, rows, reflection, lanes),
            constant=real_constants(constant, reflection, variant),
            output=lambda slot, outputs: outputs[(ALPHA, 0) if slot.component == LANES else (colour, slot.component)],
            discarded=lambda outputs: None if is_register else outputs[UNWRITTEN],
            width=LANES,
            refine=_refine,
            is_exact=False,
            word_of=lambda point: program.index_of(point.address) or 0,
        ),
    )


def _refine(module: Module, interface: Interface) -> None:
    """Find out what operations on digits mean."""
    from glslc_multi.backends.theia.machine.digits import read_digits

    read_digits(module, interface)


# --- Numbers ----------------------------------------------------------------------------------------------------------


def _number(word: Number | int) -> Number:
    """A word as a number."""
    if isinstance(word, Number):
        return word
    return word.origin if isinstance(word, Bits) else number_of(wrap_to_int32(word) / ONE)


_ZERO = _number(0)


class _Unit(Unit):
    """The arithmetic unit over numbers, which are words of any kind."""

    core: ProofOperations

    def __init__(self, core: ProofOperations) -> None:
        super().__init__(core)
        #: Roots by the elements of what loops took for them.
        self._roots: dict[Element, Number] = {}

    def read(self, word: Number | int) -> Number:
        """A word as a number; a root for what was taken for it."""
        number = _number(word)
        return self._roots.get(number.element, number) if self._roots else number

    def iconst(self, value: int) -> Number:
        return _number(value)

    # --- Algebra ------------------------------------------------------------------------------------------------------

    def fadd(self, x: Number, y: Number) -> Number:
        return self.core.fadd(self.read(x), self.read(y))

    def fsub(self, x: Number, y: Number) -> Number:
        return self.core.fsub(self.read(x), self.read(y))

    iadd, isub = fadd, fsub

    def products(self, x: Sequence[Number], y: Sequence[Number]) -> Sequence[Number]:
        return [self._product(self.read(left), self.read(right)) for left, right in zip(x, y, strict=True)]

    def _product(self, x: Number, y: Number) -> Number:
        """With the smallest number it is what is in front of the point, as a word."""
        if y.value == _SMALLEST:
            return number_of(float(self.core.ftoi(x)) * _SMALLEST)
        return self.core.fmul(x, y)

    def narrowed(self, x: Number) -> Number:
        return x

    cut_sum = narrowed

    def fdiv(self, x: Number, y: Number) -> Number:
        left, right = self.read(x), self.read(y)
        if self.core.feq(right, _ZERO):
            largest = _number(BY_ZERO)
            return self.core.fneg(largest) if self.core.flt(left, _ZERO) else largest
        return self.core.fdiv(left, right)

    def length(self, x: Sequence[Number]) -> Number:
        return self.core.fsqrt(reduce(self.core.fadd, self.products(x, x)))

    # --- Comparisons --------------------------------------------------------------------------------------------------

    def ilt(self, x: Number, y: Number) -> bool:
        left, right = self.read(x), self.read(y)
        return not self._is_root(right, left) and self.core.flt(left, right)

    def ieq(self, x: Number, y: Number) -> bool:
        return self.core.feq(self.read(x), self.read(y))

    def iabs(self, x: Number) -> Number:
        return self.core.fabs(self.read(x))

    def _is_root(self, guess: Number, better: Number) -> bool:
        """Tell whether `better` is Newton's step from a `guess` that is as good as the root, and let it take its place.

        better = (guess + square / guess) / 2.
        """
        core = self.core
        if not 0.0 < guess.value - better.value <= _CONVERGED * guess.value:
            return False
        square = core.fmul(core.fsub(core.fadd(better, better), guess), guess)
        found = core.fsqrt(square)
        self._roots[guess.element] = found
        return True

    # --- Digits -------------------------------------------------------------------------------------------------------

    def bits_and(self, x: Number, y: Number) -> Number:
        """With the sign: its place.  With one run of digits: what is below them is cut off, what is above them left
        out.  Of whole words the bits."""
        core, number, mask = self.core, self.read(x), _word(self.read(y)) & WORD_MASK
        if mask == SIGN:
            return number_of(-SIGN / ONE) if core.flt(number, _ZERO) else _ZERO
        step, end = (mask & -mask) / ONE, mask + (mask & -mask)
        if not mask or end & end - 1:
            return _number(_word(number) & mask)
        if step > _SMALLEST:
            number = self._floor_to(number, step)
        return number if end > WORD_MASK else core.fsub(number, self._floor_to(number, end / ONE))

    def _floor_to(self, x: Number, step: float) -> Number:
        """The multiple of a step that is not above a number."""
        size = number_of(step)
        return self.core.fmul(self.core.ffloor(self.core.fdiv(x, size)), size)

    def imul(self, x: Number, y: Number) -> Number:
        return _number(_word(self.read(x)) * _word(self.read(y)))

    def shr(self, x: Number, count: Number) -> Number:
        """The whole part, as a word."""
        if _word(count) != FRACTION_BITS:
            raise Unsupported("shifts")
        return number_of(self.core.ffloor(self.read(x)).value % (1 << 32 - FRACTION_BITS) / ONE)

    def shl(self, x: Number, count: Number) -> Number:
        """The word as a whole number."""
        if _word(count) != FRACTION_BITS:
            raise Unsupported("shifts")
        return number_of(float(_word(self.read(x))))


def _word(x: Number) -> int:
    """The word of a number that has no more digits than the machine."""
    scaled = x.value * ONE
    if not scaled.is_integer():
        raise Unsupported("bits of a number")
    return wrap_to_int32(int(scaled))


# --- The program ------------------------------------------------------------------------------------------------------


class _Program(PixelProgram):
    """A pixel in numbers."""

    unit: _Unit

    def __init__(self, program: Program, rows: Collection[int], lanes: Lanes) -> None:
        super().__init__(program, rows, lanes)
        self.unit = _Unit(lanes.operations)  # type: ignore[arg-type]

    def leave(self, addresses: Row, words: Row) -> None:
        super().leave(addresses, tuple(map(self.unit.read, words)))

    def texels(self, addresses: Row) -> Row:
        """Three words a texel, texels a row of the texture after the other."""
        texels = []
        for address in addresses:
            place, lane = divmod(_word(self.unit.read(address)), LANES)
            row, column = divmod(place, _SIZE)
            place_numbers = [number_of(float(column)), number_of(float(row))]
            colour = self.lanes.sample(0, place_numbers, _ZERO, by_steps=False, is_cube=False)
            texels.append(colour[lane])
        return tuple(texels)


def _lookup(options: Mapping[str, Any]) -> Lookup:
    """Make the nearest texel of a place as code does, where texels have no alpha."""
    is_plain = options.get("filter", "nearest") == "nearest" and options.get("wrap", "repeat") == "repeat"
    size = number_of(float(_SIZE))

    def lookup(a: LaneOperations, coordinate: Sequence[Number], fetch: Fetch) -> Sequence[Number]:
        if not is_plain:
            raise Unsupported("lookups that mix texels, or clamp")
        texels = [a.ffloor(a.fmul(component, size)).value % _SIZE for component in coordinate]
        return [*fetch([number_of(texel) for texel in texels])[:LANES], number_of(1.0)]

    return lookup


# --- Values -----------------------------------------------------------------------------------------------------------


def _constants(program: Program, patched: Collection[int]) -> Callable[[int], Given]:
    """Words that all pixels share here: lanes of registers, then immediate values, in which uniforms stand."""
    variant = program.variant
    rows: dict[int, tuple[Given, ...]] = {
        PIXEL: (0, 1, 2),
        RAW_THREE: (3, 3, 3),
        RAW_STEPS: (0, 1, 2),
        TEXTURE_SIZE: (_SIZE * ONE,) * LANES,
        BY_NAME[variant]["CREG_PIXEL_2D_POSITION"]: (_corner(0), _corner(1), 0),
        # A triangle in the plane of x and y, seen from its front (along -z) or from its back.
        BY_NAME[variant]["CREG_E1_LAST"]: (ONE, 0, 0),
        BY_NAME[variant]["CREG_E2_LAST"]: (0, ONE, 0),
        BY_NAME[variant]["CREG_RAY_DIRECTION"]: (0, 0, _along),
    }
    given = {
        lane_word(physical(row, variant), lane): word for row, words in rows.items() for lane, word in enumerate(words)
    }
    first = immediate_word(0)

    def constant(number: int) -> Given:
        if number < first:
            return given.get(number, 0)
        index = number - first
        address = ORIGIN + index
        return Slot(CODE_SPACE, address, 0) if address in patched else program.words[index] & WORD_MASK

    return constant


def _along(a: LaneOperations, read: ReadSlot) -> Any:
    """Say where the ray goes along z."""
    front = read(Slot(SCENE_SPACE, _FRONT, 0))
    return _ZERO if front is None else _number(-ONE if _number(front).value else ONE)


def _corner(component: int) -> Callable[[LaneOperations, ReadSlot], Any]:
    """A pixel's place below its centre."""

    def corner(a: LaneOperations, read: ReadSlot) -> Any:
        centre = read(Slot(SCENE_SPACE, _PLACE, component))
        return _ZERO if centre is None else a.fsub(centre, a.fconst(0.5))

    return corner
