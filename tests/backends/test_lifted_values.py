"""Programs that were lifted without a register map leave what the simulator says, register by register."""

from __future__ import annotations

import re

import numpy as np
import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Stats
from glslc_multi.compiler.assembly import assemble_text
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.execution.machine_code import MachineCode
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.lifting.operations import Unliftable
from glslc_multi.compiler.target import MachineInputs, Target
from tests.proof.prove import compile_text

LANES = 1000
#: On the edges of floors, saturations and comparisons.
EDGES = (0.0, 1.0, -1.0, 0.5, 2.0, -0.25)

AGAL_VERTEX = """// agal 1 vertex
nrm vt0.xyz, va1.xyz
dp3 vt1.x, vt0.xyz, vc4.xyz
sat vt1.x, vt1.x
slt vt1.y, va2.x, vc4.w
sge vt1.z, va2.y, vc4.w
mul vt2, va1, vt1.xyzx
frc vt3, vt2
sub v0, vt2, vt3
add vt1.w, va2.z, vc5.x
sat vt1.w, vt1.w
mov v1, vc[vt1.w+6]
m34 vt4.xyz, va0, vc8
mov vt4.w, va0.w
mov op, vt4
"""
AGAL_FRAGMENT = """// agal 2 fragment
sub ft0.x, v0.x, fc0.x
kil ft0.x
ifg v0.y, fc0.y
mov ft1, v0
els
mul ft1, v0, fc1
eif
pow ft1.w, fc1.w, v1.x
crs ft2.xyz, ft1.xyz, v1.xyz
mov ft2.w, ft1.w
mov oc, ft2
"""
PICA = """
.fvec matrix[4], lights[3]
.bool dark
.in position v0
.out - position o0
.out - color o1
.out - texcoord0 o2.xy
.setf c90(0.5, 0.25, 1.0, 2.0)
.seti i1(2, 0, 1, 0)
.proc main
    mova a0.x, c90.z
    mov r5, lights[a0.x]
    dp4 o0.x, matrix[0], position
    dph o0.y, position, matrix[1]
    dp3 o0.z, matrix[2], position
    mov r3, v1
    slt o0.w, position, r3
    mov r0, c90
    for i1
        max r1, lights[aL], v1
        mad r0, r1, r0, r5
        cmp r0.xy, gt, lt, v1.xy
        breakc cmp.x
    .end
    ifu dark
        call shade
    .else
        min o1, r0, v2
    .end
    mov r1, v2
    ifc cmp.y
        flr r1, r1
    .end
    mov o2.xy, r1.zw
    end
.end
.proc shade
    rcp r2.x, v2.x
    ex2 r2.y, v2.y
    mul r0, r0, r2.xyxy
    sge o1, r0, v2
.end
"""


@pytest.mark.parametrize(
    ("target", "text"),
    [("agal", AGAL_VERTEX), ("agal", AGAL_FRAGMENT), ("pica200", PICA)],
    ids=["vertex", "pixel", "3ds"],
)
def test_lifted_programs_leave_what_the_simulator_says(target: str, text: str) -> None:
    machine = find_target(target, DiagnosticSink())
    artifact, code = _assembled(text, machine)
    reflection = artifact.reflection
    module = optimise(lift(code, reflection, is_complete=False), 2)
    bindings = {binding.name: binding for binding in (*reflection.attributes, *reflection.uniforms)}
    values = np.random.default_rng(5)
    inputs: dict[str, dict[int, Array]] = {}
    constants: dict[str, dict[int, Array]] = {}
    for variable in module.variables.values():
        for location in _locations(variable, bindings):
            if variable.storage == "uniform":
                constants.setdefault(location.space, {})[location.index] = _numbers(values, 1, variable)[0]
            elif variable.storage in ("attribute", "varying") and not variable.is_written_by(module.stage):
                inputs.setdefault(location.space, {})[location.index] = _numbers(values, LANES, variable)
    found = machine.simulate(artifact, MachineInputs(LANES, constants, inputs), {"f32": True})
    own = {v.name: v for v in module.variables.values() if v.storage not in ("output", "sampler")}
    given = {name: _value(v, bindings, constants if v.storage == "uniform" else inputs) for name, v in own.items()}
    result = evaluate(
        module,
        {name: x for name, x in given.items() if own[name].storage in ("attribute", "varying") and x is not None},
        {name: x for name, x in given.items() if own[name].storage == "uniform" and x is not None},
        lanes=LANES,
    )
    kept = np.ones(LANES, bool)
    if found.discarded is not None:
        kept = ~np.asarray(found.discarded, bool)
        assert (np.asarray(result.discarded, bool) == ~kept).all()
        assert 0 < kept.sum() < LANES
    outputs = [b for b in (*reflection.outputs, *reflection.varyings) if b.name in result.outputs]
    assert outputs
    for binding in outputs:
        (location,) = binding.locations
        letters = [COMPONENTS.index(letter) for letter in location.components]
        wanted = np.asarray(found.outputs[location.space][location.index])[:, letters]
        np.testing.assert_allclose(result.outputs[binding.name][kept], wanted[kept], rtol=1e-5, atol=1e-5)


def _assembled(text: str, machine: Target) -> tuple[Artifact, MachineCode]:
    """Assemble a text, and read its binary as one that came without a register map."""
    sink = DiagnosticSink()
    data = assemble_text(text, target=machine, filename="<text>", sink=sink)
    reflection = machine.read_interface(data, "<text>", sink)
    assert reflection is not None
    artifact = Artifact(data, str, reflection, Stats(0, 0, 0, 0))
    code = machine.machine_code(artifact, {})
    assert code is not None
    return artifact, code


def _locations(variable: Variable, bindings: dict[str, Binding]) -> tuple[Location, ...]:
    """The registers of a variable: those of a name, or what the name itself says."""
    if variable.name in bindings:
        return bindings[variable.name].locations
    space, number = re.fullmatch(r"(\D+)(\d*)", variable.name).groups()  # type: ignore[union-attr]
    numbers = [int(number)] if number else range(variable.length)
    return tuple(Location(space, each, COMPONENTS) for each in numbers)


def _numbers(values: np.random.Generator, count: int, variable: Variable) -> Array:
    """Rows of four numbers, a third of them on edges."""
    if variable.type.kind == "bool":
        return np.ones((count, 1), np.int32)
    rows = values.uniform(-2.0, 2.0, (count, 4)).astype(np.float32)
    return np.where(values.random((count, 4)) < 1 / 3, values.choice(np.array(EDGES, np.float32), (count, 4)), rows)


def _value(variable: Variable, bindings: dict[str, Binding], registers: dict[str, dict[int, Array]]) -> Array | None:
    """The value of a variable, of those of its registers."""
    rows = [registers.get(place.space, {}).get(place.index) for place in _locations(variable, bindings)]
    if any(row is None for row in rows):
        return None
    width = variable.type.width
    parts = [np.asarray(row)[..., :width] for row in rows]
    value = np.stack(parts) if variable.is_array or variable.is_matrix else parts[0]
    return value[..., 0] if width == 1 else value


UNUSUAL = (0.0, -0.0, np.inf, -np.inf, 1.0, -2.5, 3e38, 1e-38, 1e-45, -1e-45)
EXACT_AGAL = """// agal 1 vertex
mul vt0, va0, va1
add v0, vt0, va0
rcp vt1.x, va0.x
dp4 vt1.y, va0, va1
min vt1.z, va0.z, va1.z
mov vt1.w, va0.w
mov v1, vt1
mov op, va0
"""
EXACT_PICA = """
.in a v0
.in b v1
.out - position o0
.out - color o1
.out - texcoord0 o2.xy
.proc main
    mov r0, v1
    mul o0, v0, r0
    dp4 r1.x, v0, r0
    rcp r1.y, v0.x
    dph r1.z, v0, r0
    max r1.w, v0, r0
    mov o1, r1
    mad r2, v0, r0, v0
    mov o2.xy, r2.xy
    end
.end
"""


@pytest.mark.parametrize(("target", "text"), [("pica200", EXACT_PICA), ("agal", EXACT_AGAL)])
def test_exact_code_does_with_unusual_numbers_what_the_machine_does(target: str, text: str) -> None:
    """Zero times infinity, infinities, denormal numbers; of infinite results which are not numbers both have none."""
    machine = find_target(target, DiagnosticSink())
    artifact, code = _assembled(text, machine)
    reflection = artifact.reflection
    module = optimise(lift(code, reflection, is_complete=False, is_exact=True), 2, precise=True)
    rows = np.array([(x, y) for x in UNUSUAL for y in UNUSUAL], np.float32)
    spread = [
        np.stack([rows[:, side], rows[:, side][::-1], rows[:, 1 - side], np.roll(rows[:, side], 7)], 1)
        for side in (0, 1)
    ]
    space = "va" if target == "agal" else "v"
    names = ["va0", "va1"] if target == "agal" else ["a", "b"]
    with np.errstate(all="ignore"):
        found = machine.simulate(
            artifact, MachineInputs(len(rows), {}, {space: dict(enumerate(spread))}), {"f32": True}
        )
        result = evaluate(module, dict(zip(names, spread, strict=True)), {}, lanes=len(rows))
    for binding in (*reflection.outputs, *reflection.varyings):
        (location,) = binding.locations
        letters = [COMPONENTS.index(letter) for letter in location.components]
        wanted = np.asarray(found.outputs[location.space][location.index])[:, letters]
        np.testing.assert_array_equal(result.outputs[binding.name], wanted)


@pytest.mark.parametrize(("target", "stage"), [("vc4", "vertex"), ("pica200", "fragment"), ("theia", "fragment")])
def test_real_numbers_are_not_called_exact(target: str, stage: str) -> None:
    head = "precision highp float; uniform vec4 u; varying vec4 v; attribute vec4 a; "
    text = f"{head.replace('attribute vec4 a; ', '')}void main() {{ gl_FragColor = u * v; }}"
    if stage == "vertex":
        text = f"{head}void main() {{ v = u; gl_Position = a; }}"
    _, artifact = compile_text(text, target, stage)
    code = find_target(target, DiagnosticSink()).machine_code(artifact, {})
    assert code is not None
    with pytest.raises(Unliftable, match="real numbers alone"):
        lift(code, artifact.reflection, is_exact=True)
