"""The blocks of a function in an order in which values are known before they are used."""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.frontends.spirv.module.contents import Function


def blocks_in_order(source: Function) -> list[int]:
    """The labels that control reaches, so that a block comes after those that dominate it."""
    if not source.blocks:
        raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what="the function has no body")

    def successors(label: int) -> list[int]:
        end = source.blocks[label].end
        targets = _targets(end)
        for target in targets:
            if target not in source.blocks:
                raise Invalid(messages.BAD_ID, end, name=end.name, id=target, what="is no block of the function")
        return targets

    order = _reverse_postorder(next(iter(source.blocks)), successors)
    if any(order[0] in _targets(source.blocks[label].end) for label in order):
        raise Invalid(messages.BAD_CONTROL_FLOW, source.start, what="a branch leads to the function's first block")
    return order


def _targets(end: Instruction) -> list[int]:
    """The labels that a block may go on at."""
    if end.name == "OpBranch":
        return [end.id(0)]
    if end.name == "OpBranchConditional":
        return [end.id(1), end.id(2)]
    if end.name == "OpSwitch":
        return [end.id(1), *end.ids(3)[::2]]
    return []


def _reverse_postorder(entry: int, successors: Callable[[int], list[int]]) -> list[int]:
    """Without recursion, however long the chain of blocks is."""
    order: list[int] = []
    seen = {entry}
    path = [(entry, iter(successors(entry)[::-1]))]
    while path:
        _, rest = path[-1]
        following = next((target for target in rest if target not in seen), None)
        if following is None:
            order.append(path.pop()[0])
        else:
            seen.add(following)
            path.append((following, iter(successors(following)[::-1])))
    return order[::-1]
