"""The shaders of a file that has several: which one is meant by a name, a number or a stage."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.compiler.records import replace


def choose(program: Program, entry: str, stage: str | None) -> Program | None:
    """The program with one of its shaders alone, the first one that is meant; None where there is none.

    `entry` is a number, a stage, or a label where a shader begins; without one the first vertex shader is meant.
    """
    executables = list(enumerate(program.executables))
    if entry or stage:
        executables = [
            (n, each) for n, each in executables if stage in (None, each.stage) and _is_called(each, n, entry)
        ]
    else:
        executables.sort(key=lambda row: row[1].stage != "vertex")
    return replace(program, executables=[executables[0][1]]) if executables else None


def spell_executables(program: Program) -> str:
    """All shaders, as a message lists them."""
    return ", ".join(
        " ".join((str(number), f"({each.stage})", *_labels(each))) for number, each in enumerate(program.executables)
    )


def _is_called(executable: Executable, number: int, entry: str) -> bool:
    """Tell whether a name means a shader."""
    return not entry or entry in (str(number), executable.stage, *_labels(executable))


def _labels(executable: Executable) -> Iterator[str]:
    """List the labels where a shader begins."""
    return (label.name for label in executable.labels if label.address == executable.entry and label.name)
