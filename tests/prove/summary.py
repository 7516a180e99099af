"""What proofs of many blocks say together: how many blocks are as short as can be, and how long the others are.

In: proofs with the names of their blocks.  Out: lines of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import mean
from typing import NamedTuple

from glslc_multi.compiler.artifact import BlockProof

#: Blocks by size: those of up to so many instructions, and all.
_SIZES = (16, 64, None)
#: Blocks that are named.
_WORST = 12


class Proven(NamedTuple):
    """A block, and what is known of it."""

    shader: str
    stage: str
    proof: BlockProof

    @property
    def gap(self) -> int:
        """Words at -O2 above the bound."""
        return self.proof.known - self.proof.at_least


def summarise(found: Sequence[Proven]) -> list[str]:
    """A line for each size of blocks, then the blocks with the largest gaps."""
    blocks = [each for each in found if each.proof.known]
    lines = [_line(size, [each.proof for each in blocks if _fits(each.proof, size)]) for size in _SIZES]
    worst = sorted((each for each in blocks if each.gap), key=lambda each: (-each.gap, each.shader))
    return [*lines, *_name(worst[:_WORST])]


def _fits(proof: BlockProof, size: int | None) -> bool:
    return size is None or proof.instructions <= size


def _line(size: int | None, proofs: Sequence[BlockProof]) -> str:
    which = "all blocks" if size is None else f"blocks of up to {size} instructions"
    if not proofs:
        return f"{which}: none"
    known, words, least = (sum(each) for each in zip(*((p.known, p.words, p.at_least) for p in proofs), strict=True))
    gap = mean(proof.known / max(proof.at_least, 1) - 1 for proof in proofs)
    return (
        f"{which}: {len(proofs)}; minimal at -O2 {_share(p.known == p.at_least for p in proofs)}, "
        f"after the solver {_share(p.is_minimal for p in proofs)}, "
        f"or without more copies {_share(max(p.at_least, p.without_copies) == p.words for p in proofs)}; "
        f"{known} words at -O2, {words} after the solver, at least {least}; mean gap of -O2 {100 * gap:.1f} %"
    )


def _share(flags: Iterable[bool]) -> str:
    listed = list(flags)
    return f"{100 * sum(listed) / len(listed):.0f} %"


def _name(worst: Iterable[Proven]) -> Iterator[str]:
    for shader, stage, proof in worst:
        yield (
            f"  {shader}, {stage}, block '{proof.name}' of {proof.instructions} instructions: "
            f"{proof.known} words at -O2, {proof.words} after the solver, at least {proof.at_least}"
        )
