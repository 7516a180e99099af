"""What is printed at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from glslc_multi.compiler.records import dataclass
from tests.mutants import plan
from tests.mutants.faults import Fault
from tests.mutants.trial import SIZE


@dataclass(frozen=True, slots=True)
class Outcome:
    """A fault, and the kind and name of what caught it; or the reason why it was not planted: it changes nothing."""

    fault: Fault
    caught_by: str
    reason: str = ""

    @property
    def kind(self) -> str:
        return self.caught_by.partition(" ")[0]

    @property
    def survived(self) -> bool:
        """Whether no value and no proof has noticed it."""
        return self.kind in ("", SIZE) and not self.reason

    @property
    def diff(self) -> str:
        return self.fault.diff(plan.text_of(self.fault.path))

    @property
    def line(self) -> int:
        return plan.text_of(self.fault.path).count("\n", 0, self.fault.start) + 1


def summary(outcomes: Sequence[Outcome], folders: Sequence[str]) -> str:
    """The faults that change nothing, and the share caught by folder."""
    lines = [f"changes nothing: {o.fault.path}:{o.line}: {o.reason}" for o in outcomes if o.reason]
    return "\n".join([*lines, "", *_shares(outcomes, folders)])


def _shares(outcomes: Sequence[Outcome], folders: Sequence[str]) -> Iterator[str]:
    width = max(map(len, [*folders, "all"]))
    for folder in [*folders, "all"]:
        inside = [o for o in outcomes if not o.reason and (folder == "all" or o.fault.path.startswith(folder))]
        caught = sum(not outcome.survived for outcome in inside)
        kinds = Counter(outcome.kind or "nothing" for outcome in inside)
        if inside:
            by_kind = ", ".join(f"{count} by {kind}" for kind, count in kinds.most_common())
            yield f"{folder:{width}}  {caught:4} of {len(inside):4}  {caught / len(inside):4.0%}  ({by_kind})"
