"""The generated images of a block, all together: found, numbered for the algebra, read by the module, and filled.

The option is `--images`; without it there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from backends.pica200.codegen.fragment.arithmetic import Number, TooLong
from backends.pica200.codegen.fragment.colours import is_output
from backends.pica200.codegen.fragment.host_tables import UnitCode
from backends.pica200.codegen.fragment.hosting import Host, Unbounded
from backends.pica200.codegen.fragment.images.coordinates import coordinate_of, read_coordinate
from backends.pica200.codegen.fragment.images.find import find_images
from backends.pica200.codegen.fragment.images.unit import ImageUnit
from backends.pica200.codegen.fragment.promises import PLACE
from backends.pica200.codegen.fragment.refusals.operations import refuse_length, refuse_unbounded
from backends.pica200.codegen.fragment.units import IMAGE, Generated, number_of_coordinate
from compiler.analysis.affine import AffineArithmetic
from compiler.analysis.ranges import Interval
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import IMAGE_EDGE, IMAGE_RANGE
from compiler.ir.module import Instruction
from compiler.ir.types import SAMPLER_2D
from compiler.ir.variables import Variable


class Images:
    """What of a block is read from images; where the module has been wired, each in its unit."""

    def __init__(
        self,
        block: Iterable[Instruction],
        host: Host,
        promises: Mapping[Variable, Interval],
        others: Collection[Instruction],
        sink: DiagnosticSink,
    ) -> None:
        self._promises = promises
        self._units: dict[int, ImageUnit] = {}
        for index, image in enumerate(find_images(block, host, others)):
            coordinate = image.parts[0].variable
            number = number_of_coordinate(coordinate) if is_output(coordinate) else index
            try:
                self._units[number] = ImageUnit(image, f"texture{number}", block, host, promises)
            except Unbounded as failure:
                refuse_unbounded(image.values[0], failure, sink)
            except TooLong:
                refuse_length(image.values[0], sink)

    @property
    def numbers(self) -> Mapping[Instruction, Sequence[Number]]:
        """What the algebra takes for the values of images."""
        return {value: numbers for unit in self._units.values() for value, numbers in unit.numbers().items()}

    def reads(self, promised: Collection[Variable], sink: DiagnosticSink) -> list[Generated]:
        """What texture units are to read; `promised` are varyings whose limits somebody promised."""
        arithmetic = AffineArithmetic()
        reads = []
        for number, unit in self._units.items():
            for variable in dict.fromkeys(part.variable for part in unit.image.parts):
                if variable not in promised and variable.name not in PLACE and not is_output(variable):
                    help = f"promise its range: #pragma pica200 range {variable.name} 0 1"
                    sink.report(IMAGE_RANGE, unit.image.values[0].span, name=variable.name, help=help)
            carry = partial(read_coordinate, unit.image, promises=self._promises)
            sampler = Variable(f"{IMAGE}{number}", "sampler", SAMPLER_2D, span=unit.image.values[0].span)
            reads.append(Generated(sampler, coordinate_of(unit.image, arithmetic, self._promises), carry))
        return reads

    def code(self, sink: DiagnosticSink) -> list[UnitCode]:
        """What the host fills them from."""
        for unit in self._units.values():
            if unit.jumps:
                sink.report(IMAGE_EDGE, unit.image.values[0].span)
        return [unit.code(number) for number, unit in self._units.items()]

    def errors(self, promises: Mapping[Variable, Interval]) -> dict[tuple[str, str], tuple[float, float]]:
        """By how many steps channels may be off, by source and channel."""
        return dict(error for unit in self._units.values() for error in unit.errors(promises))
