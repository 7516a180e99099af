"""Code of ALU instructions: `alu.py` again, emitted for groups of lanes.

Registers, predicate and what else lanes have are variables of the translator; constants are words in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from backends.adreno.isa import instructions
from backends.adreno.isa.operands import Source, decode_alu
from backends.adreno.isa.registers import ADDRESS_RANGE, COMPONENT_COUNT, CONSTANTS, REGISTERS
from backends.adreno.isa.semantics import SMALLEST_NORMAL
from compiler.native.arithmetic import HostArithmetic
from compiler.native.emitter import Value
from compiler.native.translation import Translator, refuse

Fields = Mapping[str, int]
Vector = tuple[Value, ...]

PREDICATE, KILLED, _PREVIOUS, _ADDRESS = "predicate", "killed", "previous", "a0"
#: aL, an i32 that all lanes share.
COUNTER = "aL"
#: First part of the keys of registers.
REGISTER = "R"


class HostAdreno(HostArithmetic):
    """`arithmetic.ADRENO`, emitted."""

    def fmul(self, x: Value, y: Value) -> Value:
        """The product; +0 if a factor is zero, whatever the other one is."""
        zero = self.fconst(0.0)
        return self.select(self.bor(self.feq(x, zero), self.feq(y, zero)), zero, super().fmul(x, y))

    def flushed(self, x: Value) -> Value:
        """`x` with denormal numbers as zero of the same sign."""
        zero = self.emitter.intrinsic("copysign", x.type, self.fconst(0.0), x)
        return self.select(self.flt(self.fabs(x), self.fconst(SMALLEST_NORMAL)), zero, x)


class AluCode:
    """Emits instructions, and what fetches share with them."""

    def __init__(self, translator: Translator[Any]) -> None:
        self._translator = translator
        self.emitter = translator.emitter
        self.a = HostAdreno(self.emitter)
        #: Components that are written of each export.
        self.exports: dict[int, set[int]] = {}

    def run(self, word: int) -> None:
        """Run an instruction in the lanes whose predicate is as wanted."""
        instruction = decode_alu(word)
        if instruction is None:
            refuse(f"the undefined operation of {word:#026x}")
        fields, vector, scalar = instruction.fields, instruction.vector, instruction.scalar
        lanes = self.active(fields)
        sources = [self._read(source) for source in instruction.vector_sources]
        x, y = (value for source in instruction.scalar_sources for value in self._read(source))
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
        """A register's component; it begins with what the chip has put there.  +0 outside of the registers."""
        if not relative:
            return self._translator.read(_register(number, component), given=(REGISTER, number, component))
        found = self.a.fconst(0.0)
        for register, is_meant in self._candidates(number):
            found = self.emitter.select(is_meant, self.register(register, 0, component), found)
        return found

    def write_register(self, number: int, relative: int, component: int, value: Value, lanes: Value | None) -> None:
        """Nothing is written outside of the registers."""
        if not relative:
            self._translator.write(_register(number, component), value, lanes)
            return
        for register, is_meant in self._candidates(number):
            chosen = self.emitter.select(is_meant, value, self.register(register, 0, component))
            self.write_register(register, 0, component, chosen, lanes)

    def _candidates(self, number: int) -> Iterator[tuple[int, Value]]:
        """Every register, and whether it is the one at aL + `number`."""
        meant = self.emitter.value("i32", f"add {self._translator.read(COUNTER, 'i32')}, {number}")
        for register in range(REGISTERS):
            yield register, self.emitter.value("i1", f"icmp eq {meant}, {register}")

    def _constant(self, source: Source, component: int) -> Value:
        """A constant; +0 outside of the constants."""
        if not source.relative_to:
            return self._translator.constant(COMPONENT_COUNT * source.number + component)
        emitter, a = self.emitter, self.a
        index = a.iadd(self._offset(source.relative_to), emitter.ints(source.number))
        inside = a.band(a.ilt(emitter.ints(-1), index), a.ilt(index, emitter.ints(CONSTANTS)))
        word = a.iadd(
            a.imul(a.select(inside, index, emitter.ints(0)), emitter.ints(COMPONENT_COUNT)), emitter.ints(component)
        )
        found = self._translator.constant_at(emitter.convert("sext", word, emitter.i64))
        return a.select(inside, found, a.fconst(0.0))

    def _offset(self, index: Literal["a0", "aL"]) -> Value:
        if index == "a0":
            return self._translator.read(_ADDRESS, self.emitter.i32)
        return self.emitter.broadcast(self._translator.read(COUNTER, "i32"))

    # --- Sources ------------------------------------------------------------------------------------------------------

    def _read(self, source: Source) -> list[Value]:
        """A source's components."""
        read = self._read_register if source.is_register else self._constant
        found = {component: read(source, component) for component in dict.fromkeys(source.components)}
        modified = {component: self._modified(value, source) for component, value in found.items()}
        return [modified[component] for component in source.components]

    def _read_register(self, source: Source, component: int) -> Value:
        return self.register(source.number, source.relative_to == "aL", component)

    def _modified(self, value: Value, source: Source) -> Value:
        value = self.a.flushed(value)
        value = self.a.fabs(value) if source.is_absolute else value
        return self.a.fneg(value) if source.is_negated else value

    # --- Results ------------------------------------------------------------------------------------------------------

    def _effects(self, row: instructions.Operation, sources: Sequence[Any], lanes: Value | None) -> None:
        """What an operation does besides its result."""
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
