"""Operations on the parts of values (section 3.52.12), over the columns that values are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.shading.emitter import Component, Emitter
from glslc_multi.compiler.shading.operand import Operand, column_types, element_of, element_type, first_columns
from glslc_multi.compiler.shading.types import ArrayType, Base, NumericType, ShaderType, StructType, numeric
from glslc_multi.compiler.spirv.code import Instruction, Invalid

#: A component of OpVectorShuffle that may be anything.
_ANY = 0xFFFFFFFF


def construct(emitter: Emitter, instruction: Instruction, type_: ShaderType, parts: Sequence[Operand]) -> Operand:
    """A composite of its parts: members, elements, columns, or the components of a vector."""
    if isinstance(type_, NumericType) and type_.is_vector:
        values = [part.value for part in parts if len(part.columns) == 1]
        if sum(value.type.width for value in values) != type_.rows or len(values) != len(parts):
            raise unfit(instruction, f"the parts of a {type_} have another number of components")
        if any(value.type.kind != column_types(type_)[0].kind for value in values):
            raise unfit(instruction, f"the parts of a {type_} are of other types")
        is_splat = values[0].type.is_scalar and all(value is values[0] for value in values)
        whole = emitter.widen(values[0], type_.rows) if is_splat else emitter.op(ops.CONSTRUCT, *values)
        return checked(instruction, Operand(type_, (whole,)))
    if isinstance(type_, StructType):
        expected = [field.type for field in type_.fields]
    elif isinstance(type_, ArrayType):
        expected = [type_.element] * type_.length
    elif isinstance(type_, NumericType) and type_.is_matrix:
        expected = [element_type(type_)] * type_.columns
    else:
        expected = []
    if not expected or [part.type for part in parts] != expected:
        raise unfit(instruction, f"the parts of a {type_} are of other types")
    return Operand(type_, tuple(column for part in parts for column in part.columns))


def part_of(instruction: Instruction, whole: Operand, index: int) -> Operand:
    """A member of a structure, an element of an array, or a column of a matrix."""
    check_index(instruction, whole.type, index)
    if isinstance(whole.type, StructType):
        start, end = first_columns(whole.type)[index : index + 2]
        return Operand(whole.type.fields[index].type, whole.columns[start:end])
    return element_of(whole, index)


def check_index(instruction: Instruction, type_: ShaderType, index: int) -> None:
    """Refuse numbers of parts that a type does not have."""
    if not 0 <= index < part_count(type_):
        raise unfit(instruction, f"a {type_} has no part {index}")


def part_count(type_: ShaderType) -> int:
    if isinstance(type_, StructType):
        return len(type_.fields)
    if isinstance(type_, ArrayType):
        return type_.length
    if isinstance(type_, NumericType) and not type_.is_scalar:
        return type_.columns if type_.is_matrix else type_.rows
    return 0


def _is_vector(type_: ShaderType) -> bool:
    return isinstance(type_, NumericType) and type_.is_vector


def _extract(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    found = operands[0]
    for index in instruction.ids(1):
        if _is_vector(found.type):
            check_index(instruction, found.type, index)
            found = Operand(numeric(cast(NumericType, found.type).base), (emitter.swizzle(found.value, (index,)),))
        else:
            found = part_of(instruction, found, index)
    return checked(instruction, Operand(type_, found.columns))


def _insert(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    new, whole = operands
    if whole.type != type_:
        raise unfit(instruction, "the composite is of another type than the result")
    return Operand(type_, tuple(_inserted(emitter, instruction, new, whole, instruction.ids(2))))


def _inserted(
    emitter: Emitter, instruction: Instruction, new: Operand, whole: Operand, path: Sequence[int]
) -> Sequence[Value]:
    if not path:
        if new.type != whole.type:
            raise unfit(instruction, f"a {new.type} in the place of a {whole.type}")
        return new.columns
    check_index(instruction, whole.type, path[0])
    if _is_vector(whole.type):
        if len(path) > 1 or new.type is not element_type(whole.type):
            raise unfit(instruction, f"a {new.type} in the place of a component of a {whole.type}")
        return [emitter.op(ops.INSERT, whole.value, new.value, attribute=path[0])]
    columns: list[Value] = []
    for index in range(part_count(whole.type)):
        part = part_of(instruction, whole, index)
        columns += _inserted(emitter, instruction, new, part, path[1:]) if index == path[0] else part.columns
    return columns


def _shuffle(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    if not all(_is_vector(each.type) for each in (*operands, Operand(type_, ()))):
        raise unfit(instruction, "it is about vectors")
    first, second = (operand.value for operand in operands)
    if first.type.kind != second.type.kind:
        raise unfit(instruction, f"a {operands[0].type} and a {operands[1].type} have components of different kinds")
    sources: list[Component] = [(first, i) for i in range(first.type.width)]
    sources += [(second, i) for i in range(second.type.width)]
    numbers = [0 if number == _ANY else number for number in instruction.ids(2)]
    if any(number >= len(sources) for number in numbers) or not 2 <= len(numbers) <= 4:
        raise unfit(instruction, "it names components that are not there")
    base = cast(Base, first.type.kind)
    return checked(instruction, Operand(type_, (emitter.assemble([sources[n] for n in numbers], base),)))


def _extract_dynamic(
    emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]
) -> Operand:
    vector, index = (operand.value for operand in operands)
    if isinstance(index, Constant) and index.type.kind == "int" and index.type.is_scalar:
        number = min(max(int(index.components[0] or 0), 0), vector.type.width - 1)
        return checked(instruction, Operand(type_, (emitter.swizzle(vector, (number,)),)))
    return checked(instruction, Operand(type_, (emitter.op(ops.EXTRACT_DYNAMIC, vector, index),)))


def _insert_dynamic(
    emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]
) -> Operand:
    vector, new, index = (operand.value for operand in operands)
    return checked(instruction, Operand(type_, (emitter.op(ops.INSERT_DYNAMIC, vector, new, index),)))


def _copy(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    return checked(instruction, Operand(type_, operands[0].columns))


def _construct(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    return construct(emitter, instruction, type_, operands)


def _bitcast(emitter: Emitter, instruction: Instruction, type_: ShaderType, operands: Sequence[Operand]) -> Operand:
    """Between floats and ints; ints of the IR have no sign."""
    value = operands[0].value
    if isinstance(type_, NumericType) and type_.base != "bool" and value.type.kind in ("int", "float"):
        wanted = "float" if type_.base == "float" else "int"
        if value.type.kind != wanted:
            value = emitter.op(ops.BITCAST_ITOF if wanted == "float" else ops.BITCAST_FTOI, value)
    return checked(instruction, Operand(type_, (value,)))


OPERATIONS: dict[str, Callable[[Emitter, Instruction, ShaderType, Sequence[Operand]], Operand]] = {
    "OpCompositeConstruct": _construct,
    "OpCompositeExtract": _extract,
    "OpCompositeInsert": _insert,
    "OpVectorShuffle": _shuffle,
    "OpVectorExtractDynamic": _extract_dynamic,
    "OpVectorInsertDynamic": _insert_dynamic,
    "OpCopyObject": _copy,
    "OpCopyLogical": _copy,
    "OpBitcast": _bitcast,
}


def value_ids(instruction: Instruction) -> list[int]:
    """The operands that are values, without the numbers of parts that may stand behind them."""
    kinds = instruction.row.kinds
    return instruction.ids()[: kinds.index("literal") if "literal" in kinds else None]


def checked(instruction: Instruction, result: Operand) -> Operand:
    """The result, whose columns are those of its type."""
    if [column.type for column in result.columns] != column_types(result.type):
        raise unfit(instruction, f"its operands yield no {result.type}")
    return result


def unfit(instruction: Instruction, what: str) -> Invalid:
    return Invalid(messages.BAD_TYPES, instruction, name=instruction.name, what=what)


def misfit(instruction: Instruction, error: Exception) -> Invalid:
    """Say that operands are of other types, and how where the IR knows; numbers of columns that differ say nothing."""
    what = f" ({error})" if isinstance(error, SignatureError) else ""
    return unfit(instruction, f"its operands are of other types{what}")
