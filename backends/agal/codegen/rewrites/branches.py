"""Branches in the forms that `ife`, `ine` and `ifl` have, before selection.

In: control flow that `structurize` nested, on comparisons and what joins two of them.  Out: every branch tests a
comparison that is an instruction, and leads to a block of its own where it holds.  Derivatives, and lookups whose
coordinates are computed, cannot stand inside of a condition (runtime errors 3741, 3742); where some do, the branches
are refused, and arithmetic must do.

`ifg` is not used: sources disagree about what it does with equal operands.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.agal.codegen.refuse import refuse_branch
from glslc_multi.compiler.codegen.operands import NO_MODIFIERS, components_of
from glslc_multi.compiler.codegen.regions import If, Region, Seq, blocks_of, split_critical_edges, structure_function
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import define_operands
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass

#: Comparisons that an instruction tests (`select.py`).
_DIRECT = frozenset({ops.FLT, ops.FEQ, ops.FNE})
_SHUFFLES = frozenset({ops.PHI, ops.CONSTRUCT, ops.INSERT, ops.SWIZZLE})


@dataclass(frozen=True, slots=True)
class LegalizeBranches(Pass):
    """Brings every branch into such a form; what has none is reported and raised."""

    name = "agal-branches"
    description = "lets branches test what instructions compare"

    version: int = 2

    def run(self, function: Function, context: PassContext) -> bool:
        for region in _ifs(structure_function(function)):
            _refuse_contents(region, self.version, context.sink)
            _legalize_test(region, self.version, context.sink)
        for phi in [i for i in function.instructions() if i.op is ops.PHI]:
            _define_operands(phi)
        split_critical_edges(function)
        return True


def _ifs(region: Region[Block]) -> Iterator[If[Block]]:
    if isinstance(region, Seq):
        for part in region.parts:
            yield from _ifs(part)
    elif isinstance(region, If):
        yield region
        for arm in _arms(region):
            yield from _ifs(arm)


def _arms(region: If[Block]) -> list[Seq[Block]]:
    return [arm for arm in (region.then, region.orelse) if arm is not None]


def _refuse_contents(region: If[Block], version: int, sink: DiagnosticSink) -> None:
    """Refuse what cannot stand inside of a condition."""
    for arm in _arms(region):
        for block in blocks_of(arm):
            for i in block:
                if i.op in (ops.DDX, ops.DDY):
                    refuse_branch("a derivative inside of a condition", i.span, version, sink)
                if i.op is ops.TEXTURE and not _is_interpolated(i):
                    refuse_branch("a lookup at computed coordinates inside of a condition", i.span, version, sink)


def _is_interpolated(lookup: Instruction) -> bool:
    """Whether the coordinates of a lookup are components of a varying."""
    origins = [operand.base for operand in components_of(lookup.operands[0], NO_MODIFIERS)]
    first = origins[0]
    is_varying = isinstance(first, Instruction) and first.op is ops.LOAD and first.address.variable.storage == "varying"
    return is_varying and all(origin is first for origin in origins)


def _legalize_test(region: If[Block], version: int, sink: DiagnosticSink) -> None:
    """Let a branch test what an instruction tests."""
    test = region.block.terminator
    assert test is not None
    comparison = test.operands[0]
    if not isinstance(comparison, Instruction):
        refuse_branch("a condition that is constant", test.span, version, sink)
    builder = Builder.before(test)
    opcode, (x, y) = comparison.op, comparison.operands
    # x <= y has no instruction, but its opposite y < x has; so the arms may change places.
    if region.inverted or (opcode is ops.FLE and region.orelse is not None):
        opcode, x, y = _negated(opcode, x, y)
        test.attribute = test.targets[::-1]
    if opcode not in _DIRECT or x is y:
        mask = builder.op(ops.BTOF, builder.op(opcode, x, y))
        opcode, x, y = ops.FNE, mask, Constant(FLOAT, (0.0,))
    test.set_operand(0, builder.op(opcode, x, y))


def _negated(opcode: Opcode, x: Value, y: Value) -> tuple[Opcode, Value, Value]:
    if opcode in (ops.FLT, ops.FLE):
        return (ops.FLE if opcode is ops.FLT else ops.FLT), y, x
    return (ops.FNE if opcode is ops.FEQ else ops.FEQ), x, y


def _define_operands(phi: Instruction) -> None:
    """Give undefined components a value: a component counts as written only if both blocks wrote it."""
    seen: set[Instruction] = set()
    pending = [phi]
    while pending:
        instruction = pending.pop()
        if instruction in seen or instruction.op not in _SHUFFLES:
            continue
        seen.add(instruction)
        define_operands(instruction)
        pending += [operand for operand in instruction.operands if isinstance(operand, Instruction)]
