"""`--target all` without an output: one table that says which machines take the shader, and by how much others miss.

A mistake of the shader itself is reported as always.  The status is 3 when no target takes some shader.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from glslc_multi.backends.registry import TARGETS
from glslc_multi.cli.compilation import Compilation
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits
from glslc_multi.compiler.records import asdict, dataclass
from glslc_multi.report.cycles import estimated_cycles
from glslc_multi.report.fit import closest_limit, shortfall
from glslc_multi.report.table import text_table


@dataclass(frozen=True, slots=True)
class Row:
    """What one target says to one shader."""

    shader: str
    target: str
    fits: bool
    instructions: int | None = None
    registers: int | None = None
    constants: int | None = None
    #: Estimated; None where there is no code.
    cycles: int | None = None
    #: What is missing, or the largest use of a limit.
    remark: str = ""


def survey(compilations: Sequence[Compilation], *, as_json: bool, sink: DiagnosticSink) -> str:
    """The table of all compilations; text, or JSON."""
    for shader in dict.fromkeys(compilation.source for compilation in compilations):
        _check_source(next(c for c in compilations if c.source is shader), sink)
    rows = [row for _, group in groupby(compilations, lambda each: each.source) for row in _rows(list(group), sink)]
    for name in dict.fromkeys(row.shader for row in rows):
        if not any(row.fits for row in rows if row.shader == name):
            sink.report(limits.FITS_NO_TARGET, notes=[f"'{name}' was compiled for every target that has its stage"])
    if as_json:
        return json.dumps([asdict(row) for row in rows], indent=2) + "\n"
    return _as_text(rows)


def _rows(compilations: Sequence[Compilation], sink: DiagnosticSink) -> Iterator[Row]:
    """The rows of one shader; targets that lack its stage have no compilation."""
    from glslc_multi.compiler.driver import require_stage

    source = compilations[0].source
    by_target = {compilation.target.name: compilation for compilation in compilations if compilation.target}
    for target in TARGETS.usable():
        if target.name in by_target:
            yield _ask(by_target[target.name])
        else:
            remark = f"no {require_stage(source, sink)} stage: it has {' and '.join(target.stages)}"
            yield Row(source.filename, target.name, False, remark=remark)


def _check_source(compilation: Compilation, sink: DiagnosticSink) -> None:
    """Report what is wrong whatever the target."""
    from glslc_multi.compiler.driver import lower_source

    lower_source(compilation.source, compilation.request.front_end, sink)


def _ask(compilation: Compilation) -> Row:
    assert compilation.target is not None
    shader, target = compilation.source.filename, compilation.target.name
    try:
        artifact = compilation.artifact
    except CompileError as error:
        return Row(shader, target, False, remark=shortfall(error.diagnostics))
    stats = artifact.stats
    words = compilation.target.list_words(artifact.binary, compilation.request.target_options)
    remark = str(closest_limit(artifact.reflection.limits or {}) or "")
    cycles = estimated_cycles(words, artifact.origins, artifact.loops)
    return Row(shader, target, True, stats.instructions, stats.registers, stats.constants, cycles, remark)


def _numbers(row: Row) -> tuple[int | None, ...]:
    return row.instructions, row.registers, row.constants, row.cycles


def _as_text(rows: Sequence[Row]) -> str:
    several = len({row.shader for row in rows}) > 1
    heading = ["target", "fits", "instructions", "registers", "constants", "cycles", "remark"]
    cells = [
        [
            row.target,
            "yes" if row.fits else "no",
            *("-" if number is None else str(number) for number in _numbers(row)),
            row.remark,
        ]
        for row in rows
    ]
    if several:
        heading.insert(0, "shader")
        cells = [[row.shader, *line] for row, line in zip(rows, cells, strict=True)]
    return text_table(heading, cells)
