"""Diagnostics to standard error, in the form and colour that the command line chooses."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.diagnostics.color import ColorChoice, use_color
from glslc_multi.compiler.diagnostics.render import Format, render


def print_messages(diagnostics: Sequence[Diagnostic], style: Format, color: ColorChoice) -> None:
    """Print them together, where there are any (or the form is a document)."""
    text = render(tuple(diagnostics), style, color=use_color(color, sys.stderr))
    if text:
        sys.stderr.write(text)
        sys.stderr.flush()
