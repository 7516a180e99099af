"""Manifests: a TOML file that says which shaders are compiled with which macros for which targets.

In: the file.  Out: rows for `variants.expand`.  `docs/batch.md` describes the form, `project/keys.py` has the keys; a
mistake is one diagnostic that names the shader and the key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from math import prod
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from glslc_multi.batch.variants import Row
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.options import known_names_help
from glslc_multi.compiler.records import dataclass
from glslc_multi.files import read_text
from glslc_multi.project.keys import SHADER, SHARED, WHOLE, Mistake, read_table, reporting_mistakes
from glslc_multi.report.kinds import BINARY

#: Combinations of sources, macros and targets that a manifest may ask for, those that it excludes included.
MOST_VARIANTS = 1 << 16
#: The stages that are linked with a vertex shader.
_SECOND = ("fragment", "geometry")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says."""

    rows: list[Row]
    #: The folder for results, None where the manifest does not say.
    output: Path | None


def read_manifest(
    path: str, targets: tuple[str, ...], sink: DiagnosticSink, usual_targets: tuple[str, ...] = ()
) -> Manifest:
    """The manifest at `path`; `targets` of the command line take precedence over its own, those over the usual ones."""
    text = read_text(path, sink)
    folder = Path(path).parent
    with reporting_mistakes(path, text, sink):
        whole = {"targets": usual_targets, **read_table(tomllib.loads(text), WHOLE)}
        rows: list[Row] = []
        for number, table in enumerate(whole.get("shader", ()), 1):
            shader = read_table(table, SHADER, number)
            try:
                rows += _rows(shader, whole, folder, targets)
            except Mistake as mistake:
                raise Mistake(f"[[shader]] {number}: {mistake}", mistake.help, mistake.key, number) from None
        if not rows:
            raise Mistake("it lists no shader", 'add a table [[shader]] with source = "NAME"')
        # Refuse more combinations than anybody compiles, before they are made.
        count = sum(prod(map(len, row.axes.values())) * len(row.targets) for row in rows)
        if count > MOST_VARIANTS:
            # Python spells numbers of a few thousand digits only.
            need = str(count) if count < 10**15 else "more than 10^15"
            help = "list fewer values in 'defines', or write several manifests"
            raise Mistake(f"it asks for {need} variants, the most are {MOST_VARIANTS}", help)
        return Manifest(rows, folder / whole["output"] if "output" in whole else None)
    raise AssertionError("an error was reported")


def _rows(shader: Mapping[str, Any], whole: Mapping[str, Any], folder: Path, targets: tuple[str, ...]) -> list[Row]:
    """Make one row for a pair, or for every file that a table [[shader]] names."""
    both = {**{key: whole[key] for key in SHARED if key in whole}, **shader}
    targets = targets or both.get("targets", ())
    if not targets:
        raise Mistake("it names no target", 'add targets = ["agal"], or --target')
    axes = {name: (value,) for name, value in whole.get("defines", {}).items()} | shader.get("defines", {})
    for name in (name for combination in shader.get("exclude", ()) for name in combination if name not in axes):
        raise Mistake(f"'exclude' has no key '{name}'", known_names_help(name, axes), "exclude")
    label = f".{shader['name']}" if "name" in shader else ""
    return [
        Row(
            sources,
            name + label,
            targets,
            both.get("optimisation"),
            tuple(str(folder / each) for each in both.get("include_dirs", ())),
            both.get("std"),
            both.get("compat"),
            both.get("entry"),
            both.get("spec"),
            both.get("emit", (BINARY,)),
            shader.get("prefix", PurePath(name).name),
            both.get("host_form", {}),
            both.get("options", {}),
            axes,
            shader.get("exclude", ()),
        )
        for sources, name in (_pair if shader.keys() & {"vertex", *_SECOND} else _sources)(shader, folder)
    ]


def _pair(shader: Mapping[str, Any], folder: Path) -> list[tuple[dict[str, Path], str]]:
    """Find the two files that are linked, and their name below the output folder: that of the vertex shader."""
    for key in ("source", "stage"):
        if key in shader:
            raise Mistake(f"shaders that are linked have no '{key}'", "write 'source' for a shader that is alone", key)
    second = [stage for stage in _SECOND if stage in shader]
    if "vertex" not in shader:
        raise Mistake(f"'{second[0]}' is linked with a vertex shader, and there is no 'vertex'", None, second[0])
    if len(second) != 1:
        help = "write a [[shader]] for each pair" if second else "write 'source' for a shader that is alone"
        raise Mistake("'vertex' is linked with one of 'fragment' and 'geometry'", help, "vertex")
    vertex = folder / shader["vertex"]
    name = str(PurePosixPath(_name(shader["vertex"], vertex, folder)).with_suffix(""))
    return [({"vertex": vertex, second[0]: folder / shader[second[0]]}, name)]


def _sources(shader: Mapping[str, Any], folder: Path) -> list[tuple[dict[str, Path], str]]:
    """Find every file that `source` names, and its name below the output folder."""
    if not shader.get("source"):
        raise Mistake("it has no 'source'", "name a file, or 'vertex' and 'fragment' of a pair")
    sources: dict[Path, str] = {}
    for pattern in shader["source"]:
        is_pattern = any(mark in pattern for mark in "*?[")
        files = sorted(folder.glob(pattern)) if is_pattern else [folder / pattern]
        if not files:
            raise Mistake(f"no file matches '{pattern}'", None, "source")
        sources |= {file: _name(pattern, file, folder) for file in files}
    return [({shader.get("stage", ""): file}, name) for file, name in sources.items()]


def _name(pattern: str, file: Path, folder: Path) -> str:
    """Return the path of a file below the folder, or its name where it is elsewhere."""
    inside = file.is_relative_to(folder) and ".." not in PurePosixPath(pattern).parts
    return file.relative_to(folder).as_posix() if inside else file.name
