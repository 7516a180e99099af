"""A module's `main` as one LLVM function that runs groups of lanes, one vector register wide.

In: a module whose calls are inlined (see `prepare.py`).  Out: LLVM IR.  The function is

    i64 run(inputs, outputs, uniforms, scratch, discarded, textures, samplers, emit, first, end, limit)

for lanes `first` to `end`, a multiple of the width; it returns 0, or the number (from 1) of the jump backwards at
which a group of lanes had run more than `limit` instructions.  Geometry shaders call `emit(what, first lane, mask)`,
with the outputs in memory, for each vertex and at the end of each primitive.

Each block is emitted once, in the order of `control.py`.  Where lanes may be apart, a mask for each block says which
lanes wait there; a block takes its mask and leaves it empty, adds the lanes it sends on to the masks of its
successors, and the next block that has lanes runs.  A value that other blocks use lives in a slot on the stack,
which LLVM turns into registers.  What a waiting lane will still ask for must stay: phis, loads from memory that
changes, lookups and derivatives write in the lanes of the mask only; other operations give a waiting lane the value it
had (see `glslc_multi.compiler.ir.evaluate_steps`).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir import module as ir
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Module
from glslc_multi.compiler.ir.types import VOID, Kind
from glslc_multi.compiler.native.arithmetic import HostArithmetic
from glslc_multi.compiler.native.control import ControlPlan
from glslc_multi.compiler.native.emitter import Emitter, Value
from glslc_multi.compiler.native.lookup import RIGHT, UP, LookupCode
from glslc_multi.compiler.native.memory import Layout, MemoryCode

#: Name of the function.
ENTRY = "run"
_PARAMETERS = (
    "ptr noalias readonly %inputs, ptr noalias readonly %outputs, ptr noalias readonly %uniforms, "
    "ptr noalias %scratch, ptr noalias %discarded, ptr %textures, ptr %samplers, "
    "ptr %emit, i64 %first, i64 %end, i64 %limit"
)
_DERIVATIVES = {ops.DDX: RIGHT, ops.DDY: UP}

#: What a geometry shader tells: the place of the opcode is the number that is handed over.
EMISSIONS = (ops.EMIT_VERTEX, ops.END_PRIMITIVE)

Components = list[Value]


class Kernel:
    """Emits the function."""

    def __init__(self, module: Module, layout: Layout, width: int) -> None:
        self.module = module
        self.emitter = Emitter(width)
        self.arithmetic = HostArithmetic(self.emitter)
        self.memory = MemoryCode(self.arithmetic, layout)
        self.lookup = LookupCode(self.arithmetic, module)
        self.plan = ControlPlan(module.main)
        #: Jumps backwards; the function returns the place in this list, from 1.
        self.backward: list[Instruction] = []
        self._allocas: list[str] = []
        self._slots: dict[Instruction, list[Value]] = {}
        self._masks: dict[Block, Value] = {}
        #: Values of the block being emitted, and its mask (None: all lanes).
        self._known: dict[Instruction, Components] = {}
        self._mask: Value | None = None
        self._type: dict[Kind, str] = {
            "float": self.emitter.float,
            "int": self.emitter.i32,
            "bool": self.emitter.mask,
        }

    def text(self, attributes: str) -> str:
        """The LLVM module."""
        self._make_slots()
        for block in self.plan.order:
            emitter = self.emitter
            emitter.label(self._label(block))
            self._known = {}
            self._mask = None
            if block in self._masks:
                self._mask = emitter.value(emitter.mask, f"load {emitter.mask}, {self._masks[block]}")
                emitter.line(f"store {emitter.mask} zeroinitializer, {self._masks[block]}")
            for instruction in block:
                if instruction.is_terminator:
                    self._emit_terminator(block, instruction)
                elif instruction.op is not ops.PHI:
                    self._emit_instruction(instruction)
        return "\n".join(
            [
                f"define i64 @{ENTRY}({_PARAMETERS}) {attributes} {{",
                *self._allocas,
                *self.lookup.allocas,
                "  br label %group",
                *self._head(),
                *self.emitter.lines,
                *self._tail(),
                "}",
                "!0 = !{}",
            ]
        )

    # around the blocks -----------------------------------------------------------------------
    def _make_slots(self) -> None:
        """Slots for values that other blocks use, masks for blocks where lanes may wait, and counters."""
        blocks = self.plan.order
        for block in blocks:
            for instruction in block:
                if instruction.type is not VOID and self._needs_slot(instruction, block):
                    type = self._type[instruction.type.kind]
                    width = instruction.type.width
                    self._slots[instruction] = [self._alloca(f"%s{instruction.id}.{c}", type) for c in range(width)]
        self._masks = {
            block: self._alloca(f"%m{number}", self.emitter.mask)
            for number, block in enumerate(blocks)
            if block in self.plan.partial
        }
        self._killed = self._alloca("%killed", self.emitter.mask)
        self._steps = self._alloca("%steps", "i64")

    def _needs_slot(self, instruction: Instruction, block: Block) -> bool:
        if instruction.op is ops.PHI or (block in self.plan.partial and self._is_kept(instruction)):
            return True
        return any(user.block is not block or user.op is ops.PHI for user in instruction.users)

    def _is_kept(self, instruction: Instruction) -> bool:
        """Whether running it again for a waiting lane could give another value."""
        if instruction.op is ops.LOAD:
            slot = self.memory.layout.slots[instruction.address.variable]
            return slot.place in ("scratch", "output")
        return not instruction.op.is_pure

    def _alloca(self, name: str, type: str) -> Value:
        self._allocas.append(f"  {name} = alloca {type}")
        return Value(name, "ptr")

    def _head(self) -> list[str]:
        """The start of a group: slots and scratch memory empty, as the evaluator's are."""
        head = Emitter(self.emitter.width, prefix="h")
        head.label("group")
        head.line("%lane = phi i64 [ %first, %0 ], [ %next_lane, %finish ]")
        slots = [(slot, self._type[i.type.kind]) for i, of in self._slots.items() for slot in of]
        slots += [(mask, head.mask) for mask in (*self._masks.values(), self._killed)]
        for pointer, type in (*slots, (self._steps, "i64")):
            head.line(f"store {type} {'0' if type == 'i64' else 'zeroinitializer'}, {pointer}")
        MemoryCode(HostArithmetic(head), self.memory.layout).clear()
        head.jump(self._label(self.plan.order[0]))
        return head.lines

    def _tail(self) -> list[str]:
        bytes_type = self.emitter.vector("i8")
        return [
            "finish:",
            f"  %killed_mask = load {self.emitter.mask}, ptr %killed",
            f"  %killed_bytes = zext {self.emitter.mask} %killed_mask to {bytes_type}",
            "  %killed_place = getelementptr i8, ptr %discarded, i64 %lane",
            f"  store {bytes_type} %killed_bytes, ptr %killed_place, align 1",
            f"  %next_lane = add i64 %lane, {self.emitter.width}",
            "  %is_more = icmp ult i64 %next_lane, %end",
            "  br i1 %is_more, label %group, label %done",
            "done:",
            "  ret i64 0",
        ]

    # blocks ----------------------------------------------------------------------------------
    def _label(self, block: Block) -> str:
        return f"b{self.plan.number[block]}"

    def _emit_terminator(self, block: Block, terminator: Instruction) -> None:
        if block in self.plan.parting:
            self._emit_parting(block, terminator)
        elif terminator.op is ops.RET:
            self.emitter.jump("finish")
        elif terminator.op is ops.BR:
            self._emit_whole_edge(block, terminator.targets[0])
        else:
            # All lanes take the same path: what the first one does, all do.
            condition = self.emitter.lane(self._operand(terminator.operands[0])[0], 0)
            labels = [self.emitter.fresh() for _ in terminator.targets]
            self.emitter.branch(condition, *labels)
            known = self._known
            for label, target in zip(labels, terminator.targets, strict=True):
                self.emitter.label(label)
                # What one path reads from slots, the other one has not read.
                self._known = dict(known)
                self._emit_whole_edge(block, target)

    def _emit_whole_edge(self, block: Block, target: Block) -> None:
        """All lanes go to `target`."""
        self._set_phis(block, target, None)
        if target in self._masks:
            everyone = self.emitter.splat("i1", "true")
            self.emitter.line(f"store {everyone}, {self._masks[target]}")
        if self.plan.is_backward(block, target):
            self._count_steps(block, target)
        self.emitter.jump(self._label(target))

    def _emit_parting(self, block: Block, terminator: Instruction) -> None:
        """Lanes take their paths: to the masks of the targets; then the earliest block with lanes runs."""
        for target, taken in self._targets(terminator):
            self._set_phis(block, target, taken)
            if target in self._masks:
                self._send(taken, target)
        for target in dict.fromkeys(terminator.targets):
            if self.plan.is_backward(block, target):
                # Lanes that go back run first.
                back, onward = self.emitter.fresh(), self.emitter.fresh()
                self.emitter.branch(self._is_awaited(target), back, onward)
                self.emitter.label(back)
                self._count_steps(block, target)
                self.emitter.jump(self._label(target))
                self.emitter.label(onward)
        waiting, meeting = self.plan.followers(block)
        for candidate in waiting:
            after = self.emitter.fresh()
            self.emitter.branch(self._is_awaited(candidate), self._label(candidate), after)
            self.emitter.label(after)
        self.emitter.jump("finish" if meeting is None else self._label(meeting))

    def _targets(self, terminator: Instruction) -> list[tuple[Block, Value | None]]:
        """The targets with the lanes that go there."""
        if terminator.op is not ops.CONDBR:
            return [(target, self._mask) for target in terminator.targets]
        (condition,) = self._operand(terminator.operands[0])
        a, mask = self.arithmetic, self._mask
        both = [condition, a.bnot(condition)]
        taken = both if mask is None else [a.band(mask, taken) for taken in both]
        return list(zip(terminator.targets, taken, strict=True))

    def _send(self, taken: Value | None, target: Block) -> None:
        emitter, pointer = self.emitter, self._masks[target]
        taken = self.arithmetic.bconst(True) if taken is None else taken
        waiting = emitter.value(emitter.mask, f"load {emitter.mask}, {pointer}")
        emitter.line(f"store {self.arithmetic.bor(waiting, taken)}, {pointer}")

    def _is_awaited(self, block: Block) -> Value:
        """Whether lanes wait at a block."""
        emitter = self.emitter
        return emitter.any(emitter.value(emitter.mask, f"load {emitter.mask}, {self._masks[block]}"))

    def _count_steps(self, block: Block, target: Block) -> None:
        """Stop a group of lanes that has run too many instructions; loops are where that can happen."""
        emitter = self.emitter
        assert block.terminator is not None
        self.backward.append(block.terminator)
        body = self.plan.order[self.plan.number[target] : self.plan.number[block] + 1]
        cost = sum(1 for part in body for _ in part)
        steps = emitter.value("i64", f"load i64, {self._steps}")
        steps = emitter.value("i64", f"add i64 {steps.text}, {cost}")
        emitter.line(f"store {steps}, {self._steps}")
        too_many, fine = emitter.fresh(), emitter.fresh()
        emitter.branch(emitter.compare("icmp ugt", steps, Value("%limit", "i64")), too_many, fine)
        emitter.label(too_many)
        emitter.line(f"ret i64 {len(self.backward)}")
        emitter.label(fine)

    def _set_phis(self, block: Block, target: Block, taken: Value | None) -> None:
        """Phis take their new values in the lanes that come on this path, all from the values before."""
        phis = list(target.phis())
        values = [self._operand(next(value for value, source in phi.incoming() if source is block)) for phi in phis]
        for phi, value in zip(phis, values, strict=True):
            self._write_slot(phi, value, taken)

    # values ----------------------------------------------------------------------------------
    def _operand(self, value: ir.Value) -> Components:
        if isinstance(value, Constant):
            return [self._constant(value.type.kind, component) for component in value.components]
        assert isinstance(value, Instruction)
        if value.op is ops.PHI:
            # A block that jumps back to itself sets its own phis: they are read where they are used.
            return self._read_slot(value)
        if value not in self._known:
            self._known[value] = self._read_slot(value)
        return self._known[value]

    def _constant(self, kind: Kind, component: ir.Scalar) -> Value:
        """An undefined component reads as 0, like in the evaluator."""
        a = self.arithmetic
        if kind == "float":
            return a.fconst(0.0 if component is None else float(component))
        return a.iconst(int(component or 0)) if kind == "int" else a.bconst(bool(component))

    def _read_slot(self, value: Instruction) -> Components:
        type = self._type[value.type.kind]
        return [self.emitter.value(type, f"load {type}, {slot}") for slot in self._slots[value]]

    def _write_slot(self, target: Instruction, value: Sequence[Value], mask: Value | None) -> Components:
        """Put a value into its slot, in the lanes of the mask; what the slot holds then."""
        written = list(value)
        if mask is not None:
            pairs = zip(value, self._read_slot(target), strict=True)
            written = [self.arithmetic.select(mask, new, old) for new, old in pairs]
        for component, slot in zip(written, self._slots[target], strict=True):
            self.emitter.line(f"store {component}, {slot}")
        return written

    # instructions ----------------------------------------------------------------------------
    def _emit_instruction(self, instruction: Instruction) -> None:
        operands = [self._operand(operand) for operand in instruction.operands]
        if instruction.op is ops.STORE:
            *indices, value = operands
            self.memory.store(instruction.address, [index[0] for index in indices], value, self._mask)
        elif instruction.op is ops.KILL:
            condition = operands[0][0]
            emitter, a = self.emitter, self.arithmetic
            here = condition if self._mask is None else a.band(self._mask, condition)
            before = emitter.value(emitter.mask, f"load {emitter.mask}, {self._killed}")
            emitter.line(f"store {a.bor(before, here)}, {self._killed}")
        elif instruction.op in EMISSIONS:
            self._emit_emission(EMISSIONS.index(instruction.op))
        elif instruction.type is not VOID:
            if instruction.op is ops.LOAD:
                value = self.memory.load(instruction.address, [index[0] for index in operands])
            elif instruction.op is ops.TEXTURE or instruction.op is ops.TEXTURE_SIZE:
                value = self.lookup.emit(instruction, operands)
            elif instruction.op in _DERIVATIVES:
                value = [self.lookup.call.step(component, _DERIVATIVES[instruction.op]) for component in operands[0]]
            else:
                value = ops.evaluate(instruction.op, self.arithmetic, instruction.attribute, operands)
            if instruction in self._slots:
                value = self._write_slot(instruction, value, self._mask if self._is_kept(instruction) else None)
            self._known[instruction] = value

    def _emit_emission(self, what: int) -> None:
        emitter = self.emitter
        mask = self.arithmetic.bconst(True) if self._mask is None else self._mask
        bits = emitter.convert("zext", emitter.convert("bitcast", mask, f"i{emitter.width}"), "i64")
        emitter.line(f"call void %emit(i64 {what}, i64 %lane, {bits})")
