"""What has been measured so far, a finding a line, so that a run that was stopped goes on where it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from benchmarks.ablation.measure import Finding, Totals
from glslc_multi.compiler.records import asdict


class Log:
    """The findings of one revision of the project, on one program of so many."""

    def __init__(self, path: Path, revision: str, every: int) -> None:
        self._path = path
        self._key = {"revision": revision, "every": every}

    def findings(self) -> list[Finding]:
        """Return what the file has of this revision."""
        if not self._path.exists():
            return []
        lines = [json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines()]
        findings = [Finding(**line["finding"]) for line in lines if line.items() >= self._key.items()]
        for finding in findings:
            finding.totals = {corpus: Totals(**totals) for corpus, totals in finding.totals.items()}  # type: ignore[arg-type]
        return findings

    def add(self, findings: Iterable[Finding]) -> None:
        """Append findings."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({**self._key, "finding": asdict(each)}) + "\n" for each in findings)
