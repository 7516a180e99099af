"""Loops that count: machines test at the end, count down to zero, and have the number that programs use beside that.

In: a loop with one latch, which goes on as long as a counter says, for a number of rounds that is known.  Out: one that
counts from 0 and tests first; other numbers that grow by the same in each round are computed of that one.
"""

from __future__ import annotations

from collections.abc import Collection

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import rename_incoming, split_block
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, Type
from glslc_multi.compiler.lifting.parts import Part, parts_of

#: More rounds than machines count.
_MOST_ROUNDS = 1 << 12
#: Below it floats have all whole numbers.
_WHOLE_FLOATS = 1 << 24
_LINEAR = frozenset({ops.IADD, ops.ISUB, ops.FADD, ops.FSUB, ops.FNEG})
_TESTS = frozenset({ops.ILT, ops.ILE, ops.IEQ, ops.INE})


def count_loops(function: Function) -> None:
    """Let loops count from 0 and test first where it is known how often they run."""
    done: set[Block] = set()
    while loops := [each for each in AnalysisManager(function).get(loop_nest).all_loops() if each.header not in done]:
        # Inner ones first: an outer one ends where they do.
        loop = loops[-1]
        done.add(loop.header)
        rounds = _rounds(loop)
        if rounds is not None and _may_test_first(loop):
            _test_first(loop, rounds)
    for instruction in list(function.instructions()):
        whole = _whole(instruction.operands[0]) if instruction.op is ops.FTOI else None
        if whole is not None:
            instruction.replace_all_uses_with(whole)


# --- How often ------------------------------------------------------------------------------------------------------


def _rounds(loop: Loop) -> int | None:
    """Return how often a loop runs that leaves at its latch at the latest; None where nobody knows."""
    if loop.preheader is None or len(loop.latches) != 1:
        return None
    (latch,) = loop.latches
    terminator = latch.terminator
    assert terminator is not None
    if terminator.op is not ops.CONDBR or terminator.targets[0] is terminator.targets[1]:
        return None
    goes_on = terminator.targets[0] is loop.header
    condition = terminator.operands[0]
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        condition, goes_on = condition.operands[0], not goes_on
    if not isinstance(condition, Instruction) or condition.op not in _TESTS:
        return None
    for phi in loop.header.phis():
        start, after = _value_from(phi, loop.preheader), _next_of(phi, latch, condition)
        step = _step(after, phi)
        if isinstance(start, Constant) and isinstance(step, int):
            count = _simulated(condition, goes_on, phi, after, int(start.components[0] or 0), step)
            if count is not None:
                return count
    return None


def _simulated(
    condition: Instruction, goes_on: bool, phi: Instruction, after: Value, start: int, step: int
) -> int | None:
    """Count the rounds until a comparison of a counter with constants ends the loop."""
    if not all(isinstance(operand, Constant) or operand in (phi, after) for operand in condition.operands):
        return None
    number = start
    for count in range(1, _MOST_ROUNDS + 1):
        if not -(2**31) <= number + step < 2**31:
            return None
        values = [
            operand.components if isinstance(operand, Constant) else (number if operand is phi else number + step,)
            for operand in condition.operands
        ]
        outcome = fold_components(condition.op, BOOL, None, values)
        if outcome is None or bool(outcome.components[0]) != goes_on:
            return None if outcome is None else count
        number += step
    return None


def _next_of(phi: Instruction, latch: Block, condition: Value) -> Value:
    """Return what a phi is in the next round, in which the condition of the latch held."""
    value = _value_from(phi, latch)
    if isinstance(value, Instruction) and value.op is ops.SELECT and value.operands[0] is condition:
        value = value.operands[1]
    return value


def _value_from(phi: Instruction, block: Block) -> Value:
    value: Value = phi.operands[phi.attribute.index(block)]
    return _plain(value)


def _plain(value: Value) -> Value:
    """Return what a number is before shuffles."""
    whole, component = source(value, 0) if value.type.is_scalar else (value, 0)
    if isinstance(whole, Constant):
        return Constant(value.type, (whole.components[component],)) if value.type.is_scalar else value
    return whole if whole.type is value.type else value


def _step(after: Value, phi: Instruction) -> int | None:
    """Return the whole number by which a phi grows in a round; None of others."""
    factor, number = _line(after, phi) or (0.0, 0.0)
    return int(number) if factor == 1.0 and number == int(number) else None


def _line(value: Value, phi: Instruction) -> tuple[float, float] | None:
    """Return a factor of a phi, and what is added, which a number is; None of others."""
    value = _plain(value)
    if value is phi:
        return 1.0, 0.0
    if isinstance(value, Constant):
        return (0.0, float(value.components[0] or 0)) if value.type.is_scalar else None
    if not isinstance(value, Instruction) or value.op not in _LINEAR:
        return None
    lines = [line for operand in value.operands if (line := _line(operand, phi)) is not None]
    if len(lines) < len(value.operands):
        return None
    sign = -1.0 if value.op in (ops.FSUB, ops.ISUB, ops.FNEG) else 1.0
    (factor, number), *others = lines if len(lines) > 1 else [(0.0, 0.0), *lines]
    return factor + sign * others[0][0], number + sign * others[0][1]


# --- Testing first --------------------------------------------------------------------------------------------------


def _may_test_first(loop: Loop) -> bool:
    """Tell whether values leave a loop by phis on its edges alone, if there are several ways out."""
    return len(loop.exits) == 1 or not any(
        user.block not in loop.blocks and (user.op is not ops.PHI or user.attribute[number] not in loop.blocks)
        for block in loop.blocks
        for value in block
        for user in value.users
        for number, operand in enumerate(user.operands)
        if operand is value
    )


def _test_first(loop: Loop, rounds: int) -> None:
    """Let a loop of some rounds test a counter at its head."""
    header, (latch,), preheader = loop.header, loop.latches, loop.preheader
    assert preheader is not None and latch.terminator is not None and header.first_non_phi is not None
    condition, phis = latch.terminator.operands[0], list(header.phis())
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        condition = condition.operands[0]
    (out,) = (target for target in latch.successors if target is not header)
    afters = {phi: _next_of(phi, latch, condition) for phi in phis}
    body = split_block(header.first_non_phi, "body")
    end = body if latch is header else latch
    terminator = end.terminator
    assert terminator is not None
    going_on = [phi for phi in phis if afters[phi] is _value_from(phi, end)]
    _leave_from(header, going_on, end, out, loop.blocks | {body}, preheader)
    terminator.erase()
    counter = Builder(header).phi(INT, [(int_constant(0), preheader)])
    at_end = Builder(end)
    counter.add_incoming(at_end.op(ops.IADD, counter, int_constant(1)), end)
    at_end.br(header)
    head = Builder(header)
    for phi in phis:
        start, step = _value_from(phi, preheader), _step(afters[phi], phi)
        if isinstance(start, Constant) and step is not None:
            grown = _grown(head, counter, start.components[0] or 0, step, rounds, phi.type)
            phi.replace_all_uses_with(grown or phi)
    head.condbr(head.op(ops.ILT, counter, int_constant(rounds)), body, out)


def _leave_from(
    header: Block, phis: list[Instruction], end: Block, out: Block, inside: Collection[Block], preheader: Block
) -> None:
    """Let what follows a loop take its values at the head of the round that is no more.

    These `phis` have there what the last round left, whatever its test said.
    """
    uses = [
        (user, number, value)
        for block in inside
        for value in block
        for user in dict.fromkeys(value.users)
        for number, operand in enumerate(user.operands)
        if operand is value
        and user.block not in inside
        and (user.op is not ops.PHI or user.attribute[number] is end or user.attribute[number] not in inside)
    ]
    head, at_end = Builder(header), Builder(end, end.terminator)
    #: What a number at the end of a round is at the head of the next one.
    after = {
        part.key: (phi, component)
        for phi in phis
        for component, part in enumerate(_parts(phi.operands[phi.attribute.index(end)]))
    }
    for user, number, value in uses:
        components: list[Value] = []
        for part in _parts(value):
            if isinstance(part.value, Instruction) and part.value.block in inside:
                if part.key not in after:
                    last = at_end.extract(part.value, part.component)
                    after[part.key] = head.phi(last.type, [(Constant.undef(last.type), preheader), (last, end)]), 0
                components.append(head.extract(*after[part.key]))
            else:
                components.append(head.extract(part.value, part.component))
        user.set_operand(number, head.construct(*components))
    rename_incoming(out, end, header)


def _parts(value: Value) -> list[Part]:
    """Return the components of floats; other registers are single numbers."""
    return parts_of(value) if value.type.kind == "float" else [Part(value, 0, (value, 0))]


def _grown(builder: Builder, counter: Value, start: float, step: int, rounds: int, type: Type) -> Value | None:
    """Return start + step * counter; None where that is no whole number that the type has."""
    if type not in (INT, FLOAT) or start != int(start) or abs(start) + abs(step) * rounds >= _WHOLE_FLOATS:
        return None
    whole = counter if step == 1 else builder.op(ops.IMUL, counter, int_constant(step))
    if start:
        whole = builder.op(ops.IADD, whole, int_constant(int(start)))
    return whole if type is INT else builder.op(ops.ITOF, whole)


# --- Whole numbers --------------------------------------------------------------------------------------------------


def _whole(value: Value) -> Value | None:
    """Return the int that a float is; None of others.  Such are rounded before they become addresses."""
    value = _plain(value)
    if not isinstance(value, Instruction):
        return None
    match value.op, [_plain(operand) for operand in value.operands]:
        case ops.ITOF, [number]:
            return number
        case (ops.FFLOOR, [Instruction(op=ops.FADD, operands=[inner, Constant(components=(0.5,))])]):
            return _whole(inner)
        case (ops.FFLOOR | ops.FCEIL, [inner]) | (
            ops.FNEG,
            [Instruction(op=ops.FFLOOR, operands=[Instruction(op=ops.FNEG, operands=[inner])])],
        ):
            return _whole(inner)
        case ops.SELECT, [_, first, second]:
            whole = _whole(first)
            return whole if whole is _whole(second) else None
    return None
