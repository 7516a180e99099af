"""What depends on uniforms alone is computed once, before the shader runs.

In: a module whose `main` holds everything worth looking at (see `inline`).  Out: a second function `preamble` that
computes new uniforms `$preamble.N` (of the role `preamble`) from the others, and `main`, which loads them.  The host
evaluates the preamble whenever it sets uniforms; a target may have a device form of its own.

An instruction is hoisted when it is pure and its operands are constants, loads of uniforms or hoisted themselves; it
is the same in all lanes then, and cannot fail, so it may also leave a branch that is never taken.  What becomes a
uniform are the last arithmetic results; shuffles, negations and magnitudes after them stay, since they cost nothing.

Not handled: phis, so that what a uniform condition decides stays in `main`.  At most `limit` uniforms are made.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass

_FREE = frozenset({ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.FNEG, ops.FABS})


@dataclass(frozen=True, slots=True)
class UniformHoist(ModulePass):
    """See the module's text."""

    name = "uniform-hoist"
    description = "computes what depends on uniforms alone before the shader runs"
    preserves_control_flow = True

    #: The most uniforms to make.
    limit: int = 32

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        # What can be hoisted, operands first.
        uniform: dict[Instruction, None] = {}
        for block in context.analyses(module.main).get(control_flow).order:
            for instruction in block:
                is_load = instruction.op is ops.LOAD and instruction.address.variable.storage == "uniform"
                can_move = is_load or (instruction.op.is_pure and instruction.op.has_semantics)
                if can_move and all(isinstance(o, Constant) or o in uniform for o in instruction.operands):
                    uniform[instruction] = None
        results = _results(uniform)[: max(0, self.limit - _made_so_far(module))]
        if not results:
            return False
        preamble = module.functions.get(PREAMBLE) or _new_preamble(module)
        _hoist(uniform, results, preamble)
        for instruction in reversed(uniform):
            if not instruction.users:
                instruction.erase()
        context.forget(module.main, self)
        context.forget(preamble, self)
        return True


def _results(uniform: dict[Instruction, None]) -> list[Instruction]:
    """The last arithmetic results that others need, directly or through what is free."""
    needed: set[Instruction] = set()
    results: list[Instruction] = []
    for instruction in reversed(uniform):
        if not any(user not in uniform or user in needed for user in instruction.users):
            continue
        if instruction.op in _FREE:
            needed.add(instruction)
        elif instruction.op is not ops.LOAD:
            results.append(instruction)
    return results[::-1]


def _new_preamble(module: Module) -> Function:
    preamble = module.add_function(PREAMBLE)
    Builder(preamble.add_block("entry")).ret()
    return preamble


def _hoist(uniform: dict[Instruction, None], results: list[Instruction], preamble: Function) -> None:
    """Copy what the results need into the preamble, and let `main` load them."""
    needed = set(results)
    for instruction in reversed(uniform):
        if instruction in needed:
            needed.update(operand for operand in instruction.operands if isinstance(operand, Instruction))
    end = preamble.entry.terminator
    copies: dict[Value, Instruction] = {}
    for instruction in uniform:
        if instruction in needed:
            operands = [copies.get(operand, operand) for operand in instruction.operands]
            copy = Instruction(
                instruction.op,
                instruction.type,
                operands,
                instruction.attribute,
                flags=instruction.flags,
                span=instruction.span,
            )
            copies[instruction] = preamble.entry.insert_before(end, copy)
    for result in results:
        variable = preamble.module.add_variable(_new_uniform(result, preamble.module))
        store = Builder(preamble.entry, end)
        store.span = result.span
        store.store(variable, copies[result])
        result.replace_all_uses_with(Builder.before(result).load(variable))


def _new_uniform(result: Instruction, module: Module) -> Variable:
    number = _made_so_far(module)
    while module.find_variable(f"${PREAMBLE}.{number}") is not None:
        number += 1
    return Variable(f"${PREAMBLE}.{number}", "uniform", result.type, role=PREAMBLE, span=result.span)


def _made_so_far(module: Module) -> int:
    return sum(variable.role == PREAMBLE for variable in module.variables.values())
