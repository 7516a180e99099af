"""What is measured: shaders with the size that a peer's compiler, or a hand, needs for them.

Four inputs, known by content: a folder with `counts.json` and GLSL files, with the sizes of another compiler (agal)
or of programs by hand (agal and pica200: `by_hand`), a `mesa_counts.json` with `mesa_programs.json` beside it (adreno
and vc4), and `exec_shaders.json` (pica200).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.registry import stage_of_suffix

#: Names of sets of shaders.
RECORDED = "recorded pairs"
REAL = "real shaders"


@dataclass(frozen=True, slots=True)
class Data:
    """Shaders with the sizes of a peer, below the folder of shared data."""

    target: str
    name: str
    path: str

    @property
    def title(self) -> str:
        return f"{self.target}, {self.name}"


DATA = (
    Data("adreno", RECORDED, "golden/adreno/mesa_counts.json"),
    Data("adreno", REAL, "golden/real-counts/mesa_counts.json"),
    Data("agal", RECORDED, "golden/agal/counts"),
    Data("pica200", RECORDED, "golden/pica200/exec_shaders.json"),
    Data("vc4", RECORDED, "golden/adreno/mesa_counts.json"),
    Data("vc4", REAL, "golden/real-counts/mesa_counts.json"),
)


class UnknownInput(Exception):
    """A path is none of the inputs, or has no sizes for the target."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The size of one stage elsewhere."""

    #: None where the peer has no right code for the shader; such a stage takes no part in the mean.
    size: int | None
    #: A hand-written program, for orientation.
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class SizeCase:
    """A shader or a linked pair, and the peer's size of each stage that comes out."""

    name: str
    #: Stage -> GLSL text; a pair is compiled linked.
    sources: Mapping[str, str]
    peers: Mapping[str, Peer]
    #: Options of the target that the measurement needs.
    options: Mapping[str, object] = field(default_factory=dict)
    #: The record it came from, with inputs and bindings for execution.
    record: Mapping[str, Any] = field(default_factory=dict)


def load_cases(path: Path, target: str) -> list[SizeCase]:
    """The cases at `path` that have sizes for `target`."""
    file = path / "counts.json" if path.is_dir() else path
    document = _load(file)
    owners: tuple[str, ...]
    if isinstance(document, dict) and document.get("schema") == "agal-counts-1":
        owners, cases = ("agal",), _agal_cases(document["cases"], file.parent)
    elif isinstance(document, dict) and document.get("schema") == "hand-counts-1":
        owners, cases = (document["target"],), _hand_cases(document["sizes"], file.parent)
    elif isinstance(document, dict) and _all_have(document.values(), "a2xx", "vc4"):
        owners, cases = ("adreno", "vc4"), _mesa_cases(document, file.parent, target)
    elif isinstance(document, list) and _all_have(document, "glsl", "bindings"):
        owners, cases = ("pica200",), _pica_cases(document)
    else:
        raise UnknownInput(f"{path} is none of the known inputs")
    if target not in owners:
        raise UnknownInput(f"{path} has sizes for {' and '.join(owners)}, not for {target}")
    return list(cases)


def _all_have(rows: Iterable[Any], *keys: str) -> bool:
    return all(isinstance(row, dict) and row.keys() >= set(keys) for row in rows)


def _agal_cases(rows: Sequence[Mapping[str, Any]], folder: Path) -> Iterator[SizeCase]:
    for row in rows:
        peer, reference = row["peer"], row.get("reference", {})
        size = peer["instructions"] if peer["usable"] else None
        sources = {row["stage"]: (folder / row["file"]).read_text(encoding="utf-8")}
        peers = {row["stage"]: Peer(size, reference.get("instructions"))}
        yield SizeCase(row["file"], sources, peers, {"version": row["version"]}, row)


def _hand_cases(sizes: Mapping[str, int], folder: Path) -> Iterator[SizeCase]:
    for file, size in sizes.items():
        stage = stage_of_suffix()[Path(file).suffix]
        yield SizeCase(file, {stage: (folder / file).read_text(encoding="utf-8")}, {stage: Peer(size)})


def _mesa_cases(rows: Mapping[str, Any], folder: Path, target: str) -> Iterator[SizeCase]:
    programs: dict[str, dict[str, str]] = {}
    for program in _load(folder / "mesa_programs.json"):
        programs.setdefault(program["name"], {})[program["stage"]] = program["glsl"]
    for name, row in rows.items():
        if name not in programs:
            raise UnknownInput(f"mesa_programs.json has no '{name}'")
        primitive = row.get("primitive", "triangles")
        options = {"primitive": primitive} if target == "vc4" and primitive != "triangles" else {}
        yield SizeCase(name, programs[name], _mesa_peers(row, target), options)


#: Stages as Mesa calls them -> ours, and the stages of the shaders that they are of.
_MESA_STAGES = {"vertex": ("vertex", "vertex"), "coord": ("coordinate", "vertex"), "fragment": ("fragment", "fragment")}


def _mesa_peers(row: Mapping[str, Any], target: str) -> dict[str, Peer]:
    """The stages that count: a shader that was made for another one is in no game's."""
    measured = row.get("measured", ("vertex", "fragment"))
    found = {}
    for name, counts in row["a2xx" if target == "adreno" else "vc4"].items():
        stage, shader = _MESA_STAGES[name]
        if shader in measured:
            found[stage] = Peer(counts["slots96"] if target == "adreno" else counts)
    return found


def _pica_cases(rows: Sequence[Mapping[str, Any]]) -> Iterator[SizeCase]:
    for row in rows:
        sizes = row["bindings"]["sizes"]
        peers = {"vertex": Peer(sizes["words"], sizes.get("best_known"))}
        yield SizeCase(row["name"], {"vertex": row["glsl"]}, peers, {}, row)


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnknownInput(f"cannot read {path}: {error}") from None
