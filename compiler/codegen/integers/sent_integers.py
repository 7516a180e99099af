"""Ints that one stage leaves for the next one, on machines without ints: within what code of that one expects.

Code is exact for ints from outside up to a limit (`WholeNumbers.outside`).  The host keeps to it; of linked stages the
first one must be shown to, unless the next one only compares its ints, converts them or takes them as indices.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.integer_ranges import IntegerRanges, integer_ranges
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.arithmetic.protocol import INT_MAX
from glslc_multi.compiler.codegen.integers.inexact_constants import CARRIED, COMPARED, CONVERTED, numbers_in
from glslc_multi.compiler.codegen.integers.whole_numbers import assumptions, simplified, words
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import INTEGER_MAY_BE_BEYOND, INTEGER_SENT_BEYOND
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module, Value
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers


def check_sent_integers(
    first: Module, second: Module, target: str, limits: WholeNumbers, inexact: bool, sink: DiagnosticSink
) -> None:
    """Report each int varying that may be beyond what the second stage expects; raises `CompileError` for one."""
    sent = {v.name for v in second.variables.values() if v.storage == "varying" and v.type.kind == "int"}
    if not sent:
        return
    computed = _computed_with(simplified(second), sent)
    entry = INTEGER_MAY_BE_BEYOND if inexact else INTEGER_SENT_BEYOND
    module = simplified(first)
    assumed = assumptions(module, limits)
    for function in module.functions.values():
        function.renumber()
        ranges = integer_ranges(function, assumed)
        for store in [i for i in function.instructions() if i.op is ops.STORE and i.address.variable.name in sent]:
            name = store.address.variable.name
            value = _beyond(store, ranges, limits.outside if name in computed else INT_MAX)
            if value is not None:
                said = words(value)
                sink.report(entry, store.span, name=name, value=said, target=target, limit=limits.outside)
    sink.raise_if_errors()


def _beyond(store: Instruction, ranges: IntegerRanges, most: int) -> Interval | None:
    """Find a component that may be larger or, of numbers without a sign, negative."""
    assert store.block is not None
    value = store.operands[-1]
    # On a machine without ints it is a float that is not negative.
    is_natural = isinstance(value, Instruction) and value.op is ops.FTOU
    low = 0 if store.address.variable.source_kind == "uint" and not is_natural else -most - 1
    return next((x for x in ranges.at(value, store.block) if x.low < low or x.high > most), None)


def _computed_with(module: Module, names: set[str]) -> set[str]:
    """Find the names of ints that the module does more with than compare, convert, or take as indices."""
    names_read: set[str] = set()
    for function in module.functions.values():
        origins: dict[Value, set[str]] = {}
        before = -1
        while before < (before := sum(map(len, origins.values())) + len(names_read)):
            for instruction in function.instructions():
                used = _read(instruction, names).union(
                    *(origins.get(operand, ()) for operand in numbers_in(instruction))
                )
                if instruction.op in CARRIED and instruction.type.kind == "int":
                    origins[instruction] = origins.get(instruction, set()) | used
                elif instruction.op not in COMPARED and instruction.op not in CONVERTED:
                    names_read |= used
    return names_read


def _read(instruction: Instruction, names: set[str]) -> set[str]:
    return {instruction.address.variable.name} & names if instruction.op is ops.LOAD else set()
