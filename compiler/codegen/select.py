"""Instruction selection: IR instructions to machine instructions, by rules with priorities.

A rule belongs to an opcode; it looks at an instruction of that kind and returns a function that emits
its code, or None.  Rules are pure.  The highest priority wins; two matching rules of one priority are a
mistake, which `RuleSet.conflicts` finds for tests.

Code is emitted backwards, from the last block and the last instruction on, because then an instruction's
readers come before it: what nobody asked for as a register (what a rule computed along with its root, what an
operand swallowed, see `operands.py`) is never emitted, and rules need not say what they read.  Phis become
registers that every predecessor copies to a second register of their own first, so that no order of the
copies can be wrong; the allocator makes most of these copies vanish.  Critical edges must have been split.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from compiler.codegen.operands import Modifiers, Operand, components_of, lanes_of, see_through
from compiler.codegen.registers import Register, RegisterClass
from compiler.diagnostics import Span
from compiler.ir import ops
from compiler.ir.block_order import postorder
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.records import dataclass
from compiler.trace import show

#: Looks at an instruction; None when the rule does not apply.
Matcher = Callable[[Instruction], "Callable[[Emitter], None] | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule to compute instructions of an opcode."""

    name: str
    op: Opcode
    priority: int
    match: Matcher


class NoRule(Exception):
    """An instruction that no rule of the target matches: legalisation should have removed it."""

    def __init__(self, instruction: Instruction) -> None:
        super().__init__(f"no rule selects {instruction.op.name} with type {instruction.type}")
        self.instruction = instruction


class RuleSet:
    """The rules of a target."""

    def __init__(self) -> None:
        self._rules: dict[Opcode, list[Rule]] = {}

    def rule(self, *opcodes: Opcode, priority: int = 0) -> Callable[[Matcher], Matcher]:
        """Decorator: the function is a rule for these opcodes."""

        def register(match: Matcher) -> Matcher:
            for op in opcodes:
                self.add(Rule(getattr(match, "__name__", op.name), op, priority, match))
            return match

        return register

    def add(self, rule: Rule) -> None:
        rules = self._rules.setdefault(rule.op, [])
        rules.append(rule)
        rules.sort(key=lambda row: -row.priority)

    def find(self, instruction: Instruction) -> Callable[[Emitter], None]:
        """The answer of the first rule that applies."""
        for rule in self._rules.get(instruction.op, ()):
            match = rule.match(instruction)
            if match is not None:
                return match
        raise NoRule(instruction)

    def conflicts(self, instruction: Instruction) -> list[tuple[Rule, Rule]]:
        """Pairs of rules of one priority that both match; a test asserts that there are none."""
        matching = [rule for rule in self._rules.get(instruction.op, ()) if rule.match(instruction) is not None]
        return [
            (first, second)
            for index, first in enumerate(matching)
            for second in matching[index + 1 :]
            if first.priority == second.priority
        ]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A place whose register number has a value added to it (`Use.relative`)."""

    place: AnyRegister
    index: Value


class SelectionTarget(Protocol):
    """What selection must know of a target."""

    @property
    def rules(self) -> RuleSet: ...

    @property
    def modifiers(self) -> Modifiers: ...

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        """What an operand names instead of loading: a uniform, an input register; None when a rule must load."""
        ...

    def register_class(self, value: Instruction) -> RegisterClass:
        """Where the value of an instruction may live."""
        ...

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        """A plain move."""
        ...


class Emitter:
    """Where rules put machine instructions, and where values are found."""

    __slots__ = ("_registers", "function", "made", "span", "target")

    def __init__(self, target: SelectionTarget, function: MachineFunction) -> None:
        self.target = target
        self.function = function
        #: The instructions of the rule at work, and the place in the source of what it computes.
        self.made: list[MachineInstruction] = []
        self.span: Span | None = None
        self._registers: dict[Instruction, VirtualRegister] = {}

    # values --------------------------------------------------------------------------------
    def register(self, value: Instruction) -> VirtualRegister:
        """The register of a value, made when first asked for."""
        if value not in self._registers:
            self._registers[value] = self.temporary(value.type.width, self.target.register_class(value))
            self._registers[value].span = value.span
        return self._registers[value]

    def is_wanted(self, value: Instruction) -> bool:
        """Whether an emitted instruction reads the value."""
        return value in self._registers

    def temporary(self, width: int, register_class: RegisterClass, *, ordered: bool = False) -> VirtualRegister:
        """A register of the emitted code's own."""
        return self.function.new_register(width, register_class, ordered=ordered, span=self.span)

    def define(self, value: Instruction) -> Def:
        """The definition of all components of a value."""
        return Def(self.register(value), tuple(range(value.type.width)))

    def use(self, value: Value, lanes: Lanes | None = None, *, width: int | None = None) -> Use:
        """A source that reads `lanes` of a value: by default all, repeated for `width` lanes if it is a scalar."""
        if lanes is None:
            lanes = lanes_of(value, value.type.width if width is None else width)
        return self.use_operand(see_through(value, lanes, self.target.modifiers))

    def use_operand(self, operand: Operand) -> Use:
        """The source for an operand."""
        base = operand.base
        if isinstance(base, Constant):
            return _literal([_component(operand, lane) for lane in operand.lanes])
        assert isinstance(base, Instruction)
        place = self.target.place(base) if base.op is ops.LOAD else None
        if isinstance(place, Indexed):
            relative = self.use(place.index)
            return Use(place.place, operand.lanes, operand.negate, operand.absolute, relative)
        return Use(self.register(base) if place is None else place, operand.lanes, operand.negate, operand.absolute)

    # instructions --------------------------------------------------------------------------
    def emit(
        self,
        op: MachineOp,
        defs: Sequence[Def] = (),
        uses: Sequence[Use] = (),
        *,
        targets: Sequence[MachineBlock] = (),
        conditional: bool = False,
        **attributes: Any,
    ) -> MachineInstruction:
        """Append an instruction to what is being emitted."""
        made = MachineInstruction(
            op, defs, uses, attributes=attributes, targets=targets, conditional=conditional, span=self.span
        )
        self.made.append(made)
        return made

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        made = self.target.copy(target, source)
        made.span = self.span
        self.made.append(made)
        return made

    def move(self, value: Value, target: VirtualRegister) -> None:
        """Bring a value to a register of its own; one that is undefined has nothing to bring."""
        operand = see_through(value, lanes_of(value, target.width), self.target.modifiers)
        if isinstance(operand.base, Instruction) and operand.base.op in (ops.CONSTRUCT, ops.INSERT):
            self.gather(value, target)
        elif not (isinstance(operand.base, Constant) and operand.base.is_undef):
            self.copy(Def(target, tuple(range(target.width))), self.use_operand(operand))

    def gather(self, value: Value, target: VirtualRegister | Register) -> None:
        """Put together a `construct` or `insert`: one copy for all components of one origin."""
        groups: dict[tuple[Any, ...], list[tuple[int, Operand]]] = {}
        for component, operand in enumerate(components_of(value, self.target.modifiers)):
            constant = isinstance(operand.base, Constant)
            if constant and _component(operand, operand.lanes[0]) is None:
                continue
            key = () if constant else (operand.base, operand.negate, operand.absolute)
            groups.setdefault(key, []).append((component, operand))
        for members in groups.values():
            components = tuple(component for component, _ in members)
            self.copy(Def(target, components), self._joined([operand for _, operand in members]))

    def _joined(self, operands: list[Operand]) -> Use:
        """One source for scalar operands of one origin, or for several constants."""
        first = operands[0]
        if isinstance(first.base, Constant):
            return _literal([_component(operand, operand.lanes[0]) for operand in operands])
        lanes = tuple(operand.lanes[0] for operand in operands)
        return self.use_operand(Operand(first.base, lanes, first.negate, first.absolute))


def _literal(values: Sequence[float | int | None]) -> Use:
    return Use(Literal32(tuple(values)), tuple(range(len(values))))


def _component(operand: Operand, lane: int | None) -> float | int | None:
    """The number that a lane of an operand reads from a constant."""
    assert isinstance(operand.base, Constant)
    value = None if lane is None else operand.base.components[lane]
    if value is None or isinstance(value, bool):
        return value
    value = abs(value) if operand.absolute else value
    return -value if operand.negate else value


def select(
    function: Function, target: SelectionTarget, make_emitter: Callable[[Any, MachineFunction], Emitter] = Emitter
) -> tuple[MachineFunction, dict[Block, MachineBlock]]:
    """Machine code on virtual registers for `function`, and the machine block of every block.

    A machine whose values are not components of registers brings an emitter of its own.
    """
    out = MachineFunction(function.name)
    blocks = {block: out.add_block(block.name) for block in function.blocks}
    for block, made in blocks.items():
        made.successors = [blocks[successor] for successor in block.successors]
    selection = _Selection(make_emitter(target, out), blocks)
    # In postorder: every block before those that dominate it.
    for block in postorder(function.entry, lambda block: block.successors):
        selection.block(block)
    show("select", out)
    return out, blocks


class _Selection:
    """Selection of one function in progress."""

    def __init__(self, emitter: Emitter, blocks: dict[Block, MachineBlock]) -> None:
        self.emitter = emitter
        self.blocks = blocks
        #: The registers that the predecessors of phis write.
        self.phi_inputs: dict[Instruction, VirtualRegister] = {}

    def block(self, block: Block) -> None:
        """Emit a block, last instruction first."""
        chunks: list[list[MachineInstruction]] = []
        for instruction in reversed(block):
            if instruction.is_terminator:
                chunks.append(self._chunk(instruction, self._terminator))
                chunks.append(self._chunk(instruction, self._copies_to_phis))
            elif instruction.op is ops.PHI:
                chunks.append(self._chunk(instruction, self._phi))
            elif instruction.op.effect == "effect" or self.emitter.is_wanted(instruction):
                chunks.append(self._chunk(instruction, self._plain))
        self.blocks[block].instructions = [made for chunk in reversed(chunks) for made in chunk]

    def _chunk(self, instruction: Instruction, emit: Callable[[Instruction], None]) -> list[MachineInstruction]:
        """What `emit` makes of an instruction."""
        made: list[MachineInstruction] = []
        self.emitter.made, self.emitter.span = made, instruction.span
        emit(instruction)
        return made

    def _plain(self, instruction: Instruction) -> None:
        self.emitter.target.rules.find(instruction)(self.emitter)

    def _terminator(self, instruction: Instruction) -> None:
        self._plain(instruction)
        for made in self.emitter.made:
            if made.op.terminator and not made.targets:
                made.targets = [self.blocks[target] for target in instruction.targets]

    def _phi(self, phi: Instruction) -> None:
        if not phi.users:
            return
        source = self._phi_input(phi)
        lanes = tuple(range(source.width))
        self.emitter.copy(Def(self.emitter.register(phi), lanes), Use(source, lanes))

    def _copies_to_phis(self, terminator: Instruction) -> None:
        block = terminator.block
        assert block is not None
        for successor in dict.fromkeys(block.successors):
            for phi in successor.phis():
                if phi.users:
                    self.emitter.move(phi.operands[phi.attribute.index(block)], self._phi_input(phi))

    def _phi_input(self, phi: Instruction) -> VirtualRegister:
        if phi not in self.phi_inputs:
            register = self.emitter.register(phi)
            self.phi_inputs[phi] = self.emitter.temporary(register.width, register.register_class)
        return self.phi_inputs[phi]
