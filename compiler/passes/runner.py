"""Runs a pipeline over a module, and shows each pass to who watches (`compiler/trace.py`)."""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.pipeline import Pipeline, Repeat
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.trace import begin, show


def run_pipeline(module: Module, pipeline: Pipeline, context: PassContext | None = None) -> bool:
    """Run the steps in order; tell whether any made progress."""
    return _Run(module, context or PassContext()).steps(pipeline)


@dataclass(slots=True)
class _Run:
    """A pipeline in progress.

    A pass that found nothing to do is left out until something has changed the module, be it in another pipeline: a
    target's lowerings often begin with the passes of -O2.  It buys
    4 to 5 % of a warm compile for agal (`benchmarks.speed`, table Warm), and 1 % elsewhere.
    """

    module: Module
    context: PassContext

    def steps(self, pipeline: Pipeline) -> bool:
        progress = False
        for step in pipeline:
            progress |= self._repeat(step) if isinstance(step, Repeat) else self._pass(step)
        return progress

    def _repeat(self, group: Repeat) -> bool:
        progress = False
        for _ in range(group.rounds):
            if not self.steps(group.steps):
                break
            progress = True
        return progress

    def _pass(self, pass_: Pass) -> bool:
        # All that decides what a pass does.
        changes = [(name, function.changes) for name, function in self.module.functions.items()]
        surroundings = (self.context.costs, self.context.precise, self.module.functions_made, *changes)
        if self.module.settled.get(pass_) == surroundings:
            return False
        begin(pass_.name, self.module)
        progress = pass_.run_on_module(self.module, self.context)
        show(pass_.name, self.module, changed=progress)
        if not progress:
            self.module.settled[pass_] = surroundings
        return progress
