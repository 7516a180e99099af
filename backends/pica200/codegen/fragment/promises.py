"""Between which numbers uniforms lie: what a pragma or the option promises, else 0 to 1.

    #pragma pica200 range u_gain 0 4
    --ranges u_gain=0..4,lights[].color=0..2
    #pragma pica200 opaque

In: the uniforms.  Out: an interval of each, which the ranges of everything that the host computes follow from.  Ints
that nobody promises anything of can be any.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from compiler.analysis.ranges import ANY_INT, Interval
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import BAD_RANGE
from compiler.diagnostics.suggest import did_you_mean
from compiler.ir.module import Module
from compiler.ir.variables import Variable
from compiler.records import dataclass

#: What is promised of numbers that nobody says more of.
_USUAL = Interval(0.0, 1.0)

_PRAGMA = re.compile(r"pica200\s+range\s+(.*?)\s*\Z")
_OPAQUE = re.compile(r"pica200\s+opaque\s*\Z")
_INDEX = re.compile(r"\[\d*\]")


@dataclass(frozen=True, slots=True)
class _Promise:
    """One of them as it was written."""

    text: str
    #: Name, low, high; another number of words where the writer was mistaken.
    words: tuple[str, ...]


def promised_ranges(module: Module, option: str, sink: DiagnosticSink) -> dict[Variable, Interval]:
    """The interval of each uniform; a promise that is none is reported."""
    uniforms = {_plain(v.name): v for v in module.variables.values() if v.storage == "uniform"}
    ranges = {variable: _unpromised(variable) for variable in uniforms.values()}
    for promise in _promises(module, option):
        problem, help = _problem(promise, uniforms)
        if problem is not None:
            sink.report(BAD_RANGE, text=promise.text, problem=problem, help=help)
            continue
        name, low, high = promise.words
        ranges[uniforms[_plain(name)]] = Interval(float(low), float(high))
    sink.raise_if_errors()
    return ranges


def is_opaque(module: Module) -> bool:
    """Whether `#pragma pica200 opaque` promises that nobody looks at alpha, so that the alpha test may have it."""
    return any(_OPAQUE.match(pragma) for pragma in module.pragmas)


def _unpromised(variable: Variable) -> Interval:
    return ANY_INT if variable.type.kind == "int" else _USUAL


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


def _problem(promise: _Promise, uniforms: Mapping[str, Variable]) -> tuple[str | None, str | None]:
    """What is wrong with a promise, and what may have been meant."""
    if len(promise.words) != 3:
        return "expected a name and two numbers", None
    name, *limits = promise.words
    if _plain(name) not in uniforms:
        return "the shader reads no such uniform", did_you_mean(name, uniforms)
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
