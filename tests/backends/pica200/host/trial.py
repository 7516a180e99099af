"""A compiled program with a value for every uniform, and the calls of generated code: all uniforms are set by name, and
the program is bound again, as after another one, and draws a vertex."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.host_code.places import size_of
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.compiler.records import dataclass
from glslc_multi.runtime.program import Program, UniformValues
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.backends.pica200.host.stub import Call, run_main, write_program
from tests.host_values import Flat, drawn, give, setter_call, stages_of

#: What changes a generated source, to plant a fault in it.
Edit = Callable[[str], str]
#: The call that stands where all that has been sent so far is forgotten.
AGAIN = "again"
_FRAME = """
C3D_Init(C3D_DEFAULT_CMDBUF_SIZE);
C3D_RenderTarget *target = C3D_RenderTargetCreate(240, 400, GPU_RB_RGBA8, GPU_RB_DEPTH24_STENCIL8);
C3D_FrameBegin(0);
C3D_RenderTargetClear(target, C3D_CLEAR_ALL, 0, 0);
C3D_FrameDrawOn(target);
"""
#: What another program leaves for pixels.
_LEFT = """
for (int n = 0; n < 6; n++) {
    C3D_TexEnv *env = C3D_GetTexEnv(n);
    C3D_TexEnvSrc(env, C3D_Both, GPU_CONSTANT, GPU_TEXTURE2, GPU_PREVIOUS_BUFFER);
    C3D_TexEnvOpRgb(env, GPU_TEVOP_RGB_SRC_ALPHA, GPU_TEVOP_RGB_SRC_R, GPU_TEVOP_RGB_ONE_MINUS_SRC_COLOR);
    C3D_TexEnvOpAlpha(env, GPU_TEVOP_A_SRC_R, GPU_TEVOP_A_SRC_G, GPU_TEVOP_A_SRC_B);
    C3D_TexEnvFunc(env, C3D_Both, GPU_SUBTRACT);
    C3D_TexEnvScale(env, C3D_Both, GPU_TEVSCALE_4);
    C3D_TexEnvColor(env, 0x12345678);
}
C3D_TexEnvBufUpdate(C3D_Both, 0xF);
C3D_TexEnvBufColor(0x12345678);
C3D_AlphaTest(true, GPU_LESS, 77);
C3D_FogGasMode(GPU_FOG, GPU_DEPTH_DENSITY, true);
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """In another order than they are declared in, the uniforms are set."""

    made: CompiledShader | CompiledProgram
    stages: Mapping[str, Artifact]
    uniforms: Sequence[HostUniform]
    values: Mapping[str, Flat]

    @classmethod
    def of(cls, made: CompiledShader | CompiledProgram, seed: int) -> Trial:
        """A fragment stage has small numbers: it reads most of them as 0 to 1."""
        stages = stages_of(made)
        uniforms, scale = host_uniforms(stages), 1 / 32 if "fragment" in stages else 1
        values: dict[str, Flat] = {
            name: [number * scale for number in numbers] if isinstance(numbers[0], float) else numbers
            for name, numbers in drawn(uniforms, seed).items()
        }
        return cls(made, stages, uniforms, values)

    @property
    def program(self) -> HostProgram:
        return HostProgram(self.stages, "lit", self.made.binary)

    @property
    def vertex_size(self) -> int:
        """How many floats a vertex has."""
        vertex = self.stages.get("vertex")
        return 0 if vertex is None else sum(map(size_of, vertex.reflection.attributes))

    def uploaded(self) -> UniformValues:
        """The second opinion on where the values go."""
        found = Program.of(self.made).new_values()
        give(found, self.uniforms, self.values)
        return found

    def run(self, folder: Path, edit: Edit = str) -> list[Call]:
        write_program(folder, self.program, edit)
        return run_main(folder, ["lit"], self.main())

    def main(self) -> str:
        """A frame; the numbers of the vertex are 0, 1, 2 and so on."""
        names = CNames()
        members = {uniform.name: names.new(member_name(uniform.name)) for uniform in self.uniforms}
        setters = [setter_call(f"lit_set_{members[u.name]}", u, self.values[u.name]) for u in self.uniforms]
        start = [_FRAME, "static lit_program state;", "lit_program *program = &state;", "lit_init(program);"]
        body = ["lit_bind(program);", *reversed(setters), "lit_update(program);", f'puts("[\\"{AGAIN}\\"]");']
        end = [_LEFT, "lit_bind(program);", *self._draw(), "C3D_FrameEnd(0);", "lit_free(program);"]
        return "\n".join([*start, _LEFT, *body, *end])

    def _draw(self) -> Sequence[str]:
        if not self.vertex_size:
            return ()
        numbers = ", ".join(f"{n}.0f" for n in range(self.vertex_size))
        return (
            f"static const float numbers[] = {{{numbers}}};",
            "lit_vertex *vertex = linearAlloc(sizeof *vertex);",
            "if (sizeof numbers != sizeof *vertex || lit_bind_vertices(NULL)) return 1;",
            "memcpy(vertex, numbers, sizeof *vertex);",
            "if (!lit_bind_vertices(vertex)) return 2;",
            "C3D_DrawArrays(GPU_TRIANGLES, 0, 1);",
        )
