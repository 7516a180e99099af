"""Machine code as text, before and after allocation and bundling, for pages and for faults.

    ^entry -> ^then, ^join:
      %0:temporary3.xyz = mul v0.xyz, -@u_scale[0].0.xxx
      mov? %0 ...                                          ; ? where only some lanes are written
      branch %0.x {condition='lt'} -> ^then

A definition of a virtual register says its class and width (and `!` where its components are in order); after
allocation there is a physical register instead.  Components are letters, `_` where nobody cares; registers of one
component have none.  A source may be `-`, `|absolute|`, be followed by an address register in brackets and by what else
the target says in `<>`.  In a block that is `bundled`, a line is a word, whose instructions `|` separates.  The text
leaves out spans and the names of registers.
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    MachineBlock,
    MachineInstruction,
    Slot,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register

LANE_LETTERS = "xyzw"


def print_word(slot: Slot) -> str:
    """What issues together, on one line."""
    return " | ".join(map(print_instruction, slot))


def print_instruction(instruction: MachineInstruction) -> str:
    """One line, without indentation."""
    parts = []
    if instruction.defs:
        parts.append(", ".join(map(_definition, instruction.defs)) + " =")
    parts.append(instruction.op.name + ("?" if instruction.conditional else ""))
    if instruction.uses:
        parts.append(", ".join(map(print_use, instruction.uses)))
    if instruction.attributes:
        parts.append("{" + ", ".join(f"{key}={_value(value)}" for key, value in instruction.attributes.items()) + "}")
    if instruction.targets:
        parts.append("-> " + ", ".join(f"^{target.name}" for target in instruction.targets))
    return " ".join(parts)


def print_use(use: Use) -> str:
    """An operand that is read."""
    text = f"{use.register}{_lanes(use.register, use.lanes)}"
    if use.relative is not None:
        text += f"[{print_use(use.relative)}]"
    if use.extra is not None:
        text += f"<{use.extra}>"
    text = f"|{text}|" if use.absolute else text
    return f"-{text}" if use.negate else text


def block_heading(block: MachineBlock) -> str:
    """The line before a block's instructions."""
    bundled = " bundled" if block.slots is not None else ""
    following = " -> " + ", ".join(f"^{after.name}" for after in block.successors) if block.successors else ""
    return f"^{block.name}{bundled}{following}:"


def _definition(definition: Def) -> str:
    register = definition.register
    kind = f":{_type(register)}" if isinstance(register, VirtualRegister) else ""
    return f"{register}{kind}{_lanes(register, definition.lanes)}"


def _type(register: VirtualRegister) -> str:
    return f"{register.register_class}{register.width}{'!' if register.ordered else ''}"


def _width(register: AnyRegister) -> int:
    if isinstance(register, VirtualRegister):
        return register.width
    return register.components if isinstance(register, Register) else 0


def _lanes(register: AnyRegister, lanes: Lanes) -> str:
    if _width(register) == 1 and lanes == (0,):
        return ""
    return "." + "".join("_" if lane is None else LANE_LETTERS[lane] for lane in lanes)


def _value(value: object) -> str:
    """A value of an attribute: plain data as Python writes it, anything else by its name."""
    return repr(value) if isinstance(value, str | int | float | tuple | None) else str(value)
