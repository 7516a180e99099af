"""Counted loops: those whose number of iterations is known before they start become hardware loops.

In: plain loops (see `lower-returns`), on ints.  Out: of loops that run a constant number of times, 1 to 256, or as
often as an int uniform says (see `guards.py`), the test is gone.  At the latch stands a branch on the load of a
variable that selection knows as the end of a LOOP.

Such a loop has the counter aL, which an index of a uniform can use instead of a computed number: where it is a
multiple of the loop's own counter, plus a constant, it becomes the load of a variable that stands for aL.  Only an
innermost loop has it, since no one knows what the hardware leaves of the outer loop's aL.

Not handled: bounds that are computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from glslc_multi.backends.pica200.codegen.rewrites.guards import bounding_uniform, can_be_guarded, guard
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.types import BOOL, INT, Type
from glslc_multi.compiler.ir.variables import MACHINE, Address, Variable
from glslc_multi.compiler.lowering.rotation import end_with, may_rotate, rounds_by_latch
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.control_flow.conditional import is_bool_uniform
from glslc_multi.compiler.records import dataclass, field, replace

#: What a byte of an i register can say.
_MAX_ITERATIONS = 256
#: Largest value of aL that is added to a register's number.
_MAX_COUNTER = 127
_MAX_DEPTH = 4


@dataclass(slots=True, eq=False)
class CountedLoop:
    """A loop that an i register drives: iterations, and start and step of aL."""

    iterations: int
    #: The bool whose load stands for "go on".
    goes_on: Variable
    #: The int whose load stands for aL.
    counter: Variable
    #: The uniform that is the number of iterations; None for a constant.
    uniform: Variable | None = None
    start: int = 0
    step: int = 0

    @property
    def range(self) -> LoopRange:
        """What its i register holds; of a uniform's the host sets the first byte."""
        return LoopRange((self.iterations - 1, self.start, self.step, 0), self.uniform)


@dataclass(frozen=True, slots=True)
class LoopRange:
    """The contents of an i register."""

    values: tuple[int, int, int, int]
    uniform: Variable | None


@dataclass(frozen=True, slots=True)
class CountLoops(Pass):
    """See the module's text; the loops found are appended to `found`."""

    name = "pica200-count-loops"
    description = "makes hardware loops of loops with a known number of iterations"

    found: list[CountedLoop] = field(default_factory=list, compare=False)

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        analyses = context.analyses(function)
        counts = analyses.get(trip_counts)
        progress = False
        for loop in analyses.get(loop_nest).all_loops():
            if loop.depth > _MAX_DEPTH or len(ranges_of(self.found)) == BANKS["i"] or _breaks_on_bool(loop):
                continue
            progress |= _hoist_loads(loop)
            count = counts.get(loop)
            iterations = rounds_by_latch(loop, count) if count is not None and count.decided else 0
            uniform = None
            if not 1 <= iterations <= _MAX_ITERATIONS:
                iterations, uniform = 1, _guarded(loop)
                if uniform is None:
                    continue
            module = function.module
            goes_on, counter = _variable(module, "$loop", BOOL), _variable(module, "$aL", INT)
            counted = CountedLoop(iterations, goes_on, counter, uniform)
            _use_counter(loop, counted)
            latch = loop.latches[0]
            assert latch.terminator is not None
            end_with(loop, Builder.before(latch.terminator).op(ops.LOAD, attribute=Address(goes_on)))
            self.found.append(counted)
            progress = True
        return progress


def _breaks_on_bool(loop: Loop) -> bool:
    """Whether an exit tests bool uniforms alone, which may become a test of one: BREAKC tests flags only."""
    tests = [block.terminator for block, _ in loop.exits]
    return any(test is not None and _is_of_bools(test.operands[0]) for test in tests)


def _is_of_bools(condition: Value) -> bool:
    """Whether a condition that is no constant is made of bool uniforms and constants."""
    pending, seen, are_bools = [condition], {condition}, False
    while pending:
        value = pending.pop()
        if isinstance(value, Constant):
            continue
        if value.type.kind == "bool" and is_bool_uniform(value):
            are_bools = True
        elif isinstance(value, Instruction) and value.op.is_pure and value.op is not ops.PHI and value.operands:
            pending += [operand for operand in value.operands if operand not in seen]
            seen.update(value.operands)
        else:
            return False
    return are_bools


def _hoist_loads(loop: Loop) -> bool:
    """Let uniforms that the head loads be loaded before the loop: operands read them anyway."""
    if len(loop.entering) != 1:
        return False
    terminator = loop.entering[0].terminator
    reads = [i for i in loop.header if i.op is ops.LOAD and i.address.variable.storage == "uniform"]
    hoisted = [read for read in reads if not read.address.is_dynamic]
    for load in hoisted:
        load.unlink()
        loop.entering[0].insert_before(terminator, load)
    return bool(hoisted)


def ranges_of(loops: Iterable[CountedLoop]) -> list[LoopRange]:
    """The i registers: loops with one range share one."""
    return list(dict.fromkeys(loop.range for loop in loops))


def _guarded(loop: Loop) -> Variable | None:
    """Put a loop that a uniform bounds into its guard; the uniform."""
    uniform = bounding_uniform(loop)
    if uniform is None or not can_be_guarded(loop) or not may_rotate(loop):
        return None
    guard(loop, uniform)
    return uniform


# ----------------------------------------------------------------------------------- the transformation
def _variable(module: Module, name: str, type: Type) -> Variable:
    """A variable for something that the machine has."""
    number = next(number for number in count() if module.find_variable(f"{name}.{number}") is None)
    return module.add_variable(Variable(f"{name}.{number}", "uniform", type, role=MACHINE))


# ------------------------------------------------------------------------------------------- the counter
_LINEAR = frozenset({ops.IADD, ops.IMUL})


@dataclass(frozen=True, slots=True)
class _Linear:
    """scale * counter + offset"""

    scale: int
    offset: int


def _use_counter(loop: Loop, counted: CountedLoop) -> None:
    """Let indices of uniforms use aL."""
    if loop.children:
        return
    for phi in loop.header.phis():
        steps = _steps(phi, loop)
        if steps is None:
            continue
        accesses = [(access, linear) for access, linear in _indexed(phi, loop) if linear.scale > 0]
        scales = [linear.scale for _, linear in accesses]
        if not accesses:
            continue
        scale = max(dict.fromkeys(scales), key=scales.count)
        chosen = [(access, linear) for access, linear in accesses if linear.scale == scale]
        if _take_counter(counted, scale, *steps, chosen):
            return


def _steps(phi: Instruction, loop: Loop) -> tuple[int, int] | None:
    """Start and step of a counter."""
    if phi.type is not INT:
        return None
    start, step = None, None
    for value, block in phi.incoming():
        if block not in loop.blocks:
            start = value.components[0] if isinstance(value, Constant) else None
        elif isinstance(value, Instruction) and value.op is ops.IADD and phi in value.operands:
            other = value.operands[1 - list(value.operands).index(phi)]
            step = other.components[0] if isinstance(other, Constant) else None
    return None if start is None or step is None else (int(start), int(step))


def _indexed(phi: Instruction, loop: Loop) -> Iterator[tuple[Instruction, _Linear]]:
    """The loads of uniforms in the loop whose index depends on a counter alone."""
    pending: list[tuple[Instruction, _Linear]] = [(phi, _Linear(1, 0))]
    while pending:
        value, linear = pending.pop()
        for user in dict.fromkeys(value.users):
            if user.block not in loop.blocks:
                continue
            if user.op is ops.LOAD:
                variable = user.address.variable
                if variable.storage == "uniform" and not variable.is_matrix:
                    yield user, linear
            following = _linear(user, value, linear)
            if following is not None:
                pending.append((user, following))


def _linear(user: Instruction, value: Instruction, linear: _Linear) -> _Linear | None:
    """What a user computes of a linear value, if that is linear too."""
    if user.op not in _LINEAR:
        return None
    if user.op is ops.IADD and user.operands[0] is user.operands[1]:
        return _Linear(2 * linear.scale, 2 * linear.offset)
    other = user.operands[1] if user.operands[0] is value else user.operands[0]
    if not isinstance(other, Constant) or other.components[0] is None:
        return None
    number = int(other.components[0])
    if user.op is ops.IADD:
        return _Linear(linear.scale, linear.offset + number)
    return _Linear(linear.scale * number, linear.offset * number)


def _take_counter(
    counted: CountedLoop, scale: int, start: int, step: int, accesses: list[tuple[Instruction, _Linear]]
) -> bool:
    """Let aL run as `scale` times a counter, where its byte can, and these loads use it."""
    first, increment = scale * start, scale * step
    if first < 0 or increment <= 0 or first + increment * (counted.iterations - 1) > _MAX_COUNTER:
        return False
    elements = [access.address.offset + linear.offset for access, linear in accesses]
    if not all(
        0 <= element < access.address.variable.length for element, (access, _) in zip(elements, accesses, strict=True)
    ):
        return False
    counted.start, counted.step = first, increment
    for element, (access, _) in zip(elements, accesses, strict=True):
        builder = Builder.before(access)
        counter = builder.op(ops.LOAD, attribute=Address(counted.counter))
        access.set_operand(0, counter)
        access.attribute = replace(access.address, offset=element)
    return True
