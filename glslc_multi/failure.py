"""A mistake of the compiler itself, as a diagnostic."""

from __future__ import annotations

import os
from pathlib import Path

from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage


def internal_error(error: Exception) -> Diagnostic:
    """The diagnostic of an exception that should not have happened, with the place where it did."""
    import traceback

    if os.environ.get("GLSLC_MULTI_TRACEBACK"):
        traceback.print_exception(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {error}"
    report = DiagnosticSink()
    report.report(usage.INTERNAL_ERROR, help="set GLSLC_MULTI_TRACEBACK=1 to see where it comes from", what=what)
    return report.diagnostics[0]
