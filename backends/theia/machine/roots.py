"""Square roots, found in a lifted program: loops of Newton's steps from above.

The machine has no root of a number.  guess := (x / guess + guess) / 2, from (x + 1) / 2 on, falls until it is the root;
code goes on while a component still does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.lifting.parts import Part, operands_of, pairs_of, parts_of

_HALF, _ONE = 0.5, 1.0
#: A component of a guess: the number that it is the root of, and what it begins with.
_Guess = tuple[Part | None, Part]


def read_roots(function: Function) -> None:
    """Let the guesses after such loops be roots, and the loops end at once."""
    predecessors = function.predecessors()
    for header in function.blocks:
        tests, blocks = _tests(header)
        before = [block for block in predecessors[header] if block not in blocks]
        if not tests or len(before) != 1:
            continue
        guesses = {phi: _guesses(phi, blocks, before[0]) for phi in header.phis()}
        read = [each for block in blocks for each in block if _users_after(each, blocks)]
        are_read = all(
            part.value in guesses or isinstance(part.value, Constant) for each in read for part in parts_of(each)
        )
        if are_read and all(guesses.values()) and all(_falls(test, guesses, blocks) for test in tests):
            _read_after(read, guesses, blocks, before[0])
            for test in tests:
                test.set_operand(0, bool_constant(False))


def _tests(header: Block) -> tuple[list[Instruction], list[Block]]:
    """The branches, one after the other, of which each may go back to the first block, and the blocks of the loop."""
    tests: list[Instruction] = []
    blocks: list[Block] = []
    block = header
    while block.last is not None and block.last.op is ops.CONDBR:
        back, onward = block.last.targets
        if back is not header and (back.last is None or back.last.targets != [header]):
            break
        tests.append(block.last)
        blocks += [block] if back is header else [block, back]
        block = onward
    return tests, blocks


def _users_after(value: Instruction, blocks: Collection[Block]) -> list[Instruction]:
    return [user for user in value.users if user.block not in blocks]


def _next(phi: Instruction, component: int, blocks: Sequence[Block]) -> Part | None:
    """The component of the next guess, the same from all sides."""
    parts = [Part.of(value, component) for value, block in phi.incoming() if block in blocks]
    return parts[0] if len({part.key for part in parts}) == 1 else None


def _guesses(phi: Instruction, blocks: Sequence[Block], before: Block) -> list[_Guess]:
    """The components of a guess; none where one of them is no such thing."""
    first = next(value for value, block in phi.incoming() if block is before)
    guesses: list[_Guess] = []
    for component in range(phi.type.width):
        following, start = _next(phi, component, blocks), Part.of(first, component)
        if following is None:
            return []
        x = None if following.key == start.key else _radicand(following, (phi, component), start)
        if x is None and following.key != start.key:
            return []
        if x is not None and isinstance(x.value, Instruction) and x.value.block in blocks:
            return []
        guesses.append((x, start))
    return guesses


def _radicand(following: Part, guess: tuple[Value, int], start: Part) -> Part | None:
    """What a step leads to the root of, from a number above it."""
    for total, half in pairs_of(following, ops.FMUL):
        for quotient, other in pairs_of(total, ops.FADD) if half.key == _HALF else ():
            terms = operands_of(quotient, ops.FDIV)
            if terms and terms[1].key == other.key == guess and _is_mean(start, terms[0]):
                return terms[0]
    return None


def _is_mean(start: Part, x: Part) -> bool:
    """Tell whether a number is (x + 1) / 2, which is not below the root."""
    for total, half in pairs_of(start, ops.FMUL):
        if half.key == _HALF and any((a.key, b.key) == (x.key, _ONE) for a, b in pairs_of(total, ops.FADD)):
            return True
    return False


def _falls(test: Instruction, phis: Iterable[Instruction], blocks: Sequence[Block]) -> bool:
    """Tell whether a branch goes back where the next guess is below the last one."""
    less = operands_of(Part.of(test.operands[0], 0), ops.FLT)
    for phi in phis:
        if less and less[1].value is phi:
            following = _next(phi, less[1].component, blocks)
            return following is not None and following.key == less[0].key
    return False


def _read_after(
    read: Iterable[Instruction], guesses: Mapping[Any, Sequence[_Guess]], blocks: Collection[Block], before: Block
) -> None:
    """Read roots where components of guesses are read after the loop."""
    assert before.last is not None
    builder = Builder.before(before.last)
    for value in read:
        components: list[Value] = []
        for part in parts_of(value):
            x, start = guesses[part.value][part.component] if part.value in guesses else (None, part)
            origin = start if x is None else x
            number = builder.extract(origin.value, origin.component)
            components.append(number if x is None else builder.op(ops.FSQRT, number))
        vector = builder.construct(*components)
        for user in _users_after(value, blocks):
            for number_of_operand, operand in enumerate(user.operands):
                if operand is value:
                    user.set_operand(number_of_operand, vector)
