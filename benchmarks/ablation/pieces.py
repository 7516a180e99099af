"""All pieces of a target: passes, those of -O2, steps of code generation, and the rows of `back_ends.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from benchmarks.ablation.back_ends import OWN, SHARED
from benchmarks.ablation.switch import Piece, Switch, answering, nothing
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.codegen.step import STEPS
from glslc_multi.compiler.passes.base import Pass
from glslc_multi.compiler.passes.pipeline import Pipeline, Repeat, level
from glslc_multi.compiler.passes.registry import PASSES, pass_class
from glslc_multi.compiler.target import Target

_LEVEL = 2
_PIPELINE = "glslc_multi.compiler.passes.pipeline:level"
_OPTIMISER = Piece(f"all passes in -O{_LEVEL}", "pass of -O2", (Switch(_PIPELINE, answering(())),))


def pieces_of(target: str) -> list[Piece]:
    """The pieces of a target, those that never come into play included."""
    found = load_target(target)
    own = [each.__module__.rpartition(".")[0] for each in _classes_of(found)]
    for package in own:
        _import_all(f"{package}.codegen")
    table = {**PASSES, **found.passes}
    passes = [_pass(pass_class(name, table)) for name in table]
    passes_of_level = [_pass_of_level(name) for name in dict.fromkeys(pass_names(level(_LEVEL)))]
    rows = [*SHARED, *OWN.get(target, ())]
    return [*passes, _OPTIMISER, *passes_of_level, *_steps_of(own, rows), *rows]


def _classes_of(target: Target) -> list[type[Target]]:
    """The class of a target, and that of its family if it has one."""
    return [each for each in type(target).__mro__ if issubclass(each, Target) and each.__module__ != Target.__module__]


def _steps_of(packages: Sequence[str], rows: Sequence[Piece]) -> Iterator[Piece]:
    """The steps of code generation that the target and the shared rooms have, but for those with a row of their own."""
    known = {switch.place for row in rows for switch in row.switches}
    for place, name in STEPS.items():
        if place.startswith((*(f"{package}." for package in packages), "glslc_multi.compiler.")) and place not in known:
            yield Piece(name, "step", (Switch(place, nothing),))


def _import_all(package: str) -> None:
    """Import all modules of a package: the table of steps has those of modules that are imported."""
    for info in walk_packages(import_module(package).__path__, f"{package}."):
        import_module(info.name)


def _pass(found: type[Pass]) -> Piece:
    """A pass, wherever it runs."""
    place = f"{found.__module__}:{found.__qualname__}.run_on_module"
    return Piece(f"`{found.name}`", "pass", (Switch(place, answering(False)),))


def _pass_of_level(name: str) -> Piece:
    """A pass in the optimiser; the lowerings of the target may still run it."""

    def leave_out(pipeline_of: Any) -> Any:
        return lambda number: without(pipeline_of(number), name)

    return Piece(f"`{name}` in -O{_LEVEL}", "pass of -O2", (Switch(_PIPELINE, leave_out),))


def pass_names(pipeline: Pipeline) -> Iterator[str]:
    """The passes of a pipeline, in order."""
    for step in pipeline:
        yield from pass_names(step.steps) if isinstance(step, Repeat) else [step.name]


def without(pipeline: Pipeline, name: str) -> Pipeline:
    """The pipeline with every step called `name` left out."""
    kept: list[Pass | Repeat] = []
    for step in pipeline:
        if isinstance(step, Repeat):
            kept.append(Repeat(without(step.steps, name), step.rounds))
        elif step.name != name:
            kept.append(step)
    return tuple(kept)
