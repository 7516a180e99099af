"""Checks of what the PICA200's driver library makes: register writes of calls, entries of tables, short floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.container import read, write
from glslc_multi.backends.pica200.isa.fragment.entries import fog_entry
from glslc_multi.backends.pica200.isa.fragment.floats import FLOATS
from glslc_multi.backends.pica200.isa.fragment.program import Write
from tests.backends.pica200.citro3d import tables
from tests.backends.pica200.citro3d.driver import is_known, writes_of_calls
from tests.golden.runner import Failure, Skip, Verdict

Record = Mapping[str, Any]

_ENTRIES: Mapping[str, Callable[[float, float], int]] = {"light": tables.light_entry, "fog": fog_entry}
_TABLES: Mapping[str, Callable[..., Sequence[int]]] = {
    "FogLut_Exp": tables.exponential_fog,
    "LightLut_Phong": tables.phong,
    "LightLut_Spotlight": tables.spotlight,
}


def registers(case: Record, document: Any) -> Verdict:
    """What the draw after some calls sends; and the file of it."""
    unknown = next((name for name, *_ in case["calls"] if not is_known(name)), None)
    if unknown is not None:
        return Skip(f"{unknown} is no call about the fragment stage")
    found = writes_of_calls(case["calls"])
    wanted = recorded_writes(case["writes"])
    if found != wanted:
        return Failure(_difference(found, wanted))
    return None if list(read(write(found))) == found else Failure("the file has other writes")


def recorded_writes(rows: Sequence[Sequence[Any]]) -> list[Write]:
    """Rows of register, byte mask and value, or values that are written one after the other."""
    return [
        Write(int(register, 16), value, mask)
        for register, mask, values in rows
        for value in (values if isinstance(values, list) else [values])
    ]


def _difference(found: Sequence[Write], wanted: Sequence[Write]) -> str:
    for place, (ours, theirs) in enumerate(zip(found, wanted, strict=False)):
        if ours != theirs:
            return f"write {place} is {_text(ours)}, recorded {_text(theirs)}"
    return f"{len(found)} writes, recorded {len(wanted)}"


def _text(write: Write) -> str:
    return f"{write.register:03x}/{write.mask:x} {write.value:08x}"


def table_entry(case: Record, document: Any) -> Verdict:
    """An entry of a table."""
    kind, value, difference, raw = case.values()
    return _same(_ENTRIES[kind](value, difference), raw)


def table_function(case: Record, document: Any) -> Verdict:
    """A whole table."""
    name, *arguments = case["call"]
    if name in _TABLES:
        return _same(list(_TABLES[name](*arguments)), case["raw"])
    table, scale, bias = tables.quadratic_attenuation(*arguments)
    return _same((list(table), scale, bias), (case["raw"], case["scale"], case["bias"]))


def number_format(case: Record, document: Any) -> Verdict:
    """A short float."""
    name, value, bits = case.values()
    return _same(FLOATS[name].pattern_of(value), bits)


def _same(found: object, wanted: object) -> Verdict:
    return None if found == wanted else Failure(f"found {found}, recorded {wanted}")
