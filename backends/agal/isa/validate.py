"""The validator: every rule of the hardware and its runtimes, on the bytes that are uploaded.

In: the file of a program, or those of a vertex and a fragment program that are used together.  Out: the
`Fault`s in the order in which a runtime comes upon them, none for a valid program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.backends.agal.isa.container import BadProgram, unpack
from glslc_multi.backends.agal.isa.flow_rules import FlowRules
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import STAGES, TOKEN_LIMITS, VARYING, VERSIONS, Stage
from glslc_multi.backends.agal.isa.rules import Fault
from glslc_multi.backends.agal.isa.token_rules import token_faults
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_RULE

#: Fault of a program of the other stage.
_WRONG_STAGE: dict[Stage, int] = {"fragment": 3630, "vertex": 3631}


def validate(data: bytes, stage: Stage | None = None, *, profile: int = VERSIONS[-1]) -> list[Fault]:
    """The faults of one program, which must be of `stage` (if given) and of a version up to `profile`."""
    return _Examination(data, stage, profile).faults


def validate_pair(vertex: bytes, fragment: bytes, *, profile: int = VERSIONS[-1]) -> list[Fault]:
    """The faults of both programs and, where there are none, of their linkage."""
    halves = _Examination(vertex, "vertex", profile), _Examination(fragment, "fragment", profile)
    faults = [fault._replace(stage=stage) for stage, half in zip(STAGES, halves, strict=True) for fault in half.faults]
    return faults or _linkage_faults(*halves)


def report(faults: Iterable[Fault], sink: DiagnosticSink, spans: Sequence[Span] = ()) -> None:
    """Report faults, those of tokens where they stand in an assembled text."""
    for fault in faults:
        is_placed = fault.token is not None and fault.token < len(spans)
        span = spans[fault.token or 0] if is_placed else None
        where = "the program" if fault.token is None else f"token {fault.token}"
        sink.report(AGAL_RULE, span, where=where, number=fault.number, rule=fault.text)


class _Examination:
    """A program's faults, and what linkage needs to know of it."""

    def __init__(self, data: bytes, stage: Stage | None, profile: int) -> None:
        self.version = 0
        self.written_varyings: set[int] = set()
        self.read_varyings: set[int] = set()
        try:
            program = unpack(data)
        except BadProgram as error:
            self.faults = [Fault(error.number)]
            return
        self.version = program.version
        self.faults = _program_faults(program, stage, profile)
        if not self.faults:
            flow = FlowRules(program)
            own = [tuple(token_faults(word, program.stage, program.version)) for word in program.words]
            self.faults = list(flow.faults(own)) or list(flow.end_faults())
            self.written_varyings = {number for type, number in flow.written if type == VARYING}
            self.read_varyings = flow.varyings


def _program_faults(program: Program, stage: Stage | None, profile: int) -> list[Fault]:
    """The faults of header and size, which end the examination."""
    if stage is not None and program.stage != stage:
        return [Fault(_WRONG_STAGE[stage])]
    if program.version > profile:
        return [Fault(3725)]
    return [Fault(3629)] if len(program.words) > TOKEN_LIMITS[program.version] else []


def _linkage_faults(vertex: _Examination, fragment: _Examination) -> list[Fault]:
    if vertex.version != fragment.version:
        return [Fault(3757)]
    return [Fault(3632)] if fragment.read_varyings - vertex.written_varyings else []
