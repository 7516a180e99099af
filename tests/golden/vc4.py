"""Checks of recorded VC4: single lines, refused lines, hazards, executions, and a driver's programs."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.disasm import disassemble_program, word_text
from glslc_multi.backends.vc4.isa.program import Program, Stage
from glslc_multi.backends.vc4.isa.uniforms import Slot, Uniform
from glslc_multi.backends.vc4.isa.validate import validate
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.backends.vc4.machine.simulate import Inputs, Result, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.vc4.helpers import assemble_line
from tests.golden.runner import Failure, Skip, Verdict
from tests.golden.vc4_glsl import compile_case

Case = Mapping[str, Any]
#: Whether a word that was found will do for a recorded one.
Agrees = Callable[[int, int], bool]

_FLAG_REGISTERS = ("ra20", "ra21", "ra22")


class _Wrong(Exception):
    """What differs."""


def _check(same: object, reason: str) -> None:
    if not same:
        raise _Wrong(reason)


# --- Lines ------------------------------------------------------------------------------------------------------------

#: Lines that the recorded assembler calculates: only the disassembly of the word is compared.
_CALCULATED = "mov_const"
_STAGES: Mapping[str, Stage] = {
    "vs": "vertex",
    "fs": "fragment",
    "vertex": "vertex",
    "coord": "coordinate",
    "fragment": "fragment",
}


def encoding(case: Case, _document: Any) -> Verdict:
    """The line gives the word, and the word a line that gives it again."""
    word = int(case["word"], 16)
    text = word_text(word)
    if assemble_line(text) != word:
        return Failure(f"'{text}' is another word")
    found = assemble_line(case["asm"])
    if found == word:
        return None
    if case["category"] == _CALCULATED:
        return Skip("the recorded assembler calculates the constant; only the disassembly of the word is compared")
    return Failure(f"the word is {'none' if found is None else f'0x{found:016x}'}, recorded {case['word']}")


def reject(case: Case, _document: Any) -> Verdict:
    """The line is refused."""
    found = assemble_line(case["asm"])
    return None if found is None else Failure(f"the line is taken for 0x{found:016x}")


def _check_texts(case: Case, words: Sequence[int]) -> None:
    """The recorded lines give the words, and so does our own text."""
    for line, word in zip(case.get("asm", ()), words, strict="asm" in case):
        _check(assemble_line(line) == word, f"'{line}' is another word")
    program = Program(tuple(words))
    again = assemble(disassemble_program(program), "ours", DiagnosticSink())
    _check(again == program, "our text gives other words")


# --- Hazards ----------------------------------------------------------------------------------------------------------


def hazard(case: Case, _document: Any) -> Verdict:
    """Our verdicts are those of the written rules and of the driver."""
    words = [int(word, 16) for word in case["words"]]
    try:
        _check_texts(case, words)
        _check_driver(words, case["kernel"])
        if case["documented_legal"] is None:
            return Skip("no document says whether the hardware allows it")
        faults = validate(words, _STAGES[case["stage"]])
        _check(bool(faults) != case["documented_legal"], f"the hardware's rules: {[str(fault) for fault in faults]}")
    except _Wrong as error:
        return Failure(str(error))
    return None


def _check_driver(words: Sequence[int], recorded: Case) -> None:
    verdict = check(words)
    _check((verdict.fault is None) == recorded["ok"], f"the driver: {verdict.fault}, recorded {recorded.get('why')}")
    if recorded["ok"]:
        wanted = recorded["uniforms_size"]
        _check(verdict.uniforms_size == wanted, f"the uniforms have {verdict.uniforms_size} bytes, recorded {wanted}")


# --- Executions -------------------------------------------------------------------------------------------------------


def execution(case: Case, _document: Any) -> Verdict:
    """The recorded words give the recorded registers, rows and writes."""
    init = case["init"]
    inputs = Inputs(
        uniforms=_uniforms(init.get("uniforms", ())),
        registers={name: _words(values) for name, values in init.get("regs", {}).items()},
        vpm={int(row): _words(values) for row, values in init.get("vpm", {}).items()},
        varyings=[(_words(first), _words(second)) for first, second in init.get("vary", ())],
    )
    words = [int(word, 16) for word in case["words"]]
    try:
        _check_texts(case, words)
        result = simulate(words, inputs)
        _compare_execution(case, result)
    except _Wrong as error:
        return Failure(str(error))
    return None


def _compare_execution(case: Case, result: Result) -> None:
    expect, agrees = case["expect"], _tolerance(case)
    for name, values in expect.get("regs", {}).items():
        is_flag = case["category"].startswith("alu") and name in _FLAG_REGISTERS
        _compare(_register(result, name), values, _same if is_flag else agrees, name)
    for row, values in expect.get("vpm", {}).items():
        is_position = case["category"] == "vertex_shader" and int(row) == 0
        _compare(result.vpm[int(row), 0], values, _near_halves(1) if is_position else agrees, f"VPM row {row}")
    _compare_tiles(result, expect.get("tlb", ()), agrees)


def _tolerance(case: Case) -> Agrees:
    """Whether two words agree by any of the case's measures."""
    measures: list[Agrees] = [_same]
    if case.get("tol_ulp"):
        measures.append(_near_steps(case["tol_ulp"]))
    if "tol_rel" in case or "tol_abs" in case:
        measures.append(_near_values(case.get("tol_rel", 0.0), case.get("tol_abs", 0.0)))
    if "tol_byte" in case:
        measures.append(_near_bytes(case["tol_byte"]))
    if "tol_half_ulp" in case:
        measures.append(_near_halves(case["tol_half_ulp"]))
    return lambda found, wanted: any(measure(found, wanted) for measure in measures)


# --- Programs of a driver ---------------------------------------------------------------------------------------------


def program(case: Case, _document: Any) -> Verdict:
    """The recorded words keep the rules and, on the recorded inputs, give the recorded outputs; so do our words for
    the same GLSL."""
    words = [int(word, 16) for word in case["words"]]
    try:
        _check_texts({}, words)
        faults = validate(words, _STAGES[case["stage"]])
        _check(not faults, f"the hardware's rules: {[str(fault) for fault in faults]}")
        size = 4 * len(case["uniform_stream"])
        _check_driver(words, {"ok": case["kernel_validator"] == "OK", "uniforms_size": size})
        compiled = compile_case(case, _STAGES[case["stage"]]) if "glsl_vertex" in case else None
        if "vpm_out" in case or "tlb_writes" in case:
            _run_program(case, words, _uniforms(case["uniform_stream"]))
            if compiled is not None:
                _run_program(case, compiled.words, compiled.uniforms, compiled.rows)
    except _Wrong as error:
        return Failure(str(error))
    return None


def _run_program(
    case: Case, words: Sequence[int], uniforms: Sequence[Uniform], rows: Mapping[int, int] | None = None
) -> None:
    """Compare what words leave with the recorded outputs; `rows` are those of ours in the recorded numbers."""
    if case["stage"] == "fragment":
        inputs = Inputs(
            uniforms=uniforms,
            registers={"ra15": _words(case["w_ra15"]), "rb15": _words(case["z_rb15"])},
            varyings=[(_words(varying["interp"]), _words(varying["c"])) for varying in case["varyings"]],
            x_coord=case["x_coord"],
            y_coord=case["y_coord"],
        )
        _compare_tiles(simulate(words, inputs), case["tlb_writes"], _near_bytes(2))
        return
    given = {int(row): _words(values) for row, values in case["vpm_in"].items()}
    if rows is not None:
        given = {ours: given[recorded] for ours, recorded in rows.items() if recorded in given}
    result = simulate(words, Inputs(uniforms=uniforms, vpm=given))
    # The pixel position is packed in row 0 of a vertex shader, and after the clip position of a coordinate shader.
    position = 0 if case["stage"] == "vertex" else 4
    for row, values in enumerate(case["vpm_out"]):
        agrees = _near_halves(2) if row == position else _near_values(1e-3, 1e-5)
        _compare(result.vpm[row, 0], values, agrees, f"VPM row {row}")


# --- Comparing --------------------------------------------------------------------------------------------------------


def _compare(found: Array, wanted: Sequence[str] | str, agrees: Agrees, where: str) -> None:
    for lane, (value, text) in enumerate(zip(found, _lanes(wanted), strict=True)):
        _check(agrees(int(value), int(text, 16)), f"{where}, lane {lane}: {int(value):08x}, recorded {text}")


def _compare_tiles(result: Result, wanted: Sequence[Case], agrees: Agrees) -> None:
    _check(len(result.tlb) == len(wanted), f"{len(result.tlb)} tile writes, recorded {len(wanted)}")
    for number, (write, recorded) in enumerate(zip(result.tlb, wanted, strict=True)):
        where = f"tile write {number}"
        _check(write.waddr == recorded["waddr"], f"{where}: address {write.waddr}, recorded {recorded['waddr']}")
        for lane, text in enumerate(recorded["v"]):
            _check(write.lanes[0, lane] == (text is not None), f"{where}, lane {lane}: written or not")
            if text is not None:
                value = int(write.values[0, lane])
                _check(agrees(value, int(text, 16)), f"{where}, lane {lane}: {value:08x}, recorded {text}")


def _same(found: int, wanted: int) -> bool:
    return found == wanted


def _near_steps(steps: int) -> Agrees:
    """Floats at most so many representable numbers apart."""
    return lambda found, wanted: abs(_order(found) - _order(wanted)) <= steps


def _order(word: int) -> int:
    return -(word & 0x7FFFFFFF) if word >> 31 else word


def _near_values(relative: float, absolute: float) -> Agrees:
    return lambda found, wanted: abs(_float(found) - _float(wanted)) <= absolute + relative * abs(_float(wanted))


def _near_bytes(distance: int) -> Agrees:
    pack = struct.Struct("<I").pack
    return lambda found, wanted: all(abs(x - y) <= distance for x, y in zip(pack(found), pack(wanted), strict=True))


def _near_halves(distance: int) -> Agrees:
    """Both halves of the words, as signed integers, at most so far apart."""
    halves = struct.Struct("<hh").unpack
    return lambda found, wanted: all(
        abs(x - y) <= distance for x, y in zip(halves(_bytes(found)), halves(_bytes(wanted)), strict=True)
    )


def _bytes(word: int) -> bytes:
    return word.to_bytes(4, "little")


def _float(word: int) -> float:
    value: float = struct.unpack("<f", _bytes(word))[0]
    return value


def _register(result: Result, name: str) -> Array:
    number = int(name.lstrip("rab"))
    found: Array = result.accumulators[number, 0] if name[1].isdigit() else result.files["ab".index(name[1]), number, 0]
    return found


def _lanes(values: Sequence[str] | str) -> Sequence[str]:
    return [values] * 16 if isinstance(values, str) else values


def _words(values: Sequence[str] | str) -> Array:
    return np.array([int(text, 16) for text in _lanes(values)], np.uint32)


def _uniforms(values: Sequence[str]) -> list[Uniform]:
    """Words; the driver's mark for the address of the stream becomes a slot."""
    return [Slot("stream") if text == "BASE" else int(text, 16) for text in values]
