"""Runs a pipeline over a module, and shows what each pass does."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from compiler.ir.module import Module
from compiler.passes.base import Pass, PassContext
from compiler.passes.pipeline import Pipeline, Repeat
from compiler.records import dataclass, field
from compiler.trace import show

#: Receives the text of a dump.
Write = Callable[[str], None]


@dataclass(slots=True)
class Observer:
    """What to look at while passes run; names are those of passes, "*" is any."""

    print_before: frozenset[str] = frozenset()
    print_after: frozenset[str] = frozenset()
    verify_each: bool = False
    #: The pipeline ends after this pass has run once.
    stop_after: str | None = None
    write: Write = print
    #: Seconds spent and runs made, by pass.
    seconds: dict[str, float] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)

    def before(self, pass_: Pass, module: Module) -> None:
        if self.print_before & {pass_.name, "*"}:
            self._dump(f"before {pass_.name}", module)

    def after(self, pass_: Pass, module: Module, seconds: float) -> None:
        self.seconds[pass_.name] = self.seconds.get(pass_.name, 0.0) + seconds
        self.runs[pass_.name] = self.runs.get(pass_.name, 0) + 1
        if self.print_after & {pass_.name, "*"}:
            self._dump(f"after {pass_.name}", module)
        if self.verify_each:
            _verify(module, pass_)

    def _dump(self, title: str, module: Module) -> None:
        from compiler.ir.text import print_module

        self.write(f"; ---- {title}\n{print_module(module)}")

    def time_table(self) -> str:
        """Passes by time spent, slowest first."""
        total = sum(self.seconds.values()) or 1.0
        rows = sorted(self.seconds.items(), key=lambda row: -row[1])
        lines = [f"{'pass':<24}{'runs':>6}{'ms':>10}{'share':>8}"]
        lines += [f"{name:<24}{self.runs[name]:>6}{t * 1e3:>10.2f}{t / total:>8.1%}" for name, t in rows]
        return "\n".join(lines)


class BrokenByPass(Exception):
    """A pass left invalid IR: an error of the compiler, not of the shader."""


def run_pipeline(
    module: Module, pipeline: Pipeline, context: PassContext | None = None, observer: Observer | None = None
) -> bool:
    """Run the steps in order; True when any made progress."""
    progress, _ = _Run(module, context or PassContext(), observer or Observer()).steps(pipeline)
    return progress


@dataclass(slots=True)
class _Run:
    """A pipeline in progress.

    A pass that found nothing to do is left out until something has changed the module, be it in another pipeline: a
    target's lowerings often begin with the passes of -O2.  It buys
    4 to 5 % of a warm compile for agal (`benchmarks.speed`, table Warm), and 1 % elsewhere.
    """

    module: Module
    context: PassContext
    observer: Observer

    def steps(self, pipeline: Pipeline) -> tuple[bool, bool]:
        """(made progress, go on)"""
        progress = False
        for step in pipeline:
            if isinstance(step, Repeat):
                changed, go_on = self._repeat(step)
            else:
                changed = self._pass(step)
                go_on = step.name != self.observer.stop_after
            progress |= changed
            if not go_on:
                return progress, False
        return progress, True

    def _repeat(self, group: Repeat) -> tuple[bool, bool]:
        progress = False
        for _ in range(group.rounds):
            changed, go_on = self.steps(group.steps)
            progress |= changed
            if not changed or not go_on:
                return progress, go_on
        return progress, True

    def _pass(self, pass_: Pass) -> bool:
        surroundings = self._surroundings()
        if self.module.settled.get(pass_) == surroundings:
            return False
        self.observer.before(pass_, self.module)
        start = perf_counter()
        progress = pass_.run_on_module(self.module, self.context)
        self.observer.after(pass_, self.module, perf_counter() - start)
        if progress:
            show(pass_.name, self.module)
        else:
            self.module.settled[pass_] = surroundings
        return progress

    def _surroundings(self) -> tuple[object, ...]:
        """All that decides what a pass does."""
        changes = [(name, function.changes) for name, function in self.module.functions.items()]
        return (self.context.costs, self.context.precise, self.module.functions_made, *changes)


def _verify(module: Module, pass_: Pass) -> None:
    from compiler.ir.verify import verify_module

    faults = verify_module(module)
    if faults:
        raise BrokenByPass(f"{pass_.name} broke the IR: {faults[0]}")
