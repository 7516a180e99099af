"""The shaders that mutants are made of: the project's own, and those of the shared corpora where they are found.

In: nothing, or files and folders, and a version to keep to.  Out: texts with their stage, short and long ones apart,
and linked pairs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.versions import DESKTOP_VERSIONS, ES_VERSIONS, STANDARDS, version_line
from tests.fuzz.versions import modernised
from tests.generators.glsl import Stage, generate
from tests.shared_data import PROJECT_ROOT, shared_root

#: Suffixes of shader files, by the names of stages in records.
SUFFIX_OF_STAGE = {"vertex": ".vert", "fragment": ".frag", "geometry": ".geom"}
STAGE_OF_SUFFIX = {suffix: stage for stage, suffix in SUFFIX_OF_STAGE.items()}
#: Longer texts cost too much to be compiled whole every time.
SHORT = 2500
#: Small shaders that have what newer versions added.
SEEDS = PROJECT_ROOT / "tests" / "fuzz" / "seeds"
_OWN = (PROJECT_ROOT / "examples", PROJECT_ROOT / "tests" / "conformance" / "cases", SEEDS)
_GENERATED = 20
_GENERATED_STAGES: tuple[Stage, ...] = ("vertex", "fragment")
_FUNCTION = re.compile(r"^\w[\w \t]*\([^;{}]*\)\s*\{", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Text:
    """A shader."""

    stage: str
    source: str

    @property
    def version(self) -> int:
        """What its `#version` line says."""
        line = version_line(self.source)
        return 100 if line is None else int(line[1])


@dataclass(frozen=True, slots=True)
class Texts:
    """The shaders to choose from."""

    short: Sequence[Text]
    long: Sequence[Text]
    #: Those of both without what is surely refused: versions that the front end does not read.
    plain: Sequence[Text]
    plain_long: Sequence[Text]
    #: Vertex and fragment shader.
    pairs: Sequence[tuple[Text, Text]]
    #: Of the language, for texts that are written anew.
    versions: Sequence[int] = ES_VERSIONS + DESKTOP_VERSIONS

    @property
    def digest(self) -> str:
        """Of all texts: inputs of one seed are the same only where these are."""
        known = hashlib.sha256(repr(self.versions).encode())
        for text in (*self.short, *self.long, *(text for pair in self.pairs for text in pair)):
            known.update(f"{text.stage}\n{text.source}".encode("utf-8", "surrogatepass"))
        return known.hexdigest()[:16]

    def choose(self, random: Random) -> Text:
        """A short shader, or a part of a long one."""
        if not self.long or random.random() < 0.75:
            return random.choice(self.short)
        whole = random.choice(self.long)
        return Text(whole.stage, cut_function(whole.source, random))

    def choose_whole(self, random: Random) -> Text:
        return random.choice(self.long or self.short)

    def choose_plain(self, random: Random, long: float) -> Text:
        """A whole shader of a version that the front end reads; `long` is the share of long ones among them."""
        shaders = self.plain_long if self.plain_long and random.random() < long else self.plain
        return random.choice(shaders or self.short)


def load_texts(paths: Sequence[Path] = (), std: str = "") -> Texts:
    """The shaders in `paths`; without any, all that is known.  `std` leaves out those of other versions."""
    versions = (STANDARDS[std],) if std else ES_VERSIONS + DESKTOP_VERSIONS
    corpus = shared_root() / "corpus"
    found = [shaders for path in paths or (*_OWN, corpus) for file in _files(path) for shaders in _read(file)]
    if not paths:
        found += [[_generated(seed, stage, versions)] for seed in range(_GENERATED) for stage in _GENERATED_STAGES]
    found = list({tuple(shaders): shaders for shaders in found}.values())
    found = [shaders for shaders in found if not std or all(text.version in versions for text in shaders)]
    single = list(dict.fromkeys(text for shaders in found for text in shaders))
    if not single:
        raise ValueError("there are no shaders in the given places")
    short = [text for text in single if len(text.source) <= SHORT]
    long = [text for text in single if len(text.source) > SHORT]
    pairs = [(shaders[0], shaders[1]) for shaders in found if len(shaders) == 2 and _is_pair(shaders)]
    plain, plain_long = ([text for text in texts if _is_plain(text)] for texts in (short, long))
    return Texts(short or single, long, plain, plain_long, pairs, versions)


def cut_function(source: str, random: Random) -> str:
    """The declarations of a long shader with one or two of its functions."""
    functions = list(_functions(source))
    if len(functions) < 2:
        return source
    kept = {random.randrange(len(functions)) for _ in range(random.choice((1, 1, 2)))}
    parts, end = [], 0
    for number, (start, stop) in enumerate(functions):
        parts += [source[end:start], source[start:stop] if number in kept else ""]
        end = stop
    return "".join([*parts, source[end:]])


def _functions(source: str) -> Iterator[tuple[int, int]]:
    """Where functions begin and end, by their braces."""
    end = 0
    for match in _FUNCTION.finditer(source):
        if match.start() < end:
            continue
        depth, end = 1, match.end()
        while depth and end < len(source):
            depth += (source[end] == "{") - (source[end] == "}")
            end += 1
        yield match.start(), end


def _files(path: Path) -> Iterable[Path]:
    return sorted(path.rglob("*")) if path.is_dir() else [path]


def _read(file: Path) -> Iterator[list[Text]]:
    """The shaders of a file, those of one record together."""
    if file.suffix in STAGE_OF_SUFFIX:
        pair = [file.with_suffix(suffix) for suffix in (".vert", ".frag")]
        names = pair if file == pair[0] and pair[1].is_file() else [file]
        yield [Text(STAGE_OF_SUFFIX[name.suffix], name.read_text(encoding="utf-8")) for name in names]
    elif file.suffix == ".jsonl":
        for line in file.read_text(encoding="utf-8").splitlines():
            shaders = list(_record_texts(json.loads(line)))
            if shaders:
                yield shaders


def _record_texts(record: Mapping[str, Any]) -> Iterator[Text]:
    """The texts in a record of any of the corpora's forms, the vertex shader first.

    A text without `#version` gets the one of its record, for what it is without one depends on the reader.
    """
    by_stage = dict(record.get("sources") or {})
    if "source" in record and "stage" in record:
        by_stage[record["stage"]] = record["source"]
    by_stage |= {stage: record[stage] for stage in SUFFIX_OF_STAGE if isinstance(record.get(stage), str)}
    for stage in sorted(by_stage, key=list(SUFFIX_OF_STAGE).index):
        if isinstance(by_stage[stage], str):
            text, version = Text(stage, by_stage[stage]), record.get("version", "100")
            is_told = version == "100" or version_line(text.source) is not None
            yield text if is_told else Text(stage, f"#version {version}\n{text.source}")


def _is_plain(text: Text) -> bool:
    return text.version in ES_VERSIONS + DESKTOP_VERSIONS


def _is_pair(shaders: Sequence[Text]) -> bool:
    stages, versions = [text.stage for text in shaders], {text.version for text in shaders}
    return stages == ["vertex", "fragment"] and len(versions) == 1 and all(map(_is_plain, shaders))


def _generated(seed: int, stage: Stage, versions: Sequence[int]) -> Text:
    return Text(stage, modernised(generate(Random(seed), stage, 4).source, stage, versions[seed % len(versions)]))
