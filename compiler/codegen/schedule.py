"""Scheduling for pressure: an order of each block that needs few registers.

In: machine code before allocation.  Out: the same with the instructions of blocks in another order, where the
order that was there needs more than the machine has.  A block that needs no more stays as it is, since the
order of the source is as good as any other then, and the best to read.

The idea: a list scheduler that goes backwards from the block's end, with priorities that follow the pressure on
registers (as when registers are scarce in Goodman and Hsu, "Code scheduling and register allocation in large basic
blocks", 1988).  Of the instructions whose readers are scheduled, one comes last that frees more than it needs, then one
whose operands need few registers (the numbers of Sethi and Ullman, "The generation of optimal code for arithmetic
expressions", 1970), so that those that need many run first, while little else is live.  No rule is best on all graphs,
so that several are tried, and the order that needs least wins; with `tries`, random ones too, as long as there is
work to spend.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import accumulate
from random import Random

from glslc_multi.compiler.analysis.budget import COPY, spend
from glslc_multi.compiler.codegen.dag import Dag, OrderModel, build_dag
from glslc_multi.compiler.codegen.machine import Def, MachineBlock, MachineFunction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.liveness import Flow, Numbering, bits
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step


class ScheduleModel(OrderModel):
    """The machine as the scheduler sees it."""

    def __init__(self, limit: int, tries: int = 0) -> None:
        #: The weight that may live at a time before a block's order is changed.
        self.limit = limit
        #: Random orders beside the usual ones; for high levels of optimisation.
        self.tries = tries

    def weight(self, register: VirtualRegister | Register) -> int:
        """What one live component of a register counts; 0 where its registers never run short."""
        return 1


@step("order for few registers")
def schedule(function: MachineFunction, model: ScheduleModel) -> int:
    """Reorder the blocks in place that need more than the limit; return what lives at a time at most."""
    weight = _most_weight(function, model)
    if weight <= model.limit:
        return weight
    numbering = Numbering(function)
    flow = Flow(function, numbering)
    weights = _weights(function, numbering, model)
    return max(_Block(block, flow, weights, model).schedule() for block in function.blocks)


def _most_weight(function: MachineFunction, model: ScheduleModel) -> int:
    """What lives at a time at most: registers do so from where they are first named to where they are last; in code
    with loops, always."""
    first: dict[object, int] = dict.fromkeys(function.live_in, 0)
    last: dict[object, int] = {}
    end = 0
    for end, instruction in enumerate(function.instructions()):
        operands: list[Def | Use] = [*instruction.defs, *instruction.all_uses()]
        for operand in operands:
            first.setdefault(operand.register, end)
            last[operand.register] = end
    last |= dict.fromkeys(function.live_out, end)
    changes = [0] * (end + 2)
    # Whether some edge leads back, in the order of the blocks.
    number = {block: index for index, block in enumerate(function.blocks)}
    has_loops = any(number[successor] <= number[block] for block in function.blocks for successor in block.successors)
    for register in first.keys() | last.keys():
        if isinstance(register, VirtualRegister | Register):
            width = register.width if isinstance(register, VirtualRegister) else register.components
            weight = model.weight(register) * width
            changes[0 if has_loops else first.get(register, 0)] += weight
            changes[end + 1 if has_loops else last.get(register, 0) + 1] -= weight
    return max(accumulate(changes))


def _weights(function: MachineFunction, numbering: Numbering, model: ScheduleModel) -> list[int]:
    """By lane unit."""
    weights = [0] * numbering.unit_count
    for register in function.registers:
        first = numbering.virtual[register.id]
        weights[first : first + register.width] = [model.weight(register)] * register.width
    for physical, first in numbering.first_physical.items():
        weights[first : first + physical.components] = [model.weight(physical)] * physical.components
    return weights


#: How many rules are tried in any case.
_USUAL = 4
#: What decides between instructions that change the pressure alike; the smallest runs last.
_Rule = Callable[[int, int], tuple[float, ...]]


class _Block:
    """The scheduling of one block."""

    def __init__(self, block: MachineBlock, flow: Flow, weights: list[int], model: ScheduleModel) -> None:
        self.block = block
        self.model = model
        self.weights = weights
        start, stop = flow.span(block)
        self.reads = flow.reads[start:stop]
        self.writes = flow.writes[start:stop]
        self.live_out = set(bits(flow.live_out[block]))
        #: The body; terminators stay where they are.
        self.count = sum(not instruction.op.terminator for instruction in block.instructions)

    def schedule(self) -> int:
        """Reorder the block if it needs more than the limit; return what it needs then."""
        order = list(range(len(self.block.instructions)))
        best, need = order, self.need(order)
        if need <= self.model.limit or self.count < 3:
            return need
        dag = build_dag(self.block.instructions[: self.count], self.model)
        for number, rule in enumerate(self._rules(dag)):
            if number >= _USUAL and not spend(COPY * self.count):
                break
            # An order of the body, made backwards.
            candidate = _BackwardList(self, dag, *rule).run() + order[self.count :]
            its_need = self.need(candidate)
            if its_need < need:
                best, need = candidate, its_need
        instructions = self.block.instructions
        self.block.instructions = [instructions[number] for number in best]
        return need

    def need(self, order: list[int]) -> int:
        """The greatest weight that lives at a time."""
        live = set(self.live_out)
        weight = sum(self.weights[unit] for unit in live)
        need = weight
        for number in reversed(order):
            dead = [unit for unit in self.writes[number] if unit not in live]
            need = max(need, weight + sum(self.weights[unit] for unit in dead))
            weight += self._step(number, live)
            need = max(need, weight)
        return need

    def _step(self, number: int, live: set[int]) -> int:
        """Go back over an instruction; by how much the weight changes."""
        change = 0
        for unit in self.writes[number]:
            if unit in live:
                live.remove(unit)
                change -= self.weights[unit]
        for unit in self.reads[number]:
            if unit not in live:
                live.add(unit)
                change += self.weights[unit]
        return change

    def change(self, number: int, live: set[int]) -> int:
        """By how much the weight changes when an instruction comes next."""
        freed = {unit for unit in self.writes[number] if unit in live}
        needed = [unit for unit in self.reads[number] if unit not in live or unit in freed]
        return sum(self.weights[unit] for unit in needed) - sum(self.weights[unit] for unit in freed)

    # rules ---------------------------------------------------------------------------------
    def _rules(self, dag: Dag) -> list[tuple[bool, _Rule]]:
        """Priorities: whether the change of pressure decides first, and what decides then."""
        needs = self._operand_needs(dag)
        rules: list[tuple[bool, _Rule]] = [
            (True, lambda number, time: (needs[number], -time, -number)),
            (True, lambda number, time: (-time, needs[number], -number)),
            (False, lambda number, time: (-time, needs[number], -number)),
            (True, lambda number, time: (-number,)),
        ]
        return rules + [self._random_rule(seed) for seed in range(self.model.tries)]

    def _random_rule(self, seed: int) -> tuple[bool, _Rule]:
        random = Random(seed)
        noise = [random.random() for _ in range(self.count)]
        return seed % 2 == 0, lambda number, time: (-time // 4, noise[number])

    def _operand_needs(self, dag: Dag) -> list[float]:
        """What computing each instruction's result needs at a time, if it were a tree (Sethi and Ullman)."""
        needs: list[float] = []
        for number in range(self.count):
            result = sum(self.weights[unit] for unit in self.writes[number])
            operands = sorted((needs[before] for before in dag.predecessors[number]), reverse=True)
            need: float = result
            for index, operand in enumerate(operands[:4]):
                need = max(need, operand + index * max(result, 1))
            needs.append(need)
        return needs


class _BackwardList:
    """One run of the list scheduler."""

    def __init__(self, block: _Block, dag: Dag, pressure_first: bool, rule: _Rule) -> None:
        self.block = block
        self.dag = dag
        self.pressure_first = pressure_first
        self.rule = rule
        self.live = set(block.live_out)
        for number in reversed(range(block.count, len(block.block.instructions))):
            block._step(number, self.live)
        self.waiting = [len(following) for following in dag.successors]
        self.heap: list[tuple[tuple[float, ...], int]] = []
        #: Ready instruction -> its current key; other entries of the heap are out of date.
        self.keys: dict[int, tuple[float, ...]] = {}
        self.ready_since: dict[int, int] = {}
        #: Lane unit -> instructions whose change of pressure depends on it.
        self.touching: dict[int, list[int]] = {}
        for number in range(block.count):
            for unit in dict.fromkeys([*block.reads[number], *block.writes[number]]):
                self.touching.setdefault(unit, []).append(number)

    def run(self) -> list[int]:
        order: list[int] = []
        for number in range(self.block.count):
            if not self.waiting[number]:
                self._make_ready(number, 0)
        while self.heap:
            key, number = heappop(self.heap)
            if self.keys.get(number) != key:
                continue
            del self.keys[number]
            order.append(number)
            self._schedule(number, len(order))
        return order[::-1]

    def _make_ready(self, number: int, time: int) -> None:
        self.ready_since[number] = time
        self._push(number)

    def _push(self, number: int) -> None:
        detail = self.rule(number, self.ready_since[number])
        key = (self.block.change(number, self.live), *detail) if self.pressure_first else detail
        if self.keys.get(number) != key:
            self.keys[number] = key
            heappush(self.heap, (key, number))

    def _schedule(self, number: int, time: int) -> None:
        units = dict.fromkeys([*self.block.reads[number], *self.block.writes[number]])
        lived = units.keys() & self.live
        self.block._step(number, self.live)
        for before in self.dag.predecessors[number]:
            self.waiting[before] -= 1
            if not self.waiting[before]:
                self._make_ready(before, time)
        if not self.pressure_first:
            return
        # What a value is to its other readers changes when it becomes live, and when it no longer is.
        for unit in units:
            if (unit in lived) is not (unit in self.live):
                for other in self.touching[unit]:
                    if other in self.keys:
                        self._push(other)
