"""Expressions to IR values, in the order the language evaluates them: operands from left to right.

`value` evaluates an expression, `lvalue` an l-value's indices.  The tree may be thousands of nodes high along
the left operands of binary operators and along indices and fields, so those are followed by loops; the rest
is bounded by the parser (see `frontends/glsl/limits.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import bool_constant
from glslc_multi.compiler.ir.module import Block, Constant, Value
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.lvalues import ComponentLValue, LValue, MemoryLValue, components_of, swizzled
from glslc_multi.compiler.shading.memory import local_slot
from glslc_multi.compiler.shading.operand import Operand, constant_operand, element_of, element_type, field_of, higher
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.lower import builtin_calls, operators
from glslc_multi.frontends.glsl.lower.calls import lower_call
from glslc_multi.frontends.glsl.lower.constructors import construct
from glslc_multi.frontends.glsl.lower.memory import symbol_slot
from glslc_multi.frontends.glsl.lower.shader import Instance, ShaderLowering
from glslc_multi.frontends.glsl.lower.texture_calls import is_lookup, lower_lookup
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import BOOL, ArrayType, GlslType, NumericType, Precision

Selector = ast.Index | ast.Field


class ExpressionLowering:
    """Lowers the expressions of one function."""

    __slots__ = ("_lvalues", "emitter", "flow", "instance", "shader")

    def __init__(self, shader: ShaderLowering, instance: Instance, flow: Flow) -> None:
        self.shader = shader
        self.instance = instance
        self.flow = flow
        self.emitter: Emitter = flow.emitter
        self._lvalues: dict[VariableSymbol, MemoryLValue] = {}

    # entry points --------------------------------------------------------------------------
    def value(self, node: ast.Expression) -> Operand:
        """Evaluate an expression."""
        self.emitter.span = node.span
        if node.constant is not None:
            return constant_operand(node.type, node.constant, _constant_precision(node))
        return _VALUE_OF[type(node)](self, node)

    def condition(self, node: ast.Expression) -> Value:
        return self.value(node).value

    def lvalue(self, node: ast.Expression) -> LValue:
        """Evaluate the indices of an l-value, or of anything else that stands for a variable's part."""
        selected = self._selected(node)
        assert not isinstance(selected, Operand)
        return selected

    def memory(self, node: ast.Expression) -> MemoryLValue:
        """The l-value of a sampler or of a struct with samplers: never a part of a vector."""
        return cast(MemoryLValue, self.lvalue(node))

    def variable(self, symbol: VariableSymbol) -> MemoryLValue:
        """The memory of a variable; a function's own locals get theirs when first met."""
        lvalue = self._lvalues.get(symbol)
        if lvalue is None:
            slot = self.shader.interface.slots.get(symbol) or self.instance.slots.get(symbol)
            if slot is None:
                slot = symbol_slot(symbol, self.shader.interface.names, self.instance.add_local)
                self.instance.slots[symbol] = slot
            lvalue = self._lvalues[symbol] = MemoryLValue(slot, symbol.type, symbol.precision)
        return lvalue

    def temporary(self, operand: Operand) -> MemoryLValue:
        """A value put into memory, so that it can be indexed dynamically."""
        name = self.shader.interface.names.unique("indexed$")
        slot = local_slot(name, operand.type, operand.precision, self.emitter.span, self.instance.add_local)
        lvalue = MemoryLValue(slot, operand.type, operand.precision)
        lvalue.store(self.emitter, operand)
        return lvalue

    # leaves --------------------------------------------------------------------------------
    def _literal(self, node: ast.LiteralValue) -> Operand:
        return constant_operand(node.type, (node.value,))

    def _conversion(self, node: ast.ImplicitConversion) -> Operand:
        return construct(self.emitter, node.type, [self.value(node.operand)])

    def _length(self, node: ast.Length) -> Operand:
        """Of an array whose evaluation would be noticed; elsewhere it is a constant."""
        assert isinstance(node.base.type, ArrayType)
        self.value(node.base)
        return constant_operand(node.type, (node.base.type.length,))

    # operators -----------------------------------------------------------------------------
    def _binary(self, node: ast.Binary) -> Operand:
        """The chain of left operands from its innermost outwards."""
        chain = [node]
        while isinstance(chain[-1].left, ast.Binary) and chain[-1].left.constant is None:
            chain.append(chain[-1].left)
        left = self.value(chain[-1].left)
        for link in reversed(chain):
            left = self._with_right(link, left)
        return left

    def _with_right(self, node: ast.Binary, left: Operand) -> Operand:
        if node.op in ("&&", "||") and self.shader.effects.of(node.right):
            return self._short_circuit(node, left.value)
        right = self.value(node.right)
        if node.op == ",":
            return right
        self.emitter.span = node.span
        return operators.binary(self.emitter, node.op, left, right)

    def _short_circuit(self, node: ast.Binary, left: Value) -> Operand:
        """&& and || whose right operand is evaluated only where the left one does not decide (section 5.9)."""
        decided = node.op == "||"
        right_block, join = self.flow.new_block("right"), self.flow.new_block("decided")
        before = self.emitter.block
        self.flow.branch(left, *((join, right_block) if decided else (right_block, join)))
        self.flow.start(right_block)
        right = self.condition(node.right)
        after = self.emitter.block
        self.flow.jump(join)
        self.flow.start(join)
        self.emitter.span = node.span
        return Operand(BOOL, (self.emitter.phi([(bool_constant(decided), before), (right, after)]),))

    def _conditional(self, node: ast.Conditional) -> Operand:
        """Both alternatives and a select, unless evaluating one in vain would be noticed."""
        condition = self.condition(node.condition)
        if not self.shader.effects.of(node.if_true) and not self.shader.effects.of(node.if_false):
            if_true, if_false = self.value(node.if_true), self.value(node.if_false)
            self.emitter.span = node.span
            return operators.select(self.emitter, condition, if_true, if_false)
        blocks = self.flow.new_block("true"), self.flow.new_block("false")
        join = self.flow.new_block("chosen")
        self.flow.branch(condition, *blocks)
        if_true, from_true = self._alternative(blocks[0], node.if_true, join)
        if_false, from_false = self._alternative(blocks[1], node.if_false, join)
        self.flow.start(join)
        self.emitter.span = node.span
        columns = tuple(
            self.emitter.phi([(x, from_true), (y, from_false)])
            for x, y in zip(if_true.columns, if_false.columns, strict=True)
        )
        return Operand(node.type, columns, higher(if_true.precision, if_false.precision))

    def _alternative(self, block: Block, node: ast.Expression, join: Block) -> tuple[Operand, Block]:
        self.flow.start(block)
        operand = self.value(node)
        last = self.emitter.block
        self.flow.jump(join)
        return operand, last

    def _unary(self, node: ast.Unary) -> Operand:
        if node.op in ("++", "--"):
            return self._step(node.op, node)[1]
        operand = self.value(node.operand)
        self.emitter.span = node.span
        return operators.unary(self.emitter, node.op, operand)

    def _postfix(self, node: ast.Postfix) -> Operand:
        return self._step(node.op, node)[0]

    def _step(self, operator: str, node: ast.Unary | ast.Postfix) -> tuple[Operand, Operand]:
        """++ or -- on an l-value: the value before and after."""
        lvalue = self.lvalue(node.operand)
        self.emitter.span = node.span
        before = lvalue.load(self.emitter)
        after = operators.stepped(self.emitter, operator, before)
        lvalue.store(self.emitter, after)
        return before, after

    def _assign(self, node: ast.Assign) -> Operand:
        """`a op= b` is `a = a op b` with the l-value evaluated once (section 5.8)."""
        lvalue = self.lvalue(node.target)
        if node.op == "=":
            result = self.value(node.value)
        else:
            old = lvalue.load(self.emitter)
            right = self.value(node.value)
            self.emitter.span = node.span
            result = operators.arithmetic(self.emitter, node.op[:-1], old, right)
        self.emitter.span = node.span
        lvalue.store(self.emitter, result)
        return Operand(lvalue.type, result.columns, lvalue.precision)

    # calls ---------------------------------------------------------------------------------
    def _call(self, node: ast.Call) -> Operand:
        if node.function is not None:
            return lower_call(self, node, node.function)
        if node.builtin is not None and is_lookup(node.builtin):
            sampler = self.memory(node.arguments[0])
            arguments = [self.value(argument) for argument in node.arguments[1:]]
            self.emitter.span = node.span
            return lower_lookup(self.emitter, node.builtin, sampler, arguments)
        if node.builtin is not None and node.builtin.out_parameters:
            # The only built-in function with an `out` parameter.
            number, target = self.value(node.arguments[0]), self.lvalue(node.arguments[1])
            self.emitter.span = node.span
            fraction, whole = builtin_calls.split(self.emitter, number)
            target.store(self.emitter, whole)
            return fraction
        arguments = [self.value(argument) for argument in node.arguments]
        self.emitter.span = node.span
        if node.builtin is not None:
            return builtin_calls.call(self.emitter, node.builtin, arguments)
        assert node.constructed is not None
        return construct(self.emitter, node.constructed, arguments)

    # variables and their parts -------------------------------------------------------------
    def _name(self, node: ast.Name) -> Operand:
        assert node.symbol is not None
        return self.variable(node.symbol).load(self.emitter)

    def _field(self, node: ast.Field) -> Operand:
        """A field; most are some components of a variable, which need no l-value."""
        base = node.base
        if node.swizzle is None or not isinstance(base, ast.Name) or base.constant is not None:
            return self._loaded(node)
        assert base.symbol is not None
        return swizzled(self.emitter, self.variable(base.symbol).load(self.emitter), node.swizzle)

    def _loaded(self, node: ast.Expression) -> Operand:
        selected = self._selected(node)
        if isinstance(selected, Operand):
            return selected
        self.emitter.span = node.span
        return selected.load(self.emitter)

    def _selected(self, node: ast.Expression) -> LValue | Operand:
        """What a chain of indices and fields selects: memory where it begins at a variable."""
        chain: list[Selector] = []
        while isinstance(node, (ast.Index, ast.Field)) and node.constant is None:
            chain.append(node)
            node = node.base
        selected: LValue | Operand = self._root(node)
        for selector in reversed(chain):
            selected = self._part(selected, selector)
        return selected

    def _root(self, node: ast.Expression) -> LValue | Operand:
        if isinstance(node, ast.Name) and node.symbol is not None and is_in_memory(node.symbol):
            return self.variable(node.symbol)
        return self.value(node)

    def _part(self, base: LValue | Operand, selector: Selector) -> LValue | Operand:
        if isinstance(selector, ast.Index):
            index = self._index(selector)
            is_vector = isinstance(base.type, NumericType) and base.type.is_vector
            if isinstance(base, Operand):
                return self._indexed_value(base, index)
            if not is_vector:
                return cast(MemoryLValue, base).element(self.emitter, index)
            return components_of(base, (index,)) if isinstance(index, int) else ComponentLValue(base, index)
        self.emitter.span = selector.span
        if selector.swizzle is None:
            return (
                field_of(base, selector.name)
                if isinstance(base, Operand)
                else cast(MemoryLValue, base).field(selector.name)
            )
        if isinstance(base, Operand):
            return swizzled(self.emitter, base, selector.swizzle)
        return components_of(base, selector.swizzle)

    def _index(self, node: ast.Index) -> Value | int:
        """The index: a number within bounds where it is known, else an int value."""
        value = self.value(node.index).value
        self.emitter.span = node.span
        if not isinstance(value, Constant):
            return value
        return min(max(int(value.components[0] or 0), 0), _extent(node.base.type) - 1)

    def _indexed_value(self, base: Operand, index: Value | int) -> LValue | Operand:
        is_vector = isinstance(base.type, NumericType) and base.type.is_vector
        if isinstance(index, int):
            return swizzled(self.emitter, base, (index,)) if is_vector else element_of(base, index)
        if not is_vector:
            return self.temporary(base).element(self.emitter, index)
        component = self.emitter.op(ops.EXTRACT_DYNAMIC, base.value, index)
        return Operand(element_type(base.type), (component,), base.precision)


def is_in_memory(symbol: VariableSymbol) -> bool:
    """Whether there is memory for a variable: a constant needs some only where an index selects of it at run time."""
    return symbol.constant is None or symbol.is_indexed


def _constant_precision(node: ast.Expression) -> Precision | None:
    """Literals adapt to the other operand; a named constant has the precision it was declared with."""
    return node.symbol.precision if isinstance(node, ast.Name) and node.symbol is not None else None


def _extent(type_: GlslType) -> int:
    """How many elements indexing may choose from."""
    if isinstance(type_, ArrayType):
        return type_.length
    assert isinstance(type_, NumericType)
    return type_.columns if type_.is_matrix else type_.rows


_VALUE_OF: dict[type, Callable[[ExpressionLowering, Any], Operand]] = {
    ast.LiteralValue: ExpressionLowering._literal,
    ast.ImplicitConversion: ExpressionLowering._conversion,
    ast.Binary: ExpressionLowering._binary,
    ast.Conditional: ExpressionLowering._conditional,
    ast.Unary: ExpressionLowering._unary,
    ast.Postfix: ExpressionLowering._postfix,
    ast.Assign: ExpressionLowering._assign,
    ast.Call: ExpressionLowering._call,
    ast.Name: ExpressionLowering._name,
    ast.Index: ExpressionLowering._loaded,
    ast.Field: ExpressionLowering._field,
    ast.Length: ExpressionLowering._length,
}
