"""How fast the engines run shaders: evaluator, jit, the targets' simulators and translated code, and C.

    python -m benchmarks.execute [--lanes N] [--rounds R] [--json]

Shaders of ordinary size run on N vertices or pixels: two lights; `vectors`, 18 instructions on vectors of four (counted
on PICA200); `rows`, 18 instructions on vectors of three, for a machine that has no others (executed by THEIA);
`colours`, two stages of the PICA200's combiners.  `cc` compiles the same computation, written by hand as a loop over
arrays that are laid out like the jit's, with the flags of its row; where there is no C compiler those rows are missing.

Rows with `kernel` are called with their arrays in place, as is C.  `reference`, `jit`, a target's name (its simulator)
and `translated` take and give values by name, as users run them; `interpreter` is the simulator from registers to
registers.  The ratio is time against the first C row.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Timing, compare
from glslc_multi.backends.registry import load_target, target_names
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.execution.program import LaneState
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.native.compile import HostProgram, compile_module
from glslc_multi.compiler.native.programs import TranslatedCode
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.target import MachineInputs, MachineOutputs
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.jit import run_program
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.shader import CompiledShader, compile_shader
from glslc_multi.runtime.simulator import Simulated, run_artifact

#: Engines that are much slower run on so many lanes at most; times are scaled up.
_SLOW_LANES = 1 << 12


@dataclass(frozen=True, slots=True)
class Kernel:
    """A shader, and the same in C: inputs, uniforms and outputs are rows in declared order."""

    name: str
    stage: str
    glsl: str
    c: str


VERTEX = Kernel(
    "vertices",
    "vertex",
    """
uniform mat4 u_mvp;
uniform mat3 u_normal;
uniform vec3 u_light;
uniform vec3 u_colour;
attribute vec3 a_position;
attribute vec3 a_normal;
varying vec3 v_colour;
void main() {
    vec3 n = normalize(u_normal * a_normal);
    v_colour = u_colour * max(dot(n, u_light), 0.0);
    gl_Position = u_mvp * vec4(a_position, 1.0);
}
""",
    """
#include <math.h>
static __attribute__((noinline)) void kernel(
    const float *restrict x, const float *restrict y, const float *restrict z,
    const float *restrict nx, const float *restrict ny, const float *restrict nz, const float *restrict u,
    float *restrict px, float *restrict py, float *restrict pz, float *restrict pw,
    float *restrict red, float *restrict green, float *restrict blue, long count)
{
    const float *m = u, *n = u + 16, *light = u + 25, *colour = u + 28;
    for (long i = 0; i < count; ++i) {
        float a = n[0] * nx[i] + n[3] * ny[i] + n[6] * nz[i];
        float b = n[1] * nx[i] + n[4] * ny[i] + n[7] * nz[i];
        float c = n[2] * nx[i] + n[5] * ny[i] + n[8] * nz[i];
        float scale = 1.0f / sqrtf(a * a + b * b + c * c);
        float d = a * scale * light[0] + b * scale * light[1] + c * scale * light[2];
        d = d < 0.0f ? 0.0f : d;
        red[i] = colour[0] * d, green[i] = colour[1] * d, blue[i] = colour[2] * d;
        px[i] = m[0] * x[i] + m[4] * y[i] + m[8] * z[i] + m[12];
        py[i] = m[1] * x[i] + m[5] * y[i] + m[9] * z[i] + m[13];
        pz[i] = m[2] * x[i] + m[6] * y[i] + m[10] * z[i] + m[14];
        pw[i] = m[3] * x[i] + m[7] * y[i] + m[11] * z[i] + m[15];
    }
}
void run(float *const *in, const float *u, float *const *out, long count)
{
    kernel(in[0], in[1], in[2], in[3], in[4], in[5], u, out[0], out[1], out[2], out[3], out[4], out[5], out[6], count);
}
""",
)
PIXEL = Kernel(
    "pixels",
    "fragment",
    """
precision highp float;
uniform vec3 u_light;
uniform vec3 u_eye;
uniform vec3 u_colour;
varying vec3 v_position;
varying vec3 v_normal;
void main() {
    vec3 n = normalize(v_normal);
    vec3 h = normalize(u_light + normalize(u_eye - v_position));
    float diffuse = max(dot(n, u_light), 0.0);
    float s = max(dot(n, h), 0.0);
    s = s * s;
    s = s * s;
    s = s * s;
    gl_FragColor = vec4(u_colour * diffuse + vec3(s * s), 1.0);
}
""",
    """
#include <math.h>
static __attribute__((noinline)) void kernel(
    const float *restrict px, const float *restrict py, const float *restrict pz,
    const float *restrict nx, const float *restrict ny, const float *restrict nz, const float *restrict u,
    float *restrict red, float *restrict green, float *restrict blue, float *restrict alpha, long count)
{
    const float *light = u, *eye = u + 3, *colour = u + 6;
    for (long i = 0; i < count; ++i) {
        float scale = 1.0f / sqrtf(nx[i] * nx[i] + ny[i] * ny[i] + nz[i] * nz[i]);
        float a = nx[i] * scale, b = ny[i] * scale, c = nz[i] * scale;
        float ex = eye[0] - px[i], ey = eye[1] - py[i], ez = eye[2] - pz[i];
        scale = 1.0f / sqrtf(ex * ex + ey * ey + ez * ez);
        float hx = light[0] + ex * scale, hy = light[1] + ey * scale, hz = light[2] + ez * scale;
        scale = 1.0f / sqrtf(hx * hx + hy * hy + hz * hz);
        hx *= scale, hy *= scale, hz *= scale;
        float d = a * light[0] + b * light[1] + c * light[2];
        float s = a * hx + b * hy + c * hz;
        d = d < 0.0f ? 0.0f : d, s = s < 0.0f ? 0.0f : s;
        s = s * s, s = s * s, s = s * s, s = s * s;
        red[i] = colour[0] * d + s, green[i] = colour[1] * d + s, blue[i] = colour[2] * d + s, alpha[i] = 1.0f;
    }
}
void run(float *const *in, const float *u, float *const *out, long count)
{
    kernel(in[0], in[1], in[2], in[3], in[4], in[5], u, out[0], out[1], out[2], out[3], count);
}
""",
)
#: C that may not reorder or contract arithmetic.
PLAIN_C = "cc"
#: Name of a row -> flags in addition to -O3 -march=native.
_C_FLAGS = {PLAIN_C: ("-fno-math-errno",), "cc -ffast-math": ("-ffast-math",)}


VECTORS = Kernel(
    "vectors",
    "vertex",
    """
uniform mat4 u_mvp;
uniform mat4 u_model;
uniform vec4 u_light;
uniform vec4 u_eye;
uniform vec4 u_colour;
attribute vec4 a_position;
attribute vec4 a_normal;
attribute vec4 a_tint;
varying vec4 v_colour;
varying vec4 v_place;
void main() {
    gl_Position = u_mvp * a_position;
    vec4 place = u_model * a_position;
    vec4 normal = u_model * a_normal;
    v_colour = u_colour * max(dot(normal, u_light), 0.0) + a_tint;
    v_place = place * u_eye;
}
""",
    """
static __attribute__((noinline)) void kernel(
    const float *restrict px, const float *restrict py, const float *restrict pz, const float *restrict pw,
    const float *restrict nx, const float *restrict ny, const float *restrict nz, const float *restrict nw,
    const float *restrict tx, const float *restrict ty, const float *restrict tz, const float *restrict tw,
    const float *restrict u,
    float *restrict gx, float *restrict gy, float *restrict gz, float *restrict gw,
    float *restrict cx, float *restrict cy, float *restrict cz, float *restrict cw,
    float *restrict qx, float *restrict qy, float *restrict qz, float *restrict qw, long count)
{
    const float *m = u, *o = u + 16, *light = u + 32, *eye = u + 36, *colour = u + 40;
    for (long i = 0; i < count; ++i) {
        float x = px[i], y = py[i], z = pz[i], w = pw[i], a = nx[i], b = ny[i], c = nz[i], d = nw[i];
        gx[i] = m[0] * x + m[4] * y + m[8] * z + m[12] * w, gy[i] = m[1] * x + m[5] * y + m[9] * z + m[13] * w;
        gz[i] = m[2] * x + m[6] * y + m[10] * z + m[14] * w, gw[i] = m[3] * x + m[7] * y + m[11] * z + m[15] * w;
        qx[i] = (o[0] * x + o[4] * y + o[8] * z + o[12] * w) * eye[0];
        qy[i] = (o[1] * x + o[5] * y + o[9] * z + o[13] * w) * eye[1];
        qz[i] = (o[2] * x + o[6] * y + o[10] * z + o[14] * w) * eye[2];
        qw[i] = (o[3] * x + o[7] * y + o[11] * z + o[15] * w) * eye[3];
        float s = (o[0] * a + o[4] * b + o[8] * c + o[12] * d) * light[0];
        s += (o[1] * a + o[5] * b + o[9] * c + o[13] * d) * light[1];
        s += (o[2] * a + o[6] * b + o[10] * c + o[14] * d) * light[2];
        s += (o[3] * a + o[7] * b + o[11] * c + o[15] * d) * light[3];
        s = s < 0.0f ? 0.0f : s;
        cx[i] = colour[0] * s + tx[i], cy[i] = colour[1] * s + ty[i];
        cz[i] = colour[2] * s + tz[i], cw[i] = colour[3] * s + tw[i];
    }
}
void run(float *const *in, const float *u, float *const *out, long count)
{
    kernel(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10], in[11], u,
           out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7], out[8], out[9], out[10], out[11], count);
}
""",
)

ROWS = Kernel(
    "rows",
    "fragment",
    """
precision highp float;
uniform vec3 u_light;
uniform vec3 u_eye;
uniform vec3 u_colour;
varying vec3 v_position;
varying vec3 v_normal;
varying vec3 v_tint;
void main() {
    vec3 way = v_position - u_eye;
    vec3 side = cross(way, v_normal);
    vec3 lit = u_colour * max(dot(v_normal, u_light), 0.0) + v_tint;
    gl_FragColor = vec4(lit * dot(way, u_light) + side * u_colour + way * v_tint + v_normal, 1.0);
}
""",
    """
static __attribute__((noinline)) void kernel(
    const float *restrict px, const float *restrict py, const float *restrict pz,
    const float *restrict nx, const float *restrict ny, const float *restrict nz,
    const float *restrict tx, const float *restrict ty, const float *restrict tz, const float *restrict u,
    float *restrict red, float *restrict green, float *restrict blue, float *restrict alpha, long count)
{
    const float *light = u, *eye = u + 3, *colour = u + 6;
    for (long i = 0; i < count; ++i) {
        float x = px[i] - eye[0], y = py[i] - eye[1], z = pz[i] - eye[2], a = nx[i], b = ny[i], c = nz[i];
        float d = a * light[0] + b * light[1] + c * light[2];
        d = d < 0.0f ? 0.0f : d;
        float s = x * light[0] + y * light[1] + z * light[2];
        red[i] = (colour[0] * d + tx[i]) * s + (y * c - z * b) * colour[0] + x * tx[i] + a;
        green[i] = (colour[1] * d + ty[i]) * s + (z * a - x * c) * colour[1] + y * ty[i] + b;
        blue[i] = (colour[2] * d + tz[i]) * s + (x * b - y * a) * colour[2] + z * tz[i] + c, alpha[i] = 1.0f;
    }
}
void run(float *const *in, const float *u, float *const *out, long count)
{
    kernel(in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], u, out[0], out[1], out[2], out[3], count);
}
""",
)

#: Within 0 to 1 throughout, for a machine that has no other numbers (executed by the PICA200's combiners).
COLOURS = Kernel(
    "colours",
    "fragment",
    """
precision highp float;
uniform vec4 u_tint;
uniform vec3 u_shade;
varying vec4 v_colour;
void main() {
    vec4 tinted = v_colour * u_tint;
    gl_FragColor = vec4(mix(u_shade, tinted.rgb, v_colour.a), tinted.a);
}
""",
    """
static __attribute__((noinline)) void kernel(
    const float *restrict r, const float *restrict g, const float *restrict b, const float *restrict a,
    const float *restrict u,
    float *restrict red, float *restrict green, float *restrict blue, float *restrict alpha, long count)
{
    const float *tint = u, *shade = u + 4;
    for (long i = 0; i < count; ++i) {
        red[i] = shade[0] + (r[i] * tint[0] - shade[0]) * a[i];
        green[i] = shade[1] + (g[i] * tint[1] - shade[1]) * a[i];
        blue[i] = shade[2] + (b[i] * tint[2] - shade[2]) * a[i];
        alpha[i] = a[i] * tint[3];
    }
}
void run(float *const *in, const float *u, float *const *out, long count)
{
    kernel(in[0], in[1], in[2], in[3], u, out[0], out[1], out[2], out[3], count);
}
""",
)
KERNELS = (VERTEX, PIXEL, VECTORS, ROWS, COLOURS)


class Bench:
    """One kernel with values for it, and a call for each engine."""

    def __init__(self, kernel: Kernel, lanes: int) -> None:
        self.kernel = kernel
        self.lanes = lanes
        self.module = _lowered(kernel)
        random = np.random.default_rng(1)
        self.inputs = {
            variable.name: random.uniform(0.5, 1.5, (lanes, variable.type.width)).astype(np.float32)
            for variable in self.module.variables.values()
            if variable.storage in ("attribute", "varying") and not variable.is_written_by(self.module.stage)
        }
        self.uniforms = {
            variable.name: random.uniform(0.1, 1.0, (variable.columns * variable.type.width,)).astype(np.float32)
            for variable in self.module.variables.values()
            if variable.storage == "uniform"
        }
        #: Calls of fewer lanes, by name: how many.
        self.slow: dict[str, int] = {}

    def candidates(self) -> Iterator[tuple[str, Callable[[], object]]]:
        program = compile_module(self.module)
        rows = Rows(self.inputs, self.uniforms, program, self.lanes)
        yield from self.c_calls(rows)
        yield "jit kernel", program.bind_rows(rows.inputs, rows.words, rows.outputs, rows.discarded)
        yield "jit", lambda: run_program(program, self.inputs, self.uniforms)
        few = {name: value[:_SLOW_LANES] for name, value in self.inputs.items()}
        self.slow["reference"] = min(self.lanes, _SLOW_LANES)
        yield "reference", lambda: run_module(self.module, few, self.uniforms)
        for target in target_names():
            shader = self._compiled(target, few)
            if shader is not None:
                self.slow[target] = self.slow[f"{target} interpreter"] = self.slow["reference"]
                yield from self._of_target(shader, few)

    def _of_target(self, shader: CompiledShader, few: dict[str, Array]) -> Iterator[tuple[str, Callable[[], object]]]:
        """Its simulator, by name and on registers; and its translated code, called alike."""
        name, target = shader.target.name, shader.target
        yield name, lambda: shader.run(few, self.uniforms)
        artifact, registers = self._registers(shader, few)
        yield f"{name} interpreter", lambda: target.simulate(artifact, registers, shader.target_options)
        with calls_in_place() as bound:
            shader.run(self.inputs, self.uniforms, engine="translated")
        yield f"{name} translated", lambda: shader.run(self.inputs, self.uniforms, engine="translated")
        yield f"{name} kernel", bound[0]

    def _registers(self, shader: CompiledShader, inputs: dict[str, Array]) -> tuple[Artifact, MachineInputs]:
        """What the shader's simulator is called with first."""
        calls: list[tuple[Artifact, MachineInputs]] = []
        target = shader.target

        def simulate(artifact: Artifact, registers: MachineInputs) -> MachineOutputs:
            calls.append((artifact, registers))
            return target.simulate(artifact, registers, shader.target_options)

        simulated = Simulated(target, shader.artifact, shader.module, shader.target_options, shader.position, simulate)
        run_artifact(simulated, inputs, self.uniforms)
        return calls[0]

    def c_calls(self, rows: Rows) -> Iterator[tuple[str, Callable[[], object]]]:
        compiler = shutil.which("cc")
        if compiler is None:
            return
        for name, flags in _C_FLAGS.items():
            function = _compile_c(compiler, self.kernel.c, flags)
            tables = [_table(rows.inputs), rows.words.ctypes.data_as(ctypes.c_void_p), _table(rows.outputs)]
            yield name, lambda function=function, tables=tables: function(*tables, self.lanes)  # type: ignore[misc]

    def _compiled(self, target: str, inputs: dict[str, Array]) -> CompiledShader | None:
        """The shader for a target; None where the target cannot run it."""
        try:
            source = make_source(self.kernel.glsl, self.kernel.name, self.kernel.stage)
            shader = compile_shader(source, load_target(target), Request())
            shader.run(inputs, self.uniforms)
        except Exception as error:
            # One target's trouble must not hide what the other engines do.
            print(f"{self.kernel.name}: {target} does not run: {error}", file=sys.stderr)
            return None
        return shader


@contextmanager
def calls_in_place() -> Iterator[list[Callable[[], None]]]:
    """The calls of translated code that happen inside, to be repeated with their arrays as they are."""
    bound: list[Callable[[], None]] = []
    run = TranslatedCode.run

    def keep(code: TranslatedCode, state: LaneState) -> dict[Any, Array]:
        bound.append(code.bind(state))
        return run(code, state)

    TranslatedCode.run = keep  # type: ignore[assignment, method-assign]
    try:
        yield bound
    finally:
        TranslatedCode.run = run  # type: ignore[method-assign]


class Rows:
    """The values as the jit's kernel and C take them."""

    def __init__(self, inputs: dict[str, Array], uniforms: dict[str, Array], program: HostProgram, lanes: int) -> None:
        if lanes % program.width:
            raise SystemExit(f"the number of lanes must be a multiple of {program.width}")
        self.inputs = [row for value in inputs.values() for row in np.ascontiguousarray(value.T)]
        self.words = np.concatenate(list(uniforms.values()))
        self.outputs = [np.zeros(lanes, np.float32) for _ in range(program.layout.sizes["output"])]
        self.discarded = np.zeros(lanes, np.bool_)


def _lowered(kernel: Kernel) -> Module:
    return lower_source(make_source(kernel.glsl, kernel.name, kernel.stage), FrontEndOptions(), DiagnosticSink())


def _compile_c(compiler: str, source: str, flags: Sequence[str]) -> Callable[..., object]:
    with tempfile.TemporaryDirectory() as folder:
        text, code, library = (Path(folder) / f"kernel.{suffix}" for suffix in ("c", "o", "so"))
        text.write_text(source, encoding="utf-8")
        subprocess.run(
            [compiler, "-O3", "-march=native", *flags, "-fPIC", "-c", "-o", str(code), str(text)], check=True
        )
        # Linked without the flags: -ffast-math would link code that flushes denormals in the whole process.
        subprocess.run([compiler, "-shared", "-o", str(library), str(code), "-lm"], check=True)
        function = ctypes.CDLL(str(library)).run
    function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_long]
    function.restype = None
    return function


def _table(rows: Sequence[Array]) -> Any:
    return (ctypes.c_void_p * len(rows))(*[row.ctypes.data for row in rows])


def _row(timing: Timing, bench: Bench) -> dict[str, Any]:
    share = bench.slow.get(timing.name, bench.lanes) / bench.lanes
    return {
        "kernel": bench.kernel.name,
        "lanes": bench.lanes,
        "engine": timing.name,
        "millions a second": bench.lanes * share / timing.median / 1e6,
        "ratio": timing.ratio / share,
    }


def measure(kernel: Kernel, lanes: int, rounds: int) -> list[dict[str, Any]]:
    """One record an engine."""
    bench = Bench(kernel, lanes)
    return [_row(timing, bench) for timing in compare(dict(bench.candidates()), rounds=rounds)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.execute", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--lanes", type=int, action="append", help="vertices or pixels; may be repeated (4096, 1048576)"
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    found = parser.parse_args(arguments)
    records = [
        record
        for lanes in found.lanes or (1 << 12, 1 << 20)
        for kernel in KERNELS
        for record in measure(kernel, lanes, found.rounds)
    ]
    if found.json:
        print(json.dumps(records, indent=2))
        return 0
    for record in records:
        line = f"{record['kernel']:9} {record['lanes']:8} {record['engine']:20}"
        print(f"{line} {record['millions a second']:10.3f} M/s   {record['ratio']:9.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
