"""From allocated machine code to tokens: masks, swizzles, samplers.

A swizzle has four slots, all of which count as read (reference section 3.3).  Slots that the instruction does not
need repeat a component that it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from glslc_multi.backends.agal.codegen.least_size import token_limit
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.program import Destination, Program, Sampler, Source, Token, direct_source, encode
from glslc_multi.backends.agal.isa.registers import IDENTITY
from glslc_multi.compiler.codegen.machine import Def, Lanes, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.variables import Variable

#: Sampler by variable and element.
Samplers = Mapping[tuple[Variable, int], Sampler]


def finalize(
    tokens: Sequence[MachineInstruction], files: RegisterFiles, samplers: Samplers, sink: DiagnosticSink
) -> Program:
    """The program of instructions whose operands are physical registers; too many are reported and raised."""
    check_size(tokens, str(len(tokens)), files, sink)
    words = [encode(_token(instruction, files, samplers)) for instruction in tokens]
    return Program(files.stage, files.version, tuple(words))


def check_size(tokens: Sequence[MachineInstruction], need: str, files: RegisterFiles, sink: DiagnosticSink) -> None:
    """Report tokens that are too many, at the first one that has no room."""
    limit = token_limit(files.version)
    if len(tokens) > limit.most:
        limit.report(need, tokens[limit.most].span, sink)
        sink.raise_if_errors()


def _token(instruction: MachineInstruction, files: RegisterFiles, samplers: Samplers) -> Token:
    row = instructions.BY_NAME[instruction.op.name]
    destination = instruction.defs[0] if instruction.defs else None
    sources = [
        _source(use, mode, destination, files)
        for use, mode in zip(instruction.uses, instruction.op.sources, strict=True)
    ]
    operands = [] if destination is None else [_destination(destination, files)]
    if row.role == "texture":
        sampler = instruction.attributes["sampler"]
        return Token(row, (*operands, *sources, samplers[instruction.attributes["variable"], sampler.index]))
    return Token(row, (*operands, *sources))


def _physical(operand: Def | Use) -> Register:
    assert isinstance(operand.register, Register), f"{operand.register} has no register"
    return operand.register


def _destination(definition: Def, files: RegisterFiles) -> Destination:
    register = _physical(definition)
    mask = sum(1 << lane for lane in definition.lanes)
    return Destination(files.type_of(register), register.index, mask)


def _source(use: Use, mode: str, destination: Def | None, files: RegisterFiles) -> Source:
    register = _physical(use)
    slots = destination.lanes if mode == "each" and destination is not None else range(len(use.lanes))
    swizzle = IDENTITY if mode == "fixed" else _swizzle(slots, use.lanes)
    if use.relative is None:
        return direct_source(files.type_of(register), register.index, swizzle)
    index = _physical(use.relative)
    return Source(
        files.type_of(register),
        index.index,
        swizzle,
        indirect=1,
        offset=register.index,
        index_type=files.type_of(index),
        index_component=use.relative.lanes[0] or 0,
    )


@lru_cache(maxsize=1 << 10)
def _swizzle(slots: tuple[int, ...] | range, lanes: Lanes) -> int:
    """The field: a slot that nobody needs repeats the one before it, the first ones the first that is needed."""
    wanted: list[int | None] = [None] * 4
    for slot, lane in zip(slots, lanes, strict=True):
        wanted[slot] = lane
    last = next((lane for lane in wanted if lane is not None), 0)
    field = 0
    for slot, lane in enumerate(wanted):
        last = last if lane is None else lane
        field |= last << 2 * slot
    return field
