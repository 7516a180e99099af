"""Resource masks: what an instruction needs of a word, wherever its values are.

A word takes one or two instructions of the ALUs, and one that is only a signal.  What an instruction occupies (a half,
the signal, the flags, one of the peripherals) is a mask of bits; two instructions conflict, and cannot share a word,
where the mask of one meets the conflict mask of the other.  What it needs of the ports depends on its registers: see
`ports.py`, whose masks begin above those of this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from glslc_multi.backends.vc4.codegen.machine_ops import (
    FLAGS,
    IMM,
    IN_B,
    LOAD_IMMEDIATE,
    OUT,
    PORT,
    R4,
    RESET,
    condition_of,
)
from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.instructions import ADD, MUL, Condition, Signal
from glslc_multi.compiler.codegen.machine import Def, Literal32, MachineInstruction, Uniform, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register

(
    ADD_HALF, MUL_HALF, ANY_HALF, FULL, ALONE, SIGNAL, IMMEDIATE, SETS_FLAGS, PACKS, PACKS_A, UNPACKS,
    SPECIAL, TILE, STREAM, PARAMETER, DIRECT, VARYING, VPM_SETUP, VPM_DATA,
) = (1 << number for number in range(19))  # fmt: skip
#: r4 as each of the modes of unpacking reads it.
R4_FIRST, R4_MODES = 1 << 19, 8
R4_ANY = (R4_FIRST << R4_MODES) - R4_FIRST
_EVERYTHING = (R4_FIRST << R4_MODES) - 1
#: The first bit that `ports.py` has.
FIRST_PORT_BIT = R4_MODES + 19
HALVES = ADD_HALF | MUL_HALF | ANY_HALF
#: What the last three words of a program may not do.
NOT_AT_END = STREAM | PARAMETER | VARYING | VPM_SETUP | VPM_DATA

#: Resource -> the resources of other instructions that it conflicts with.  The table is symmetric but for halves.
_CONFLICTS: Mapping[int, int] = {
    ADD_HALF: ADD_HALF | FULL,
    MUL_HALF: MUL_HALF | FULL,
    ANY_HALF: FULL,
    FULL: HALVES,
    ALONE: _EVERYTHING,
    SIGNAL: SIGNAL | IMMEDIATE,
    IMMEDIATE: SIGNAL | DIRECT,
    SETS_FLAGS: SETS_FLAGS | PACKS,
    PACKS: PACKS | SETS_FLAGS,
    PACKS_A: UNPACKS,
    UNPACKS: PACKS_A,
    SPECIAL: SPECIAL,
    STREAM: PARAMETER,
    PARAMETER: STREAM | PARAMETER,
    DIRECT: IMMEDIATE,
    VPM_SETUP: VPM_SETUP | VPM_DATA,
    VPM_DATA: VPM_SETUP,
}
#: Operands that are words of the uniform stream.
STREAM_WORDS = (Uniform, Literal32)
#: Destinations of an ADD that takes its second operand from the stream: the driver accepts no other form.
_EXACT = tuple(OUT[number] for number in (*registers.TMU_S, registers.UNIFORM_ADDRESS))


class Resources(NamedTuple):
    """What an instruction needs of a word."""

    instruction: MachineInstruction
    mask: int
    #: What it cannot share a word with.
    conflicts: int
    condition: Condition
    #: By how many lanes MUL rotates its operands, where it does.
    rotation: int | None


def resources_of(instruction: MachineInstruction) -> Resources:
    """The resources of an instruction, whose operands may still be virtual registers."""
    attributes = instruction.attributes
    if attributes:
        mask = _mask_of_attributes(instruction)
    else:
        mask = _half_of(instruction.op.name, None, FLAGS in instruction.op.writes)
    for use in instruction.uses:
        mask |= _mask_of_source(use)
    for definition in instruction.defs:
        mask |= _mask_of_target(definition)
    return Resources(instruction, mask, _conflicts_of(mask), condition_of(instruction), attributes.get("rotate"))


@lru_cache(maxsize=1024)
def _conflicts_of(mask: int) -> int:
    conflicts = ALONE
    for resource, excluded in _CONFLICTS.items():
        if mask & resource:
            conflicts |= excluded
    return conflicts | R4_ANY & ~mask if mask & R4_ANY else conflicts


def _mask_of_attributes(instruction: MachineInstruction) -> int:
    """What is needed whatever the operands are."""
    attributes = instruction.attributes
    signal = attributes.get("signal")
    if instruction.op is LOAD_IMMEDIATE:
        mask = ALONE
    elif instruction.op is RESET:
        # Older drivers take it with no other operation beside it.
        mask = ALONE | ADD_HALF
    elif signal is not None:
        mask = SIGNAL | (SPECIAL if any(d.register == R4 for d in instruction.defs) else 0)
        mask |= TILE if signal == Signal.LOADC else 0
    else:
        mask = _half_of(instruction.op.name, attributes.get("half"), FLAGS in instruction.op.writes)
    if "slots" in attributes:
        mask |= PARAMETER
    if "pack" in attributes:
        mask |= PACKS if attributes["pack"][0] else PACKS | PACKS_A
    if "rotate" in attributes:
        mask |= IMMEDIATE
    if "waddr" in attributes:
        mask |= SPECIAL
    if attributes.get("half") == "add" and any(d.register in _EXACT for d in instruction.defs):
        mask |= DIRECT
    return mask


@cache
def _half_of(name: str, half: str | None, sets_flags: bool) -> int:
    """The half that does an operation; `half` allows only one of them."""
    if name == "nop":
        return 0
    by_add = name in ADD or name == "mov" if half is None else half == "add"
    by_mul = name in MUL or name == "mov" if half is None else half == "mul"
    if sets_flags:
        # Flags are those of ADD, unless it does nothing.
        return SETS_FLAGS | (ADD_HALF if by_add else MUL_HALF | FULL)
    return ANY_HALF if by_add and by_mul else ADD_HALF if by_add else MUL_HALF


def _mask_of_source(use: Use) -> int:
    source = use.register
    if isinstance(source, VirtualRegister):
        return 0
    if isinstance(source, STREAM_WORDS):
        return STREAM
    if source == R4:
        return R4_FIRST << (use.extra or 0) | (UNPACKS if use.extra else 0)
    assert isinstance(source, Register)
    if source.file is PORT:
        return {registers.VARYING_READ: VARYING, registers.VPM: VPM_DATA}.get(source.index, 0)
    return IMMEDIATE if source.file is IMM else 0


def _mask_of_target(definition: Def) -> int:
    target = definition.register
    if not isinstance(target, Register) or target.file is not OUT:
        return 0
    number = target.index % IN_B
    if number in registers.TLB:
        return SPECIAL | (TILE if number in registers.TLB_LOCKING else 0)
    if number in registers.TMU:
        return SPECIAL
    return {registers.VPM: VPM_DATA, registers.VPM_SETUP: VPM_SETUP}.get(number, 0)
