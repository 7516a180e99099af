"""The registry behind the catalogue: entries are declared once, found again by their code.

A code is E (error), W (warning) or N (note) and four digits; `PHASES` in the package says which digits belong to which
module.  E9999 is the internal error.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.model import Entry, ExitStatus

_BY_CODE: dict[str, Entry] = {}
#: The same, by code and former codes.
_BY_ANY_CODE: dict[str, Entry] = {}


def error(
    code: str, template: str, explain: str, *, exit_status: ExitStatus = 1, formerly: tuple[str, ...] = ()
) -> Entry:
    """Declare an error. `template` is lower case, one sentence, no full stop, `{name}` for values.

    `formerly` are codes of messages that it took the place of; nothing else may have them.
    """
    return _add(Entry(code, "error", template, explain, exit_status, formerly=formerly))


def warning(code: str, group: str, template: str, explain: str) -> Entry:
    """Declare a warning that `-Wno-<group>` switches off."""
    return _add(Entry(code, "warning", template, explain, group=group))


def note(code: str, template: str, explain: str) -> Entry:
    """Declare a note: a fact that a user may want to know and that needs no correction."""
    return _add(Entry(code, "note", template, explain))


def declared() -> dict[str, Entry]:
    """Every entry declared by the catalogue modules imported so far, by code."""
    return dict(sorted(_BY_CODE.items()))


def find(code: str) -> Entry | None:
    """The entry that has a code, or had it, among those declared."""
    return _BY_ANY_CODE.get(code)


def _add(entry: Entry) -> Entry:
    for code in (entry.code, *entry.formerly):
        if code in _BY_ANY_CODE:
            raise ValueError(f"diagnostic code {code} is declared twice")
        _BY_ANY_CODE[code] = entry
    _BY_CODE[entry.code] = entry
    return entry
