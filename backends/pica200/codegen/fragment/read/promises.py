"""Between which numbers uniforms and varyings lie: what a pragma or the option promises, else 0 to 1.

    #pragma pica200 range u_gain 0 4
    #pragma pica200 range v_light -1 1
    --ranges u_gain=0..4,lights[].color=0..2
    #pragma pica200 opaque

In: a module.  Out: an interval of each uniform, which the ranges of everything that the host computes follow from,
and of each varying, by which a vertex shader scales what it leaves in the colour.  Ints that nobody promises anything
of can be any.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from glslc_multi.compiler.analysis.ranges import ANY_INT, Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import BAD_RANGE
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

#: What is promised of numbers that nobody says more of.
_USUAL = Interval(0.0, 1.0)
#: Names of what a linked vertex shader passes of gl_FragCoord (`link.py`), and the limits of render targets.
PLACE = ("gl_FragCoord.x", "gl_FragCoord.y")
_TARGET = Interval(0.0, 1024.0)

_PRAGMA = re.compile(r"pica200\s+range\s+(.*?)\s*\Z")
_OPAQUE = re.compile(r"pica200\s+opaque\s*\Z")
_PROMISED = ("uniform", "varying", "attribute")
_INDEX = re.compile(r"\[\d*\]")


@dataclass(frozen=True, slots=True)
class _Promise:
    """One of them as it was written."""

    text: str
    #: Name, low, high; another number of words where the writer was mistaken.
    words: tuple[str, ...]


def promised_ranges(module: Module, option: str, sink: DiagnosticSink) -> dict[Variable, Interval]:
    """The interval of each uniform, varying and attribute."""
    usual = {
        v: _TARGET if v.name in PLACE else ANY_INT if v.type.kind == "int" else _USUAL
        for v in module.variables.values()
        if v.storage in _PROMISED
    }
    return usual | promises_of(module, option, sink)


def limits_of(options: Mapping[str, Any], module: Module) -> dict[str, tuple[float, float]]:
    """The same by name, of what is promised or usual to lie between two numbers."""
    ranges = promised_ranges(module, str(options.get("ranges", "")), DiagnosticSink())
    # Colours of lighting that the host sets up.
    ranges |= {v: _USUAL for v in module.variables.values() if v.storage == "input" and v.type.kind == "float"}
    return {v.name: (each.low, each.high) for v, each in ranges.items() if math.isfinite(each.high - each.low)}


def promises_of(module: Module, option: str, sink: DiagnosticSink) -> dict[Variable, Interval]:
    """The intervals that somebody has promised; a promise that is none is reported."""
    variables = {_plain(v.name): v for v in module.variables.values() if v.storage in _PROMISED}
    ranges: dict[Variable, Interval] = {}
    # What the source declares need not be in use any more.
    names = [*variables, *(_plain(declaration.name) for declaration in module.declarations), *PLACE]
    for promise in _promises(module, option):
        problem, help = _problem(promise, names)
        if problem is not None:
            sink.report(BAD_RANGE, text=promise.text, problem=problem, help=help)
            continue
        name, low, high = promise.words
        if _plain(name) in variables:
            ranges[variables[_plain(name)]] = Interval(float(low), float(high))
    sink.raise_if_errors()
    return ranges


def is_opaque(module: Module) -> bool:
    """Tell whether `#pragma pica200 opaque` promises that nobody looks at alpha, so that the alpha test may have it."""
    return any(_OPAQUE.match(pragma) for pragma in module.pragmas)


def _plain(name: str) -> str:
    """Elements of arrays share what is promised."""
    return _INDEX.sub("", name)


def _promises(module: Module, option: str) -> Iterator[_Promise]:
    """Those of the option come last, and count."""
    for match in map(_PRAGMA.match, module.pragmas):
        if match is not None:
            yield _Promise(match[1], tuple(match[1].split()))
    for part in filter(None, (part.strip() for part in option.split(","))):
        name, _, limits = part.partition("=")
        low, _, high = limits.partition("..")
        yield _Promise(part, (name.strip(), low.strip(), high.strip()))


def _problem(promise: _Promise, names: Collection[str]) -> tuple[str | None, str | None]:
    """What is wrong with a promise, and what may have been meant."""
    if len(promise.words) != 3:
        return "expected a name and two numbers", None
    name, *limits = promise.words
    if _plain(name) not in names:
        return "the shader has no such uniform or varying", did_you_mean(name, names)
    low, high = map(_number, limits)
    if low is None or high is None:
        return "expected two numbers", None
    return (None, None) if low <= high else ("the first number is above the second", None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
