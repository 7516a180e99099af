"""Programs without a register map: what their words say of their interface.

Words of the uniform stream, components of attributes and of varyings are called by the order in which they are read
and written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from glslc_multi.backends.vc4.isa import registers
from glslc_multi.backends.vc4.isa.encoding import Alu, Branch, Instruction, Load, decode
from glslc_multi.backends.vc4.isa.fixed_function import CLIP_ROWS, VPM_ROWS, vpm_setup, vpm_setup_of
from glslc_multi.backends.vc4.isa.packing import PACKS
from glslc_multi.backends.vc4.isa.uniforms import TextureKind, texture_parameter
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.backends.vc4.machine.execute import words_read
from glslc_multi.compiler.artifact import Binding, Location, Reflection
from glslc_multi.compiler.isa.components import COMPONENTS

_TARGET = "vc4"
#: Rows that all vertices have: the place on the screen, depth, 1 / w.
_SET_UP_ROWS = 3
#: Components of varyings, at most.
_VARYINGS = 32
_HALF, _FILE_B = 16, 1


class _Run(NamedTuple):
    """Rows that a program writes one after the other: where they begin, or which word of the stream says that, and of
    each whether halves of a word were packed into it."""

    start: int | None
    word: int
    rows: list[bool]


class _Vertex(NamedTuple):
    """What a vertex or coordinate program writes: how many rows before varyings, and all; and the words of setups."""

    stage: str
    fixed: int
    row_count: int
    setups: Mapping[int, int]


def reflection_of(words: Sequence[int]) -> Reflection | None:
    """Return what a program reads and writes; None where its words do not tell its stage, or how it uses the stream."""
    program, verdict = [decode(word) for word in words], check(words)
    if verdict.fault is not None:
        return None
    runs = _runs_of(words, program)
    vertex = _vertex_of(runs)
    stage = "fragment" if vertex is None else vertex.stage
    if vertex is None and (runs or not _writes(program, *registers.TLB)):
        return None
    stream = [("uniform", f"unif{number}") for number in range(verdict.uniforms_size // 4)]
    samplers: list[Binding] = []
    for request in verdict.requests:
        if not request.is_direct:
            name, kind = f"texture{len(samplers)}", TextureKind(stage != "fragment", None)
            samplers.append(Binding(name, "sampler2D", None, (Location("texture", len(samplers), "x"),)))
            for parameter, word in enumerate(request.words):
                stream[word] = (texture_parameter(parameter, kind), f"{name}[0]")
    for word, setup in (vertex.setups if vertex else {}).items():
        if word not in range(len(stream)):
            return None
        stream[word] = ("constant", f"0x{setup:08x}")
    uniforms = [_number(f"unif{word}", "stream", word) for word, (kind, _) in enumerate(stream) if kind == "uniform"]
    if vertex is None:
        attributes, varyings = [], [_number(f"vary{n}", "varying", n) for n in range(_VARYINGS)]
    else:
        attributes = [_number(f"vpm{row}", "vpm_in", row) for row in range(VPM_ROWS)]
        varyings = [
            _number(f"vary{row - vertex.fixed}", "vpm_out", row) for row in range(vertex.fixed, vertex.row_count)
        ]
    return Reflection(
        _TARGET,
        stage,
        attributes=tuple(attributes),
        uniforms=tuple(uniforms),
        samplers=tuple(samplers),
        varyings=tuple(varyings),
        outputs=tuple(_colours(program) if vertex is None else _positions(vertex)),
        stream=tuple(stream),
        host_state={"primitive": "triangles", "point_size": False, "depth": False, "threads": 1},
    )


def _number(name: str, space: str, index: int) -> Binding:
    return Binding(name, "float", None, (Location(space, index, "x"),))


def _colours(program: Sequence[Instruction]) -> Iterator[Binding]:
    """List the colour, and the depth if it is written."""
    yield Binding("gl_FragColor", "vec4", None, (Location("tlb", 0, COMPONENTS, "unorm8"),))
    if _writes(program, registers.TLB_Z):
        yield Binding("gl_FragDepth", "float", None, ())


def _positions(vertex: _Vertex) -> Iterator[Binding]:
    """List the position, which has rows in a coordinate program, and the size of points if there is a row for it."""
    rows = CLIP_ROWS if vertex.stage == "coordinate" else 0
    yield Binding("gl_Position", "vec4", None, tuple(Location("vpm_out", row, "x", first=row) for row in range(rows)))
    if vertex.fixed > rows + _SET_UP_ROWS:
        yield _number("gl_PointSize", "vpm_out", rows + _SET_UP_ROWS)


# --- Rows -------------------------------------------------------------------------------------------------------------


def _vertex_of(runs: Sequence[_Run]) -> _Vertex | None:
    """Return what is written, by the row of halves: the first one of a vertex program, the fifth one of a coordinate
    program, which has nothing behind it but a size; None where that is somewhere else."""
    stages: dict[tuple[int, ...], str] = {(0,): "vertex", (CLIP_ROWS,): "coordinate"}
    halves = [tuple(number for number, is_packed in enumerate(run.rows) if is_packed) for run in runs]
    positions = [run for run, packed in zip(runs, halves, strict=True) if packed in stages]
    others = [run for run, packed in zip(runs, halves, strict=True) if not packed]
    if len(positions) != 1 or len(others) + 1 != len(runs) or len(others) > 1:
        return None
    (position,) = positions
    count = len(position.rows)
    starts = [(position, 0), *((run, count) for run in others)]
    if any(run.start not in (None, start) for run, start in starts):
        return None
    stage = stages[halves[runs.index(position)]]
    fixed = count if others or stage == "coordinate" else _SET_UP_ROWS
    setups = {run.word: vpm_setup(start) for run, start in starts if run.start is None}
    return _Vertex(stage, fixed, sum(len(run.rows) for run in runs), setups)


def _runs_of(words: Sequence[int], program: Sequence[Instruction]) -> list[_Run]:
    """Return the rows that are written, in the order of the words."""
    runs: list[_Run] = []
    halves: set[int] = set()
    counts = words_read(tuple(words))
    for number, instruction in enumerate(program):
        if isinstance(instruction, Branch):
            continue
        packed = instruction.pack if not instruction.pm else 0
        for index, half in enumerate((instruction.add, instruction.mul)):
            file = index ^ instruction.ws
            if half.waddr == registers.VPM and half.writes and runs:
                runs[-1].rows.append(isinstance(instruction, Alu) and instruction.raddr_a in halves)
            elif half.waddr == registers.VPM_SETUP and half.writes and file == _FILE_B:
                setup = vpm_setup_of(instruction.immediate) if isinstance(instruction, Load) else None
                runs.append(_Run(None if setup is None else setup.row, counts[number] - 1, []))
            elif half.waddr < registers.FILE_SIZE and file != _FILE_B:
                is_half = bool(packed) and PACKS[packed].width == _HALF
                (halves.add if is_half else halves.discard)(half.waddr)
    return runs


def _writes(program: Sequence[Instruction], *numbers: int) -> bool:
    """Tell whether a program writes to one of these addresses."""
    halves = [half for each in program if isinstance(each, (Alu, Load)) for half in (each.add, each.mul)]
    return any(half.writes and half.waddr in numbers for half in halves)
