"""A line's ALU instruction as it was written, and the word that comes of it.

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
from backends.vc4.isa.registers import FILE_SIZE, Place
from compiler.diagnostics import Span
from compiler.diagnostics.catalogue.machine import VC4_NOT_ENCODABLE
from compiler.isa.lines import Token
from compiler.records import dataclass, field

_R4 = 4
_NOWHERE = Place(NOWHERE, "AB")


@dataclass(slots=True)
class Destination:
    """Where a half writes."""

    place: Place = _NOWHERE
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
        return self.place.files == "A" and self.place.number < FILE_SIZE


@dataclass(slots=True)
class Source:
    """What a half reads: an accumulator, a place, or a constant."""

    name: str
    span: Span
    accumulator: int | None = None
    place: Place | None = None
    constant: int | None = None
    unpack: Mode | None = None
    rotation: int = 0


@dataclass(slots=True)
class HalfDraft:
    """One half as it was written."""

    row: Operation
    name: Token
    destination: Destination
    sources: tuple[Source, ...]
    condition: Condition
    pm: int = 0
    pack: int = 0


@dataclass(slots=True)
class Draft:
    """All that a line says."""

    line: Line
    add: HalfDraft | None = None
    mul: HalfDraft | None = None
    signal: Signal = Signal.NONE
    flags_by: Token | None = None
    #: Sources of `read`, which no half takes.
    reads: list[Source] = field(default_factory=list)

    def fail(self, problem: str, span: Span, help: str | None = None) -> NoReturn:
        """The line cannot be one word."""
        self.line.fail(VC4_NOT_ENCODABLE, span, help=help, problem=problem)

    @property
    def halves(self) -> tuple[HalfDraft | None, HalfDraft | None]:
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
        if half is None or (not half.row.code and half.destination.place.number == NOWHERE):
            # vc4asm lets an unused ADD write where MUL's result sets the flags.
            return Half() if index == 0 and self._flags_half == 1 else IDLE
        muxes = [ports.mux(source) for source in half.sources]
        muxes += muxes[:1] if len(muxes) == 1 else (0, 0)
        number = half.destination.place.number
        is_idle = number == NOWHERE and self._flags_half != index
        return Half(half.row.code, number, muxes[0], muxes[1], Condition.NEVER if is_idle else half.condition)

    @property
    def _flags_half(self) -> int | None:
        """The half whose result sets the flags: MUL if ADD has no operation."""
        if self.flags_by is None:
            return None
        return 0 if self.add is not None and self.add.row.code else 1


def write_swap(draft: Draft, destinations: list[Destination | None]) -> int:
    """The bit by which both halves reach their files."""
    found: dict[int, Destination] = {}
    for index, destination in enumerate(destinations):
        if destination is not None and len(destination.place.files) == 1:
            found.setdefault(("AB".index(destination.place.files)) ^ index, destination)
    if len(found) == 2:
        first, second = (destination.name for destination in destinations if destination is not None)
        span = next(d.span for d in reversed(destinations) if d is not None and d.span is not None)
        draft.fail(f"{first} and {second} are in one file", span, help="the halves must write different files")
    return next(iter(found), 0)


class _Ports:
    """The addresses that a line reads, and which operand reads which."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self.a: int | None = None
        self.b: int | None = None
        #: Code of the small immediate.
        self.code = _immediate_code(draft)
        self._flexible: dict[int, int] = {}
        registers = [(source, source.place) for source in draft.sources if source.place is not None]
        for source, place in registers:
            if len(_files(source, place)) == 1:
                self._fix(source, place.number, _files(source, place))
        for source, place in registers:
            if len(_files(source, place)) == 2:
                self._flexible[place.number] = self._put(source, place.number)

    def mux(self, source: Source) -> int:
        """The value of an operand field."""
        if source.accumulator is not None:
            return source.accumulator
        if source.place is None:
            return FILE_B
        files = _files(source, source.place)
        if len(files) == 2:
            return self._flexible[source.place.number]
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
            self._draft.fail(f"{source.name} and a small immediate share the port of file B", source.span)
        if taken not in (None, number):
            help = "copy one of the registers to an accumulator or to the other file first"
            self._draft.fail(f"{source.name} is the second register of file {file} that is read", source.span, help)
        if file == "A":
            self.a = number
        else:
            self.b = number


def _files(source: Source, place: Place) -> str:
    """The ports that can read it; only port A unpacks."""
    return "A" if source.unpack is not None and source.unpack.unpack and "A" in place.files else place.files


def _immediate_code(draft: Draft) -> int | None:
    """The code that gives all constants and the rotation; None if there is neither."""
    rotation = _rotation(draft)
    constants = [source for source in draft.sources if source.constant is not None]
    if rotation is None and not constants:
        return None
    if draft.signal != Signal.NONE:
        span = constants[0].span if constants else draft.line.tokens[0].span
        draft.fail(f"a small immediate leaves no place for the signal {draft.signal.name.lower()}", span)
    code = rotation
    for source in constants:
        code = _same_code(draft, source, code)
    return code


def _same_code(draft: Draft, source: Source, code: int | None) -> int:
    """The code that also gives the constant of `source`."""
    assert source.constant is not None
    if code is not None and small_immediate(code) == source.constant:
        return code
    found = SMALL_IMMEDIATES.get(source.constant)
    if found is None:
        help = "small immediates are -16 to 15 and powers of two from 1/256 to 128.0; load others with 'ldi'"
        draft.fail(f"{source.name} is no small immediate", source.span, help)
    if code is not None:
        other = "a rotation" if code >= ROTATE_BY_R5 else "another small immediate"
        draft.fail(f"{source.name} and {other} do not fit into one instruction", source.span)
    return found


def _rotation(draft: Draft) -> int | None:
    """The code of the rotation, which is one of MUL's operands together."""
    codes: dict[int, Span] = {}
    for half in draft.halves:
        if half is None:
            continue
        registers = [source for source in half.sources if source.constant is None]
        found = {source.rotation for source in registers} | {half.destination.rotation}
        if len(found - {0}) > 1 or (len({source.rotation for source in registers}) > 1):
            help = "write the rotation behind the destination: 'fmul r0 << 1, r1, r2'"
            draft.fail("both operands are rotated by the same amount", half.name.span, help)
        for code in found - {0}:
            if half is draft.add:
                draft.fail("only MUL rotates its operands", half.name.span)
            codes[code] = half.name.span
    return next(iter(codes), None)


def _unpacking(draft: Draft, ports: _Ports) -> tuple[int, int]:
    """The bit pm and the unpack code."""
    operands = [source for half in draft.halves if half for source in half.sources]
    of_r4 = [source for source in operands if source.accumulator == _R4]
    of_a = [source for source in operands if source.place is not None and ports.mux(source) == FILE_A]
    code_r4, code_a = _one_unpack(draft, of_r4), _one_unpack(draft, of_a)
    wanted = {0: code_a, 1: code_r4}
    pms = {half.pm for half in draft.halves if half and half.pack} | {pm for pm, code in wanted.items() if code}
    if len(pms) > 1:
        span = next(source.span for source in draft.sources if source.unpack is not None)
        draft.fail("file A and r4 or MUL's result cannot be packed or unpacked in one instruction", span)
    pm = next(iter(pms), 0)
    return pm, wanted[pm]


def _one_unpack(draft: Draft, sources: list[Source]) -> int:
    """The code of all sources of one port."""
    codes = [(source.unpack.unpack or 0) if source.unpack else 0 for source in sources]
    if len(set(codes)) > 1:
        name = sources[0].name.partition(".")[0]
        draft.fail(f"{name} is unpacked in one way for both halves", sources[codes.index(max(codes))].span)
    return codes[0] if codes else 0
