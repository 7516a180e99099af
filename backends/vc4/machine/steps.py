"""Instructions prepared once: names of the machine's registers for addresses, and only the work that shows."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B, Alu, Branch, Load, decode
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import (
    R4_LOADS,
    ROTATE_BY_R5,
    Condition,
    LoadMode,
    Operation,
    small_immediate,
)
from glslc_multi.backends.vc4.isa.packing import (
    MUL_PACKS,
    PACKS,
    SATURATED_WORD,
    UNDOCUMENTED_MUL_PACKS,
    UNPACKS,
    Pack,
    Unpack,
)

#: What is no register of a file, but an operand: what ports and unpacking give to one instruction.
PORTS, UNPACKED, NOTHING = ("port a", "port b"), "unpacked", "nothing"
R4, R5 = "r4", "r5"
#: Names of the registers of files A and B, and of the accumulators.
FILES = tuple(tuple(f"r{file}{number}" for number in range(registers.FILE_SIZE)) for file in "ab")
ACCUMULATORS = tuple(f"r{number}" for number in range(6))
#: Peripherals that both ports read together.
_SHARED_READS = (registers.UNIFORM_READ, registers.VARYING_READ, registers.VPM_READ)
_PRODUCT_PACKS = {**MUL_PACKS, **UNDOCUMENTED_MUL_PACKS}
#: The lane numbers at which the quads of a group begin.
QUAD_STARTS = tuple(lane & ~3 for lane in range(16))


class Write(NamedTuple):
    """A destination."""

    #: None: always.
    condition: int | None
    file: int
    number: int
    #: The name of the register, if it is one that can be read again.
    register: str | None
    pack: Pack | None = None
    #: Whether what is packed is MUL's result.
    of_product: bool = False


class Work(NamedTuple):
    """What one of the two ALUs does, if it shows: it writes its result, or the result sets the flags."""

    row: Operation
    a: str
    b: str
    condition: int | None
    sets_flags: bool
    write: Write | None
    #: Whether the result is the operand, and whether operands that are floats may stay such.
    moves: bool
    keeps_floats: bool
    #: Whether the sum that is written is limited to the range of signed words.
    saturates: bool = False
    #: By how many lanes the operands are rotated (0: by r5), and which of them inside of quads; None: not at all.
    rotation: tuple[int, bool, bool] | None = None


class Unpacking(NamedTuple):
    """The part of a register that is unpacked."""

    mode: Unpack
    register: str
    to_float: bool


class AluStep(NamedTuple):
    """An ALU instruction."""

    signal: int
    #: File and number of peripherals: read whether or not an operand names them.
    ports: tuple[tuple[int, int], ...]
    #: What file B's port has instead of a register.
    immediate: int | None
    unpacking: Unpacking | None
    #: Whether there is something among the operands that is no register.
    has_others: bool
    works: tuple[Work, ...]
    loads_r4: bool
    reads_varying: bool


class LoadStep(NamedTuple):
    """A load of an immediate."""

    load: Load
    writes: tuple[Write, ...]
    signal: int


class Undefined(NamedTuple):
    """An instruction that does what is not documented."""

    reason: str
    signal: int


Step = AluStep | LoadStep | Branch | Undefined


@lru_cache(maxsize=4096)
def step_of(word: int) -> Step:
    """A prepared instruction."""
    instruction = decode(word)
    if isinstance(instruction, Branch):
        return instruction
    for index, half in enumerate((instruction.add, instruction.mul)):
        if index and half.writes and instruction.pm and instruction.pack and instruction.pack not in _PRODUCT_PACKS:
            return Undefined(f"MUL's results have no pack mode {instruction.pack}", instruction.signal)
    return _load_step(instruction) if isinstance(instruction, Load) else _alu_step(instruction)


def link_writes(branch: Branch) -> list[Write]:
    """Where a branch writes the address behind it."""
    halves = enumerate((branch.waddr_add, branch.waddr_mul))
    return [_plain_write(index ^ branch.ws, number) for index, number in halves if number != NOWHERE]


# --- Destinations -----------------------------------------------------------------------------------------------------


def _plain_write(file: int, number: int, condition: int | None = None) -> Write:
    return Write(condition, file, number, _written_register(file, number))


def _written_register(file: int, number: int) -> str | None:
    """The name of the register that a write address names; None of other addresses."""
    if number < registers.FILE_SIZE:
        return FILES[file][number]
    return ACCUMULATORS[number - registers.R0] if number in registers.ACCUMULATORS else None


def _write_of(instruction: Alu | Load, index: int) -> Write | None:
    half, file = (instruction.mul if index else instruction.add), index ^ instruction.ws
    if not half.writes:
        return None
    write = _plain_write(file, half.waddr, _condition(half.cond))
    if instruction.pack and instruction.pm and index:
        return write._replace(pack=_PRODUCT_PACKS[instruction.pack], of_product=True)
    if instruction.pack and not instruction.pm and file == 0 and half.waddr < registers.FILE_SIZE:
        return write._replace(pack=PACKS[instruction.pack])
    return write


def _condition(code: int) -> int | None:
    return None if code == Condition.ALWAYS else code


# --- Loads ------------------------------------------------------------------------------------------------------------


def _load_step(load: Load) -> Step:
    writes = [write for write in (_write_of(load, 0), _write_of(load, 1)) if write is not None]
    if load.mode == LoadMode.SEMAPHORE:
        # Semaphores are taken to be free.
        known = Undefined("what a semaphore operation writes is not documented", load.signal)
        return known if writes else LoadStep(load._replace(sf=0), (), load.signal)
    if load.mode not in LoadMode.__members__.values():
        return Undefined(f"loads have no mode {load.mode}", load.signal)
    return LoadStep(load, tuple(writes), load.signal)


# --- ALU instructions -------------------------------------------------------------------------------------------------


def _alu_step(alu: Alu) -> Step:
    operands = _operand_names(alu)
    unpacking = None
    if alu.unpack:
        # File A is unpacked to floats if any operation that reads it takes floats; r4 always is.
        operand, to_float = (4, True) if alu.pm else (FILE_A, _takes_file_a_as_float(alu))
        unpacking = Unpacking(UNPACKS[alu.unpack], operands[operand], to_float)
        operands[operand] = UNPACKED
    add, mul = alu.operations
    if add is None or mul is None:
        return Undefined(f"ADD has no operation {alu.add.op}", alu.signal)
    works = (_work(alu, index, row, operands) for index, row in enumerate((add, mul)))
    found = [(0, alu.raddr_a)]
    if not alu.has_small_immediate and not _is_shared(alu):
        found.append((1, alu.raddr_b))
    ports = tuple((file, number) for file, number in found if number >= registers.FILE_SIZE and number != NOWHERE)
    return AluStep(
        alu.signal,
        ports,
        immediate=small_immediate(alu.raddr_b) if alu.has_small_immediate else None,
        unpacking=unpacking,
        has_others=bool(ports) or alu.has_small_immediate or unpacking is not None,
        works=tuple(work for work in works if work.sets_flags or work.write is not None),
        loads_r4=alu.signal in R4_LOADS,
        reads_varying=_reads(alu, registers.VARYING_READ),
    )


def _work(alu: Alu, index: int, row: Operation, operands: dict[int, str]) -> Work:
    half, write = (alu.mul if index else alu.add), _write_of(alu, index)
    rotation = None
    if index and alu.rotates:
        rotation = alu.raddr_b - ROTATE_BY_R5, half.a >= 4, half.b >= 4
    # MUL's result sets the flags if ADD has no operation.
    sets_flags = bool(alu.sf) and index == (0 if alu.add.op else 1)
    moves = row.moves and operands[half.a] == operands[half.b] and (half.a >= 4) == (half.b >= 4)
    is_sum = not index and row.name in ("add", "sub")
    return Work(
        row,
        operands[half.a],
        operands[half.b],
        _condition(half.cond),
        sets_flags,
        write,
        moves,
        keeps_floats=row.takes_float or (moves and not sets_flags),
        saturates=is_sum and write is not None and write.pack is PACKS[SATURATED_WORD],
        rotation=rotation,
    )


def _reads(alu: Alu, number: int) -> bool:
    """Whether one of the ports has this address."""
    return alu.raddr_a == number or (alu.raddr_b == number and not alu.has_small_immediate)


def _takes_file_a_as_float(alu: Alu) -> bool:
    """Whether an operation that takes floats reads file A."""
    for half, row in zip((alu.add, alu.mul), alu.operations, strict=True):
        if row is not None and row.takes_float and FILE_A in (half.a, half.b)[: row.operands]:
            return True
    return False


def _is_shared(alu: Alu) -> bool:
    """Whether both ports have the one value of a peripheral."""
    return not alu.has_small_immediate and alu.raddr_a == alu.raddr_b and alu.raddr_a in _SHARED_READS


def _operand_names(alu: Alu) -> dict[int, str]:
    """Operand -> where its value is."""
    operands = dict(enumerate(ACCUMULATORS))
    operands[FILE_A] = _port_name(0, alu.raddr_a)
    operands[FILE_B] = PORTS[1] if alu.has_small_immediate else _port_name(1, alu.raddr_b)
    if _is_shared(alu):
        operands[FILE_B] = operands[FILE_A]
    return operands


def _port_name(file: int, number: int) -> str:
    if number < registers.FILE_SIZE:
        return FILES[file][number]
    return NOTHING if number == NOWHERE else PORTS[file]
