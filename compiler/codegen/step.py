"""Steps of code generation between selection and words, by name.

    @step("join moves")
    def join_moves(function: MachineFunction) -> None: ...

A step changes a machine function in place.  Watchers of a compilation (`compiler/trace.py`) are shown the code after
it: `explain` prints it, `--verify-each` checks it.  By `STEPS`, `benchmarks.ablation` finds what it can switch off.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.trace import show

P = ParamSpec("P")
Result = TypeVar("Result")
_Step = Callable[Concatenate[MachineFunction, P], Result]

#: `module:function` -> the name of the step; of the modules that are imported.
STEPS: dict[str, str] = {}


def step(name: str) -> Callable[[_Step[P, Result]], _Step[P, Result]]:
    """Decorator: the function is a step of this name."""

    def decorate(change: _Step[P, Result]) -> _Step[P, Result]:
        @wraps(change)
        def run(function: MachineFunction, /, *arguments: P.args, **named: P.kwargs) -> Result:
            result = change(function, *arguments, **named)
            show(name, function)
            return result

        STEPS[f"{change.__module__}:{change.__name__}"] = name
        return run

    return decorate
