"""Instructions of a line, with names resolved: parts of an ALU instruction, a load, or a branch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backends.vc4.isa.asm.expressions import Symbols, integer_of, word_of
from backends.vc4.isa.asm.operands import OperandReader, head_of, unknown_name
from backends.vc4.isa.asm.syntax import Dash, Expression, Instruction, LabelUse, Lanes, Operand, Part
from backends.vc4.isa.encoding import Alu, Branch, Load
from backends.vc4.isa.instructions import LANES, LoadMode
from backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES
from backends.vc4.isa.text.alu import MOVES, NOPS, PIPES, SIGNAL_NAMES, OperationPart, ReadPart, SignalPart, alu_of
from backends.vc4.isa.text.alu import Part as AluPart
from backends.vc4.isa.text.operands import BRANCHES, LOADS, Destination, Head, not_encodable
from backends.vc4.isa.text.words import SEMAPHORES, BranchText, LoadText, lane_values, semaphore
from compiler.isa.assembly import Line, Word, unexpected
from compiler.records import dataclass

_SEMAPHORE_NAMES = ("sacq", "srel")


@dataclass(frozen=True, slots=True)
class LabelledBranch:
    """A branch whose target is a label."""

    branch: Branch
    label: Word


def with_target(labelled: LabelledBranch, address: int, own_address: int) -> Branch:
    """The branch to a label."""
    if labelled.branch.relative:
        return labelled.branch._replace(immediate=address - own_address - 32)
    return labelled.branch._replace(immediate=address)


class InstructionReader:
    """Reads one line with the names that `.set` has defined."""

    def __init__(self, line: Line, symbols: Symbols, aliases: Mapping[str, str]) -> None:
        self._line = line
        self._symbols = symbols
        self._aliases = aliases
        self._operands = OperandReader(line, symbols, aliases)

    def read(self, instruction: Instruction, start: Word) -> Alu | Load | Branch | LabelledBranch:
        """The line's instruction."""
        first = instruction.parts[0]
        special = None if first is None else self._special(first, is_alone=not instruction.semicolons)
        if special is None:
            return alu_of(self._parts(instruction.parts), start.span())
        if instruction.semicolons:
            raise self._line.unexpected("nothing else on the line", instruction.semicolons[0].end())
        return special

    # --- Parts of an ALU instruction ----------------------------------------------------------------------------------

    def _parts(self, parts: Sequence[Part | None]) -> Iterator[AluPart]:
        for part in parts:
            if part is not None:
                yield self._part(part)

    def _part(self, part: Part) -> AluPart:
        head = head_of(part.head)
        signal = SIGNAL_NAMES.get(head.name)
        if signal is not None:
            if part.head[0] != head.name:
                raise unexpected(part.head, "a signal without suffix", "one")
            self._end(part, 0)
            return SignalPart(signal, head.place)
        if head.name == "read":
            return self._read(part)
        if head.name not in PIPES:
            raise not_encodable(f"{head.name} cannot share an instruction", head.place)
        return self._operation(part, head)

    def _read(self, part: Part) -> ReadPart:
        self._need(part, 1, "a number")
        source = self._operands.source(part.operands[0])
        if source.address is None or source.unpack is not None or source.rotation:
            raise unexpected(source.place, "a register of a file", f"'{source.name}'")
        self._end(part, 1)
        return ReadPart(source)

    def _operation(self, part: Part, head: Head) -> OperationPart:
        if head.name in NOPS and not part.operands:
            return OperationPart(head)
        destinations, rest = self._destinations(part, may_be_two=head.name in MOVES and len(part.operands) > 2)
        count = 1 if head.name in MOVES else _source_count(head.name)
        self._need(part, len(destinations) + count, "','")
        sources = [self._operands.source(operand) for operand in rest[:count]]
        self._end(part, len(destinations) + count)
        return OperationPart(head, destinations, sources)

    def _destinations(self, part: Part, may_be_two: bool) -> tuple[list[Destination], list[Operand]]:
        """One destination or two, and the operands after them."""
        self._need(part, 1, "a destination")
        destinations = [self._operands.destination(part.operands[0])]
        if may_be_two and self._starts_destination(part.operands):
            destinations.append(self._operands.destination(part.operands[1]))
        return destinations, part.operands[len(destinations) :]

    def _starts_destination(self, operands: Sequence[Operand]) -> bool:
        """Whether the second operand is a destination; a `-` in the end is none."""
        second = operands[1]
        return len(operands) > 2 if isinstance(second, Dash) else self._operands.is_destination(second)

    def _need(self, part: Part, count: int, expected: str) -> None:
        """A part has so many operands."""
        if len(part.operands) < count:
            raise self._line.unexpected(expected, part.end.start())

    def _end(self, part: Part, count: int) -> None:
        """A part has no more operands."""
        if len(part.operands) > count:
            start = part.commas[count - 1].start() if count else part.head.end()
            raise self._line.unexpected("';' or the end of the line", start)

    # --- Words that fill a line ---------------------------------------------------------------------------------------

    def _special(self, part: Part, is_alone: bool) -> Load | Branch | LabelledBranch | None:
        """A load, semaphore operation or branch; None if the line holds none."""
        name = part.head[0].partition(".")[0]
        if name in BRANCHES:
            return self._branch(part, head_of(part.head))
        if name in LOADS or (name == "mov" and is_alone and self._moves_constant(part)):
            return self._load(part, head_of(part.head))
        return None

    def _moves_constant(self, part: Part) -> bool:
        """Whether the last operand is no register."""
        if len(part.operands) < 2:
            return False
        last = part.operands[-1]
        return not isinstance(last, LabelUse) and not self._operands.is_source(last)

    def _load(self, part: Part, head: Head) -> Load:
        """`ldi d, value`, `ldi d1, d2, value`, `sacq d, n`."""
        if head.unpack is not None:
            raise not_encodable("a load has no source to unpack", head.place)
        destinations, rest = self._destinations(part, may_be_two=len(part.operands) > 1)
        self._need(part, len(destinations) + 1, "','")
        mode, immediate = self._immediate(head, rest[0])
        self._end(part, len(destinations) + 1)
        return LoadText(head, destinations, mode, immediate).instruction()

    def _immediate(self, head: Head, operand: Operand) -> tuple[LoadMode, int]:
        """The mode of a load, and its 32 bits."""
        if isinstance(operand, Lanes) and head.name not in _SEMAPHORE_NAMES:
            return self._lane_values(operand)
        if not isinstance(operand, Expression):
            self._operands.unexpected("a number", operand)
        if head.name in _SEMAPHORE_NAMES:
            number = integer_of(operand, self._symbols, "the semaphore", 0, SEMAPHORES - 1)
            return semaphore(number, acquires=head.name == "sacq")
        name = operand.name
        if name is not None and name[0][:4] in _SEMAPHORE_NAMES and name[0][4:].isdigit() and not operand.rest:
            return _named_semaphore(name)
        return LoadMode.VALUE, word_of(operand, self._symbols)

    def _lane_values(self, lanes: Lanes) -> tuple[LoadMode, int]:
        """Sixteen numbers of two bits: `[0, 1, ...]`."""
        values = [integer_of(value, self._symbols, "the number of a lane", -2, 3) for value in lanes.values]
        if len(values) != LANES:
            raise unexpected(lanes.opening, f"{LANES} numbers", str(len(values)))
        if max(values) > 1 and min(values) < 0:
            raise not_encodable("the numbers of lanes are -2 to 1, or 0 to 3", lanes.opening)
        return lane_values(values)

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _branch(self, part: Part, head: Head) -> Branch | LabelledBranch:
        """`brr link, target`, or in full `brr link, link, register, offset`."""
        links, rest = self._links(part)
        self._need(part, len(links) + 1, "','")
        register = self._branch_register(rest[0])
        if register is not None or (isinstance(rest[0], Dash) and len(rest) > 1):
            rest = rest[1:]
        self._end(part, len(part.operands) - len(rest) + 1)
        if rest and isinstance(rest[0], LabelUse):
            return LabelledBranch(BranchText(head, links, register, 0).instruction(), rest[0].word)
        return BranchText(head, links, register, self._offset(rest)).instruction()

    def _links(self, part: Part) -> tuple[list[Destination], list[Operand]]:
        """The link registers, and the operands after them."""
        self._need(part, 1, "a destination")
        count = 2 if self._has_two_links(part.operands) else 1
        links = [self._operands.destination(operand) for operand in part.operands[:count]]
        return links, part.operands[count:]

    def _offset(self, rest: Sequence[Operand]) -> int:
        """What is added to the register, or the target itself; `-` is nothing."""
        if not rest or isinstance(rest[0], Dash):
            return 0
        if not isinstance(rest[0], Expression):
            self._operands.unexpected("a number", rest[0])
        return integer_of(rest[0], self._symbols, "the offset", -(1 << 31), (1 << 32) - 1)

    def _has_two_links(self, operands: Sequence[Operand]) -> bool:
        """Whether the second operand is a link register: it is none of file A, or a later operand is such a one."""
        if len(operands) < 3:
            return False
        is_register = self._branch_register(operands[1]) is not None
        return not is_register or len(operands) > 3 or self._branch_register(operands[2]) is not None

    def _branch_register(self, operand: Operand) -> int | None:
        """The register of file A that a target is relative to; None if it is none."""
        name = operand.name if isinstance(operand, Expression) and not operand.rest else None
        if name is None:
            return None
        address = READ_ADDRESSES.get(self._aliases.get(name[0], name[0]))
        is_register = address is not None and address.files == "A" and address.number < FILE_SIZE
        return address.number if address is not None and is_register else None


def _source_count(name: str) -> int:
    row = PIPES[name][0] or PIPES[name][1]
    assert row is not None
    return row.operands


def _named_semaphore(name: Word) -> tuple[LoadMode, int]:
    """`sacq5` in the place of a value."""
    digits = name[0][4:]
    if len(digits) > 2 or int(digits) >= SEMAPHORES:
        raise unknown_name("semaphore", name[0], name)
    return semaphore(int(digits), acquires=name[0].startswith("sacq"))
