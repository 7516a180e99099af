"""What nobody reads of the results: alpha on the screen, and values of the preamble that `main` no longer loads."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Module
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.compiler.passes.base import ModulePass, Pass, PassContext


class ForgetAlpha(Pass):
    """Stores no alpha, which the screen has not: what only that needs need not be computed."""

    name = "theia-no-alpha"
    description = "stores colours without alpha"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        roles = ("frag_color", "frag_data")
        stores = [i for i in function.instructions() if i.op is ops.STORE and i.address.variable.role in roles]
        for store in stores:
            colour = store.operands[-1]
            scalar = colour.type.scalar
            zero = Constant(scalar, (0.0 if scalar is FLOAT else 0,))
            store.set_operand(-1, Builder.before(store).insert(colour, zero, 3))
        return bool(stores)


class DropUnreadResults(ModulePass):
    """Removes what the preamble computes and `main` does not read."""

    name = "theia-unread-results"
    description = "removes results of the preamble that nobody reads"

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        preamble = module.functions.get(PREAMBLE)
        if preamble is None:
            return False
        read = {load.address.variable for load in module.main.instructions() if load.op is ops.LOAD}
        stores = [store for store in preamble.instructions() if store.op is ops.STORE]
        unread = [store for store in stores if store.address.variable not in read]
        for store in unread:
            store.erase()
            del module.variables[store.address.variable.name]
        context.forget(preamble, self)
        if len(unread) == len(stores):
            del module.functions[PREAMBLE]
        return bool(unread)
