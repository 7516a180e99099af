"""A picture of two shaders: compiled for a target, given a mesh, uniforms and textures, and drawn.

In: the sources, a request, an engine, and what the user says about values.  Out: a `Frame`.  On the simulator the
stages that the target has are its machine code; one that it lacks runs compiled for this computer.  What the user does
not mention gets default values, chosen by name (`preview_defaults.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics.catalogue.usage import STAGE_ON_THE_HOST
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.lowering.interface.window import VIEWPORT, viewport_of
from glslc_multi.compiler.options import Request, resolve_options
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.programs import compile_linked, link_sources
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.runtime.jit import run_program
from glslc_multi.runtime.lent import MACHINE_ENGINES, with_lent
from glslc_multi.runtime.names import Names, flatten
from glslc_multi.runtime.preview_defaults import uniforms_of
from glslc_multi.runtime.preview_values import attributes_of, textures_of
from glslc_multi.runtime.raster import Array, Frame, Stage, corner_rules, draw, new_stage
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, Translations, run_artifact
from glslc_multi.runtime.textures import Texture

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.meshes import Mesh
    from glslc_multi.runtime.shader import Engine

_MOST_STEPS = 1_000_000


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn, except the shaders."""

    mesh: Mesh
    width: int
    height: int
    #: By GLSL names.
    uniforms: Mapping[str, Any] = field(default_factory=dict)
    textures: Mapping[str, Texture] = field(default_factory=dict)
    background: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    #: Values by vertex for attributes that the mesh lacks, or has others for.
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preview:
    """A pair of shaders, compiled for a target, and as the front end left them."""

    target: Target
    options: Mapping[str, Any]
    modules: Mapping[str, Module]
    artifacts: Mapping[str, Artifact]

    def draw(self, scene: Scene, engine: Engine) -> Frame:
        """The picture on an engine."""
        modules = self.modules.values()
        check_names(modules, scene.uniforms, scene.textures)
        viewport = {VIEWPORT: viewport_of(0, 0, scene.width, scene.height)}
        uniforms = viewport | uniforms_of(modules, scene.width, scene.height) | dict(scene.uniforms)
        textures = textures_of(modules, self.target) | dict(scene.textures)
        stages = {stage: self._stage(stage, engine, uniforms, textures) for stage in ("vertex", "fragment")}
        return draw(
            stages["vertex"],
            stages["fragment"],
            attributes_of(self.modules["vertex"], scene.mesh) | dict(scene.attributes),
            scene.mesh.triangles,
            width=scene.width,
            height=scene.height,
            background=scene.background,
        )

    def _stage(self, stage: str, engine: Engine, uniforms: Mapping[str, Any], textures: Mapping[str, Texture]) -> Stage:
        module = self.modules[stage]
        if engine in MACHINE_ENGINES and stage in self.artifacts:
            module = with_lent(module, self.artifacts[stage])
        variables = list(module.variables.values())
        names = {_first(v.name) for v in variables} | {d.name for d in module.declarations}
        own, maps = (
            {name: value for name, value in given.items() if _first(name) in names} for given in (uniforms, textures)
        )
        run = self._runner(stage, engine)

        def run_stage(given: Mapping[str, Array], quads: bool = False) -> dict[str, Array]:
            lanes = len(next(iter(given.values()))) if given else 1
            outputs: dict[str, Array] = run(
                given, own, maps, lanes=lanes, quads=quads, fill=True, max_steps=_MOST_STEPS
            )
            return outputs

        is_machine = engine in MACHINE_ENGINES and stage == "fragment" and stage in self.artifacts
        rules = corner_rules(self.target, self.artifacts[stage]) if is_machine else {}
        return new_stage(run_stage, variables, rules)

    def _runner(self, stage: str, engine: Engine) -> Callable[..., dict[str, Array]]:
        module = self.modules[stage]
        if engine == "reference":
            return partial(run_module, module)
        if engine in MACHINE_ENGINES and stage in self.artifacts:
            position = self.artifacts.get(self.target.position_stage or "") if stage == "vertex" else None
            execute = Translations(self.target, self.options) if engine == "translated" else None
            artifact = self.artifacts[stage]
            return partial(run_artifact, Simulated(self.target, artifact, module, self.options, position, execute))
        from glslc_multi.compiler.native.compile import compile_module as compile_host

        return partial(run_program, compile_host(module))


def check_names(modules: Iterable[Module], uniforms: Mapping[str, Any], textures: Mapping[str, Any]) -> None:
    """Refuse names that neither shader declares."""
    modules = list(modules)
    variables = [variable for module in modules for variable in module.variables.values()]
    declared = [d for module in modules for d in module.declarations if d.storage == "uniform"]
    for kind, given in (("uniform", uniforms), ("sampler", textures)):
        names = Names(kind, [v for v in variables if v.storage == kind], declared)
        for name, _ in flatten(given):
            names.find(name)


def _first(name: str) -> str:
    return name.partition(".")[0].partition("[")[0]


def prepare(vertex: Source, fragment: Source, target: Target, request: Request, sink: DiagnosticSink) -> Preview:
    """Both shaders through the compiler; what is wrong with them is reported and raised."""
    pair = link_sources(vertex, fragment, request.front_end, sink, target.machine_varyings)
    # Compiling changes modules.
    modules = {"vertex": clone_module(pair.vertex), "fragment": clone_module(pair.fragment)}
    options = resolve_options(target.options, request.target_options, sink)
    if "vertex" in target.program_stages:
        artifacts = dict(compile_linked(pair, target, request, sink).stages)
    else:
        (stage,) = target.program_stages
        settled = checked_options(target, stage, request, sink)
        artifacts = {stage: compile_module(pair.of_stage(stage), target, settled, request, sink)}
    return Preview(target, options, modules, artifacts)


def note_absent_stages(preview: Preview, sink: DiagnosticSink) -> None:
    """Say which half of a picture is not the target's."""
    for stage in preview.modules:
        if stage not in preview.artifacts:
            sink.report(STAGE_ON_THE_HOST, target=preview.target.name, stage=stage)
