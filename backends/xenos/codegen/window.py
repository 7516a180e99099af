"""The window as OpenGL has it, with its origin in the lower left corner, on a machine that counts rows from the top.

In: a fragment module.  Out: y of gl_FragCoord is what is missing to the height of the window, which a uniform has, and
derivatives along y have the other sign.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.codegen.abi import components_read
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT, WINDOW_HEIGHT_NAME, Variable
from glslc_multi.compiler.lowering.interface.window import accesses
from glslc_multi.compiler.passes.base import ModulePass, PassContext

_Y = 1


def window_height(module: Module) -> Variable | None:
    """Find the uniform with the height of the window.

    A shader that itself counts from the upper edge has it: it takes for granted that the machine does not.
    """
    return next((variable for variable in module.variables.values() if variable.role == WINDOW_HEIGHT), None)


class CountFromBelow(ModulePass):
    """See the module's text."""

    name = "xenos-lower-left"
    description = "counts rows of the window from its lower edge"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        derivatives = [i for i in module.main.instructions() if i.op is ops.DDY]
        for derivative in derivatives:
            _negate(derivative)
        coordinate = next((v for v in module.variables.values() if v.role == "frag_coord"), None)
        is_read = coordinate is not None and _Y in components_read(module, coordinate)
        if is_read:
            height = window_height(module) or module.add_variable(
                Variable(WINDOW_HEIGHT_NAME, "uniform", FLOAT, precision="highp", role=WINDOW_HEIGHT)
            )
            for load in list(accesses(module, ops.LOAD, "frag_coord")):
                users = list(load.users)
                builder = _after(load)
                row = builder.op(ops.FSUB, builder.load(height), builder.extract(load, _Y))
                _use_instead(users, load, builder.insert(load, row, _Y))
        context.forget(module.main, self)
        return is_read or bool(derivatives)


def _negate(derivative: Instruction) -> None:
    users = list(derivative.users)
    _use_instead(users, derivative, _after(derivative).op(ops.FNEG, derivative))


def _after(instruction: Instruction) -> Builder:
    following = instruction.next
    assert following is not None, "no block ends with it"
    builder = Builder.before(following)
    builder.span, builder.flags = instruction.span, instruction.flags
    return builder


def _use_instead(users: list[Instruction], old: Instruction, new: Instruction) -> None:
    for user in users:
        for number, operand in enumerate(user.operands):
            if operand is old:
                user.set_operand(number, new)
