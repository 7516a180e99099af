"""A line's ALU instruction as it was written, and its encoding.

Ports, write swap, small immediate, pack and unpack are shared by both halves: they are decided when the whole line is
known.  Registers that both files have are read through port A unless another register needs it.
"""

from __future__ import annotations

from typing import NoReturn

from backends.vc4.isa.asm.suffixes import Mode
from backends.vc4.isa.asm.text import Line
from backends.vc4.isa.encoding import FILE_A, FILE_B, IDLE, Alu, Half
from backends.vc4.isa.formats import NOWHERE
from backends.vc4.isa.instructions import ROTATE_BY_R5, SMALL_IMMEDIATES, Condition, Operation, Signal, small_immediate
from backends.vc4.isa.registers import FILE_SIZE, Address
from compiler.diagnostics import Span
from compiler.diagnostics.catalogue.machine import VC4_NOT_ENCODABLE
from compiler.isa.lines import Token
from compiler.records import dataclass, field

_R4 = 4
_NOWHERE = Address(NOWHERE, "AB")


@dataclass(slots=True)
class Destination:
    """Where a half writes."""

    address: Address = _NOWHERE
    name: str = "-"
    span: Span | None = None
    pack: Mode | None = None
    condition: Condition | None = None
    sets_flags: bool = False
    #: Code of a rotation.
    rotation: int = 0

    @property
    def is_file_a(self) -> bool:
        """Whether it is a register of file A."""
        return self.address.files == "A" and self.address.number < FILE_SIZE


@dataclass(slots=True)
class Source:
    """What a half reads: an accumulator, an address, or a constant."""

    name: str
    span: Span
    accumulator: int | None = None
    address: Address | None = None
    constant: int | None = None
    unpack: Mode | None = None
    rotation: int = 0


@dataclass(slots=True)
class ParsedHalf:
    """One half as it was written."""

    row: Operation
    name: Token
    destination: Destination
    sources: tuple[Source, ...]
    condition: Condition
    pm: int = 0
    pack: int = 0


@dataclass(slots=True)
class ParsedLine:
    """All that a line says."""

    line: Line
    add: ParsedHalf | None = None
    mul: ParsedHalf | None = None
    signal: Signal = Signal.NONE
    flags_by: Token | None = None
    #: Sources of `read`, which no half takes.
    reads: list[Source] = field(default_factory=list)

    def fail(self, problem: str, span: Span, help: str | None = None) -> NoReturn:
        """The line cannot be one word."""
        self.line.fail(VC4_NOT_ENCODABLE, span, help=help, problem=problem)

    @property
    def halves(self) -> tuple[ParsedHalf | None, ParsedHalf | None]:
        return self.add, self.mul

    @property
    def sources(self) -> list[Source]:
        return [*self.reads, *(source for half in self.halves if half for source in half.sources)]

    def instruction(self) -> Alu:
        """The instruction; mistakes are reported."""
        ports = _Ports(self)
        pm, unpack = _unpacking(self, ports)
        pack = next((half.pack for half in self.halves if half and half.pack), 0)
        return Alu(
            add=self._half(0, ports),
            mul=self._half(1, ports),
            signal=Signal.SMALL_IMMEDIATE if ports.code is not None else self.signal,
            raddr_a=NOWHERE if ports.a is None else ports.a,
            raddr_b=(NOWHERE if ports.b is None else ports.b) if ports.code is None else ports.code,
            unpack=unpack,
            pm=pm,
            pack=pack,
            sf=int(self.flags_by is not None),
            ws=write_swap(self, [half.destination if half else None for half in self.halves]),
        )

    def _half(self, index: int, ports: _Ports) -> Half:
        half = self.halves[index]
        if half is None or (not half.row.code and half.destination.address.number == NOWHERE):
            # vc4asm lets an unused ADD write where MUL's result sets the flags.
            return Half() if index == 0 and self._flags_half == 1 else IDLE
        muxes = [ports.mux(source) for source in half.sources]
        muxes += muxes[:1] if len(muxes) == 1 else (0, 0)
        number = half.destination.address.number
        is_idle = number == NOWHERE and self._flags_half != index
        return Half(half.row.code, number, muxes[0], muxes[1], Condition.NEVER if is_idle else half.condition)

    @property
    def _flags_half(self) -> int | None:
        """The half whose result sets the flags: MUL if ADD has no operation."""
        if self.flags_by is None:
            return None
        return 0 if self.add is not None and self.add.row.code else 1


def write_swap(parsed: ParsedLine, destinations: list[Destination | None]) -> int:
    """The bit by which both halves reach their files."""
    found: dict[int, Destination] = {}
    for index, destination in enumerate(destinations):
        if destination is not None and len(destination.address.files) == 1:
            found.setdefault(("AB".index(destination.address.files)) ^ index, destination)
    if len(found) == 2:
        first, second = (destination.name for destination in destinations if destination is not None)
        span = next(d.span for d in reversed(destinations) if d is not None and d.span is not None)
        parsed.fail(f"{first} and {second} are in one file", span, help="the halves must write different files")
    return next(iter(found), 0)


class _Ports:
    """The addresses that a line reads, and which operand reads which."""

    def __init__(self, parsed: ParsedLine) -> None:
        self._parsed = parsed
        self.a: int | None = None
        self.b: int | None = None
        #: Code of the small immediate.
        self.code = _immediate_code(parsed)
        self._flexible: dict[int, int] = {}
        registers = [(source, source.address) for source in parsed.sources if source.address is not None]
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
            self._parsed.fail(f"{source.name} and a small immediate share the port of file B", source.span)
        if taken not in (None, number):
            help = "copy one of the registers to an accumulator or to the other file first"
            self._parsed.fail(f"{source.name} is the second register of file {file} that is read", source.span, help)
        if file == "A":
            self.a = number
        else:
            self.b = number


def _files(source: Source, address: Address) -> str:
    """The ports that can read it; only port A unpacks."""
    return "A" if source.unpack is not None and source.unpack.unpack and "A" in address.files else address.files


def _immediate_code(parsed: ParsedLine) -> int | None:
    """The code that encodes all constants and the rotation; None if there is neither."""
    rotation = _rotation(parsed)
    constants = [source for source in parsed.sources if source.constant is not None]
    if rotation is None and not constants:
        return None
    if parsed.signal != Signal.NONE:
        span = constants[0].span if constants else parsed.line.tokens[0].span
        parsed.fail(f"a small immediate leaves no bits for the signal {parsed.signal.name.lower()}", span)
    code = rotation
    for source in constants:
        code = _same_code(parsed, source, code)
    return code


def _same_code(parsed: ParsedLine, source: Source, code: int | None) -> int:
    """The code that also encodes the constant of `source`."""
    assert source.constant is not None
    if code is not None and small_immediate(code) == source.constant:
        return code
    found = SMALL_IMMEDIATES.get(source.constant)
    if found is None:
        help = "small immediates are -16 to 15 and powers of two from 1/256 to 128.0; load others with 'ldi'"
        parsed.fail(f"{source.name} is no small immediate", source.span, help)
    if code is not None:
        other = "a rotation" if code >= ROTATE_BY_R5 else "another small immediate"
        parsed.fail(f"{source.name} and {other} do not fit into one instruction", source.span)
    return found


def _rotation(parsed: ParsedLine) -> int | None:
    """The code of the rotation, which is one of MUL's operands together."""
    codes: dict[int, Span] = {}
    for half in parsed.halves:
        if half is None:
            continue
        registers = [source for source in half.sources if source.constant is None]
        found = {source.rotation for source in registers} | {half.destination.rotation}
        if len(found - {0}) > 1 or (len({source.rotation for source in registers}) > 1):
            help = "write the rotation after the destination: 'fmul r0 << 1, r1, r2'"
            parsed.fail("both operands are rotated by the same amount", half.name.span, help)
        for code in found - {0}:
            if half is parsed.add:
                parsed.fail("only MUL rotates its operands", half.name.span)
            codes[code] = half.name.span
    return next(iter(codes), None)


def _unpacking(parsed: ParsedLine, ports: _Ports) -> tuple[int, int]:
    """The bit pm and the unpack code."""
    operands = [source for half in parsed.halves if half for source in half.sources]
    of_r4 = [source for source in operands if source.accumulator == _R4]
    of_a = [source for source in operands if source.address is not None and ports.mux(source) == FILE_A]
    code_r4, code_a = _one_unpack(parsed, of_r4), _one_unpack(parsed, of_a)
    codes_by_pm = {0: code_a, 1: code_r4}
    pms = {half.pm for half in parsed.halves if half and half.pack} | {pm for pm, code in codes_by_pm.items() if code}
    if len(pms) > 1:
        span = next(source.span for source in parsed.sources if source.unpack is not None)
        parsed.fail("file A and r4 or MUL's result cannot be packed or unpacked in one instruction", span)
    pm = next(iter(pms), 0)
    return pm, codes_by_pm[pm]


def _one_unpack(parsed: ParsedLine, sources: list[Source]) -> int:
    """The code of all sources of one port."""
    codes = [(source.unpack.unpack or 0) if source.unpack else 0 for source in sources]
    if len(set(codes)) > 1:
        name = sources[0].name.partition(".")[0]
        parsed.fail(f"{name} is unpacked by one mode for both halves", sources[codes.index(max(codes))].span)
    return codes[0] if codes else 0
