"""Lighting in a block, all together: its cosines, the functions of them, and their numbers for the algebra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.arithmetic import Number
from backends.pica200.codegen.fragment.host_tables import UnitCode
from backends.pica200.codegen.fragment.hosting import Host
from backends.pica200.codegen.fragment.lighting.bound import Errors, LightingErrors
from backends.pica200.codegen.fragment.lighting.cosines import Cosines
from backends.pica200.codegen.fragment.lighting.functions import Functions
from backends.pica200.codegen.fragment.lighting.lit_pixel import LitPixel, light_pixel
from backends.pica200.codegen.fragment.lighting.registers import lighting_code
from backends.pica200.codegen.fragment.lighting.tables import Evaluator
from backends.pica200.codegen.fragment.lighting.unit import Bump
from backends.pica200.codegen.fragment.lighting.vectors import Vectors
from compiler.analysis.ranges import Interval
from compiler.ir.module import Block, Instruction
from compiler.ir.variables import Variable


class Lighting:
    """What of a block the lighting unit may do."""

    def __init__(self, block: Block, host: Host) -> None:
        self.cosines = Cosines(Vectors(block, host))
        self._functions = Functions(block, host, self.cosines)
        self._evaluator = Evaluator(self._functions, host)

    @property
    def numbers(self) -> Mapping[Instruction, Sequence[Number]]:
        """What the algebra takes for these instructions."""
        return self._functions.numbers

    def light(self, channels: Sequence[Polynomial], unit_of: Mapping[Instruction, int]) -> LitPixel | None:
        """The pixel by the unit's colours; None where the unit cannot do it."""
        lit = light_pixel(channels) if self.cosines.is_carried else None
        if lit is None:
            return None
        rotation = self.cosines.rotation
        if rotation is not None and rotation.lookup is not None:
            lit.unit.bump = Bump(unit_of[rotation.lookup], rotation.has_z)
        return lit

    def errors(self, lit: LitPixel, promises: Mapping[Variable, Interval]) -> dict[tuple[str, str], Errors]:
        """By how many steps the unit's colours may be off, by source and channel."""
        return LightingErrors(lit.unit, self._evaluator, promises).of_channels()

    def code(self, lit: LitPixel) -> UnitCode:
        return lighting_code(lit.unit, self._functions, self._evaluator)
