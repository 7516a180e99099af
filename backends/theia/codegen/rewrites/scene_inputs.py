"""Values that the chip itself has for a pixel: each is computed from rows that the firmware leaves (section 13.2).

In: a module that reads built-in inputs, `theia_` names, or names bound by `--bind`.  Out: the same reading *scene
rows*, inputs of the module named after their register, and the computations; so the optimiser sees them like any code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.backends.theia.isa.conventions import DEPTH, MISS
from glslc_multi.backends.theia.isa.registers import BY_NAME, Variant
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Module, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, VEC2, VEC3, VEC4, Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass, field

PREFIX = "theia_"
_ROLES = {"frag_coord": "FragCoord", "front_facing": "FrontFacing"}


@dataclass(slots=True)
class Reader:
    """Makes the loads of scene rows."""

    module: Module
    variant: Variant
    builder: Builder
    #: Variables made so far, with their registers.
    rows: dict[Variable, int]

    def row(self, name: str, type: Type = VEC3, offset: int = 0) -> Value:
        """The row that the firmware calls `CREG_` and this name; of a scalar it fills all lanes."""
        return self.kept(BY_NAME[self.variant]["CREG_" + name] + offset, type)

    def kept(self, register: int, type: Type) -> Value:
        """A row by its number."""
        known = next((v for v, number in self.rows.items() if number == register and v.type is type), None)
        if known is None:
            known = self.module.add_variable(Variable(f"${register}:{type}", "input", type, precision="highp"))
            self.rows[known] = register
        return self.builder.load(known)

    def splat(self, name: str, width: int) -> Value:
        return self.builder.splat(self.row(name, FLOAT), width)


@dataclass(frozen=True, slots=True)
class Source:
    """One value of the scene."""

    type: Type
    make: Callable[[Reader], Value]


def _frag_coord(r: Reader) -> Value:
    corner = r.row("PIXEL_2D_POSITION", VEC2)
    return r.builder.construct(r.builder.op(ops.FADD, corner, float_constant(0.5, 0.5)), r.kept(DEPTH, VEC2))


def _hit_position(r: Reader) -> Value:
    distance = r.builder.op(ops.FMUL, r.row("RAY_DIRECTION"), r.row("LAST_t"))
    return r.builder.op(ops.FADD, distance, r.row("CAMERA_POSITION"))


def _face_normal(r: Reader) -> Value:
    return r.builder.op(ops.CROSS, r.row("E1_LAST"), r.row("E2_LAST"))


def _normal(r: Reader) -> Value:
    normal = _face_normal(r)
    return r.builder.op(ops.FDIV, normal, r.builder.splat(r.builder.op(ops.LENGTH, normal), 3))


def _texture_coordinate(r: Reader) -> Value:
    corners = [r.row(f"UV{number}_LAST", VEC2) for number in range(3)]
    op = r.builder.op
    sides = [
        op(ops.FMUL, op(ops.FSUB, c, corners[0]), r.splat(f"LAST_{n}", 2))
        for c, n in zip(corners[1:], "uv", strict=True)
    ]
    return op(ops.FADD, op(ops.FADD, *sides), corners[0])


def _barycentric(r: Reader) -> Value:
    return r.builder.construct(r.row("LAST_u", FLOAT), r.row("LAST_v", FLOAT))


def _hit(r: Reader) -> Value:
    builder = r.builder
    return builder.op(ops.BTOF, builder.op(ops.FNE, r.row("LAST_t", FLOAT), float_constant(float(MISS))))


def _front_facing(r: Reader) -> Value:
    towards = r.builder.op(ops.DOT, _face_normal(r), r.row("RAY_DIRECTION"))
    return r.builder.op(ops.FLT, towards, float_constant(0.0))


#: Names without the prefix, in the order of `SCENE_VALUES`.
SOURCES: Mapping[str, Source] = {
    "FragCoord": Source(VEC4, _frag_coord),
    "RayDirection": Source(VEC3, lambda r: r.row("RAY_DIRECTION")),
    "CameraPosition": Source(VEC3, lambda r: r.row("CAMERA_POSITION")),
    "HitDistance": Source(FLOAT, lambda r: r.row("LAST_t", FLOAT)),
    "Barycentric": Source(VEC2, _barycentric),
    "Hit": Source(FLOAT, _hit),
    "HitPosition": Source(VEC3, _hit_position),
    "Normal": Source(VEC3, _normal),
    "TexCoord": Source(VEC2, _texture_coordinate),
    "Diffuse": Source(VEC3, lambda r: r.row("TRI_DIFFUSE_LAST")),
    "TextureColor": Source(VEC3, lambda r: r.row("TEXTURE_COLOR")),
    "LightPosition": Source(VEC3, lambda r: r.row("FIRST_LIGTH")),
    "LightDiffuse": Source(VEC3, lambda r: r.row("FIRST_LIGTH", offset=1)),
    "Resolution": Source(VEC2, lambda r: r.row("RESOLUTION", VEC2)),
    "FrontFacing": Source(BOOL, _front_facing),
}


@dataclass(slots=True)
class SceneInputs:
    """What a shader takes from the scene."""

    #: The shader's own variable -> name of the source.
    sources: dict[Variable, str] = field(default_factory=dict)
    #: Scene row -> register.
    rows: dict[Variable, int] = field(default_factory=dict)


def source_of(variable: Variable, bound: Mapping[str, str]) -> str | None:
    """The source that a variable names, if any; its type may be another."""
    if variable.storage not in ("varying", "uniform", "input"):
        return None
    name = bound.get(variable.name) or _ROLES.get(variable.role) or ""
    if not name and variable.name.startswith(PREFIX):
        name = variable.name.removeprefix(PREFIX)
    return name if name in SOURCES else None


@dataclass(frozen=True, slots=True)
class ExpandSceneInputs(ModulePass):
    """See the module's text; variables with these names have the right types."""

    name = "theia-scene"
    description = "computes values of the scene from the rows that the firmware leaves"
    preserves_control_flow = True

    variant: Variant = "trunk"
    #: The shader's own name -> name of the source.
    bound: Mapping[str, str] = field(default_factory=dict, compare=False)
    #: What the shader takes, to which it adds.
    scene: SceneInputs = field(default_factory=SceneInputs, compare=False)

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        loads = [i for function in module.functions.values() for i in function.instructions() if i.op is ops.LOAD]
        sources = {load: source_of(load.address.variable, self.bound) for load in loads}
        for load, name in sources.items():
            if name is not None:
                self.scene.sources[load.address.variable] = name
                reader = Reader(module, self.variant, Builder.before(load), self.scene.rows)
                load.replace_all_uses_with(SOURCES[name].make(reader))
                load.erase()
        context.forget_all(module, self)
        return any(name is not None for name in sources.values())
