"""The evaluator: the meaning of the IR, executed over lanes (vertices or pixels) with numpy.

In: a verified module and the values of its variables.  Out: the values of its outputs.

Lanes that take different paths are run as groups.  Each group waits at a block; the group at the
earliest block (in `block_order`) runs first, and groups that reach the same block become one again.
So lanes meet at every join and after every loop, where derivatives and texture lookups need them.

A discarded lane goes on as a helper lane: its outputs mean nothing, but its neighbours in the quad can
still take differences with its values.  Undefined values read as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from glslc_multi.compiler.arithmetic.evaluation_error import EvaluationError, fail
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic, quiet
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import (
    LANES_NOT_QUADS,
    RECURSIVE_CALL,
    TOO_MANY_STEPS,
    UNKNOWN_VALUE_NAME,
    WRONG_VALUE_SHAPE,
)
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.evaluate_memory import Mask, Memory, value_shape
from glslc_multi.compiler.ir.evaluate_steps import Step, ValueTable, World, check_texture, prepare
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.records import dataclass

__all__ = ["DEFAULT_MAX_STEPS", "Emission", "EvaluationError", "Result", "evaluate", "value_shape"]

#: Instructions a run may execute (for any number of lanes at once) before it counts as endless.
DEFAULT_MAX_STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class Emission:
    """One `emit_vertex` (with all outputs) or, without outputs, `end_primitive` of a geometry shader."""

    outputs: dict[str, Array] | None
    #: Which lanes did it.
    lanes: Array


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gave: arrays of the shape (lanes, [elements,] [columns,] [components])."""

    outputs: dict[str, Array]
    #: Lanes that were discarded; their outputs mean nothing.
    discarded: Array
    emitted: list[Emission]


def evaluate(
    module: Module,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Texture | Sequence[Texture]] | None = None,
    *,
    lanes: int,
    quads: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
    arithmetic: LaneArithmetic = LANES,
) -> Result:
    """Run `main` on `lanes` lanes.

    `inputs` (attributes, or varyings and built-in inputs) have one value per lane on the first axis,
    `uniforms` one value for all; the other axes are those of `value_shape`.  With `quads`, lanes 4k to
    4k+3 are the pixels (x, y), (x+1, y), (x, y+1), (x+1, y+1).
    """
    if quads and lanes % 4:
        fail(LANES_NOT_QUADS, lanes=lanes)
    world = World(module.stage, lanes, quads, arithmetic)
    with quiet():
        _create_memory(module, world)
        _assign_values(module, world, inputs, uniforms)
        _bind_textures(module, world, textures or {})
        if lanes:
            _Run(module, world, max_steps).run()
    outputs = {memory.variable.name: memory.export(lanes) for memory in world.outputs}
    return Result(outputs, world.discarded, [Emission(*event) for event in world.emitted])


# ---------------------------------------------------------------------------------- the interface
def _create_memory(module: Module, world: World) -> None:
    written = set(module.outputs())
    private = [variable for function in module.functions.values() for variable in function.variables.values()]
    for variable in (*module.variables.values(), *private):
        memory = world.memory[variable] = Memory(variable, world.arithmetic)
        if variable.storage == "local" or variable in written or variable.role == PREAMBLE:
            memory.clear()
        if variable.contents:
            memory.assign(_table_of(variable), None)
        if variable in written:
            world.outputs.append(memory)


def _table_of(variable: Variable) -> Any:
    """What a uniform holds that the code brings along, in the shape of values from outside."""
    elements = [variable.contents.get(element, (0,) * variable.type.width) for element in range(variable.length)]
    numbers = [[number or 0 for number in element] for element in elements]
    return numbers if variable.type.width > 1 else [number for (number,) in numbers]


def _assign_values(module: Module, world: World, inputs: Mapping[str, Any], uniforms: Mapping[str, Any]) -> None:
    for name, value in uniforms.items():
        world.memory[_declared(module, name, ("uniform",), "uniform")].assign(value, None)
    storages = ("varying", "input") if module.stage == "fragment" else ("attribute", "input")
    for name, value in inputs.items():
        world.memory[_declared(module, name, storages, "input")].assign(value, world.lanes)


def _bind_textures(module: Module, world: World, textures: Mapping[str, Texture | Sequence[Texture]]) -> None:
    for name, given in textures.items():
        variable = _declared(module, name, ("sampler",), "sampler")
        bound = [given] if isinstance(given, Texture) else list(given)
        if len(bound) != variable.length:
            found, expected = f"{len(bound)} textures", f"({variable.length},)"
            fail(WRONG_VALUE_SHAPE, variable.span, kind="sampler", name=name, expected=expected, found=found)
        for texture in bound:
            check_texture(variable, texture)
        world.textures[variable] = bound


def _declared(module: Module, name: str, storages: Sequence[str], kind: str) -> Variable:
    variable = module.variables.get(name)
    if variable is None or variable.storage not in storages:
        fail(UNKNOWN_VALUE_NAME, kind=kind, name=name)
    return variable


# --------------------------------------------------------------------------------------- the code
class _Edge:
    """An edge from one block to another, with the phis that it sets."""

    __slots__ = ("phis", "table", "target")

    def __init__(self, source: Block, target: Block, number: int, table: ValueTable) -> None:
        self.target = number
        self.table = table
        self.phis = [
            (phi.id, table.slot(next(value for value, block in phi.incoming() if block is source)))
            for phi in target.phis()
        ]

    def take(self, mask: Mask) -> None:
        """Set the phis, all from the values before."""
        values = [self.table.values[source] for _, source in self.phis]
        for (phi, _), value in zip(self.phis, values, strict=True):
            self.table.write(phi, value, mask)


class _BlockCode:
    """A block made ready: its steps in runs that end at calls, and its exits."""

    __slots__ = ("condition", "edges", "runs", "terminator")

    def __init__(self, block: Block, numbers: Mapping[Block, int], table: ValueTable, world: World) -> None:
        steps: list[Step] = []
        self.runs: list[tuple[list[Step], Function | None]] = []
        for instruction in block:
            if instruction.op is ops.CALL:
                self.runs.append((steps, instruction.attribute))
                steps = []
            elif instruction.op is not ops.PHI and not instruction.is_terminator:
                steps.append(prepare(instruction, table, world))
        self.runs.append((steps, None))
        assert block.terminator is not None
        self.terminator: Instruction = block.terminator
        self.condition = table.slot(self.terminator.operands[0]) if self.terminator.operands else None
        self.edges = [_Edge(block, target, numbers[target], table) for target in self.terminator.targets]


class _FunctionCode:
    """A function made ready to run; its blocks are numbered in the order in which they run."""

    __slots__ = ("blocks", "table")

    def __init__(self, function: Function, world: World) -> None:
        order = block_order(function)
        numbers = {block: number for number, block in enumerate(order)}
        self.table = ValueTable(function, world.arithmetic)
        self.blocks = [_BlockCode(block, numbers, self.table, world) for block in order]


# ---------------------------------------------------------------------------------------- the run
class _Run:
    """One execution of a module: prepares each function when it is first called, and counts steps."""

    __slots__ = ("code", "max_steps", "module", "steps_left", "world")

    def __init__(self, module: Module, world: World, max_steps: int) -> None:
        self.module = module
        self.world = world
        self.max_steps = max_steps
        self.steps_left = max_steps
        self.code: dict[Function, _FunctionCode] = {}

    def run(self) -> None:
        """Run the preamble, if there is one, and `main`."""
        for name in (PREAMBLE, "main"):
            if name in self.module.functions:
                self._run(self.module.functions[name])

    def _run(self, function: Function) -> None:
        """Calls stack up in a list, so that a deep chain of them needs no deep Python stack."""
        running = [self._execute(function, None)]
        while running:
            call = next(running[-1], None)
            if call is None:
                running.pop()
                continue
            if len(running) == len(self.module.functions):
                fail(RECURSIVE_CALL, call[0].span, name=call[0].name)
            running.append(self._execute(*call))

    def _execute(self, function: Function, mask: Mask) -> Iterator[tuple[Function, Mask]]:
        """Run a function for the lanes of `mask`; yields each call for the caller to run it."""
        code = self.code.get(function)
        if code is None:
            code = self.code[function] = _FunctionCode(function, self.world)
        # Block number -> the lanes that wait there.
        waiting: dict[int, Mask] = {0: mask}
        while waiting:
            number = min(waiting)
            mask = waiting.pop(number)
            block = code.blocks[number]
            for steps, callee in block.runs:
                self._count(len(steps) + 1, block.terminator)
                for step in steps:
                    step(mask)
                if callee is not None:
                    yield callee, mask
            for edge, taken in self._departures(block, code.table, mask):
                edge.take(taken)
                waiting[edge.target] = _union(waiting[edge.target], taken) if edge.target in waiting else taken

    def _departures(self, block: _BlockCode, table: ValueTable, mask: Mask) -> Iterator[tuple[_Edge, Mask]]:
        """The paths that lanes take out of a block, each with its lanes."""
        if block.condition is None:
            yield from ((edge, mask) for edge in block.edges)
            return
        if_true, if_false = block.edges
        condition = self.world.arithmetic.decode("bool", table.values[block.condition])[0]
        taken = condition if mask is None else condition & mask
        other = ~condition if mask is None else ~condition & mask
        if not other.any():
            yield if_true, mask
        elif not taken.any():
            yield if_false, mask
        else:
            yield if_true, taken
            yield if_false, other

    def _count(self, steps: int, place: Instruction) -> None:
        self.steps_left -= steps
        if self.steps_left < 0:
            fail(TOO_MANY_STEPS, place.span, limit=self.max_steps, help="give a larger limit if it only takes long")


def _union(first: Mask, second: Mask) -> Mask:
    if first is None or second is None:
        return None
    union = first | second
    return None if union.all() else union
