"""Reads a line: the parts of an ALU instruction, moves and signals, or an instruction that fills the line."""

from __future__ import annotations

from collections.abc import Mapping

from backends.vc4.isa.asm.operands import BRANCHES, LOADS, Head
from backends.vc4.isa.asm.parsed import Destination, ParsedHalf, Source
from backends.vc4.isa.asm.whole_lines import LabelledBranch, WholeLineReader
from backends.vc4.isa.encoding import Instruction
from backends.vc4.isa.instructions import ADD, MUL, SIGNALS, Operation, Signal
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY, VC4_NOT_ENCODABLE

_SIGNAL_NAMES: Mapping[str, Signal] = {
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
_PIPES: Mapping[str, tuple[Operation | None, Operation | None]] = {
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
_MOVES = ("mov", "amov", "mmov")
_NOPS = ("nop", "anop", "mnop")
#: Names of both pipes that prefer MUL.
_PREFER_MUL = ("v8adds", "v8subs")
MNEMONICS: tuple[str, ...] = (*_PIPES, *_SIGNAL_NAMES, *LOADS, *BRANCHES, "read")


class LineReader(WholeLineReader):
    """Reads one line."""

    def read(self) -> Instruction | LabelledBranch:
        """The line's instruction."""
        is_alone = not any(token.text == ";" for token in self._line.tokens)
        special = self._special(is_alone)
        if special is not None:
            if not self._line.is_at_part_end or self._line.accept(";"):
                self._line.unexpected("nothing else on the line")
            return special
        while True:
            if not self._line.is_at_part_end:
                self._part()
            if not self._line.accept(";"):
                break
        if self._line.token.kind != "end":
            self._line.unexpected("';' or the end of the line")
        return self._parsed.instruction()

    # --- Parts of an ALU instruction ----------------------------------------------------------------------------------

    def _part(self) -> None:
        head = self._head()
        signal = _SIGNAL_NAMES.get(head.name)
        if signal is not None:
            self._add_signal(signal, head)
        elif head.name == "read":
            self._read()
        elif head.name in _PIPES:
            self._operation(head)
        elif head.name in (*LOADS, *BRANCHES):
            problem = f"{head.name} cannot share an instruction"
            self._line.fail(VC4_NOT_ENCODABLE, head.token.span, problem=problem)
        else:
            self._line.unknown("instruction", head.name, head.token.span, MNEMONICS)

    def _add_signal(self, signal: Signal, head: Head) -> None:
        if self._parsed.signal != Signal.NONE:
            self._parsed.fail("an instruction has one signal", head.token.span)
        if head.token.text != head.name:
            self._line.fail(INVALID_ASSEMBLY, head.token.span, expected="a signal without suffix", found="one")
        self._parsed.signal = signal

    def _read(self) -> None:
        source = self._source()
        if source.address is None or source.unpack is not None or source.rotation:
            self._line.fail(INVALID_ASSEMBLY, source.span, expected="a register of a file", found=f"'{source.name}'")
        self._parsed.reads.append(source)

    def _operation(self, head: Head) -> None:
        is_move = head.name in _MOVES
        if head.name in _NOPS and self._line.is_at_part_end:
            self._put(head, Destination(), ())
            return
        destinations = [self._destination()]
        sources: list[Source] = []
        if is_move:
            self._line.expect(",")
            if self._more_follows() and self._starts_destination():
                destinations.append(self._destination())
                self._line.expect(",")
            sources.append(self._source())
        else:
            sources += self._sources(head)
        self._unpack_all(head, sources)
        for destination in destinations:
            self._put(head, destination, tuple(sources))

    def _more_follows(self) -> bool:
        """Whether this part has one more comma."""
        marks = [token.text for token in self._line.rest if token.text in (",", ";")]
        return marks[:1] == [","]

    def _sources(self, head: Head) -> list[Source]:
        row = _PIPES[head.name][0] or _PIPES[head.name][1]
        assert row is not None
        found = []
        for _ in range(row.operands):
            self._line.expect(",")
            found.append(self._source())
        return found

    def _unpack_all(self, head: Head, sources: list[Source]) -> None:
        """The suffix `.unpack...` of a mnemonic: of what is read from file A, else of r4."""
        if head.unpack is None:
            return
        found = [source for source in sources if source.address is not None and "A" in source.address.files]
        found = found or [source for source in sources if source.accumulator == 4]
        if not found:
            self._parsed.fail("only registers of file A and r4 can be unpacked", head.token.span)
        for source in found:
            source.unpack = head.unpack

    def _put(self, head: Head, destination: Destination, sources: tuple[Source, ...]) -> None:
        """Put an operation into one of the halves."""
        index = self._pipe(head, destination, sources)
        row = _PIPES[head.name][index]
        assert row is not None
        row = self._move_row(head, row, index, sources)
        self._check_types(row, sources)
        pm, pack = self._packing(head, destination, index, row)
        half = ParsedHalf(row, head.token, destination, sources, self._condition(head, destination), pm, pack)
        if pack and any(other is not None and other.pack for other in self._parsed.halves):
            self._parsed.fail("an instruction has one pack mode", head.token.span)
        if index:
            self._parsed.mul = half
        else:
            self._parsed.add = half
        if head.sets_flags or destination.sets_flags:
            self._set_flags(head, index)

    def _set_flags(self, head: Head, index: int) -> None:
        self._parsed.flags_by = head.token
        if index and self._parsed.add is not None and self._parsed.add.row.code:
            self._parsed.fail("flags come from ADD, which has an operation", head.token.span)

    def _pipe(self, head: Head, destination: Destination, sources: tuple[Source, ...]) -> int:
        """0 for ADD, 1 for MUL."""
        rows = _PIPES[head.name]
        pipes = [index for index in (0, 1) if rows[index] is not None]
        if head.name in _PREFER_MUL:
            pipes.reverse()
        if head.name in _MOVES and self._needs_mul(head, destination, sources):
            pipes = [index for index in pipes if index == 1]
        free = [index for index in pipes if self._parsed.halves[index] is None]
        if not free:
            pipe = "ADD" if pipes == [0] else "MUL" if pipes == [1] else "pipe"
            self._parsed.fail(f"there is no free {pipe} for {head.name}", head.token.span)
        return free[0]

    def _needs_mul(self, head: Head, destination: Destination, sources: tuple[Source, ...]) -> bool:
        """Whether only MUL can move like this."""
        if destination.rotation or any(source.rotation for source in sources):
            return True
        pack = destination.pack or head.pack
        if pack is None or pack.mul_pack is None:
            return False
        return pack.is_float or (destination.pack is not None and not destination.is_file_a)

    def _move_row(self, head: Head, row: Operation, index: int, sources: tuple[Source, ...]) -> Operation:
        """Moves from file A that unpack floats need an operation on floats; the sources become two."""
        if head.name not in _MOVES:
            return row
        source = sources[0]
        is_float = source.unpack is not None and source.unpack.is_float and source.address is not None
        return ADD["fmin"] if is_float and index == 0 else row

    def _check_types(self, row: Operation, sources: tuple[Source, ...]) -> None:
        """Suffixes that name a type fit the operation; r4 is always unpacked to floats."""
        for source in sources:
            if source.unpack is None or not source.unpack.type:
                continue
            to_float = row.takes_float or source.accumulator is not None
            if source.unpack.is_float != to_float:
                kind = "floats" if to_float else "integers"
                self._parsed.fail(f"{row.name} takes {kind}, so '{source.unpack.text}' is not possible", source.span)
