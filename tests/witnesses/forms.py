"""All forms that there are: what the modules of a target, or the shared ones, name.

Rewrite rules and rows of the common expansions are not among them: their witnesses are made from their patterns and
opcodes (`tests/compiler/passes/rules`, `tests/compiler/lowering/test_expansion.py`).  Nor are the elementary functions,
whose errors are measured (`tests/compiler/lowering/elementary/test_transcendentals.py`).
"""

from __future__ import annotations

import importlib
import pkgutil

from compiler.forms import form_names
from compiler.lowering import builtins
from compiler.passes.rules.table import RULES
from tests.compiler.passes.check_file import check_files, read_check_file
from tests.witnesses.witness import SHARED, load, prefix_of

_SHARED_ROOMS = ("compiler.passes", "compiler.lowering", "compiler.codegen")


def forms_of(folder: str) -> set[str]:
    """The names of the forms of a target's code generator, or of all that targets share."""
    prefix = prefix_of(folder)
    for room in _SHARED_ROOMS if folder == SHARED else (prefix.rstrip("."),):
        _import_all(room)
    generated = {rule.form.name for rule in RULES} | {row.form.name for row in builtins.ROWS}
    return {name for name in form_names() if name.startswith(prefix) and not _is_elementary(name)} - generated


def _is_elementary(name: str) -> bool:
    """Whether it is a row for an elementary function; these are made for each target when it is first compiled for."""
    return name.startswith("compiler.lowering.elementary.") and " as " in name


def shown_forms(folder: str) -> set[str]:
    """The forms that have a witness: a shader, or for what targets share a check file of a pass or lowering."""
    shown = {form for witness in load(folder) for form in witness.forms}
    if folder == SHARED:
        shown |= {form for path in check_files() for form in read_check_file(path).forms}
    return shown


def _import_all(room: str) -> None:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, f"{room}."):
        importlib.import_module(module.name)
