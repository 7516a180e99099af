"""Lifting: the machine code of a stage as a module.

A `LaneProgram` is run place by place on lanes whose numbers are values (`lanes.py`).  Each place becomes a block, each
way that may follow a branch; the passes make of that what a person would have written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.execution.machine_code import MachineCode
from glslc_multi.compiler.execution.program import LaneProgram
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Module, Value
from glslc_multi.compiler.ir.types import BOOL
from glslc_multi.compiler.ir.variables import Stage, Storage
from glslc_multi.compiler.lifting.components import narrow_phis
from glslc_multi.compiler.lifting.conditions import decide_conditions
from glslc_multi.compiler.lifting.directions import join_directions
from glslc_multi.compiler.lifting.functions import join_functions
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.lanes import LiftedLanes
from glslc_multi.compiler.lifting.loops import count_loops
from glslc_multi.compiler.lifting.matrices import join_products
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.lifting.preambles import begin_with_preamble
from glslc_multi.compiler.lifting.results import write_results
from glslc_multi.compiler.lifting.structures import declare_structures
from glslc_multi.compiler.lifting.words import find_numbers, find_vectors
from glslc_multi.compiler.lifting.words.whole_numbers import join_whole_numbers
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.memory.mem2reg import promote
from glslc_multi.compiler.passes.pipeline import DCE, MEM2REG, SIMPLIFY_CFG, Pipeline
from glslc_multi.compiler.passes.runner import run_pipeline

#: Storages in the order in which a person declares variables.
_ORDER: tuple[Storage, ...] = ("attribute", "input", "uniform", "sampler", "varying", "output")
#: Makes values of registers.
_VALUES: Pipeline = (SIMPLIFY_CFG, MEM2REG)
#: More places than any program has that ends.
_MOST_PLACES = 1 << 14
#: The stages of machines that are a stage of the language.
_STAGES: dict[str, Stage] = {
    "vertex": "vertex",
    "coordinate": "vertex",
    "geometry": "geometry",
    "fragment": "fragment",
}
#: What a stage gets that its map does not name.
_STORAGES: dict[Stage, Storage] = {"vertex": "attribute", "geometry": "input", "fragment": "varying"}


def lift(
    code: MachineCode,
    reflection: Reflection,
    *,
    is_complete: bool = True,
    is_exact: bool = False,
    preamble: Module | None = None,
) -> Module:
    """Return the module of a stage, not yet optimised; what its host computes by a `preamble` it computes itself.

    Registers that the map does not name hold nothing where it `is_complete`, else they are variables of their own.
    With `is_exact` infinities, denormal numbers and addresses outside of files are what the machine makes of them.
    """
    code = code.real or code
    reflection = code.register_map or reflection
    if not code.is_liftable:
        raise Unliftable(f"{reflection.stage} programs for {reflection.target} are not lifted")
    if is_exact and not code.is_exact:
        raise Unliftable(f"numbers of {reflection.target} are lifted as real numbers alone")
    module = Module(_STAGES[reflection.stage])
    main = module.add_function("main")
    builder = Builder(main.add_block("entry"))
    module.pragmas += code.pragmas
    storage = _STORAGES[module.stage]
    interface = Interface(module, reflection, Builder(main.entry), None if is_complete else storage)
    lanes = LiftedLanes(code, interface, main, builder, is_exact=is_exact)
    start = _explore(code.make(lanes), code.word_of, lanes, builder)
    if module.stage != "geometry":
        # Vertices are emitted with theirs.
        write_results(code, lanes.outputs, interface, builder)
    builder.ret()
    # What is given is read before: the last instruction of the first block.
    Builder(main.entry).br(start)
    if preamble is not None:
        begin_with_preamble(module, preamble)
    _make_values(module)
    lanes.fetches.resolve(code, interface)
    lanes.cubes.resolve()
    if code.refine is not None:
        code.refine(module, interface)
    interface.require_elements()
    origins, has_words = lanes.operations.origins, code.register_map is not None
    if has_words:
        find_numbers(module, origins)
    join_functions(main)
    if has_words:
        join_whole_numbers(main)
    run_pipeline(module, (DCE,), PassContext())
    origins.refuse_unnamed()
    matrices = join_products(main)
    if has_words:
        find_vectors(module)
    join_directions(main)
    interface.name_registers([] if is_complete else matrices)
    module.variables = {v.name: v for storage in _ORDER for v in module.of_storage(storage)}
    declare_structures(module)
    return module


def _make_values(module: Module) -> None:
    """Make values of registers, those that somebody reads; of flags, which branches ask for, before all others."""
    main = module.main
    promote([each for each in main.variables.values() if each.type is BOOL], main, AnalysisManager(main))
    decide_conditions(main)
    run_pipeline(module, _VALUES, PassContext())
    _take_numbers_directly(main)
    run_pipeline(module, (DCE,), PassContext())
    narrow_phis(main)
    count_loops(main)
    narrow_phis(main)


def _take_numbers_directly(function: Function) -> None:
    """Take components from what computes them, not from registers that hold them beside others.

    The passes do so, too, in several times the time: half of all instructions are such.
    """
    for instruction in function.instructions():
        if instruction.op is ops.SWIZZLE and instruction.type.is_scalar:
            value, component = source(instruction, 0)
            if isinstance(value, Constant):
                value = Constant(instruction.type, (value.components[component],))
            if value.type.is_scalar:
                instruction.replace_all_uses_with(value)
                instruction.erase()
            else:
                instruction.set_operand(0, value)
                instruction.attribute = (component,)


def _explore(
    program: LaneProgram[Any], word_of: Callable[[Any], int] | None, lanes: LiftedLanes, builder: Builder
) -> Block:
    """Make a block of each place, and go on at the one that all ways end in; return the block of the first place."""
    function = builder.function
    end = function.add_block("end")
    blocks: dict[Any, Block] = {}
    waiting: list[Any] = []

    def block_of(place: Any) -> Block:
        if place not in blocks:
            if len(blocks) > _MOST_PLACES:
                raise Unliftable("the program has more paths than can be followed")
            blocks[place] = function.add_block("place")
            waiting.append(place)
        return blocks[place]

    start = block_of(program.start)
    while waiting:
        current = waiting.pop()
        builder.at_end_of(blocks[current])
        if word_of is not None:
            lanes.begin(word_of(current))
        edges = program.step(current)
        lanes.end_instruction()
        if edges:
            _branch([(block_of(after), condition) for after, condition in edges], function, builder)
        else:
            builder.br(end)
    lanes.mask = None
    builder.at_end_of(end)
    program.finish()
    return start


def _branch(edges: Sequence[tuple[Block, Value | None]], function: Function, builder: Builder) -> None:
    """Go to the first block whose condition holds."""
    for target, condition in edges:
        if condition is None:
            builder.br(target)
            return
        if isinstance(condition, Constant):
            if condition.components[0]:
                builder.br(target)
                return
            continue
        other = function.add_block("else")
        builder.condbr(condition, target, other)
        builder.at_end_of(other)
