"""Branches as `ife`, `ine`, `ifl`, `els` and `eif`: what must hold of them, and where their blocks stand in the code.

In: control flow that `structurize` nested.  `orient` brings conditions into the forms that instructions have, before
selection; `in_order` strings the allocated blocks together.  Not everything may stand inside of a condition (runtime
errors 3741, 3742, 3751), and both blocks of a condition must hold something (3748): `NoForm` says that it does not.

`ifg` is not used: sources disagree about what it does with equal operands.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.agal.codegen.finalize import instructions_of
from backends.agal.codegen.machine_ops import OPS
from compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction
from compiler.codegen.operands import Modifiers, components_of
from compiler.codegen.regions import Basic, If, Region, Seq, blocks_of, structure, structure_function
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.ir.types import FLOAT

_NO_MODIFIERS = Modifiers()
#: Conditions that an instruction asks for.
DIRECT: dict[Opcode, str] = {ops.FLT: "ifl", ops.FEQ: "ife", ops.FNE: "ine"}
_OPPOSITE = {"ife": "ine", "ine": "ife"}
_SHUFFLES = frozenset({ops.PHI, ops.CONSTRUCT, ops.INSERT, ops.SWIZZLE})


class NoForm(Exception):
    """Branches that this machine does not have: arithmetic must do."""


def comparison_of(condition: Value) -> tuple[Instruction, int]:
    """The comparison that a condition is, and its component."""
    (origin,) = components_of(condition, _NO_MODIFIERS)
    if not isinstance(origin.base, Instruction):
        raise NoForm
    return origin.base, origin.lanes[0] or 0


# --- Before selection -------------------------------------------------------------------------------------------------


def orient(function: Function) -> None:
    """Let every branch ask for what an instruction asks, and go to a block of its own where the answer is yes."""
    for region in _ifs(structure_function(function)):
        _check(region)
        _orient(region)
    for phi in [i for i in function.instructions() if i.op is ops.PHI]:
        _define_operands(phi)


def _ifs(region: Region[Block]) -> Iterator[If[Block]]:
    if isinstance(region, Seq):
        for part in region.parts:
            yield from _ifs(part)
    elif isinstance(region, If):
        yield region
        for arm in _arms(region):
            yield from _ifs(arm)


def _arms(region: If[Block]) -> list[Seq[Block]]:
    return [arm for arm in (region.then, region.orelse) if arm is not None]


def _check(region: If[Block]) -> None:
    """Refuse what cannot stand inside of a condition."""
    for arm in _arms(region):
        for block in blocks_of(arm):
            if any(i.op in (ops.DDX, ops.DDY) or (i.op is ops.TEXTURE and not _is_interpolated(i)) for i in block):
                raise NoForm


def _is_interpolated(lookup: Instruction) -> bool:
    """Whether the coordinates of a lookup are components of a varying."""
    origins = [operand.base for operand in components_of(lookup.operands[0], _NO_MODIFIERS)]
    first = origins[0]
    is_varying = isinstance(first, Instruction) and first.op is ops.LOAD and first.address.variable.storage == "varying"
    return is_varying and all(origin is first for origin in origins)


def _orient(region: If[Block]) -> None:
    test = region.block.terminator
    assert test is not None
    comparison, lane = comparison_of(test.operands[0])
    builder = Builder.before(test)
    x, y = (_component(builder, operand, lane) for operand in comparison.operands)
    opcode = comparison.op
    # x <= y has no instruction, but its opposite y < x has; so the arms may change places.
    if region.inverted or (opcode is ops.FLE and region.orelse is not None):
        opcode, x, y = _negated(opcode, x, y)
        test.attribute = test.targets[::-1]
    if opcode not in DIRECT or x is y:
        mask = builder.op(ops.BTOF, builder.op(opcode, x, y))
        opcode, x, y = ops.FNE, mask, Constant(FLOAT, (0.0,))
    test.set_operand(0, builder.op(opcode, x, y))


def _component(builder: Builder, operand: Value, lane: int) -> Value:
    return operand if operand.type.is_scalar else builder.extract(operand, lane)


def _negated(opcode: Opcode, x: Value, y: Value) -> tuple[Opcode, Value, Value]:
    if opcode in (ops.FLT, ops.FLE):
        return (ops.FLE if opcode is ops.FLT else ops.FLT), y, x
    return (ops.FNE if opcode is ops.FEQ else ops.FEQ), x, y


def _define_operands(phi: Instruction) -> None:
    """Give undefined components a value: a component counts as written only if both blocks wrote it."""
    seen: set[Instruction] = set()
    pending = [phi]
    while pending:
        instruction = pending.pop()
        if instruction in seen or instruction.op not in _SHUFFLES:
            continue
        seen.add(instruction)
        for position, operand in enumerate(instruction.operands):
            if isinstance(operand, Instruction):
                pending.append(operand)
            elif isinstance(operand, Constant) and None in operand.components:
                defined = tuple(0.0 if component is None else component for component in operand.components)
                instruction.set_operand(position, Constant(operand.type, defined))


# --- Behind it --------------------------------------------------------------------------------------------------------


def unconditional_blocks(function: MachineFunction) -> set[MachineBlock]:
    """The blocks that run in any case."""
    return {part.block for part in _tree(function).parts if isinstance(part, Basic | If)}


def in_order(function: MachineFunction) -> list[MachineInstruction]:
    """The instructions that become tokens, in the order of the code."""
    return _tokens(_tree(function))


def _tree(function: MachineFunction) -> Seq[MachineBlock]:
    return structure(function.entry, lambda block: block.successors)


def _tokens(region: Region[MachineBlock]) -> list[MachineInstruction]:
    if isinstance(region, Seq):
        return [token for part in region.parts for token in _tokens(part)]
    assert isinstance(region, Basic | If), "loops are unrolled"
    plain = instructions_of(region.block)
    return plain if isinstance(region, Basic) else [*plain[:-1], *_condition(plain[-1], region)]


def _condition(test: MachineInstruction, region: If[MachineBlock]) -> list[MachineInstruction]:
    then = _tokens(region.then)
    orelse = _tokens(region.orelse) if region.orelse is not None else []
    if not then and not orelse:
        return []
    if not then:
        if test.op.name not in _OPPOSITE:
            raise NoForm
        test = MachineInstruction(OPS[_OPPOSITE[test.op.name]], [], test.uses, span=test.span)
        then, orelse = orelse, then
    middle = [MachineInstruction(OPS["els"], span=test.span), *orelse] if orelse else []
    return [test, *then, *middle, MachineInstruction(OPS["eif"], span=test.span)]
