"""The reference tables of `README.md`, made from the tables of the code, so that nobody writes them twice.

`python -m glslc_multi.compiler.ir.document` prints the README with fresh tables, `--write` puts them into the file.
A table stands between `<!-- table: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

from glslc_multi.compiler.ir.ops import OPCODES, Opcode
from glslc_multi.compiler.ir.variables import ROLES
from glslc_multi.compiler.ir.verify import RULES
from glslc_multi.compiler.markdown import show_or_write, table

README = Path(__file__).with_name("README.md")
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def opcode_table() -> str:
    """One row an opcode."""
    rows = [[f"`{op.name}`", f"`{op.signature}`", op.doc, _properties(op)] for op in OPCODES.values()]
    return table(["opcode", "operands and result", "meaning", "properties"], rows)


def rule_table() -> str:
    return table(["rule", "what it asks"], [[f"`{rule}`", text] for rule, text in RULES.items()])


def role_table() -> str:
    return table(["role", "variable"], [[f"`{role}`", text] for role, text in ROLES.items()])


TABLES: dict[str, Callable[[], str]] = {"opcodes": opcode_table, "rules": rule_table, "roles": role_table}


def with_fresh_tables(text: str) -> str:
    """`text` with every marked table made anew."""
    return _TABLE.sub(lambda found: f"{found[1]}{TABLES[found[2]]()}{found[3]}", text)


def _properties(op: Opcode) -> str:
    words: list[str] = [op.effect]
    words += ["commutative"] * op.commutative + ["associative"] * op.associative
    words += [f"carries {op.attribute}"] if op.attribute != "none" else []
    return ", ".join(words)


if __name__ == "__main__":
    show_or_write(README, with_fresh_tables, sys.argv)
