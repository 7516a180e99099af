"""Instructions of a line, with names resolved: parts of an ALU instruction, a load, or a branch."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.vc4.isa.asm.expressions import integer_of, word_of
from glslc_multi.backends.vc4.isa.asm.operands import Operands, Scope, head_of
from glslc_multi.backends.vc4.isa.asm.syntax import Dash, Expression, Instruction, LabelUse, Lanes, Operand, Part
from glslc_multi.backends.vc4.isa.encoding import Alu, Branch, Load
from glslc_multi.backends.vc4.isa.instructions import LANES, LoadMode
from glslc_multi.backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES
from glslc_multi.backends.vc4.isa.text.alu import (
    MOVES,
    NOPS,
    PIPES,
    SIGNAL_NAMES,
    OperationPart,
    ReadPart,
    SignalPart,
    alu_of,
)
from glslc_multi.backends.vc4.isa.text.alu import Part as AluPart
from glslc_multi.backends.vc4.isa.text.operands import BRANCHES, LOADS, Head
from glslc_multi.backends.vc4.isa.text.words import SEMAPHORES, BranchText, LoadText, lane_values, semaphore
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import Place, Word, not_encodable, unexpected, unknown
from glslc_multi.compiler.records import dataclass

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

    def __init__(self, line: Line, scope: Scope) -> None:
        self._line = line
        self._scope = scope

    def read(self, instruction: Instruction, start: Place) -> Alu | Load | Branch | LabelledBranch:
        """The line's instruction."""
        first = instruction.parts[0]
        special = None if first is None else self._special(first, is_alone=not instruction.semicolons)
        if special is None:
            return alu_of(self._parts(instruction), start)
        if instruction.semicolons:
            raise self._line.unexpected("nothing else on the line", instruction.semicolons[0].end())
        return special

    # --- Parts of an ALU instruction ----------------------------------------------------------------------------------

    def _parts(self, instruction: Instruction) -> Iterator[AluPart]:
        for part in instruction.parts:
            if part is not None:
                yield self._part(part, Operands(self._line, self._scope, part))

    def _part(self, part: Part, operands: Operands) -> AluPart:
        name = part.head[0].partition(".")[0]
        signal = SIGNAL_NAMES.get(name)
        if signal is not None:
            if part.head[0] != name:
                raise unexpected(part.head, "a signal without suffix", "one")
            operands.end()
            return SignalPart(signal, part.head.span())
        head = head_of(part.head)
        if name == "read":
            source = operands.source("a number")
            if source.address is None or source.unpack is not None or source.rotation:
                raise unexpected(source.place, "a register of a file", f"'{source.name}'")
            operands.end()
            return ReadPart(source)
        if name not in PIPES:
            raise not_encodable(f"{name} cannot share an instruction", head.place)
        if head.name in NOPS and not operands.left:
            return OperationPart(head)
        is_move = head.name in MOVES
        destinations = operands.destinations(may_be_two=is_move and len(operands.left) > 2)
        row = PIPES[head.name][0] or PIPES[head.name][1]
        assert row is not None
        sources = [operands.source("','") for _ in range(1 if is_move else row.operands)]
        operands.end()
        return OperationPart(head, destinations, sources)

    # --- Words that fill a line ---------------------------------------------------------------------------------------

    def _special(self, part: Part, is_alone: bool) -> Load | Branch | LabelledBranch | None:
        """A load, semaphore operation or branch; None if the line holds none."""
        name = part.head[0].partition(".")[0]
        if name in BRANCHES:
            # `brr link, target`, or in full `brr link, link, register, offset`.
            head = head_of(part.head)
            operands = Operands(self._line, self._scope, part)
            has_two = self._has_two_links(operands.left)
            links = [operands.destination() for _ in range(2 if has_two else 1)]
            target: Operand | None = operands.take("','")
            register = self._register(target)
            if register is not None or (isinstance(target, Dash) and operands.left):
                target = operands.take("") if operands.left else None
            operands.end()
            if isinstance(target, LabelUse):
                return LabelledBranch(BranchText(head, links, register, 0).instruction(), target.word)
            if target is None or isinstance(target, Dash):
                return BranchText(head, links, register, 0).instruction()
            offset = integer_of(operands.number(target), self._scope.symbols, "the offset", -(1 << 31), (1 << 32) - 1)
            return BranchText(head, links, register, offset).instruction()
        if name in LOADS or (name == "mov" and is_alone and self._moves_constant(part)):
            return self._load(head_of(part.head), Operands(self._line, self._scope, part))
        return None

    def _moves_constant(self, part: Part) -> bool:
        """Whether the last operand is no register."""
        if len(part.operands) < 2:
            return False
        last = part.operands[-1]
        return not isinstance(last, LabelUse) and not self._scope.is_source(last)

    def _load(self, head: Head, operands: Operands) -> Load:
        """`ldi d, value`, `ldi d1, d2, value`, `sacq d, n`."""
        if head.unpack is not None:
            raise not_encodable("a load has no source to unpack", head.place)
        destinations = operands.destinations(may_be_two=True)
        mode, immediate = self._immediate(head, operands)
        operands.end()
        return LoadText(head, destinations, mode, immediate).instruction()

    def _immediate(self, head: Head, operands: Operands) -> tuple[LoadMode, int]:
        """The mode of a load, and its 32 bits."""
        operand = operands.take("','")
        if isinstance(operand, Lanes) and head.name not in _SEMAPHORE_NAMES:
            # Sixteen numbers of two bits: `[0, 1, ...]`.
            values = [integer_of(value, self._scope.symbols, "the number of a lane", -2, 3) for value in operand.values]
            if len(values) != LANES:
                raise unexpected(operand.place, f"{LANES} numbers", str(len(values)))
            if max(values) > 1 and min(values) < 0:
                raise not_encodable("the numbers of lanes are -2 to 1, or 0 to 3", operand.place)
            return lane_values(values)
        value = operands.number(operand)
        if head.name in _SEMAPHORE_NAMES:
            number = integer_of(value, self._scope.symbols, "the semaphore", 0, SEMAPHORES - 1)
            return semaphore(number, acquires=head.name == "sacq")
        name = value.sole_name
        if name[:4] in _SEMAPHORE_NAMES and name[4:].isdigit():
            # `sacq5` in the place of a value.
            digits = name[4:]
            if len(digits) > 2 or int(digits) >= SEMAPHORES:
                raise unknown("semaphore", value.place, name)
            return semaphore(int(digits), acquires=name.startswith("sacq"))
        return LoadMode.VALUE, word_of(value, self._scope.symbols)

    # --- Branches -----------------------------------------------------------------------------------------------------

    def _has_two_links(self, operands: list[Operand]) -> bool:
        """Whether the second operand is a link register: it is none of file A, or a later operand is such a one."""
        if len(operands) < 3:
            return False
        return len(operands) > 3 or self._register(operands[1]) is None or self._register(operands[2]) is not None

    def _register(self, operand: Operand | None) -> int | None:
        """The register of file A that a target is relative to; None if it is none."""
        name = operand.sole_name if isinstance(operand, Expression) else ""
        address = READ_ADDRESSES.get(self._scope.aliases.get(name, name))
        is_register = address is not None and address.files == "A" and address.number < FILE_SIZE
        return address.number if address is not None and is_register else None
