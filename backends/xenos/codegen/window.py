"""The window as OpenGL has it, with its origin in the lower left corner, on a machine that counts rows from the top.

In: a fragment module.  Out: y of gl_FragCoord is what is missing to the height of the window, which a uniform has, and
derivatives along y have the other sign.
"""

from __future__ import annotations

from backends.xenos_family.codegen.abi import components_read
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Instruction, Module
from compiler.ir.types import FLOAT
from compiler.ir.variables import WINDOW_HEIGHT, WINDOW_HEIGHT_NAME, Variable

_Y = 1


def speaks_of_origin(module: Module) -> bool:
    """Whether the shader itself counts from the upper edge: it takes for granted that the machine does not."""
    return any(variable.role == WINDOW_HEIGHT for variable in module.variables.values())


def count_from_below(module: Module) -> tuple[Variable, ...]:
    """Change the module in place; the uniform, if it has become one of the module's."""
    for instruction in list(module.main.instructions()):
        if instruction.op is ops.DDY:
            _negate(instruction)
    coordinate = next((v for v in module.variables.values() if v.role == "frag_coord"), None)
    if coordinate is None or _Y not in components_read(module, coordinate):
        return ()
    known = next((v for v in module.variables.values() if v.role == WINDOW_HEIGHT), None)
    own = Variable(WINDOW_HEIGHT_NAME, "uniform", FLOAT, precision="highp", role=WINDOW_HEIGHT)
    height = known or module.add_variable(own)
    for load in list(module.main.instructions()):
        if load.op is ops.LOAD and load.address.variable is coordinate:
            users = list(load.users)
            builder = _after(load)
            row = builder.op(ops.FSUB, builder.load(height), builder.extract(load, _Y))
            _use_instead(users, load, builder.insert(load, row, _Y))
    return () if known is not None else (height,)


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
