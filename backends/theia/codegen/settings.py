"""The target's options, read once: settings of a compilation, and values that name variables of the shader."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from glslc_multi.backends.theia.codegen.rows.layout import row_count
from glslc_multi.backends.theia.isa.conventions import CONSTANTS, SCENE_VALUES
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import TargetOptions, known_names_help
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.records import dataclass

_RANGE = re.compile(r"(-?[0-9]+(?:\.[0-9]*)?):(-?[0-9]+(?:\.[0-9]*)?)")
_RANGES = "names with their ranges, such as u_height=0:100,v_uv=-1:1"
_PINS = "uniforms with a constant register each, such as u_tint=C1,u_light=C2"
_ROOM = "the rows of a value follow each other in C1 to C7, and each register has one"
_CONSTANT_NAMES = {f"C{number}": register for number, register in enumerate(CONSTANTS, start=1)}
_BIND = "names with a source each, such as v_uv=TexCoord,v_n=Normal"


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one compilation, and the form of its code."""

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
    rerolls: bool = False

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


# --- Values that name variables ---------------------------------------------------------------------------------------


def parse_bindings(text: str, module: Module, sink: DiagnosticSink) -> dict[str, str]:
    """`--bind`: the shader's name -> the source's."""
    bound: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, _, source = part.partition("=")
        if source not in SCENE_VALUES or name not in module.variables:
            names: Iterable[str] = SCENE_VALUES if name in module.variables else module.variables
            help = known_names_help(source if name in module.variables else name, names)
            sink.report(usage.INVALID_OPTION_VALUE, help=help, option="bind", expected=_BIND, value=part)
        bound[name] = source
    sink.raise_if_errors()
    return bound


def parse_pins(text: str, module: Module, sink: DiagnosticSink) -> dict[Variable, int]:
    """`--pin`: the uniform -> its first register among C1 to C7."""
    pins: dict[Variable, int] = {}
    taken: set[int] = set()
    for part in filter(None, text.split(",")):
        name, _, register = part.partition("=")
        variable = module.variables.get(name)
        first = _CONSTANT_NAMES.get(register)
        if variable is None or variable.storage != "uniform" or first is None:
            names = [v.name for v in module.variables.values() if v.storage == "uniform"]
            help = known_names_help(name, names) if first is not None else None
            sink.report(usage.INVALID_OPTION_VALUE, help=help, option="pin", expected=_PINS, value=part)
            continue
        rows = range(first, first + row_count(variable))
        if rows[-1] not in CONSTANTS or taken.intersection(rows):
            sink.report(usage.INVALID_OPTION_VALUE, help=_ROOM, option="pin", expected=_PINS, value=part)
        taken.update(rows)
        pins[variable] = first
    sink.raise_if_errors()
    return pins


def parse_ranges(text: str, module: Module, sink: DiagnosticSink) -> dict[str, Interval]:
    """`--range`: the input's name -> the range of its values."""
    stated: dict[str, Interval] = {}
    for part in filter(None, text.split(",")):
        name, _, ends = part.partition("=")
        found = _RANGE.fullmatch(ends)
        if found is None or name not in module.variables:
            help = None if found is None else known_names_help(name, module.variables)
            sink.report(usage.INVALID_OPTION_VALUE, help=help, option="range", expected=_RANGES, value=part)
            continue
        low, high = sorted((float(found[1]), float(found[2])))
        stated[name] = Interval(low, high)
    sink.raise_if_errors()
    return stated
