"""Constants: instructions OpConstant... and OpSpecConstant... as values whose columns are constants of the IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir.module import Constant, Function, Module
from glslc_multi.compiler.shading.emitter import Emitter, Tally
from glslc_multi.compiler.shading.operand import Operand, column_types
from glslc_multi.compiler.shading.types import NumericType, ShaderType
from glslc_multi.compiler.spirv.code import Instruction, Invalid
from glslc_multi.compiler.spirv.grammar import BY_NUMBER
from glslc_multi.compiler.spirv.numbers import float_of, read_float, read_integer, signed
from glslc_multi.frontends.spirv.composites import OPERATIONS, construct, value_ids
from glslc_multi.frontends.spirv.module.decorations import Decorations, number
from glslc_multi.frontends.spirv.module.types import Types
from glslc_multi.frontends.spirv.values import compute

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_LIMIT = 1 << 12


class Constants:
    """The constants of a module by id."""

    def __init__(self, decorations: Decorations, specializations: Mapping[int, str]) -> None:
        self.by_id: dict[int, Operand] = {}
        self.types: Types
        self._decorations = decorations
        self._given = dict(specializations)
        #: Numbers of `--spec` that are constants of the module.
        self.specialized: set[int] = set()

    def number(self, id: int) -> int:
        """The int that a constant is; 0 where it is none."""
        found = self.by_id.get(id)
        if found is None or len(found.columns) != 1:
            return 0
        component = found.columns[0].components[0] if isinstance(found.columns[0], Constant) else 0
        return component if isinstance(component, int) else 0

    def length(self, id: int, user: Instruction) -> int:
        """The length of an array."""
        if id not in self.by_id:
            raise Invalid(messages.BAD_ID, user, name=user.name, id=id, what="is no constant")
        return self.number(id)

    def read(self, instruction: Instruction) -> None:
        type_ = self.types.of(instruction.type, instruction)
        self.by_id[instruction.result] = self._value(instruction, type_)

    def _value(self, instruction: Instruction, type_: ShaderType) -> Operand:
        name = instruction.name.replace("Spec", "")
        if name in ("OpConstantTrue", "OpConstantFalse"):
            return self._truth(instruction, type_, name == "OpConstantTrue")
        if name == "OpConstant":
            if not isinstance(type_, NumericType) or not type_.is_scalar or type_.base == "bool":
                raise Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what=f"a number of type {type_}")
            if len(instruction.operands) != 1:
                raise Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what="it has not one word")
            word, given = instruction.id(0), self._specialization(instruction)
            if given is not None:
                found = read_float(given) if type_.base == "float" else read_integer(given)
                if found is None:
                    raise self._unsuitable(instruction, f"the constant is of type {type_}")
                word = found
            value = float_of(word) if type_.base == "float" else signed(word)
            return Operand(type_, (Constant(column_types(type_)[0], (value,)),))
        if name == "OpConstantOp":
            return self._computed(instruction, type_)
        emitter = scratch_emitter()
        if name == "OpConstantComposite":
            return construct(emitter, instruction, type_, [self.operand(id, instruction) for id in instruction.ids()])
        columns = map(Constant.undef, column_types(type_))
        return Operand(type_, tuple(column if name == "OpUndef" else column.defined() for column in columns))

    def operand(self, id: int, user: Instruction) -> Operand:
        if id not in self.by_id:
            raise Invalid(messages.BAD_ID, user, name=user.name, id=id, what="is no constant")
        return self.by_id[id]

    def _truth(self, instruction: Instruction, type_: ShaderType, value: bool) -> Operand:
        if not isinstance(type_, NumericType) or not type_.is_scalar or type_.base != "bool":
            raise Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what=f"a truth value of type {type_}")
        given = self._specialization(instruction)
        if given is not None:
            if given not in _TRUTHS:
                raise self._unsuitable(instruction, "the constant is true or false")
            value = _TRUTHS[given]
        return Operand(type_, (Constant(column_types(type_)[0], (value,)),))

    def _computed(self, instruction: Instruction, type_: ShaderType) -> Operand:
        """OpSpecConstantOp: another instruction on constants."""
        row = BY_NUMBER.get(instruction.id(0))
        if row is None:
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what="it is no known operation")
        if row.meaning is None and row.name not in OPERATIONS:
            raise Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what=f"{row.name} yields no constant")
        if len(instruction.operands) <= row.least:
            raise Invalid(messages.MALFORMED_INSTRUCTION, instruction, name=row.name, what="operands are missing")
        inner = Instruction(row, instruction.type, instruction.result, instruction.operands[1:], instruction.place)
        inner.line = instruction.line
        operands = [self.operand(id, instruction) for id in value_ids(inner)]
        found = compute(scratch_emitter(), inner, type_, operands)
        if not all(isinstance(column, Constant) for column in found.columns):
            raise Invalid(messages.NOT_SUPPORTED, instruction, name=instruction.name, what="it is no constant")
        return found

    def _specialization(self, instruction: Instruction) -> str | None:
        """What `--spec` says of a constant."""
        if "Spec" not in instruction.name:
            return None
        id = number(self._decorations.marks(instruction.result), "SpecId")
        if id is None or id not in self._given:
            return None
        self.specialized.add(id)
        return self._given[id].strip().lower()

    def _unsuitable(self, instruction: Instruction, what: str) -> Invalid:
        id = number(self._decorations.marks(instruction.result), "SpecId")
        given = f"{id}={self._given[id or 0]}"
        return Invalid(messages.NO_SPECIALIZATION, instruction, given=given, what=what)

    def check_specializations(self) -> None:
        """Refuse numbers that are no constant's."""
        for id in self._given:
            if id not in self.specialized:
                what = "the module has no such constant"
                raise Invalid(messages.NO_SPECIALIZATION, None, given=f"{id}={self._given[id]}", what=what)


def scratch_emitter() -> Emitter:
    """One whose instructions nobody will see: constants fold."""
    block = Function(Module("fragment"), "constants").add_block("entry")
    return Emitter(block, Tally(_LIMIT), precise=False)


def constant_numbers(operand: Operand) -> Iterator[bool | int | float | None]:
    """All components of a constant in order."""
    for column in operand.columns:
        assert isinstance(column, Constant)
        yield from column.components
