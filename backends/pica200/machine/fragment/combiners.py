"""The six stages: operands, functions, scales, and the buffer that lags behind.

Results and the buffer are colours by name: `previous`, `buffer`, and `pending`, which the buffer takes one stage later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from glslc_multi.backends.pica200.isa.fragment.combiners import ALPHA_SELECTIONS, CHANNELS, COLOUR_SELECTIONS, FUNCTIONS
from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Operand, Stage
from glslc_multi.backends.pica200.isa.fragment.rounding import Rounding
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.records import replace

#: What pixels have in a channel of a source.
Read = Callable[[str, str], Number]

_COLOUR, _ALPHA = CHANNELS[:3], CHANNELS[3]
#: What stages hand on to others.
HELD = ("previous", "buffer", "pending")


def sources_of(stages: Sequence[Stage]) -> Iterator[str]:
    """All that stages read."""
    for stage in stages:
        for combiner in (stage.colour, stage.alpha):
            yield from (operand.source for operand in combiner.taken)


class CombinerUnit:
    """The stages of one configuration; `read` gives the sources that come from other units."""

    def __init__(self, colours: Colours, stages: Sequence[Stage], rounding: Rounding, read: Read) -> None:
        self._colours, self._a, self._read_unit = colours, colours.arithmetic, read
        self._stages = (_first_stage(stages[0], rounding), *stages[1:])

    def start(self) -> None:
        """Before the first stage the buffer is 0; its colour comes to it one stage later."""
        for number, channel in enumerate(CHANNELS):
            self._colours.write("pending", channel, self._colours.constant(words.BUFFER_COLOUR + number))

    def run(self, number: int) -> None:
        """One stage; alpha does not see the colour that it makes."""
        stage = self._stages[number]
        operands = [self._vector(number, operand) for operand in stage.colour.taken]
        colour = FUNCTIONS[stage.colour.function].of_colours(self._a, operands)
        alpha = colour[0] if stage.colour.function == "DOT3_RGBA" else self._alpha(number, stage.alpha)
        results = [*(self._a.scaled(x, stage.colour.scale) for x in colour), self._a.scaled(alpha, stage.alpha.scale)]
        updated = (_COLOUR if stage.updates_colour else "") + (_ALPHA if stage.updates_alpha else "")
        for channel, result in zip(CHANNELS, results, strict=True):
            self._colours.write("buffer", channel, self._colours.read("pending", channel))
            self._colours.write("previous", channel, result)
            if channel in updated:
                self._colours.write("pending", channel, result)

    # --- Combiners ----------------------------------------------------------------------------------------------------

    def _alpha(self, stage: int, combiner: Combiner) -> Number:
        """The alpha combiner's own result, which DOT3_RGBA for colour replaces."""
        function = FUNCTIONS[combiner.function]
        if function.joins_channels:
            self._colours.lanes.fault(f"stage {stage}: what {combiner.function} for alpha alone computes is not known")
        return function.of(self._a, [self._scalar(stage, operand) for operand in combiner.taken])

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _vector(self, stage: int, operand: Operand) -> list[Number]:
        selection = COLOUR_SELECTIONS[operand.selection]
        channels_read = {
            channel: self._read(stage, operand.source, channel) for channel in dict.fromkeys(selection.channels)
        }
        if selection.complement:
            channels_read = {channel: self._a.complement(value) for channel, value in channels_read.items()}
        return [channels_read[channel] for channel in selection.channels]

    def _scalar(self, stage: int, operand: Operand) -> Number:
        selection = ALPHA_SELECTIONS[operand.selection]
        value = self._read(stage, operand.source, selection.channels)
        return self._a.complement(value) if selection.complement else value

    def _read(self, stage: int, source: str, channel: str) -> Number:
        if source == "constant":
            word = words.CONSTANTS + len(CHANNELS) * stage + CHANNELS.index(channel)
            return self._colours.constant(word)
        return self._colours.read(source, channel) if source in HELD else self._read_unit(source, channel)


def _first_stage(stage: Stage, rounding: Rounding) -> Stage:
    """The first stage, before which there is none.

    For `previous`, consoles are said to read the primary colour there.  The known emulator reads 0, but in the first
    two operands of colour what the third one names.
    """
    if rounding == "hardware":
        return replace(stage, colour=_instead(stage.colour, "primary"), alpha=_instead(stage.alpha, "primary"))
    return replace(stage, colour=_instead(stage.colour, stage.colour.operands[2].source))


def _instead(combiner: Combiner, source: str) -> Combiner:
    """The combiner with another source in the place of `previous`."""
    operands = (
        replace(operand, source=source) if operand.source == "previous" else operand for operand in combiner.operands
    )
    return replace(combiner, operands=tuple(operands))
