"""The targets by name, imported only when asked for.

A target of this project is a folder `backends/<name>/` with a `target.py`, and one row here; another distribution adds
one by an entry point of the group `glslc_multi.targets` (`NAME = "package.module:OBJECT"`).
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.options import known_names_help
from glslc_multi.compiler.plugins import Registry
from glslc_multi.compiler.target import Target

TARGETS: Registry[Target] = Registry(
    "glslc_multi.targets",
    {
        "adreno": "glslc_multi.backends.adreno.target:TARGET",
        "agal": "glslc_multi.backends.agal.target:TARGET",
        "pica200": "glslc_multi.backends.pica200.target:TARGET",
        "theia": "glslc_multi.backends.theia.target:TARGET",
        "vc4": "glslc_multi.backends.vc4.target:TARGET",
        "xenos": "glslc_multi.backends.xenos.target:TARGET",
    },
)

#: What people call the machines -> the target.
ALIASES = {"3ds": "pica200", "a2xx": "adreno", "air": "agal", "flash": "agal", "rpi": "vc4", "xbox360": "xenos"}

_NO_TARGETS = "this release generates no machine code yet; --emit ir prints the intermediate representation"


def target_names() -> tuple[str, ...]:
    """The targets that exist, without importing any."""
    return TARGETS.names()


def canonical_name(name: str) -> str:
    """Return the name of a target for any name that it goes by."""
    return ALIASES.get(name, name)


def load_target(name: str) -> Target:
    """The target `name`, which must be one of `target_names()`."""
    return TARGETS.load(name)


def all_targets(sink: DiagnosticSink) -> tuple[Target, ...]:
    """The targets that can be loaded; what is wrong with others is a note."""
    for fault in TARGETS.faults():
        sink.report(usage.PLUGIN_LEFT_OUT, fault=fault)
    return tuple(TARGETS.usable())


def all_passes() -> Mapping[str, str]:
    """Return the passes over the IR, those that only one machine needs after the others: name -> "module:class"."""
    from glslc_multi.compiler.passes.registry import PASSES

    return PASSES | {name: where for target in TARGETS.usable() for name, where in target.passes.items()}


def target_of_suffix(suffix: str) -> Target | None:
    """The target whose files of machine code, and no other's, have the suffix."""
    targets = TARGETS.usable() if suffix else ()
    able = [target for target in targets if suffix in (target.suffix, *target.suffixes.values())]
    return able[0] if len(able) == 1 else None


def find_target(name: str, sink: DiagnosticSink) -> Target:
    """The target called `name`, or the diagnostic that says which ones exist."""
    name = canonical_name(name)
    if name not in TARGETS:
        aliases = [alias for alias, target in ALIASES.items() if target in TARGETS]
        help = known_names_help(name, (*target_names(), *aliases), none=_NO_TARGETS)
        sink.report(usage.UNKNOWN_TARGET, help=help, name=name)
        sink.raise_if_errors()
    return TARGETS.load(name)
