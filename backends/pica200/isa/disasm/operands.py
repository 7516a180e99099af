"""One instruction as text: mnemonic, operands, condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.backends.pica200.isa.descriptors import Descriptor, mask_letters
from glslc_multi.backends.pica200.isa.descriptors import decode as decode_descriptor
from glslc_multi.backends.pica200.isa.instructions import Instruction
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.backends.pica200.isa.registers import ADDRESS_REGISTERS, BANKS, destination_register, source_register
from glslc_multi.compiler.isa.components import mask_text, swizzle_text


class NoText(Exception):
    """A word that assembly text cannot express."""

    def __init__(self, address: int, reason: str) -> None:
        super().__init__(reason)
        self.address = address
        self.reason = reason


def statement(address: int, instruction: Instruction, table: Sequence[int], target: str) -> str:
    """The text of an instruction; `target` names where it jumps to."""
    operands = _operands(address, instruction, table, target)
    return f"{instruction.operation.mnemonic} {', '.join(operands)}".rstrip()


def _operands(address: int, instruction: Instruction, table: Sequence[int], target: str) -> list[str]:
    operation, fields = instruction.operation, instruction.fields
    targets = [target] if operation.jumps in ("call", "branch") else []
    if operation.operands == "none":
        return targets
    if operation.operands == "condition":
        return [condition(fields), *targets]
    if operation.operands == "bool":
        inverted = operation.jumps == "branch" and fields["num"] & 1
        return [f"{'!' if inverted else ''}b{fields['id']}", *targets]
    if operation.operands == "loop":
        if fields["id"] >= BANKS["i"]:
            raise NoText(address, f"there is no register i{fields['id']}")
        return [f"i{fields['id']}"]
    if operation.operands == "setemit":
        if fields["vertex"] > 2:
            raise NoText(address, "there is no vertex slot 3")
        flags = [text for name, text in (("primitive", "prim"), ("winding", "inv")) if fields[name]]
        return [str(fields["vertex"]), *([" ".join(flags)] if flags else [])]
    number = instruction.fields["desc"]
    if number >= len(table):
        raise NoText(address, f"there is no operand descriptor {number}")
    return _arithmetic(address, instruction, decode_descriptor(table[number]))


def _arithmetic(address: int, instruction: Instruction, descriptor: Descriptor) -> list[str]:
    fields = instruction.fields
    sources = [_source(address, instruction, descriptor, number) for number in range(len(instruction.operation.reads))]
    if instruction.operation.operands == "cmp":
        relations = [fields["cmpx"], fields["cmpy"]]
        if max(relations) >= len(RELATION_NAMES):
            raise NoText(address, f"relation {max(relations)} of cmp has no name")
        return [sources[0], *(RELATION_NAMES[relation] for relation in relations), sources[1]]
    letters = mask_letters(descriptor.mask)
    if instruction.operation.operands == "mova":
        if not letters or not set(letters) <= set("xy"):
            raise NoText(address, f"mova writes '{letters}'")
        return [f"a0.{letters}", *sources]
    if not letters:
        raise NoText(address, "no component is written")
    bank, index = destination_register(fields["dst"])
    return [f"{bank}{index}{mask_text(letters)}", *sources]


def _source(address: int, instruction: Instruction, descriptor: Descriptor, number: int) -> str:
    layout = instruction.operation.layout
    source = layout.sources[number]
    bank, index = source_register(instruction.fields[source])
    relative = instruction.fields["idx"] if source == layout.wide else 0
    if relative and bank != "c":
        raise NoText(address, f"{bank}{index} is indexed, only c registers can be")
    text = f"{bank}{index}"
    if text == "v15":
        # picasso refuses the spelling, although the register exists.
        text = "v14[1]"
    sign = "-" if descriptor.negations[number] else ""
    indexed = f"[{ADDRESS_REGISTERS[relative]}]" if relative else ""
    return f"{sign}{text}{indexed}{swizzle_text(descriptor.selectors[number])}"


def condition(fields: Mapping[str, int]) -> str:
    """`!cmp.x && cmp.y`."""
    x = f"{'' if fields['refx'] else '!'}cmp.x"
    y = f"{'' if fields['refy'] else '!'}cmp.y"
    return (f"{x} || {y}", f"{x} && {y}", x, y)[fields["condop"]]
