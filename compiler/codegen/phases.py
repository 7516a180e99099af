"""The phases of code generation in their order; a back end says what it does in each.

    prepare -> legalise -> plan the interface -> select -> fix up -> allocate -> finalise -> judge -> describe

The first two are on the IR.  From the plan on, code is made again where the machine has too little of something
(`fit.py`): `tighten` says what is different then.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from glslc_multi.compiler.codegen.fit import Exceeded, fitting
from glslc_multi.compiler.records import replace

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.options import TargetOptions
    from glslc_multi.compiler.passes.base import CostModel

#: Where the variables of a shader are.
Interface = TypeVar("Interface")
#: Machine code from selection to words: of most machines a `MachineFunction`.
Machine = TypeVar("Machine")
#: A program of words.
Code = TypeVar("Code")


class InvalidCode(Exception):
    """Code of ours breaks a rule of its machine: an error of the compiler, never of the shader."""

    def __init__(self, target: str, faults: Iterable[object]) -> None:
        super().__init__(f"{target}: the code generated breaks a rule: {'; '.join(map(str, faults))}")


def require_valid(target: str, faults: Iterable[object]) -> None:
    """Raise where a judge has found faults."""
    listed = list(faults)
    if listed:
        raise InvalidCode(target, listed)


class CodeGenerator(ABC, Generic[Interface, Machine, Code]):
    """One compilation of an optimised module by a back end.

    Phases change `module` and machine code in place.  What a phase cannot do it reports, and raises.
    """

    #: What the target is called in messages.
    target: ClassVar[str]
    #: The resources of which other code may need less; None for all of them.
    curable: ClassVar[Collection[str] | None] = None
    #: Where the variables are, from the plan on.
    interface: Interface

    def __init__(self, module: Module, costs: CostModel, options: TargetOptions) -> None:
        self.module = module
        self.costs = costs
        self.options = options

    def generate(self, sink: DiagnosticSink) -> Artifact:
        """Make machine code with everything about it."""
        self.prepare(sink)
        return self.make_artifact(sink)

    def make_artifact(self, sink: DiagnosticSink) -> Artifact:
        """Make machine code of a prepared module."""
        self.legalize(sink)
        code, exceeded = fitting(self._make_code, sink, self.curable)
        require_valid(self.target, self.judge(code))
        artifact = self.describe(code)
        return replace(artifact, stats=replace(artifact.stats, exceeded=exceeded)) if exceeded else artifact

    def _make_code(self, exceeded: Exceeded, sink: DiagnosticSink) -> Code:
        if exceeded:
            self.tighten(exceeded, sink)
        self.interface = self.plan(sink)
        machine = self.select(sink)
        self.fix_up(machine, sink)
        self.allocate(machine, sink)
        return self.finalize(machine, sink)

    def prepare(self, sink: DiagnosticSink) -> None:
        """Bring the module into the form that the machine's interface has; most are in it."""

    @abstractmethod
    def legalize(self, sink: DiagnosticSink) -> None:
        """Lower the module to operations that selection knows, and refuse what has no form on the machine."""

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        """Ready what follows for code that needs less of what the code made first exceeded."""

    @abstractmethod
    def plan(self, sink: DiagnosticSink) -> Interface:
        """Return where variables are."""

    @abstractmethod
    def select(self, sink: DiagnosticSink) -> Machine:
        """Return machine instructions on virtual registers."""

    def fix_up(self, machine: Machine, sink: DiagnosticSink) -> None:
        """Make operands legal, and let instructions be where they cost least."""

    def allocate(self, machine: Machine, sink: DiagnosticSink) -> None:
        """Order the instructions and give them registers, on a machine that has some."""

    @abstractmethod
    def finalize(self, machine: Machine, sink: DiagnosticSink) -> Code:
        """Return words."""

    @abstractmethod
    def judge(self, code: Code) -> Iterable[object]:
        """Return the rules of the machine that words break, which is a mistake of the compiler."""

    @abstractmethod
    def describe(self, code: Code) -> Artifact:
        """Return words in their file, with text, register map and statistics."""
