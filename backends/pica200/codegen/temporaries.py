"""The r registers: what the allocator knows of them, and the orders of instructions to try.

Code keeps the order of the source while its values find room.  Where they do not, orders that need fewer registers are
tried (`pressure.py`), then random ones too; full registers are hard to assign, so that later orders aim lower than what
there is.
"""

from __future__ import annotations

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.machine_ops import OPS
from backends.pica200.codegen.register_files import TEMPORARIES
from compiler.codegen.levels import Level
from compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister
from compiler.codegen.regalloc import RegisterModel
from compiler.records import dataclass

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


@dataclass(frozen=True, slots=True)
class Order:
    """How instructions are put in order: the components that may live at a time, and how many random orders are
    tried beside the usual ones."""

    limit: int
    tries: int = 0


_ROOM = TEMPORARIES.count * 4
_FEW = (Order(_ROOM), Order(_ROOM - 8, 4), Order(_ROOM - 16, 8))
_MANY = (*_FEW, Order(_ROOM // 2, 48), Order(0, 48))
#: The level of optimisation that compares all orders.
SEARCHING = 3


def orders(optimisation: int) -> tuple[Level[Order | None], ...]:
    """The orders to try, one after the other; None is that of the source."""
    changed = _MANY if optimisation >= SEARCHING else _FEW
    return (Level("source order", "instructions in the order of the source", None), *map(_level, changed))


def _level(order: Order) -> Level[Order | None]:
    name = f"order for {order.limit} components"
    return Level(name, f"instructions in an order for {order.limit} live components, if there is one", order)
