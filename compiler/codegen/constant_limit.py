"""The message that registers for constants do not suffice: where they end, and the smallest change that would fit."""

from __future__ import annotations

from compiler.codegen.constants import ConstantTable
from compiler.codegen.interface import register_count
from compiler.codegen.machine import MachineFunction
from compiler.codegen.registers import Register
from compiler.diagnostics import DiagnosticSink, Span
from compiler.diagnostics.limit import Limit
from compiler.ir.variables import Variable

#: What the message says that there is too little of.
CONSTANT_REGISTERS = "constant registers"


def report_constant_limit(
    table: ConstantTable, limit: int, target: str, sink: DiagnosticSink, code: MachineFunction
) -> None:
    """Report where the table of `code`, with its numbers, goes beyond `limit`."""
    need = table.bound
    if need <= limit:
        return
    last = next((variable for variable in table.uniforms if table.registers_of(variable).stop > limit), None)
    span = last.span if last is not None else _first_beyond(code, table, limit)
    Limit(target, CONSTANT_REGISTERS, limit, _help(table, need - limit)).report(need, span, sink)


def _first_beyond(code: MachineFunction, table: ConstantTable, limit: int) -> Span | None:
    """The place of the first instruction that reads a register beyond the limit."""
    for instruction in code.instructions():
        registers = (use.register for use in instruction.all_uses())
        beyond = (r for r in registers if isinstance(r, Register) and r.file is table.file and r.index >= limit)
        if next(beyond, None) is not None and instruction.span is not None:
            return instruction.span
    return None


def _help(table: ConstantTable, excess: int) -> str:
    numbers = table.used - sum(map(register_count, table.uniforms))
    if numbers > table.used // 2:
        return f"{numbers} registers hold numbers of the shader: use fewer different ones"
    arrays: dict[str, list[Variable]] = {}
    for variable in table.uniforms:
        # An array of structures is one variable for each member.
        arrays.setdefault(variable.name.partition("[]")[0], []).append(variable)
    name, leaves = max(arrays.items(), key=lambda item: sum(map(register_count, item[1])))
    (length,) = {variable.dims[0] if variable.is_array else 1 for variable in leaves}
    fitting = length - -(-excess * length // sum(map(register_count, leaves)))
    # Uniforms that are pinned stay where they are.
    if fitting > 0 and all(variable.location is None for variable in table.uniforms):
        return f"'{name}' may have {fitting} elements at most"
    return "use smaller arrays of uniforms, or put several values into one vec4"
