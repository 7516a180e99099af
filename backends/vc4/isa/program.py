"""A program as data: its words, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import Span

Stage = Literal["vertex", "coordinate", "fragment"]


@dataclass(frozen=True, slots=True)
class Program:
    """Instruction words in order."""

    words: tuple[int, ...]
    #: The span of each word in assembly text; empty if it comes from elsewhere.
    spans: Sequence[Span] = field(default=(), compare=False, repr=False)
