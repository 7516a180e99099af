"""Calls of the shader's own functions (GLSL ES 1.00 section 6.1.1).

Arguments are evaluated from left to right: a value for `in`, an l-value's indices for `out`, both for
`inout`.  Then the values are stored in the callee's parameters, the call happens, and the parameters are
copied back, again from left to right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.ir.variables import Address
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import LValue, MemoryLValue
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.lower.constructors import construct
from glslc_multi.frontends.glsl.lower.shader import Instance, SamplerBinding, ShaderLowering
from glslc_multi.frontends.glsl.symbols import FunctionSymbol, VariableSymbol


class ArgumentLowering(Protocol):
    """What evaluates the arguments: `ExpressionLowering`, for the function that calls."""

    shader: ShaderLowering
    flow: Flow
    emitter: Emitter

    def value(self, node: ast.Expression) -> Operand: ...
    def lvalue(self, node: ast.Expression) -> LValue: ...
    def memory(self, node: ast.Expression) -> MemoryLValue: ...


@dataclass(slots=True)
class _Argument:
    """An evaluated argument: `value` goes in, `target` is what comes out is stored to."""

    parameter: VariableSymbol
    value: Operand | None = None
    target: LValue | None = None


@dataclass(slots=True)
class _Samplers:
    """The samplers among the arguments, in order."""

    bindings: list[SamplerBinding]
    #: Dynamic indices of those that have one.
    indices: list[Value]


def lower_call(lowering: ArgumentLowering, node: ast.Call, symbol: FunctionSymbol) -> Operand:
    """`symbol(arguments)`; the result has no columns where the function returns none."""
    emitter = lowering.emitter
    samplers = _Samplers([], [])
    arguments = [
        _evaluated(lowering, parameter, argument, samplers)
        for parameter, argument in zip(symbol.parameters, node.arguments, strict=True)
    ]
    callee = lowering.shader.instance(symbol, samplers.bindings)
    emitter.span = node.span
    for base, index in zip(callee.sampler_bases, samplers.indices, strict=True):
        emitter.store(Address(base), (), index)
    for argument in arguments:
        if argument.value is not None:
            _memory(callee, argument.parameter).store(emitter, argument.value)
    emitter.call(callee.function)
    # A pixel that the callee discarded goes no further: the caller might loop until the discard.
    if lowering.shader.may_discard(symbol):
        flag = lowering.shader.discarded.load(lowering.emitter)
        lowering.flow.leave_if(flag.value)
    for argument in arguments:
        if argument.target is not None:
            result = _memory(callee, argument.parameter).load(emitter)
            # An int that an `out` parameter yields may be stored as a float (GLSL 1.20 section 6.1).
            argument.target.store(
                emitter,
                result if result.type == argument.target.type else construct(emitter, argument.target.type, [result]),
            )
    return Operand(symbol.return_type, ()) if callee.result is None else callee.result.load(emitter)


def _evaluated(
    lowering: ArgumentLowering, parameter: VariableSymbol, node: ast.Expression, samplers: _Samplers
) -> _Argument:
    if parameter.type.contains_sampler:
        lvalue = lowering.memory(node)
        for binding, index in _bindings(lowering, lvalue):
            samplers.bindings.append(binding)
            samplers.indices.extend([] if index is None else [index])
        return _Argument(parameter, lvalue.load(lowering.emitter))
    if parameter.storage not in ("out", "inout"):
        return _Argument(parameter, lowering.value(node))
    target = lowering.lvalue(node)
    value = target.load(lowering.emitter) if parameter.storage == "inout" else None
    return _Argument(parameter, value, target)


def _bindings(lowering: ArgumentLowering, lvalue: MemoryLValue) -> Iterator[tuple[SamplerBinding, Value | None]]:
    for memory, index in lvalue.sampler_leaves(lowering.emitter):
        yield (memory.variable, memory.offset, index is not None), index


def _memory(callee: Instance, parameter: VariableSymbol) -> MemoryLValue:
    return MemoryLValue(callee.slots[parameter], parameter.type, parameter.precision)
