"""Depfiles: which files a result was made from, as a rule in the syntax of make (GNU make manual, sections 2.2, 4.3).

Ninja reads the same (`deps = gcc`).  Spaces, tabs, `#`, `:` and the backslashes before them are escaped by
a backslash, `$` is doubled; no syntax of make can hold a line break in a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"(\\*)([ \t#:])")


def escape(name: str) -> str:
    """`name` as make and ninja read it."""
    return _SPECIAL.sub(r"\1\1\\\2", name).replace("$", "$$")


def make_rule(targets: Sequence[str], main: Sequence[str], included: Iterable[str], *, phony: bool = False) -> str:
    """The rule for `targets`, which are escaped already; with `phony`, an empty rule for every included file, so
    that make does not fail where one has been removed."""
    names = {name: escape(name) for name in (*main, *included)}
    rule = f"{' '.join(targets)}:" + "".join(f" \\\n  {name}" for name in names.values()) + "\n"
    return rule + ("".join(f"{text}:\n" for name, text in names.items() if name not in main) if phony else "")
