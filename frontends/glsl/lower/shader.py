"""What lowering knows about the whole shader: its globals, and the IR functions that each function becomes.

A GLSL function becomes one IR function, except that samplers are no values: a function with sampler
parameters becomes one for each set of samplers it is called with.  Functions are lowered from a queue, so
that only reachable ones are, and however long the chain of calls is, no recursion follows it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from glslc_multi.compiler.ir import types as ir_types
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.shading.emitter import Tally
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import LeafMemory, MemoryLValue, Slot
from glslc_multi.compiler.shading.memory import leaf_shapes, local_slot
from glslc_multi.frontends.glsl.limits import INSTRUCTION_LIMIT
from glslc_multi.frontends.glsl.lower.effects import Effects
from glslc_multi.frontends.glsl.lower.interface import Interface
from glslc_multi.frontends.glsl.lower.memory import symbol_slot
from glslc_multi.frontends.glsl.symbols import FunctionSymbol, VariableSymbol
from glslc_multi.frontends.glsl.types import BOOL, VOID

#: A sampler argument: the sampler variable, the element where it begins, and whether a dynamic index is added.
SamplerBinding = tuple[Variable, int, bool]


@dataclass(slots=True, eq=False)
class Instance:
    """An IR function made, or to be made, of a GLSL function."""

    symbol: FunctionSymbol
    function: Function
    #: The memory of parameters, and of locals as lowering meets them.
    slots: dict[VariableSymbol, Slot] = field(default_factory=dict)
    result: MemoryLValue | None = None
    #: Where the caller stores the dynamic indices of sampler arguments, in order.
    sampler_bases: list[Variable] = field(default_factory=list)

    def add_local(self, variable: Variable) -> Variable:
        """Register a local variable. Its name is unique by construction, so nothing need be searched for it."""
        self.function.variables[variable.name] = variable
        return variable


class ShaderLowering:
    """The module under construction."""

    __slots__ = (
        "_discarded",
        "_discarding",
        "_instances",
        "_queue",
        "effects",
        "interface",
        "main",
        "module",
        "tally",
    )

    def __init__(
        self, module: Module, interface: Interface, main: FunctionSymbol, discarding: set[FunctionSymbol]
    ) -> None:
        self.module = module
        self.interface = interface
        self.tally = Tally(INSTRUCTION_LIMIT)
        self.effects = Effects()
        self._discarding = discarding
        self._discarded: MemoryLValue | None = None
        self._instances: dict[tuple[FunctionSymbol, tuple[SamplerBinding, ...]], Instance] = {}
        self._queue: deque[Instance] = deque()
        #: Made first, so that nothing else is called "main".
        self.main = self.instance(main)

    def instance(self, symbol: FunctionSymbol, samplers: Sequence[SamplerBinding] = ()) -> Instance:
        """The IR function for calls of `symbol` with these samplers; queued when it is new."""
        key = (symbol, tuple(samplers))
        if key not in self._instances:
            self._instances[key] = self._new_instance(symbol, samplers)
            self._queue.append(self._instances[key])
        return self._instances[key]

    def next_instance(self) -> Instance | None:
        """The next function to lower."""
        return self._queue.popleft() if self._queue else None

    def new_flow(self, instance: Instance) -> Flow:
        """The control flow of a function about to be lowered."""
        return Flow(instance.function, self.tally, precise=self.interface.is_invariant)

    def may_discard(self, symbol: FunctionSymbol) -> bool:
        return symbol in self._discarding

    @property
    def discarded(self) -> MemoryLValue:
        """The flag by which a caller learns that its callee has discarded the pixel."""
        if self._discarded is None:
            name = self.interface.names.unique("discarded$")
            variable = self.module.add_variable(Variable(name, "local", ir_types.BOOL))
            self._discarded = MemoryLValue(Slot((LeafMemory(variable),)), BOOL, None)
        return self._discarded

    def _new_instance(self, symbol: FunctionSymbol, samplers: Sequence[SamplerBinding]) -> Instance:
        names = self.interface.names
        name = names.unique(symbol.name)
        instance = Instance(symbol, self.module.add_function(name, symbol.span))
        if symbol.return_type is not VOID:
            slot = local_slot(
                names.unique(f"{name}$result"),
                symbol.return_type,
                symbol.return_precision,
                symbol.span,
                instance.add_local,
            )
            instance.result = MemoryLValue(slot, symbol.return_type, symbol.return_precision)
        remaining = list(samplers)
        for parameter in symbol.parameters:
            instance.slots[parameter] = self._parameter_slot(instance, parameter, remaining)
        return instance

    def _parameter_slot(self, instance: Instance, parameter: VariableSymbol, samplers: list[SamplerBinding]) -> Slot:
        """Memory for a parameter; its sampler leaves are those of the argument, taken off `samplers`."""
        if not parameter.type.contains_sampler:
            return symbol_slot(parameter, self.interface.names, instance.add_local)
        name = self.interface.names.unique(parameter.name or "unnamed")
        memories = []
        for shape in leaf_shapes(parameter.type, parameter.precision):
            if shape.type.contains_sampler:
                memories.append(self._bound_sampler(instance, parameter, samplers.pop(0)))
            else:
                variable = shape.variable(name, "local", parameter.span)
                memories.append(LeafMemory(instance.add_local(variable)))
        return Slot(tuple(memories))

    def _bound_sampler(self, instance: Instance, parameter: VariableSymbol, binding: SamplerBinding) -> LeafMemory:
        variable, offset, is_dynamic = binding
        if not is_dynamic:
            return LeafMemory(variable, offset)
        name = self.interface.names.unique(f"{variable.name}$index")
        base = Variable(name, "local", ir_types.INT, span=parameter.span)
        instance.sampler_bases.append(instance.add_local(base))
        return LeafMemory(variable, offset, base)
