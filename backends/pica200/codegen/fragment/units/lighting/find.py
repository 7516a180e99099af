"""Lighting in a block, all together: its cosines, functions of them, their numbers for the algebra, and messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import PixelValue
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, Unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Polynomial
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import refuse, refuse_unbounded
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import Cosines
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import (
    Functions,
    has_jumps,
    lit_numbers,
    open_numbers,
)
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.lit_pixel import LitPixel, lit_pixels
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.registers import lighting_code
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.tables import Errors, Evaluator, LightingErrors
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import Bump
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import Vectors
from glslc_multi.backends.pica200.codegen.fragment.units.tables import UnitCode
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import COMBINER_LIGHTS, COMBINER_OPERATION, COMBINER_SOFT_EDGE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Variable


class Lighting:
    """What of a block the lighting unit may do."""

    def __init__(self, block: Block, host: Host) -> None:
        self.cosines = Cosines(Vectors(block, host))
        self._functions = Functions(block, host, self.cosines)
        self._evaluator = Evaluator(self._functions, host)

    @property
    def numbers(self) -> Mapping[Instruction, Sequence[PixelValue]]:
        """What the algebra takes for these instructions."""
        return self._functions.numbers

    def lit(self, channels: Sequence[Polynomial], unit_of: Mapping[Instruction, int]) -> Iterator[LitPixel]:
        """Yield the pixel by the unit's colours, in the ways in which the unit can have them."""
        rotation = self.cosines.rotation
        for lit in lit_pixels(channels) if self.cosines.is_carried else ():
            if rotation is not None and rotation.lookup is not None:
                lit.unit.bump = Bump(unit_of[rotation.lookup], rotation.has_z)
            yield lit

    def errors(self, lit: LitPixel, promises: Mapping[Variable, Interval]) -> dict[tuple[str, str], Errors]:
        """By how many steps the unit's colours may be off, by source and channel."""
        return LightingErrors(lit.unit, self._evaluator, promises).of_channels()

    def code(self, lit: LitPixel) -> UnitCode:
        return lighting_code(lit.unit, self._evaluator)


def refuse_lighting(channels: Sequence[Polynomial], span: Span | None, sink: DiagnosticSink) -> NoReturn:
    """Functions of normal, light and view that the lighting unit cannot join so."""
    refuse(
        sink,
        COMBINER_OPERATION,
        span,
        construct="lighting of this form",
        notes=(
            "the lighting unit yields ambient + sums of diffuse * max(dot(N, L), 0), and sums of colours times "
            "functions of dot(N, L), dot(N, H), dot(N, V), of which two can be multiplied",
        ),
        help=_help_for(channels),
    )


def _help_for(channels: Sequence[Polynomial]) -> str:
    """Tell which light's length, or clamp, may have been forgotten."""
    numbers = {number for channel in channels for number in lit_numbers(channel) if not number.is_cosine}
    for low, high in sorted((number.low, number.low + number.width) for number in numbers):
        if low < 0 or high > 1:
            limits = f"{float(low):.3g} to {float(high):.3g}"
            return f"a function of the surface is {limits}, and tables hold 0 to 1: normalise the light, or clamp it"
    return "write it as sums of such products, or set lights up by hand: #include <pica200.glsl>"


def refuse_raw_normals(block: Block, host: Host, sink: DiagnosticSink) -> None:
    """A varying beside a direction is no colour but a normal, which nothing but the lighting unit has."""
    for product in (instruction for instruction in block if instruction.op is ops.DOT):
        for one, other in (product.operands, product.operands[::-1]):
            if _is(ops.LOAD, one) and not host.is_host(one) and _is(ops.NORMALIZE, other) and host.is_host(other):
                assert isinstance(one, Instruction)
                refuse(
                    sink,
                    COMBINER_OPERATION,
                    product.span,
                    construct="a product with a direction that is not normalised",
                    help=f"normalize({one.address.variable.name}): the lighting unit has no other",
                )


def _is(op: Opcode, value: Value) -> bool:
    return isinstance(value, Instruction) and value.op is op


def refuse_open_functions(channels: Sequence[Polynomial], sink: DiagnosticSink) -> None:
    """Tables hold numbers up to a largest one, and a function that has none, as 1 / dot(N, L), would be cut off."""
    for number in open_numbers(channels):
        if number.value is not None and number.open is not None:
            refuse_unbounded(number.value, Unbounded(number.open), sink, what="this function of the surface")


def warn_of_lighting(lit: LitPixel, span: Span | None, sink: DiagnosticSink) -> None:
    """Sums that the unit clamps though the shader does not; that the host's numbers keep them low is taken on trust.
    And functions that jump, of which tables make slopes."""
    if any(has_jumps(use.content) for use in lit.unit.tables.values()):
        sink.report(COMBINER_SOFT_EDGE, span, target=TARGET_NAME)
    for value in lit.exceeding:
        sink.report(COMBINER_LIGHTS, span, target=TARGET_NAME, high=f"{float(range_of(value)[1]):g}")
