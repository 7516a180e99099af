"""A varying that is depth by promise: 0 at the near plane, 1 at the far one, as gl_FragCoord.z.

    #pragma pica200 depth v_depth

In: a fragment module.  Out: alone, the varying is an input, whose place in the register map is that of depth; linked,
what reads it reads gl_FragCoord.z, and the vertex shader need not leave it.
"""

from __future__ import annotations

import re

from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import BAD_DEPTH
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Module
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable
from compiler.lowering.interface.window import accesses

#: The role of such an input.
DEPTH = "depth"
_PRAGMA = re.compile(r"pica200\s+depth\s+(.*?)\s*\Z")
_Z = 2


def make_depth_an_input(module: Module, sink: DiagnosticSink) -> None:
    """The varying of a shader alone is an input."""
    # Those that are read; what is declared and not read may be promised as well.
    declared = {declaration.name for declaration in module.declarations if declaration.storage == "varying"}
    for match in filter(None, map(_PRAGMA.match, module.pragmas)):
        variable = module.variables.get(match[1])
        if variable is None and match[1] in declared:
            continue
        if variable is None or variable.storage not in ("varying", "input") or variable.type != FLOAT:
            sink.report(BAD_DEPTH, text=match[1])
        elif variable.storage == "varying":
            variable.storage, variable.role = "input", DEPTH
    sink.raise_if_errors()


def link_depth(module: Module, sink: DiagnosticSink) -> None:
    """The varying of a linked shader is gl_FragCoord.z."""
    make_depth_an_input(module, sink)
    loads = list(accesses(module, ops.LOAD, DEPTH))
    place = next((v for v in module.variables.values() if v.role == "frag_coord"), None)
    if loads and place is None:
        place = Variable("gl_FragCoord", "input", FLOAT.with_width(4), precision="highp", role="frag_coord")
        module.add_variable(place)
    for load in loads:
        assert place is not None
        builder = Builder.before(load)
        load.replace_all_uses_with(builder.swizzle(builder.load(place), (_Z,)))
        load.erase()
    for variable in [v for v in module.variables.values() if v.role == DEPTH]:
        del module.variables[variable.name]
