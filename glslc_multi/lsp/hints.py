"""Costs beside the text: words of each line, and where the shader fits.

In: an analysis, and the costs of this very text.  Out: inlay hints at the ends of lines, and lenses above `main`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from glslc_multi.frontends.glsl import ast
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost


def inlay_hints(analysis: Analysis, costs: Sequence[Cost], wanted: lsp.Range) -> list[lsp.InlayHint]:
    """What each line of a range costs where the shader fits, and beside `main` what comes closest to a limit."""
    fitting = [(cost, cost.words_by_line(analysis.filename)) for cost in costs if cost.fits]
    main = _line_of_main(analysis)
    hints = []
    last = min(wanted.end.line + 1, len(analysis.lines))
    for line in range(max(wanted.start.line, 0) + 1, last + 1):
        parts = [f"{cost.target} {counts[line]}" for cost, counts in fitting if counts.get(line)]
        if parts:
            about = f"words of machine code that come from this line: {', '.join(parts)}"
            hints.append(_hint(analysis, line, " · ".join(parts), about))
        if line == main and fitting:
            uses = [f"{cost.target}: {cost.remark}" for cost, _ in fitting if cost.remark]
            hints.append(_hint(analysis, line, " · ".join(uses), "what comes closest to its limit"))
    return hints


def _hint(analysis: Analysis, line: int, text: str, about: str) -> lsp.InlayHint:
    end = analysis.lines.position(line, len(analysis.lines.line(line)) + 1)
    return lsp.InlayHint(end, text, tooltip=about, padding_left=True)


def lenses(analysis: Analysis, costs: Sequence[Cost], wanted: Sequence[str]) -> list[lsp.CodeLens]:
    """Where the shader fits, and where and why not; until all targets have answered, how many are missing."""
    if not analysis.is_compilable:
        return []
    main = _main(analysis)
    range_ = analysis.lines.range_at(0, 0) if main is None else analysis.lines.range(main.name_span)
    titles = []
    fitting = [cost.target for cost in costs if cost.fits]
    if fitting:
        titles.append(f"fits on {', '.join(fitting)}")
    titles += [f"not on {cost.target}: {cost.remark}" for cost in costs if not cost.fits]
    waiting = [name for name in wanted if name not in {cost.target for cost in costs}]
    if waiting:
        titles.append(f"compiling for {', '.join(waiting)} …")
    return [lsp.CodeLens(range_, command=lsp.Command(title, "")) for title in titles]


def _main(analysis: Analysis) -> ast.FunctionDeclaration | None:
    checked = analysis.checked
    definition = None if checked is None or checked.main is None else checked.definitions.get(checked.main)
    return definition if definition is not None and definition.span.file is analysis.file else None


def _line_of_main(analysis: Analysis) -> int:
    main = _main(analysis)
    return 0 if main is None else main.name_span.line
