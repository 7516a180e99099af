"""Checks of recorded AGAL: encodings, refused lines, whole programs, programs that break a rule, and GLSL
with the same meaning as a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from glslc_multi.backends.agal.isa import asm
from glslc_multi.backends.agal.isa.container import pack
from glslc_multi.backends.agal.isa.disasm import disassemble
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import STAGES, Stage
from glslc_multi.backends.agal.isa.validate import validate, validate_pair
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.golden.agal_glsl import compare_with_glsl
from tests.golden.runner import Failure, Verdict

Case = Mapping[str, Any]


def check_encoding(case: Case, _document: Any) -> Verdict:
    """One line gives one recorded token, and the token's text gives the token again."""
    program = _assemble(case["text"], case["stage"], case["version"])
    recorded = bytes.fromhex(case["hex"])
    if len(program.words) != 1:
        return Failure(f"gives {len(program.words)} tokens")
    found = pack(program)
    header = found[: len(found) - len(recorded)]
    return _differs(found, header + recorded) or _round_trip(header + recorded)


def check_refusal(case: Case, _document: Any) -> Verdict:
    """The assembler refuses the line."""
    try:
        program = _assemble(case["text"], case["stage"], case["version"])
    except CompileError:
        return None
    return Failure(f"accepted as {pack(program).hex()}, recorded: {case['error']}")


def check_program(case: Case, _document: Any) -> Verdict:
    """Both texts give the recorded bytes, these their text again, and the pair is valid."""
    for stage in STAGES:
        verdict = _check_text(case[stage], stage, case["version"]) or _round_trip(bytes.fromhex(case[stage]["hex"]))
        if verdict is not None:
            return verdict
    faults = validate_pair(*(bytes.fromhex(case[stage]["hex"]) for stage in STAGES))
    return Failure(f"refused: {faults[0].number} {faults[0].text}") if faults else None


def check_invalid(case: Case, _document: Any) -> Verdict:
    """The validator's first fault has a recorded number."""
    programs = {stage: case[stage] for stage in STAGES if case.get(stage)}
    for stage, program in programs.items():
        verdict = _check_text(program, stage, case["version"])
        if verdict is not None:
            return verdict
    data = {stage: _bytes_of(program, stage, case["version"]) for stage, program in programs.items()}
    if len(data) == len(STAGES):
        faults = validate_pair(*(data[stage] for stage in STAGES))
    else:
        faults = [fault for stage, half in data.items() for fault in validate(half, stage)]
    accepted = case["error"] if isinstance(case["error"], list) else [case["error"]]
    if not faults:
        return Failure(f"accepted although: {case['rule']}")
    if faults[0].number not in accepted:
        return Failure(f"first fault is {faults[0].number}, recorded {accepted}: {case['rule']}")
    return None


def check_glsl(case: Case, _document: Any) -> Verdict:
    """The recorded program computes what the GLSL does that another tool made from it."""
    for stage in STAGES:
        if f"{stage}_hex" not in case:
            continue
        difference = compare_with_glsl(stage, bytes.fromhex(case[f"{stage}_hex"]), case[f"{stage}_glsl"])
        if difference:
            return Failure(f"{stage}: {difference}")
    return None


def _text_of(half: Case) -> str | None:
    """A program's text; of a long one, the last line and how often it occurs are recorded."""
    if "text_repeat" in half:
        *first, repeated, count = half["text_repeat"]
        return "\n".join([*first, *[repeated] * count])
    return half.get("text")


def _bytes_of(half: Case, stage: Stage, version: int) -> bytes:
    if "hex" in half:
        return bytes.fromhex(half["hex"])
    return pack(_assemble(_text_of(half) or "", stage, version))


def _check_text(half: Case, stage: Stage, version: int) -> Verdict:
    text = _text_of(half)
    if text is None or "hex" not in half:
        return None
    return _differs(pack(_assemble(text, stage, version)), bytes.fromhex(half["hex"]))


def _assemble(text: str, stage: Stage, version: int) -> Program:
    return asm.assemble(text, "recorded.agal", DiagnosticSink(), stage=stage, version=version)


def _round_trip(data: bytes) -> Verdict:
    text = disassemble(data, "recorded.agalbin", DiagnosticSink())
    again = pack(asm.assemble(text, "again.agal", DiagnosticSink(), ignore_limits=True))
    return _differs(again, data)


def _differs(found: bytes, recorded: bytes) -> Verdict:
    return None if found == recorded else Failure(f"expected {recorded.hex()}, found {found.hex()}")
