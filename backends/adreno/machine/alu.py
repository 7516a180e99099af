"""One ALU instruction on the machine: both halves read their sources, then they write.

Sources get their swizzle, then their absolute value, then their sign; denormal numbers count as zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from backends.adreno.isa import instructions
from backends.adreno.isa.operands import Source, decode_alu
from backends.adreno.isa.registers import ADDRESS_RANGE, COMPONENT_COUNT
from backends.adreno.isa.semantics import Vector
from backends.adreno.machine.arithmetic import ADRENO, Operand, arithmetic_of
from backends.adreno.machine.state import Machine, SimulationFault, changed
from compiler.arithmetic.lanes import Array


def execute_alu(machine: Machine, word: int) -> None:
    """Run an instruction on all lanes whose predicate is as wanted."""
    instruction = decode_alu(word)
    if instruction is None:
        raise SimulationFault(f"the operation of {word:#026x} is undefined")
    fields, vector, scalar = instruction.fields, instruction.vector, instruction.scalar
    lanes = machine.active(fields)
    operands = [_read(machine, source) for source in instruction.vector_sources]
    sources = [tuple(operand.row for operand in source) for source in operands]
    x, y = (operand.row for source in instruction.scalar_sources for operand in _read(machine, source))
    vector_result = vector.compute(arithmetic_of(chain(*operands)), *sources)
    scalar_result = scalar.compute(ADRENO, x, y, machine.previous)
    _effects(machine, vector, sources, lanes)
    _effects(machine, scalar, [x], lanes)
    machine.previous = scalar_result if lanes is None else np.where(lanes, scalar_result, machine.previous)
    if fields["vector_clamp"]:
        vector_result = tuple(map(_clamped, vector_result))
    if fields["scalar_clamp"]:
        scalar_result = _clamped(scalar_result)
    write = _export if fields["export"] else _write
    write(machine, fields, vector_result, scalar_result, lanes)


def _read(machine: Machine, source: Source) -> list[Operand]:
    """A source's components."""
    number, components = source.number, source.components
    if source.relative_to == "a0":
        found = [machine.read_constants(number + machine.address, component) for component in components]
    else:
        read = machine.read_register if source.is_register else machine.read_constant
        number = machine.numbered(number, source.relative_to == "aL")
        found = [read(number, component) for component in components]
    if source.is_absolute:
        found = [Operand(np.abs(row), is_nonzero) for row, is_nonzero in found]
    if source.is_negated:
        found = [Operand(np.negative(row), is_nonzero) for row, is_nonzero in found]
    return found


# --- Results ----------------------------------------------------------------------------------------------------------


def _effects(machine: Machine, row: instructions.Operation, sources: Sequence[object], lanes: Array | None) -> None:
    """What an operation does besides its result."""
    if row.predicate is not None:
        machine.predicate = changed(machine.predicate, row.predicate(ADRENO, *sources), lanes)
    if row.kills is not None:
        machine.killed = changed(machine.killed, machine.killed | row.kills(ADRENO, *sources), lanes)
    if row.address is not None:
        limited = np.clip(np.nan_to_num(row.address(ADRENO, *sources)), *ADDRESS_RANGE)
        machine.address = changed(machine.address, limited.astype(np.int64), lanes)


def _clamped(values: Array) -> Array:
    """Limited to 0...1; NaN becomes 0."""
    return np.where(values > 0, np.minimum(values, np.float32(1)), np.float32(0))


def _write(machine: Machine, fields: Mapping[str, int], vector: Vector, scalar: Array, lanes: Array | None) -> None:
    for half, values in (("vector", vector), ("scalar", (scalar,) * COMPONENT_COUNT)):
        number, mask = machine.numbered(fields[f"{half}_dest"], fields[f"{half}_dest_rel"]), fields[f"{half}_mask"]
        for component, value in enumerate(values):
            if mask >> component & 1:
                machine.write_register(number, component, value, lanes)


def _export(machine: Machine, fields: Mapping[str, int], vector: Vector, scalar: Array, lanes: Array | None) -> None:
    """An export has one number for both halves; a component that both write is 1.0."""
    values = np.zeros((COMPONENT_COUNT, machine.lanes), np.float32)
    for component in range(COMPONENT_COUNT):
        by_vector, by_scalar = (fields[mask] >> component & 1 for mask in ("vector_mask", "scalar_mask"))
        if by_vector and by_scalar:
            values[component] = 1.0
        elif by_vector:
            values[component] = vector[component]
        elif by_scalar:
            values[component] = scalar
    mask = fields["vector_mask"] | fields["scalar_mask"]
    written = 0xF if fields["scalar_dest_rel"] else mask
    if written:
        machine.exports.append((fields["vector_dest"], written, values, machine.everywhere if lanes is None else lanes))
