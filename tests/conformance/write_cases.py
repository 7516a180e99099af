"""`python -m tests.conformance.write_cases`: the records of the project's own cases, from their definitions.

Writes `cases/*.jsonl`, one file for each module of `sections/`, and `cases/README.md` with the number of cases
for each section of the specification.  Give `--check` to compare instead of writing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from tests.conformance import sections
from tests.conformance.sections import es300
from tests.conformance.sections.contents import CONTENTS

FOLDER = Path(__file__).parent / "cases"
_PREFIX = "section_"

_README = """# The project's own conformance cases

Written section by section of the specifications of GLSL ES 1.00 and 3.00 by
`python -m tests.conformance.write_cases` from the definitions in `../sections`; do not edit them by hand. `es300/` has
those of GLSL ES 3.00; the numbers of its sections begin with `300-`. Run them with

    python -m tests.conformance --engine reference tests/conformance/cases

- Cases with values are records of schema *glsl-exec-1*: one shader of one stage, inputs and outputs over lanes. That
  schema is the one that holds textures, 2x2 blocks, discarded, undefined and sensitive lanes, and it gives the value
  itself instead of an answer "equal". Linked pairs, which it cannot hold, are records of schema *cts*. The values come
  from numpy formulas beside each definition, in double precision, never from this compiler.
- Cases that must fail are records of schema *webgl* with two more fields: `section`, and `code`, the one diagnostic
  that must be reported. Each holds one mistake, on the line that `error_lines` names.

| section | title | values | must fail |
| --- | --- | --- | --- |
"""


def case_files() -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """The rows of each file."""
    for package, folder in ((sections, FOLDER), (es300, FOLDER / "es300")):
        names = sorted(module.name for module in iter_modules(package.__path__) if module.name.startswith(_PREFIX))
        for name in names:
            module = import_module(f"{package.__name__}.{name}")
            yield folder / f"{name.removeprefix(_PREFIX)}.jsonl", [case.row() for case in module.cases()]


def texts() -> Iterator[tuple[Path, str]]:
    """Every file of the folder with its text."""
    rows: list[dict[str, Any]] = []
    for path, of_file in case_files():
        rows += of_file
        yield path, "".join(json.dumps(row) + "\n" for row in of_file)
    yield FOLDER / "README.md", _README + "".join(_table(rows))


def is_verdict(row: dict[str, Any]) -> bool:
    """Whether the record says what must be refused."""
    return "oracles" in row


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    values = Counter(row["section"] for row in rows if not is_verdict(row))
    failures = Counter(row["section"] for row in rows if is_verdict(row))
    for section in CONTENTS:
        yield f"| {section.number} | {section.title} | {values[section.number]} | {failures[section.number]} |\n"
    yield f"| | all | {values.total()} | {failures.total()} |\n"


def main(arguments: Sequence[str] | None = None) -> int:
    is_check = list(sys.argv[1:] if arguments is None else arguments) == ["--check"]
    stale = [path for path, text in texts() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if is_check:
        print("\n".join(f"{path.name} is not current" for path in stale) or "all files are current")
        return 1 if stale else 0
    for path, text in texts():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
