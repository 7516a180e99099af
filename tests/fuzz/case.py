"""What the fuzzer passes around: a case (what the compiler is given), a verdict (what came of it), a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from glslc_multi.compiler.records import dataclass, field, replace

Mode = Literal["frontend", "compiler"]
MODES: tuple[Mode, ...] = ("frontend", "compiler")
FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Case:
    """What a run of the compiler is given."""

    #: How it was made: "mutant", "grammar" or "bytes".
    origin: str
    #: Name -> content; the suffix of a name says the stage.
    files: Mapping[str, bytes]
    #: A command line of `glslc-multi`; empty for the front end alone.
    arguments: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        texts = {name: data.decode("utf-8", "surrogateescape") for name, data in self.files.items()}
        return {"origin": self.origin, "files": texts, "arguments": list(self.arguments)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Case:
        files = {name: text.encode("utf-8", "surrogateescape") for name, text in record["files"].items()}
        return cls(record["origin"], files, tuple(record["arguments"]))

    def with_file(self, name: str, data: bytes) -> Case:
        return replace(self, files={**self.files, name: data})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a case."""

    #: "accepted", "rejected" (by the language), "too large" (for the target), "wrong usage", or "finding".
    outcome: str
    #: Of a finding: its kind and place, by which findings are told from each other.
    signature: str = ""
    #: Of a finding: everything known, such as a traceback.
    details: str = ""


def finding(signature: str, details: str = "") -> Verdict:
    return Verdict(FINDING, signature, details)


#: The outcomes of documented exit statuses; 70 is an internal error.
OUTCOMES = {0: "accepted", 1: "rejected", 2: "wrong usage", 3: "too large"}


@dataclass(slots=True)
class Finding:
    """A fault that the fuzzer found, with the first input that showed it."""

    mode: Mode
    seed: int
    number: int
    signature: str
    details: str
    case: Case
    #: The smallest case found that fails in the same way; None until it was looked for.
    smallest: Case | None = None
    #: The other inputs that failed in this way.
    others: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        return 1 + len(self.others)

    @property
    def title(self) -> str:
        command = " ".join(self.case.arguments)
        return f"{self.mode} seed {self.seed} input {self.number}: {self.signature}" + (f" ({command})" * bool(command))

    def to_json(self) -> dict[str, Any]:
        return {
            "mode": self.mode,
            "seed": self.seed,
            "number": self.number,
            "signature": self.signature,
            "details": self.details,
            "case": self.case.to_json(),
            "smallest": None if self.smallest is None else self.smallest.to_json(),
            "others": self.others,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Finding:
        smallest = record["smallest"]
        cases = {"case": Case.from_json(record["case"]), "smallest": smallest and Case.from_json(smallest)}
        return cls(**{**record, **cases})


def merge(known: Sequence[Finding], found: Finding) -> Finding | None:
    """Count `found` with the one of its signature, which is returned; None where it is new."""
    for other in known:
        if other.signature == found.signature:
            other.others += [found.number, *found.others]
            return other
    return None
