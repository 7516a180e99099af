"""ALU instructions as text says them: parts, divided by semicolons, that share one word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.vc4.isa.encoding import IDLE, Alu, Half
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import ADD, MUL, SIGNALS, Condition, Operation, Signal
from glslc_multi.backends.vc4.isa.text.operands import (
    Destination,
    Head,
    Source,
    condition_of_half,
    packing_of_half,
    write_swap,
)
from glslc_multi.backends.vc4.isa.text.ports import Ports, WrittenHalf, unpacking
from glslc_multi.compiler.isa.mistakes import Place, not_encodable
from glslc_multi.compiler.records import dataclass, field

SIGNAL_NAMES: Mapping[str, Signal] = {
    **{signal.name.lower(): signal for signal in SIGNALS},
    "break": Signal.BKPT,
    "tswitch": Signal.THRSW,
    "tend": Signal.THREND,
    "waitscb": Signal.SBWAIT,
    "unlscb": Signal.SBDONE,
    "lswitch": Signal.LTHRSW,
    "ldcvtlb": Signal.LOADCV,
    "ldcotlb": Signal.LOADC,
    "ldcoend": Signal.LDCEND,
    "ldaltlb": Signal.LOADAM,
}
#: Mnemonic -> (rows of ADD and MUL; None where the pipe is not meant).
PIPES: Mapping[str, tuple[Operation | None, Operation | None]] = {
    **{name: (row, None) for name, row in ADD.items()},
    **{name: (None, row) for name, row in MUL.items()},
    "nop": (ADD["nop"], MUL["nop"]),
    "anop": (ADD["nop"], None),
    "mnop": (None, MUL["nop"]),
    "mov": (ADD["or"], MUL["v8min"]),
    "amov": (ADD["or"], None),
    "mmov": (None, MUL["v8min"]),
    **{name: (ADD[name], MUL[name]) for name in ("v8adds", "v8subs")},
    **{f"a{name}": (ADD[name], None) for name in ("v8adds", "v8subs")},
    **{f"m{name}": (None, MUL[name]) for name in ("v8adds", "v8subs")},
}
MOVES = ("mov", "amov", "mmov")
NOPS = ("nop", "anop", "mnop")
#: Names of both pipes that prefer MUL.
_PREFER_MUL = ("v8adds", "v8subs")


@dataclass(frozen=True, slots=True)
class OperationPart:
    """`fadd.setf r0, r1, ra2`; a move may have two destinations, a nop has none."""

    head: Head
    destinations: list[Destination] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    @property
    def text(self) -> str:
        operands = [*(operand.text for operand in self.destinations), *(operand.text for operand in self.sources)]
        return f"{self.head.text} {', '.join(operands)}".rstrip()


@dataclass(frozen=True, slots=True)
class ReadPart:
    """`read vary`: a register that no operation reads."""

    source: Source

    @property
    def text(self) -> str:
        return f"read {self.source.text}"


@dataclass(frozen=True, slots=True)
class SignalPart:
    """`ldtmu0`"""

    signal: Signal
    place: Place = (0, 0)

    @property
    def text(self) -> str:
        return self.signal.name.lower()


Part = OperationPart | ReadPart | SignalPart


@dataclass(slots=True)
class AluText:
    """All parts of a line."""

    parts: list[Part] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "; ".join([part.text for part in self.parts])

    def instruction(self) -> Alu:
        """The instruction; raises `Mistake` where it is no word."""
        return alu_of(self.parts)


def alu_of(parts: Iterable[Part], start: Place = (0, 0)) -> Alu:
    """The instruction of all parts; raises `Mistake` where they do not fit into one word."""
    written = _Written(start)
    for part in parts:
        written.add(part)
    return written.alu()


@dataclass(slots=True)
class _Written:
    """All that a line says so far."""

    start: Place
    halves: list[WrittenHalf | None] = field(default_factory=lambda: [None, None])
    signal: Signal = Signal.NONE
    flags_by: Head | None = None
    #: Sources of `read`, which no half takes.
    reads: list[Source] = field(default_factory=list)

    def add(self, part: Part) -> None:
        if isinstance(part, ReadPart):
            self.reads.append(part.source)
        elif isinstance(part, SignalPart):
            if self.signal != Signal.NONE:
                raise not_encodable("an instruction has one signal", part.place)
            self.signal = part.signal
        else:
            # The suffix `.unpack...` of a mnemonic: of what is read from file A, else of r4.
            if part.head.unpack is not None:
                found = [source for source in part.sources if source.is_file_a]
                found = found or [source for source in part.sources if source.can_be_unpacked]
                if not found:
                    raise not_encodable("only registers of file A and r4 can be unpacked", part.head.place)
                for source in found:
                    source.unpack = part.head.unpack
            for destination in part.destinations or [Destination()]:
                self._put(part.head, destination, part.sources)

    # --- Halves -------------------------------------------------------------------------------------------------------

    def _put(self, head: Head, destination: Destination, sources: list[Source]) -> None:
        """Put an operation into one of the halves."""
        # 0 for ADD, 1 for MUL.
        rows = PIPES[head.name]
        pipes = [index for index in (0, 1) if rows[index] is not None]
        if head.name in _PREFER_MUL:
            pipes.reverse()
        if head.name in MOVES and _needs_mul(head, destination, sources):
            pipes = [index for index in pipes if index == 1]
        free = [index for index in pipes if self.halves[index] is None]
        if not free:
            pipe = "ADD" if pipes == [0] else "MUL" if pipes == [1] else "pipe"
            raise not_encodable(f"there is no free {pipe} for {head.name}", head.place)
        index = free[0]
        row = _row(head, index, sources)
        _check_types(row, sources)
        pm, pack = packing_of_half(head, destination, index, row)
        condition = condition_of_half(head, destination)
        if pack and any(half is not None and half.pack for half in self.halves):
            raise not_encodable("an instruction has one pack mode", head.place)
        self.halves[index] = WrittenHalf(row, head, destination, sources, condition, pm, pack)
        if head.sets_flags or destination.sets_flags:
            self.flags_by = head
            add = self.halves[0]
            if index and add is not None and add.row.code:
                raise not_encodable("flags come from ADD, which has an operation", head.place)

    # --- The instruction ----------------------------------------------------------------------------------------------

    def alu(self) -> Alu:
        """The instruction."""
        ports = Ports(self.halves, self.reads, self.signal, self.start)
        pm, unpack = unpacking(self.halves, self.reads, ports)
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
            ws=write_swap([half.destination if half else None for half in self.halves]),
        )

    def _half(self, index: int, ports: Ports) -> Half:
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
        add = self.halves[0]
        return 0 if add is not None and add.row.code else 1


def _needs_mul(head: Head, destination: Destination, sources: list[Source]) -> bool:
    """Whether only MUL can move like this."""
    if destination.rotation or any(source.rotation for source in sources):
        return True
    pack = destination.pack or head.pack
    if pack is None or pack.mul_pack is None:
        return False
    return pack.is_float or (destination.pack is not None and not destination.is_file_a)


def _row(head: Head, index: int, sources: list[Source]) -> Operation:
    """The operation of a mnemonic; moves from file A that unpack floats need one on floats."""
    row = PIPES[head.name][index]
    assert row is not None
    if head.name not in MOVES:
        return row
    source = sources[0]
    is_float = source.unpack is not None and source.unpack.is_float and source.address is not None
    return ADD["fmin"] if is_float and index == 0 else row


def _check_types(row: Operation, sources: list[Source]) -> None:
    """Suffixes that name a type fit the operation; r4 is always unpacked to floats."""
    for source in sources:
        if source.unpack is None or not source.unpack.type:
            continue
        to_float = row.takes_float or source.accumulator is not None
        if source.unpack.is_float != to_float:
            kind = "floats" if to_float else "integers"
            raise not_encodable(f"{row.name} takes {kind}, so '{source.unpack.text}' is not possible", source.place)
