"""After `lower-returns` every loop is plain, by a definition that asks paths instead of dominators."""

from __future__ import annotations

from itertools import islice

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function
from glslc_multi.compiler.lowering.returns import LowerReturns
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.compiler.passes.trials import ir_trials


def reachable(start: Block, within: set[Block], avoiding: Block | None = None) -> set[Block]:
    """Blocks that control reaches from `start` inside `within` without entering `avoiding`."""
    seen, pending = {start}, [start]
    while pending:
        for after in pending.pop().successors:
            if after in within and after is not avoiding and after not in seen:
                seen.add(after)
                pending.append(after)
    return seen


def loops(function: Function) -> dict[Block, set[Block]]:
    """Header -> blocks of its loop, by jumps back to a block that every path to the jump passes."""
    everything = set(function.blocks)
    live = reachable(function.entry, everything)
    found: dict[Block, set[Block]] = {}
    for block in live:
        for header in block.successors:
            around = {block} if header is block else None
            if header is not function.entry and around is None:
                if block in reachable(function.entry, everything, avoiding=header):
                    continue
                around = {
                    b for b in reachable(header, everything) if block in reachable(b, everything, avoiding=header)
                }
            found.setdefault(header, {header}).update(around or ())
    return {header: blocks for header, blocks in found.items() if any(header in b.successors for b in blocks)}


def complaint(header: Block, blocks: set[Block]) -> str:
    latches = [block for block in blocks if header in block.successors]
    exits = [(block, after) for block in blocks for after in block.successors if after not in blocks]
    if len(latches) != 1:
        return f"{len(latches)} blocks jump back"
    if len({after for _, after in exits}) > 1:
        return "leads to several blocks"
    skipped = [
        block
        for block, _ in exits
        if block not in (header, latches[0]) and latches[0] in reachable(header, blocks, avoiding=block)
    ]
    return f"{skipped[0]} leads out but is not passed by every round" if skipped else ""


def test_loops_of_generated_modules_are_plain() -> None:
    seen = 0
    for trial in islice(ir_trials(600, statements=30), 40):
        module = trial.build()
        run_pipeline(module, (LowerReturns(),), PassContext())
        for function in module.functions.values():
            assert sum(block.last is not None and block.last.op is ops.RET for block in function.blocks) == 1
            for header, blocks in loops(function).items():
                seen += 1
                assert not complaint(header, blocks), f"{trial.name}, {header}"
    assert seen > 20
