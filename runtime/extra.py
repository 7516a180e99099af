"""The packages of the extra `run`, which compiling does not need: asked for in words where they are missing."""

from __future__ import annotations

from importlib.util import find_spec

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.usage import NO_RUN_EXTRA

_PACKAGES = ("numpy", "llvmlite")


def require_run_extra() -> None:
    """Raise `CompileError` where one is missing."""
    sink = DiagnosticSink()
    for package in _PACKAGES:
        if find_spec(package) is None:
            sink.report(NO_RUN_EXTRA, help="pip install 'glslc-multi[run]'", package=package)
    sink.raise_if_errors()
