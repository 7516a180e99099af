"""Loops that count: `for (int i = 0; i < 8; i++)`, the only ones that GLSL ES 1.00 promises (appendix A.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from glslc_multi.backends.glsl.text import constant
from glslc_multi.compiler.codegen.regions import BreakIf, If, Loop, Region, Seq
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
    start: Constant
    #: The test under which the loop goes on: operator and limit.
    test: str
    limit: Constant
    step: str
    by: Constant

    def head(self, name: str, start: str) -> str:
        """Return the head of the loop."""
        by = constant(self.by).text
        step = f"{name}++" if self.step == "+=" and by == "1" else f"{name} {self.step} {by}"
        return f"for ({self.phi.type.name} {name} = {start}; {name} {self.test} {constant(self.limit).text}; {step}) {{"


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
                yield from _counter(first.block, uses, outlive)


def _counter(header: Block, uses: _Uses, outlive: Collection[Value]) -> Iterator[Counter]:
    terminator = header.terminator
    assert terminator is not None
    condition = terminator.operands[0]
    if not isinstance(condition, Instruction) or condition.op not in _TESTS or len(uses[condition]) > 1:
        return
    # What is computed before the test stands behind it in a `for`, and is not seen after the loop.
    computed = [i for i in header if i.op is not ops.PHI and not i.is_terminator]
    if any(i in outlive or i.type.width == 0 for i in computed) or list(header.successors[1].phis()):
        return
    first, second = condition.operands
    test = _TESTS[condition.op]
    if isinstance(first, Constant):
        first, second, test = second, first, _SWAPPED[test]
    if not isinstance(first, Instruction) or first.op is not ops.PHI or first.block is not header or first in outlive:
        return
    starts = [value for value in first.operands if isinstance(value, Constant) and not value.is_undef]
    steps = [value for value in first.operands if isinstance(value, Instruction) and value.op in _STEPS]
    if not isinstance(second, Constant) or len(starts) != 1 or len(steps) != 1:
        return
    (start,), (step,) = starts, steps
    by = step.operands[1]
    if step.operands[0] is first and isinstance(by, Constant) and len(uses[step]) == 1:
        yield Counter(header, first, start, test, second, _STEPS[step.op], by)
