"""Types of results that depend on more than a signature says: on the attribute, or on how many operands there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.ir.types import INT, VOID, Type, vector


def swizzle_type(types: Sequence[Type], pattern: tuple[int, ...]) -> Type:
    (source,) = _expect(types, 1)
    if not 1 <= len(pattern) <= 4:
        raise SignatureError("a swizzle selects 1 to 4 components")
    if any(not 0 <= component < source.width for component in pattern):
        raise SignatureError(f"swizzle selects a component that {source} does not have")
    return vector(source.kind, len(pattern))


def insert_type(types: Sequence[Type], component: int) -> Type:
    target, scalar = _expect(types, 2)
    if scalar is not target.scalar:
        raise SignatureError(f"operand 2 must be {target.scalar}, found {scalar}")
    if not 0 <= component < target.width:
        raise SignatureError(f"{target} has no component {component}")
    return target


def construct_type(types: Sequence[Type], _attribute: object) -> Type:
    if not types:
        raise SignatureError("takes at least 1 operand, found 0")
    kind = types[0].kind
    odd = next((t for t in types if t.kind != kind), None)
    if odd is not None:
        raise SignatureError(f"operands must be of one kind, found {types[0]} and {odd}")
    width = sum(t.width for t in types)
    if width > 4:
        raise SignatureError(f"constructs {width} components, a vector has at most 4")
    return vector(kind, width)


def matrix_vector_type(types: Sequence[Type], _attribute: object) -> Type:
    columns, factor = types[:-1], types[-1] if types else VOID
    return _matrix_product(columns, factor, factor_width=len(columns), result_width=None)


def vector_matrix_type(types: Sequence[Type], _attribute: object) -> Type:
    factor, columns = types[0] if types else VOID, types[1:]
    rows = columns[0].width if columns else 0
    return _matrix_product(columns, factor, factor_width=rows, result_width=len(columns))


def _matrix_product(columns: Sequence[Type], factor: Type, *, factor_width: int, result_width: int | None) -> Type:
    if not 2 <= len(columns) <= 4:
        raise SignatureError(f"a matrix has 2 to 4 columns, found {len(columns)}")
    if any(column is not columns[0] or column.kind != "float" or column.is_scalar for column in columns):
        raise SignatureError("matrix columns must be float vectors of one type")
    if factor is not vector("float", factor_width):
        raise SignatureError(f"the vector factor must be {vector('float', factor_width)}, found {factor}")
    return columns[0] if result_width is None else vector("float", result_width)


def load_type(types: Sequence[Type], address: Any) -> Type:
    if types or address.is_dynamic:
        _check_indices(types, address.index_count)
    element: Type = address.variable.type
    return element


def store_type(types: Sequence[Type], address: Any) -> Type:
    if not types:
        raise SignatureError("takes a value to store")
    if len(types) > 1 or address.is_dynamic:
        _check_indices(types[:-1], address.index_count)
    if types[-1] is not address.variable.type:
        raise SignatureError(f"the stored value must be {address.variable.type}, found {types[-1]}")
    return VOID


def texture_type(types: Sequence[Type], access: Any) -> Type:
    _check_access(types, access, lambda: access.operand_types)
    result: Type = access.result_type
    return result


def texture_size_type(types: Sequence[Type], access: Any) -> Type:
    _check_access(types, access, lambda: [INT])
    result: Type = access.size_type
    return result


def _check_access(types: Sequence[Type], access: Any, operand_types: Callable[[], list[Type]]) -> None:
    variable, indices = access.address.variable, access.address.index_count
    if not variable.type.is_sampler:
        raise SignatureError(f"takes a sampler, found {variable.type}")
    _check_indices(types[:indices], indices)
    wanted, found = operand_types(), list(types[indices:])
    if found != wanted:
        raise SignatureError(f"takes ({_names(wanted)}), found ({_names(found)})")


def _check_indices(types: Sequence[Type], count: int) -> None:
    if list(types) != [INT] * count:
        raise SignatureError(f"takes {count} int index operand{'' if count == 1 else 's'}, found ({_names(types)})")


def _names(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))


def phi_type(types: Sequence[Type], blocks: Sequence[object]) -> Type:
    if not types or len(types) != len(blocks):
        raise SignatureError(f"takes one operand for each of its {len(blocks)} blocks, found {len(types)}")
    odd = next((t for t in types if t is not types[0]), None)
    if odd is not None:
        raise SignatureError(f"operands must be of one type, found {types[0]} and {odd}")
    return types[0]


def _expect(types: Sequence[Type], count: int) -> Sequence[Type]:
    if len(types) != count:
        raise SignatureError(f"takes {count} operand{'' if count == 1 else 's'}, found {len(types)}")
    return types
