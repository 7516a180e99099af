"""The table of host code has every form of every target, with what documents it and an example."""

from __future__ import annotations

import re

from glslc_multi.backends.registry import load_target, target_names
from tests.shared_data import PROJECT_ROOT

PAGE = PROJECT_ROOT / "docs" / "host-code.md"


def test_the_table_is_complete() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| machine |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    named = [form for row in rows for form in re.findall(r"`([^`]+)`", row[1])]
    assert sorted(named) == sorted(form for name in target_names() for form in load_target(name).host_forms)
    for _, _, what, documented, example in rows:
        assert what and "](" in documented and "](" in example
