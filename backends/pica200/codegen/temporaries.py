"""The r registers, as the allocator knows them."""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc import RegisterModel

#: What messages call them.
RESOURCE = "temporary registers"


class Temporaries(RegisterModel):
    """The r registers, as the allocator sees them."""

    target = TARGET_NAME
    resource = RESOURCE

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])

    def component_cost(self, register: VirtualRegister, lane: int, component: int) -> int:
        # Unmoved components make descriptors that other instructions share.
        return int(component != lane)
