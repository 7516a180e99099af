"""Calls: arguments are copied to the parameters' memory; what the callee knows by itself is bound instead.

Pointers are no values (`shader.py`): a pointer to a variable of the caller is copied in and out.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import LValue, MemoryLValue
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.types import ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.frontends.spirv.composites import unfit
from glslc_multi.frontends.spirv.lower.scope import Scope, is_writable, root
from glslc_multi.frontends.spirv.lower.shader import Binding
from glslc_multi.frontends.spirv.lower.textures import Texture
from glslc_multi.frontends.spirv.module.contents import Function
from glslc_multi.frontends.spirv.module.types import PointerType


class Calls:
    """The calls that one function makes, and what it yields to its caller."""

    def __init__(self, scope: Scope, flow: Flow) -> None:
        self._scope = scope
        self._shader = scope.shader
        self._flow = flow
        self._emitter = flow.emitter

    def load_parameters(self) -> None:
        """Parameters that are values, out of the memory where the caller put them."""
        for parameter in self._scope.instance.source.parameters:
            value = self._scope.find(parameter.result, parameter)
            if not isinstance(value, Texture | Operand) and not isinstance(self._scope.type(parameter), PointerType):
                self._scope.define(parameter, value.load(self._emitter))

    def store_result(self, at: Instruction) -> None:
        """OpReturnValue, but for leaving."""
        if self._scope.instance.result is None:
            raise unfit(at, "the function yields nothing")
        self._hand_over(self._scope.instance.result, self._scope.operand(at.id(0), at), at)

    def call(self, at: Instruction) -> None:
        """OpFunctionCall."""
        source = self._scope.contents.functions.get(at.id(0))
        if source is None or len(at.operands) != 1 + len(source.parameters) or source is self._shader.main.source:
            raise unfit(at, "its callee is no function, or takes another number of arguments")
        bindings = self._bindings(at, source)
        callee = self._shader.instance(source, bindings, at)
        copied: list[tuple[LValue, LValue]] = []
        for id, parameter, binding, own in zip(at.ids(1), source.parameters, bindings, callee.parameters, strict=True):
            if binding is not None or isinstance(own, Texture):
                continue
            if isinstance(self._scope.type(parameter), PointerType):
                argument = self._scope.pointer(id, at)
                copied.append((argument, own))
                self._hand_over(own, argument.load(self._emitter), at)
            else:
                self._hand_over(own, self._scope.operand(id, at), at)
        self._emitter.call(callee.function)
        if self._shader.may_discard(source):
            self._flow.leave_if(self._shader.discarded.load(self._emitter).value)
        for argument, own in copied:
            if is_writable(argument):
                argument.store(self._emitter, own.load(self._emitter))
        if callee.result is not None:
            self._scope.define(at, callee.result.load(self._emitter))

    def _hand_over(self, memory: LValue, value: Operand, at: Instruction) -> None:
        if memory.type != value.type:
            raise unfit(at, f"a {value.type} is given where a {memory.type} is taken")
        memory.store(self._emitter, value)

    # ------------------------------------------------------------------------------- what callees know
    def _bindings(self, at: Instruction, source: Function) -> list[Binding]:
        """What the callee knows of its arguments: textures, globals, and variables that are given twice."""
        arguments = [self._scope.find(id, at) for id in at.ids(1)]
        types = [self._scope.type(parameter) for parameter in source.parameters]
        roots = [id(root(each).slot) for each in arguments if not isinstance(each, Operand | Texture)]
        bindings: list[Binding] = []
        for id_, argument, type_ in zip(at.ids(1), arguments, types, strict=True):
            if isinstance(type_, PointerType) and type_.storage != self._scope.storage(id_):
                raise unfit(at, f"a parameter is a pointer to {type_.storage}, and its argument is none")
            if isinstance(argument, Texture):
                if argument.type is not type_:
                    raise unfit(at, f"an argument is of another type than the parameter, a {type_}")
                if argument.indices:
                    what = "an image that is chosen at run time is an argument"
                    raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
                bindings.append(argument)
            elif isinstance(argument, Operand):
                bindings.append(None)
            else:
                bindings.append(_bound_pointer(argument, type_, roots, at))
        return bindings


def _bound_pointer(argument: LValue, type_: ShaderType, roots: list[int], at: Instruction) -> Binding:
    """Nothing where the callee has memory of its own, which is copied in and out."""
    if not isinstance(type_, PointerType) or type_.pointee != argument.type:
        raise unfit(at, f"an argument is a pointer to a {argument.type}, the parameter a {type_}")
    is_own = type_.storage == "Function" and not argument.type.contains_sampler
    if is_own and roots.count(id(root(argument).slot)) == 1:
        return None
    if not isinstance(argument, MemoryLValue) or argument.dynamic is not None or isinstance(argument.column, Value):
        what = "a pointer to a part that is chosen at run time is an argument"
        raise Invalid(messages.NOT_SUPPORTED, at, name=at.name, what=what)
    return argument
