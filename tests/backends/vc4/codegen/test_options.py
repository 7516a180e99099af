"""What the target's options add: blending, depth, primitives, threads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.isa import latency
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.encoding import decode
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.machine.run import run
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.frontends.registry import make_source

_LANES = 32
_NUMBERS = np.random.default_rng(5)
_THERE = np.floor(_NUMBERS.uniform(0.0, 1.0, (_LANES, 4)) * 255.0) / 255.0
_COLOUR = _NUMBERS.uniform(-0.25, 1.25, (_LANES, 4))
_WINDOW = np.stack([np.full(_LANES, 0.5)] * 2 + [np.linspace(0.0, 1.0, _LANES), np.ones(_LANES)], axis=1)
_TEXELS = _NUMBERS.integers(0, 256, (4, 4, 4)).astype(np.uint8)


def _compile(body: str, declarations: str = "", **options: bool | str) -> Artifact:
    text = f"precision highp float; varying vec4 v; {declarations} void main() {{ {body} }}"
    return compile_source(
        make_source(text, "test.frag", "fragment"),
        load_target("vc4"),
        Request(target_options=options),
        DiagnosticSink(),
    )


def _run(artifact: Artifact) -> Mapping[int, Array]:
    columns = {n: np.repeat(_COLOUR[:, n : n + 1], 4, axis=1) for n in range(4)}
    inputs = {"varying": columns, "window": {0: _WINDOW}, "tlb": {0: _THERE}}
    return run(artifact, MachineInputs(_LANES, inputs=inputs, textures={0: Texture(_TEXELS)}), {}).outputs["tlb"]


def _blended(name: str) -> Array:
    source, alpha = np.clip(_COLOUR, 0.0, 1.0), np.clip(_COLOUR[:, 3:], 0.0, 1.0)
    return {
        "none": source,
        "alpha": source * alpha + _THERE * (1.0 - alpha),
        "premultiplied": source + _THERE * (1.0 - alpha),
        "add": source + _THERE,
        "add_alpha": source * alpha + _THERE,
        "multiply": source * _THERE,
    }[name]


@pytest.mark.parametrize("name", ["none", "alpha", "premultiplied", "add", "add_alpha", "multiply"])
def test_blending_is_that_of_opengl(name: str) -> None:
    found = _run(_compile("gl_FragColor = v;", blend=name))[0]
    assert np.allclose(found, np.clip(_blended(name), 0.0, 1.0), atol=1.01 / 255.0)


def test_depth_is_the_primitive_s_unless_the_shader_has_its_own() -> None:
    assert np.allclose(_run(_compile("gl_FragColor = v;", depth=True))[1][:, 0], _WINDOW[:, 2], atol=1e-6)
    own = "#extension GL_EXT_frag_depth : require\nprecision highp float; varying vec4 v;"
    text = f"{own} void main() {{ gl_FragColor = v; gl_FragDepthEXT = v.x * v.x; }}"
    for depth in (True, False):
        request = Request(target_options={"depth": depth})
        artifact = compile_source(
            make_source(text, "test.frag", "fragment"), load_target("vc4"), request, DiagnosticSink()
        )
        assert np.allclose(_run(artifact)[1][:, 0], np.clip(_COLOUR[:, 0] ** 2, 0.0, 1.0), atol=1e-6)


@pytest.mark.parametrize(("primitive", "count"), [("triangles", 4), ("lines", 5), ("points", 6)])
def test_varyings_of_the_hardware_come_before_the_shader_s(primitive: str, count: int) -> None:
    artifact = _compile("gl_FragColor = v;", primitive=primitive)
    assert sum("vary" in line for line in artifact.assembly.splitlines()) == count
    assert np.allclose(_run(artifact)[0], np.clip(_COLOUR, 0.0, 1.0), atol=1.01 / 255.0)
    assert (artifact.reflection.host_state or {})["primitive"] == primitive


_LOOKUPS = "gl_FragColor = v.x * v.y + texture2D(s, v.xy) * texture2D(s, texture2D(s, v.zw).xy) + texture2D(s, v.yx);"


def test_two_threads_switch_before_results_and_compute_the_same() -> None:
    one, two = (_compile(_LOOKUPS, "uniform sampler2D s;", threaded=threaded) for threaded in (False, True))
    signals = [decode(word).signal for word in unpack(two.binary).words]
    # The lookup at what another one found needs a switch of its own, and so do those that the queues cannot hold.
    assert signals.count(Signal.LTHRSW) == 1
    assert signals.count(Signal.THRSW) >= 1
    assert (two.reflection.host_state or {})["threads"] == 2
    assert (one.reflection.host_state or {})["threads"] == 1
    assert np.array_equal(_run(one)[0], _run(two)[0])


def test_two_threads_are_the_default_where_they_are_faster() -> None:
    def threads(body: str, **options: bool) -> int:
        code = _compile(body, "uniform sampler2D s;", **options)
        return int((code.reflection.host_state or {})["threads"])

    assert threads("gl_FragColor = texture2D(s, v.xy);") == 2
    assert threads("gl_FragColor = texture2D(s, v.xy);", threaded=False) == 1
    assert threads("gl_FragColor = v;") == 1


def test_threads_that_save_less_than_their_switches_take_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def code() -> Artifact:
        return _compile(_LOOKUPS, "uniform sampler2D s;")

    assert (code().reflection.host_state or {})["threads"] == 2
    # Nothing is to be waited for.
    monkeypatch.setattr(latency, "LOOKUP_WORDS", 0)
    assert (code().reflection.host_state or {})["threads"] == 1


def test_what_needs_more_than_half_of_the_registers_is_one_thread() -> None:
    values = "".join(f"float f{n} = v.x * v.y + {n}.5 * v.z;" for n in range(40))
    used = " + ".join(f"f{n} * t.x * f{39 - n}" for n in range(40))
    body = f"{values} vec4 t = texture2D(s, v.xy); gl_FragColor = vec4({used}) + v.w;"
    two_threads, plain = (_compile(body, "uniform sampler2D s;", threaded=threaded) for threaded in (True, False))
    assert (two_threads.reflection.host_state or {})["threads"] == 1
    assert two_threads.binary == plain.binary
