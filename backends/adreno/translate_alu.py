"""Code of ALU instructions: `vector_unit.py` again, emitted for groups of lanes.

Registers, predicate and what else lanes have are variables of the translator; constants are words in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backends.adreno import formats, isa
from backends.adreno.machine import ADDRESS_RANGE, COMPONENT_COUNT, CONSTANTS, REGISTERS
from backends.adreno.numbers import SMALLEST_NORMAL
from backends.adreno.spelling import constant_flag
from backends.adreno.vector_unit import (
    ABSOLUTE,
    REGISTER_BITS,
    REGISTER_IN_SWIZZLE,
    RELATIVE,
    W_SLOT,
    X_SLOT,
    operation_arity,
    operations_of,
)
from backends.host.arithmetic import HostArithmetic
from backends.host.emitter import Value
from backends.host.translation import Translator, refuse

Fields = Mapping[str, int]
Vector = tuple[Value, ...]

PREDICATE, KILLED, _PREVIOUS, _ADDRESS = "predicate", "killed", "previous", "a0"
#: aL, an i32 that all lanes share.
COUNTER = "aL"
#: First part of the keys of registers.
REGISTER = "R"


class HostAdreno(HostArithmetic):
    """`numbers.ADRENO`, emitted."""

    def fmul(self, x: Value, y: Value) -> Value:
        """The product; +0 if a factor is zero, whatever the other one is."""
        is_zero = self.bor(self._is_small(x), self._is_small(y))
        return self.select(is_zero, self.fconst(0.0), super().fmul(x, y))

    def flushed(self, x: Value) -> Value:
        """`x` with denormal numbers as zero of the same sign."""
        zero = self.emitter.intrinsic("copysign", x.type, self.fconst(0.0), x)
        return self.select(self._is_small(x), zero, x)

    def _is_small(self, x: Value) -> Value:
        return self.flt(self.fabs(x), self.fconst(float(SMALLEST_NORMAL)))


class AluCode:
    """Emits instructions, and what fetches share with them."""

    def __init__(self, translator: Translator[Any]) -> None:
        self._translator = translator
        self.emitter = translator.emitter
        self.a = HostAdreno(self.emitter)
        #: Components that are written of each export.
        self.exports: dict[int, set[int]] = {}

    def run(self, word: int) -> None:
        """Run an instruction in the lanes whose predicate is as it wants."""
        fields = formats.ALU.decode(word)
        found = operations_of(fields)
        if found is None:
            refuse(f"the undefined operation of {word:#026x}")
        vector, scalar = found
        lanes = self.active(fields)
        sources = [self._source(f"src{1 + index}", fields) for index in range(operation_arity(vector))]
        x, y = self._scalar_sources(scalar, fields)
        results = vector.compute(self.a, *sources)
        result = scalar.compute(self.a, x, y, self.number(_PREVIOUS))
        self._effects(vector, sources, lanes)
        self._effects(scalar, (x,), lanes)
        self._translator.write(_PREVIOUS, result, lanes)
        clamped = [self._clamped(value, fields["vector_clamp"]) for value in results]
        write = self._export if fields["export"] else self._write
        write(fields, clamped, self._clamped(result, fields["scalar_clamp"]), lanes)

    # --- State --------------------------------------------------------------------------------------------------------

    def active(self, fields: Fields) -> Value | None:
        """Lanes that run an instruction with these fields; None: all."""
        if not fields["predicated"]:
            return None
        return self.wanting(bool(fields["pred_condition"]))

    def wanting(self, condition: bool) -> Value:
        """Lanes whose predicate is as wanted."""
        predicate = self.flags(PREDICATE)
        return predicate if condition else self.a.bnot(predicate)

    def flags(self, name: str) -> Value:
        return self._translator.read(name, self.emitter.mask)

    def number(self, name: str) -> Value:
        return self._translator.read(name)

    def register(self, number: int, relative: int, component: int) -> Value:
        """A register's component; it begins with what the chip has put there."""
        self._check(relative)
        assert number < REGISTERS
        return self._translator.read(_register(number, component), given=(REGISTER, number, component))

    def write_register(self, number: int, relative: int, component: int, value: Value, lanes: Value | None) -> None:
        self._check(relative)
        self._translator.write(_register(number, component), value, lanes)

    def _check(self, relative: int) -> None:
        if relative:
            refuse("registers whose number depends on aL")

    def _constant(self, number: int, relative: int, by_address: int, component: int) -> Value:
        """A constant; +0 outside of the constants."""
        if not relative:
            return self._translator.constant(COMPONENT_COUNT * number + component)
        emitter, a = self.emitter, self.a
        offset = self._offset(by_address)
        place = a.iadd(offset, emitter.ints(number))
        inside = a.band(a.ilt(emitter.ints(-1), place), a.ilt(place, emitter.ints(CONSTANTS)))
        word = a.iadd(
            a.imul(a.select(inside, place, emitter.ints(0)), emitter.ints(COMPONENT_COUNT)), emitter.ints(component)
        )
        found = self._translator.constant_at(emitter.convert("sext", word, emitter.i64))
        return a.select(inside, found, a.fconst(0.0))

    def _offset(self, by_address: int) -> Value:
        if by_address:
            return self._translator.read(_ADDRESS, self.emitter.i32)
        return self.emitter.broadcast(self._translator.read(COUNTER, "i32"))

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _source(self, name: str, fields: Fields) -> Vector:
        """A source's four components after its modifiers."""
        byte, swizzle, negate = fields[name], fields[f"{name}_swizzle"], fields[f"{name}_negate"]
        slots = [slot + (swizzle >> 2 * slot) & 3 for slot in range(COMPONENT_COUNT)]
        if fields[f"{name}_bank"]:
            absolute = byte & ABSOLUTE
            found = {c: self.register(byte & REGISTER_BITS, byte & RELATIVE, c) for c in dict.fromkeys(slots)}
        else:
            absolute, relative = fields["abs_constants"], fields[constant_flag(name, fields)]
            found = {c: self._constant(byte, relative, fields["const_rel_a0"], c) for c in dict.fromkeys(slots)}
        modified = {c: self._modified(value, absolute, negate) for c, value in found.items()}
        return tuple(modified[c] for c in slots)

    def _modified(self, value: Value, absolute: int, negate: int) -> Value:
        value = self.a.flushed(value)
        value = self.a.fabs(value) if absolute else value
        return self.a.fneg(value) if negate else value

    def _scalar_sources(self, row: isa.Operation, fields: Fields) -> tuple[Value, Value]:
        """W and X of source 3; or of a constant and of a register whose number stands in other fields."""
        if not row.of_constant:
            source = self._source("src3", fields)
            return source[W_SLOT], source[X_SLOT]
        swizzle = fields["src3_swizzle"]
        number = row.code & 1 | fields["src3_bank"] << 1 | swizzle & REGISTER_IN_SWIZZLE
        constant = self._constant(fields["src3"], 0, 0, W_SLOT + (swizzle >> 2 * W_SLOT) & 3)
        register = self.register(number, 0, X_SLOT + swizzle & 3)
        absolute, negate = fields["abs_constants"], fields["src3_negate"]
        return self._modified(constant, absolute, negate), self._modified(register, absolute, negate)

    # --- Results ------------------------------------------------------------------------------------------------------

    def _effects(self, row: isa.Operation, sources: Sequence[Any], lanes: Value | None) -> None:
        """What an operation does beside its result."""
        write = self._translator.write
        if row.predicate is not None:
            write(PREDICATE, row.predicate(self.a, *sources), lanes)
        if row.kills is not None:
            write(KILLED, self.a.bor(self.flags(KILLED), row.kills(self.a, *sources)), lanes)
        if row.address is not None:
            whole = self.a.ftoi(row.address(self.a, *sources))
            low, high = (self.emitter.ints(limit) for limit in ADDRESS_RANGE)
            limited = self.emitter.intrinsic("smax", whole.type, whole, low)
            write(_ADDRESS, self.emitter.intrinsic("smin", whole.type, limited, high), lanes)

    def _clamped(self, value: Value, clamp: int) -> Value:
        """Limited to 0...1 if asked for; NaN becomes 0."""
        if not clamp:
            return value
        a, zero, one = self.a, self.a.fconst(0.0), self.a.fconst(1.0)
        return a.select(a.flt(zero, value), a.select(a.flt(one, value), one, value), zero)

    def _write(self, fields: Fields, vector: Sequence[Value], scalar: Value, lanes: Value | None) -> None:
        for component in range(COMPONENT_COUNT):
            for half, value in (("vector", vector[component]), ("scalar", scalar)):
                if fields[f"{half}_mask"] >> component & 1:
                    number, relative = fields[f"{half}_dest"], fields[f"{half}_dest_rel"]
                    self.write_register(number, relative, component, value, lanes)

    def _export(self, fields: Fields, vector: Sequence[Value], scalar: Value, lanes: Value | None) -> None:
        """An export has one number for both halves; a component that both write is 1.0."""
        number = fields["vector_dest"]
        for component in range(COMPONENT_COUNT):
            by_vector, by_scalar = (fields[mask] >> component & 1 for mask in ("vector_mask", "scalar_mask"))
            if not (by_vector or by_scalar or fields["scalar_dest_rel"]):
                continue
            value = vector[component] if by_vector else scalar if by_scalar else self.a.fconst(0.0)
            if by_vector and by_scalar:
                value = self.a.fconst(1.0)
            self.exports.setdefault(number, set()).add(component)
            self._translator.write(export_name(number, component), value, lanes)


def export_name(number: int, component: int) -> str:
    """The variable of an export's component."""
    return f"export{number}.{component}"


def _register(number: int, component: int) -> str:
    return f"{REGISTER}{number}.{component}"
