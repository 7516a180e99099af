"""The keys of manifests: what each holds.

In: a table of TOML.  Out: its values by key, or the first mistake in it, which names the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.report.kinds import STAGE_KINDS

#: Returns the value as the compiler takes it, or raises a mistake whose problem follows the name of the key.
Reader: TypeAlias = "Callable[[Any], Any]"


class Mistake(Exception):
    """What is wrong with a file, and what would help."""

    def __init__(self, problem: str, help: str | None = None) -> None:
        super().__init__(problem)
        self.help = help


def read_table(table: Mapping[str, Any], keys: Mapping[str, Reader], where: str = "") -> dict[str, Any]:
    """Read the values of a table that may have some keys; `where` names a table inside the file."""
    values = {}
    for key, value in table.items():
        if key not in keys:
            help = did_you_mean(key, tuple(keys)) or f"it has: {', '.join(keys)}"
            raise Mistake(f"{where or 'the file'} has no key '{key}'", help)
        try:
            values[key] = keys[key](value)
        except Mistake as mistake:
            raise Mistake(f"{where}{': ' if where else ''}'{key}' {mistake}", mistake.help) from None
    return values


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise Mistake("is not a text")


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Mistake("is not a list of texts")


def _text_or_texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else _texts(value)


def _switch(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise Mistake("is not true or false")


def _table(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise Mistake("is not a table")


def _tables(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    raise Mistake("is not a list of tables")


def _level(value: Any) -> int | str:
    if isinstance(value, int | str) and not isinstance(value, bool):
        return value
    raise Mistake('is not 0, 1, 2, 3 or "s"')


def _specializations(value: Any) -> dict[int, str]:
    for number, constant in _table(value).items():
        if not number.isdecimal() or not isinstance(constant, bool | int | float | str):
            raise Mistake("is not a table of numbers of constants and their values", "write spec = {0 = 2.5}")
    return {int(number): str(constant) for number, constant in value.items()}


def _kinds(value: Any) -> tuple[str, ...]:
    kinds = _texts(value)
    for kind in kinds:
        if kind not in STAGE_KINDS:
            help = did_you_mean(kind, STAGE_KINDS) or f"the kinds are: {', '.join(STAGE_KINDS)}"
            raise Mistake(f"has no kind '{kind}'", help)
    if not kinds:
        raise Mistake("is empty", f"the kinds are: {', '.join(STAGE_KINDS)}")
    return tuple(dict.fromkeys(kinds))


def _host_forms(value: Any) -> dict[str, str]:
    if all(isinstance(form, str) for form in _table(value).values()):
        return _table(value)
    raise Mistake("is not a table of targets and their forms", 'write host_form.vc4 = "bare"')


def _options(value: Any) -> dict[str, dict[str, Any]]:
    if all(isinstance(options, dict) for options in _table(value).values()):
        return _table(value)
    raise Mistake("is not a table of a table for each target", "write options.agal.version = 2")


def _axes(value: Any) -> dict[str, tuple[bool | int | float | str, ...]]:
    axes = {name: tuple(each) if isinstance(each, list) else (each,) for name, each in _table(value).items()}
    for name, values in axes.items():
        if not values or not all(isinstance(one, bool | int | float | str) for one in values):
            raise Mistake(f"gives macro '{name}' a value that is no number, text or truth value")
    return axes


def _combinations(value: Any) -> list[dict[str, Any]]:
    if all(_tables(value)):
        return _tables(value)
    raise Mistake("has an empty table, which would leave nothing")


#: Keys that the whole file may have, and every shader, where they take precedence over those of the whole.
SHARED: dict[str, Reader] = {
    "targets": _texts,
    "optimisation": _level,
    "include_dirs": _texts,
    "std": _text,
    "compat": _switch,
    "entry": _text,
    "spec": _specializations,
    "emit": _kinds,
    "host_form": _host_forms,
    "options": _options,
}
WHOLE: dict[str, Reader] = {**SHARED, "output": _text, "shader": _tables}
SHADER: dict[str, Reader] = {
    **SHARED,
    "source": _text_or_texts,
    "vertex": _text,
    "fragment": _text,
    "geometry": _text,
    "name": _text,
    "stage": _text,
    "prefix": _text,
    "defines": _axes,
    "exclude": _combinations,
}
