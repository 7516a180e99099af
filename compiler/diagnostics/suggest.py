"""Did you mean …: the candidate that a mistyped name most likely stands for.

The distance is Damerau-Levenshtein in its "optimal string alignment" form: insertions, deletions,
replacements and swaps of neighbours count one each.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from glslc_multi.compiler.diagnostics.model import Fix
from glslc_multi.compiler.diagnostics.span import Span

#: Longer names are not compared: the distance takes quadratic time, and nobody mistypes such a name.
LONGEST_NAME = 100


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate nearest to `name`, None when none is near; ties go to the longest common beginning.

    About every third character may be wrong; names that differ in case only are always near.
    """
    if len(name) > LONGEST_NAME:
        return None
    allowed = (len(name) + 1) // 3
    rated = (
        (_rate(name, candidate), -_common_beginning(name, candidate), candidate)
        for candidate in candidates
        if candidate != name and abs(len(candidate) - len(name)) <= allowed
    )
    distance, _, found = min(rated, default=(allowed + 1, 0, ""))
    return found if distance <= allowed else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The help text that offers the nearest candidate."""
    name_meant = nearest(name, candidates)
    return None if name_meant is None else f"did you mean '{name_meant}'?"


def suggestion(name: str, candidates: Iterable[str], span: Span) -> tuple[str | None, tuple[Fix, ...]]:
    """The help text that offers the nearest candidate, and the edit that writes it at `span`."""
    name_meant = nearest(name, candidates)
    if name_meant is None:
        return None, ()
    # What a macro writes there is left to the reader.
    is_written = span.file.line_text(span.line)[span.column - 1 : span.end_column - 1] == name
    return f"did you mean '{name_meant}'?", (Fix(span, name_meant, is_certain=False),) if is_written else ()


def _rate(name: str, candidate: str) -> int:
    if name.casefold() == candidate.casefold():
        return 0
    return distance(name, candidate)


def _common_beginning(first: str, second: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def distance(first: str, second: str) -> int:
    """The number of edits between two names, by rows of the classic table."""
    before_previous: list[int] = []
    previous = list(range(len(second) + 1))
    for i, left in enumerate(first, start=1):
        row = [i]
        for j, right in enumerate(second, start=1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left != right))
            swapped = i > 1 and j > 1 and left == second[j - 2] and right == first[i - 2]
            row.append(min(cost, before_previous[j - 2] + 1) if swapped else cost)
        before_previous, previous = previous, row
    return previous[-1]
