"""The environments that modules are written for, as `spirv-val --target-env` names them."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Environment:
    """Where a module runs."""

    name: str
    #: Uniforms stand in blocks, textures in sets of descriptors, and window coordinates count from the top.
    is_vulkan: bool


ENVIRONMENTS: Mapping[str, Environment] = {
    environment.name: environment
    for environment in (Environment("vulkan1.0", is_vulkan=True), Environment("opengl4.5", is_vulkan=False))
}
