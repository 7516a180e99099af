"""One ALU instruction on the machine: both halves read their sources, then they write.

Sources get their swizzle, then their absolute value, then their sign; denormal numbers count as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.backends.xenos_family.isa.operands import decode_alu
from glslc_multi.backends.xenos_family.isa.registers import COMPONENT_COUNT
from glslc_multi.backends.xenos_family.isa.semantics import cube, face_of
from glslc_multi.backends.xenos_family.machine.state import Machine
from glslc_multi.compiler.arithmetic.protocol import Arithmetic, Number

Fields = Mapping[str, int]
#: Takes the values of an export's components, in the lanes of the mask.
TakeExport = Callable[[int, Mapping[int, Number]], None]


class Alu:
    """Runs ALU instructions."""

    def __init__(self, machine: Machine, *, previous_counts: bool) -> None:
        self._machine = machine
        #: Whether the program reads previous results of the scalar unit: idle halves have one, too.
        self._previous_counts = previous_counts
        self._a = machine.a

    def run(self, word: int, take_export: TakeExport) -> None:
        """Run an instruction on all lanes whose predicate is as wanted."""
        machine, instruction = self._machine, decode_alu(word)
        if instruction is None:
            machine.lanes.fault(f"the operation of {word:#026x} is undefined")
        fields, vector, scalar = instruction.fields, instruction.vector, instruction.scalar
        slots = instruction.vector_slots
        sources, are_nonzero = [], True
        for source in instruction.vector_reads if slots else ():
            values, is_nonzero = machine.operands(source)
            sources.append(values)
            are_nonzero = are_nonzero and is_nonzero
        vector_result: Mapping[int, Number] = {}
        if fields["vector_mask"]:
            # Where no factor is zero, the machine multiplies as others do.
            a = self._a.core if are_nonzero else self._a
            is_cube = vector.compute is cube
            results = self._face(a, sources[0]) if is_cube else vector.compute(a, *sources)
            vector_result = dict(zip(slots, results, strict=True))
        is_idle = instruction.is_scalar_idle and not self._previous_counts
        scalar_sources = () if is_idle else instruction.scalar_sources
        x, y = [value for source in scalar_sources for value in machine.operands(source)[0]] or (None, None)
        scalar_result = None if is_idle else scalar.compute(self._a, x, y, machine.previous)
        if fields["predicated"]:
            machine.activate(fields)
        if instruction.has_effect:
            self._take_effect(vector, sources)
            self._take_effect(scalar, [x])
        if not is_idle:
            machine.previous = scalar_result
        if fields["vector_clamp"]:
            vector_result = {slot: self._clamped(number) for slot, number in vector_result.items()}
        if fields["scalar_clamp"] and not is_idle:
            scalar_result = self._clamped(scalar_result)
        if fields["export"]:
            exported = self._exported(fields, vector_result, scalar_result)
            if exported:
                take_export(fields["vector_dest"], exported)
        else:
            self._write(fields, vector_result, scalar_result)
        machine.lanes.mask = None

    # --- Results ------------------------------------------------------------------------------------------------------

    def _take_effect(self, row: instructions.Operation, sources: Sequence[object]) -> None:
        """What an operation does besides its result."""
        if row.predicate is not None:
            self._machine.set_predicate(row.predicate(self._a, *sources))
        if row.kills is not None:
            self._machine.kill(row.kills(self._a, *sources))
        if row.address is not None:
            self._machine.set_address(row.address(self._a, *sources))

    def _face(self, a: Arithmetic, first: Sequence[Number]) -> Sequence[Number]:
        """What CUBEv makes of its first source."""
        z, _, x, y = first
        return self._machine.lanes.face_of((x, y, z), lambda direction: face_of(a, *direction))

    def _clamped(self, x: Number) -> Number:
        """Limited to 0...1; NaN becomes 0."""
        a, zero, one = self._a, self._a.fconst(0.0), self._a.fconst(1.0)
        return a.select(a.flt(zero, x), a.select(a.flt(one, x), one, x), zero)

    def _write(self, fields: Fields, vector: Mapping[int, Number], scalar: Number) -> None:
        write = self._machine.write_register
        for component in _components(fields["vector_mask"]):
            write(fields["vector_dest"], fields["vector_dest_rel"], component, vector[component])
        for component in _components(fields["scalar_mask"]):
            write(fields["scalar_dest"], fields["scalar_dest_rel"], component, scalar)

    def _exported(self, fields: Fields, vector: Mapping[int, Number], scalar: Number) -> Mapping[int, Number]:
        """Return the components of an export, which has one number for both halves; one that both write is 1.0."""
        zero, one = self._a.fconst(0.0), self._a.fconst(1.0)
        by_vector, by_scalar = _components(fields["vector_mask"]), _components(fields["scalar_mask"])
        values = dict.fromkeys(range(COMPONENT_COUNT) if fields["scalar_dest_rel"] else (), zero)
        values.update((component, vector[component]) for component in by_vector)
        values.update((component, one if component in by_vector else scalar) for component in by_scalar)
        return values


@lru_cache(maxsize=1 << COMPONENT_COUNT)
def _components(mask: int) -> tuple[int, ...]:
    return tuple(component for component in range(COMPONENT_COUNT) if mask >> component & 1)
