"""The text of one word.

What a word does is put into the records that the assembler makes of text (`text/`).  They are printed; and what they
mean tells whether the text says all of the word, or bits are lost (unused fields that differ from the canonical
encoding).
"""

from __future__ import annotations

import struct

from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B, Alu, Branch, Half, Instruction, Load, decode, encode
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import (
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
from glslc_multi.backends.vc4.isa.packing import PACKS, UNPACKS
from glslc_multi.backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES, READ_NAMES, WRITE_NAMES
from glslc_multi.backends.vc4.isa.text.alu import AluText, OperationPart, ReadPart, SignalPart
from glslc_multi.backends.vc4.isa.text.operands import Destination, Head, Source, destination_named, source_named
from glslc_multi.backends.vc4.isa.text.suffixes import MODES, Mode
from glslc_multi.backends.vc4.isa.text.words import BranchText, LoadText, lane_values, semaphore
from glslc_multi.compiler.isa.mistakes import Mistake

_FILES = "AB"
_R4 = 4
#: The code with pm = 1 that has no text: the suffix of its meaning is that of code 11, which vc4asm makes of it.
_ALL_BYTES = 3
#: Of pm = 1, by code: vc4asm's suffixes.  The plain ones say so only of destinations outside of file A.
_MUL_PACK_NAMES = {
    _ALL_BYTES: "8888sf",
    11: "8888sf",
    **{4 + index: f"8{letter}sf" for index, letter in enumerate("abcd")},
    **{12 + index: f"8{letter}" for index, letter in enumerate("abcd")},
}


def spell(instruction: Instruction) -> str:
    """The text of an instruction."""
    return _text_of(instruction).text


def has_text(instruction: Instruction) -> bool:
    """Whether a suffix says how an instruction in the canonical encoding packs its result."""
    return isinstance(instruction, Branch) or not (instruction.pm and instruction.pack == _ALL_BYTES)


def exact_text(word: int) -> tuple[str, bool]:
    """The text of a word, and whether it says all of the word."""
    text = _text_of(decode(word))
    try:
        return text.text, encode(text.instruction()) == word
    except Mistake:
        return text.text, False


def _text_of(instruction: Instruction) -> AluText | LoadText | BranchText:
    if isinstance(instruction, Branch):
        is_known = (
            instruction.cond in BranchCondition.__members__.values() and instruction.cond != BranchCondition.ALWAYS
        )
        condition = BranchCondition(instruction.cond) if is_known else None
        links = [_destination(instruction.add, 0, instruction.ws)]
        if instruction.waddr_mul != NOWHERE:
            links.append(_destination(instruction.mul, 1, instruction.ws))
        head = Head("brr" if instruction.relative else "bra", condition, bool(instruction.sf))
        return BranchText(head, links, instruction.raddr_a if instruction.use_register else None, instruction.immediate)
    return _load(instruction) if isinstance(instruction, Load) else _alu(instruction)


# --- ALU instructions -------------------------------------------------------------------------------------------------


def _alu(alu: Alu) -> AluText:
    add, mul = alu.operations
    text = AluText()
    if add is not None and (add.code or alu.add.writes):
        text.parts.append(_half(alu, 0, alu.add, add))
    if mul is not None and (mul.code or alu.mul.writes):
        if not text.parts:
            text.parts.append(OperationPart(Head("nop")))
        text.parts.append(_half(alu, 1, alu.mul, mul))
    text.parts += [ReadPart(source) for source in _reads(alu)]
    if alu.signal in SIGNALS:
        text.parts.append(SignalPart(Signal(alu.signal)))
    if not text.parts:
        text.parts.append(OperationPart(Head("nop")))
    return text


def _half(alu: Alu, index: int, half: Half, row: Operation) -> OperationPart:
    name = row.name if row.name not in ("nop", "v8adds", "v8subs") else "am"[index] + row.name
    sets_flags = bool(alu.sf) and index == (0 if alu.add.op else 1)
    pack, on_mnemonic = _pack(alu, index, half, row.gives_float)
    head = Head(name, _condition(half), sets_flags, pack if on_mnemonic else None)
    destination = _destination(half, index, alu.ws)
    destination.pack = None if on_mnemonic else pack
    destination.rotation = alu.raddr_b if index and alu.rotates and alu.raddr_b != ROTATE_BY_R5 else 0
    sources = [_source(alu, operand, row, index) for operand in (half.a, half.b)[: row.operands]]
    return OperationPart(head, [destination], sources)


def _condition(half: Half) -> Condition | None:
    is_idle = half.waddr == NOWHERE and half.cond == Condition.NEVER
    return None if half.cond == Condition.ALWAYS or is_idle else Condition(half.cond)


def _destination(half: Half, index: int, ws: int) -> Destination:
    file = _FILES[index ^ ws]
    return destination_named(WRITE_NAMES.get((file, half.waddr), f"r{file.lower()}{half.waddr}"))


def _pack(instruction: Alu | Load, index: int, half: Half, is_float: bool) -> tuple[Mode | None, bool]:
    """The pack suffix, and whether it must stand at the mnemonic."""
    code = instruction.pack
    carrier, on_mnemonic = _pack_carrier(instruction)
    if not code or index != carrier:
        return None, False
    if instruction.pm:
        return MODES.get(_MUL_PACK_NAMES.get(code, "")), False
    mode = PACKS[code]
    text = mode.name + ("s" if mode.saturates else "")
    if is_float and mode.width == 16 and not mode.saturates:
        text += "f"
    elif on_mnemonic and not is_float and mode.width == 16:
        # Without it vc4asm takes `.pack16bs` for another mode.
        text += "i"
    return MODES[text], on_mnemonic


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


def _source(alu: Alu, operand: int, row: Operation, index: int) -> Source:
    if operand == FILE_B and alu.has_small_immediate:
        word = small_immediate(alu.raddr_b)
        return Source(_number(word), constant=word)
    if operand < FILE_A:
        name, is_unpacked = f"r{operand}", operand == _R4 and bool(alu.pm)
    elif operand == FILE_A:
        name, is_unpacked = _read_name("A", alu.raddr_a), not alu.pm
    else:
        name, is_unpacked = _name_in_b(alu), False
    mode = _unpack(alu, row) if is_unpacked else None
    source = _named(name if mode is None else f"{name}.{mode.text}", name)
    source.unpack = mode
    source.rotation = ROTATE_BY_R5 if index and alu.rotates and alu.raddr_b == ROTATE_BY_R5 else 0
    return source


def _named(text: str, name: str) -> Source:
    source = source_named(name, text)
    assert source is not None
    return source


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


def _unpack(alu: Alu, row: Operation) -> Mode | None:
    if not alu.unpack:
        return None
    mode = UNPACKS[alu.unpack]
    return MODES[mode.name if mode.replicated or not (alu.pm or row.takes_float) else f"{mode.name}f"]


def _reads(alu: Alu) -> list[Source]:
    """Registers that are read for no operand."""
    sources = []
    if alu.raddr_a != NOWHERE and FILE_A not in alu.operands:
        sources.append(_read_name("A", alu.raddr_a))
    if alu.raddr_b != NOWHERE and FILE_B not in alu.operands and not alu.has_small_immediate:
        sources.append(_name_in_b(alu))
    return [_named(name, name) for name in sources]


def _number(word: int) -> str:
    """A small immediate: an integer from -16 to 15, or a float."""
    signed = word - (1 << 32) if word >> 31 else word
    if abs(signed) < 1 << 23:
        return str(signed)
    value: float = struct.unpack("<f", word.to_bytes(4, "little"))[0]
    return repr(value)


# --- Words that fill a line -------------------------------------------------------------------------------------------


def _load(load: Load) -> LoadText:
    has_second = load.mul.writes
    condition = _condition(load.add if load.add.writes or not has_second else load.mul)
    destinations = [_load_destination(load, 0, load.add)]
    if has_second:
        destinations.append(_load_destination(load, 1, load.mul))
    if load.mode == LoadMode.SEMAPHORE:
        acquires, number = bool(load.immediate & 16), load.immediate & 15
        head = Head("sacq" if acquires else "srel", condition, bool(load.sf))
        return LoadText(head, destinations, *semaphore(number, acquires), str(number))
    return LoadText(Head("ldi", condition, bool(load.sf)), destinations, *_loaded(load))


def _load_destination(load: Load, index: int, half: Half) -> Destination:
    pack, on_mnemonic = _pack(load, index, half, False)
    destination = _destination(half, index, load.ws)
    destination.pack = None if on_mnemonic else pack
    return destination


def _loaded(load: Load) -> tuple[LoadMode, int, str]:
    """What text says of the immediate: the mode, the bits, and how they are written."""
    if load.mode not in (LoadMode.SIGNED, LoadMode.UNSIGNED):
        return LoadMode.VALUE, load.immediate, f"0x{load.immediate:x}"
    weight = -2 if load.mode == LoadMode.SIGNED else 2
    bits = load.immediate
    values = [(bits >> lane & 1) + weight * (bits >> LANES + lane & 1) for lane in range(LANES)]
    return *lane_values(values), "[" + ",".join(map(str, values)) + "]"
