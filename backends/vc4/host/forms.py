"""The forms of host code: which stages each takes, and who writes its files."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.host.program import program_files
from glslc_multi.backends.vc4.host.vulkan import refusal, vulkan_files
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.usage import HOST_FORM_CANNOT
from glslc_multi.compiler.host_files import HostFile, HostProgram

VULKAN = "rpi-vk-driver"
_ALL = frozenset(("vertex", "coordinate", "fragment"))
#: Kinds of stream words of lookups that read one channel as a float.
_RAW_KINDS = ("_r", "_g", "_b", "_a")


def host_code(program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
    """The files of a form; what it cannot do is reported, and none come out."""
    stages = program.stages
    if not (stages.keys() == _ALL or (form == "bare" and stages.keys() == {"fragment"})):
        found = " and ".join(stages)
        help_ = "link a vertex and a fragment shader: glslc-multi link a.vert a.frag --emit host"
        sink.report(HOST_FORM_CANNOT, help=help_, form=form, cannot=f"draw with a {found} stage alone")
    elif any(map(_is_raw, stages.values())):
        help_ = "leave out --output: no memory has pixels of floats"
        sink.report(HOST_FORM_CANNOT, help=help_, form=form, cannot="draw what was compiled with --output=raw")
    sink.raise_if_errors()
    if form != VULKAN:
        return program_files(program, form)
    cannot = refusal(program)
    if cannot is not None:
        sink.report(HOST_FORM_CANNOT, help="the form drm has no such limits", form=form, cannot=cannot)
        sink.raise_if_errors()
    return vulkan_files(program)


def _is_raw(artifact: Artifact) -> bool:
    """Whether pixels or texels are single floats, which only tests take."""
    reflection = artifact.reflection
    if any(kind.startswith("texture_") and kind.endswith(_RAW_KINDS) for kind, _ in reflection.stream):
        return True
    places = (location for binding in reflection.outputs for location in binding.locations)
    return any(place.space == "tlb" and place.transform == "identity" for place in places)
