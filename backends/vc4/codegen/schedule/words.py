"""Instructions of machine code as words: which may share one, and its fields.

A word takes one or two instructions of the ALUs, and one that is but a signal. What an instruction asks of a word,
wherever its values are, is its `Claim`: mostly bits, of which some exclude others. Which ports its operands need, and
which file its result, depends on their places; these are numbers (`place_of`, `target_of`), since the search for
registers asks often, and what is asked of the ports is bits as well (`Ports`).  A `Draft` is a word at work: `join`
takes in one instruction more, or says that no word does all of it; `encode` gives the fields.

The ports read one address of each file, a small immediate takes the place of the second, each half writes one file, and
a word has one access to TMU, tile buffer or special functions.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from backends.vc4.codegen.machine_ops import (
    ACCUMULATORS,
    FLAGS,
    IMM,
    IN_B,
    LOAD_IMMEDIATE,
    OUT,
    PORT,
    R4,
    R5,
    A,
    B,
    condition_of,
)
from backends.vc4.isa import registers
from backends.vc4.isa.encoding import FILE_A, FILE_B, IDLE, Alu, Half, Load
from backends.vc4.isa.formats import NOWHERE
from backends.vc4.isa.instructions import ADD, MUL, ROTATE_BY_R5, Condition, Signal, small_immediate
from backends.vc4.isa.registers import R0
from compiler.codegen.machine import Def, Literal32, MachineInstruction, Uniform, Use, VirtualRegister
from compiler.codegen.registers import Register

#: Members of enumerations, since to find one takes its time.
_ALWAYS, _NEVER, _NO_SIGNAL, _SMALL_IMMEDIATE = Condition.ALWAYS, Condition.NEVER, Signal.NONE, Signal.SMALL_IMMEDIATE
#: The codes of operations for each half; moves are operations of two equal operands.
_CODES = {
    "add": {name: row.code for name, row in ADD.items()} | {"mov": ADD["or"].code},
    "mul": {name: row.code for name, row in MUL.items()} | {"mov": MUL["v8min"].code},
}

# --- Claims -----------------------------------------------------------------------------------------------------------

(
    ADD_HALF, MUL_HALF, ANY_HALF, FULL, ALONE, SIGNAL, IMMEDIATE, SETS_FLAGS, PACKS, PACKS_A, UNPACKS,
    SPECIAL, TILE, STREAM, PARAMETER, DIRECT, VARYING, VPM_SETUP, VPM_DATA,
) = (1 << number for number in range(19))  # fmt: skip
#: r4 as each of the modes of unpacking has it.
_R4_FIRST, _R4_MODES = 1 << 19, 8
_R4_ANY = (_R4_FIRST << _R4_MODES) - _R4_FIRST
_EVERYTHING = (_R4_FIRST << _R4_MODES) - 1
_FIRST_OF_PORTS = _R4_MODES + 19
HALVES = ADD_HALF | MUL_HALF | ANY_HALF

#: Claim -> the claims of other instructions that it excludes.  The table is symmetric but for halves.
_RIVALS: Mapping[int, int] = {
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
#: What an operand is that comes from the stream.
_STREAM_WORDS = (Uniform, Literal32)
#: Where writes of one ADD go that take their second operand from the stream.
_EXACT = (OUT[registers.TMU.start], OUT[registers.UNIFORM_ADDRESS])
#: What the last three words of a program may not do.
NOT_AT_END = STREAM | PARAMETER | VARYING | VPM_SETUP | VPM_DATA


class Claim(NamedTuple):
    """What an instruction asks of a word, wherever its values are."""

    made: MachineInstruction
    bits: int
    #: The claims that it cannot share a word with.
    rivals: int
    condition: Condition
    #: By how many lanes MUL rotates its operands, where it does.
    rotation: int | None


def claim_of(made: MachineInstruction) -> Claim:
    """The claim of an instruction, whose operands may be virtual registers still."""
    attributes = made.attributes
    bits = _claims_of_attributes(made) if attributes else _half_of(made.op.name, None, FLAGS in made.op.writes)
    for use in made.uses:
        bits |= _claim_of_source(use)
    for definition in made.defs:
        bits |= _claim_of_target(definition)
    return Claim(made, bits, _rivals_of(bits), condition_of(made), attributes.get("rotate"))


@lru_cache(maxsize=1024)
def _rivals_of(bits: int) -> int:
    """The claims that an instruction with these cannot share a word with."""
    rivals = ALONE
    for bit, excluded in _RIVALS.items():
        if bits & bit:
            rivals |= excluded
    return rivals | _R4_ANY & ~bits if bits & _R4_ANY else rivals


def _claims_of_attributes(made: MachineInstruction) -> int:
    """What is claimed whatever the operands are."""
    attributes = made.attributes
    signal = attributes.get("signal")
    if made.op is LOAD_IMMEDIATE:
        bits = ALONE
    elif signal is not None:
        bits = SIGNAL | (SPECIAL if any(d.register == R4 for d in made.defs) else 0)
        bits |= TILE if signal == Signal.LOADC else 0
    else:
        bits = _half_of(made.op.name, attributes.get("half"), FLAGS in made.op.writes)
    if "slots" in attributes:
        bits |= PARAMETER
    if "pack" in attributes:
        bits |= PACKS if attributes["pack"][0] else PACKS | PACKS_A
    if "rotate" in attributes:
        bits |= IMMEDIATE
    if "waddr" in attributes:
        bits |= SPECIAL
    # The driver knows reads from memory and resets of the stream by their form.
    if attributes.get("half") == "add" and any(d.register in _EXACT for d in made.defs):
        bits |= DIRECT
    return bits


@cache
def _half_of(name: str, half: str | None, sets_flags: bool) -> int:
    """The ALU that does an operation, of which but one `half` may be wanted."""
    if name == "nop":
        return 0
    by_add = name in ADD or name == "mov" if half is None else half == "add"
    by_mul = name in MUL or name == "mov" if half is None else half == "mul"
    if sets_flags:
        # Flags are those of ADD, unless it does nothing.
        return SETS_FLAGS | (ADD_HALF if by_add else MUL_HALF | FULL)
    return ANY_HALF if by_add and by_mul else ADD_HALF if by_add else MUL_HALF


def _claim_of_source(use: Use) -> int:
    place = use.register
    if isinstance(place, VirtualRegister):
        return 0
    if isinstance(place, _STREAM_WORDS):
        return STREAM
    if place == R4:
        return _R4_FIRST << (use.extra or 0) | (UNPACKS if use.extra else 0)
    if isinstance(place, Register) and place.file is IMM:
        return IMMEDIATE
    if isinstance(place, Register) and place.file is PORT:
        return {registers.VARYING_READ: VARYING, registers.VPM: VPM_DATA}.get(place.index, 0)
    return 0


def _claim_of_target(definition: Def) -> int:
    place = definition.register
    if not isinstance(place, Register) or place.file is not OUT:
        return 0
    number = place.index % IN_B
    if number in registers.TLB:
        return SPECIAL | (TILE if number in registers.TLB_LOCKING else 0)
    if number in registers.TMU:
        return SPECIAL
    return {registers.VPM: VPM_DATA, registers.VPM_SETUP: VPM_SETUP}.get(number, 0)


# --- Places -----------------------------------------------------------------------------------------------------------

#: Places that are read, as numbers: the port in the upper bits, the address on it in the lower ones.  Behind the last
#: port, what either can read: words of the stream, and other queues.
_PORT_SHIFT = 6
_ADDRESS = (1 << _PORT_SHIFT) - 1
ON_A, ON_B, ON_NONE, ON_IMMEDIATE = (port << _PORT_SHIFT for port in range(4))
_ON_EITHER = 1 << 8
_WORD_SHIFT = 9
_A_READS, _READS_OF_BOTH = (38, 41, 42), (registers.UNIFORM_READ, registers.VARYING_READ, registers.VPM)
_B_WRITES = (40, 41, 42, 49, 50)
#: Places that are written: the address, and above it the files that have it.
_IN_FILE_A, _IN_FILE_B = 1 << 6, 2 << 6
ANYWHERE = NOWHERE | _IN_FILE_A | _IN_FILE_B
Words = dict[Hashable, int]


def place_of(use: Use, words: Words) -> int:
    """The number of a place that is read; `words` numbers the words of the stream, equal ones alike."""
    place = use.register
    if isinstance(place, _STREAM_WORDS):
        return _shared(registers.UNIFORM_READ, words.setdefault((place, use.lanes), len(words)))
    assert isinstance(place, Register)
    if place.file is not PORT:
        return place_of_register(place)
    if place.index in _READS_OF_BOTH:
        return _shared(place.index, 0)
    return ON_B + place.index - IN_B if place.index >= IN_B else place.index


def place_of_register(place: Register) -> int:
    """The number of a register, or of a small immediate."""
    return _FIRST_PLACES[place.file.name] + place.index


def port_of(place: int) -> int | None:
    """The port that a place needs: 0 or 1; None if any will do, or none."""
    if place < ON_B:
        return 0
    return 1 if place < ON_NONE or ON_IMMEDIATE <= place < _ON_EITHER else None


def register_of_place(place: int) -> Register:
    """The register of a file, or the accumulator, of this number."""
    return (A, B, ACCUMULATORS)[place >> _PORT_SHIFT][place & _ADDRESS]


def _shared(queue: int, word: int) -> int:
    return queue | _ON_EITHER | word << _WORD_SHIFT


_FIRST_PLACES = {
    A.name: ON_A,
    B.name: ON_B,
    ACCUMULATORS.name: ON_NONE,
    R4.file.name: ON_NONE + 4,
    R5.file.name: ON_NONE + 5,
    IMM.name: ON_IMMEDIATE,
}


def target_of(made: MachineInstruction) -> int:
    """The number of the place that an instruction writes."""
    waddr: int | None = made.attributes.get("waddr")
    if waddr is not None:
        return waddr | _IN_FILE_A | _IN_FILE_B
    if not made.defs or "signal" in made.attributes:
        return ANYWHERE
    place = made.defs[0].register
    assert isinstance(place, Register)
    if place.file is not OUT:
        return target_of_place(place_of_register(place))
    if place.index >= IN_B:
        return place.index - IN_B | _IN_FILE_B
    return place.index | _IN_FILE_A | (0 if place.index in _B_WRITES else _IN_FILE_B)


def target_of_place(place: int) -> int:
    """The same for the number of a register that is read."""
    if place < ON_B:
        return place | _IN_FILE_A
    return place - ON_B | _IN_FILE_B if place < ON_NONE else R0 + place - ON_NONE | _IN_FILE_A | _IN_FILE_B


def is_in_file(target: int) -> bool:
    """Whether a register of a file is written."""
    return target & _ADDRESS < registers.FILE_SIZE


def register_of_target(target: int) -> Register:
    """The register of a file, or the accumulator, that is written."""
    number = target & _ADDRESS
    if number >= R0:
        return ACCUMULATORS[number - R0]
    return A[number] if target & _IN_FILE_A else B[number]


# --- Words ------------------------------------------------------------------------------------------------------------


#: What takes a port, of which a word has two: addresses of each file (a small immediate is one of file B), and queues,
#: which either port can read.
_TAKES_A, _TAKES_B, _TAKES_UNIFORM, _TAKES_VARYING, _TAKES_ROW = (1 << _FIRST_OF_PORTS + n for n in range(5))
_TAKES = 31 << _FIRST_OF_PORTS
_PORTS = 2
_QUEUES = {
    registers.UNIFORM_READ: _TAKES_UNIFORM,
    registers.VARYING_READ: _TAKES_VARYING,
    registers.VPM: _TAKES_ROW,
}
#: The first bit of addresses of file A, of file B and its immediates, and of words of the stream, and the size of the
#: numbers, which take twice as many bits: see `_address`.
_ADDRESSES_OF_A = _FIRST_OF_PORTS + 5, 6
_ADDRESSES_OF_B = _FIRST_OF_PORTS + 17, 8
_ADDRESSES_OF_STREAM = _FIRST_OF_PORTS + 33, 24


class Ports(NamedTuple):
    """What the operands of an instruction, at these places, ask of the ports."""

    reads: tuple[int, ...]
    #: What takes ports, and from which addresses; the bits that it cannot share a word with.
    bits: int = 0
    rivals: int = 0
    #: Places that are not read, or rotated, by the word behind one that writes them, as a set.
    late: int = 0


@lru_cache(maxsize=4096)
def ports_of(reads: tuple[int, ...], rotation: int | None) -> Ports | None:
    """What an instruction asks of the ports; None if no word can read all its operands."""
    late = 0
    if rotation is not None:
        late = sum(1 << place for place in set(reads) if place < ON_IMMEDIATE)
        reads = (*reads, ON_IMMEDIATE + ROTATE_BY_R5 + rotation)
    bits = rivals = 0
    for place in reads:
        asked, excluded = _asked(place)
        if bits & excluded:
            return None
        bits, rivals = bits | asked, rivals | excluded
        if place < ON_NONE:
            late |= 1 << place
    return Ports(reads, bits, rivals, late) if (bits & _TAKES).bit_count() <= _PORTS else None


@lru_cache(maxsize=4096)
def _asked(place: int) -> tuple[int, int]:
    """The bits of a place that is read, and those that it excludes."""
    if place >= _ON_EITHER:
        queue = _QUEUES[place & _ADDRESS]
        if queue != _TAKES_UNIFORM:
            return queue, 0
        return _address(queue, place >> _WORD_SHIFT, *_ADDRESSES_OF_STREAM)
    port = port_of(place)
    if port is None:
        return 0, 0
    return _address(_TAKES_B, place, *_ADDRESSES_OF_B) if port else _address(_TAKES_A, place, *_ADDRESSES_OF_A)


def _address(takes: int, number: int, first: int, size: int) -> tuple[int, int]:
    """What takes a port with a number: both its bits and their opposites, and what excludes it: the same the other way
    round, since two numbers differ where a bit of one is the opposite of the other's."""
    opposite = number ^ (1 << size) - 1
    return takes | (number << size | opposite) << first, (opposite << size | number) << first


class Draft:
    """A word at work.  All but the place of the latest result is settled."""

    __slots__ = ("bits", "claims", "reads", "targets")

    def __init__(
        self,
        bits: int = 0,
        claims: tuple[Claim, ...] = (),
        reads: tuple[Sequence[int], ...] = (),
        targets: tuple[int, ...] = (),
    ) -> None:
        #: What is claimed, and asked of the ports.
        self.bits = bits
        self.claims = claims
        #: By instruction: places of its operands and of its result.
        self.reads = reads
        self.targets = targets

    @property
    def takes_stream(self) -> bool:
        """Whether it takes words of the uniform stream."""
        return bool(self.bits & (STREAM | PARAMETER))

    def join(self, claim: Claim, ports: Ports) -> Draft | None:
        """The word with one instruction more, whose result is not written yet; None where there is none."""
        known = self.bits
        if known & claim.rivals or known & ports.rivals:
            return None
        bits = known | claim.bits | ports.bits
        if (bits & _TAKES).bit_count() > _PORTS:
            return None
        if known & HALVES and claim.bits & HALVES:
            bits |= FULL
        return Draft(bits, (*self.claims, claim), (*self.reads, ports.reads), (*self.targets, ANYWHERE))

    def write(self, target: int) -> bool:
        """Let the latest instruction write there, if each half can write its file, and no register is written twice
        in one lane."""
        others = self.targets[:-1]
        if target != ANYWHERE:
            for taken, other in zip(others, self.claims, strict=False):
                if taken != ANYWHERE and not _may_share(target, self.claims[-1], taken, other):
                    return False
        self.targets = (*others, target)
        return True

    # fields --------------------------------------------------------------------------------
    def encode(self) -> Alu | Load:
        """The fields of the word."""
        if self.bits & ALONE:
            return self._load(self.claims[0].made.attributes["immediate"])
        if self._is_constant():
            return self._load(small_immediate(self.reads[0][0] - ON_IMMEDIATE))
        add, mul = self._arranged()
        pm, pack = self._attribute(PACKS, "pack", (0, 0))
        unpack = ((self.bits & _R4_ANY) // _R4_FIRST).bit_length() - 1 if self.bits & UNPACKS else 0
        raddr_a, raddr_b, muxes = self._ports([self.reads[half] for half in (add, mul) if half is not None])
        sets_flags = bool(self.bits & SETS_FLAGS)
        # Where MUL alone sets the flags, ADD has the condition always.
        idle = Half() if sets_flags else IDLE
        first = idle if add is None else self._half("add", add, muxes)
        second = IDLE if mul is None else self._half("mul", mul, muxes)
        is_of_mul, swap = int(bool(pm or unpack)), self._write_swap(add, mul)
        return Alu(first, second, self._signal(), raddr_a, raddr_b, unpack, is_of_mul, pack, int(sets_flags), swap)

    def _signal(self) -> int:
        if self.bits & IMMEDIATE:
            return _SMALL_IMMEDIATE
        signal: int = self._attribute(SIGNAL, "signal", _NO_SIGNAL)
        return signal

    def _attribute(self, bit: int, name: str, default: Any) -> Any:
        """An attribute of the instruction that claims something, of which a word has one."""
        if not self.bits & bit:
            return default
        return next(claim.made.attributes[name] for claim in self.claims if claim.bits & bit)

    def _is_constant(self) -> bool:
        """Whether all that is done is to move a small immediate, which assemblers make a load of."""
        return len(self.claims) == 1 and self.claims[0].bits == ANY_HALF | IMMEDIATE

    def _load(self, immediate: int) -> Load:
        target = self.targets[0]
        return Load(immediate, target & _ADDRESS, cond_add=self.claims[0].condition, ws=int(not target & _IN_FILE_A))

    def _arranged(self) -> tuple[int | None, int | None]:
        """The numbers of the instructions that ADD and MUL do."""
        halves = [number for number, claim in enumerate(self.claims) if claim.bits & HALVES]
        if not halves:
            return None, None
        first = halves[0]
        # The first one is done by ADD if that suits both; what sets flags claims the half whose flags they are.
        is_straight = self.claims[first].bits & (ADD_HALF | ANY_HALF)
        if len(halves) == 1:
            return (first, None) if is_straight else (None, first)
        second = halves[1]
        is_straight = is_straight and self.claims[second].bits & (MUL_HALF | ANY_HALF)
        return (first, second) if is_straight else (second, first)

    @staticmethod
    def _ports(reads: Sequence[Sequence[int]]) -> tuple[int, int, dict[int, int]]:
        """Addresses of the ports, and where operands come from that either port can read: file A first, as
        assemblers have it."""
        addresses = [NOWHERE, NOWHERE]
        muxes: dict[int, int] = {}
        for places in reads:
            for place in places:
                if place >= _ON_EITHER:
                    muxes[place] = FILE_A
                elif (port := port_of(place)) is not None:
                    addresses[port] = place & _ADDRESS
        for place in muxes:
            port = int(addresses[0] != NOWHERE)
            addresses[port], muxes[place] = place & _ADDRESS, (FILE_A, FILE_B)[port]
        return addresses[0], addresses[1], muxes

    def _half(self, which: str, number: int, muxes: Mapping[int, int]) -> Half:
        claim, target, reads = self.claims[number], self.targets[number] & _ADDRESS, self.reads[number]
        made = claim.made
        count = len(made.uses)
        a = _mux(reads[0], muxes) if count else 0
        b = _mux(reads[1], muxes) if count > 1 else a
        writes = target != NOWHERE or claim.bits & SETS_FLAGS
        return Half(_CODES[which][made.op.name], target, a, b, claim.condition if writes else _NEVER)

    def _write_swap(self, add: int | None, mul: int | None) -> int:
        """The bit that sends each result to its file."""
        first = ANYWHERE if add is None else self.targets[add]
        second = ANYWHERE if mul is None else self.targets[mul]
        return int(not (first & _IN_FILE_A and second & _IN_FILE_B))


def _may_share(target: int, claim: Claim, taken: int, other: Claim) -> bool:
    """Whether two instructions of one word may write these places."""
    if not ((taken & _IN_FILE_A and target & _IN_FILE_B) or (taken & _IN_FILE_B and target & _IN_FILE_A)):
        return False
    number = taken & _ADDRESS
    if number != target & _ADDRESS or number < R0:
        return True
    is_inverse = claim.condition > _ALWAYS and claim.condition ^ 1 == other.condition
    return number in registers.ACCUMULATORS and is_inverse


def _mux(place: int, muxes: Mapping[int, int]) -> int:
    """The operand field of a place."""
    if place >= _ON_EITHER:
        return muxes[place]
    port = place >> _PORT_SHIFT
    return (FILE_A, FILE_B, place & _ADDRESS, FILE_B)[port]


def draft_of(instructions: Sequence[MachineInstruction]) -> Draft | None:
    """The word of instructions on physical registers; None if there is none that does all of them."""
    words: Words = {}
    draft: Draft | None = Draft()
    for made in instructions:
        assert draft is not None
        claim = claim_of(made)
        ports = ports_of(tuple(place_of(use, words) for use in made.uses), claim.rotation)
        draft = None if ports is None else draft.join(claim, ports)
        if draft is None or not draft.write(target_of(made)):
            return None
    return draft


def word_of(instructions: Sequence[MachineInstruction]) -> Alu | Load | None:
    """The fields of that word."""
    draft = draft_of(instructions)
    return None if draft is None else draft.encode()
