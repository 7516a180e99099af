"""Loops that count: `for (int i = 0; i < 8; i++)`, the only ones that GLSL ES 1.00 promises (appendix A.4).

There, start, limit and step are constants; in the other versions they may be any values that the loop does not change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from glslc_multi.compiler.codegen.regions import BreakIf, If, Loop, Region, Seq, blocks_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.records import dataclass

_TESTS = {ops.ILT: "<", ops.ILE: "<=", ops.INE: "!=", ops.FLT: "<", ops.FLE: "<=", ops.FNE: "!="}
_SWAPPED = {"<": ">", "<=": ">=", "!=": "!="}
_STEPS = {ops.IADD: "+=", ops.FADD: "+=", ops.ISUB: "-=", ops.FSUB: "-="}
_Uses = Mapping[Value, Sequence[tuple[Instruction, Block]]]


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter of a loop."""

    header: Block
    phi: Instruction
    start: Value
    #: The test under which the loop goes on: operator and limit.
    test: str
    limit: Value
    step: str
    by: Value

    @property
    def is_constant(self) -> bool:
        """Tell whether nothing but constants decides how often the loop runs."""
        return all(isinstance(value, Constant) for value in (self.start, self.limit, self.by))

    def head(self, name: str, start: str, limit: str, by: str) -> str:
        """Return the head of the loop."""
        step = f"{name}++" if self.step == "+=" and by == "1" else f"{name} {self.step} {by}"
        return f"for ({self.phi.type.name} {name} = {start}; {name} {self.test} {limit}; {step}) {{"


def counters(tree: Seq[Block], uses: _Uses, outlive: Collection[Value]) -> Iterator[Counter]:
    """List the counters of the loops of a tree that test one first of all."""
    pending: list[Region[Block]] = [tree]
    while pending:
        region = pending.pop()
        if isinstance(region, Seq):
            pending += region.parts
        elif isinstance(region, If):
            pending += [arm for arm in (region.then, region.orelse) if arm is not None]
        elif isinstance(region, Loop):
            pending.append(region.body)
            first = region.body.parts[0]
            if isinstance(first, BreakIf) and first.inverted:
                yield from _counter(first.block, frozenset(blocks_of(region)), uses, outlive)


def _counter(header: Block, loop: frozenset[Block], uses: _Uses, outlive: Collection[Value]) -> Iterator[Counter]:
    terminator = header.terminator
    assert terminator is not None
    condition = terminator.operands[0]
    if not isinstance(condition, Instruction) or condition.op not in _TESTS or len(uses[condition]) > 1:
        return
    # What is computed before the test stands behind it in a `for`, and is not seen after the loop.
    computed = [i for i in header if i.op is not ops.PHI and not i.is_terminator]
    if any((i in outlive and not is_given(i)) or i.type.width == 0 for i in computed) or list(
        header.successors[1].phis()
    ):
        return
    first, second = condition.operands
    test = _TESTS[condition.op]
    if not _counts(first, header):
        first, second, test = second, first, _SWAPPED[test]
    if not isinstance(first, Instruction) or not _counts(first, header) or first in outlive:
        return
    starts = [value for value, source in first.incoming() if source not in loop]
    steps = [value for value, source in first.incoming() if source in loop]
    if len(starts) != 1 or len(steps) != 1 or (isinstance(starts[0], Constant) and starts[0].is_undef):
        return
    (start,), (step,) = starts, steps
    if not isinstance(step, Instruction) or step.op not in _STEPS or len(uses[step]) > 1:
        return
    by = step.operands[1]
    if step.operands[0] is first and _is_known_before(by, loop) and _is_known_before(second, loop):
        yield Counter(header, first, start, test, second, _STEPS[step.op], by)


def _counts(value: Value, header: Block) -> bool:
    """Tell whether a value is a phi of a loop."""
    return isinstance(value, Instruction) and value.op is ops.PHI and value.block is header


def is_given(value: Value) -> bool:
    """Tell whether a value is a uniform, or components of one."""
    while isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        value = value.operands[0]
    if not isinstance(value, Instruction) or value.op is not ops.LOAD:
        return False
    return not value.address.is_dynamic and value.address.variable.storage == "uniform"


def _is_known_before(value: Value, loop: Collection[Block]) -> bool:
    """Tell whether a value is there before a loop."""
    return (
        isinstance(value, Constant) or (isinstance(value, Instruction) and value.block not in loop) or is_given(value)
    )
