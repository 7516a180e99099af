"""Programs in real numbers: lifted, and run on numbers, against the simulator, at the edges of what masks cut off."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.theia.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Binding, Location, Reflection, Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import optimise
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lifting.lift import lift
from glslc_multi.compiler.target import MachineInputs

EDGES = (0.0, 0.25, 0.5, 1.0, 1.5, 3.75, 4.0, 5.0, 7.9375, 100.0, -0.25, -0.5, -1.0, -1.5, -3.75, -4.0, -5.0, -100.0)
REFLECTION = Reflection(
    "theia",
    "fragment",
    varyings=(
        Binding(
            "v", "vec3", None, tuple(Location("row", 86, letter, "q17", first=n) for n, letter in enumerate("xyz"))
        ),
    ),
    outputs=(Binding("gl_FragColor", "vec4", None, (Location("output", 0, "xyz", "q17"),)),),
)
#: Instructions over the row in R1, and the constant C1 in all lanes.
PROGRAMS = {
    "remainder": ("MOD R1 R1 C1", 0x80000, {ops.FMOD}),
    "fraction": ("FRAC R1 R1 VOID", 0, {ops.FFRACT}),
    "floor": ("MOD R1 R1 C1", 0x00000000, {ops.FFLOOR}),
    "quarters": ("MOD R1 R1 C1", 0x00018000, {ops.FFLOOR}),
    "largest": ("MOD R2 R1 C1\n\tMUL R2 C2 R2\n\tMUL R2 R2 R1\n\tSUB R1 R1 R2", 0x80020000, {ops.FMAX}),
    "other digits": ("MOD R1 R1 C1", 0x20000 + 0x50000, {ops.IAND}),
    "whole": ("UNSCALE R1 R1 VOID", 0, {ops.USHR}),
}


def artifact_of(body: str, constant: int) -> Artifact:
    """The program, with what it takes in R1 and leaves there."""
    lines = [
        f"SETX C1 32'h{constant:X}", "SWIZZLE3D C1 SWIZZLE_XXX", "SETX C2 32'hFFFFFFF8", "SWIZZLE3D C2 SWIZZLE_XXX",
        "COPY R1 CREG_E1_LAST VOID", body, "OMWRITE OREG_PIXEL_COLOR CREG_CURRENT_OUTPUT_PIXEL R1", "RETURN RT_TRUE",
    ]  # fmt: skip
    text = "\n\t".join(["ENTRYPOINT_ADRR_PIXELSHADER:", *lines]) + "\n"
    data = TARGET.assemble(text, "<test>", DiagnosticSink())
    return Artifact(data, str, REFLECTION, Stats(0, 0, 0, 0))


def lifted(artifact: Artifact) -> Module:
    code = TARGET.machine_code(artifact, {})
    assert code is not None
    return optimise(lift(code, artifact.reflection), 2)


def rows() -> Array:
    """Numbers that the machine has, in all lanes."""
    others = np.random.default_rng(3).integers(-(1 << 24), 1 << 24, (982, 3)) / (1 << 17)
    return np.concatenate([np.repeat(np.array(EDGES)[:, None], 3, 1), others])


@pytest.mark.parametrize("name", PROGRAMS)
def test_masks_cut_off_what_the_machine_does(name: str) -> None:
    body, constant, expected = PROGRAMS[name]
    artifact, given = artifact_of(body, constant), rows()
    module = lifted(artifact)
    assert {each.op for each in module.main.instructions()} >= expected
    inputs = {"row": {86: np.concatenate([given, given[:, :1]], axis=1)}}
    found = TARGET.simulate(artifact, MachineInputs(len(given), {}, inputs), {"variant": "trunk"})
    result = evaluate(module, {"v": given.astype(np.float32)}, {}, lanes=len(given))
    wanted = np.asarray(found.outputs["output"][0])[:, :3]
    np.testing.assert_allclose(result.outputs["gl_FragColor"][:, :3], wanted, atol=2.0**-16)
