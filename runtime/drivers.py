"""What the drivers of the machines take: functions that convert updates of uniforms.

Every target has its own (`Target.driver_forms`); `docs/engine-api.md` lists them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from glslc_multi.backends.registry import TARGETS


def __getattr__(name: str) -> Any:
    for target in map(TARGETS.load, TARGETS.names()):
        if name in target.driver_forms:
            return getattr(import_module(target.driver_forms[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
