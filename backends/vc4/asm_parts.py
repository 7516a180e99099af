"""Reads the parts of a line: ALU instructions, moves, signals, loads, semaphores, branches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from backends.vc4.asm_draft import Destination, Draft, HalfDraft, Source, write_swap
from backends.vc4.asm_suffixes import BRANCH_CONDITIONS, SET_FLAGS, Mode, condition_of, mode_of
from backends.vc4.asm_text import Line, Number, Token
from backends.vc4.formats import NOWHERE
from backends.vc4.instruction import Alu, Branch, Instruction, Load
from backends.vc4.isa import (
    ADD,
    LANES,
    MUL,
    ROTATE_BY_R5,
    SIGNALS,
    BranchCondition,
    Condition,
    LoadMode,
    Operation,
    Signal,
)
from backends.vc4.registers import FILE_SIZE, READ_PLACES, WRITE_PLACES, Place
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY, VC4_NOT_ENCODABLE

ACCUMULATORS: Mapping[str, int] = {f"r{number}": number for number in range(6)}
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
_LOADS = ("ldi", "sacq", "srel")
_BRANCHES = ("bra", "brr")
MNEMONICS: tuple[str, ...] = (*_PIPES, *_SIGNAL_NAMES, *_LOADS, *_BRANCHES, "read")
#: Bit of a semaphore's number.
_ACQUIRE = 16
_SEMAPHORES = 16


@dataclass(frozen=True, slots=True)
class BranchDraft:
    """A branch whose target is a label."""

    branch: Branch
    label: Token


@dataclass(slots=True)
class _Head:
    """A mnemonic with its suffixes."""

    token: Token
    name: str
    condition: Condition | None = None
    sets_flags: bool = False
    pack: Mode | None = None
    pack_text: str = ""
    unpack: Mode | None = None


class PartReader:
    """Reads one line with the names that `.set` has defined."""

    def __init__(self, line: Line, symbols: Mapping[str, Number], aliases: Mapping[str, str]) -> None:
        self._line = line
        self._symbols = symbols
        self._aliases = aliases
        self._draft = Draft(line)

    def read(self) -> Instruction | BranchDraft:
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
        return self._draft.instruction()

    # --- Words that fill a line ---------------------------------------------------------------------------------------

    def _special(self, is_alone: bool) -> Load | Branch | BranchDraft | None:
        """A load, semaphore operation or branch; None if the line holds none."""
        name = self._line.token.text.partition(".")[0]
        if name in _BRANCHES:
            return self._branch(self._head())
        if name in _LOADS:
            return self._load(self._head())
        if name == "mov" and is_alone and self._moves_constant():
            return self._load(self._head())
        return None

    def _moves_constant(self) -> bool:
        """Whether the last operand of the line is no register."""
        tokens = self._line.tokens
        last = max((index for index, token in enumerate(tokens) if token.text == ","), default=len(tokens) - 1)
        operand = tokens[last + 1 :] if tokens[-1].text != "]" else tokens[-1:]
        if not operand or operand[0].kind != "name":
            return bool(operand) and operand[0].kind != "label"
        name = self._base_name(operand[0])
        return name not in READ_PLACES and name not in ACCUMULATORS

    def _load(self, head: _Head) -> Load:
        """`ldi d, value`, `ldi d1, d2, value`, `sacq d, n`."""
        if head.unpack is not None:
            self._line.fail(VC4_NOT_ENCODABLE, head.token.span, problem="a load has no source to unpack")
        destinations = [self._destination()]
        self._line.expect(",")
        if self._starts_destination():
            destinations.append(self._destination())
            self._line.expect(",")
        mode, immediate = self._immediate(head)
        return self._finished_load(head, destinations, mode, immediate)

    def _starts_destination(self) -> bool:
        """Whether a second destination follows."""
        if self._line.is_at("-"):
            return self._line.is_followed_by(",")
        return self._line.token.kind == "name" and self._base_name(self._line.token) in WRITE_PLACES

    def _finished_load(self, head: _Head, destinations: list[Destination], mode: LoadMode, immediate: int) -> Load:
        sets_flags = head.sets_flags or any(destination.sets_flags for destination in destinations)
        conditions = []
        packs = set()
        for index, destination in enumerate(destinations):
            condition = self._condition(head, destination)
            is_idle = destination.place.number == NOWHERE and not sets_flags
            conditions.append(Condition.NEVER if is_idle else condition)
            packs.add(self._packing(head, destination, index, None))
        packs.discard((0, 0))
        if len(packs) > 1:
            self._line.fail(VC4_NOT_ENCODABLE, head.token.span, problem="an instruction has one pack mode")
        pm, pack = next(iter(packs), (0, 0))
        second = len(destinations) > 1
        return Load(
            immediate,
            destinations[0].place.number,
            destinations[1].place.number if second else NOWHERE,
            conditions[0],
            conditions[1] if second else Condition.NEVER,
            mode,
            pm,
            pack,
            int(sets_flags),
            write_swap(self._draft, list(destinations)),
        )

    def _immediate(self, head: _Head) -> tuple[LoadMode, int]:
        """The mode of a load, and its 32 bits."""
        if head.name in ("sacq", "srel"):
            number = self._line.integer(self._symbols, "the semaphore", 0, _SEMAPHORES - 1)
            return LoadMode.SEMAPHORE, number | (_ACQUIRE if head.name == "sacq" else 0)
        if self._line.is_at("["):
            return self._lane_values()
        token = self._line.token
        if token.kind == "name" and token.text[:4] in ("sacq", "srel") and token.text[4:].isdigit():
            self._line.take()
            number = int(token.text[4:6])
            if len(token.text) > 6 or number >= _SEMAPHORES:
                self._line.unknown("semaphore", token.text, token.span, ())
            return LoadMode.SEMAPHORE, number | (_ACQUIRE if token.text.startswith("sacq") else 0)
        return LoadMode.VALUE, self._line.word(self._symbols)

    def _lane_values(self) -> tuple[LoadMode, int]:
        """Sixteen numbers of two bits: `[0, 1, ...]`."""
        start = self._line.expect("[")
        values = [self._line.integer(self._symbols, "the number of a lane", -2, 3)]
        while self._line.accept(","):
            values.append(self._line.integer(self._symbols, "the number of a lane", -2, 3))
        self._line.expect("]")
        if len(values) != LANES:
            self._line.fail(INVALID_ASSEMBLY, start.span, expected=f"{LANES} numbers", found=str(len(values)))
        is_unsigned = max(values) > 1
        if is_unsigned and min(values) < 0:
            self._line.fail(VC4_NOT_ENCODABLE, start.span, problem="the numbers of lanes are -2 to 1, or 0 to 3")
        bits = sum((value & 1) << lane | (value >> 1 & 1) << LANES + lane for lane, value in enumerate(values))
        return LoadMode.UNSIGNED if is_unsigned else LoadMode.SIGNED, bits

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, head: _Head) -> Branch | BranchDraft:
        """`brr link, target`, or in full `brr link, link, register, offset`."""
        links = [self._destination()]
        self._line.expect(",")
        register: int | None = None
        if self._second_link_follows():
            links.append(self._destination())
            self._line.expect(",")
        register = self._branch_register()
        label: Token | None = None
        immediate = 0
        if register is None or self._line.accept(","):
            if self._line.token.kind == "label":
                label = self._line.take()
            elif self._line.is_at("-") and len(self._line.rest) == 1:
                self._line.take()
            else:
                immediate = self._line.integer(self._symbols, "the offset", -(1 << 31), (1 << 32) - 1)
        branch = self._finished_branch(head, links, register, immediate)
        return branch if label is None else BranchDraft(branch, label)

    def _second_link_follows(self) -> bool:
        """Whether the next operand is a link register: it is none of file A, or a third operand is such a one."""
        rest = [token.text for token in self._line.rest]
        if "," not in rest[:-1]:
            return False
        is_register = self._is_branch_register(rest[0])
        return not is_register or rest.count(",") > 1 or self._is_branch_register(rest[rest.index(",") + 1])

    def _is_branch_register(self, name: str) -> bool:
        place = READ_PLACES.get(self._aliases.get(name, name))
        return place is not None and place.files == "A" and place.number < FILE_SIZE

    def _branch_register(self) -> int | None:
        """The register of file A that a target is relative to; None if there is none."""
        token = self._line.token
        if token.kind == "name" and self._is_branch_register(token.text):
            self._line.take()
            return READ_PLACES[self._base_name(token)].number
        if self._line.is_at("-") and self._line.is_followed_by(","):
            self._line.take()
            self._line.expect(",")
        return None

    def _finished_branch(self, head: _Head, links: list[Destination], register: int | None, immediate: int) -> Branch:
        raddr = register or 0
        if head.sets_flags and register is not None and not raddr & 1:
            help = "the lowest bit of the register's number is the flag"
            self._line.fail(
                VC4_NOT_ENCODABLE, head.token.span, help=help, problem="a branch by an even register sets no flags"
            )
        return Branch(
            immediate - (1 << 32) if immediate >= 1 << 31 else immediate,
            cond=BranchCondition.ALWAYS if head.condition is None else head.condition,
            relative=int(head.name == "brr"),
            use_register=int(register is not None),
            raddr_a=raddr | head.sets_flags,
            waddr_add=links[0].place.number,
            waddr_mul=links[1].place.number if len(links) > 1 else NOWHERE,
            ws=write_swap(self._draft, list(links)),
        )

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
        elif head.name in (*_LOADS, *_BRANCHES):
            problem = f"{head.name} cannot share an instruction"
            self._line.fail(VC4_NOT_ENCODABLE, head.token.span, problem=problem)
        else:
            self._line.unknown("instruction", head.name, head.token.span, MNEMONICS)

    def _add_signal(self, signal: Signal, head: _Head) -> None:
        if self._draft.signal != Signal.NONE:
            self._draft.fail("an instruction has one signal", head.token.span)
        if head.token.text != head.name:
            self._line.fail(INVALID_ASSEMBLY, head.token.span, expected="a signal without suffix", found="one")
        self._draft.signal = signal

    def _read(self) -> None:
        source = self._source()
        if source.place is None or source.unpack is not None or source.rotation:
            self._line.fail(INVALID_ASSEMBLY, source.span, expected="a register of a file", found=f"'{source.name}'")
        self._draft.reads.append(source)

    def _operation(self, head: _Head) -> None:
        is_move = head.name in _MOVES
        if head.name in _NOPS and self._line.is_at_part_end:
            self._place(head, Destination(), ())
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
            self._place(head, destination, tuple(sources))

    def _more_follows(self) -> bool:
        """Whether this part has one more comma."""
        marks = [token.text for token in self._line.rest if token.text in (",", ";")]
        return marks[:1] == [","]

    def _sources(self, head: _Head) -> list[Source]:
        row = _PIPES[head.name][0] or _PIPES[head.name][1]
        assert row is not None
        found = []
        for _ in range(row.operands):
            self._line.expect(",")
            found.append(self._source())
        return found

    def _unpack_all(self, head: _Head, sources: list[Source]) -> None:
        """The suffix `.unpack...` of a mnemonic: of what is read from file A, else of r4."""
        if head.unpack is None:
            return
        found = [source for source in sources if source.place is not None and "A" in source.place.files]
        found = found or [source for source in sources if source.accumulator == 4]
        if not found:
            self._draft.fail("only registers of file A and r4 can be unpacked", head.token.span)
        for source in found:
            source.unpack = head.unpack

    def _place(self, head: _Head, destination: Destination, sources: tuple[Source, ...]) -> None:
        """Put an operation into one of the halves."""
        index = self._pipe(head, destination, sources)
        row = _PIPES[head.name][index]
        assert row is not None
        row = self._move_row(head, row, index, sources)
        self._check_types(row, sources)
        pm, pack = self._packing(head, destination, index, row)
        half = HalfDraft(row, head.token, destination, sources, self._condition(head, destination), pm, pack)
        if pack and any(other is not None and other.pack for other in self._draft.halves):
            self._draft.fail("an instruction has one pack mode", head.token.span)
        if index:
            self._draft.mul = half
        else:
            self._draft.add = half
        if head.sets_flags or destination.sets_flags:
            self._set_flags(head, index)

    def _set_flags(self, head: _Head, index: int) -> None:
        self._draft.flags_by = head.token
        if index and self._draft.add is not None and self._draft.add.row.code:
            self._draft.fail("flags come from ADD, which has an operation", head.token.span)

    def _pipe(self, head: _Head, destination: Destination, sources: tuple[Source, ...]) -> int:
        """0 for ADD, 1 for MUL."""
        rows = _PIPES[head.name]
        wanted = [index for index in (0, 1) if rows[index] is not None]
        if head.name in _PREFER_MUL:
            wanted.reverse()
        if head.name in _MOVES and self._needs_mul(head, destination, sources):
            wanted = [index for index in wanted if index == 1]
        free = [index for index in wanted if self._draft.halves[index] is None]
        if not free:
            pipe = "ADD" if wanted == [0] else "MUL" if wanted == [1] else "pipe"
            self._draft.fail(f"there is no free {pipe} for {head.name}", head.token.span)
        return free[0]

    def _needs_mul(self, head: _Head, destination: Destination, sources: tuple[Source, ...]) -> bool:
        """Whether only MUL can move like this."""
        if destination.rotation or any(source.rotation for source in sources):
            return True
        pack = destination.pack or head.pack
        if pack is None or pack.mul_pack is None:
            return False
        return pack.is_float or (destination.pack is not None and not destination.is_file_a)

    def _move_row(self, head: _Head, row: Operation, index: int, sources: tuple[Source, ...]) -> Operation:
        """Moves from file A that unpack floats need an operation on floats; the sources become two."""
        if head.name not in _MOVES:
            return row
        source = sources[0]
        is_float = source.unpack is not None and source.unpack.is_float and source.place is not None
        return ADD["fmin"] if is_float and index == 0 else row

    def _check_types(self, row: Operation, sources: tuple[Source, ...]) -> None:
        """Suffixes that name a type fit the operation; r4 is always unpacked to floats."""
        for source in sources:
            if source.unpack is None or not source.unpack.type:
                continue
            to_float = row.takes_float or source.accumulator is not None
            if source.unpack.is_float != to_float:
                kind = "floats" if to_float else "integers"
                self._draft.fail(f"{row.name} takes {kind}, so '{source.unpack.text}' is not possible", source.span)

    def _condition(self, head: _Head, destination: Destination) -> Condition:
        found = {head.condition, destination.condition} - {None}
        if len(found) > 1:
            self._draft.fail("a half has one condition", head.token.span)
        return next((condition for condition in found if condition is not None), Condition.ALWAYS)

    def _packing(self, head: _Head, destination: Destination, index: int, row: Operation | None) -> tuple[int, int]:
        """The bit pm and the pack code of a half; loads have no row."""
        pack = destination.pack or head.pack
        if pack is None:
            return 0, 0
        span = head.token.span if destination.span is None else destination.span
        on_mnemonic = destination.pack is None
        gives_float = row is not None and row.gives_float
        file_pack = pack.file_pack
        if file_pack is not None and (on_mnemonic or destination.is_file_a or file_pack == 0):
            if pack.type and file_pack and pack.is_float != gives_float:
                kind = "a float" if gives_float else "an integer"
                self._draft.fail(f"the result is {kind}, so '{pack.text}' is not possible", span)
            # As in vc4asm, which takes this suffix for the one without saturation.
            return 0, 2 if on_mnemonic and pack.text == "16bs" else file_pack
        if pack.mul_pack is None:
            self._draft.fail(f"'{pack.text}' needs a destination in file A", span)
        if index == 0:
            self._draft.fail(f"'{pack.text}' is of MUL's results, or of a destination in file A", span)
        return 1, pack.mul_pack

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _head(self) -> _Head:
        token = self._line.need("name", "an instruction")
        name, *suffixes = token.text.split(".")
        head = _Head(token, name)
        for suffix in suffixes:
            self._head_suffix(head, suffix)
        return head

    def _head_suffix(self, head: _Head, suffix: str) -> None:
        if head.name in _BRANCHES and suffix in BRANCH_CONDITIONS:
            head.condition = BRANCH_CONDITIONS[suffix]  # type: ignore[assignment]
            return
        condition = None if head.name in _BRANCHES else condition_of(suffix, if_only=True)
        if suffix in SET_FLAGS:
            head.sets_flags = True
        elif condition is not None:
            head.condition = condition
        elif suffix.startswith("unpack") and (mode := mode_of(suffix[6:])) and mode.unpack is not None:
            head.unpack = mode
        elif suffix.startswith("pack") and suffix != "pack32si" and (mode := mode_of(suffix[4:])) is not None:
            head.pack = self._valid_pack(mode, head.token)
        else:
            self._line.unknown("suffix", suffix, head.token.span, (*SET_FLAGS, "ifz", "ifnz", *BRANCH_CONDITIONS))

    def _valid_pack(self, mode: Mode, token: Token) -> Mode:
        if mode.file_pack is None and mode.mul_pack is None:
            self._line.unknown("pack mode", mode.text, token.span, ())
        return mode

    def _base_name(self, token: Token) -> str:
        """An operand's name without suffixes, `.set` names resolved."""
        name = token.text.partition(".")[0]
        return self._aliases.get(name, name)

    def _destination(self) -> Destination:
        if mark := self._line.accept("-"):
            return Destination(span=mark.span)
        token = self._line.need("name", "a destination")
        name, *suffixes = token.text.split(".")
        name = self._aliases.get(name, name)
        place = WRITE_PLACES.get(name)
        if place is None:
            self._line.unknown("destination", name, token.span, WRITE_PLACES)
        destination = Destination(place, name, token.span)
        for suffix in suffixes:
            self._destination_suffix(destination, suffix, token)
        destination.rotation = self._rotation(is_source=False)
        return destination

    def _destination_suffix(self, destination: Destination, suffix: str, token: Token) -> None:
        condition = condition_of(suffix, if_only=False)
        mode = mode_of(suffix)
        if suffix in SET_FLAGS:
            destination.sets_flags = True
        elif condition is not None:
            destination.condition = condition
        elif mode is not None:
            destination.pack = self._valid_pack(mode, token)
        else:
            self._line.unknown("suffix", suffix, token.span, (*SET_FLAGS, "ifz", "ifnz", "8abcd"))

    def _source(self) -> Source:
        token = self._line.token
        name = self._base_name(token) if token.kind == "name" else ""
        accumulator, place = ACCUMULATORS.get(name), READ_PLACES.get(name)
        if accumulator is None and place is None:
            return self._constant(token)
        self._line.take()
        source = Source(token.text, token.span, accumulator, place)
        for suffix in token.text.split(".")[1:]:
            mode = mode_of(suffix)
            if mode is None or mode.unpack is None:
                self._line.unknown("unpack mode", suffix, token.span, ())
            source.unpack = self._checked_unpack(source, mode)
        source.rotation = self._rotation(is_source=True)
        return source

    def _checked_unpack(self, source: Source, mode: Mode) -> Mode:
        is_unpacked = source.accumulator == 4 or (source.place is not None and "A" in source.place.files)
        if mode.unpack and not is_unpacked:
            self._draft.fail("only registers of file A and r4 can be unpacked", source.span)
        return mode

    def _constant(self, token: Token) -> Source:
        if token.kind == "name" and token.text not in self._symbols:
            self._line.unknown("register or constant", token.text, token.span, (*READ_PLACES, *ACCUMULATORS))
        word = self._line.word(self._symbols)
        return Source(f"0x{word:x}" if token.kind == "name" else token.text, token.span, constant=word)

    def _rotation(self, is_source: bool) -> int:
        """The code of `<< n` or `>> n` behind a register; 0 if there is none."""
        mark = self._line.accept("<<", ">>")
        if mark is None:
            return 0
        if self._line.token.text == "r5":
            self._line.take()
            if not is_source or mark.text == ">>":
                self._draft.fail("a rotation by r5 is written 'source << r5'", mark.span)
            return ROTATE_BY_R5
        amount = self._line.integer(self._symbols, "the rotation", 1, LANES - 1)
        # Behind a source the shift tells where the lanes come from, behind a destination where they go.
        goes_up = (mark.text == "<<") != is_source
        return ROTATE_BY_R5 + (amount if goes_up else LANES - amount)


def with_target(draft: BranchDraft, address: int, own_address: int) -> Branch:
    """The branch to a label."""
    if draft.branch.relative:
        return replace(draft.branch, immediate=address - own_address - 32)
    return replace(draft.branch, immediate=address)


__all__ = ["MNEMONICS", "Alu", "BranchDraft", "PartReader", "Place", "with_target"]
