"""The keys of project files and manifests, which are one language: what each holds.

In: a table of TOML.  Out: its values by key, or the first mistake in it, which names the key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from glslc_multi.backends.registry import canonical_name, load_target, target_names
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue import usage
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import OPTIMISATION_LEVELS, SMALL, check_macros, known_names_help, resolve_options
from glslc_multi.report.kinds import STAGE_KINDS

#: Returns the value as the compiler takes it, or raises a mistake whose problem follows the name of the key.
Reader: TypeAlias = "Callable[[Any], Any]"
_SHADER_HEADER = re.compile(r"[ \t]*\[\[[ \t]*shader[ \t]*\]\]")
#: Where the parser of TOML says that a mistake is.
_POSITION = re.compile(r" \(at line (\d+), column (\d+)\)$")


class Mistake(Exception):
    """What is wrong with a file, what would help, and where it is: a key, and the [[shader]] that has it."""

    def __init__(self, problem: str, help: str | None = None, key: str = "", shader: int = 0) -> None:
        super().__init__(problem)
        self.help = help
        self.key = key
        self.shader = shader


def read_table(table: Mapping[str, Any], keys: Mapping[str, Reader], shader: int = 0) -> dict[str, Any]:
    """Read the values of the whole file, or of the [[shader]] of this number."""
    where = f"[[shader]] {shader}" if shader else ""
    values = {}
    for key, value in table.items():
        if key not in keys:
            help = did_you_mean(key, tuple(keys)) or f"it has: {', '.join(keys)}"
            raise Mistake(f"{where or 'the file'} has no key '{key}'", help, key, shader)
        try:
            values[key] = keys[key](value)
        except Mistake as mistake:
            raise Mistake(
                f"{where}{': ' if where else ''}'{key}' {mistake}", mistake.help, mistake.key or key, shader
            ) from None
    return values


@contextmanager
def reporting_mistakes(path: str, text: str, sink: DiagnosticSink) -> Iterator[None]:
    """Report the mistake that ends the reading of a file, at its line where a key begins one."""
    try:
        yield
    except tomllib.TOMLDecodeError as error:
        problem = str(error)
        position = _POSITION.search(problem)
        line, column = map(int, position.groups()) if position else (0, 0)
        span = Span(SourceFile(path, text), line, column, line, column) if position else None
        problem = problem[:1].lower() + _POSITION.sub("", problem[1:])
        sink.report(usage.UNUSABLE_MANIFEST, span, path=path, problem=problem)
    except Mistake as mistake:
        span = _span(SourceFile(path, text), mistake.key, mistake.shader)
        sink.report(usage.UNUSABLE_MANIFEST, span, help=mistake.help, path=path, problem=str(mistake))
    sink.raise_if_errors()


def _span(file: SourceFile, key: str, shader: int) -> Span | None:
    """Find the line that begins with a key, of the whole file or of one [[shader]]; None where it stands elsewhere."""
    pattern = re.compile(rf"[ \t]*\[*[ \t\w.\"'-]*?(?<![\w-])({re.escape(key)})(?![\w-])[ \t\w.\"'-]*[\]=]")
    number = 0
    for line, words in enumerate(file.text.splitlines(), 1):
        number += _SHADER_HEADER.match(words) is not None
        if key and number == shader and (match := pattern.match(words)):
            return Span(file, line, match.start(1) + 1, line, match.end(1) + 1)
    return None


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
    if isinstance(value, int | str) and not isinstance(value, bool) and value in (*OPTIMISATION_LEVELS, SMALL):
        return value
    raise Mistake('is not 0, 1, 2, 3 or "s"')


def _standard(value: Any) -> str:
    from glslc_multi.frontends.registry import standards

    versions = standards()
    if _text(value) in versions:
        return _text(value)
    raise Mistake(f"has no version '{value}'", known_names_help(value, versions))


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


def _targets(value: Any) -> tuple[str, ...]:
    return tuple(map(_target, _texts(value)))


def _target(name: str) -> str:
    if canonical_name(name) in target_names():
        return canonical_name(name)
    raise Mistake(f"has no target '{name}'", known_names_help(name, target_names()))


def _host_forms(value: Any) -> dict[str, str]:
    if all(isinstance(form, str) for form in _table(value).values()):
        return {_target(name): form for name, form in value.items()}
    raise Mistake("is not a table of targets and their forms", 'write host_form.vc4 = "bare"')


def _options(value: Any) -> dict[str, dict[str, Any]]:
    if not all(isinstance(options, dict) for options in _table(value).values()):
        raise Mistake("is not a table of a table for each target", "write options.agal.agal_version = 2")
    options = {_target(name): given for name, given in value.items()}
    for name, option, given in ((name, *item) for name, each in options.items() for item in each.items()):
        sink = DiagnosticSink()
        resolve_options(load_target(name).options, {option: given}, sink)
        for diagnostic in sink.diagnostics:
            raise Mistake(f"of {name}: {diagnostic.message}", diagnostic.help, option)
    return options


def _macros(value: Any) -> dict[str, bool | int | float | str]:
    for name, each in _table(value).items():
        if not isinstance(each, bool | int | float | str):
            raise Mistake(f"gives macro '{name}' a value that is no number, text or truth value", None, name)
        sink = DiagnosticSink()
        check_macros(FrontEndOptions({name: str(each)}), sink)
        for diagnostic in sink.diagnostics:
            raise Mistake(f"has macro '{name}': {diagnostic.message}", None, name)
    return dict(value)


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


#: Keys that the whole file may have, and every [[shader]], where they take precedence over those of the whole.
SHARED: dict[str, Reader] = {
    "targets": _targets,
    "optimisation": _level,
    "include_dirs": _texts,
    "std": _standard,
    "compat": _switch,
    "entry": _text,
    "spec": _specializations,
    "emit": _kinds,
    "host_form": _host_forms,
    "options": _options,
}
WHOLE: dict[str, Reader] = {**SHARED, "defines": _macros, "output": _text, "shader": _tables}
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
