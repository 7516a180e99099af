"""The contract of a judge, and what passes between judges and their runner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from glslc_multi.compiler.records import dataclass, field
from tests.shared_data import PROJECT_ROOT

#: What judges fetch and build; not of the tree of sources.
CACHE = PROJECT_ROOT / "build" / "judges"
#: The sources of ours that they are built with.
NATIVE = Path(__file__).parent / "native"

#: Options of a target as (name, value).
Options = tuple[tuple[str, str], ...]
#: Sets of options, each of which makes programs.
Variants = tuple[Options, ...]
NO_OPTIONS: Variants = ((),)
AGAL_1: Variants = ((("agal_version", "1"),), (("agal_version", "1"), ("agal_compat", "openfl")))
#: On VC4, fragment shaders as one thread and as two.
THREADED: Variants = ((), (("threaded", "false"),))


class Unavailable(Exception):
    """Why a judge cannot be had here."""


class NotTaken(Exception):
    """Why a judge cannot say anything about a program."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a judge holds against a program: the rule in a word or two, and the whole in a sentence."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Program:
    """A text that we accept, and the machine code that we make of it; none for judges of texts."""

    name: str
    #: Of the text, and of the code (a vertex shader is also compiled as a coordinate shader).
    text: str
    stage: str
    code: bytes = b""
    #: The words that the host supplies, as (kind, source): `compiler/artifact.py`.
    stream: tuple[tuple[str, str], ...] = ()
    #: What the host must set.
    state: Mapping[str, bool | int | str] = field(default_factory=dict)


class Judge(ABC):
    """Someone else's reader of what we take or make."""

    name: ClassVar[str]
    #: Whose machine code it reads; None: it reads GLSL.
    target: ClassVar[str | None]
    #: Options of the target, each of which makes code that it is to read.
    variants: ClassVar[Variants] = NO_OPTIONS

    @abstractmethod
    def prepare(self, *, fetch: bool) -> None:
        """Make everything ready that `judge` needs; raises `Unavailable`.  Nothing is downloaded without `fetch`."""

    @abstractmethod
    def judge(self, program: Program) -> Sequence[Complaint]:
        """What is wrong with a program; raises `NotTaken` where that cannot be said."""

    def close(self) -> None:  # noqa: B027 - most have nothing that runs
        """End what runs."""


@dataclass(slots=True)
class Verdicts:
    """All that a judge said."""

    passed: int = 0
    failed: int = 0
    #: Why -> how often.
    skipped: dict[str, int] = field(default_factory=dict)
    #: (program, complaint); a program that failed has one at least.
    complaints: list[tuple[Program, Complaint]] = field(default_factory=list)

    def skip(self, reason: str) -> None:
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def add(self, others: Verdicts) -> None:
        """Count others' verdicts, too."""
        self.passed += others.passed
        self.failed += others.failed
        for reason, count in others.skipped.items():
            self.skipped[reason] = self.skipped.get(reason, 0) + count

    @property
    def line(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {sum(self.skipped.values())} skipped"
