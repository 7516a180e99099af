"""Multiply-adds whose operand descriptors do not fit: a product and a sum instead, whose descriptors may be anywhere.

In: allocated code, of all procedures.  Out: multiply-adds with no more than `kept` different descriptors; those that
most of them share stay.  The product goes where the result will be, so that no register is needed; where the addend is
there too, or the result is an output, which nothing can add to, the multiply-add stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.backends.pica200.codegen.register_files import TEMPORARIES
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register

#: What a descriptor says: components written, lanes and sign of each operand.
_Shape = tuple[object, ...]


def split_mads(functions: Sequence[MachineFunction], kept: int) -> None:
    """Change the functions in place."""
    mads = [made for function in functions for made in function.instructions() if made.op is OPS["MAD"]]
    counts = Counter(_shape(mad) for mad in mads)
    staying = {shape for shape, _ in counts.most_common(kept)}
    for block in [block for function in functions for block in function.blocks]:
        made: list[MachineInstruction] = []
        for instruction in block.instructions:
            is_mad = instruction.op is OPS["MAD"] and _shape(instruction) not in staying
            made += _split(instruction) if is_mad and _can_split(instruction) else [instruction]
        block.instructions = made


def _shape(mad: MachineInstruction) -> _Shape:
    return mad.defs[0].lanes, *((use.lanes, use.negate) for use in mad.uses)


def _can_split(mad: MachineInstruction) -> bool:
    """Whether the product can wait in the register of the result."""
    target, addend = mad.defs[0], mad.uses[2]
    assert isinstance(target.register, Register)
    if target.register.file is not TEMPORARIES:
        return False
    return addend.register != target.register or not set(addend.lanes) & set(target.lanes)


def _split(mad: MachineInstruction) -> list[MachineInstruction]:
    target = mad.defs[0]
    product = MachineInstruction(
        OPS["MUL"], [Def(target.register, target.lanes)], _wide_first(mad.uses[:2]), span=mad.span
    )
    total = MachineInstruction(
        OPS["ADD"],
        [Def(target.register, target.lanes)],
        _wide_first([Use(target.register, target.lanes), mad.uses[2]]),
        span=mad.span,
    )
    return [product, total]


def _wide_first(uses: list[Use]) -> list[Use]:
    """The operands of a product or sum, a c register first, where it can be read."""
    return sorted(uses, key=lambda use: not (isinstance(use.register, Register) and use.register.file.name == "c"))
