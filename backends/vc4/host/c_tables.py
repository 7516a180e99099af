"""A program's facts as tables of C: code, words that are constant or that a draw call fills in, requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.backends.vc4.host.attributes import AttributeArray, VertexMember
from glslc_multi.backends.vc4.host.layout import STAGES, HostRequest, HostShader, HostStage
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.preamble_c import C_TYPES, CMember, structure

_PARAMETERS = 4
_LINE = 4


def stage_tables(name: str, stage: HostStage) -> Iterator[str]:
    """The tables that a stage's row names."""
    yield from table(f"const uint64_t {name}_code", [f"0x{word:016x}" for word in stage.code], _LINE)
    own = [f"{{ {word}, {kind} }}" for word, kind in stage.own]
    yield from table(f"const vc4_own_word {name}_own", own, _LINE)
    yield from table(f"const vc4_request {name}_requests", [_request(request) for request in stage.requests], 1)


def stage_rows(shader: HostShader) -> Iterator[str]:
    """The rows of `vc4_shader.stages`."""
    for name in STAGES:
        if name in shader.stages:
            yield from _stage_row(name, shader.stages[name], shader)


def _stage_row(name: str, stage: HostStage, shader: HostShader) -> Iterator[str]:
    own, requests = len(tuple(stage.own)), len(stage.requests)
    yield f"[VC4_{name.upper()}] = {{"
    yield f"    .code = {name}_code,"
    yield f"    .code_bytes = sizeof({name}_code),"
    yield f"    .stream = {stage.stream},"
    yield f"    .stream_words = {stage.stream_words},"
    if stage.array_words:
        yield f"    .arrays = {stage.arrays},"
        yield f"    .array_words = {stage.array_words},"
    if own:
        yield f"    .own = {name}_own,"
        yield f"    .own_count = {own},"
    if requests:
        yield f"    .requests = {name}_requests,"
        yield f"    .request_count = {requests},"
    if name != "fragment":
        yield f"    .attributes = {shader.attributes.selected(name)},"
        yield f"    .attribute_bytes = {shader.attributes.stage_bytes(name)},"
    yield "},"


def attribute_row(array: AttributeArray) -> str:
    """A row of `vc4_shader.attributes`."""
    places = (array.places.get("vertex", 0), array.places.get("coordinate", 0))
    return f"{{ {array.offset}, {array.bytes}, {places[0]}, {places[1]} }},"


def constant_rows(shader: HostShader) -> Iterator[str]:
    """Words that are there from the start; C has no table without rows."""
    rows = [f"{{ {place}, 0x{word:08x} }}" for place, word in shader.constants]
    yield from lines_of(rows or ["{ 0, 0 }"], _LINE)


def vertex_structure(prefix: str, members: Sequence[VertexMember]) -> Iterator[str]:
    """The structure of a vertex; a program without attributes has none."""
    if members:
        yield ""
        yield "/* A vertex, as the arrays of attributes are. */"
        names = CNames()
        yield from structure(
            f"{prefix}_vertex",
            [CMember(names.new(member_name(m.name)), C_TYPES[m.kind], m.count, m.remark) for m in members],
        )


def _request(request: HostRequest) -> str:
    missing = ["VC4_NO_WORD"] * (_PARAMETERS - len(request.words))
    words = ", ".join([*map(str, request.words), *missing])
    return f"{{ {request.source}, {{ {words} }}, {int(request.is_load)}, {int(request.has_level)} }}"


def table(declaration: str, rows: Sequence[str], width: int) -> Iterator[str]:
    """A static array; C has none without elements."""
    if not rows:
        return
    yield f"static {declaration}[{len(rows)}] = {{"
    yield from (f"    {line}" for line in lines_of(rows, width))
    yield "};"


def lines_of(rows: Iterable[str], width: int) -> Iterator[str]:
    found = list(rows)
    for start in range(0, len(found), width):
        yield ", ".join(found[start : start + width]) + ","
