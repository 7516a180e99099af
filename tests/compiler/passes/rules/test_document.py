"""The README's tables are those of the code."""

from __future__ import annotations

from glslc_multi.compiler.passes.rules.document import README, rule_tables, with_fresh_tables
from glslc_multi.compiler.passes.rules.table import RULES


def test_the_readme_is_current() -> None:
    text = README.read_text("utf-8")
    assert with_fresh_tables(text) == text, "run python -m glslc_multi.compiler.passes.rules.document --write"


def test_stale_tables_are_made_anew() -> None:
    stale = "before\n<!-- rules -->\nold\n<!-- end -->\nafter\n"
    assert with_fresh_tables(stale) == f"before\n<!-- rules -->\n{rule_tables()}<!-- end -->\nafter\n"


def test_every_rule_has_a_row() -> None:
    rows = rule_tables().splitlines()
    assert all(sum(row.startswith(f"| {rule.name} |") for row in rows) == 1 for rule in RULES)
    assert "| mul-one | `fmul(x, 1.0) -> x` | nothing: exact | z3 |" in rows
    assert "| sub-itself | `fsub(x, x) -> 0.0` | no-nan | z3 |" in rows
