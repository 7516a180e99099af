"""Loads and stores: pointers to elements, and matrices as wholes."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.spirv.interface import Home, Interface
from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import Address, Stage, Variable


class Memory:
    """Writes what reads and changes variables."""

    def __init__(self, writer: Writer, interface: Interface, stage: Stage) -> None:
        self._writer = writer
        self._interface = interface
        self._stage = stage

    def load(self, i: Instruction) -> int:
        """Load an element, or a column of one."""
        writer, address, variable, width = self._writer, i.address, i.address.variable, i.type.width
        if variable.is_matrix and self.is_given(variable) and not address.dynamic_column:
            matrix = self.load_matrix(address, i.operands)
            return writer.share("OpCompositeExtract", writer.type_of(i.type), matrix, address.column)
        home = self._interface.home(variable)
        type_ = writer.assembly.value_type(home.kind, width)
        value = self._read(variable, type_, self._pointer(home, address, i.operands, type_))
        if home.kind != "uint":
            return value
        if i.type.kind == "bool":
            zeros = writer.assembly.splat("uint", 0, width)
            return writer.share("OpINotEqual", writer.type_of(i.type), value, zeros)
        return writer.bitcast("int", value, width)

    def load_matrix(self, address: Address, operands: Sequence[Value]) -> int:
        """Load all columns of a matrix."""
        variable = address.variable
        type_ = self._writer.assembly.value_type("float", variable.type.width, variable.columns)
        home = self._interface.home(variable)
        return self._read(variable, type_, self._pointer(home, address, operands, type_, whole=True))

    def load_sampler(self, address: Address, operands: Sequence[Value]) -> int:
        """Load a texture with its sampler."""
        variable = address.variable
        type_ = self._writer.assembly.sampler_type(SAMPLER_KINDS[variable.type.kind])
        home = self._interface.home(variable)
        return self._read(variable, type_, self._pointer(home, address, operands, type_, whole=True))

    def store(self, i: Instruction) -> None:
        """Store an element, or a column of one."""
        *indices, value = i.operands
        home = self._interface.home(i.address.variable)
        type_ = self._writer.assembly.value_type(home.kind, value.type.width)
        id = self._writer.of(value)
        if home.kind == "uint":
            id = self._writer.bitcast("uint", id, value.type.width)
        self._writer.append("OpStore", self._pointer(home, i.address, indices, type_), id)

    def is_given(self, variable: Variable) -> bool:
        """Tell whether a variable stays as it is."""
        return variable.storage != "local" and not variable.is_written_by(self._stage)

    def _read(self, variable: Variable, type_: int, pointer: int) -> int:
        load = self._writer.share if self.is_given(variable) else self._writer.write
        return load("OpLoad", type_, pointer)

    def _pointer(
        self, home: Home, address: Address, operands: Sequence[Value], type_: int, *, whole: bool = False
    ) -> int:
        """Return a pointer to a column of an element, or to all of it."""
        writer = self._writer
        indices = iter(self._indices(home, address, operands))
        steps = [next(indices) if step is None else writer.assembly.number("int", step) for step in home.steps]
        if address.variable.is_matrix and not whole:
            column = writer.assembly.number("int", address.column)
            steps.append(writer.of(operands[int(address.dynamic_index)]) if address.dynamic_column else column)
        if not steps:
            return home.id
        return writer.share("OpAccessChain", writer.assembly.pointer_type(home.storage, type_), home.id, *steps)

    def _indices(self, home: Home, address: Address, operands: Sequence[Value]) -> list[int]:
        """Return the index of each dimension, from the number of an element."""
        writer, assembly = self._writer, self._writer.assembly
        int_type = assembly.value_type("int")
        if not address.dynamic_index:
            indices, rest = [], address.offset
            for length in reversed(home.lengths):
                indices.append(assembly.number("int", rest % length))
                rest //= length
            return indices[::-1]
        number = writer.of(operands[0])
        if address.offset:
            number = writer.share("OpIAdd", int_type, number, assembly.number("int", address.offset))
        indices = []
        for length in reversed(home.lengths[1:]):
            indices.append(writer.share("OpSRem", int_type, number, assembly.number("int", length)))
            number = writer.share("OpSDiv", int_type, number, assembly.number("int", length))
        return [number, *reversed(indices)]
