"""The tables of `README.md`, made from the rules, so that nobody writes them twice.

`python -m compiler.passes.rules.document` prints the README with fresh tables, `--write` puts them into the
file.  They stand between `<!-- rules -->` and `<!-- end -->`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from compiler.passes.rules.rule import ASSUMPTIONS, Rule
from compiler.passes.rules.table import GROUPS

README = Path(__file__).with_name("README.md")
_START, _END = "<!-- rules -->\n", "<!-- end -->"
_PROOFS = {"z3": "z3", "half": "16-bit floats", "values": "values"}


def rule_tables() -> str:
    """The assumptions, then one table a group."""
    assumptions = "".join(f"| `{name}` | {text} |\n" for name, text in ASSUMPTIONS.items())
    tables = [f"| assumption | meaning |\n| --- | --- |\n{assumptions}"]
    for heading, rules in GROUPS.items():
        rows = "".join(map(_row, rules))
        tables.append(f"### {heading}\n\n| rule | rewrite | assumes | checked by |\n| --- | --- | --- | --- |\n{rows}")
    return "\n".join(tables)


def _row(rule: Rule) -> str:
    condition = f" where `{rule.where}`" if rule.where else ""
    assumes = ", ".join(rule.assumes.split()) or "nothing: exact"
    return f"| {rule.name} | `{rule.text}`{condition} | {assumes} | {_PROOFS[rule.proof]} |\n"


def with_fresh_tables(text: str) -> str:
    """`text` with the tables made anew."""
    before, _, rest = text.partition(_START)
    _, _, after = rest.partition(_END)
    return f"{before}{_START}{rule_tables()}{_END}{after}"


def main(arguments: Sequence[str]) -> None:
    fresh = with_fresh_tables(README.read_text("utf-8"))
    if "--write" in arguments:
        README.write_text(fresh, "utf-8")
    else:
        sys.stdout.write(fresh)


if __name__ == "__main__":
    main(sys.argv[1:])
