"""The registry of targets: name -> module that holds its `TARGET`, imported only when asked for.

Adding a target is a folder `backends/<name>/` with a `target.py`, and one row here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from compiler.target import Target

_MODULES: dict[str, str] = {
    "adreno": "backends.adreno.target",
    "agal": "backends.agal.target",
    "pica200": "backends.pica200.target",
    "theia": "backends.theia.target",
    "vc4": "backends.vc4.target",
}


def target_names() -> tuple[str, ...]:
    """The targets that exist, without importing any."""
    return tuple(sorted(_MODULES))


def load_target(name: str) -> Target:
    """The target `name`, which must be one of `target_names()`."""
    return cast("Target", import_module(_MODULES[name]).TARGET)


def instruction_set(name: str) -> str:
    """The reference page of a target's instruction set, which says all that its tables do."""
    package = _MODULES[name].rpartition(".")[0]
    page: str = import_module(f"{package}.isa.document").page()
    return page
