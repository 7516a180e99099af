"""Checks of recorded data about Xenos: single words, programs with their executions, and files.

The recorded text is Xenia's disassembly.  It says less than the words, so only our own text is assembled again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.xenos.isa import container
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.backends.xenos_family.isa.asm import assemble
from glslc_multi.backends.xenos_family.isa.container import SLOT_BYTES, slots_of, split
from glslc_multi.backends.xenos_family.isa.disasm import clause_text, disassemble_program, instruction_lines
from glslc_multi.backends.xenos_family.isa.program import Program, clauses_of
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.fields import from_words
from tests.backends.xenos.patch import patched
from tests.backends.xenos.vendor_text import write_clause, write_instruction, write_program
from tests.backends.xenos_family.lines import parse_clause, parse_instruction
from tests.golden.runner import Failure, Verdict

Record = Mapping[str, Any]

_STAGES: Mapping[str, Stage] = {"vertex": "vertex", "pixel": "fragment"}
_ALU_SOURCES = ("src1", "src2", "src3")
_TWO_COMPONENTS = 2


class _Wrong(Exception):
    """What differs."""


def _check(same: object, reason: str) -> None:
    if not same:
        raise _Wrong(reason)


def _same_text(ours: Sequence[str], recorded: Sequence[str]) -> None:
    _check(list(ours) == list(recorded), f"the text is {list(ours)}, recorded {list(recorded)}")


def _word(words: Sequence[str]) -> int:
    return from_words(int(word, 16) for word in words)


def _bytes(words: Sequence[str]) -> bytes:
    return b"".join(int(word, 16).to_bytes(4, "little") for word in words)


# --- Encodings --------------------------------------------------------------------------------------------------------


def encoding(case: Record, document: Any) -> Verdict:
    """Fields to words, words to both texts, and ours to words again; a slot of clauses or one instruction."""
    try:
        _clause_slot(case) if case["kind"] == "cf" else _instruction(case)
    except _Wrong as error:
        return Failure(str(error))
    return None


def _clause_slot(case: Record) -> None:
    stage = _STAGES[case["stage"]]
    pair = clauses_of(_word(case["words"]))
    for word, fields, text in zip(pair, case["fields"], case["text"], strict=True):
        values = {name: value for name, value in fields.items() if name != "op"}
        found = XENOS.encode_clause(fields["op"], **values)
        _check(found == word, f"{fields['op']} is {found:#014x}, recorded {word:#014x}")
        _same_text([write_clause(word, stage)], [text])
        ours = clause_text(XENOS, word)
        row, _ = XENOS.decode_clause(word)
        sequence = row.format.by_name["sequence"].mask if row.kind == "exec" else 0
        _check(parse_clause(XENOS, ours) in (word, word & ~sequence), f"'{ours}' is another clause")


def _instruction(case: Record) -> None:
    word, is_fetch = _word(case["words"]), case["kind"] != "alu"
    found = _encode(case)
    _check(found == word, f"the word is {found:#026x}, recorded {word:#026x}")
    lines = write_instruction(word, is_fetch, bool(case["sync"]), _STAGES[case["stage"]])
    _same_text(list(lines), case["text"])
    ours = instruction_lines(XENOS, word, is_fetch)
    _check(parse_instruction(XENOS, ours, is_fetch, False) == word, f"{ours} is another instruction")


def _encode(case: Record) -> int:
    fields = dict(case["fields"])
    if case["kind"] == "alu":
        return _encode_alu(fields)
    if case["kind"] == "vtx":
        return XENOS.encode_fetch("VERTEX", **{"dst_swizzle": 0x688, **fields})
    for name in ("off_x", "off_y", "off_z"):
        fields[name] = fields.get(name, 0) & 0x1F
    fields["lod_bias"] = fields.get("lod_bias", 0) & 0x7F
    row = next(row for row in XENOS.fetches if row.code == fields["opcode"])
    return row.format.encode({"src_swizzle": 0x24, "dst_swizzle": 0x688, **fields})


def _encode_alu(fields: dict[str, Any]) -> int:
    """Recorded fields, in which what is not said is as the vendor's assembler has it."""
    vector = fields.pop("vector_op", None)
    scalar = fields.pop("scalar_op", None)
    plain = {name: value for name, value in fields.items() if name not in _ALU_SOURCES}
    if vector is not None:
        plain["vector_op"] = instructions.VECTOR_BY_NAME[vector].code
        if "src1" in fields:
            fields.setdefault("src2", fields["src1"])
    if scalar is not None:
        plain["scalar_op"] = instructions.SCALAR_BY_NAME[scalar].code
    for source in _ALU_SOURCES:
        if source in fields:
            plain |= _source(source, fields[source])
    return XENOS.encode_alu(**plain)


def _source(name: str, found: Mapping[str, Any]) -> dict[str, int]:
    if found.get("const_op"):
        register = found["gpr"]
        a, b = "xyzw".index(found["a"]) + 1 & 3, "xyzw".index(found["b"])
        swizzle = a << 6 | register & 0x3C | b
        return {name: found["num"], f"{name}_bank": register >> 1 & 1, f"{name}_swizzle": swizzle,
                f"{name}_negate": found["negate"]}  # fmt: skip
    is_register = int(found["bank"] == "R")
    byte = found["num"] | (found.get("rel", 0) << 6 | found.get("abs", 0) << 7 if is_register else 0)
    return {name: byte, f"{name}_bank": is_register, f"{name}_swizzle": found["swizzle"],
            f"{name}_negate": found["negate"]}  # fmt: skip


# --- Programs ---------------------------------------------------------------------------------------------------------


def program(case: Record, document: Any) -> Verdict:
    """Words to both texts and back, and the recorded executions."""
    try:
        found = split(XENOS, slots_of(_bytes(case["words"])))
        _check_texts(found, case)
        for number, execution in enumerate(case["cases"]):
            _execution(found, execution, case["stage"], case["exact"], f"case {number}")
    except _Wrong as error:
        return Failure(str(error))
    return None


def _check_texts(found: Program, case: Record) -> None:
    _same_text(list(write_program(found, _STAGES[case["stage"]])), [line for line in case["text"] if line])
    text = disassemble_program(found, DiagnosticSink())
    again = assemble(XENOS, text, "recorded", DiagnosticSink())
    _check(_code(again) == _code(found), f"our text is another program:\n{text}")


def _code(program: Program) -> tuple[int, ...]:
    """The slots but for those of zeros at the end, which the assembler adds."""
    return program.slots[: len(program.slots) - len(program.idle_slots())]


def _execution(program: Program, case: Record, stage: str, exact: bool, where: str) -> None:
    window = case.get("ps_const_window", 256) if stage == "pixel" else 256
    inputs = Inputs(
        constants={int(n): _floats(values) for n, values in case.get("consts", {}).items() if int(n) < window},
        registers={int(number): _floats(values).reshape(4, 1) for number, values in case.get("regs", {}).items()},
        bools={int(number): int(word, 16) for number, word in case.get("bools", {}).items()},
        loops={int(number): int(word, 16) for number, word in case.get("loops", {}).items()},
        buffers={row["slot"]: _memory(row) for row in case.get("vertex_buffers", ())},
    )
    result = simulate(program, inputs)
    exports = [(one.number, one.mask, one.values[:, 0]) for one in result.exports if one.lanes[0]]
    recorded = [(row["reg"], row["mask"], _floats(row["value"])) for row in case["exports"]]
    names = [(number, mask) for number, mask, _ in exports]
    wanted = [(number, mask) for number, mask, _ in recorded]
    _check(names == wanted, f"{where}: exports and masks {names}, recorded {wanted}")
    for (number, mask, ours), (_, _, theirs) in zip(exports, recorded, strict=True):
        written = [component for component in range(4) if mask >> component & 1]
        _check_numbers(ours[written], theirs[written], exact, f"{where}: export {number}")
    _check(bool(result.killed[0]) == bool(case.get("killed", 0)), f"{where}: killed is {result.killed[0]}")
    for number, values in case.get("regs_out", {}).items():
        _check_numbers(result.registers[int(number), :, 0], _floats(values), exact, f"{where}: register {number}")


#: Bytes that the chip takes together for each kind of order.
_ORDERS = {0: 1, 1: 2, 2: 4}


def _memory(row: Record) -> bytes:
    """The bytes of a buffer as the machine sees its dwords, whatever their order in memory."""
    words = np.array([int(word, 16) for word in row["dwords"]], "<u4")
    if row["endian"] == 3:
        return (words << 16 | words >> 16).astype("<u4").tobytes()
    size = _ORDERS[row["endian"]]
    return words.view(f"<u{size}").byteswap().tobytes() if size > 1 else words.tobytes()


def _floats(values: Sequence[str]) -> np.ndarray:
    return np.array([int(value, 16) for value in values], np.uint32).view(np.float32)


def _check_numbers(ours: np.ndarray, recorded: np.ndarray, exact: bool, where: str) -> None:
    if exact:
        same = (ours.view(np.uint32) == recorded.view(np.uint32)) | (np.isnan(ours) & np.isnan(recorded))
    else:
        with np.errstate(all="ignore"):
            same = np.isclose(ours, recorded, rtol=1e-5, atol=1e-6, equal_nan=True)
    _check(same.all(), f"{where}: {ours.tolist()}, recorded {recorded.tolist()}")


# --- Files ------------------------------------------------------------------------------------------------------------


def file(case: Record, document: Any) -> Verdict:
    """A structure to a file and back; what libxenon makes of it, and what that computes."""
    structure, data = case["structure"], bytes.fromhex(case["bytes"])
    try:
        found = _file(structure)
        _check(container.write(found) == data, "other bytes than recorded")
        _check(container.read(data) == found, f"it reads as {container.read(data)}")
        program = split(XENOS, slots_of(found.code))
        if "format" in case:
            patches = patched(program, found.elements, [tuple(row) for row in case["format"]])
            words = [f"{word >> 32 * part & 0xFFFFFFFF:08x}" for word in patches.slots for part in range(3)]
            _check(words == case["libxenon"]["patched"], "libxenon patches it otherwise")
            program = patches
        for number, execution in enumerate(case.get("cases", ())):
            _execution(program, execution, structure["stage"], True, f"case {number}")
    except _Wrong as error:
        return Failure(str(error))
    return None


def _file(structure: Record) -> container.File:
    stage = _STAGES[structure["stage"]]
    count = structure["n_interp_regs"]
    return container.File(
        stage,
        _bytes(structure["words"]),
        int(structure["program_control"], 16),
        int(structure["context_misc"], 16),
        count | count << 5 | structure["n_interp_components"] << 10,
        tuple(
            container.Element(row["slot"], row["usage"], row["usage_index"], row["top"])
            for row in structure.get("vertex_elements", ())
        ),
        tuple(
            container.Interpolator(
                row["usage"], row["usage_index"], row["register"], row["mask"], row.get("first_export") or 0
            )
            for row in structure["interpolators"]
        ),
        tuple(structure.get("export_list", ())),
        structure.get("interp_cntl", 0),
        structure.get("outputs", 0),
        tuple(
            (row["register"], tuple(int(word, 16) for vector in row["values"] for word in vector))
            for row in structure["float_literals"]
        ),
        tuple((row["register"], tuple(int(word, 16) for word in row["values"])) for row in structure["int_literals"]),
    )


def vendor(case: Record, document: Any) -> Verdict:
    """A file of the vendor's compiler: its words, both texts, and our text to the same words again."""
    data = bytes.fromhex(case["file_bytes"])
    found = container.read(data)
    try:
        _check(found.program_control == int(case["program_control"], 16), "another SQ_PROGRAM_CNTL")
        _check(found.context_misc == int(case["context_misc"], 16), "another SQ_CONTEXT_MISC")
        _check(found.code == _bytes(case["words"]), "other words")
        program = split(XENOS, slots_of(found.code))
        _check_texts(program, case)
        again = assemble(XENOS, disassemble_program(program, DiagnosticSink()), "recorded", DiagnosticSink())
        code = b"".join(slot.to_bytes(SLOT_BYTES, "little") for slot in again.slots)
        _check(code == found.code, "the text does not give the same words again")
    except _Wrong as error:
        return Failure(str(error))
    return None
