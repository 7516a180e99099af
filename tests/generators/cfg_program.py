"""Random modules whose result identifies the path taken through them: any reducible control flow, with forward jumps.

Every block computes a number from the ones before it, and branches test that number; so a pass that lets
control take another way, or carries a wrong value, changes the output.
"""

from __future__ import annotations

from random import Random

from glslc_multi.compiler.analysis.cfg import ControlFlow
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, INT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from tests.generators import cfg

#: What numbers stay below.
_BOUND = 64


def tangled(random: Random, budget: int = 12, jumps: int = 6) -> Module:
    """A function of about `budget` statements with `jumps` jumps forwards across ifs."""
    function = cfg.structured(random, budget)
    for _ in range(jumps):
        _jump_forwards(random, function)
    _give_meaning(random, function)
    return function.module


def _jump_forwards(random: Random, function: Function) -> None:
    """Let one block also lead to a later one of the same loop."""
    nest = AnalysisManager(function).get(loop_nest)
    order = ControlFlow(function).order
    sources = [block for block in order if len(block.successors) == 1]
    if not sources:
        return
    source = random.choice(sources)
    headers = {loop.header for loop in nest.all_loops()}
    later = [
        block
        for block in order[order.index(source) + 1 :]
        if nest.loop_of(block) is nest.loop_of(source) and block not in headers and block not in source.successors
    ]
    if later:
        following = source.successors[0]
        assert source.terminator is not None
        source.terminator.erase()
        cfg.branch(source, random.sample([following, random.choice(later)], 2))


def _give_meaning(random: Random, function: Function) -> None:
    module = function.module
    seed = module.add_variable(Variable("seed", "attribute", FLOAT))
    position = module.add_variable(Variable("gl_Position", "output", VEC4, role="position"))
    number = function.add_variable(Variable("number", "local", INT))
    steps = function.add_variable(Variable("steps", "local", INT))
    for block in function.blocks:
        terminator = block.terminator
        assert terminator is not None
        builder = Builder(block, terminator)
        if block is function.entry:
            builder.store(number, builder.op(ops.FTOI, builder.load(seed)))
            builder.store(steps, int_constant(0))
        step = builder.op(ops.IADD, builder.load(steps), int_constant(1))
        builder.store(steps, step)
        value = builder.op(ops.IADD, builder.op(ops.IMUL, builder.load(number), int_constant(5)), step)
        value = builder.op(ops.IADD, value, int_constant(random.randrange(_BOUND)))
        rest = builder.op(ops.IMUL, builder.op(ops.IDIV, value, int_constant(_BOUND)), int_constant(_BOUND))
        value = builder.op(ops.ISUB, value, rest)
        builder.store(number, value)
        _end(block, builder, value, position)


def _end(block: Block, builder: Builder, value: Value, position: Variable) -> None:
    """Let the branch test `value`, or the function return it."""
    terminator = block.terminator
    assert terminator is not None
    if terminator.op is ops.RET:
        builder.store(position, builder.splat(builder.op(ops.ITOF, value), 4))
    elif terminator.op is ops.CONDBR:
        old = terminator.operands[0]
        terminator.set_operand(0, builder.op(ops.ILT, value, int_constant(_BOUND // 2)))
        assert isinstance(old, Instruction)
        old.erase()
