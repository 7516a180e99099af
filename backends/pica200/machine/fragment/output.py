"""What happens to pixels that have their colour: the alpha test, then blending or a logic operation, and the mask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.arithmetic import ByteArithmetic
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.backends.pica200.machine.fragment.register_file import RegisterFile, SimulationFault
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes
from glslc_multi.compiler.records import dataclass

#: How alpha compares with the reference where a pixel is drawn.
COMPARISONS: Mapping[str, Callable[..., Any]] = {
    "never": lambda a, x, y: a.core.bconst(False),
    "always": lambda a, x, y: a.core.bconst(True),
    "==": lambda a, x, y: a.same(x, y),
    "!=": lambda a, x, y: a.core.bnot(a.same(x, y)),
    "<": lambda a, x, y: a.less(x, y),
    "<=": lambda a, x, y: a.core.bnot(a.less(y, x)),
    ">": lambda a, x, y: a.less(y, x),
    ">=": lambda a, x, y: a.core.bnot(a.less(x, y)),
}

#: Of products with source (s) and destination (d); min and max take the products, too, in the known emulator.
EQUATIONS: Mapping[str, Callable[..., Any]] = {
    "add": lambda a, s, d: a.iadd(s, d),
    "subtract": lambda a, s, d: a.isub(s, d),
    "reverse_subtract": lambda a, s, d: a.isub(d, s),
    "min": lambda a, s, d: a.imin(s, d),
    "max": lambda a, s, d: a.imax(s, d),
}

#: Of source (s) and destination (d).
LOGIC_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "clear": lambda a, s, d: a.iconst(0),
    "and": lambda a, s, d: a.bits_and(s, d),
    "and_reverse": lambda a, s, d: a.bits_and(s, a.complement(d)),
    "copy": lambda a, s, d: s,
    "set": lambda a, s, d: a.iconst(WHOLE),
    "copy_inverted": lambda a, s, d: a.complement(s),
    "noop": lambda a, s, d: d,
    "invert": lambda a, s, d: a.complement(d),
    "nand": lambda a, s, d: a.complement(a.bits_and(s, d)),
    "or": lambda a, s, d: a.bits_or(s, d),
    "nor": lambda a, s, d: a.complement(a.bits_or(s, d)),
    "xor": lambda a, s, d: a.bits_xor(s, d),
    "equiv": lambda a, s, d: a.complement(a.bits_xor(s, d)),
    "and_inverted": lambda a, s, d: a.bits_and(a.complement(s), d),
    "or_reverse": lambda a, s, d: a.bits_or(s, a.complement(d)),
    "or_inverted": lambda a, s, d: a.bits_or(a.complement(s), d),
}

_FIXED_FACTORS = {"zero": 0, "one": WHOLE}
#: Before the name of a factor, what that leaves of 1.
_REST = "one_minus_"


@dataclass(frozen=True, slots=True)
class Mixing:
    """How one of colour and alpha is blended."""

    equation: str
    source: str
    destination: str


@dataclass(frozen=True, slots=True)
class Output:
    """What is done with what the buffer has already; without blending, a logic operation."""

    colour: Mixing | None
    alpha: Mixing | None
    logic: str
    #: The channels that are written.
    written: str = CHANNELS


def output_of(registers: RegisterFile) -> Output | None:
    """What registers set up; None where they do not say."""
    if "COLOR_OPERATION" not in registers:
        return None
    mode = registers.choice("COLOR_OPERATION", "mode")
    if mode != "normal":
        raise SimulationFault(f"fragments for {mode} are not simulated")
    blends = bool(registers.fields("COLOR_OPERATION")["blend"])
    mask = registers.fields("DEPTH_COLOR_MASK")["write"]
    return Output(
        _mixing(registers, "rgb") if blends else None,
        _mixing(registers, "a") if blends else None,
        registers.choice("LOGIC_OP", "operation"),
        "".join(channel for bit, channel in enumerate(CHANNELS) if mask >> bit & 1),
    )


def _mixing(registers: RegisterFile, part: str) -> Mixing:
    fields = ("equation", "source", "destination")
    equation, source, destination = (registers.choice("BLEND_FUNC", f"{part}_{field}") for field in fields)
    return Mixing(equation, source, destination)


Pixel = Mapping[str, Number]


class OutputUnit:
    """Mixes pixels with those that are there."""

    def __init__(self, lanes: Lanes, output: Output) -> None:
        self._lanes, self._output = lanes, output
        # Blending cuts off in both modes.
        self._a = ByteArithmetic(lanes.operations, "azahar")

    def mixed(self, source: Pixel, destination: Pixel) -> dict[str, Number]:
        """What the buffer has then."""
        return {
            channel: self._channel(channel, source, destination)
            if channel in self._output.written
            else destination[channel]
            for channel in CHANNELS
        }

    def _channel(self, channel: str, source: Pixel, destination: Pixel) -> Number:
        mixing = self._output.alpha if channel == "a" else self._output.colour
        if mixing is None:
            return LOGIC_OPERATIONS[self._output.logic](self._a, source[channel], destination[channel])
        factors = (self._factor(name, channel, source, destination) for name in (mixing.source, mixing.destination))
        pixels = (source, destination)
        products = [self._a.imul(pixel[channel], factor) for pixel, factor in zip(pixels, factors, strict=True)]
        return self._a.limited_quotient(EQUATIONS[mixing.equation](self._a, *products))

    def _factor(self, name: str, channel: str, source: Pixel, destination: Pixel) -> Number:
        """A factor by its name."""
        a = self._a
        if name in _FIXED_FACTORS:
            return a.iconst(_FIXED_FACTORS[name])
        if name == "src_alpha_saturate":
            return a.iconst(WHOLE) if channel == "a" else a.imin(source["a"], a.complement(destination["a"]))
        if name.startswith(_REST):
            return a.complement(self._factor(name.removeprefix(_REST), channel, source, destination))
        whole, part = name.split("_")
        of = "a" if part == "alpha" else channel
        if whole == "constant":
            return self._lanes.constant(words.BLEND_COLOUR + CHANNELS.index(of), "i32")
        return source[of] if whole == "src" else destination[of]


def passes(colours: Colours, function: str) -> Number:
    """Whether a pixel passes the alpha test."""
    alpha, reference = colours.read("previous", "a"), colours.constant(words.ALPHA_REFERENCE)
    return COMPARISONS[function](colours.arithmetic, alpha, reference)
