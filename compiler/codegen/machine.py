"""Machine IR: instructions of a target over virtual and physical registers, in blocks.

Not SSA: a virtual register may be written in parts and several times.  Every operand names a register
and *lanes*: the components that it reads or writes, one after the other.  How the lanes of sources and
result belong together is a fact of the opcode (`MachineOp`), so that the allocator can put a value's
components wherever it likes and rewrite masks and swizzles alone:

* result "each": lane i of the result is computed from lane i of every "each" source, and may go to any
  component; "replicate": one number goes to every component written; "fixed": result component k
  comes out in component k of the register, whatever is written of it.
* source "each": as many lanes as the result has, one for one; "slots": as many lanes as the opcode reads,
  in its own order, any component in any slot; "fixed": the instruction has no swizzle there, so that lane k
  must sit in component k of the register.

The same form serves before and after allocation: `Def` and `Use` then name physical registers.
Lanes that nobody cares for are None in a source (the target fills them as its encoding likes).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.listing import Origins
from glslc_multi.compiler.records import dataclass, field

ResultMode = Literal["each", "replicate", "fixed", "none"]
SourceMode = Literal["each", "slots", "fixed"]


@dataclass(frozen=True, slots=True, eq=False)
class MachineOp:
    """What the shared machinery must know of an opcode; targets derive these from their instruction tables."""

    name: str
    result: ResultMode = "each"
    sources: tuple[SourceMode, ...] = ()
    #: May not be removed when its result is unused.
    effect: bool = False
    #: Ends a block.
    terminator: bool = False
    #: A plain move: source lanes arrive unchanged, so that the allocator may coalesce it.
    copy: bool = False
    #: No component of the result may share a register with a source that is read here.
    early_clobber: bool = False
    #: Pairs (number of the definition, number of the source) that must be one register, component by component:
    #: an instruction that reads what it overwrites.
    tied: tuple[tuple[int, int], ...] = ()
    #: Groups of sources of which no two may be different registers of one bank.
    separate: tuple[tuple[int, ...], ...] = ()
    #: Registers whose contents are lost.
    clobbers: tuple[Register, ...] = ()
    #: Registers beside the operands: flags, ports.
    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()

    def __repr__(self) -> str:
        return self.name


class VirtualRegister:
    """A value before allocation: `width` components of one physical register."""

    __slots__ = ("id", "name", "ordered", "register_class", "span", "width")

    def __init__(
        self,
        id: int,
        width: int,
        register_class: RegisterClass,
        *,
        ordered: bool = False,
        name: str = "",
        span: Span | None = None,
    ) -> None:
        self.id = id
        self.width = width
        self.register_class = register_class
        #: Component k must sit in component k of its register.
        self.ordered = ordered
        #: What it is in the source, for limit messages: a variable's name or nothing.
        self.name = name
        self.span = span

    def __str__(self) -> str:
        return f"%{self.id}"

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Uniform:
    """One register's worth of a uniform, before constants are assigned registers."""

    variable: Variable
    #: Element of the flattened array.
    offset: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"@{self.variable.name}[{self.offset}].{self.column}"


@dataclass(frozen=True, slots=True)
class Literal32:
    """Numbers known at compile time, one for each lane; None where no one cares."""

    values: tuple[float | int | None, ...]

    def __str__(self) -> str:
        return "(" + ", ".join("_" if value is None else repr(value) for value in self.values) + ")"


#: What an operand may name; uniforms and literals get constant registers.
AnyRegister = VirtualRegister | Register | Uniform | Literal32
Lanes = tuple[int | None, ...]


@dataclass(slots=True)
class Def:
    """A register written, and the components that the result's lanes go to."""

    register: VirtualRegister | Register
    lanes: tuple[int, ...] = (0,)


@dataclass(slots=True)
class Use:
    """A register read: for each lane its component.  Negation comes after the absolute value."""

    register: AnyRegister
    lanes: Lanes = (0,)
    negate: bool = False
    absolute: bool = False
    #: Address register added to the register's number, where the target can.
    relative: Use | None = None
    #: What else the target says of the operand (unpack modes, for example).
    extra: Any = None


class MachineInstruction:
    """One operation.  Two in one word are two instructions in one `Slot`."""

    __slots__ = ("attributes", "conditional", "defs", "op", "span", "targets", "uses")

    def __init__(
        self,
        op: MachineOp,
        defs: Sequence[Def] = (),
        uses: Sequence[Use] = (),
        *,
        attributes: Mapping[str, Any] | None = None,
        targets: Sequence[MachineBlock] = (),
        conditional: bool = False,
        span: Span | None = None,
    ) -> None:
        self.op = op
        self.defs = list(defs)
        self.uses = list(uses)
        #: The target's own facts: condition, saturation, sampler, immediate.
        self.attributes: dict[str, Any] = dict(attributes or {})
        self.targets = list(targets)
        #: Writes only some lanes of the wave: what was there before stays, so it is read as well.
        self.conditional = conditional
        self.span = span

    def all_uses(self) -> Sequence[Use]:
        """The operands read, address registers included."""
        for use in self.uses:
            if use.relative is not None:
                return [each for use in self.uses for each in (use, use.relative) if each is not None]
        return self.uses

    def __repr__(self) -> str:
        defs = ", ".join(f"{d.register}{d.lanes}" for d in self.defs)
        uses = ", ".join(f"{'-' if u.negate else ''}{u.register}{u.lanes}" for u in self.uses)
        return f"{self.op.name} {defs} <- {uses}"


def operation_of(instruction: MachineInstruction) -> Hashable:
    """Return what is equal where instructions do the same with the same registers."""
    uses = [(use.register, use.lanes, use.negate, use.absolute, use.extra) for use in instruction.all_uses()]
    defs = [(each.register, each.lanes) for each in instruction.defs]
    indexed = [use.relative is not None for use in instruction.uses]
    return instruction.op, *defs, *uses, *indexed, *instruction.attributes.items()


#: What issues together: reads of all come before writes of all.
Slot = tuple[MachineInstruction, ...]


class MachineBlock:
    """Instructions in order; control leaves through the terminators at the end, else to the next block."""

    __slots__ = ("id", "instructions", "name", "slots", "successors")

    def __init__(self, name: str, id: int) -> None:
        self.name = name
        self.id = id
        self.instructions: list[MachineInstruction] = []
        #: After bundling: the words, in order.  None before.
        self.slots: list[Slot] | None = None
        self.successors: list[MachineBlock] = []

    @property
    def words(self) -> Sequence[Slot]:
        """The slots; before bundling every instruction is one."""
        return [(instruction,) for instruction in self.instructions] if self.slots is None else self.slots

    def append(self, instruction: MachineInstruction) -> MachineInstruction:
        self.instructions.append(instruction)
        return instruction

    def __repr__(self) -> str:
        return f"^{self.name}"


@dataclass(slots=True, eq=False)
class MachineFunction:
    """A program of one target."""

    name: str
    blocks: list[MachineBlock] = field(default_factory=list)
    registers: list[VirtualRegister] = field(default_factory=list)
    #: Physical registers that hold a value at the start, with their components.
    live_in: dict[Register, tuple[int, ...]] = field(default_factory=dict)
    #: Physical registers that someone reads after the end, with their components.
    live_out: dict[Register, tuple[int, ...]] = field(default_factory=dict)

    @property
    def entry(self) -> MachineBlock:
        return self.blocks[0]

    def add_block(self, name: str) -> MachineBlock:
        block = MachineBlock(name, len(self.blocks))
        self.blocks.append(block)
        return block

    def new_register(
        self,
        width: int,
        register_class: RegisterClass,
        *,
        ordered: bool = False,
        name: str = "",
        span: Span | None = None,
    ) -> VirtualRegister:
        register = VirtualRegister(len(self.registers), width, register_class, ordered=ordered, name=name, span=span)
        self.registers.append(register)
        return register

    def instructions(self) -> Iterator[MachineInstruction]:
        for block in self.blocks:
            yield from block.instructions

    def predecessors(self) -> dict[MachineBlock, list[MachineBlock]]:
        result: dict[MachineBlock, list[MachineBlock]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in dict.fromkeys(block.successors):
                result[successor].append(block)
        return result


def origins_of(instructions: Iterable[MachineInstruction]) -> Origins:
    """The places that the instructions of a word come from, each once."""
    spans = [instruction.span for instruction in instructions if instruction.span is not None]
    return tuple(dict.fromkeys(spans)) if len(spans) > 1 else tuple(spans)
