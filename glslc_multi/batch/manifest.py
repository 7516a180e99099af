"""Manifests: a TOML file that says which shaders are compiled with which macros for which targets.

In: the file.  Out: rows for `variants.expand`.  `docs/batch.md` describes the form; a mistake is one diagnostic that
names the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path, PurePosixPath
from typing import Any

from glslc_multi.batch.variants import Row, Value
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.records import dataclass
from glslc_multi.files import read_text
from glslc_multi.report.kinds import BINARY, STAGE_KINDS

#: Keys that the whole manifest may have, and every shader, where they take precedence over those of the whole.
_SHARED = ("targets", "optimisation", "include_dirs", "std", "compat", "entry", "spec", "emit", "host_form", "options")
_TOP = (*_SHARED, "output", "shader")
_SHADER = (*_SHARED, "source", "name", "stage", "prefix", "defines", "exclude")

#: Combinations of sources, macros and targets that a manifest may ask for, those that it excludes included.
MOST_VARIANTS = 1 << 16


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says."""

    rows: list[Row]
    #: The folder for results, None where the manifest does not say.
    output: Path | None


class _Mistake(Exception):
    """What is wrong with a manifest, and what would help."""

    def __init__(self, problem: str, help: str | None = None) -> None:
        super().__init__(problem)
        self.help = help


def read_manifest(path: str, targets: tuple[str, ...], sink: DiagnosticSink) -> Manifest:
    """The manifest at `path`; `targets` of the command line take precedence over its own."""
    text = read_text(path, sink)
    folder = Path(path).parent
    try:
        table = tomllib.loads(text)
        _check_keys(table, _TOP, "a manifest")
        rows = [row for shader in _tables(table, "shader") for row in _rows(shader, table, folder, targets)]
        if not rows:
            raise _Mistake("it lists no shader", 'add a table [[shader]] with source = "NAME"')
        # Refuse more combinations than anybody compiles, before they are made.
        count = sum(prod(map(len, row.axes.values())) * len(row.targets) for row in rows)
        if count > MOST_VARIANTS:
            # Python spells numbers of a few thousand digits only.
            need = str(count) if count < 10**15 else "more than 10^15"
            help = "list fewer values in 'defines', or write several manifests"
            raise _Mistake(f"it asks for {need} variants, the most are {MOST_VARIANTS}", help)
        output = _text(table, "output")
        return Manifest(rows, None if output is None else folder / output)
    except tomllib.TOMLDecodeError as error:
        problem = str(error)
        sink.report(usage.UNUSABLE_MANIFEST, path=path, problem=problem[:1].lower() + problem[1:])
    except _Mistake as mistake:
        sink.report(usage.UNUSABLE_MANIFEST, help=mistake.help, path=path, problem=str(mistake))
    sink.raise_if_errors()
    raise AssertionError("an error was reported")


def _rows(shader: Mapping[str, Any], top: Mapping[str, Any], folder: Path, targets: tuple[str, ...]) -> list[Row]:
    """One row for every file that a table [[shader]] names."""
    _check_keys(shader, _SHADER, "[[shader]]")
    both = {**{key: top[key] for key in _SHARED if key in top}, **shader}
    targets = targets or tuple(_texts(both, "targets"))
    if not targets:
        raise _Mistake("it names no target", 'add targets = ["agal"], or --target')
    options = both.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, dict) for value in options.values()):
        raise _Mistake("'options' is not a table of a table for each target")
    optimisation = both.get("optimisation")
    if isinstance(optimisation, bool) or not isinstance(optimisation, int | str | None):
        raise _Mistake("'optimisation' is not 0, 1, 2, 3 or \"s\"")
    axes = _axes(shader)
    label = _text(shader, "name")
    return [
        Row(
            source,
            name if label is None else f"{name}.{label}",
            targets,
            _text(shader, "stage"),
            optimisation,
            tuple(str(folder / name) for name in _texts(both, "include_dirs")),
            _text(both, "std"),
            _switch(both, "compat"),
            _text(both, "entry"),
            _specializations(both),
            _kinds(both),
            _text(shader, "prefix"),
            _host_forms(both),
            options,
            axes,
            _excluded(shader, axes),
        )
        for source, name in _sources(shader, folder)
    ]


def _specializations(table: Mapping[str, Any]) -> dict[int, str] | None:
    if "spec" not in table:
        return None
    specializations = {}
    for number, value in _table(table, "spec").items():
        if not number.isdecimal() or not isinstance(value, bool | int | float | str):
            raise _Mistake("'spec' is not a table of numbers of constants and their values", "write spec = {0 = 2.5}")
        specializations[int(number)] = str(value)
    return specializations


def _kinds(table: Mapping[str, Any]) -> tuple[str, ...]:
    kinds = _texts(table, "emit") if "emit" in table else [BINARY]
    for kind in kinds:
        if kind not in STAGE_KINDS:
            help = did_you_mean(kind, STAGE_KINDS) or f"the kinds are: {', '.join(STAGE_KINDS)}"
            raise _Mistake(f"'emit' has no kind '{kind}'", help)
    if not kinds:
        raise _Mistake("'emit' is empty", f"the kinds are: {', '.join(STAGE_KINDS)}")
    return tuple(dict.fromkeys(kinds))


def _host_forms(table: Mapping[str, Any]) -> dict[str, str]:
    forms = _table(table, "host_form")
    if not all(isinstance(form, str) for form in forms.values()):
        raise _Mistake("'host_form' is not a table of targets and their forms", 'write host_form.vc4 = "bare"')
    return forms


def _sources(shader: Mapping[str, Any], folder: Path) -> list[tuple[Path, str]]:
    """Every file that `source` names, and its name below the output folder."""
    patterns = [shader["source"]] if isinstance(shader.get("source"), str) else _texts(shader, "source")
    if not patterns:
        raise _Mistake("a [[shader]] has no 'source'")
    sources: dict[Path, str] = {}
    for pattern in patterns:
        is_pattern = any(mark in pattern for mark in "*?[")
        files = sorted(folder.glob(pattern)) if is_pattern else [folder / pattern]
        if not files:
            raise _Mistake(f"no file matches '{pattern}'")
        for file in files:
            inside = file.is_relative_to(folder) and ".." not in PurePosixPath(pattern).parts
            sources[file] = file.relative_to(folder).as_posix() if inside else file.name
    return list(sources.items())


def _axes(shader: Mapping[str, Any]) -> dict[str, tuple[Value, ...]]:
    axes = {}
    for name, values in _table(shader, "defines").items():
        listed = values if isinstance(values, list) else [values]
        if not listed or not all(isinstance(value, bool | int | float | str) for value in listed):
            raise _Mistake(f"macro '{name}' has a value that is no number, text or truth value")
        axes[name] = tuple(listed)
    return axes


def _excluded(shader: Mapping[str, Any], axes: Mapping[str, Any]) -> Sequence[Mapping[str, Value]]:
    tables = _tables(shader, "exclude")
    for table in tables:
        _check_keys(table, tuple(axes), "'exclude'")
        if not table:
            raise _Mistake("'exclude' has an empty table, which would leave nothing")
    return tables


# --------------------------------------------------------------------------- values of TOML
def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise _Mistake(f"{where} has no key '{key}'", did_you_mean(key, known) or f"it has: {', '.join(known)}")


def _text(table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is None or isinstance(value, str):
        return value
    raise _Mistake(f"'{key}' is not a text")


def _switch(table: Mapping[str, Any], key: str) -> bool | None:
    value = table.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise _Mistake(f"'{key}' is not true or false")


def _texts(table: Mapping[str, Any], key: str) -> list[str]:
    value = table.get(key, [])
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    raise _Mistake(f"'{key}' is not a list of texts")


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if isinstance(value, dict):
        return value
    raise _Mistake(f"'{key}' is not a table")


def _tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    raise _Mistake(f"'{key}' is not a list of tables")
