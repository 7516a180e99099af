"""The variants of a batch: every shader with every combination of its macros, for every target.

In: rows, from a manifest or a folder, and the command line's request for each target.  Out: variants in order, each
with the name of its files.  The order and the names depend on nothing else, so that every machine finds the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from glslc_multi.report.kinds import BINARY, HOST, Emission, first_suffix

#: What a manifest can give a macro: False leaves it undefined, True defines it as 1.
Value = bool | int | float | str

#: A file's name is no longer than this before the suffix; file systems take 255 bytes.
_LONGEST_NAME = 180
#: Kinds with names of the reader's language.
_NAMING = ("c", "header", HOST)
_UNUSUAL = re.compile(r"[^A-Za-z0-9_.+-]")


@dataclass(frozen=True, slots=True)
class Row:
    """One shader, and what its variants are made of."""

    source: Path
    #: The source's name below the output folder.
    name: str
    targets: tuple[str, ...]
    stage: str | None = None
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
    prefix: str | None = None
    host_form: Mapping[str, str] = field(default_factory=dict)
    #: Target -> option -> value.
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    #: Macro -> the values that it takes in turn.
    axes: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    #: Combinations that nobody needs: those that have all values of one of these.
    exclude: Sequence[Mapping[str, Value]] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One compilation: a source, what to compile it for, and where the results go."""

    source: str
    stage: str
    target: str
    request: Request
    #: Path below the output folder that those of all results begin with.
    stem: str
    emissions: tuple[Emission, ...] = (Emission(),)

    @property
    def outputs(self) -> dict[str, str]:
        """Kind -> path of its file, or folder, below the output folder."""
        target = load_target(self.target)
        return {e.kind: self.stem + first_suffix(e.kind, target, self.stage) for e in self.emissions}

    def may_have(self, suffix: str) -> bool:
        """Whether a result of such a compilation may have a file whose name ends so, after the stem."""
        target = load_target(self.target)
        for kind, first in ((e.kind, first_suffix(e.kind, target, self.stage)) for e in self.emissions):
            rest = suffix.removeprefix(first)
            if suffix.startswith(first) and (PurePath(rest).name == rest if kind == HOST else rest in ("", ".json")):
                return True
        return False

    @property
    def output(self) -> str:
        """What stands for all results: the first one."""
        return next(iter(self.outputs.values()))


def expand(rows: Sequence[Row], request_for: Callable[[Target], Request], sink: DiagnosticSink) -> list[Variant]:
    """All variants; targets that lack a shader's stage are left out."""
    variants: list[Variant] = []
    outputs: set[str] = set()
    for row in rows:
        stage = source_stage(_source(row, sink), sink)
        targets = [find_target(name, sink) for name in row.targets]
        sink.raise_if_errors()
        assert stage is not None
        fitting = [target for target in targets if stage in target.stages]
        if not fitting:
            sink.report(limits.FITS_NO_TARGET, notes=[f"no target of the batch has the stage of '{row.source}'"])
        for variant in _variants(row, stage, fitting, request_for):
            for output in variant.outputs.values():
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
    return [Row(path, path.relative_to(folder).as_posix(), targets) for path in files]


def _source(row: Row, sink: DiagnosticSink) -> Source:
    """Enough of a source to know its stage: where the name does not tell, what is in it does."""
    is_told = stage_of_suffix().get(row.source.suffix) or not row.source.is_file()
    if row.stage is not None or is_told:
        return make_source("", row.source.name, row.stage)
    return source_of(row.source.read_bytes(), str(row.source), None, sink)


def _variants(
    row: Row, stage: str, targets: Sequence[Target], request_for: Callable[[Target], Request]
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
            yield Variant(str(row.source), stage, target.name, request, stem, emissions)


def _emission(kind: str, row: Row, target: Target, label: str) -> Emission:
    """Only what makes a difference is in it, so that variants share what is alike."""
    if kind not in _NAMING:
        return Emission(kind)
    prefix = c_name((row.prefix or row.source.name) + label)
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
