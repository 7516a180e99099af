"""The picture that the machine code of two shaders makes, on the simulator of its target.

In: two shaders and a target.  Out: a PNG, as JSON has bytes.  It needs numpy; with llvmlite it is many times as fast.
"""

from __future__ import annotations

from base64 import b64encode
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.playground.code import diagnostics_data
from glslc_multi.playground.shader import BadRequest, Shader

if TYPE_CHECKING:
    from glslc_multi.runtime.shader import Engine

#: Of the picture, in pixels.
LARGEST = 256


def can_draw() -> bool:
    """Whether there is what simulators need."""
    return find_spec("numpy") is not None


def picture_data(vertex: Shader, fragment: Shader, target_name: str, mesh: str, size: int) -> dict[str, Any]:
    """The picture; what is wrong with the shaders is raised."""
    if not can_draw():
        return {"absent": "the simulators need numpy: pip install 'glslc-multi[run]'"}
    from glslc_multi.runtime.meshes import BUILT_IN
    from glslc_multi.runtime.png import encode_png
    from glslc_multi.runtime.preview import Scene, note_absent_stages, prepare

    if mesh not in BUILT_IN or not 0 < size <= LARGEST:
        raise BadRequest(f"a picture is of {', '.join(BUILT_IN)}, and has 1 to {LARGEST} pixels a side")
    sink = DiagnosticSink()
    target = find_target(target_name, sink)
    preview = prepare(vertex.source, fragment.source, target, fragment.request(target, sink), sink)
    note_absent_stages(preview, sink)
    engine: Engine = "translated" if find_spec("llvmlite") is not None else "simulator"
    frame = preview.draw(Scene(BUILT_IN[mesh](), size, size), engine)
    picture = b64encode(encode_png(frame.to_bytes()[:, :, :3])).decode()
    return {"picture": picture, "diagnostics": diagnostics_data(sink.diagnostics)}
