"""The target of one selection, and what the files of rules share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar

from glslc_multi.backends.xenos_family.codegen.abi import Interface
from glslc_multi.backends.xenos_family.codegen.machine_ops import END, GO, SCALAR, VECTOR
from glslc_multi.backends.xenos_family.codegen.register_files import FETCHED, GENERAL, R, move
from glslc_multi.compiler.codegen.machine import AnyRegister, Def, MachineInstruction, Uniform, Use
from glslc_multi.compiler.codegen.operands import Modifiers
from glslc_multi.compiler.codegen.selection.emitter import Emitter, SelectionTarget
from glslc_multi.compiler.ir.module import Instruction


class Machine(SelectionTarget):
    """See `SelectionTarget`."""

    operations: ClassVar = {**VECTOR, **SCALAR, "GO": GO, "END": END}
    modifiers = Modifiers(negate=True, absolute=True)
    values = GENERAL

    def __init__(
        self,
        interface: Interface,
        counted: Mapping[Instruction, int] | None = None,
        for_neighbours: Collection[Instruction] = (),
    ) -> None:
        self.interface = interface
        #: Branches of loops that the machine counts -> how often they run.
        self.counted = counted or {}
        #: Fetches whose results pixels beside the drawn ones need.
        self.for_neighbours = for_neighbours

    def place(self, load: Instruction) -> AnyRegister | None:
        """Uniforms and varyings are read where they are."""
        address, variable = load.address, load.address.variable
        if address.is_dynamic:
            return None
        if variable.storage == "uniform":
            return Uniform(variable, address.offset, address.column)
        if variable.storage == "varying":
            return R[self.interface.varyings[variable, address.offset, address.column]]
        return None

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return move(target, source)


FamilyEmitter = Emitter[Machine]


def found(width: int) -> Use:
    """The components of what a fetch finds."""
    return Use(FETCHED, tuple(range(width)))
