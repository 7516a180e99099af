"""What reference pages of all machines have."""

from __future__ import annotations

from glslc_multi.compiler.isa.document import format_section, introduction, rule_table
from glslc_multi.compiler.isa.fields import Field, Format

LAYOUT = Format("move", 16, (Field("code", 12, 4), Field("last_one", 5, 1, doc="ends | begins")))


def test_bits_are_numbered_from_the_lowest() -> None:
    assert format_section(LAYOUT).splitlines() == [
        "",
        "### move, 16 bits",
        "",
        "| bits | field | meaning |",
        "| --- | --- | --- |",
        "| 15:12 | code |  |",
        "| 5 | last_one | ends \\| begins |",
    ]


def test_rules_stand_by_their_names() -> None:
    assert rule_table({"late-read": "waits"}).endswith("| `late-read` | waits |\n")


def test_a_page_says_what_it_is_made_of() -> None:
    assert introduction("The 4004", "i4004").startswith(
        "# The 4004 instruction set\n\nMade from the tables in `backends/i4004"
    )
