"""What the halves of a line share: the ports by which registers are read, the small immediate, the unpack mode.

They are decided when the whole line is known.  Registers that both files have are read through port A unless another
register needs it.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B
from glslc_multi.backends.vc4.isa.instructions import (
    ROTATE_BY_R5,
    SMALL_IMMEDIATES,
    Condition,
    Operation,
    Signal,
    small_immediate,
)
from glslc_multi.backends.vc4.isa.registers import Address
from glslc_multi.backends.vc4.isa.text.operands import NO_REGISTER, Destination, Head, Source
from glslc_multi.compiler.isa.mistakes import Place, not_encodable
from glslc_multi.compiler.records import dataclass

_R4 = 4


@dataclass(slots=True)
class WrittenHalf:
    """One half as text says it."""

    row: Operation
    head: Head
    destination: Destination
    sources: list[Source]
    condition: Condition
    pm: int = 0
    pack: int = 0


Halves = Sequence[WrittenHalf | None]


class Ports:
    """The addresses that a line reads, and which operand reads which."""

    def __init__(self, halves: Halves, reads: Sequence[Source], signal: Signal, start: Place) -> None:
        self.a: int | None = None
        self.b: int | None = None
        sources = [*reads, *_sources(halves)]
        #: Code of the small immediate.
        self.code = _immediate_code(halves, sources, signal, start)
        self._flexible: dict[int, int] = {}
        registers = [(source, source.address) for source in sources if source.address is not None]
        for source, address in registers:
            if len(_files(source, address)) == 1:
                self._fix(source, address.number, _files(source, address))
        for source, address in registers:
            if len(_files(source, address)) == 2:
                self._flexible[address.number] = self._put(source, address.number)

    def mux(self, source: Source) -> int:
        """The value of an operand field."""
        if source.accumulator is not None:
            return source.accumulator
        if source.address is None:
            return FILE_B
        files = _files(source, source.address)
        if len(files) == 2:
            return self._flexible[source.address.number]
        return FILE_A if files == "A" else FILE_B

    def _put(self, source: Source, number: int) -> int:
        """Where a register that both files have is read."""
        if self.a in (None, number):
            self.a = number
            return FILE_A
        self._fix(source, number, "B")
        return FILE_B

    def _fix(self, source: Source, number: int, file: str) -> None:
        taken = self.a if file == "A" else self.b
        if file == "B" and self.code is not None:
            raise not_encodable(f"{source.name} and a small immediate share the port of file B", source.place)
        if taken not in (None, number):
            help = "copy one of the registers to an accumulator or to the other file first"
            raise not_encodable(f"{source.name} is the second register of file {file} that is read", source.place, help)
        if file == "A":
            self.a = number
        else:
            self.b = number


def _files(source: Source, address: Address) -> str:
    """The ports that can read it; only port A unpacks."""
    return "A" if source.unpack is not None and source.unpack.unpack and "A" in address.files else address.files


def _sources(halves: Halves) -> list[Source]:
    return [source for half in halves if half is not None for source in half.sources]


def _immediate_code(halves: Halves, sources: Sequence[Source], signal: Signal, start: Place) -> int | None:
    """The code that encodes all constants and the rotation; None if there is neither."""
    rotation = _rotation(halves)
    constants = [source for source in sources if source.constant is not None]
    if rotation is None and not constants:
        return None
    if signal != Signal.NONE:
        span = constants[0].place if constants else start
        raise not_encodable(f"a small immediate leaves no bits for the signal {signal.name.lower()}", span)
    code = rotation
    for source in constants:
        code = _same_code(source, code)
    return code


def _same_code(source: Source, code: int | None) -> int:
    """The code that also encodes the constant of `source`."""
    assert source.constant is not None
    if code is not None and small_immediate(code) == source.constant:
        return code
    found = SMALL_IMMEDIATES.get(source.constant)
    if found is None:
        help = "small immediates are -16 to 15 and powers of two from 1/256 to 128.0; load others with 'ldi'"
        raise not_encodable(f"{source.name} is no small immediate", source.place, help)
    if code is not None:
        other = "a rotation" if code >= ROTATE_BY_R5 else "another small immediate"
        raise not_encodable(f"{source.name} and {other} do not fit into one instruction", source.place)
    return found


def _rotation(halves: Halves) -> int | None:
    """The code of the rotation, which is one of MUL's operands together."""
    rotation: int | None = None
    for index, half in enumerate(halves):
        if half is None:
            continue
        of_sources = {source.rotation for source in half.sources if source.constant is None}
        codes = (of_sources | {half.destination.rotation}) - {0}
        if len(codes) > 1 or len(of_sources) > 1:
            help = "write the rotation after the destination: 'fmul r0 << 1, r1, r2'"
            raise not_encodable("both operands are rotated by the same amount", half.head.place, help)
        if half.destination.rotation and half.destination.name == NO_REGISTER:
            raise not_encodable("'-' has no rotation", half.head.place)
        if codes and index == 0:
            raise not_encodable("only MUL rotates its operands", half.head.place)
        rotation = next(iter(codes), rotation)
    return rotation


def unpacking(halves: Halves, reads: Sequence[Source], ports: Ports) -> tuple[int, int]:
    """The bit pm and the unpack code."""
    operands = _sources(halves)
    of_r4 = [source for source in operands if source.accumulator == _R4]
    of_a = [source for source in operands if source.address is not None and ports.mux(source) == FILE_A]
    codes_by_pm = {0: _one_unpack(of_a), 1: _one_unpack(of_r4)}
    pms = {half.pm for half in halves if half and half.pack} | {pm for pm, code in codes_by_pm.items() if code}
    if len(pms) > 1:
        span = next(source.place for source in (*reads, *operands) if source.unpack is not None)
        raise not_encodable("file A and r4 or MUL's result cannot be packed or unpacked in one instruction", span)
    pm = next(iter(pms), 0)
    return pm, codes_by_pm[pm]


def _one_unpack(sources: Sequence[Source]) -> int:
    """The code of all sources of one port."""
    codes = [(source.unpack.unpack or 0) if source.unpack else 0 for source in sources]
    if len(set(codes)) > 1:
        name = sources[0].name.partition(".")[0]
        span = sources[codes.index(max(codes))].place
        raise not_encodable(f"{name} is unpacked by one mode for both halves", span)
    return codes[0] if codes else 0
