"""Indices of constants: what an address adds to a register number must be the number of a register.

In: loads of uniform arrays by an index that is the `ftoi` of a float, or the `btoi` of a bool.  Out: no matrix among
them: its columns (or rows) are elements of a plain array, and the index counts those; the float has no fraction, and
is not below 0 where that is not known, since machines differ in how they convert it.

An index below 0 is outside of its array, so that only those between -1 and 0 can be meant: they are 0.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import replace

#: Results that have no fraction when the operands have none.
_KEEP_WHOLE = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FNEG, ops.FABS, ops.FMIN, ops.FMAX, ops.FCLAMP})
_WHOLE = frozenset({ops.FFLOOR, ops.FCEIL, ops.FTRUNC, ops.BTOF, ops.FSTEP, ops.FSIGN})
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT, ops.PHI})


class LowerIndices(ModulePass):
    """Brings all indexed loads of uniforms into that form."""

    name = "agal-indices"
    description = "lets indices of constants count registers"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        loads = [i for i in module.main.instructions() if i.op is ops.LOAD]
        dynamic = [load for load in loads if load.address.is_dynamic and load.address.variable.storage == "uniform"]
        flat = {load.address.variable: load.address.variable.columns for load in dynamic}
        fractions = _Fractions()
        for load in loads:
            if load.address.variable in flat:
                _flatten(load, flat[load.address.variable], fractions)
        for variable, columns in flat.items():
            if columns > 1:
                variable.dims, variable.columns, variable.layout = (*(variable.dims or (1,)), columns), 1, "columns"
        context.forget(module.main, self)
        return bool(flat)


def _flatten(load: Instruction, columns: int, fractions: _Fractions) -> None:
    """Let the address name a column as an element, and its index be a float."""
    address, builder = load.address, Builder.before(load)
    indices = [_as_float(index, builder, fractions) for index in load.operands]
    total: Value | None = None
    if address.dynamic_index:
        total = indices[0]
        if columns > 1:
            total = builder.op(ops.FMUL, total, float_constant(columns))
    if address.dynamic_column:
        column = indices[-1]
        total = column if total is None else builder.op(ops.FADD, total, column)
    load.attribute = replace(
        address,
        offset=address.offset * columns + (0 if address.dynamic_column else address.column),
        column=0,
        dynamic_index=total is not None,
        dynamic_column=False,
    )
    for position in reversed(range(len(load.operands))):
        load.remove_operand(position)
    if total is not None:
        load.add_operand(builder.op(ops.FTOI, total))


def _as_float(index: Value, builder: Builder, fractions: _Fractions) -> Value:
    """The whole number that an index is."""
    assert isinstance(index, Instruction) and index.op in (ops.FTOI, ops.BTOI)
    number = index.operands[0]
    if index.op is ops.BTOI:
        return builder.op(ops.BTOF, number)
    return number if fractions.is_whole(number) else _floor_of_positive(number, builder)


def _floor_of_positive(number: Value, builder: Builder) -> Value:
    return builder.op(ops.FFLOOR, builder.op(ops.FMAX, number, float_constant(0.0)))


class _Fractions:
    """Knows which floats may have a fraction; each is looked at once."""

    def __init__(self) -> None:
        self.whole: set[Value] = set()
        self.fractional: set[Value] = set()

    def is_whole(self, value: Value) -> bool:
        """Say whether a float is known to have no fraction."""
        seen: set[Value] = set()
        verdict = self._is_whole(value, seen)
        if verdict:
            # What was taken for whole because a loop comes back to it is so, as all of it is.
            self.whole |= seen
        return verdict

    def _is_whole(self, value: Value, seen: set[Value]) -> bool:
        if isinstance(value, Constant):
            return all(c is None or (isinstance(c, (int, float)) and float(c).is_integer()) for c in value.components)
        if value in seen or value in self.whole:
            return True
        if value in self.fractional:
            return False
        seen.add(value)
        assert isinstance(value, Instruction)
        verdict = self._is_made_whole(value, seen)
        if not verdict:
            self.fractional.add(value)
        return verdict

    def _is_made_whole(self, value: Instruction, seen: set[Value]) -> bool:
        if value.op is ops.LOAD:
            return value.address.variable.source_kind in ("int", "uint", "bool")
        if value.op in _WHOLE:
            return True
        if value.op is ops.SELECT:
            return all(self._is_whole(operand, seen) for operand in value.operands[1:])
        return value.op in _KEEP_WHOLE | _SHUFFLES and all(self._is_whole(operand, seen) for operand in value.operands)
