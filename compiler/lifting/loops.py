"""Loops that count: machines test at the end, count down to zero, and have the number that programs use beside that.

In: a loop with one latch, which goes on as long as a counter says, for a number of rounds that is known.  Out: one that
counts from 0 and tests first; other numbers that grow by the same in each round are computed of that one.
"""

from __future__ import annotations

from collections.abc import Collection

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import rename_incoming, split_block
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT, INT, Type
from glslc_multi.compiler.lifting.parts import Part, parts_of

#: Below it floats have all whole numbers.
_WHOLE_FLOATS = 1 << 24
_LINEAR = frozenset({ops.IADD, ops.ISUB, ops.FADD, ops.FSUB, ops.FNEG})


def count_loops(function: Function) -> None:
    """Let loops count from 0 and test first where it is known how often they run."""
    done: set[Block] = set()
    while True:
        analyses = AnalysisManager(function)
        loops = [loop for loop in analyses.get(loop_nest).all_loops() if loop.header not in done]
        if not loops:
            break
        # Inner ones first: an outer one ends where they do.
        loop = loops[-1]
        done.add(loop.header)
        count = analyses.get(trip_counts).get(loop)
        if count is not None and count.decided and [count.exiting] == loop.latches and _may_test_first(loop):
            # The test at the end says "stay" once less than the loop runs.
            _test_first(loop, count.stays + 1)
    for instruction in list(function.instructions()):
        whole = _whole(instruction.operands[0]) if instruction.op is ops.FTOI else None
        if whole is not None:
            instruction.replace_all_uses_with(whole)


# --- Counters ---------------------------------------------------------------------------------------------------------


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
    """Tell whether a loop has one way in, and values leave by phis on its edges if it has several ways out."""
    if loop.preheader is None:
        return False
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
