"""Rematerialisation (Briggs, Cooper and Torczon, "Rematerialization", 1992): values that are cheap to compute again,
constants, uniforms and read-only inputs, are computed where they are read instead of being kept.

Goes in: code whose registers do not suffice at some point.  Comes out: the same code in which some values, whose
definitions may be repeated, are computed anew after that point and are not live across it.
"""

from __future__ import annotations

from compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)
from compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register
from compiler.forms import Form
from compiler.records import dataclass, field

_AGAIN = Form(__name__, "made again before a reader")
_DROPPED = Form(__name__, "made before its readers only")


@dataclass(slots=True)
class _Value:
    """A virtual register: who writes and who reads it, by number of the instruction."""

    register: VirtualRegister
    makers: list[tuple[int, MachineBlock, MachineInstruction]] = field(default_factory=list)
    readers: list[tuple[int, MachineBlock, MachineInstruction]] = field(default_factory=list)
    #: Whether its makers may be repeated anywhere.
    constant: bool = True

    def repeatable(self) -> bool:
        """Whether all makers stand in one block with no other reader among them."""
        if not self.constant or not self.makers:
            return False
        first, last = self.makers[0], self.makers[-1]
        own = {index for index, _, _ in self.makers}
        together = all(block is first[1] for _, block, _ in self.makers)
        return together and not any(first[0] <= index <= last[0] and index not in own for index, _, _ in self.readers)


def rematerialise(
    function: MachineFunction, bundles: LiveBundles, failed: LiveBundle, peak: int, count: int, model: RegisterModel
) -> bool:
    """Make up to `count` values anew after the point `peak`; False where there is none to choose."""
    values = _values(function, bundles, model)
    live = [value for value in values if value.repeatable() and _is_live_across(value, bundles, failed, peak)]
    live.sort(key=lambda value: (-_next_reader(value, peak), value.register.id))
    repetition = _Repetition(function, peak)
    for value in live[:count]:
        repetition.repeat(value)
    repetition.finish()
    return bool(live)


def _values(function: MachineFunction, bundles: LiveBundles, model: RegisterModel) -> list[_Value]:
    """All virtual registers with their makers and readers."""
    values = [_Value(register) for register in function.registers]
    for block in function.blocks:
        for index, instruction in enumerate(block.instructions, bundles.liveness.span(block)[0]):
            written = {target.register for target in instruction.defs}
            for register in written:
                if isinstance(register, VirtualRegister):
                    value = values[register.id]
                    value.makers.append((index, block, instruction))
                    value.constant &= _is_constant(instruction, register, model)
            read = {use.register for use in instruction.all_uses()}
            for source in read:
                if isinstance(source, VirtualRegister) and source not in written:
                    values[source.id].readers.append((index, block, instruction))
    return values


def _is_constant(instruction: MachineInstruction, register: VirtualRegister, model: RegisterModel) -> bool:
    """Whether an instruction computes the same wherever it stands (reading what it overwrites aside)."""
    op = instruction.op
    if op.effect or instruction.conditional or op.reads or op.writes or op.clobbers or len(instruction.defs) != 1:
        return False
    if not model.rematerialise(instruction):
        return False
    return all(use.register is register or _never_changes(use) for use in instruction.all_uses())


def _never_changes(use: Use) -> bool:
    register = use.register
    if use.relative is not None:
        return False
    return isinstance(register, Uniform | Literal32) or (isinstance(register, Register) and not register.file.writable)


def _is_live_across(value: _Value, bundles: LiveBundles, failed: LiveBundle, peak: int) -> bool:
    """Whether a value is live across the peak, in a register that the failed bundle could use."""
    first = bundles.numbering.virtual[value.register.id]
    ranges = bundles.liveness.ranges[first : first + value.register.width]
    touching = {index for index, _, _ in (*value.makers, *value.readers)}
    if peak // 2 in touching or not any(each >> peak & 1 for each in ranges):
        return False
    return bool(bundles.part(first).bundle.candidates & failed.candidates)


def _next_reader(value: _Value, peak: int) -> int:
    """How far away the next reader is, as the code stands; readers before the peak are far away."""
    later = [index for index, _, _ in value.readers if index > peak // 2]
    return min(later, default=1 << 30) - peak // 2


class _Repetition:
    """The changes to a function, made together at the end, so that numbers of instructions stay true."""

    def __init__(self, function: MachineFunction, peak: int) -> None:
        self.function = function
        self.peak = peak // 2
        #: Instructions to be inserted before others.
        self.insertions: dict[MachineInstruction, list[MachineInstruction]] = {}
        self.dropped: set[MachineInstruction] = set()

    def repeat(self, value: _Value) -> None:
        """Give readers makers of their own, where the old ones are in another block or across the peak."""
        _, own_block, _ = value.makers[0]
        last = value.makers[-1][0]
        staying = False
        #: (block, whether after the peak) -> the register that serves there.
        serving: dict[tuple[MachineBlock, bool], VirtualRegister] = {}
        for index, block, reader in value.readers:
            is_later = index > self.peak
            if block is own_block and index > last and is_later == (last > self.peak):
                staying = True
                continue
            if (block, is_later) not in serving:
                _AGAIN.fires()
                serving[block, is_later] = self._make(value, reader)
            for use in reader.all_uses():
                if use.register is value.register:
                    use.register = serving[block, is_later]
        if not staying:
            _DROPPED.fires()
            self.dropped.update(maker for _, _, maker in value.makers)

    def _make(self, value: _Value, reader: MachineInstruction) -> VirtualRegister:
        """Repeat the makers before a reader."""
        old = value.register
        fresh = self.function.new_register(
            old.width, old.register_class, ordered=old.ordered, name=old.name, span=old.span
        )
        made = [_repeated(maker, old, fresh) for _, _, maker in value.makers]
        self.insertions.setdefault(reader, []).extend(made)
        return fresh

    def finish(self) -> None:
        for block in self.function.blocks:
            block.instructions = [
                each
                for instruction in block.instructions
                for each in (*self.insertions.get(instruction, ()), instruction)
                if each not in self.dropped
            ]


def _repeated(maker: MachineInstruction, old: VirtualRegister, fresh: VirtualRegister) -> MachineInstruction:
    defs = [Def(fresh, target.lanes) for target in maker.defs]
    uses = [
        Use(fresh if use.register is old else use.register, use.lanes, use.negate, use.absolute, None, use.extra)
        for use in maker.uses
    ]
    return MachineInstruction(maker.op, defs, uses, attributes=maker.attributes, span=maker.span)
