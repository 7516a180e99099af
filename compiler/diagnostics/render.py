"""The one call that turns diagnostics into output, in any of the formats of `--diagnostics-format`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

from glslc_multi.compiler.diagnostics.model import Diagnostic

Format = Literal["text", "short", "msvc", "json", "sarif"]
FORMATS: tuple[Format, ...] = get_args(Format)


def render(diagnostics: Collection[Diagnostic], format: Format = "text", *, color: bool = False) -> str:
    """Everything to write to the stream, line breaks included; only `text` and `short` know colour.

    `sarif` gives a whole document, also for no diagnostics; the other formats then give "".
    """
    # Each format is imported when there is something to say in it.
    if not diagnostics and format != "sarif":
        return ""
    if format == "json":
        from glslc_multi.compiler.diagnostics.render_json import render_json

        return render_json(diagnostics)
    if format == "sarif":
        from glslc_multi.compiler.diagnostics.render_sarif import render_sarif

        return render_sarif(diagnostics)
    if format == "msvc":
        from glslc_multi.compiler.diagnostics.render_lines import render_msvc

        return render_msvc(diagnostics)
    from glslc_multi.compiler.diagnostics.color import paint_ansi, paint_nothing
    from glslc_multi.compiler.diagnostics.render_lines import render_short
    from glslc_multi.compiler.diagnostics.render_text import render_text

    renderer = render_short if format == "short" else render_text
    return renderer(diagnostics, paint_ansi if color else paint_nothing)
