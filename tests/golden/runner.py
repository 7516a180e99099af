"""Checks recorded data about machine code, file by file.

A *handler* checks one case of one kind: it gets the case and the whole document, and returns a
`Failure`, a `Skip`, or None.  `_HANDLERS` names them; a kind without a handler is skipped, and the
skip says which part is missing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from glslc_multi.compiler.records import dataclass
from tests.golden.kinds import KINDS, Kind, labelled_cases, recognise


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with a case."""

    reason: str


@dataclass(frozen=True, slots=True)
class Skip:
    """Why a case says nothing: a verdict that is not known, a text that holds less than the words."""

    reason: str


Verdict = Failure | Skip | None
Handler = Callable[[Mapping[str, Any], Any], Verdict]

#: (target, kind) -> "module:function" of its handler.
_HANDLERS: dict[tuple[str, str], str] = {
    ("agal", "encoding"): "tests.golden.agal:check_encoding",
    ("agal", "assembler-error"): "tests.golden.agal:check_refusal",
    ("agal", "program"): "tests.golden.agal:check_program",
    ("agal", "invalid"): "tests.golden.agal:check_invalid",
    ("agal", "to-glsl"): "tests.golden.agal:check_glsl",
    ("pica200", "container"): "tests.golden.pica200:container",
    ("pica200", "execution"): "tests.golden.pica200:execution",
    ("pica200", "flow-encoding"): "tests.golden.pica200:flow_encoding",
    ("pica200", "encoding"): "tests.golden.pica200:encoding",
    ("pica200", "documented"): "tests.golden.pica200:documented",
    ("pica200", "combiners"): "tests.golden.pica200_pixels:combiners",
    ("pica200", "combiner-buffer"): "tests.golden.pica200_pixels:combiner_buffer",
    ("pica200", "combiner-operands"): "tests.golden.pica200_pixels:combiner_operands",
    ("pica200", "combiner-stage0"): "tests.golden.pica200_pixels:combiner_stage0",
    ("pica200", "combiner-functions"): "tests.golden.pica200_pixels:combiner_functions",
    ("pica200", "combiner-dot3"): "tests.golden.pica200_pixels:combiner_dot3",
    ("pica200", "console-dot3"): "tests.golden.pica200_pixels:console_dot3",
    ("pica200", "fog"): "tests.golden.pica200_pixels:fog",
    ("pica200", "alpha-test"): "tests.golden.pica200_pixels:alpha_test",
    ("pica200", "blending"): "tests.golden.pica200_pixels:blending",
    ("pica200", "texture-units"): "tests.golden.pica200_pixels:texture_units",
    ("pica200", "lighting"): "tests.golden.pica200_pixels:lighting",
    ("pica200", "fragment-program"): "tests.golden.pica200_programs:program",
    ("pica200", "driver-calls"): "tests.golden.pica200_registers:registers",
    ("pica200", "table-entries"): "tests.golden.pica200_registers:table_entry",
    ("pica200", "table-functions"): "tests.golden.pica200_registers:table_function",
    ("pica200", "number-formats"): "tests.golden.pica200_registers:number_format",
    ("theia", "encoding"): "tests.golden.theia:check_encoding",
    ("theia", "execution"): "tests.golden.theia:check_execution",
    ("theia", "program"): "tests.golden.theia:check_program",
    ("theia", "hazard"): "tests.golden.theia:check_hazard",
    ("theia", "image"): "tests.golden.theia:check_image",
    ("adreno", "encoding"): "tests.golden.adreno:encoding",
    ("adreno", "program"): "tests.golden.adreno:program",
    ("xenos", "file"): "tests.golden.xenos:file",
    ("xenos", "vendor"): "tests.golden.xenos:vendor",
    ("xenos", "encoding"): "tests.golden.xenos:encoding",
    ("xenos", "program"): "tests.golden.xenos:program",
    ("vc4", "hazard"): "tests.golden.vc4:hazard",
    ("vc4", "execution"): "tests.golden.vc4:execution",
    ("vc4", "program"): "tests.golden.vc4:program",
    ("vc4", "encoding"): "tests.golden.vc4:encoding",
    ("vc4", "reject"): "tests.golden.vc4:reject",
}


class UnknownFile(Exception):
    """A file cannot be read, or is of no kind of the target."""


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on one case."""

    file: Path
    label: str
    verdict: Verdict


def check_file(path: Path, target: str) -> Iterator[Result]:
    """The results of all cases of a file."""
    document = _load(path)
    kind = recognise(document, target)
    if kind is None:
        raise UnknownFile(f"{path} is in no schema of {target}{_other_target(document)}")
    if kind.no_cases:
        yield Result(path, kind.name, Skip(kind.no_cases))
        return
    handler = _handler(kind)
    for label, case in labelled_cases(kind, document):
        yield Result(path, label, _check(handler, case, document))


def summarise(results: Iterator[Result]) -> tuple[list[str], bool]:
    """The lines to print, and whether nothing failed."""
    counts: Counter[str] = Counter()
    skips: Counter[str] = Counter()
    lines = []
    for result in results:
        if isinstance(result.verdict, Failure):
            counts["failed"] += 1
            lines.append(f"failed: {result.file.name}: {result.label}: {result.verdict.reason}")
        elif isinstance(result.verdict, Skip):
            counts["skipped"] += 1
            skips[f"{result.file.name}: {result.verdict.reason}"] += 1
        else:
            counts["passed"] += 1
    lines += [f"skipped: {count} of {reason}" for reason, count in skips.items()]
    lines.append(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return lines, counts["failed"] == 0


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnknownFile(f"cannot read {path}: {error}") from None


def _other_target(document: Any) -> str:
    others = list(dict.fromkeys(kind.target for kind in KINDS if kind.fits(document)))
    return f" (it is one of {' or '.join(others)})" if others else ""


def _handler(kind: Kind) -> Handler:
    place = _HANDLERS.get((kind.target, kind.name))
    if place is None:
        missing = Skip(f"target {kind.target} does not check '{kind.name}' records in this release")
        return lambda case, document: missing
    module, _, function = place.partition(":")
    handler: Handler = getattr(import_module(module), function)
    return handler


def _check(handler: Handler, case: Mapping[str, Any], document: Any) -> Verdict:
    try:
        return handler(case, document)
    except Exception as error:
        # A breakdown fails this case; the others still count.
        return Failure(f"internal error: {type(error).__name__}: {error}")
