"""What the runner needs from an engine, and the engines that exist.

An engine compiles and runs shaders by one method: the IR evaluator (`reference`), the host's machine code
(`jit`), or a target's machine code in its simulator.  `_FACTORIES` names the function that makes each;
adding an engine is a module and one row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.records import dataclass, field
from tests.conformance.model import Run, Tolerance, Verdict

#: Engine -> "module:function"; the function takes the optimisation level and the engine's options.
_FACTORIES: dict[str, str] = {
    "jit": "tests.conformance.engines.jit:make_jit",
    "reference": "tests.conformance.engines.reference:make_reference",
}


#: Suffix of a target's name: its machine code, compiled for this computer.
TRANSLATED = "-translated"


@dataclass(frozen=True, slots=True)
class Observation:
    """What compiling, and linking where all stages were accepted, said: errors only."""

    stage_errors: Mapping[str, Sequence[Diagnostic]] = field(default_factory=dict)
    link_errors: Sequence[Diagnostic] = ()

    def first_error(self, stage: str) -> str:
        return describe(self.stage_errors[stage][0])

    @property
    def error_lines(self) -> set[int]:
        """Lines of the texts on which an error was reported."""
        errors = [error for found in self.stage_errors.values() for error in found]
        return {error.span.file.shown_line(error.span.line)[1] for error in errors if error.span is not None}


def describe(error: Diagnostic) -> str:
    """A diagnostic in one line."""
    where = f"{error.span.location}: " if error.span is not None else ""
    return f"{where}{error.message} [{error.code}]"


@dataclass(frozen=True, slots=True)
class Outputs:
    """Values of a run: for each output the numbers of each lane, flat as in `model.Flat`."""

    values: Mapping[str, Sequence[Sequence[float]]]
    discarded: Sequence[bool]
    #: Layouts of the uniform blocks as `blocks.py` compares them; None of engines that leave that to others.
    blocks: Mapping[str, Mapping[str, Any]] | None = None
    #: Of code whose results are bytes: by how many steps they may differ, and lanes of which it was promised nothing.
    steps: float | None = None
    open_lanes: frozenset[int] = frozenset()


class Engine(Protocol):
    """Compiles and runs shaders."""

    @property
    def judges_verdicts(self) -> bool:
        """Whether records without values are its business."""
        ...

    def takes(self, stages: Collection[str]) -> bool:
        """Whether shaders of these stages are its business; other records are left out."""
        ...

    @property
    def slack(self) -> Tolerance:
        """The documented error of its arithmetic beyond float32."""
        ...

    @property
    def whole_numbers(self) -> WholeNumbers | None:
        """How far its ints are exact; None where they have all 32 bits."""
        ...

    @property
    def wider(self) -> Engine | None:
        """The same code in float32, where the machine's own number format is coarser and its simulator can do both."""
        ...

    def check_verdict(self, verdict: Verdict) -> Observation:
        """Compile every stage, and link a pair."""
        ...

    def run_values(self, run: Run) -> Outputs:
        """Run a shader or a pair; raises `CompileError` where there is no code for it."""
        ...


class InexactInteger(Exception):
    """The code was made though the machine may not hold an int exactly: its values prove nothing."""

    def __init__(self, warning: Diagnostic) -> None:
        super().__init__(warning.message)
        self.warning = warning


class UnknownEngine(Exception):
    """No engine has this name."""


def engine_names() -> tuple[str, ...]:
    """The engines that exist: those listed, and two for each target: its simulator, and its code translated."""
    translated = (target + TRANSLATED for target in target_names())
    return tuple(sorted({*_FACTORIES, *target_names(), *translated}))


def make_engine(name: str, optimisation: int | str, options: Mapping[str, str]) -> Engine:
    """The engine called `name`, at a level as after `-O`; a name with a colon is the "module:function" of another."""
    target = name.removesuffix(TRANSLATED)
    if target in target_names():
        from tests.conformance.engines.machine import make_machine

        return make_machine(target, optimisation, options, translated=target != name)
    factory_name = name if ":" in name else _FACTORIES.get(name)
    if factory_name is None:
        known = ", ".join(engine_names()) or "none"
        raise UnknownEngine(f"there is no engine '{name}' in this release; engines: {known}")
    module, _, function = factory_name.partition(":")
    factory = cast("Callable[[int | str, Mapping[str, str]], Engine]", getattr(import_module(module), function))
    return factory(optimisation, options)
