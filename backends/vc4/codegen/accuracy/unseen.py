"""Functions whose errors no pixel of bytes shows: together, they change no channel by more than a quarter of a step,
before it is rounded, if they have the 13 digits of the special function unit alone.
"""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.accuracy.gain import CHANNEL, Gain, gains_of_operands
from glslc_multi.backends.vc4.codegen.accuracy.means import find_means
from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges, value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.memory.local_variables import Table, find_tables

#: The unit leaves out what is below 13 bits; near 1 a logarithm is no better than that of numbers near 1.
_RELATIVE = _ABSOLUTE_OF_LOGARITHM = 2.0**-13
#: A quarter of a step of a byte.
_SHOWN = 0.25 / 255
#: That of a value that decides, or that an operation reads of which nothing is known.
_UNKNOWN = Gain({})
_COLOURS, _CHANNELS = ("frag_color", "frag_data"), 4
_TEXEL = Interval(0.0, 1.0)


def unseen(function: Function, candidates: list[Instruction], context: PassContext) -> set[Instruction]:
    """Choose functions whose errors together no channel shows, those with the least errors first."""
    read = {i.address.variable: _TEXEL for i in function.instructions() if i.op is ops.TEXTURE}
    tables = find_tables(context.accesses(function.module).private(function))
    read |= {variable: _bounds_of(table) for variable, table in tables.items()}
    ranges = value_ranges(function, context.analyses(function), read)
    stores = [i for i in function.instructions() if i.op is ops.STORE and i.address.variable.role in _COLOURS]
    colours = [store.operands[-1] for store in stores]
    channels = [v for c in colours if isinstance(c, Instruction) and c.op is ops.CONSTRUCT for v in c.operands]
    if not channels or len(channels) != len(colours) * _CHANNELS:
        return set()
    gains = [gains_of_channel(function, stores, channel, ranges) for channel in dict.fromkeys(channels)]
    left = [_SHOWN] * len(gains)
    errors = {i: [_error(i, of_channel.get(i)) for of_channel in gains] for i in candidates}
    chosen = set()
    for instruction, by_channel in sorted(errors.items(), key=lambda row: max(row[1])):
        if all(error <= rest for error, rest in zip(by_channel, left, strict=True)):
            left = [rest - error for error, rest in zip(by_channel, left, strict=True)]
            chosen.add(instruction)
    return chosen


def _bounds_of(table: Table) -> Interval:
    """Bound what is in a table; what nobody stores is 0."""
    numbers = [0.0, *(x or 0.0 for constant in table.values() for x in constant.components)]
    return Interval(min(numbers), max(numbers), any(x != x for x in numbers))


def _error(instruction: Instruction, gain: Gain | None) -> float:
    """Bound the change of a channel by the error of the unit."""
    if gain is None:
        return 0.0
    if instruction.op is ops.FLOG2:
        return gain.of_logarithm(_ABSOLUTE_OF_LOGARITHM, _RELATIVE)
    return gain.of_relative_error() * _RELATIVE


def gains_of_channel(
    function: Function, stores: list[Instruction], channel: Value, ranges: ValueRanges
) -> dict[Value, Gain]:
    """Return the gain of all values that a channel depends on, and of those that decide or go elsewhere."""
    gains: dict[Value, Gain] = {channel: CHANNEL.within(ranges.of(channel)[0])}
    order = block_order(function)
    position = {block: number for number, block in enumerate(order)}
    has_loops = any(position[after] <= position[block] for block in order for after in block.successors)
    for phi in (phi for block in order for phi in block.phis() if has_loops):
        # What a loop does again and again to an error is not followed.
        gains.update(dict.fromkeys(phi.operands, _UNKNOWN))
    means = {mean.quotient: mean for mean in find_means(function, ranges)}
    scales = {mean.scale for mean in means.values()}
    for block in reversed(order):
        for instruction in reversed(list(block)):
            gain = gains.get(instruction) if instruction.type.width else _UNKNOWN
            if gain is None or instruction in stores:
                continue
            operands = list(instruction.operands)
            of_operands = [ranges.of(operand)[0] for operand in operands]
            news = list(gains_of_operands(instruction, gain, of_operands))
            mean = means.get(instruction)
            if mean is not None:
                news = [news[operands.index(mean.scale)], *mean.gains(gain, [ranges.of(v)[0] for v in mean.values])]
                operands = [mean.scale, *mean.weights, *mean.values]
            elif instruction in scales and all(user in means for user in instruction.users):
                # What is divided by has its gain as weights of the means.
                continue
            for operand, new in zip(operands, news, strict=True):
                within = (new or _UNKNOWN).within(ranges.of(operand)[0])
                gains[operand] = gains[operand].plus(within) if operand in gains else within
    return gains
