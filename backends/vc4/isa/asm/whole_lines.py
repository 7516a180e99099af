"""Reads instructions that fill a line: loads, semaphore operations, branches."""

from __future__ import annotations

from backends.vc4.isa.asm.operands import ACCUMULATORS, BRANCHES, LOADS, Head, OperandReader
from backends.vc4.isa.asm.parsed import Destination, write_swap
from backends.vc4.isa.encoding import Branch, Load
from backends.vc4.isa.formats import NOWHERE
from backends.vc4.isa.instructions import LANES, BranchCondition, Condition, LoadMode
from backends.vc4.isa.registers import FILE_SIZE, READ_ADDRESSES, WRITE_ADDRESSES
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY, VC4_NOT_ENCODABLE
from compiler.isa.lines import Token
from compiler.records import dataclass

#: Bit of a semaphore's number.
_ACQUIRE = 16
_SEMAPHORES = 16


@dataclass(frozen=True, slots=True)
class LabelledBranch:
    """A branch whose target is a label."""

    branch: Branch
    label: Token


def with_target(parsed: LabelledBranch, address: int, own_address: int) -> Branch:
    """The branch to a label."""
    if parsed.branch.relative:
        return parsed.branch._replace(immediate=address - own_address - 32)
    return parsed.branch._replace(immediate=address)


class WholeLineReader(OperandReader):
    """Reads a line that is one load, semaphore operation or branch."""

    # --- Words that fill a line ---------------------------------------------------------------------------------------

    def _special(self, is_alone: bool) -> Load | Branch | LabelledBranch | None:
        """A load, semaphore operation or branch; None if the line holds none."""
        name = self._line.token.text.partition(".")[0]
        if name in BRANCHES:
            return self._branch(self._head())
        if name in LOADS:
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
        return name not in READ_ADDRESSES and name not in ACCUMULATORS

    def _load(self, head: Head) -> Load:
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
        return self._line.token.kind == "name" and self._base_name(self._line.token) in WRITE_ADDRESSES

    def _finished_load(self, head: Head, destinations: list[Destination], mode: LoadMode, immediate: int) -> Load:
        sets_flags = head.sets_flags or any(destination.sets_flags for destination in destinations)
        conditions = []
        packs = set()
        for index, destination in enumerate(destinations):
            condition = self._condition(head, destination)
            is_idle = destination.address.number == NOWHERE and not sets_flags
            conditions.append(Condition.NEVER if is_idle else condition)
            packs.add(self._packing(head, destination, index, None))
        packs.discard((0, 0))
        if len(packs) > 1:
            self._line.fail(VC4_NOT_ENCODABLE, head.token.span, problem="an instruction has one pack mode")
        pm, pack = next(iter(packs), (0, 0))
        second = len(destinations) > 1
        return Load(
            immediate,
            destinations[0].address.number,
            destinations[1].address.number if second else NOWHERE,
            conditions[0],
            conditions[1] if second else Condition.NEVER,
            mode,
            pm,
            pack,
            int(sets_flags),
            write_swap(self._parsed, list(destinations)),
        )

    def _immediate(self, head: Head) -> tuple[LoadMode, int]:
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

    def _branch(self, head: Head) -> Branch | LabelledBranch:
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
        return branch if label is None else LabelledBranch(branch, label)

    def _second_link_follows(self) -> bool:
        """Whether the next operand is a link register: it is none of file A, or a third operand is such a one."""
        rest = [token.text for token in self._line.rest]
        if "," not in rest[:-1]:
            return False
        is_register = self._is_branch_register(rest[0])
        return not is_register or rest.count(",") > 1 or self._is_branch_register(rest[rest.index(",") + 1])

    def _is_branch_register(self, name: str) -> bool:
        address = READ_ADDRESSES.get(self._aliases.get(name, name))
        return address is not None and address.files == "A" and address.number < FILE_SIZE

    def _branch_register(self) -> int | None:
        """The register of file A that a target is relative to; None if there is none."""
        token = self._line.token
        if token.kind == "name" and self._is_branch_register(token.text):
            self._line.take()
            return READ_ADDRESSES[self._base_name(token)].number
        if self._line.is_at("-") and self._line.is_followed_by(","):
            self._line.take()
            self._line.expect(",")
        return None

    def _finished_branch(self, head: Head, links: list[Destination], register: int | None, immediate: int) -> Branch:
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
            waddr_add=links[0].address.number,
            waddr_mul=links[1].address.number if len(links) > 1 else NOWHERE,
            ws=write_swap(self._parsed, list(links)),
        )
