"""The analysis manager: computes an analysis when first asked for and keeps it until invalidated.

An analysis is a plain function ``analysis(function, manager) -> result``; it asks the manager for the
analyses it needs itself.  A pass that changed the function calls `invalidate` with what it preserved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar, cast

from glslc_multi.compiler.ir.module import Function

Result = TypeVar("Result")
#: Type of an analysis; the manager caches by the function object itself.
Analysis = Callable[[Function, "AnalysisManager"], Result]


class AnalysisManager:
    """The cached analyses of one function."""

    __slots__ = ("_results", "function")

    def __init__(self, function: Function) -> None:
        self.function = function
        self._results: dict[Analysis[Any], Any] = {}

    def get(self, analysis: Analysis[Result]) -> Result:
        """The result of `analysis`, computed at most once between invalidations."""
        if analysis not in self._results:
            self._results[analysis] = analysis(self.function, self)
        return cast(Result, self._results[analysis])

    def invalidate(self, preserved: Collection[Analysis[Any]] = ()) -> None:
        """Forget everything but the `preserved` analyses (see `CFG_ANALYSES` for the usual set)."""
        self._results = {analysis: result for analysis, result in self._results.items() if analysis in preserved}
