"""What a pass is, and what it may ask of its surroundings.

A pass has a `name` (kebab-case) and a `description`; one with options is a frozen dataclass, whose fields pipelines may
set (`loop-unroll{max=64}`).  `run` changes one function and says whether it made progress.  The contract: valid IR in,
valid IR out, the same meaning within the rules the pass claims; spans are kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from math import inf
from typing import ClassVar

from glslc_multi.compiler.analysis.accesses import Accesses
from glslc_multi.compiler.analysis.cfg_analyses import CFG_ANALYSES
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.records import dataclass, field


@dataclass(frozen=True, slots=True)
class CostModel:
    """What a target lets passes know about costs, in units of one simple vector instruction."""

    #: Costs of opcodes that are not 1; infinite where the target lacks one that passes could make (`fmad`).
    opcodes: Mapping[Opcode, float] = field(default_factory=dict)
    #: Of a conditional branch with its join; infinite where the target has none.
    branch: float = 4.0
    #: Of one on a bool uniform, where the machine has that for less.
    uniform_branch: float = inf
    #: How much of the cost of its arms counts when selects replace a branch: 0 where small code is all that counts, as
    #: they are there either way.
    arms: float = 1.0
    #: Whether a vector instruction costs as much as a scalar one (False: it costs its components).
    vector: bool = True
    #: Whether a product with a matrix is one operation, which zeros do not shorten.
    matrices: bool = False
    #: What a loop may cost when it is unrolled.
    unroll_budget: int = 256
    #: The same of one that indexes local arrays by what becomes known then, where it costs much while it is not known.
    array_unroll_budget: int = 0
    #: Whether loops that cannot be unrolled may stay.
    loops: bool = True
    #: Whether what depends on uniforms alone costs nothing, since `uniform-hoist` will take it out.
    hoists: bool = False

    def cost(self, opcode: Opcode, width: int) -> float:
        """The cost of one instruction with a result of `width` components."""
        return self.opcodes.get(opcode, 1.0) * (1 if self.vector else max(width, 1))


#: Costs of a machine like most: used where no target says otherwise.
GENERIC_COSTS = CostModel()


@dataclass(slots=True)
class PassContext:
    """What surrounds a run: costs, assumptions, diagnostics, cached analyses."""

    costs: CostModel = GENERIC_COSTS
    #: `-fprecise`: only rewrites that are exact in IEEE arithmetic.
    precise: bool = False
    sink: DiagnosticSink = field(default_factory=DiagnosticSink)
    _managers: dict[Function, AnalysisManager] = field(default_factory=dict)
    _accesses: dict[Module, Accesses] = field(default_factory=dict)

    def analyses(self, function: Function) -> AnalysisManager:
        """The function's analysis manager; a pass that used it invalidates what it broke itself only
        when it goes on asking: after a pass that made progress the runner invalidates."""
        if function not in self._managers:
            self._managers[function] = AnalysisManager(function)
        return self._managers[function]

    def accesses(self, module: Module) -> Accesses:
        """Who accesses the module's variables, as they are now."""
        if module not in self._accesses:
            self._accesses[module] = Accesses(module)
        return self._accesses[module]

    def forget(self, function: Function, pass_: Pass) -> None:
        """Drop what `pass_` did not preserve."""
        if function in self._managers:
            self._managers[function].invalidate(CFG_ANALYSES if pass_.preserves_control_flow else ())

    def forget_all(self, module: Module, pass_: Pass) -> None:
        """Drop what `pass_`, which changed a whole module, did not preserve."""
        for function in module.functions.values():
            self.forget(function, pass_)


@dataclass(frozen=True, slots=True)
class Pass(ABC):
    """A transform of functions; see the module's text for the contract.  Without options, all of a class are equal."""

    name: ClassVar[str]
    description: ClassVar[str]
    #: Whether blocks and branches stay as they are.
    preserves_control_flow: ClassVar[bool] = False

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @abstractmethod
    def run(self, function: Function, context: PassContext) -> bool:
        """Transform `function`; True when anything changed."""

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        """Transform all functions; a pass over the call graph overrides this."""
        progress = False
        for function in list(module.functions.values()):
            if self.run(function, context):
                progress = True
                context.forget(function, self)
        return progress


class ModulePass(Pass):
    """A transform that needs the whole module, such as inlining."""

    def run(self, function: Function, context: PassContext) -> bool:
        raise TypeError(f"{self.name} runs on modules")

    @abstractmethod
    def run_on_module(self, module: Module, context: PassContext) -> bool:
        """Transform the module; it forgets the analyses of every function that it changed."""
