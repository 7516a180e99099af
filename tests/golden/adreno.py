"""Checks of recorded data about the Adreno A2xx: single words, and programs with their executions.

The recorded text is the driver's disassembly with blanks collapsed.  Where it hides something (`text-lossy`,
`asm_exact` false) it is compared, but not assembled; our own text of the same words always is.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.adreno.isa.asm import assemble
from glslc_multi.backends.adreno.isa.container import pack, unpack
from glslc_multi.backends.adreno.isa.disasm import disassemble, disassemble_program
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.backends.xenos_family.isa.disasm import clause_text, instruction_lines
from glslc_multi.backends.xenos_family.isa.program import Program, clauses_of
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.backends.xenos_family.isa.validate import validate
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.fields import from_words
from tests.backends.xenos_family.lines import parse_clause, parse_instruction
from tests.golden.adreno_glsl import compare_with_glsl
from tests.golden.runner import Failure, Verdict

Record = Mapping[str, Any]

_LOSSY = "text-lossy"
#: Rules that recorded programs break on purpose, to show what the machine does then.
_ON_PURPOSE = ("write-conflict", "kill-in-vertex", "missing-output")
_ALU_SOURCES = ("src1", "src2", "src3")


class _Wrong(Exception):
    """What differs."""


def _check(same: object, reason: str) -> None:
    if not same:
        raise _Wrong(reason)


def encoding(case: Record, document: Any) -> Verdict:
    """Fields to words, words to text, and the text to words again; a slot of clauses or one instruction."""
    try:
        _clause_slot(case) if case["kind"] == "cf" else _instruction(case)
    except _Wrong as error:
        return Failure(str(error))
    return None


# --- Encodings --------------------------------------------------------------------------------------------------------


def _clause_slot(case: Record) -> None:
    pair = clauses_of(_word(case["words"]))
    for word, fields, text in zip(pair, case["fields"], case["text"], strict=True):
        found = A2XX.encode_clause(fields["op"], **{name: value for name, value in fields.items() if name != "op"})
        _check(found == word, f"{fields['op']} is {found:#014x}, recorded {word:#014x}")
        _check_lines([clause_text(A2XX, word, reference=True)], [text])
        if _LOSSY not in case["tags"]:
            _check(parse_clause(A2XX, text) == word, f"'{text}' is another clause")
        ours = clause_text(A2XX, word)
        sequence = A2XX.formats.exec.by_name["sequence"].mask if "sequence" in fields else 0
        _check(parse_clause(A2XX, ours) in (word, word & ~sequence), f"'{ours}' is another clause")


def _instruction(case: Record) -> None:
    word = _word(case["words"])
    found = _encode(case)
    _check(found == word, f"the word is {found:#026x}, recorded {word:#026x}")
    is_fetch = case["kind"] != "alu"
    first = bool(case["fields"].get("first"))
    lines = instruction_lines(A2XX, word, is_fetch, first=first, stage=case["stage"], reference=True)
    prefix = ("(S)" if case["sync"] else "") + ("FETCH: " if is_fetch else "ALU: ")
    _check_lines([prefix + lines[0], *lines[1:]], case["text"])
    if _LOSSY not in case["tags"]:
        recorded = [case["text"][0].removeprefix(prefix), *case["text"][1:]]
        _check(parse_instruction(A2XX, recorded, is_fetch, first) == word, "the recorded text is another instruction")
    ours = instruction_lines(A2XX, word, is_fetch, first=first)
    _check(parse_instruction(A2XX, ours, is_fetch, first) == word, f"{ours} is another instruction")


def _encode(case: Record) -> int:
    fields = dict(case["fields"])
    if case["kind"] == "alu":
        return _encode_alu(fields)
    if case["kind"] == "vtx":
        first = fields.pop("first")
        fields["reserved0"], fields["reserved3"] = (3, 0) if first else (2, 1)
        # Recorded as six plain bits.
        adjust = fields.pop("exp_adjust", 0)
        fields["exp_adjust"] = adjust - 64 if adjust > 31 else adjust
        return A2XX.formats.vertex.encode({"opcode": A2XX.fetch_by_name["VERTEX"].code, **fields})
    return A2XX.formats.texture.encode({"opcode": A2XX.fetch_by_name["SAMPLE"].code, **fields})


def _encode_alu(fields: dict[str, Any]) -> int:
    for half, table in (("vector_op", instructions.VECTOR_BY_NAME), ("scalar_op", instructions.SCALAR_BY_NAME)):
        if half in fields:
            fields[half] = table[fields[half]].code
    for source in _ALU_SOURCES:
        found = fields.pop(source, None)
        if found is None:
            continue
        is_register = int(found["bank"] == "R")
        fields[source] = found["num"] | found.get("abs", 0) << 7
        fields[f"{source}_bank"] = is_register
        fields[f"{source}_swizzle"], fields[f"{source}_negate"] = found["swizzle"], found["negate"]
    return A2XX.encode_alu(**fields)


# --- Helpers ----------------------------------------------------------------------------------------------------------


def _word(words: Sequence[str]) -> int:
    return from_words(int(word, 16) for word in words)


def _check_lines(ours: Sequence[str], recorded: Sequence[str]) -> None:
    collapsed = [" ".join(line.split()) for line in ours]
    _check(collapsed == list(recorded), f"the text is {collapsed}, recorded {list(recorded)}")


# --- Programs ---------------------------------------------------------------------------------------------------------


def program(case: Record, document: Any) -> Verdict:
    """Words to text and back, the hardware rules, and the recorded executions."""
    try:
        found = unpack(b"".join(int(word, 16).to_bytes(4, "little") for word in case["words"]))
        _check_texts(case, found)
        _check_rules(case, found)
        for number, execution in enumerate(case["cases"]):
            _execution(found, execution, case["exact"], f"case {number}")
    except _Wrong as error:
        return Failure(str(error))
    if "glsl" in case:
        difference = compare_with_glsl(case)
        return Failure(f"our code of its GLSL: {difference}") if difference else None
    return None


def _check_texts(case: Record, found: Program) -> None:
    sink = DiagnosticSink()
    stage: Stage = case["stage"]
    compatible = disassemble_program(found, sink, stage=stage, reference=True)
    _check_lines(compatible.splitlines(), case["text"])
    if case["asm_exact"]:
        again = assemble("\n".join(case["text"]), "recorded", sink)
        _check(again == found, "the recorded text assembles to other words")
    ours = disassemble(pack(found), "recorded", sink, stage=stage)
    _check(assemble(ours, "ours", sink) == found, "our text assembles to other words")


def _check_rules(case: Record, found: Program) -> None:
    faults = [fault for fault in validate(found, case["stage"]) if fault.rule not in _ON_PURPOSE]
    _check(not faults, f"the validator objects: {faults[:1]}")


def _execution(found: Program, case: Record, exact: bool, where: str) -> None:
    inputs = Inputs(
        constants=_floats_by_number(case.get("consts", {})),
        registers=_floats_by_number(case.get("regs", {})),
        bools={int(index): int(bits, 16) for index, bits in case.get("bools", {}).items()},
        loops={int(index): int(bits, 16) for index, bits in case.get("loops", {}).items()},
        buffers={buffer["slot"]: _bytes(buffer["dwords"]) for buffer in case.get("vertex_buffers", [])},
    )
    result = simulate(found, inputs)
    _check(len(result.exports) == len(case["exports"]), f"{where}: {len(result.exports)} exports")
    for export, recorded in zip(result.exports, case["exports"], strict=True):
        _check(export.number == recorded["reg"], f"{where}: export {export.number}, recorded {recorded['reg']}")
        _check(export.mask == recorded["mask"], f"{where}: export {export.number} has mask {export.mask}")
        _compare(export.values, recorded["value"], export.mask, exact, f"{where}: export {export.number}")
    for number, values in case.get("regs_out", {}).items():
        _compare(result.registers[int(number)], values, 0xF, exact, f"{where}: R{number}")


def _compare(found: Any, recorded: Sequence[str], mask: int, exact: bool, where: str) -> None:
    for component, bits in enumerate(recorded):
        if not mask >> component & 1:
            continue
        value, wanted = found[component, 0], _float(bits)
        same = _same_bits(value, bits) if exact else _is_near(float(value), wanted)
        _check(same, f"{where}.{instructions.COMPONENTS[component]} is {value!r}, recorded {wanted!r}")


def _same_bits(value: np.float32, bits: str) -> bool:
    return bool(value.view(np.uint32) == int(bits, 16)) or (math.isnan(value) and math.isnan(_float(bits)))


def _is_near(value: float, wanted: float) -> bool:
    """As the data's README says, for programs with functions that the host computes."""
    if math.isnan(wanted) or math.isinf(wanted):
        return value == wanted or (math.isnan(value) and math.isnan(wanted))
    return math.isclose(value, wanted, rel_tol=1e-5, abs_tol=1e-6)


def _float(bits: str) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", int(bits, 16)))[0]
    return value


def _floats_by_number(values: Record) -> dict[int, Any]:
    return {
        int(number): np.array([int(bits, 16) for bits in vector], np.uint32).view(np.float32)
        for number, vector in values.items()
    }


def _bytes(dwords: Sequence[str]) -> bytes:
    return b"".join(int(dword, 16).to_bytes(4, "little") for dword in dwords)
