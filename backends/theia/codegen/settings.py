"""What a compilation is to do, read once from the target's options, and what may be tried when the code is too long."""

from __future__ import annotations

from typing import cast

from backends.theia.isa.registers import Variant
from compiler.options import TargetOptions
from compiler.passes.base import CostModel
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one compilation, and how it is gone about."""

    variant: Variant
    #: Whether all four channels leave as they are.
    raw: bool
    #: Whether texture coordinates end at the edges, where others repeat.
    clamp: bool
    #: Whether four texels are mixed.
    linear: bool
    #: Whether values that may leave the machine's range are kept at its ends.
    saturates: bool
    precise: bool
    costs: CostModel
    #: Whether the block of constants computes what depends on uniforms alone.
    hoists: bool
    #: Whether equal functions of several values are one piece of code that runs for each.
    shares: bool = False

    @property
    def has_memory(self) -> bool:
        """Whether shaders read texels and write pixels themselves."""
        return self.variant != "v1.2"


def settings_of(options: TargetOptions, costs: CostModel) -> Settings:
    values = options.values
    return Settings(
        cast("Variant", values["variant"]),
        raw=values["output"] == "raw",
        clamp=values["wrap"] == "clamp",
        linear=values["filter"] == "linear",
        saturates=bool(values["saturate"]),
        precise=options.precise,
        costs=costs,
        hoists=options.optimisation > 0,
    )
