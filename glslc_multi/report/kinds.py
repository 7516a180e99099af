"""What is made of compiled stages, by the kinds of `--emit`: their files.

`emit`, `link --emit`, batches and `glslc_multi.emit` have the same ones.  A kind that needs more than compiled stages,
such as the intermediate representation, is the command's alone (`cli/emit.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

from glslc_multi.compiler.records import dataclass, replace

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Artifact, Program
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.target import Target

#: Of a compiled stage, its target and a prefix for names.
OfStage: TypeAlias = "Callable[[Artifact, Target, str], bytes]"

BINARY = "bin"
#: The kind that is several files, and is made of all stages together.
HOST = "host"
#: Stage -> how file names spell it, where those of several stages stand side by side.
STAGE_NAMES = {"vertex": "vs", "coordinate": "cs", "fragment": "fs", "geometry": "gs"}
#: In place of a stage: all those of a linked program.
PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Emission:
    """A kind, and the names in it where it is text of another language."""

    kind: str = BINARY
    prefix: str = ""
    #: Of host code; None for the usual one.
    host_form: str | None = None


def encoded(text: str) -> bytes:
    # A file name in the text may hold bytes that are not UTF-8: they are written as they were read.
    return text.encode("utf-8", "surrogateescape")


def files_of_stage(emission: Emission, artifact: Artifact, target: Target, sink: DiagnosticSink) -> dict[str, bytes]:
    """Files by what follows the name of the shader in theirs; those of host code are in a folder of their own."""
    stage = artifact.reflection.stage
    if emission.kind == HOST:
        files = files_of_host(emission, {stage: artifact}, None, target, sink)
        return {f"{HOST_FOLDER}{name}": data for name, data in files.items()}
    if emission.kind != BINARY:
        make, suffix = OF_STAGE[emission.kind]
        return {suffix: make(artifact, target, emission.prefix)}
    suffix = target.suffix_of(stage)
    beside = {f"{suffix}.json": _json(artifact, target, "")} if target.needs_map else {}
    return {suffix: artifact.binary, **beside}


def files_of_program(emission: Emission, program: Program, target: Target, sink: DiagnosticSink) -> dict[str, bytes]:
    """Make the files of linked stages, by what follows the name of the program in theirs."""
    if emission.kind == HOST:
        files = files_of_host(emission, program.stages, program.binary, target, sink)
        return {f"{HOST_FOLDER}{name}": data for name, data in files.items()}
    if emission.kind == "asm":
        text = "".join(f"{artifact.assembly}\n" for artifact in program.stages.values())
        if program.binary is not None:
            text = target.disassemble(program.binary, "", sink)
        return {OF_STAGE["asm"][1]: encoded(text)}
    if emission.kind == BINARY and program.binary is not None:
        return {target.suffix: program.binary}
    files = {}
    for stage, artifact in program.stages.items():
        mark = _stage_mark(emission.kind, target, stage, program.stages)
        own = replace(emission, prefix=f"{emission.prefix}_{STAGE_NAMES[stage]}")
        files |= {mark + suffix: data for suffix, data in files_of_stage(own, artifact, target, sink).items()}
    return files


def first_suffix(kind: str, target: Target, stage: str) -> str:
    """What follows the name of the shader in that of the file, or of the folder."""
    return HOST_FOLDER if kind == HOST else target.suffix_of(stage) if kind == BINARY else OF_STAGE[kind][1]


def program_suffixes(kind: str, target: Target, second: str) -> dict[str, str]:
    """Map stages of a program, or PROGRAM, to what follows its name in the file; `second` is the other linked stage."""
    if kind in (HOST, "asm"):
        return {PROGRAM: first_suffix(kind, target, second)}
    if kind == BINARY and second == "geometry":
        return {PROGRAM: target.suffix}
    stages = target.linked_stages(second)
    return {stage: _stage_mark(kind, target, stage, stages) + first_suffix(kind, target, stage) for stage in stages}


def _stage_mark(kind: str, target: Target, stage: str, stages: Collection[str]) -> str:
    """Return what tells the files of stages apart: nothing where their suffixes do, or where there is one."""
    return "" if kind == BINARY and (target.suffixes or len(stages) == 1) else f".{STAGE_NAMES[stage]}"


def files_of_host(
    emission: Emission, stages: Mapping[str, Artifact], binary: bytes | None, target: Target, sink: DiagnosticSink
) -> dict[str, bytes]:
    """Host code by the names of its files."""
    from glslc_multi.compiler.host_code.forms import make_host_files
    from glslc_multi.compiler.host_files import HostProgram

    program = HostProgram(stages, emission.prefix, binary)
    return {file.name: file.data for file in make_host_files(program, target, emission.host_form, sink)}


def _asm(artifact: Artifact, target: Target, prefix: str) -> bytes:
    return encoded(artifact.assembly)


def _json(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.reflection import register_map

    return encoded(register_map(artifact))


def _stats(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.statistics import statistics_json

    return encoded(statistics_json({artifact.reflection.stage: artifact}))


def _c(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.c_text import c_source

    return encoded(c_source(artifact, prefix))


def _header(artifact: Artifact, target: Target, prefix: str) -> bytes:
    from glslc_multi.report.c_text import c_header

    return encoded(c_header(artifact, prefix, target))


#: Kinds that are one text of one stage, and the suffix of their files.
OF_STAGE: dict[str, tuple[OfStage, str]] = {
    "asm": (_asm, ".s"),
    "json": (_json, ".json"),
    "stats": (_stats, ".stats.json"),
    "c": (_c, ".c"),
    "header": (_header, ".h"),
}
#: All kinds that compiled stages are enough for.
STAGE_KINDS = (BINARY, *OF_STAGE, HOST)
HOST_FOLDER = ".host/"
