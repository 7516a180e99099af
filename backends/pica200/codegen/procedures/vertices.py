"""Emitted vertices in a form in which a procedure can make them.

In: legal code on virtual registers.

* `compute_apart`: what later vertices, or several, write to outputs and nothing else reads is computed where they do:
  as a value that is kept it would be computed to a register and copied, and repeat nothing.  Comes before outputs are
  forwarded.
* `order_vertices`: in each block, from one EMIT to the next, first what other vertices need as well, then the SETEMIT,
  then outputs that are not the same for all vertices and need nothing computed here, then everything else.  So a
  procedure can reach up to EMIT, and knows nothing of such outputs; and one can make several vertices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping

from glslc_multi.backends.pica200.codegen.machine_ops import COMPUTING, EMIT, SETEMIT, SETEMIT_IF
from glslc_multi.backends.pica200.codegen.register_files import INPUTS, OUTPUTS
from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step


@step("order vertices")
def order_vertices(function: MachineFunction) -> None:
    """Change `function` in place."""
    emissions = sum(instruction.op is EMIT for instruction in function.instructions())
    if not emissions:
        return
    looks = Counter(_look(made) for made in function.instructions() if _writes_output(made))
    common = {look for look, count in looks.items() if count >= emissions}
    for block in function.blocks:
        vertices = [_ordered(vertex, common) for vertex in _vertices(block.instructions)]
        readers = Counter(register for vertex in vertices for register in _registers_read(vertex))
        block.instructions = [each for vertex in vertices for each in _values_first(vertex, readers)]


def _vertices(instructions: Iterable[MachineInstruction]) -> Iterator[list[MachineInstruction]]:
    """The instructions up to each EMIT, and the rest."""
    vertex: list[MachineInstruction] = []
    for instruction in instructions:
        vertex.append(instruction)
        if instruction.op is EMIT:
            yield vertex
            vertex = []
    yield vertex


def _ordered(vertex: list[MachineInstruction], common: set[Hashable]) -> list[MachineInstruction]:
    if not vertex or vertex[-1].op is not EMIT or any(made.op is SETEMIT_IF for made in vertex):
        return vertex
    told = [made for made in vertex if made.op is SETEMIT]
    own = [made for index, made in enumerate(vertex) if _look(made) not in common and _may_be_first(vertex, index)]
    first = {*told, *own}
    return [*told, *own, *(made for made in vertex if made not in first)]


def _values_first(vertex: list[MachineInstruction], readers: Mapping[AnyRegister, int]) -> list[MachineInstruction]:
    """Put what other vertices read as well in front, so that it does not divide this one."""
    own = _registers_read(vertex)
    needed = {register for register, count in readers.items() if count > (register in own)}
    early: set[MachineInstruction] = set()
    for instruction in reversed(vertex):
        is_value = instruction.op in COMPUTING and not _writes_output(instruction)
        if is_value and any(each.register in needed for each in instruction.defs):
            early.add(instruction)
            needed.update(use.register for use in instruction.all_uses())
    passed: set[AnyRegister] = set()
    for instruction in vertex:
        if instruction not in early:
            passed.update(use.register for use in instruction.all_uses())
            passed.update(each.register for each in instruction.defs)
        elif any(each.register in passed for each in instruction.defs):
            return vertex
    return [*(each for each in vertex if each in early), *(each for each in vertex if each not in early)]


def _registers_read(vertex: Iterable[MachineInstruction]) -> set[AnyRegister]:
    return {use.register for instruction in vertex for use in instruction.all_uses()}


def _may_be_first(vertex: list[MachineInstruction], place: int) -> bool:
    """Tell whether an instruction writes an output of what is known before the vertex."""
    instruction = vertex[place]
    made = {definition.register for other in vertex[:place] for definition in other.defs}
    return _writes_output(instruction) and made.isdisjoint(use.register for use in instruction.all_uses())


def _writes_output(instruction: MachineInstruction) -> bool:
    return bool(instruction.defs) and all(
        isinstance(definition.register, Register) and definition.register.file is OUTPUTS
        for definition in instruction.defs
    )


def _look(instruction: MachineInstruction) -> Hashable:
    """What is equal where two instructions do the same with the same registers; a value is like any other, and where
    something is computed of an input, this is one: a call may pass it."""
    operands: list[Use | Def] = [*instruction.uses, *instruction.defs]
    registers = tuple([None if _is_passed(operand, instruction) else operand.register for operand in operands])
    signs = tuple((use.negate, use.relative is None) for use in instruction.uses)
    return instruction.op, registers, tuple(each.lanes for each in operands), signs


def _is_passed(operand: Use | Def, instruction: MachineInstruction) -> bool:
    """Whether a call can pass what an operand reads."""
    register = operand.register
    is_input = isinstance(register, Register) and register.file is INPUTS
    return isinstance(register, VirtualRegister) or (is_input and not instruction.op.copy)


# --- Values of several vertices ---------------------------------------------------------------------------------------


@step("compute vertices apart")
def compute_apart(function: MachineFunction) -> bool:
    """Whether anything is computed for several vertices now."""
    places = {
        instruction: (block, index) for block in function.blocks for index, instruction in enumerate(block.instructions)
    }
    writers: dict[AnyRegister, list[MachineInstruction]] = {}
    readers: dict[AnyRegister, list[MachineInstruction]] = {}
    for made in function.instructions():
        for definition in made.defs:
            writers.setdefault(definition.register, []).append(made)
        for use in made.all_uses():
            readers.setdefault(use.register, []).append(made)
    apart = [register for register, copies in readers.items() if _is_repeatable(register, copies, writers, places)]
    for register in apart:
        (writer,) = writers[register]
        block, _ = places[writer]
        for copy in readers[register]:
            # Let a copy have a value of its own.
            (definition,), (source,) = writer.defs, copy.uses
            old = definition.register
            assert isinstance(old, VirtualRegister)
            value = function.new_register(
                old.width, old.register_class, ordered=old.ordered, name=old.name, span=old.span
            )
            uses = [Use(use.register, use.lanes, use.negate, use.absolute, None, use.extra) for use in writer.uses]
            again = MachineInstruction(
                writer.op, [Def(value, definition.lanes)], uses, attributes=writer.attributes, span=writer.span
            )
            block.instructions.insert(block.instructions.index(copy), again)
            source.register = value
        block.instructions.remove(writer)
    return bool(apart)


def _is_repeatable(
    register: AnyRegister,
    copies: list[MachineInstruction],
    writers: dict[AnyRegister, list[MachineInstruction]],
    places: dict[MachineInstruction, tuple[MachineBlock, int]],
) -> bool:
    """Whether one instruction computes a value, all readers are copies to outputs behind it in its block, some of them
    behind an EMIT, and its own operands are there what they were."""
    if not isinstance(register, VirtualRegister) or len(writers.get(register, ())) != 1:
        return False
    (writer,) = writers[register]
    block, place = places[writer]
    if writer.op not in COMPUTING or writer.op.copy or any(use.relative is not None for use in writer.uses):
        return False
    if not all(copy.op.copy and _writes_output(copy) and places[copy][0] is block for copy in copies):
        return False
    last = max(places[copy][1] for copy in copies)
    writes = [writing for use in writer.uses for writing in writers.get(use.register, ())]
    is_known = all(places[each][0] is block and places[each][1] < place for each in writes)
    return is_known and any(instruction.op is EMIT for instruction in block.instructions[place:last])
