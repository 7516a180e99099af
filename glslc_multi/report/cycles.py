"""About how many cycles a program takes: what each word takes, as often as it runs.

Of the ways of a branch each is taken every other time.  A loop runs as often as its count says, where the compiler
knows it (`counted_loops`), else eight times, which is the usual guess (Wu and Larus, "Static branch frequency and
program profile analysis", take 0.88 for the probability that a loop goes on).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.compiler.isa.listing import CodeWord, Origins

if TYPE_CHECKING:
    from glslc_multi.compiler.analysis.trips import CountedLoop

#: How often a loop runs of which nothing is known.
_ROUNDS = 8.0
#: Procedures call each other no deeper on any machine.
_DEEPEST = 8


def estimated_cycles(
    words: Sequence[CodeWord], origins: Sequence[Origins] = (), loops: Sequence[CountedLoop] = ()
) -> int:
    """Estimate the cycles of a program, of the places that its words come from and the loops of these."""
    frequencies = _frequencies(words, origins, loops)
    return round(sum(word.cycles * often for word, often in zip(words, frequencies, strict=True)))


def _frequencies(words: Sequence[CodeWord], origins: Sequence[Origins], loops: Sequence[CountedLoop]) -> list[float]:
    """Return how often each word runs."""
    within = [1.0] * len(words)
    for word in words:
        for number in (number for skipped in word.skips for number in skipped):
            within[number] /= 2
        if word.repeats is not None:
            run = [number for first in word.repeats for number in (first, *(words[first].runs or ()))]
            spans = {span for number in run for span in origins[number]} if origins else set()
            rounds = next((loop.rounds for loop in loops if spans and spans <= loop.spans), _ROUNDS)
            for number in word.repeats:
                within[number] *= rounds
    called = {number for word in words if word.runs for number in word.runs}
    often = [0.0 if number in called else each for number, each in enumerate(within)]
    for _ in range(_DEEPEST if called else 0):
        calls = [0.0] * len(words)
        for caller, word in enumerate(words):
            for number in word.runs or ():
                calls[number] += often[caller]
        often = [within[n] * calls[n] if n in called else within[n] for n in range(len(words))]
    return often
