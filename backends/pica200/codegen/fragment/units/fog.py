"""The fog unit: a colour that is mixed with another by a function of depth.

In: a block.  Every value that depends on `gl_FragCoord.z` and the host alone is a number that the algebra can go on
with (`DepthNumber`), whatever its operations are, since the host computes the entries of the table.  Sums and products
of such numbers are left to the algebra, so that `1.0 - f` is seen through.

A pixel is fog over a colour, P = f * body + (1 - f) * colour, where f depends on depth and the host alone, the colour
of the fog is the host's, and the body knows no depth and is for the combiners.  Grouped by products of pixels, P = sum
of p * c_p + c_1, where c_p and c_1 depend on depth and the host alone.  So all c_p are f times a number of the host,
and c_1 = u + f * v with numbers u and v of the host: u is the colour of the fog, and the body is the sum of
p * c_p / f, plus u + v.

The unit's own depth is 1 at the near plane and 0 at the far one, by the map of depth that citro3d sets (scale -1,
offset 0): 1 - gl_FragCoord.z.  Flipped, the table goes by gl_FragCoord.z itself: entry n is at n/128.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import NoReturn

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import ALGEBRA, PixelValue
from glslc_multi.backends.pica200.codegen.fragment.read.flatten import DEPTH
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import (
    Host,
    HostResult,
    HostTable,
    PreambleWriter,
    byte_from,
)
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Channel,
    Clamp,
    HostNumber,
    Monomial,
    Polynomial,
    Rgb,
    all_atoms,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import refuse
from glslc_multi.backends.pica200.codegen.fragment.units.tables import (
    POINTS,
    MakeValue,
    Sample,
    UnitCode,
    samples_of,
    values_at,
)
from glslc_multi.backends.pica200.isa.fragment.encode import FOG_BYTES
from glslc_multi.backends.pica200.isa.fragment.entries import FOG_ENTRIES, fog_entries, fog_entry_at
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import FOG_MODES, UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.fog import FOG_COLOR
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, byte_of
from glslc_multi.compiler.analysis.ranges import Interval, intervals_of
from glslc_multi.compiler.artifact import Location
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import COMBINER_INPUT, COMBINER_RANGE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Block, Instruction, Value
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.records import dataclass

#: The component of `gl_FragCoord` that is depth.
_Z = 2
_UNIT = Interval(0.0, 1.0)
#: What stands before each product of pixels.
_Parts = Mapping[Monomial, Polynomial]
_NO_PIXEL: Monomial = ()
#: The colour's place in the space "tev", after the reference of the alpha test.
_COLOUR = 8
#: The map of depth that makes 1 - gl_FragCoord.z of it: what citro3d sets.
_DEPTH_MAP = {"depth_map_scale": -1, "depth_map_offset": 0}
_MODE = {name: code for code, name in FOG_MODES.items()}["fog"]
#: Where lines begin, and where the last one ends.
_ENDS = [number / FOG_ENTRIES for number in range(FOG_ENTRIES + 1)]
#: How far the nearest byte of a number of the host may be, in steps, and what the unit cuts off.
_HALF, _CUT = 0.5, 1.0
#: The worst lines, and in how many points they are looked at.
_WORST, _FINE = 4, 64


# --- Functions of depth -----------------------------------------------------------------------------------------------


class DepthNumber(Channel):
    """A component of a function of depth, scaled to 0 to 1: (value - low) / width."""

    __slots__ = ("component", "low", "value", "width")

    def __new__(cls, value: Instruction | None, component: int, interval: Interval) -> DepthNumber:
        del value, component, interval  # Each walk over a block has its own.
        return object.__new__(cls)

    def __init__(self, value: Instruction | None, component: int, interval: Interval) -> None:
        super().__init__("depth", "z" if value is None else f"%{value.id}.{component}")
        #: None: depth itself.
        self.value = value
        self.component = component
        self.low = min(rational(interval.low), Fraction(0))
        self.width = max(rational(interval.high) - self.low, Fraction(1))


class Depths:
    """The functions of depth in a block, and their numbers."""

    def __init__(self, block: Block, host: Host) -> None:
        self._host = host
        self._depth = polynomial(DepthNumber(None, 0, _UNIT))
        self._intervals: dict[Value, Sequence[Interval]] = {}
        #: Where the block reads depth itself.
        self.leaves: list[Instruction] = []
        #: What the algebra takes for these instructions.
        self.numbers: dict[Instruction, list[PixelValue]] = {}
        for instruction in block:
            if _is_depth(instruction):
                self.leaves.append(instruction)
                self._intervals[instruction] = [_UNIT] * instruction.type.width
                self.numbers[instruction] = [self._depth] * instruction.type.width
            elif self._is_function(instruction):
                operands = [self._intervals.get(o) or self._host.interval(o) for o in instruction.operands]
                intervals = self._intervals[instruction] = intervals_of(instruction, operands)
                is_known = all(isfinite(part.low) and isfinite(part.high) for part in intervals)
                if instruction.type.kind == "float" and instruction.op not in ALGEBRA and is_known:
                    self.numbers[instruction] = [
                        _number(instruction, part, interval) for part, interval in enumerate(intervals)
                    ]

    @property
    def name(self) -> str:
        """What the shader calls depth."""
        load = self.leaves[0]
        return load.address.variable.name if load.op is ops.LOAD else "gl_FragCoord.z"

    def _is_function(self, instruction: Instruction) -> bool:
        if not (instruction.op.is_pure and instruction.op.has_semantics and instruction.type.width):
            return False
        operands = [operand for operand in instruction.operands if not self._host.is_host(operand)]
        return bool(operands) and all(operand in self._intervals for operand in operands)


def _is_depth(instruction: Instruction) -> bool:
    """Tell whether all components are `gl_FragCoord.z`, or what is promised to be."""
    if instruction.op is ops.LOAD and instruction.address.variable.role == DEPTH:
        return True
    if instruction.op is not ops.SWIZZLE or set(instruction.attribute) != {_Z}:
        return False
    (vector,) = instruction.operands
    is_load = isinstance(vector, Instruction) and vector.op is ops.LOAD
    return is_load and isinstance(vector, Instruction) and vector.address.variable.role == "frag_coord"


def _number(instruction: Instruction, component: int, interval: Interval) -> PixelValue:
    number = DepthNumber(instruction, component, interval)
    return polynomial(number) * number.width + number.low


def depth_numbers(value: Polynomial) -> list[DepthNumber]:
    """Those in a polynomial, but for those in clamped values."""
    return sorted(atom for atom in value.atoms() if isinstance(atom, DepthNumber))


def sees_depth(value: Polynomial) -> bool:
    """Tell whether depth has a part in it, in clamped values, too."""
    return any(isinstance(atom, DepthNumber) for atom in all_atoms(value))


# --- Refusals ---------------------------------------------------------------------------------------------------------


def refuse_depth(depths: Depths, sink: DiagnosticSink) -> NoReturn:
    """A use of depth that is no fog."""
    refuse(
        sink,
        COMBINER_INPUT,
        depths.leaves[0].span,
        name=depths.name,
        notes=("depth reaches the fog unit alone, which mixes the finished colour with one of uniforms",),
        help="end with mix(fog, colour, f), where f depends on gl_FragCoord.z and uniforms alone and lies in 0 to 1",
    )


def refuse_body(body: Sequence[Polynomial], span: Span | None, sink: DiagnosticSink) -> None:
    """A colour below the fog that stages would clamp."""
    channel = next((each for each in body if not lies_in_unit(each)), None)
    if channel is None:
        return
    low, high = map(float, range_of(channel))
    what = "what the fog covers"
    help = "clamp it before the fog, or promise less of uniforms by '#pragma pica200 range NAME LOW HIGH'"
    refuse(sink, COMBINER_RANGE, span, what=what, low=f"{low:g}", high=f"{high:g}", help=help)


# --- Fog over a body --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fog:
    """How much of the body remains, and what of the colour."""

    factor: Polynomial
    colour: Rgb
    body: Rgb


def split(pixel: Rgb) -> Fog | None:
    """Fog over a body; None where depth is used otherwise."""
    if any(isinstance(atom, Clamp) and sees_depth(atom.inner) for channel in pixel for atom in all_atoms(channel)):
        return None
    parts = [_parts(channel) for channel in pixel]
    best: Fog | None = None
    for factor in _factors(parts):
        channels = [channel for each in parts if (channel := _channel(each, factor)) is not None]
        if len(channels) < len(parts):
            continue
        colour, body = zip(*channels, strict=True)
        fog = Fog(factor, colour, body)
        if all(map(lies_in_unit, fog.body)):
            return fog
        best = best or fog
    return best


def _parts(value: Polynomial) -> _Parts:
    """The polynomial by its products of pixels."""
    return value.grouped(lambda atom: not isinstance(atom, DepthNumber | HostNumber))


def _by_depth(value: Polynomial) -> dict[Monomial, Polynomial]:
    """Numbers of the host by the products of functions of depth that they stand before."""
    return value.grouped(lambda atom: isinstance(atom, DepthNumber))


# --- Factors ----------------------------------------------------------------------------------------------------------


def _factors(parts: Sequence[_Parts]) -> Iterator[Polynomial]:
    """What f may be, each of which lies in 0 to 1."""
    of_pixels = [value for each in parts for pixel, value in each.items() if pixel != _NO_PIXEL]
    if of_pixels:
        for value in dict.fromkeys(of_pixels):
            yield from _shares(value)
        return
    for value in dict.fromkeys(each.get(_NO_PIXEL, ZERO) for each in parts):
        for share in _shares(value - _by_depth(value).get((), ZERO)):
            yield share
            yield ONE - share


def _shares(value: Polynomial) -> Iterator[Polynomial]:
    """The polynomial without a number of the host that it is a multiple of, as large as it may be."""
    if not depth_numbers(value):
        return
    for divisor in dict.fromkeys([*_by_depth(value).values(), ONE]):
        quotient = value.divided_by(divisor)
        for candidate in [] if quotient is None else [quotient, -quotient]:
            _, high = range_of(candidate)
            scaled = candidate / high if high > 1 else candidate
            if lies_in_unit(scaled):
                yield scaled


# --- Channels ---------------------------------------------------------------------------------------------------------


def _channel(parts: _Parts, factor: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """The fog's colour in a channel, and the body."""
    body = ZERO
    for pixel, value in parts.items():
        if pixel != _NO_PIXEL:
            share = value.divided_by(factor)
            if share is None or not share.is_host:
                return None
            body = body + share * Polynomial({pixel: 1})
    rest = parts.get(_NO_PIXEL, ZERO)
    # How often the factor is in a polynomial; if it is not, what remains shows that.
    own, other = _by_depth(factor), _by_depth(rest)
    depth = next(monomial for monomial in own if monomial)
    slope = other.get(depth, ZERO).divided_by(own[depth]) or ZERO
    colour = rest - slope * factor
    if not (slope.is_host and colour.is_host and lies_in_unit(colour)):
        return None
    return colour, body + colour + slope


# --- Registers --------------------------------------------------------------------------------------------------------


def fog_code(fog: Fog, depths: Depths, host: Host) -> UnitCode:
    code = UnitCode(host_state=dict(_DEPTH_MAP))
    mode = UPDATE_BUFFER.format.encode({"mode": _MODE, "z_flip": 1})
    code.writes.append(Write(UPDATE_BUFFER.address, mode, FOG_BYTES))
    # Bytes if they are known; else a place in the register map, and black here.
    constants = [part.constant for part in fog.colour]
    bytes_ = [byte_of(part) for part in constants if part is not None]
    is_known = len(bytes_) == len(fog.colour)
    fields = dict(zip("rgb", bytes_, strict=True)) if is_known else {}
    code.writes.append(Write(FOG_COLOR.address, FOG_COLOR.format.encode(fields)))
    if not is_known:
        result = HostResult(f"${PREAMBLE}.fog_colour", tuple(map(byte_from, fog.colour)))
        code.add_result(result, Location("tev", _COLOUR, "xyz", "unorm8"))
    _table(code, content_of(fog, depths), host)
    return code


def content_of(fog: Fog, depths: Depths) -> MakeValue:
    """f at a depth."""

    def make(writer: PreambleWriter, depth: Value) -> Value:
        for leaf in depths.leaves:
            width = leaf.type.width
            writer.given(leaf, depth if width == 1 else writer.builder.construct(*[depth] * width))
        for number in depth_numbers(fog.factor):
            value = depth
            if number.value is not None:
                value = writer.scaled(writer.component(number.value, number.component), number.low, number.width)
            writer.given_atom(number, value)
        return writer.polynomial(fog.factor)

    return make


def _table(code: UnitCode, content: MakeValue, host: Host) -> None:
    """One that needs no uniform is evaluated now."""
    values = values_at(host, content, _ENDS, None)
    if values is not None:
        code.tables["fog"] = fog_entries(values)
        return

    def element(writer: PreambleWriter, index: Value) -> Value:
        number = writer.builder.op(ops.ITOF, index)
        return content(writer, writer.builder.op(ops.FMUL, number, float_constant(1 / FOG_ENTRIES)))

    code.add_table(HostTable("$table.fog", FOG_ENTRIES + 1, element), "fog", 0, FOG_ENTRIES)
    # What is there until the host sets it.
    code.tables["fog"] = (0,) * FOG_ENTRIES


# --- Errors -----------------------------------------------------------------------------------------------------------


def fog_bound(fog: Fog, depths: Depths, host: Host, promises: Mapping[Variable, Interval], bound: float) -> float:
    """By how many steps the result may differ if its body differs by `bound`.

    A mix of two errors is no larger than the larger one.  An error of f counts as often as the two colours differ.
    """
    make = content_of(fog, depths)
    known = _table_error(host, make, None)
    wrong = known if known is not None else max(_table_error(host, make, s) or 0.0 for s in samples_of(promises))
    apart = max(abs(float(end)) for x, y in zip(fog.body, fog.colour, strict=True) for end in range_of(x - y))
    return max(bound, *map(_byte_error, fog.colour)) + WHOLE * wrong * min(apart, 1.0) + _CUT


def _byte_error(value: Polynomial) -> float:
    number = value.constant
    return _HALF if number is None else abs(float(byte_of(number) - WHOLE * number))


def _table_error(host: Host, make: MakeValue, sample: Sample | None) -> float | None:
    """How far lines are from the function at most; None where uniforms count and none are given."""
    lines = range(FOG_ENTRIES)
    values = values_at(host, make, _places(lines, POINTS), sample)
    if values is None:
        return None
    by_line = _by_line(values, POINTS)
    entries = fog_entries([*(line[0] for line in by_line), by_line[-1][-1]])
    worst = sorted(lines, key=lambda line: _line_error(entries[line], by_line[line]), reverse=True)[:_WORST]
    finer = _by_line(values_at(host, make, _places(worst, _FINE), sample) or [], _FINE)
    return max(_line_error(entries[line], points) for line, points in zip(worst, finer, strict=True))


def _places(lines: Sequence[int], points: int) -> list[float]:
    """Points of lines, both ends included."""
    return [(line + point / points) / FOG_ENTRIES for line in lines for point in range(points + 1)]


def _by_line(values: Sequence[float], points: int) -> list[Sequence[float]]:
    return [values[first : first + points + 1] for first in range(0, len(values), points + 1)]


def _line_error(entry: int, values: Sequence[float]) -> float:
    """Between two points function and line may be anywhere between what they are there, and even jump."""
    line = [fog_entry_at(entry, number / (len(values) - 1)) for number in range(len(values))]
    pairs = pairwise(zip(line, values, strict=True))
    return max(abs(x - y) for (here, value), (there, other) in pairs for x in (here, there) for y in (value, other))
