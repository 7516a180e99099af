"""One ALU instruction on the machine: both halves read their sources, then they write.

Sources get their swizzle, then their absolute value, then their sign; denormal numbers count as zero.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from backends.adreno import formats, isa
from backends.adreno.machine import ADDRESS_RANGE, COMPONENT_COUNT, Machine, SimulationFault
from backends.adreno.meanings import Vector
from backends.adreno.numbers import ADRENO, flush
from backends.adreno.spelling import constant_flag
from compiler.ir.lanes import Array

X_SLOT, W_SLOT = 0, 3
#: Parts of the byte that names a register.
REGISTER_BITS, RELATIVE, ABSOLUTE = 0x3F, 0x40, 0x80
#: Bits of source 3's swizzle that are bits of a register's number in operations with a constant.
REGISTER_IN_SWIZZLE = 0x3C


def execute_alu(machine: Machine, word: int) -> None:
    """Run an instruction on all lanes whose predicate is as it wants."""
    fields = formats.ALU.decode(word)
    found = operations_of(fields)
    if found is None:
        raise SimulationFault(f"the operation of {word:#026x} is undefined")
    vector, scalar = found
    lanes = machine.active(fields)
    vector_sources = [_source(machine, f"src{1 + index}", fields) for index in range(operation_arity(vector))]
    x, y = _scalar_sources(machine, scalar, fields)
    vector_result = _column(vector.compute(ADRENO, *vector_sources), machine.lanes)
    scalar_result = np.broadcast_to(scalar.compute(ADRENO, x, y, machine.previous), (machine.lanes,))
    _effects(machine, vector, tuple(vector_sources), lanes)
    _effects(machine, scalar, (x,), lanes)
    machine.previous = np.where(lanes, scalar_result, machine.previous)
    vector_result = _clamp(vector_result, fields["vector_clamp"])
    scalar_result = _clamp(scalar_result, fields["scalar_clamp"])
    write = _export if fields["export"] else _write
    write(machine, fields, vector_result, scalar_result, lanes)


def operations_of(fields: Mapping[str, int]) -> tuple[isa.Operation, isa.Operation] | None:
    """The vector and the scalar operation; None where one is undefined."""
    vector = isa.VECTOR_BY_CODE.get(fields["vector_op"])
    scalar = isa.SCALAR_BY_CODE.get(fields["scalar_op"])
    return None if vector is None or scalar is None else (vector, scalar)


def operation_arity(row: isa.Operation) -> int:
    """Sources that the operation reads: MOVAv also reads the second, which text does not show."""
    return 2 if row.name == "MOVAv" else row.sources


def _column(values: Vector, lanes: int) -> Array:
    return np.stack([np.broadcast_to(np.asarray(value, np.float32), (lanes,)) for value in values])


# --- Sources ----------------------------------------------------------------------------------------------------------


def _source(machine: Machine, name: str, fields: Mapping[str, int]) -> tuple[Array, ...]:
    """A source's four components after its modifiers."""
    byte = fields[name]
    if fields[f"{name}_bank"]:
        values, absolute = machine.read_register(byte & REGISTER_BITS, bool(byte & RELATIVE)), byte & ABSOLUTE
    else:
        offset = _offset(machine, fields) if fields[constant_flag(name, fields)] else 0
        values, absolute = machine.read_constant(byte, offset), fields["abs_constants"]
    swizzle = fields[f"{name}_swizzle"]
    slots = range(COMPONENT_COUNT)
    return tuple(
        _modified(values[slot + (swizzle >> 2 * slot) & 3], absolute, fields[f"{name}_negate"]) for slot in slots
    )


def _offset(machine: Machine, fields: Mapping[str, int]) -> Array | int:
    return machine.address if fields["const_rel_a0"] else machine.counter


def _modified(values: Array, absolute: int, negate: int) -> Array:
    flushed = flush(values)
    magnitude = np.abs(flushed) if absolute else flushed
    return np.negative(magnitude) if negate else magnitude


def _scalar_sources(machine: Machine, row: isa.Operation, fields: Mapping[str, int]) -> tuple[Array, Array]:
    """W and X of source 3; or of a constant and of a register whose number stands in other fields."""
    if not row.of_constant:
        source = _source(machine, "src3", fields)
        return source[W_SLOT], source[X_SLOT]
    swizzle = fields["src3_swizzle"]
    number = row.code & 1 | fields["src3_bank"] << 1 | swizzle & REGISTER_IN_SWIZZLE
    constant = machine.read_constant(fields["src3"], 0)[W_SLOT + (swizzle >> 2 * W_SLOT) & 3]
    register = machine.read_register(number, False)[X_SLOT + swizzle & 3]
    absolute, negate = fields["abs_constants"], fields["src3_negate"]
    return _modified(constant, absolute, negate), _modified(register, absolute, negate)


# --- Results ----------------------------------------------------------------------------------------------------------


def _effects(machine: Machine, row: isa.Operation, sources: tuple[object, ...], lanes: Array) -> None:
    """What an operation does beside its result."""
    if row.predicate is not None:
        machine.predicate = np.where(lanes, row.predicate(ADRENO, *sources), machine.predicate)
    if row.kills is not None:
        machine.killed = machine.killed | (lanes & row.kills(ADRENO, *sources))
    if row.address is not None:
        limited = np.clip(np.nan_to_num(row.address(ADRENO, *sources)), *ADDRESS_RANGE)
        machine.address = np.where(lanes, limited.astype(np.int64), machine.address)


def _clamp(values: Array, clamp: int) -> Array:
    """Limited to 0...1 if asked for; NaN becomes 0."""
    return np.where(values > 0, np.minimum(values, np.float32(1)), np.float32(0)) if clamp else values


def _write(machine: Machine, fields: Mapping[str, int], vector: Array, scalar: Array, lanes: Array) -> None:
    for component in range(COMPONENT_COUNT):
        if fields["vector_mask"] >> component & 1:
            relative = bool(fields["vector_dest_rel"])
            machine.write_register(fields["vector_dest"], relative, component, vector[component], lanes)
        if fields["scalar_mask"] >> component & 1:
            relative = bool(fields["scalar_dest_rel"])
            machine.write_register(fields["scalar_dest"], relative, component, scalar, lanes)


def _export(machine: Machine, fields: Mapping[str, int], vector: Array, scalar: Array, lanes: Array) -> None:
    """An export has one number for both halves; a component that both write is 1.0."""
    values = np.zeros_like(vector)
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
        machine.exports.append((fields["vector_dest"], written, values, lanes))
