"""`python -m tests.codesize.page [--release VERSION]`: docs/code-size.md, our code beside that of other compilers.

For each target, recorded pairs and real shaders side by side; every stage that is larger than the peer's, with its
reason; and what has changed since the last release.  The sizes of that release are in `release.json`, which `--release`
writes; the reasons are in `reasons.toml`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from glslc_multi.compiler.records import dataclass
from tests.codesize.cases import DATA, Data, load_cases
from tests.codesize.runner import Row, find_meter, mean_of, measure
from tests.shared_data import PROJECT_ROOT, shared_root

PAGE = PROJECT_ROOT / "docs" / "code-size.md"
RELEASE = Path(__file__).with_name("release.json")
REASONS = Path(__file__).with_name("reasons.toml")
#: Sizes of stages by name, of a set of shaders.
Sizes = Mapping[str, int]
#: How many of the largest changes are named, in each direction.
_NAMED = 12


_HEAD = """# Code size

Our code at -O2 beside that of other compilers: Mesa's for Adreno and VC4, glsl2agal's for AGAL, programs written by
hand for PICA200, in the units of each target ([the runner](../tests/codesize/README.md) says which). Ratios below 1
are smaller than the peer's. `make sizes` renews this page.

| target | shaders | geometric mean | of the sums | larger | left out |
| --- | --- | --- | --- | --- | --- |
"""


def page(measured: Mapping[Data, Sequence[Row]], release: Mapping[str, Any], reasons: Mapping[str, str]) -> str:
    """The text of the page."""
    lines = [_HEAD]
    lines += [_summary(data, rows) for data, rows in measured.items()]
    lines.append(
        "\n## Stages that are larger, or left out\n\n| stage | ours | theirs | why |\n| --- | --- | --- | --- |\n"
    )
    lines += [line for data, rows in measured.items() for line in _complaints(data, rows, reasons)]
    lines.append(f"\n## Since {release['version']}\n\nSums of all stages that had code then and have it now.\n\n")
    lines.append("| shaders | then | now | ratio | smaller | larger |\n| --- | --- | --- | --- | --- | --- |\n")
    changes = {data: _changes(release["sizes"].get(data.title, {}), _sizes(rows)) for data, rows in measured.items()}
    lines += [_sums(data, found) for data, found in changes.items()]
    lines += [line for data, found in changes.items() for line in _largest(data, found)]
    return "".join(lines)


# ----------------------------------------------------------------------------------------------- beside the peer
def _name(row: Row) -> str:
    return f"{row.name} {row.stage}"


def _sizes(rows: Sequence[Row]) -> dict[str, int]:
    return {_name(row): row.ours.size for row in rows if row.ours is not None}


def _summary(data: Data, rows: Sequence[Row]) -> str:
    mean = mean_of(rows)
    larger = f"{mean.larger} of {mean.stages}"
    return f"| {data.target} | {data.name} | {mean.geometric:.3f} | {mean.summed:.3f} | {larger} | {mean.left_out} |\n"


def _complaints(data: Data, rows: Sequence[Row], reasons: Mapping[str, str]) -> Iterator[str]:
    for row in rows:
        if row.complaint:
            ours = row.ours.size if row.ours else "-"
            why = reasons.get(f"{data.target} {_name(row)}", "" if row.ours and not row.ours.wrong else row.complaint)
            yield f"| {data.target}: {_name(row)} | {ours} | {row.peer.size} | {why} |\n"


# ----------------------------------------------------------------------------------------------- since the release
@dataclass(frozen=True, slots=True)
class _Change:
    name: str
    then: int
    now: int


def _changes(then: Sizes, now: Sizes) -> list[_Change]:
    """All stages that both have."""
    return [_Change(name, size, now[name]) for name, size in then.items() if name in now]


def _sums(data: Data, changes: Sequence[_Change]) -> str:
    then, now = sum(each.then for each in changes), sum(each.now for each in changes)
    smaller, larger = sum(c.now < c.then for c in changes), sum(c.now > c.then for c in changes)
    return f"| {data.title} | {then} | {now} | {now / max(then, 1):.3f} | {smaller} | {larger} |\n"


def _largest(data: Data, changes: Sequence[_Change]) -> Iterator[str]:
    """The stages that changed most."""
    ordered = sorted((c for c in changes if c.now != c.then), key=lambda c: c.now - c.then)
    gains = [change for change in ordered if change.now < change.then][:_NAMED]
    losses = [change for change in ordered[::-1] if change.now > change.then][:_NAMED]
    if not ordered:
        return
    yield f"\n### {data.title}\n\n| stage | then | now |\n| --- | --- | --- |\n"
    for change in [*gains, *losses]:
        yield f"| {change.name} | {change.then} | {change.now} |\n"


# ----------------------------------------------------------------------------------------------- the command
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.codesize.page", description=__doc__)
    parser.add_argument("--release", metavar="VERSION", help="write down today's sizes as those of this release")
    found = parser.parse_args(arguments)
    shared = shared_root()
    if not shared.is_dir():
        print(
            "tests.codesize.page: error: the shared data is not here, so there is nothing to measure", file=sys.stderr
        )
        return 2
    measured = {
        data: list(measure(load_cases(shared / data.path, data.target), find_meter(data.target))) for data in DATA
    }
    if found.release:
        sizes = {data.title: _sizes(rows) for data, rows in measured.items()}
        RELEASE.write_text(json.dumps({"version": found.release, "sizes": sizes}, indent=1) + "\n", encoding="utf-8")
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    PAGE.write_text(page(measured, json.loads(RELEASE.read_text(encoding="utf-8")), reasons), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
