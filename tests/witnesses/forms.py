"""All forms that there are: what the modules of a target, or the shared ones, name."""

from __future__ import annotations

import importlib
import pkgutil

from compiler.forms import form_names
from compiler.passes.rules.table import RULES
from tests.witnesses.witness import SHARED, prefix_of

_SHARED_ROOMS = ("compiler.passes", "compiler.lowering", "compiler.codegen")


def forms_of(folder: str) -> set[str]:
    """The names of the forms of a target's code generator, or of all that targets share."""
    prefix = prefix_of(folder)
    for room in _SHARED_ROOMS if folder == SHARED else (prefix.rstrip("."),):
        _import_all(room)
    rules = {rule.form.name for rule in RULES}
    names = {name for name in form_names() if name.startswith(prefix)}
    return names | rules if folder == SHARED else names


def _import_all(room: str) -> None:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, f"{room}."):
        importlib.import_module(module.name)
