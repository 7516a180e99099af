"""Declarations of variables: `uniform @lights[].pos: vec3[3] mediump location(4)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, cast

from glslc_multi.compiler.diagnostics.catalogue import ir as messages
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir.parse.mistakes import Mistake, unexpected
from glslc_multi.compiler.ir.parse.syntax import Property, VariableLine
from glslc_multi.compiler.ir.parse.values import Places, name_of, number_of
from glslc_multi.compiler.ir.types import BY_NAME, VEC2, VEC3, VEC4, VOID, Type
from glslc_multi.compiler.ir.variables import INTERPOLATIONS, PRECISIONS, Storage, Variable
from glslc_multi.compiler.parsing import Word
from glslc_multi.compiler.records import dataclass

#: Elements of an array in all its dimensions: what reads the module may allocate them at once.
LARGEST_LENGTH = 2**20
LARGEST_LOCATION = 2**16
#: Spelling of a type -> type of a column, number of columns.
_TYPES: dict[str, tuple[Type, int]] = {
    **{name: (type, 1) for name, type in BY_NAME.items() if type is not VOID},
    **{f"mat{column.width}": (column, column.width) for column in (VEC2, VEC3, VEC4)},
}


@dataclass(frozen=True, slots=True)
class _Setting:
    """What a property does: gives `field` a value that `read` makes of its argument."""

    field: str
    read: Callable[[Property], Any]


def make_variable(line: VariableLine, places: Places) -> Variable:
    """The variable that the line declares."""
    type_ = _TYPES.get(line.type[0])
    if type_ is None:
        raise Mistake(messages.UNKNOWN_IR_TYPE, line.type, did_you_mean(line.type[0], _TYPES), name=line.type[0])
    type, columns = type_
    dims = tuple(number_of(dim, "an array size", 1, LARGEST_LENGTH) for dim in line.dims)
    if prod(dims) > LARGEST_LENGTH:
        raise Mistake(
            messages.NUMBER_OUT_OF_RANGE, line.dims[-1], what="the length of an array", low=1, high=LARGEST_LENGTH
        )
    fields: dict[str, Any] = {"columns": columns} if columns > 1 else {}
    for property in line.properties:
        word = property.name
        setting = _SETTINGS.get(word[0])
        if setting is None:
            raise Mistake(messages.UNKNOWN_PROPERTY, word, did_you_mean(word[0], _SETTINGS), name=word[0])
        if setting.field in fields:
            raise Mistake(messages.DEFINED_TWICE, word, name=f"the {setting.field} of the variable")
        fields[setting.field] = setting.read(property)
    storage = cast(Storage, line.storage[0])
    return Variable(name_of(line.name), storage, type, dims=dims, span=places.span_of(line.place), **fields)


def _flag(value: object, property: Property) -> object:
    if property.argument is not None:
        raise unexpected(property.argument, f"no argument of '{property.name[0]}'")
    return value


def _word(property: Property) -> str:
    return _argument(property)[0]


def _number(low: int, high: int, property: Property) -> int:
    word = _argument(property)
    if word["digits"] is None:
        raise unexpected(word, "a number")
    return number_of(word, f"the argument of '{property.name[0]}'", low, high)


def _argument(property: Property) -> Word:
    if property.argument is None:
        raise unexpected(property.name, f"'{property.name[0]}' with an argument in parentheses", found="none")
    return property.argument


_SETTINGS: dict[str, _Setting] = {
    **{precision: _Setting("precision", partial(_flag, precision)) for precision in PRECISIONS},
    **{word: _Setting("interpolation", partial(_flag, word)) for word in INTERPOLATIONS},
    "rows": _Setting("layout", partial(_flag, "rows")),
    "columns": _Setting("columns", partial(_number, 1, 4)),
    "invariant": _Setting("invariant", partial(_flag, True)),
    "location": _Setting("location", partial(_number, 0, LARGEST_LOCATION)),
    "role": _Setting("role", _word),
    "from": _Setting("source_kind", _word),
}
