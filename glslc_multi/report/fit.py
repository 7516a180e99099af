"""How near a shader is to the limits of a target: which it misses and by how much, or which it comes closest to.

In: the diagnostics of a refusal, or the uses of limits of an artifact's reflection.  Out: numbers, and them as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.diagnostics.catalogue import limits
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """So much of something that a machine has only so much of."""

    need: int
    limit: int
    what: str

    @property
    def excess(self) -> int:
        return self.need - self.limit

    def __str__(self) -> str:
        if self.excess > 0:
            return f"{self.excess} {self.what} too many ({self.need} of {self.limit})"
        return f"{self.need} of {self.limit} {self.what}"


def excesses(diagnostics: Sequence[Diagnostic]) -> list[Use]:
    """The limits that a refused shader exceeds, as far as they are numbers."""
    uses = (_excess(diagnostic) for diagnostic in diagnostics if diagnostic.severity == "error")
    return list(dict.fromkeys(use for use in uses if use is not None))


def shortfall(diagnostics: Sequence[Diagnostic]) -> str:
    """By how much the shader misses, else why the target refuses it."""
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    over = [diagnostic for diagnostic in errors if diagnostic.entry is limits.RESOURCE_EXCEEDED]
    texts = (str(_excess(diagnostic) or diagnostic.message) for diagnostic in over)
    return "; ".join(dict.fromkeys(texts)) or errors[0].message


def closest_limit(uses: Mapping[str, tuple[int, int]]) -> Use | None:
    """The limit that is nearest to being reached."""
    shares = {name: used / limit for name, (used, limit) in uses.items() if used and limit}
    if not shares:
        return None
    name = max(shares, key=lambda key: shares[key])
    return Use(*uses[name], name.replace("_", " "))


def _excess(diagnostic: Diagnostic) -> Use | None:
    if diagnostic.entry is not limits.RESOURCE_EXCEEDED:
        return None
    need, limit, what = (diagnostic.values[key] for key in ("need", "limit", "what"))
    return Use(int(need), int(limit), what) if need.isdigit() and limit.isdigit() else None
