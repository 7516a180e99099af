"""The tables of `README.md`, made from the rules, so that nobody writes them twice.

`python -m glslc_multi.compiler.passes.rules.document` prints the README with fresh tables, `--write` puts them into the
file.  They stand between `<!-- rules -->` and `<!-- end -->`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from glslc_multi.compiler.markdown import show_or_write, spaced_table, table
from glslc_multi.compiler.passes.rules.rule import ASSUMPTIONS, Rule
from glslc_multi.compiler.passes.rules.table import GROUPS

README = Path(__file__).with_name("README.md")
_START, _END = "<!-- rules -->\n", "<!-- end -->"
_PROOFS = {"z3": "z3", "half": "16-bit floats", "values": "values"}


def rule_tables() -> str:
    """The assumptions, then one table a group."""
    tables = [table(("assumption", "meaning"), ((f"`{name}`", text) for name, text in ASSUMPTIONS.items()))]
    for heading, rules in GROUPS.items():
        tables.append(f"### {heading}\n" + spaced_table(("rule", "rewrite", "assumes", "checked by"), map(_row, rules)))
    return "\n".join(tables)


def _row(rule: Rule) -> tuple[str, ...]:
    condition = f" where `{rule.where}`" if rule.where else ""
    assumes = ", ".join(rule.assumes.split()) or "nothing: exact"
    return rule.name, f"`{rule.text}`{condition}", assumes, _PROOFS[rule.proof]


def with_fresh_tables(text: str) -> str:
    """`text` with the tables made anew."""
    before, _, rest = text.partition(_START)
    _, _, after = rest.partition(_END)
    return f"{before}{_START}{rule_tables()}{_END}{after}"


if __name__ == "__main__":
    show_or_write(README, with_fresh_tables, sys.argv)
