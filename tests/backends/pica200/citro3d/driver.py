"""What citro3d sends with the next draw after some calls: a copy of its context, as far as the fragment stage goes.

Calls change registers of the context; registers are sent in groups, each group whole, if one of it was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.encode import table_writes
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import STAGE_BASES, STAGE_REGISTERS, UPDATE_BUFFER
from glslc_multi.backends.pica200.isa.fragment.registers.layout import ALL_BYTES
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.compiler.records import dataclass
from tests.backends.pica200.citro3d.calls import CALLS, Call, Set
from tests.backends.pica200.citro3d.context import Context
from tests.backends.pica200.citro3d.enumerators import ENUMERATORS, number_of
from tests.backends.pica200.citro3d.lighting import LIGHTING_CALLS, lighting_writes
from tests.backends.pica200.citro3d.objects import TABLE_CALLS
from tests.backends.pica200.citro3d.textures import TEXTURE_CALLS, texture_writes

#: A call: its name, then numbers, enumerators, names of objects, lists.
CallText = Sequence[Any]

#: Calls about objects.
_SPECIAL: Mapping[str, Callable[..., None]] = {**TABLE_CALLS, **LIGHTING_CALLS, **TEXTURE_CALLS}
_CHANNELS_OF_MODE = {1: ("rgb",), 2: ("a",), 3: ("rgb", "a")}


@dataclass(frozen=True, slots=True)
class Group:
    """Registers that are sent together: addresses and byte masks."""

    name: str
    writes: tuple[tuple[int, int], ...]

    def sent(self, context: Context) -> Iterator[Write]:
        for address, mask in self.writes:
            yield Write(address, context.registers.get(address, 0), mask)


def _group(name: str, text: str) -> Group:
    """Addresses in hexadecimal, with a byte mask after a slash."""
    pairs = (part.partition("/") for part in text.split())
    return Group(name, tuple((int(address, 16), int(mask or str(ALL_BYTES))) for address, _, mask in pairs))


_BUFFER = _group("buffer", "0E0/7 0FD 0E1")
_STAGES = tuple(
    Group(f"stage {number}", tuple((base + place, ALL_BYTES) for place in range(len(STAGE_REGISTERS))))
    for number, base in enumerate(STAGE_BASES)
)
_EFFECT = _group("effect", "06D 040 04D 04E 104 105 106 107 126/8 103 101 102 100/7 130 062/1 118 061/1 06A/7")
_PROCEDURAL = _group("procedural texture", "0A8 0A9 0AA 0AB 0AC 0AD")


class UnknownCall(ValueError):
    """A call that is not modelled, or arguments that it does not take; the text says which."""


def writes_of_calls(calls: Iterable[CallText]) -> list[Write]:
    """The writes that the draw after the calls sends; what C3D_Init sends has been sent before."""
    context = Context()
    for name, *arguments in calls:
        _make_call(context, name, arguments)
    return list(_sent(context))


def is_known(name: str) -> bool:
    """Whether a call is modelled."""
    return name in CALLS or name in _SPECIAL


def _make_call(context: Context, name: str, arguments: Sequence[Any]) -> None:
    try:
        if name in _SPECIAL:
            _SPECIAL[name](context, *arguments)
        elif name in CALLS:
            _set_fields(context, CALLS[name], arguments)
        else:
            raise ValueError("it is not modelled")
    except (TypeError, ValueError, LookupError) as error:
        raise UnknownCall(f"{name}: {error}") from None


def _set_fields(context: Context, call: Call, arguments: Sequence[Any]) -> None:
    values = {argument: _value(kind, value) for (argument, kind), value in zip(call.arguments, arguments, strict=True)}
    for row in call.sets:
        if row.when is not None and not values[row.when[0]] >> row.when[1] & 1:
            continue
        for field in _fields(row, values):
            context.set(row.register.format(**values), field, _number(row, values))


def _value(kind: str, value: Any) -> Any:
    """An argument as a number: an enumerator's, or that at the end of the name of an object."""
    if kind == "object":
        digits = str(value).lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return int(digits or 0)
    return number_of(kind, value) if kind in ENUMERATORS and isinstance(value, str) else value


def _fields(row: Set, values: Mapping[str, Any]) -> Iterator[str]:
    if "{mode}" not in row.field:
        yield row.field.format(**values)
        return
    for channel in _CHANNELS_OF_MODE[values["mode"]]:
        yield row.field.format(**{**values, "mode": channel})


def _number(row: Set, values: Mapping[str, Any]) -> Any:
    if isinstance(row.what, str):
        return values[row.what]
    return row.what if isinstance(row.what, int) else row.what(values)


def _sent(context: Context) -> Iterator[Write]:
    """In the library's order."""
    yield from _sent_groups(context, _EFFECT)
    yield from texture_writes(context)
    yield from _sent_groups(context, _PROCEDURAL, _BUFFER)
    if context.fog is not None and _has_fog(context):
        yield from table_writes(TABLES["fog"], context.fog)
    yield from _sent_groups(context, *_STAGES)
    yield from lighting_writes(context)


def _sent_groups(context: Context, *groups: Group) -> Iterator[Write]:
    for group in groups:
        if any(address in context.changed for address, _ in group.writes):
            yield from group.sent(context)


def _has_fog(context: Context) -> bool:
    word = context.registers.get(UPDATE_BUFFER.address, 0)
    return UPDATE_BUFFER.format.decode(word)["mode"] != 0
