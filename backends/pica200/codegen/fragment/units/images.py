"""Generated images: their numbers for the algebra, the tables that the host fills them from, and their errors.

An image of one number has a row of 256 texels, one of two numbers 64 by 64; the unit draws lines between them, but for
images with truth values, which it reads at the nearest texel.  What lies beyond 0 to 1 is stored as
(value - low) / width.  The option is `--images`; without it there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import isfinite

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import JUMPS, HostTruth, PixelValue, TooLong
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, HostTable, PreambleWriter, Unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Channel, polynomial, rational
from glslc_multi.backends.pica200.codegen.fragment.read.promises import PLACE
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import refuse_length, refuse_unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.walk import is_output
from glslc_multi.backends.pica200.codegen.fragment.units.image_values import (
    Image,
    coordinate_of,
    find_images,
    read_coordinate,
)
from glslc_multi.backends.pica200.codegen.fragment.units.tables import UnitCode, samples_of, values_at
from glslc_multi.backends.pica200.codegen.fragment.units.textures import IMAGE, Generated, number_of_coordinate
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.compiler.analysis.affine import AffineArithmetic, Part
from glslc_multi.compiler.analysis.ranges import Interval, intervals_of
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import IMAGE_EDGE, IMAGE_RANGE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.types import SAMPLER_2D
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

#: Texels of an image by the numbers that it is a function of: to the right, upwards.
SIZES = {1: (256, 1), 2: (64, 64)}
#: Places at which an image is compared with its function, along each axis.
_PROBES = {1: 256, 2: 16}
#: A texel is rounded to a byte, and so is what the unit reads between two.
_ROUNDING = 1.0
_WHOLE = 255.0
#: Longer functions would take the host long, too.
_MOST_OPERATIONS = 100
#: What a function that jumps changes by between two texels at least, where it does.
_EDGE = 1 / 16
#: Numbers of half texels along an axis are below.
_FINE = 1024


@dataclass(frozen=True, slots=True)
class _Entry:
    """A channel of an image: a component of a value, scaled to 0 to 1."""

    value: Instruction
    component: int
    low: float
    width: float


class ImageUnit:
    """An image in a texture unit."""

    def __init__(
        self, image: Image, source: str, block: Iterable[Instruction], host: Host, promises: Mapping[Variable, Interval]
    ) -> None:
        self.image, self.source = image, source
        self._host = host
        self._cone = _cone(image.values, host)
        if len(self._cone) > _MOST_OPERATIONS:
            raise TooLong
        self._leaves = [i for i in block if i in self._cone and i.op is ops.LOAD]
        ends: dict[Value, Sequence[Interval]] = {}
        for instruction in [i for i in block if i in self._cone]:
            if instruction.op is ops.LOAD:
                ends[instruction] = [promises[instruction.address.variable]] * instruction.type.width
            else:
                operands = [list(ends.get(o) or self._host.interval(o)) for o in instruction.operands]
                ends[instruction] = intervals_of(instruction, operands)
        self._entries = [_entry(value, n, ends[value][n]) for value in image.values for n in range(value.type.width)]
        self.has_truths = any(value.type.kind == "bool" for value in image.values)
        self.jumps = any(i.op in JUMPS for i in self._cone)

    def numbers(self) -> Mapping[Instruction, Sequence[PixelValue]]:
        """What the algebra takes for the values."""
        numbers: dict[Instruction, list[PixelValue]] = {}
        for entry, channel in zip(self._entries, CHANNELS, strict=False):
            texel = polynomial(Channel(self.source, channel))
            number = texel * rational(entry.width) + rational(entry.low)
            numbers.setdefault(entry.value, []).append(HostTruth(texel) if entry.value.type.kind == "bool" else number)
        return numbers

    # what the host does ----------------------------------------------------------------------
    def code(self, unit: int) -> UnitCode:
        """A table for each channel, of all texels from the lower left one on."""
        width, height = SIZES[len(self.image.parts)]
        is_linear = int(not self.has_truths)
        sizes = {"width": width, "height": height, "linear": is_linear}
        code = UnitCode(host_state={f"image{unit}_{name}": number for name, number in sizes.items()})
        for number, entry in enumerate(self._entries):
            name = f"{IMAGE}{unit}.{CHANNELS[number]}"
            table = HostTable(name, width * height, partial(self._texel, entry))
            code.add_table(table, "image", len(CHANNELS) * unit + number)
        return code

    def _texel(self, entry: _Entry, writer: PreambleWriter, index: Value) -> Value:
        """The entry in the middle of a texel."""
        width, height = SIZES[len(self.image.parts)]
        number = writer.builder.op(ops.ITOF, index)
        return self._at(entry, writer, _divided(writer, number, width, (1 / width, 1 / height), 0.5))

    def _at(self, entry: _Entry, writer: PreambleWriter, place: Sequence[Value]) -> Value:
        builder = writer.builder
        coordinates = dict(zip(self.image.parts, place, strict=False))
        for load in self._leaves:
            address = load.address
            parts = [Part(address.variable, address.offset, address.column, n) for n in range(load.type.width)]
            writer.given(load, builder.construct(*(coordinates.get(part, float_constant(0.0)) for part in parts)))
        return writer.scaled(writer.component(entry.value, entry.component), entry.low, entry.width)

    # errors ----------------------------------------------------------------------------------
    def errors(self, promises: Mapping[Variable, Interval]) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
        """By how many steps channels may be off; where a function jumps, edges do not count."""
        for entry, channel in zip(self._entries, CHANNELS, strict=False):
            off = _WHOLE * self._distance(entry, promises)
            yield (self.source, channel), (-off - _ROUNDING, off + _ROUNDING)

    def _distance(self, entry: _Entry, promises: Mapping[Variable, Interval]) -> float:
        """By how much lines between texels differ from the function."""
        axes = len(self.image.parts)
        probes = list(_probes(axes))
        places = [x + y * _FINE for probe in probes for x, y in probe]

        def make(writer: PreambleWriter, number: Value) -> Value:
            width, height = SIZES[axes]
            steps = (0.5 / width, 0.5 / height if axes > 1 else 1.0)
            return self._at(entry, writer, _divided(writer, number, _FINE, steps, 0.0))

        worst = 0.0
        for sample in [None, *samples_of(promises)]:
            values = values_at(self._host, make, places, sample)
            rows = iter(values or ())
            for probe in probes if values is not None else ():
                middle, *corners = (next(rows) for _ in probe)
                if not (self.jumps and max(middle, *corners) - min(middle, *corners) > _EDGE):
                    worst = max(worst, abs(middle - sum(corners) / len(corners)))
            if values is not None and sample is None:
                break
        return worst


def _probes(axes: int) -> Iterator[list[tuple[int, int]]]:
    """Places in half texels: the middle between texels, then these; at the edges the nearest ones."""
    width, height = (2 * size for size in SIZES[axes])
    columns = [round(n * width / 2 / _PROBES[axes]) * 2 for n in range(_PROBES[axes] + 1)]
    rows = [round(n * height / 2 / _PROBES[axes]) * 2 for n in range(_PROBES[axes] + 1)] if axes > 1 else [0]
    for x, y in product(columns, rows):
        beside = [min(max(x + d, 1), width - 1) for d in (-1, 1)]
        above = [min(max(y + d, 1), height - 1) for d in (-1, 1)] if axes > 1 else [y]
        yield [(x, y), *product(beside, above)]


def _divided(
    writer: PreambleWriter, number: Value, width: int, steps: tuple[float, float], middle: float
) -> list[Value]:
    """Column and row of a number, as coordinates; the column alone where there is one row."""
    builder = writer.builder
    parts: list[Value] = [number]
    if steps[1] < 1:
        row = builder.op(ops.FFLOOR, builder.op(ops.FMUL, number, float_constant(1 / width)))
        column = builder.op(ops.FSUB, number, builder.op(ops.FMUL, row, float_constant(float(width))))
        parts = [column, row]
    return [
        builder.op(ops.FMUL, builder.op(ops.FADD, part, float_constant(middle)), float_constant(step))
        for part, step in zip(parts, steps, strict=False)
    ]


def _cone(values: Sequence[Instruction], host: Host) -> set[Instruction]:
    """The values and all that they are made of, but for what the host computes."""
    cone: set[Instruction] = set()
    pending: list[Value] = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, Instruction) and value not in cone and not host.is_host(value):
            cone.add(value)
            pending += value.operands
    return cone


def _entry(value: Instruction, component: int, interval: Interval) -> _Entry:
    if value.type.kind == "bool":
        return _Entry(value, component, 0.0, 1.0)
    if not (isfinite(interval.low) and isfinite(interval.high)):
        raise Unbounded(interval)
    low = min(interval.low, 0.0)
    return _Entry(value, component, low, max(interval.high - low, 1.0))


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
    def numbers(self) -> Mapping[Instruction, Sequence[PixelValue]]:
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
