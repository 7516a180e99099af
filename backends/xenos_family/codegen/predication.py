"""If-conversion: a tree of regions becomes one sequence of predicated slots, with jumps back for loops alone.

After J. R. Allen, K. Kennedy, C. Porterfield and J. Warren, Conversion of control dependence to data dependence, 1983.

Lanes of a wave run all code together; a predicate says for each lane whether it takes part.  Outside of all
branches there is no predicate.  Inside of n branches and loops, *mask* n (a component of a register that nothing
else uses) is 0 for the lanes that take part:

    if, outermost       PRED_SETs mask, condition        predicate = condition
    if, inner           PRED_SET_PUSHv mask, outer mask, condition
    else                PRED_SET_INVs mask               or, outermost, instructions under the false predicate
    loop                PRED_SETEs mask, outer mask      then the body
    break if c          PRED_SET_PUSHv mask, mask, c     of the opposite test: lanes that stay go on
    end of the loop     COND_JMP                         back if the predicate of any lane is true

A loop that the machine counts (`hardware_loops.py`) stands between LOOP_START and LOOP_END: no lane leaves it
before the others, so it is no level of its own.

After an inner construct the predicate is computed from the mask again, when something is to run under it.
Instructions that keep masks run for all lanes: masks are nested counters that grow where a lane does not take part.
So an inner branch may use the counter of what is around it where nothing reads that any more (`Masks`).
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.encode import Predicate
from glslc_multi.backends.xenos_family.codegen.machine_ops import BRANCH, COUNTED, SCALAR, VECTOR
from glslc_multi.backends.xenos_family.codegen.register_files import R
from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.regions import BreakIf, If, Loop, Region, Seq, structure
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.records import dataclass, replace

MASKS_IN_REGISTER = 4
_OPPOSITE = {"E": "NE", "NE": "E"}
#: x > 0 holds where -x >= 0 does not.
_OPPOSITE_OF_NEGATIVE = {"GT": "GTE", "GTE": "GT"}


@dataclass(slots=True)
class Code:
    """Consecutive instructions under one predicate."""

    instructions: list[MachineInstruction]
    predicate: Predicate = None


@dataclass(slots=True)
class LoopStart:
    """Where a loop goes back to; with a constant, the machine counts."""

    constant: int | None = None


@dataclass(slots=True)
class LoopBack:
    """The jump back to `start`: while the predicate of any lane is true, or until the count is reached."""

    start: LoopStart


Step = Code | LoopStart | LoopBack


def tree_of(function: MachineFunction) -> Seq[MachineBlock]:
    return structure(function.entry, lambda block: block.successors)


def _nests(region: If[MachineBlock]) -> bool:
    """Whether a branch, or a loop that lanes leave one by one, is in an arm of a branch."""
    parts = [*region.then.parts, *(region.orelse.parts if region.orelse is not None else ())]
    return any(map(_has_mask, parts))


def _has_mask(region: Region[MachineBlock]) -> bool:
    if isinstance(region, Loop):
        return _loop_constant(region) is None or any(map(_has_mask, region.body.parts))
    return isinstance(region, If)


def _loop_constant(region: Loop[MachineBlock]) -> int | None:
    """The constant with the count of a loop, where the machine counts: its end, and nothing else, leaves it."""
    last = region.body.parts[-1]
    branch = last.block.instructions[-1] if isinstance(last, BreakIf) else None
    return branch.attributes["constant"] if branch is not None and branch.op is COUNTED else None


class Masks:
    """The counters of branches and loops, by region."""

    def __init__(self, tree: Seq[MachineBlock]) -> None:
        #: Component of each region's counter, numbered through the registers of masks.
        self.components: dict[int, int] = {}
        self._assign(tree, None, 0, 0)

    @property
    def registers(self) -> int:
        return -(-(1 + max(self.components.values(), default=-1)) // MASKS_IN_REGISTER)

    def _assign(self, tree: Seq[MachineBlock], spare: int | None, free: int, level: int) -> None:
        """Give the regions of a sequence components from `free` on; `spare` is that of the counter around them, if
        nothing reads it after the sequence."""
        for part in tree.parts:
            if isinstance(part, Loop):
                self._assign_to_loop(part, free, level)
            elif isinstance(part, If) and _keeps_mask(part, level):
                self._assign_to_branch(part, spare if part is tree.parts[-1] else None, free, level)

    def _assign_to_loop(self, region: Loop[MachineBlock], free: int, level: int) -> None:
        if _loop_constant(region) is None:
            self.components[id(region)] = free
            free, level = free + 1, level + 1
        self._assign(region.body, None, free, level)

    def _assign_to_branch(self, region: If[MachineBlock], spare: int | None, free: int, level: int) -> None:
        component = free if spare is None else spare
        self.components[id(region)] = component
        free = max(free, component + 1)
        if region.orelse is None:
            self._assign(region.then, component, free, level + 1)
        else:
            self._assign(region.then, None, free, level + 1)
            self._assign(region.orelse, component, free, level + 1)


def _keeps_mask(region: If[MachineBlock], level: int) -> bool:
    """Whether something asks a branch's counter, not the predicate alone: what is nested in it, or its other arm."""
    return _nests(region) or (level > 0 and region.orelse is not None)


def linearise(tree: Seq[MachineBlock], masks: Masks, first_mask: int, zero: Use) -> list[Step]:
    """The steps of a program.  Masks are registers from `first_mask` on; `zero` reads a constant 0."""
    linear = _Linearisation(masks, first_mask, zero)
    linear.sequence(tree, 0)
    return linear.steps


class _Linearisation:
    """The making of one sequence."""

    def __init__(self, masks: Masks, first_mask: int, zero: Use) -> None:
        self.masks = masks
        self.first_mask = first_mask
        #: Component of the counter of each level.
        self.components: list[int] = []
        self.zero = zero
        self.steps: list[Step] = []
        #: The level whose lanes the predicate selects; None if that is not known.
        self.current: int | None = None
        self.span: Span | None = None

    # regions -------------------------------------------------------------------------------
    def sequence(self, tree: Seq[MachineBlock], level: int, predicate: Predicate = None) -> None:
        """Parts that run at a level: under `predicate`, where that is given, else under that of the level."""
        for part in tree.parts:
            if isinstance(part, Loop):
                self.loop(part, level, predicate)
            else:
                assert not isinstance(part, Seq), "sequences are parts of branches and loops"
                self.block(part.block, level, predicate)
                if isinstance(part, If):
                    self.branch(part, level)
                elif isinstance(part, BreakIf):
                    self.leave(part, level)

    def block(self, block: MachineBlock, level: int, predicate: Predicate) -> None:
        instructions = [instruction for instruction in block.instructions if not instruction.op.terminator]
        if not instructions:
            return
        if predicate is None and level:
            self.ensure(level)
            predicate = True
        self.steps.append(Code(instructions, predicate))

    def branch(self, region: If[MachineBlock], level: int) -> None:
        test, condition = self.condition(region.block, region.inverted)
        keeps_mask = _keeps_mask(region, level)
        if keeps_mask:
            self.enter(region, level)
        if level == 0:
            self.keep(SCALAR[f"PRED_SET{test}s"], level if keeps_mask else None, [condition])
        else:
            self.push(test, level if keeps_mask else None, level - 1, condition)
        self.current = level + 1
        self.sequence(region.then, level + 1)
        if region.orelse is not None:
            self.otherwise(region.orelse, level, keeps_mask)
        self.current = None

    def otherwise(self, arm: Seq[MachineBlock], level: int, keeps_mask: bool) -> None:
        if not keeps_mask:
            self.sequence(arm, level + 1, predicate=False)
            return
        self.keep(SCALAR["PRED_SET_INVs"], level, [self.mask(level)])
        self.current = level + 1
        self.sequence(arm, level + 1)

    def loop(self, region: Loop[MachineBlock], level: int, predicate: Predicate) -> None:
        constant = _loop_constant(region)
        if constant is not None:
            self.counted(region, level, predicate, constant)
            return
        self.enter(region, level)
        self.keep(SCALAR["PRED_SETEs"], level, [self.mask(level - 1) if level else self.zero])
        self.current = level + 1
        start = LoopStart()
        self.steps.append(start)
        self.sequence(region.body, level + 1)
        self.ensure(level + 1)
        self.steps.append(LoopBack(start))
        self.current = None

    def counted(self, region: Loop[MachineBlock], level: int, predicate: Predicate, constant: int) -> None:
        """A loop whose lanes are those around it; the predicate is the same at the start of each iteration."""
        start = LoopStart(constant)
        is_kept = level > 0 and predicate is None
        if is_kept:
            self.ensure(level)
        self.steps.append(start)
        self.sequence(region.body, level, predicate)
        if is_kept:
            self.ensure(level)
        self.steps.append(LoopBack(start))

    def leave(self, region: BreakIf[MachineBlock], level: int) -> None:
        if region.block.instructions[-1].op is COUNTED:
            return
        test, condition = self.condition(region.block, not region.inverted)
        self.push(test, level - 1, level - 1, condition)
        self.current = level

    # masks ---------------------------------------------------------------------------------
    def condition(self, block: MachineBlock, inverted: bool) -> tuple[str, Use]:
        """The test at the end of a block, or the opposite one, and what is tested."""
        branch = block.instructions[-1]
        assert branch.op is BRANCH
        self.span = branch.span
        test, use = branch.attributes["test"], branch.uses[0]
        if not inverted:
            return test, use
        if test in _OPPOSITE:
            return _OPPOSITE[test], use
        return _OPPOSITE_OF_NEGATIVE[test], replace(use, negate=not use.negate)

    def enter(self, region: If[MachineBlock] | Loop[MachineBlock], level: int) -> None:
        """Let the region's counter be that of a level."""
        self.components[level:] = [self.masks.components[id(region)]]

    def mask(self, level: int) -> Use:
        definition = self.counter(level)
        return Use(definition.register, definition.lanes)

    def counter(self, level: int) -> Def:
        register, component = divmod(self.components[level], MASKS_IN_REGISTER)
        return Def(R[self.first_mask + register], (component,))

    def ensure(self, level: int) -> None:
        """Let the predicate select the lanes that take part at `level`."""
        if self.current != level:
            self.keep(SCALAR["PRED_SETEs"], None, [self.mask(level - 1)])
            self.current = level

    def push(self, test: str, target: int | None, outer: int, condition: Use) -> None:
        sources = [replace(use, lanes=(use.lanes[0],) * 4) for use in (self.mask(outer), condition)]
        self.keep(VECTOR[f"PRED_SET{test}_PUSHv"], target, sources)

    def keep(self, op: MachineOp, level: int | None, sources: list[Use]) -> None:
        """An operation on masks, for all lanes."""
        defs = [] if level is None else [self.counter(level)]
        self.steps.append(Code([MachineInstruction(op, defs, sources, span=self.span)]))
