"""gl_FragCoord of a linked pair, where the machine does not give it to fragment programs: the vertex stage passes it.

x and y of the window, each times w, are clip.xy * half of the viewport's size + clip.w * its centre.  That is affine in
the position, and so may be interpolated; divided by w in each pixel it is gl_FragCoord.xy.  Where the viewport is, only
the host knows: a uniform has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable

#: The uniform: half of the viewport's width and of its height, then the window coordinates of its centre.
VIEWPORT = "$viewport"


def viewport_of(x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """The numbers of the uniform."""
    return width / 2, height / 2, x + width / 2, y + height / 2


def position_of(vertex: Module) -> tuple[Builder, Value]:
    """What the vertex stage leaves as its position, undefined where that is nothing, and a builder at that place."""
    for store in accesses(vertex, ops.STORE, "position"):
        return Builder.before(store), store.operands[-1]
    end = next(instruction for instruction in vertex.main.instructions() if instruction.op is ops.RET)
    return Builder.before(end), Constant.undef(VEC4)


def place_times_w(builder: Builder, position: Value) -> Value:
    """x and y of the window, each times w."""
    module = builder.function.module
    uniform = module.find_variable(VIEWPORT)
    if uniform is None:
        uniform = module.add_variable(Variable(VIEWPORT, "uniform", VEC4, precision="highp"))
    viewport = builder.load(uniform)
    scaled = builder.op(ops.FMUL, builder.swizzle(position, (0, 1)), builder.swizzle(viewport, (0, 1)))
    moved = builder.op(ops.FMUL, builder.swizzle(position, (3, 3)), builder.swizzle(viewport, (2, 3)))
    return builder.op(ops.FADD, scaled, moved)


def accesses(module: Module, op: Opcode, role: str) -> Iterator[Instruction]:
    """The loads, or stores, of the variable with a role."""
    instructions = (i for function in module.functions.values() for i in function.instructions())
    return (i for i in instructions if i.op is op and i.address.variable.role == role)
