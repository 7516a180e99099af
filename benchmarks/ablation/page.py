"""The findings as Markdown, a table a target, the most valuable piece first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from benchmarks.ablation.measure import Finding, Totals
from benchmarks.ablation.programs import CORPORA
from glslc_multi.compiler.markdown import table

_HEAD = """# What each part of the compiler gains

Each pass, rewrite, variant and search is switched off in turn, and real shaders are compiled without it.

- *Buys*: how much larger the code is without it, in the target's unit of size; on real shaders, and on those
  for which the sizes of other compilers were recorded.
- *Lost*: programs that compile only with it. What most programs need is not measured.
- *Costs*: the share of the work of a compilation that it takes, counted in calls of Python functions; below 0 it saves
  work.
- `never`: it changes nothing in any program.

A part that makes code correct, not small, shows no gain or a loss, since nothing is executed here.

`make ablation` renews this page, `python -m benchmarks.ablation --write --target T` a section. A part that gains
less than 0.3 % on the real shaders of every target is removed, or its file says why it stays; measure small
differences on all programs (`--every 1`) first.
"""
_HEADINGS = ("piece", "kind", "buys, real", "buys, recorded", "programs changed", "lost", "costs")
_SECTION = re.compile(r"^## (\w+)\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


class Circumstances(NamedTuple):
    """How, when and of what findings were made."""

    every: int
    day: date
    revision: str

    def __str__(self) -> str:
        programs = "all programs" if self.every == 1 else f"one program of {self.every}"
        return f"Measured on {programs}, {self.day}, revision {self.revision}."


def renewed(page: str, findings: Sequence[Finding], circumstances: Circumstances) -> str:
    """The page with new sections for the targets that have findings."""
    sections = {found[1]: found[0] for found in _SECTION.finditer(page)}
    sections |= {found[1]: found[0] for found in _SECTION.finditer(tables(findings, circumstances))}
    return "\n".join([_HEAD, *(f"{sections[target].rstrip()}\n" for target in sorted(sections))])


def tables(findings: Sequence[Finding], circumstances: Circumstances) -> str:
    """A section for each target."""
    targets = dict.fromkeys(finding.target for finding in findings)
    parts = [_section(target, [f for f in findings if f.target == target], circumstances) for target in sorted(targets)]
    return "\n".join(parts)


def _section(target: str, findings: Sequence[Finding], circumstances: Circumstances) -> str:
    ranked = sorted(findings, key=lambda finding: (*_rank(finding), finding.piece))
    return f"## {target}\n\n{circumstances}\n\n{table(_HEADINGS, map(_row, ranked))}"


def _rank(finding: Finding) -> tuple[float, ...]:
    if not finding.is_active:
        return (2,)
    if _is_needed(finding):
        return (0,)
    real, recorded = (finding.totals.get(corpus, Totals()) for corpus in CORPORA)
    return 1, -round(real.buys, 4), -real.lost, -recorded.buys


def _is_needed(finding: Finding) -> bool:
    """Whether most programs do not compile without it."""
    totals = finding.totals.values()
    return sum(each.lost for each in totals) > sum(each.programs for each in totals)


def _row(finding: Finding) -> list[str]:
    if not finding.is_active:
        return [finding.piece, finding.kind, "never", "", "", "", ""]
    totals = finding.totals.values()
    lost, changed = sum(each.lost for each in totals), sum(each.changed for each in totals)
    if _is_needed(finding):
        return [finding.piece, finding.kind, "needed", "needed", "", str(lost), ""]
    bought = [_percent(finding.totals.get(corpus), "buys") for corpus in CORPORA]
    return [finding.piece, finding.kind, *bought, str(changed), str(lost or ""), _cost(totals)]


def _percent(totals: Totals | None, name: str) -> str:
    return f"{getattr(totals, name):.2%}" if totals is not None and totals.size else "-"


def _cost(totals: Iterable[Totals]) -> str:
    calls = sum(each.calls for each in totals)
    return f"{1 - sum(each.calls_without for each in totals) / calls:.1%}" if calls else "-"
