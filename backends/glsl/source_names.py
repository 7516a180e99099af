"""Names of the source's variables for the values that they had, by where these stand in the text.

vec3 light = normalize(v) - n;      the difference is `light`
sum += light;                       so is the sum `sum`
"""

from __future__ import annotations

import re

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction

_NAME = re.compile(r"[A-Za-z_]\w*")
_CHANGE = re.compile(r"([A-Za-z_]\w*)(\.\w+)?\s*[-+*/]?=(?!=)")
_BEFORE = re.compile(r"([A-Za-z_]\w*)\s*=\s*$")
_AFTER = re.compile(r"\s*[;,]")


def source_name(i: Instruction) -> str:
    """Return the name of the variable that the source gives a value to; "" where there is none."""
    span = i.span
    if span is None or span.line != span.end_line or (span.origin is not None and span.origin.kind == "macro"):
        return ""
    line = span.file.line_text(span.line)
    first, last = span.column - 1, span.end_column - 1
    before, own, after = line[:first], line[first:last], line[last:]
    change = _CHANGE.match(own)
    if change is not None:
        return change[1]
    start = _BEFORE.search(before)
    if start is not None and _AFTER.match(after):
        return start[1]
    # A phi has the place of its variable's declaration.
    return own if i.op in (ops.PHI, ops.SELECT) and _NAME.fullmatch(own) else ""
