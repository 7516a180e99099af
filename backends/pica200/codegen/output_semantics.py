"""Output semantics: what the rasteriser takes a varying for.  A pragma or option says it, else the name does.

    #pragma pica200 output v_light texcoord1
    --outputs v_light=texcoord1,v_tint=color

Without one of these, the name counts, without case and without a leading `v_` or `v`: color, colour, col or clr;
texcoord, uv or tc with a number (0 without one); texcoord0w; view; normalquat or nquat.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glslc_multi.backends.pica200.isa.program import SEMANTIC_WIDTHS
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_UNKNOWN_PROPERTY
from glslc_multi.compiler.records import dataclass

#: What names of varyings begin with that the linker has made: the property follows.
RASTERISER = "$"

_PREFIX = re.compile(r"\$|v_?", re.IGNORECASE)
_NAMES = (
    (re.compile(r"colou?r|col|clr"), "color"),
    (re.compile(r"(?:texcoord|uv|tc)0w"), "texcoord0w"),
    (re.compile(r"(?:texcoord|uv|tc)([0-2]?)"), "texcoord"),
    (re.compile(r"view"), "view"),
    (re.compile(r"normalquat|nquat"), "normalquat"),
)
_PRAGMA = re.compile(r"pica200\s+output\s+(\S+)\s+(\S+)\s*\Z")


@dataclass(frozen=True, slots=True)
class UnknownProperty(Exception):
    """A pragma or option names something that the rasteriser does not have."""

    varying: str
    found: str


def requested(pragmas: Sequence[str], option: str) -> dict[str, str]:
    """Varying -> property, of pragmas and of the option, which comes first."""
    pairs = [match.groups() for match in map(_PRAGMA.match, pragmas) if match is not None]
    for item in filter(None, (part.strip() for part in option.split(","))):
        name, _, found = item.partition("=")
        pairs.append((name.strip(), found.strip()))
    chosen: dict[str, str] = {}
    for name, found in pairs:
        if found.lower() not in SEMANTIC_WIDTHS or found.lower() == "position":
            raise UnknownProperty(name, found)
        chosen[name] = found.lower()
    return chosen


def requested_outputs(pragmas: Sequence[str], option: str, sink: DiagnosticSink) -> dict[str, str]:
    """The same; what the rasteriser does not have is reported and raised."""
    try:
        return requested(pragmas, option)
    except UnknownProperty as error:
        names = ", ".join(name for name in SEMANTIC_WIDTHS if name != "position")
        help = f"one of {names}"
        sink.report(PICA200_UNKNOWN_PROPERTY, None, name=error.varying, found=error.found, help=help)
        raise CompileError(sink.diagnostics) from None


def by_name(name: str) -> str | None:
    """The property that a varying's name says, if any."""
    for text in dict.fromkeys((name, _PREFIX.sub("", name, count=1))):
        for pattern, found in _NAMES:
            match = pattern.fullmatch(text.lower())
            if match is not None:
                return f"texcoord{match.group(1) or 0}" if found == "texcoord" else found
    return None
