"""Whether ints stay exact on a machine that computes with floats: proven by ranges, or refused.

From GLSL 1.30 and ES 3.00 on ints have 32 bits and wrap (section 4.1.3).  A machine without them gives the same results
exactly as long as every whole number on the way is one that its floats hold.  So every operation on ints must have a
range within that limit, and operands of unsigned operations must not be negative.  Unsigned ints from outside are not;
ints from outside are within what the host promises (`WholeNumbers.outside`).  An int made of a float is exact whatever
it is, but nothing is known of it.

Values that are only indices are not looked at where they cannot wrap around: an index that is within the array is
small, and one that is not reads anything (section 5.7).
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.analysis.integer_ranges import IntegerRanges, integer_ranges
from glslc_multi.compiler.analysis.ranges import ANY_INT, Interval
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN
from glslc_multi.compiler.codegen.integers.inexact_constants import has_large_constants, inexact_constants
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import INTEGER_INEXACT, INTEGER_MAY_BE_INEXACT, NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module
from glslc_multi.compiler.ir.variables import TEXTURE_SIZE, Variable
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.records import dataclass

#: Largest coordinate of a pixel and size of a texture on these machines, so that `int(gl_FragCoord.x)` has a range.
_LARGEST_SCREEN = 1 << 13

#: Operations whose result must be in range.
_RESULTS = frozenset(
    {ops.IADD, ops.ISUB, ops.IMUL, ops.INEG, ops.ISHL, ops.IDIV, ops.IREM, ops.IAND, ops.IOR, ops.IXOR, ops.INOT}
)
#: Those whose operands must be, too.
_OPERANDS = frozenset({ops.IDIV, ops.IREM, ops.UDIV, ops.UREM, ops.IAND, ops.IOR, ops.IXOR})
#: Those on bits: sums of parts of their operands, each of as many bits as the largest operand may have.
_BITWISE = frozenset({ops.IAND, ops.IOR, ops.IXOR})
#: Those that read ints as unsigned.
_UNSIGNED = frozenset({ops.UDIV, ops.UREM, ops.USHR, ops.ULT, ops.ULE, ops.UTOF})
#: Those that divide by a power of two, which the machine must hold.
_SHIFTED = frozenset({ops.ISHR, ops.USHR})
_CHECKED = _RESULTS | _UNSIGNED | _SHIFTED
#: Those through which a number goes on.
_PASSED = _RESULTS | {ops.PHI, ops.SELECT}
#: Arithmetic in which an index that is in range has only small parts.
_MONOTONIC = frozenset({ops.IADD, ops.ISUB, ops.IMUL, ops.ISHL})


def check_whole_numbers(module: Module, target: str, limits: WholeNumbers, inexact: bool, sink: DiagnosticSink) -> None:
    """Report each int that may leave the range in which the target is exact; raises `CompileError` for one."""
    # Floats have other bits on such a machine, or none that can be seen.
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op in (ops.BITCAST_FTOI, ops.BITCAST_ITOF):
                construct, help_ = "the bits of floats", "compute with the numbers themselves"
                sink.report(NOT_EXPRESSIBLE, instruction.span, help=help_, target=target, construct=construct)
    sink.raise_if_errors()
    if not _has_ints(module, limits):
        return
    entry = INTEGER_MAY_BE_INEXACT if inexact else INTEGER_INEXACT
    for mistake in _mistakes(simplified(module), limits):
        help = None if inexact else _way_out(mistake.instruction)
        span, value = mistake.instruction.span, mistake.value
        sink.report(entry, span, help=help, value=value, target=target, limit=mistake.limit)
    sink.raise_if_errors()


def _has_ints(module: Module, limits: WholeNumbers) -> bool:
    """Tell whether anything can be inexact."""
    return any(
        instruction.op in _CHECKED or has_large_constants(instruction, limits.exact)
        for function in module.functions.values()
        for instruction in function.instructions()
    )


def simplify_inexact(module: Module, limits: WholeNumbers) -> None:
    """Simplify a module whose ints are exact only then, for code that is otherwise not optimised: that of `n % 4u` with
    a negative n, say, which is `n & 3`."""
    if _has_ints(module, limits) and any(_mistakes(_after(module, simplifies=False), limits)):
        _run(module, simplifies=True)


def simplified(module: Module) -> Module:
    """Return a copy that shows the values of its variables, simplified, which takes some inexact operations away."""
    return _after(module, simplifies=True)


def _after(module: Module, *, simplifies: bool) -> Module:
    """Return a copy in which variables have become values; simplified if that is asked for."""
    from glslc_multi.compiler.passes.control_flow.clone import clone_module

    clone = clone_module(module)
    _run(clone, simplifies=simplifies)
    return clone


def _run(module: Module, *, simplifies: bool) -> None:
    from glslc_multi.compiler.passes.base import PassContext
    from glslc_multi.compiler.passes.pipeline import DCE, GVN, INSTCOMBINE, PROMOTE, SCCP, SIMPLIFY_CFG
    from glslc_multi.compiler.passes.runner import run_pipeline

    simplify = (SCCP, INSTCOMBINE, GVN, SIMPLIFY_CFG, DCE) if simplifies else ()
    run_pipeline(module, (*PROMOTE, *simplify), PassContext())


@dataclass(frozen=True, slots=True)
class _Mistake:
    instruction: Instruction
    #: What its value may be, and what it may be at most.
    value: str
    limit: int


def _mistakes(module: Module, limits: WholeNumbers) -> Iterator[_Mistake]:
    """Operations that may be inexact; of those that follow from others, only the first ones."""
    assumed = assumptions(module, limits)
    for function in module.functions.values():
        function.renumber()
        ranges = integer_ranges(function, assumed)
        mistakes = _found_in(function, ranges, limits)
        mistakes += [
            _Mistake(use, str(number), limits.exact) for use, number in inexact_constants(function, ranges, limits)
        ]
        inexact = {mistake.instruction for mistake in mistakes}
        roots = [m for m in mistakes if not inexact.intersection(m.instruction.operands)]
        yield from roots or mistakes[:1]


def assumptions(module: Module, limits: WholeNumbers) -> dict[Variable, Interval]:
    """Return what is known of the interface."""
    intervals = {v: _from_outside(v, limits) for v in module.variables.values() if v.type.kind in ("int", "float")}
    return {variable: interval for variable, interval in intervals.items() if interval is not None}


def _way_out(mistake: Instruction) -> str:
    """What bounds an int, by where it comes from."""
    pending, seen = [mistake], {mistake}
    while pending:
        for operand in pending.pop().operands:
            if not isinstance(operand, Instruction) or operand in seen:
                continue
            if operand.op is ops.FTOI:
                return "of what int() makes of a float nothing is known: bound it, as int(clamp(x, 0.0, 16.0)) does"
            seen.add(operand)
            pending += [operand] if operand.op in _PASSED else []
    return "bound it, as clamp(n, 0, 255), n & 255 or a loop with a constant bound does, or take --inexact-integers"


def _from_outside(variable: Variable, limits: WholeNumbers) -> Interval | None:
    """What the machine finds in a variable of the interface; None where nothing is known."""
    if variable.role == "frag_coord":
        return Interval(-1.0, float(_LARGEST_SCREEN))
    if variable.role == TEXTURE_SIZE:
        return Interval(1.0, float(_LARGEST_SCREEN))
    if variable.type.kind != "int" or variable.storage in ("local", "output"):
        return None
    return Interval(0 if variable.source_kind == "uint" else -limits.outside, limits.outside)


def _found_in(function: Function, ranges: IntegerRanges, limits: WholeNumbers) -> list[_Mistake]:
    mistakes = []
    for block in function.blocks:
        for instruction in block:
            if instruction.op not in _CHECKED:
                continue
            if not _is_index(instruction) or _may_wrap(instruction, ranges, limits.exact):
                limit = _whole_bits(limits.exact) if instruction.op in _BITWISE else limits.exact
                problem = _problem(instruction, ranges, limit, limits.largest)
                if problem:
                    mistakes.append(_Mistake(instruction, problem, limit))
    return mistakes


def _whole_bits(exact: int) -> int:
    """Return the largest number of only ones up to a number: 2^24 has one bit more than all numbers below it."""
    return (1 << ((exact + 1).bit_length() - 1)) - 1


def _problem(instruction: Instruction, ranges: IntegerRanges, exact: int, largest: int) -> str:
    """What makes an operation inexact; "" where nothing does."""
    op, block = instruction.op, instruction.block
    assert block is not None
    checked: list[Interval] = []
    if op in _RESULTS:
        checked += ranges.at(instruction, block)
    operands = [interval for operand in instruction.operands for interval in ranges.at(operand, block)]
    if op in _OPERANDS and not _takes_any(instruction):
        checked += operands
    if op in _SHIFTED and not isinstance(instruction.operands[1], Constant):
        powers = [_power(count) for count in ranges.at(instruction.operands[1], block)]
        beyond = next((power for power in powers if power.high > largest), None)
        if beyond is not None:
            return words(beyond)
    negative = next((x for x in operands if x.low < 0), None) if op in _UNSIGNED else None
    if negative is not None:
        return f"negative ({words(negative)}), read as unsigned"
    worst = next((x for x in checked if not _is_exact(x, exact)), None)
    return "" if worst is None else words(worst)


def _takes_any(instruction: Instruction) -> bool:
    """Whether it is exact for every whole float: the remainder of a power of two."""
    mask = instruction.operands[1]
    return instruction.op is ops.IAND and isinstance(mask, Constant) and all(_is_low_mask(c) for c in mask.components)


def _is_low_mask(number: float | None) -> bool:
    return number is not None and number >= 0 and int(number) & (int(number) + 1) == 0


def _is_exact(interval: Interval, exact: int) -> bool:
    if -exact <= interval.low and interval.high <= exact:
        return True
    # A number with few significant bits is exact however large it is.
    number = int(abs(interval.low))
    return interval.is_single and number // (number & -number) <= exact


def words(interval: Interval) -> str:
    """Write a range for a message."""
    return f"{int(interval.low)}" if interval.is_single else f"{int(interval.low)} to {int(interval.high)}"


def _is_index(instruction: Instruction) -> bool:
    """Tell whether a value is used as an index only, perhaps after arithmetic with constants."""
    from glslc_multi.compiler.lowering.kinds import index_positions

    pending, seen = [instruction], {instruction}
    while pending:
        value = pending.pop()
        if value.op not in _MONOTONIC or not any(isinstance(operand, Constant) for operand in value.operands):
            return False
        for user in value.users:
            positions = index_positions(user)
            if positions and all(i in positions for i, operand in enumerate(user.operands) if operand is value):
                continue
            if user in seen:
                continue
            seen.add(user)
            pending.append(user)
    return bool(instruction.users)


def _may_wrap(instruction: Instruction, ranges: IntegerRanges, exact: int) -> bool:
    """Tell whether a product may be beyond 32 bits; an int that nothing is known of is one that a float holds."""
    if instruction.op not in (ops.IMUL, ops.ISHL) or instruction.block is None:
        return False
    first, second = (ranges.at(operand, instruction.block) for operand in instruction.operands)
    factors = [_power(y) for y in second] if instruction.op is ops.ISHL else second
    exact_range = Interval(-exact, exact)
    pairs = [
        (exact_range if x == ANY_INT else x, exact_range if y == ANY_INT else y)
        for x, y in zip(first, factors, strict=True)
    ]
    ends = [a * b for x, y in pairs for a in (x.low, x.high) for b in (y.low, y.high)]
    return not all(INT_MIN <= end <= INT_MAX for end in ends)


def _power(count: Interval) -> Interval:
    """Return what a shift multiplies by."""
    if count.low >= 0 and count.high < 32:
        return Interval(1 << int(count.low), 1 << int(count.high))
    return Interval(1, 1 << 31)
