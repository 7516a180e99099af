"""The README's tables are those of the code."""

from __future__ import annotations

from glslc_multi.compiler.ir.document import README, TABLES, opcode_table, role_table, rule_table, with_fresh_tables
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.variables import ROLES
from glslc_multi.compiler.ir.verify import RULES


def test_the_readme_is_current() -> None:
    text = README.read_text("utf-8")
    assert with_fresh_tables(text) == text, "run python -m glslc_multi.compiler.ir.document --write"


def test_the_readme_holds_every_table() -> None:
    text = README.read_text("utf-8")
    assert all(f"<!-- table: {name} -->" in text for name in TABLES)


def test_a_stale_table_is_made_anew() -> None:
    stale = "before\n<!-- table: roles -->\nold\n<!-- end -->\nafter\n"
    assert with_fresh_tables(stale) == f"before\n<!-- table: roles -->\n{role_table()}<!-- end -->\nafter\n"


def test_tables_have_a_row_for_everything() -> None:
    assert opcode_table().count("\n") == len(OPCODES) + 2
    assert rule_table().count("\n") == len(RULES) + 2
    assert role_table().count("\n") == len(ROLES) + 2
    assert "| `fadd` | `F, F -> F` | x + y | pure, commutative, associative |\n" in opcode_table()
    assert "| `fabs` | `F -> F` | \\|x\\| | pure |\n" in opcode_table()
    assert "carries swizzle" in opcode_table()
