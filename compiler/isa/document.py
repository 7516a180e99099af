"""Reference pages of instruction sets: what those of all machines have.

`Target.instruction_sets` has the pages of a machine, `docs/isa/NAME.md`; `make docs` writes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.markdown import spaced_table


def introduction(title: str, name: str) -> str:
    """Return how the page of the target `name` begins."""
    return f"""# {title} instruction set

Made from the tables in `backends/{name}/isa` by `make docs`; do not edit. The machine itself is described in
[the target's README](../../backends/{name}/README.md).
"""


def format_section(layout: Format) -> str:
    """Return the fields of a format, under its name."""
    return f"\n### {layout.name}, {layout.size} bits\n" + field_table(layout)


def field_table(layout: Format) -> str:
    """Return the fields of a format with their bits, of which the lowest is 0."""
    rows = [(part.bits, part.name, part.doc) for part in layout.fields]
    return spaced_table(("bits", "field", "meaning"), rows)


def rule_table(rules: Mapping[int, str] | Mapping[str, str]) -> str:
    """Return the rules that `validate` checks, by the names in its faults."""
    return spaced_table(("rule", "what it asks"), ((f"`{rule}`", text) for rule, text in rules.items()))
