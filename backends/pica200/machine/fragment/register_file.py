"""Registers by name: fields as numbers, the names of choices, floats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.compiler.target import MachineFault


class SimulationFault(MachineFault):
    """A set-up of registers has no known meaning, or asks for what no simulator has."""


class RegisterFile:
    """What writes leave; registers that nobody has written are 0."""

    def __init__(self, writes: Iterable[Write]) -> None:
        self._values = registers_after(writes, {})

    def __contains__(self, name: str) -> bool:
        return BY_NAME[name].address in self._values

    def fields(self, name: str) -> Mapping[str, int]:
        return BY_NAME[name].format.decode(self._values.get(BY_NAME[name].address, 0))

    def choice(self, name: str, field: str) -> str:
        """The name of a code."""
        code = self.fields(name)[field]
        name_of_code = BY_NAME[name].layout.codes[field].get(code)
        if name_of_code is None:
            raise SimulationFault(f"{name}: {field} is {code}, which has no known meaning")
        return name_of_code

    def floats(self, *names: str) -> list[float]:
        """The floats of registers, in order."""
        return [
            form.value_of(self.fields(name)[field])
            for name in names
            for field, form in BY_NAME[name].layout.floats.items()
        ]
