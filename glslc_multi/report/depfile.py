"""Depfiles: which files a result was made from, as a rule in the syntax of make (GNU make manual, 4.3, 4.4).

Ninja reads it, too (`deps = gcc`).  Spaces, tabs, `#`, `:`, in targets `%`, and the backslashes before them are escaped
by a backslash, and `$` is doubled.  The backslashes of Windows become slashes, which both read there.  What else make
reads as something of its own has no escape.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"(\\*)([ \t#:])")
_SPECIAL_IN_TARGETS = re.compile(r"(\\*)([ \t#:%])")
#: What no name in a rule can have, and how it is called.
_IMPOSSIBLE = (
    (re.compile(r"[\n\r]"), "a line break"),
    (re.compile(r"[*?\[;=|]"), "one of *?[;=|"),
    (re.compile(r"^(\./)*~"), "~ at its beginning"),
    (re.compile(r"[\\ \t]$"), "a space or a backslash at its end"),
)
_IMPOSSIBLE_IN_TARGETS = (*_IMPOSSIBLE, (re.compile(r"\t"), "a tab"), (re.compile(r"&$"), "& at its end"))


def escape(name: str) -> str:
    """The name of a file that is read, for make and ninja."""
    return _escaped(_SPECIAL, name)


def escape_target(name: str) -> str:
    """The name of a file that is made."""
    return _escaped(_SPECIAL_IN_TARGETS, name)


def impossible(name: str, *, is_target: bool) -> str | None:
    """What it is about a name that no rule can hold."""
    found = (what for pattern, what in (_IMPOSSIBLE_IN_TARGETS if is_target else _IMPOSSIBLE) if pattern.search(name))
    return next(found, None)


def _escaped(special: re.Pattern[str], name: str) -> str:
    if sys.platform == "win32":
        name = name.replace("\\", "/")
    return special.sub(r"\1\1\\\2", name).replace("$", "$$")


def make_rule(targets: Sequence[str], main: Sequence[str], included: Iterable[str], *, phony: bool = False) -> str:
    """The rule for `targets`, which are escaped already; with `phony`, an empty rule for every included file, so
    that make does not fail where one has been removed."""
    names = {name: escape(name) for name in (*main, *included)}
    rule = f"{' '.join(targets)}:" + "".join(f" \\\n  {name}" for name in names.values()) + "\n"
    return rule + ("".join(f"{escape_target(name)}:\n" for name in names if name not in main) if phony else "")
