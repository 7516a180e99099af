"""Colours of a fragment shader get four components, which is what every machine's colour buffers take.

In: outputs of any width, as GLSL has them from 1.30 and ES 3.00 on.  Out: vectors of four; what a shader does not write
is undefined (GLSL ES 3.00 section 4.3.6).
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Module
from glslc_multi.compiler.ir.variables import Variable

_COLOURS = frozenset({"frag_color", "frag_data"})


def colours_of(module: Module) -> list[Variable]:
    """The outputs that are colours."""
    return [v for v in module.variables.values() if v.storage == "output" and v.role in _COLOURS]


def last_colour(module: Module, variable: Variable) -> int:
    """The number of the last buffer that a variable is written to."""
    stores = (i for function in module.functions.values() for i in function.instructions() if i.op is ops.STORE)
    written = [i for i in stores if i.address.variable is variable and not _is_undefined(i.operands[-1])]
    return (variable.location or 0) + max((store.address.offset for store in written), default=0)


def widen_colours(module: Module) -> None:
    """Give every colour four components."""
    narrow = {variable for variable in colours_of(module) if variable.type.width < 4}
    if not narrow:
        return
    for function in module.functions.values():
        for store in function.instructions():
            if store.op is ops.STORE and store.address.variable in narrow:
                value = store.operands[-1]
                missing = value.type.with_width(4 - value.type.width)
                rest = Constant(missing, (None,) * missing.width)
                store.set_operand(-1, Builder.before(store).op(ops.CONSTRUCT, value, rest))
    for variable in narrow:
        variable.type = variable.type.with_width(4)


def _is_undefined(value: object) -> bool:
    return isinstance(value, Constant) and value.is_undef
