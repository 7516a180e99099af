"""Code of ours that breaks a rule of its machine: an error of the compiler, never of the shader."""

from __future__ import annotations

from collections.abc import Iterable


class InvalidCode(Exception):
    """The judge of a target refuses what was generated."""

    def __init__(self, target: str, faults: Iterable[object]) -> None:
        super().__init__(f"{target}: the code generated breaks a rule: {'; '.join(map(str, faults))}")


def require_valid(target: str, faults: Iterable[object]) -> None:
    """Raise where the judge has found faults."""
    listed = list(faults)
    if listed:
        raise InvalidCode(target, listed)
