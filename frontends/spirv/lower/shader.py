"""What lowering knows about the whole shader: its globals, and the IR functions that each function becomes.

Pointers are no values, so a function is lowered once for each set of global variables that it is given pointers to, and
for each set of textures.  A pointer to a variable of the caller is copied in and out instead, as the parameters of the
source were; where two of them lead to one variable, the function knows the variable itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import types as ir_types
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.shading.emitter import Tally
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import LeafMemory, LValue, MemoryLValue, Slot
from glslc_multi.compiler.shading.memory import local_slot
from glslc_multi.compiler.shading.types import BOOL, VOID
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.frontends.spirv.lower.interface import Interface
from glslc_multi.frontends.spirv.lower.textures import Texture, Textures
from glslc_multi.frontends.spirv.module import contents
from glslc_multi.frontends.spirv.module.contents import Contents

#: Instructions that lowering may make of one module.
INSTRUCTION_LIMIT = 1 << 17
#: Functions that it may become.
_FUNCTION_LIMIT = 1 << 10
_DISCARDS = frozenset({"OpKill", "OpTerminateInvocation", "OpDemoteToHelperInvocation"})
#: What a parameter stands for: a texture or a variable that is known, or memory of its own.
Binding = Texture | MemoryLValue | None


@dataclass(slots=True, eq=False)
class Instance:
    """An IR function made, or to be made, of a function of the module."""

    source: contents.Function
    function: Function
    #: What each parameter is: what it was bound to, or its memory.
    parameters: list[Texture | LValue] = field(default_factory=list)
    result: MemoryLValue | None = None

    def add_local(self, variable: Variable) -> Variable:
        self.function.variables[variable.name] = variable
        return variable


class ShaderLowering:
    """The module under construction."""

    def __init__(self, module: Module, parts: Contents, interface: Interface, main: contents.Function) -> None:
        self.module = module
        self.contents = parts
        self.interface = interface
        self.textures = Textures()
        self.tally = Tally(INSTRUCTION_LIMIT)
        self._discarding = _discarding(parts)
        self._discarded: MemoryLValue | None = None
        self._instances: dict[Hashable, Instance] = {}
        self._queue: deque[Instance] = deque()
        self._main = main
        self.main = self.instance(main, [None] * len(main.parameters), main.start)

    def instance(self, source: contents.Function, bindings: list[Binding], at: Instruction) -> Instance:
        """The IR function for calls with these bindings; queued when it is new."""
        key = (id(source), tuple(map(_key, bindings)))
        if key not in self._instances:
            if len(self._instances) >= _FUNCTION_LIMIT:
                raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what="the module becomes too many functions")
            names = self.interface.names
            name = "main" if source is self._main else names.unique(source.name)
            if source is not self._main and name == "main":
                name = names.unique("main")
            span = self.contents.spans.span(source.start)
            instance = Instance(source, self.module.add_function(name, span))
            if source.type.result is not VOID:
                slot = local_slot(names.unique(f"{name}$result"), source.type.result, None, span, instance.add_local)
                instance.result = MemoryLValue(slot, source.type.result, None)
            for parameter, binding in zip(source.parameters, bindings, strict=True):
                instance.parameters.append(binding or self._own_memory(instance, parameter))
            self._instances[key] = instance
            self._queue.append(self._instances[key])
        return self._instances[key]

    def next_instance(self) -> Instance | None:
        """The next function to lower."""
        return self._queue.popleft() if self._queue else None

    def new_flow(self, instance: Instance) -> Flow:
        return Flow(instance.function, self.tally, precise=self.interface.is_invariant)

    def may_discard(self, source: contents.Function) -> bool:
        return id(source) in self._discarding

    @property
    def callees_may_discard(self) -> bool:
        return bool(self._discarding - {id(self._main)})

    @property
    def discarded(self) -> MemoryLValue:
        """The flag by which a caller learns that its callee has discarded the pixel."""
        if self._discarded is None:
            variable = Variable(self.interface.names.unique("discarded$"), "local", ir_types.BOOL)
            self._discarded = MemoryLValue(Slot((LeafMemory(self.module.add_variable(variable)),)), BOOL, None)
        return self._discarded

    def _own_memory(self, instance: Instance, parameter: Instruction) -> MemoryLValue:
        type_ = self.contents.type_of(parameter)
        pointee = getattr(type_, "pointee", type_)
        name = self.interface.names.unique(self.contents.name_of(parameter.result) or f"parameter{parameter.result}")
        slot = local_slot(name, pointee, None, self.contents.spans.span(parameter), instance.add_local)
        return MemoryLValue(slot, pointee, None)


def _key(binding: Binding) -> Hashable:
    """Equal for bindings to the same memory."""
    if binding is None:
        return None
    if isinstance(binding, Texture):
        return (id(binding.address.variable), binding.address.offset)
    return (tuple(id(leaf.variable) for leaf in binding.slot.leaves), binding.first, binding.offset, binding.column)


def _discarding(parts: Contents) -> set[int]:
    """The functions that discard the pixel, themselves or through others."""
    callers: dict[int, set[int]] = {}
    ids: list[int] = []
    for number, function in parts.functions.items():
        for block in function.blocks.values():
            for instruction in block.body:
                if instruction.name in _DISCARDS:
                    ids.append(number)
                elif instruction.name == "OpFunctionCall":
                    callers.setdefault(instruction.id(0), set()).add(number)
    reached: set[int] = set()
    while ids:
        number = ids.pop()
        if number not in reached:
            reached.add(number)
            ids += callers.get(number, ())
    return {id(parts.functions[number]) for number in reached}
