"""One instruction before and after allocation, as the allocation checker compares them: by numbers.

What can be said of an instruction whatever values are where (classes, modifiers, what its opcode demands of registers)
is said here, once; a `Step` keeps what depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from glslc_multi.compiler.codegen.machine import AnyRegister, Def, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.check_names import Name, Numbers
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.records import dataclass, field

Bank = Callable[[Register], Hashable]


@dataclass(slots=True)
class Original:
    """An instruction, and its operands as they were before allocation."""

    instruction: MachineInstruction
    defs: list[Def]
    uses: list[Use]

    @staticmethod
    def of(instruction: MachineInstruction) -> Original:
        defs = [Def(target.register, target.lanes) for target in instruction.defs]
        return Original(instruction, defs, [_duplicate(use) for use in instruction.uses])

    def sources(self) -> Iterator[Use]:
        """The operands read, address registers included."""
        for use in self.uses:
            yield use
            if use.relative is not None:
                yield use.relative

    def pairs(self) -> Iterator[tuple[Use, Use, str]]:
        """Each source as it was and as it is, and how its lanes are ordered."""
        modes = self.instruction.op.sources
        for index, (was, now) in enumerate(zip(self.uses, self.instruction.uses, strict=True)):
            yield was, now, modes[index] if index < len(modes) else "slots"
            if was.relative is not None and now.relative is not None:
                yield was.relative, now.relative, "slots"


def _duplicate(use: Use) -> Use:
    relative = None if use.relative is None else _duplicate(use.relative)
    return Use(use.register, use.lanes, use.negate, use.absolute, relative, use.extra)


def is_move(instruction: MachineInstruction, uses: Sequence[Use]) -> bool:
    """Whether an instruction with these sources leaves the very values that it reads."""
    return instruction.op.copy and all(
        isinstance(use.register, VirtualRegister | Register)
        and not (use.negate or use.absolute or use.relative is not None or use.extra is not None)
        for use in uses
    )


def goes_together(original: Original) -> bool:
    """Whether "each" sources go with the result lane by lane."""
    return original.instruction.op.result == "each" and len(original.defs) == 1


#: Sources that go with the result lane by lane: what was read, and the locations read now.
_Together = list[tuple[tuple[Name, ...], tuple[int, ...]]]


@dataclass(slots=True)
class Step:
    """What one instruction does in both codes, in numbers; in one of them it may be missing."""

    instruction: MachineInstruction
    #: The operands in the original code, and whether the final code has the instruction.
    original: Original | None
    is_kept: bool
    #: What each source of the original reads.
    sources: Sequence[tuple[Name, ...]] = ()
    #: Of a move: what it reads, and from where.
    moved: tuple[Name, ...] | None = None
    origins: tuple[int, ...] | None = None
    #: What results are called, and where they go.
    results: tuple[Name, ...] = ()
    locations: tuple[int, ...] = ()
    #: What sources that keep the order of their lanes read, and from where.
    reads: Sequence[tuple[Name, int]] = ()
    together: _Together = field(default_factory=list)
    #: For each location the results that it gets, if that does not depend on what the sources that go together hold.
    landing: Sequence[Sequence[Name]] | None = None
    #: Components of registers that get new contents beside the results, and their locations.
    writes: Sequence[tuple[Name, int]] = ()
    clobbers: Sequence[tuple[Name, int]] = ()


def added_step(instruction: MachineInstruction, numbers: Numbers) -> Step:
    """An instruction of the final code only."""
    step = Step(instruction, None, True, locations=_joined(numbers.locations, instruction.defs))
    if is_move(instruction, instruction.uses):
        step.origins = _joined(numbers.locations, instruction.uses)
    return step


def original_step(original: Original, numbers: Numbers) -> Step:
    """An instruction of the original code only."""
    step = Step(original.instruction, original, False, results=_joined(numbers.names, original.defs))
    step.sources = [numbers.names(use) for use in original.sources()]
    if is_move(original.instruction, original.uses):
        step.moved = tuple([name for names in step.sources for name in names])
    op = original.instruction.op
    if op.writes or op.clobbers:
        step.writes, step.clobbers = (_whole(registers, numbers) for registers in (op.writes, op.clobbers))
    return step


def kept_step(original: Original, numbers: Numbers) -> Step:
    """An instruction of both codes."""
    step = original_step(original, numbers)
    instruction = original.instruction
    step.is_kept = True
    step.locations = _joined(numbers.locations, instruction.defs)
    if step.moved is not None:
        # Where it moves something, that arrives.
        step.origins = _joined(numbers.locations, instruction.uses)
    together_with_result = goes_together(original)
    reads: list[tuple[Name, int]] = []
    together: _Together = []
    for names, (_, now, mode) in zip(step.sources, original.pairs(), strict=True):
        locations = numbers.locations(now)
        if together_with_result and mode == "each":
            together.append((names, locations))
        else:
            reads += zip(names, locations, strict=False)
    step.reads, step.together = reads, together
    if not together:
        step.landing = _landing(original, numbers)
    return step


def _joined(numbers_of: Callable[[Def | Use], tuple[int, ...]], operands: Sequence[Def | Use]) -> tuple[int, ...]:
    """The numbers of all lanes of operands."""
    if len(operands) == 1:
        return numbers_of(operands[0])
    return tuple([number for operand in operands for number in numbers_of(operand)])


def _whole(registers: Sequence[Register], numbers: Numbers) -> list[tuple[Name, int]]:
    operands = [Use(register, tuple(range(register.components))) for register in registers]
    return [pair for use in operands for pair in zip(numbers.names(use), numbers.locations(use), strict=True)]


def _landing(original: Original, numbers: Numbers) -> list[list[Name]]:
    """The results that each location written gets, as the opcode says."""
    mode = original.instruction.op.result
    landing = []
    for was, now in zip(original.defs, original.instruction.defs, strict=True):
        names = list(zip(numbers.names(was), was.lanes, strict=True))
        for index, lane in enumerate(now.lanes):
            if mode == "replicate":
                landing.append([name for name, _ in names])
            elif mode == "fixed":
                landing.append([name for name, old in names if old == lane])
            else:
                landing.append([name for name, _ in names[index : index + 1]])
    return landing


# ---------------------------------------------------------------------------------- whatever values are where
def faults_of(original: Original, bank: Bank) -> list[str]:
    """What is wrong with an instruction that was kept, whatever its operands hold."""
    instruction, op = original.instruction, original.instruction.op
    faults: list[str] = []
    for old, new in zip(original.defs, instruction.defs, strict=True):
        _check_class(old.register, new.register, faults)
        if len(new.lanes) > 1 and len(set(new.lanes)) < len(new.lanes):
            faults.append("two lanes are written to one component")
    _check_sources(original, faults)
    for number, source in op.tied:
        target, use = instruction.defs[number], instruction.uses[source]
        if target.register != use.register or target.lanes != use.lanes:
            faults.append("the result is not the register that is read and overwritten")
    if op.early_clobber:
        results = {target.register for target in instruction.defs}
        if any(use.register in results for use in instruction.all_uses()):
            faults.append("the result shares a register with a source")
    for group in op.separate:
        registers = [instruction.uses[number].register for number in group if number < len(instruction.uses)]
        physical = dict.fromkeys(register for register in registers if isinstance(register, Register))
        banks = [each for each in map(bank, physical) if each is not None]
        if len(banks) > len(set(banks)):
            faults.append("two registers of one bank are read")
    return faults


def _check_sources(original: Original, faults: list[str]) -> None:
    """Classes, lanes and modifiers of sources."""
    instruction = original.instruction
    together = goes_together(original)
    tied = [instruction.uses[source] for _, source in instruction.op.tied]
    for was, now, mode in original.pairs():
        _check_class(was.register, now.register, faults)
        if together and mode == "each":
            same = len(was.lanes) == len(original.defs[0].lanes) and len(now.lanes) == len(instruction.defs[0].lanes)
        else:
            same = len(was.lanes) == len(now.lanes)
        if not same:
            faults.append(f"the operand that read {was.register} has another number of lanes")
        if not _are_modified_alike(was, now):
            faults.append(f"the operand that read {was.register} is modified otherwise")
        if mode == "fixed":
            if any(lane not in (None, slot) for slot, lane in enumerate(now.lanes)):
                faults.append(f"a source without swizzle reads components {now.lanes}")
        # Sources with demands of their own may read a copy in another order.
        elif isinstance(was.register, VirtualRegister) and was.register.ordered and not any(now is use for use in tied):
            _check_order(was, now, faults)


def _are_modified_alike(was: Use, now: Use) -> bool:
    if was.negate != now.negate or was.absolute != now.absolute or was.extra != now.extra:
        return False
    return (was.relative is None) == (now.relative is None)


def _check_class(old: AnyRegister, new: AnyRegister, faults: list[str]) -> None:
    if isinstance(new, VirtualRegister):
        faults.append(f"{old} has no physical register")
    elif isinstance(old, VirtualRegister) and new not in old.register_class.members:
        faults.append(f"{old} is in {new}, which is not in its class {old.register_class}")


def _check_order(was: Use, now: Use, faults: list[str]) -> None:
    if not {lane for lane in now.lanes if lane is not None} <= set(was.lanes):
        faults.append(f"the components of {was.register} are not in their order")
