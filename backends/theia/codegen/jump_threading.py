"""Words with labels, and jump threading: jumps to jumps, around jumps and to the next word are left out.

See Muchnick, Advanced Compiler Design and Implementation, section 18 (branch optimizations, straightening).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.theia.codegen.conditions import JUMPS, OPPOSITE, Here, Label
from glslc_multi.backends.theia.codegen.rows.layout import Patch
from glslc_multi.backends.theia.isa import instructions as isa
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.records import dataclass, replace


@dataclass(slots=True)
class Word:
    """One instruction; a jump's target is a label until addresses are known."""

    name: str
    destination: int = 0
    first: int = 0
    second: int = 0
    immediate: int = 0
    code: int = 0
    target: Label = None
    patch: Patch | None = None
    span: Span | None = None

    @property
    def row(self) -> isa.Instruction:
        return isa.BY_NAME[self.name]


Item = Word | Here


def straightened(items: list[Item]) -> list[Item]:
    """The items without jumps that are not needed, until there are none."""
    while True:
        _thread(items)
        kept = _without_detours(items)
        if len(kept) == len(items):
            return kept
        items = kept


def _next_words(items: Sequence[Item]) -> dict[Label, Word]:
    """The word at each label."""
    words: dict[Label, Word] = {}
    word: Word | None = None
    for item in reversed(items):
        if isinstance(item, Word):
            word = item
        elif word is not None:
            words[item.label] = word
    return words


def _thread(items: Sequence[Item]) -> None:
    """Give jumps to jumps the final target."""
    words = _next_words(items)
    for item in items:
        if isinstance(item, Word) and item.row.is_jump:
            seen = {id(item)}
            word = words.get(item.target)
            while word is not None and word.name == "JMP" and id(word) not in seen:
                seen.add(id(word))
                item.target = word.target
                word = words.get(item.target)


def _without_detours(items: Sequence[Item]) -> list[Item]:
    """Leave out jumps to the next word, unreachable ones, and jumps around a jump."""
    kept: list[Item] = []
    words = _next_words(items)
    following = _followers(items)
    targets = {item.target for item in items if isinstance(item, Word) and item.row.is_jump}
    is_reached = True
    for item in items:
        if isinstance(item, Here):
            if item.label not in targets:
                continue
            is_reached = True
        elif not is_reached or (item.row.is_jump and words.get(item.target) is following[id(item)]):
            continue
        elif item.name == "JMP" and _is_jumped_around(kept, following[id(item)], words):
            around = kept[-1]
            assert isinstance(around, Word)
            kept[-1] = replace(around, name=_OPPOSITE[around.name], target=item.target)
            continue
        else:
            is_reached = item.name not in ("JMP", "RETURN")
        kept.append(item)
    return kept


def _followers(items: Sequence[Item]) -> dict[int, Word | None]:
    """The word after each."""
    words = [item for item in items if isinstance(item, Word)]
    return {id(word): following for word, following in zip(words, [*words[1:], None], strict=True)}


def _is_jumped_around(kept: Sequence[Item], following: Word | None, words: dict[Label, Word]) -> bool:
    """Whether the word before is a conditional jump to the word after."""
    before = kept[-1] if kept else None
    if not isinstance(before, Word) or before.row.role != "branch" or following is None:
        return False
    return words.get(before.target) is following


_OPPOSITE = {JUMPS[relation] + lane: JUMPS[OPPOSITE[relation]] + lane for relation in OPPOSITE for lane in isa.LANES}
