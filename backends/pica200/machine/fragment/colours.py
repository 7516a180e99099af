"""What units hand one another: colours by name, a channel each, as bytes or as what bytes stand for.

A unit reads and writes numbers of one `Colours`, and computes with its arithmetic; floats of textures, lighting and fog
become such numbers, and they become floats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Protocol

from glslc_multi.backends.pica200.isa.fragment.combiners import Arithmetic
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, Rounding
from glslc_multi.backends.pica200.machine.fragment.arithmetic import ByteArithmetic
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes


class ChannelArithmetic(Arithmetic, Protocol):
    """What stages and the alpha test compute with."""

    def complement(self, x: Any) -> Any:
        """1 - x"""

    def scaled(self, x: Any, factor: int) -> Any:
        """The product with a scale, clamped"""

    def less(self, x: Any, y: Any) -> Number:
        """Whether x < y"""

    def same(self, x: Any, y: Any) -> Number:
        """Whether x = y"""


class Colours(ABC):
    """Colours of the pixels of a run."""

    arithmetic: ChannelArithmetic

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes

    @abstractmethod
    def read(self, name: str, channel: str) -> Any:
        """What a unit has left."""

    @abstractmethod
    def write(self, name: str, channel: str, x: Any) -> None:
        """Leave a channel to other units."""

    @abstractmethod
    def input(self, name: str, channel: str) -> Any:
        """A channel of a source that no unit makes."""

    @abstractmethod
    def constant(self, word: int) -> Any:
        """A channel that all pixels share."""

    @abstractmethod
    def nearest(self, x: Number) -> Any:
        """The channel for a double of 0 to 1."""

    @abstractmethod
    def below(self, x: Number) -> Any:
        """The channel for a float of 0 to 1, cut off."""

    @abstractmethod
    def float_of(self, x: Any, one: float = WHOLE) -> Number:
        """The float for a channel, by the byte that stands for 1."""

    @abstractmethod
    def choose(self, condition: Number, x: Any, y: Any) -> Any:
        """The first channel where a condition holds."""

    @abstractmethod
    def blend(self, x: Any, y: Any, factor: Number, rest: Number) -> Any:
        """The sum of two channels by float factors that add up to 1, cut off."""


class ByteColours(Colours):
    """Bytes, as the machine has them."""

    arithmetic: ByteArithmetic

    def __init__(self, lanes: Lanes, rounding: Rounding) -> None:
        super().__init__(lanes)
        self.arithmetic = ByteArithmetic(lanes.operations, rounding)

    def read(self, name: str, channel: str) -> Number:
        return self.lanes.read(f"{name}.{channel}", "i32")

    def write(self, name: str, channel: str, x: Number) -> None:
        self.lanes.write(f"{name}.{channel}", x)

    def input(self, name: str, channel: str) -> Number:
        return self.lanes.input((name, channel), "i32")

    def constant(self, word: int) -> Number:
        return self.lanes.constant(word, "i32")

    def nearest(self, x: Number) -> Number:
        a = self.lanes.operations
        return a.narrowed(a.dtol(a.fadd(a.fmul(x, a.dconst(float(WHOLE))), a.dconst(0.5))))

    def below(self, x: Number) -> Number:
        a = self.lanes.operations
        return a.ftoi(a.fmul(x, a.fconst(float(WHOLE))))

    def float_of(self, x: Number, one: float = WHOLE) -> Number:
        a = self.lanes.operations
        return a.fdiv(a.itof(x), a.fconst(float(one)))

    def choose(self, condition: Number, x: Number, y: Number) -> Number:
        return self.lanes.operations.select(condition, x, y)

    def blend(self, x: Number, y: Number, factor: Number, rest: Number) -> Number:
        a = self.lanes.operations
        return a.ftoi(a.fadd(a.fmul(factor, a.itof(x)), a.fmul(rest, a.itof(y))))
