"""A VC4 word in the spelling of Mesa's disassembler, written from our decoding: the form in which both are compared.

Mnemonics, names and the order are Mesa's; what they stand for is taken from `decode`.  Where the text is silent,
nothing is compared: the register that a branch adds and the registers that it links, the mode and flags of a load, a
rotation by r5; and writes of `rev_flag`, `r5rep` and `unif_addr_rel`, which have the names of the other file there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B, Alu, Branch, Half, Load, decode
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import ROTATE_BY_R5, BranchCondition, Condition, Signal
from glslc_multi.backends.vc4.isa.packing import MUL_PACKS, PACKS, UNPACKS
from glslc_multi.backends.vc4.isa.registers import READ_NAMES, WRITE_NAMES

_R4, _R5 = 4, 5
_SIGNALS: Mapping[int, str] = {
    Signal.BKPT: "sig_brk",
    Signal.THRSW: "sig_switch",
    Signal.THREND: "sig_end",
    Signal.SBWAIT: "sig_wait_score",
    Signal.SBDONE: "sig_unlock_score",
    Signal.LTHRSW: "sig_thread_switch",
    Signal.LOADCV: "sig_coverage_load",
    Signal.LOADC: "sig_color_load",
    Signal.LDCEND: "sig_color_load_end",
    Signal.LDTMU0: "load_tmu0",
    Signal.LDTMU1: "load_tmu1",
    Signal.LOADAM: "sig_alpha_mask_load",
    Signal.SMALL_IMMEDIATE: "sig_small_imm",
}
#: Our suffixes of flags -> Mesa's: set or clear.
_FLAGS: Mapping[str, str] = {"Z": "zs", "NZ": "zc", "N": "ns", "NN": "nc", "C": "cs", "CC": "cc", "NC": "cc"}
_READS: Mapping[str, str] = {
    "unif": "uni",
    "elem_num": "elem",
    "qpu_num": "qpu",
    "x_coord": "x_pix",
    "y_coord": "y_pix",
    "ms_mask": "ms_flags",
    "vpm": "vpm_read",
    "vr_busy": "vpm_ld_busy",
    "vw_busy": "vpm_st_busy",
    "vr_wait": "vpm_ld_wait",
    "vw_wait": "vpm_st_wait",
    "mutex": "mutex_acq",
}
_WRITES: Mapping[str, str] = {
    "r5quad": "r5",
    "r5rep": "r5",
    "irq": "host_int",
    "-": "nop",
    "unif_addr": "uniforms_addr",
    "unif_addr_rel": "uniforms_addr",
    "x_coord": "quad_x",
    "y_coord": "quad_y",
    "ms_mask": "ms_flags",
    "rev_flag": "ms_flags",
    "stencil": "tlb_stencil_setup",
    "tlbz": "tlb_z",
    "tlbm": "tlb_color_ms",
    "tlbc": "tlb_color_all",
    "mutex": "mutex_release",
    "recip": "sfu_recip",
    "recipsqrt": "sfu_recipsqrt",
    "exp": "sfu_exp",
    "log": "sfu_log",
    **{f"t{tmu}{letter}": f"tmu{tmu}_{letter}" for tmu in (0, 1) for letter in "strb"},
}
_UNKNOWN = "???"
#: A load's immediate once more, as a float.
_AS_FLOAT = re.compile(r" \([^)]*\)$")


def normal(line: str) -> str:
    """Mesa's line without what it says twice."""
    return _AS_FLOAT.sub("", line.rstrip())


def line_of(word: int) -> str:
    """What Mesa should print for a word."""
    instruction = decode(word)
    if isinstance(instruction, Branch):
        return f"branch{_branch_condition(instruction.cond)} {instruction.immediate}"
    if isinstance(instruction, Load):
        destinations = [_load_destination(instruction, is_mul) for is_mul in (False, True)]
        return f"load_imm {', '.join(destinations)}, 0x{instruction.immediate:08x}"
    signal = "" if instruction.signal == Signal.NONE else f"{_SIGNALS[instruction.signal]} "
    return f"{signal}{_operation(instruction, is_mul=False)} ; {_operation(instruction, is_mul=True)}"


def _branch_condition(code: int) -> str:
    if code == BranchCondition.ALWAYS:
        return ""
    name = BranchCondition(code).name
    return f".{name[:3].lower()}_{_FLAGS[name[3:]]}"


def _condition(code: int) -> str:
    if code == Condition.ALWAYS:
        return ""
    return ".never" if code == Condition.NEVER else f".{_FLAGS[Condition(code).name]}"


def _load_destination(load: Load, is_mul: bool) -> str:
    half = load.mul if is_mul else load.add
    return _destination(load, half, is_mul) + ("" if half.waddr == NOWHERE else _condition(half.cond))


def _operation(alu: Alu, *, is_mul: bool) -> str:
    """One half; sources are printed, whether the operation reads them or not."""
    half, row = (alu.mul if is_mul else alu.add), alu.operations[is_mul]
    name = _UNKNOWN if row is None else row.name
    sources = [_source(alu, half.a, is_mul), _source(alu, half.b, is_mul)]
    if name == ("v8min" if is_mul else "or") and half.a == half.b:
        name, sources = "mov", sources[:1]
    sets_flags = bool(alu.sf) and (not alu.add.op if is_mul else bool(half.op))
    suffixes = (".sf" if sets_flags else "") + (_condition(half.cond) if half.op else "")
    return f"{name}{suffixes} {', '.join([_destination(alu, half, is_mul), *sources])}"


def _destination(instruction: Alu | Load, half: Half, is_mul: bool) -> str:
    is_a = is_mul == bool(instruction.ws)
    file = "A" if is_a else "B"
    ours = WRITE_NAMES.get((file, half.waddr), "")
    # tlb_alpha_mask and r4 as a destination have no name there.
    has_name = ours and ours != "tlbam"
    name = _WRITES.get(ours, ours) if has_name else f"{file.lower()}{half.waddr}?"
    return name + _pack(instruction, is_a, is_mul)


def _pack(instruction: Alu | Load, is_a: bool, is_mul: bool) -> str:
    code = instruction.pack
    if not code or (not is_mul if instruction.pm else not is_a):
        return ""
    if instruction.pm:
        return f".{MUL_PACKS[code].name}" if code in MUL_PACKS else _UNKNOWN
    pack = PACKS[code]
    whole = "" if pack.width == 32 else f".{pack.name}"
    return whole + (".sat" if pack.saturates else "")


def _source(alu: Alu, mux: int, is_mul: bool) -> str:
    if mux <= _R5:
        rotation = alu.raddr_b - ROTATE_BY_R5 if alu.has_small_immediate and is_mul else 0
        name = f"r{mux}" + (f"+{rotation}" if rotation > 0 else "")
    elif mux == FILE_B and alu.has_small_immediate:
        name = _constant(alu.raddr_b)
    else:
        file, number = ("A", alu.raddr_a) if mux == FILE_A else ("B", alu.raddr_b)
        ours = READ_NAMES.get((file, number), _UNKNOWN)
        name = _READS.get(ours, ours)
    is_unpacked = alu.unpack and mux == (_R4 if alu.pm else FILE_A)
    return name + (f".{UNPACKS[alu.unpack].name.replace('8dr', '8d_rep')}" if is_unpacked else "")


def _constant(code: int) -> str:
    """A small immediate: integers, then powers of two."""
    if code < 32:
        return str(code if code < 16 else code - 32)
    if code < ROTATE_BY_R5:
        return f"{2.0 ** (code - 32):.1f}" if code < 40 else f"{2.0 ** (code - 48):.6f}"
    return f"<bad imm {code}>"
