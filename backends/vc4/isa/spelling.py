"""The text of one word.

The text says what the word does; bits that no text expresses (unused fields that differ from the canonical encoding)
are found by assembling it again, which `disasm.py` does.
"""

from __future__ import annotations

import struct

from backends.vc4.isa.encoding import FILE_A, FILE_B, Alu, Branch, Half, Instruction, Load
from backends.vc4.isa.formats import NOWHERE
from backends.vc4.isa.instructions import (
    LANES,
    ROTATE_BY_R5,
    SIGNALS,
    BranchCondition,
    Condition,
    LoadMode,
    Operation,
    Signal,
    small_immediate,
)
from backends.vc4.isa.packing import PACKS, UNPACKS
from backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES, READ_NAMES, WRITE_NAMES

_FILES = "AB"
_R4 = 4
#: Of pm = 1, by code: vc4asm's suffixes and two kinds of our own.
_MUL_PACK_NAMES = {
    3: "8888f",
    11: "8888sf",
    **{4 + index: f"8{letter}sf" for index, letter in enumerate("abcd")},
    **{12 + index: f"8{letter}f" for index, letter in enumerate("abcd")},
}


def spell(instruction: Instruction) -> str:
    """The text of an instruction."""
    if isinstance(instruction, Branch):
        return _branch(instruction)
    return _load(instruction) if isinstance(instruction, Load) else _alu(instruction)


def _alu(alu: Alu) -> str:
    add, mul = alu.operations
    parts = []
    if add is not None and (add.code or alu.add.writes):
        parts.append(_half(alu, 0, alu.add, add))
    if mul is not None and (mul.code or alu.mul.writes):
        parts += [] if parts else ["nop"]
        parts.append(_half(alu, 1, alu.mul, mul))
    parts += _reads(alu)
    if alu.signal in SIGNALS:
        parts.append(Signal(alu.signal).name.lower())
    return "; ".join(parts or ["nop"])


def _half(alu: Alu, index: int, half: Half, row: Operation) -> str:
    name = row.name if row.name not in ("nop", "v8adds", "v8subs") else "am"[index] + row.name
    sets_flags = alu.sf and index == (0 if alu.add.op else 1)
    pack, on_mnemonic = _pack(alu, index, half, row.gives_float)
    name += ".setf" if sets_flags else ""
    name += _condition(half) + (f".pack{pack}" if pack and on_mnemonic else "")
    destination = _destination(half, index, alu.ws) + (f".{pack}" if pack and not on_mnemonic else "")
    destination += _rotation(alu) if index and alu.rotates and alu.raddr_b != ROTATE_BY_R5 else ""
    sources = [_source(alu, operand, row, index) for operand in (half.a, half.b)[: row.operands]]
    return f"{name} {', '.join((destination, *sources))}"


def _condition(half: Half) -> str:
    if half.cond == Condition.ALWAYS or (half.waddr == NOWHERE and half.cond == Condition.NEVER):
        return ""
    name = Condition(half.cond).name.lower()
    return f".{name}" if half.cond == Condition.NEVER else f".if{name}"


def _destination(half: Half, index: int, ws: int) -> str:
    file = _FILES[index ^ ws]
    return WRITE_NAMES.get((file, half.waddr), f"r{file.lower()}{half.waddr}")


def _pack(instruction: Alu | Load, index: int, half: Half, is_float: bool) -> tuple[str, bool]:
    """The pack suffix, and whether it must stand at the mnemonic."""
    code = instruction.pack
    carrier, on_mnemonic = _pack_carrier(instruction)
    if not code or index != carrier:
        return "", False
    if instruction.pm:
        return _MUL_PACK_NAMES.get(code, ""), False
    mode = PACKS[code]
    text = mode.name + ("s" if mode.saturates else "")
    if is_float and mode.width == 16 and not mode.saturates:
        text += "f"
    elif on_mnemonic and not is_float and mode.width == 16:
        # Without it vc4asm takes `.pack16bs` for another mode.
        text += "i"
    return text, on_mnemonic


def _pack_carrier(instruction: Alu | Load) -> tuple[int, bool]:
    """The half that packs, and whether its destination does not show it."""
    halves = (instruction.add, instruction.mul)
    if instruction.pm:
        return 1, False
    for index, half in enumerate(halves):
        if index == instruction.ws and half.writes and half.waddr < FILE_SIZE:
            return index, False
    is_idle = isinstance(instruction, Alu) and not instruction.add.op and not instruction.add.writes
    return int(is_idle), True


def _source(alu: Alu, operand: int, row: Operation, index: int) -> str:
    rotation = " << r5" if index and alu.rotates and alu.raddr_b == ROTATE_BY_R5 else ""
    if operand < FILE_A:
        unpack = _unpack(alu, row) if operand == _R4 and alu.pm else ""
        return f"r{operand}{unpack}{rotation}"
    if operand == FILE_B and alu.has_small_immediate:
        return _number(small_immediate(alu.raddr_b))
    if operand == FILE_B:
        return _name_in_b(alu) + rotation
    unpack = _unpack(alu, row) if operand == FILE_A and not alu.pm else ""
    return _read_name("A", alu.raddr_a) + unpack + rotation


def _name_in_b(alu: Alu) -> str:
    """What port B reads.  Where the assembler would read a register through A, the number tells that it is not."""
    number = alu.raddr_b
    if (
        number >= FILE_SIZE
        and alu.raddr_a in (NOWHERE, number)
        and READ_ADDRESSES[_read_name("B", number)].files == "AB"
    ):
        return f"rb{number}"
    return _read_name("B", number)


def _read_name(file: str, number: int) -> str:
    return READ_NAMES.get((file, number), f"r{file.lower()}{number}")


def _unpack(alu: Alu, row: Operation) -> str:
    if not alu.unpack:
        return ""
    mode = UNPACKS[alu.unpack]
    return f".{mode.name}" if mode.replicated or not (alu.pm or row.takes_float) else f".{mode.name}f"


def _rotation(alu: Alu) -> str:
    return f" << {alu.raddr_b - ROTATE_BY_R5}"


def _reads(alu: Alu) -> list[str]:
    """Registers that are read for no operand."""
    found = []
    if alu.raddr_a != NOWHERE and FILE_A not in alu.operands:
        found.append(f"read {_read_name('A', alu.raddr_a)}")
    if alu.raddr_b != NOWHERE and FILE_B not in alu.operands and not alu.has_small_immediate:
        found.append(f"read {_name_in_b(alu)}")
    return found


def _number(word: int) -> str:
    """A small immediate: an integer from -16 to 15, or a float."""
    signed = word - (1 << 32) if word >> 31 else word
    if abs(signed) < 1 << 23:
        return str(signed)
    value: float = struct.unpack("<f", word.to_bytes(4, "little"))[0]
    return repr(value)


def _load(load: Load) -> str:
    if load.mode == LoadMode.SEMAPHORE:
        name = "sacq" if load.immediate & 16 else "srel"
        value = str(load.immediate & 15)
    else:
        name, value = "ldi", _loaded(load)
    name += ".setf" if load.sf else ""
    has_second = load.mul.writes
    name += _condition(load.add if load.add.writes or not has_second else load.mul)
    destinations = [_load_destination(load, 0, load.add)]
    if has_second:
        destinations.append(_load_destination(load, 1, load.mul))
    return f"{name} {', '.join((*destinations, value))}"


def _load_destination(load: Load, index: int, half: Half) -> str:
    pack, on_mnemonic = _pack(load, index, half, False)
    return _destination(half, index, load.ws) + (f".{pack}" if pack and not on_mnemonic else "")


def _loaded(load: Load) -> str:
    if load.mode not in (LoadMode.SIGNED, LoadMode.UNSIGNED):
        return f"0x{load.immediate:x}"
    weight = -2 if load.mode == LoadMode.SIGNED else 2
    bits = load.immediate
    values = [(bits >> lane & 1) + weight * (bits >> LANES + lane & 1) for lane in range(LANES)]
    return "[" + ",".join(map(str, values)) + "]"


def _branch(branch: Branch) -> str:
    name = "brr" if branch.relative else "bra"
    if branch.cond in BranchCondition.__members__.values() and branch.cond != BranchCondition.ALWAYS:
        name += f".{BranchCondition(branch.cond).name.lower()}"
    name += ".setf" if branch.sf else ""
    operands = [_destination(branch.add, 0, branch.ws)]
    if branch.waddr_mul != NOWHERE:
        operands.append(_destination(branch.mul, 1, branch.ws))
    if branch.use_register:
        operands.append(f"ra{branch.raddr_a}")
    elif len(operands) > 1:
        operands.append("-")
    if branch.immediate or not branch.use_register:
        operands.append(str(branch.immediate))
    return f"{name} {', '.join(operands)}"
