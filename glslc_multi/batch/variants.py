"""The variants of a batch: every shader, or linked pair, with every combination of its macros, for every target.

In: rows, from a manifest or a folder, and the command line's request for each target.  Out: variants in order, each
with the name of its files.  The order and the names depend on nothing else, so that every machine finds the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from pathlib import Path, PurePath

from glslc_multi.backends.registry import find_target, load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import limits, usage
from glslc_multi.compiler.driver import source_stage
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.host_code.c_names import c_name
from glslc_multi.compiler.options import Request, split_level
from glslc_multi.compiler.records import dataclass, field, replace
from glslc_multi.compiler.target import Target
from glslc_multi.files import fold_name, source_of
from glslc_multi.frontends.registry import make_source, stage_of_suffix
from glslc_multi.report.kinds import BINARY, HOST, Emission, first_suffix, program_suffixes

#: What a manifest can give a macro: False leaves it undefined, True defines it as 1.
Value = bool | int | float | str

#: A file's name is no longer than this before the suffix; file systems take 255 bytes.
_LONGEST_NAME = 180
#: Kinds with names of the reader's language.
_NAMING = ("c", "header", HOST)
_UNUSUAL = re.compile(r"[^A-Za-z0-9_.+-]")


@dataclass(frozen=True, slots=True)
class Row:
    """One shader or two that are linked, and what their variants are made of."""

    #: Stage, "" where the file says which -> the file; of a pair the vertex shader comes first.
    sources: Mapping[str, Path]
    #: Name below the output folder.
    name: str
    targets: tuple[str, ...]
    optimisation: int | str | None = None
    include_dirs: tuple[str, ...] = ()
    #: None where the command line decides, as for the optimisation.
    std: str | None = None
    compat: bool | None = None
    #: Of a module: its entry point, and values of specialization constants.
    entry: str | None = None
    spec: Mapping[int, str] | None = None
    #: Kinds of `report/kinds.py`, names in them, and target -> form of host code.
    emit: Sequence[str] = (BINARY,)
    prefix: str = ""
    host_form: Mapping[str, str] = field(default_factory=dict)
    #: Target -> option -> value.
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    #: Macro -> the values that it takes in turn.
    axes: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    #: Combinations that nobody needs: those that have all values of one of these.
    exclude: Sequence[Mapping[str, Value]] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One compilation: a source or a pair of them, what to compile it for, and where the results go."""

    #: Stage -> the file, the vertex stage first.
    sources: Mapping[str, str]
    target: str
    request: Request
    #: Path below the output folder that those of all results begin with.
    stem: str
    emissions: tuple[Emission, ...] = (Emission(),)

    @property
    def outputs(self) -> dict[str, dict[str, str]]:
        """Map kinds and stages to paths of files, or folders, below the output folder."""
        return {
            kind: {stage: self.stem + suffix for stage, suffix in suffixes.items()}
            for kind, suffixes in self._suffixes()
        }

    @property
    def paths(self) -> list[str]:
        """List all outputs."""
        return [path for paths in self.outputs.values() for path in paths.values()]

    @property
    def output(self) -> str:
        """Return what stands for all results: the first one."""
        return self.paths[0]

    def may_have(self, suffix: str) -> bool:
        """Whether a result of such a compilation may have a file whose name ends so, after the stem."""
        for kind, first in ((kind, first) for kind, suffixes in self._suffixes() for first in suffixes.values()):
            rest = suffix.removeprefix(first)
            if suffix.startswith(first) and (PurePath(rest).name == rest if kind == HOST else rest in ("", ".json")):
                return True
        return False

    @property
    def stages(self) -> tuple[str, ...]:
        """List the stages that are compiled."""
        return _stages(load_target(self.target), self.sources)

    def _suffixes(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield each kind, and what follows the stem in the file of each stage."""
        target = load_target(self.target)
        first, *second = self.sources
        for kind in (emission.kind for emission in self.emissions):
            alone = {} if second else {first: first_suffix(kind, target, first)}
            yield kind, alone or program_suffixes(kind, target, second[0])


def expand(rows: Sequence[Row], request_for: Callable[[Target], Request], sink: DiagnosticSink) -> list[Variant]:
    """All variants; targets that lack the stages are left out."""
    variants: list[Variant] = []
    outputs: set[str] = set()
    for row in rows:
        sources = {source_stage(_source(stage, file, sink), sink): str(file) for stage, file in row.sources.items()}
        targets = [find_target(name, sink) for name in row.targets]
        sink.raise_if_errors()
        stages = {stage: file for stage, file in sources.items() if stage is not None}
        fitting = [target for target in targets if {*_stages(target, stages)} <= {*target.stages}]
        if not fitting:
            names = " and ".join(f"'{file}'" for file in stages.values())
            sink.report(limits.FITS_NO_TARGET, notes=[f"no target of the batch has the stage of {names}"])
        for variant in _variants(row, stages, fitting, request_for):
            for output in variant.paths:
                if fold_name(output) in outputs:
                    help = "name each shader and each combination once"
                    sink.report(usage.OUTPUT_WRITTEN_TWICE, help=help, path=output)
                    sink.raise_if_errors()
                outputs.add(fold_name(output))
            variants.append(variant)
    sink.raise_if_errors()
    return variants


def shard(variants: Sequence[Variant], index: int, count: int) -> list[Variant]:
    """Part `index` of `count`, counted from 1."""
    return list(variants[index - 1 :: count])


def rows_of_folder(folder: Path, targets: tuple[str, ...]) -> list[Row]:
    """A row for every shader below the folder, recognised by its suffix."""
    suffixes = stage_of_suffix()
    files = [path for path in folder.rglob("*") if path.suffix in suffixes and path.is_file()]
    # Paths of Windows are in another order.
    files.sort(key=lambda path: path.parts)
    return [Row({"": path}, path.relative_to(folder).as_posix(), targets) for path in files]


def _source(stage: str, file: Path, sink: DiagnosticSink) -> Source:
    """Enough of a source to know its stage: where the name does not tell, what is in it does."""
    if stage or stage_of_suffix().get(file.suffix) or not file.is_file():
        return make_source("", file.name, stage or None)
    return source_of(file.read_bytes(), str(file), None, sink)


def _stages(target: Target, sources: Iterable[str]) -> tuple[str, ...]:
    """List the stages that sources of these stages become."""
    first, *second = sources
    return target.linked_stages(second[0]) if second else (first,)


def _variants(
    row: Row, sources: Mapping[str, str], targets: Sequence[Target], request_for: Callable[[Target], Request]
) -> Iterator[Variant]:
    for values in product(*row.axes.values()):
        chosen = dict(zip(row.axes, values, strict=True))
        if any(all(_same(chosen.get(name), value) for name, value in unwanted.items()) for unwanted in row.exclude):
            continue
        # The part of a file's name that distinguishes the combinations of a row: `.FOG.LIGHTS=2`.
        words = []
        for name, value in chosen.items():
            if value is False or len(row.axes[name]) == 1:
                continue
            text = str(value)
            plain = _UNUSUAL.sub("_", text)
            word = name if value is True else f"{name}={plain}"
            words.append(f".{word}" if plain == text else f".{word}-{_tag(text)}")
        label = "".join(words)
        for target in targets:
            path = PurePath(target.name, row.name)
            stem = path.with_name(_short(path.name + label)).as_posix()
            request = _request(row, target, chosen, request_for(target))
            emissions = tuple(_emission(kind, row, target, label) for kind in row.emit)
            yield Variant(sources, target.name, request, stem, emissions)


def _emission(kind: str, row: Row, target: Target, label: str) -> Emission:
    """Only what makes a difference is in it, so that variants share what is alike."""
    if kind not in _NAMING:
        return Emission(kind)
    prefix = c_name(row.prefix + label)
    return Emission(kind, prefix, row.host_form.get(target.name) if kind == HOST else None)


def _same(one: Value | None, other: Value) -> bool:
    """1 and True are two values, which Python thinks equal."""
    return type(one) is type(other) and one == other


def _request(row: Row, target: Target, chosen: Mapping[str, Value], request: Request) -> Request:
    """What the command line asks for, and what the row says."""
    front_end = request.front_end
    defines = dict(front_end.defines)
    for name, value in chosen.items():
        defines.pop(name, None)
        if value is not False:
            defines[name] = "1" if value is True else str(value)
    front_end = replace(
        front_end,
        defines=defines,
        include_dirs=(*row.include_dirs, *front_end.include_dirs),
        std=front_end.std if row.std is None else row.std,
        entry=front_end.entry if row.entry is None else row.entry,
        specializations=front_end.specializations if row.spec is None else row.spec,
        compat=front_end.compat if row.compat is None else row.compat,
    )
    options = {**row.options.get(target.name, {}), **request.target_options}
    request = replace(request, front_end=front_end, target_options=options)
    if row.optimisation is None:
        return request
    effort, small = split_level(row.optimisation)
    return replace(request, optimisation=effort, small=small)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 9]}-{_tag(name)}"


def _tag(text: str) -> str:
    """A short code for a text that no file name can hold."""
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
