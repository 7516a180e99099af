"""What a version of GLSL cannot say, reported at its place in the source."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.expressions import FUNCTION_NAMES
from glslc_multi.backends.glsl.initial_values import has_initial_values, initializer
from glslc_multi.backends.glsl.lookups import LOOKUP_NAMES
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import TextureAccess

#: Shapes of images that have lookups before GLSL 1.30.
_LEGACY_SHAPES = {True: ("2D", "Cube", "External"), False: ("1D", "2D", "3D", "Cube")}
_ES_SHAPES = ("2D", "3D", "Cube", "External")


def refuse_inexpressible(module: Module, dialect: Dialect, sink: DiagnosticSink) -> None:
    """Report what has no form, and raise."""
    target = f"GLSL {dialect.version}"
    if module.stage == "geometry" and (dialect.is_modern or not dialect.is_es):
        sink.report(
            NOT_EXPRESSIBLE, target=target, construct="a geometry shader", help="--std=100 has them by a pragma"
        )
    for instruction in module.main.instructions():
        for construct in _inexpressible(instruction, dialect):
            sink.report(NOT_EXPRESSIBLE, instruction.span, target=target, construct=construct)
    for declaration in module.declarations:
        if has_initial_values(declaration) and (dialect.is_es or initializer(declaration) is None):
            construct = f"the initial value of '{declaration.name}'"
            help = "leave the initializer out, and let the host set the uniform"
            sink.report(NOT_EXPRESSIBLE, declaration.span, target=target, construct=construct, help=help)
    if dialect.is_modern and dialect.is_es:
        # There, built-in functions are in the global scope, whose names cannot be declared again (section 4.2).
        for declaration in module.declarations:
            if declaration.name in (*FUNCTION_NAMES, *LOOKUP_NAMES):
                construct = f"a variable that is called '{declaration.name}' like a function"
                sink.report(NOT_EXPRESSIBLE, declaration.span, target=target, construct=construct)
    if not dialect.is_modern:
        for variable in module.variables.values():
            is_colour = variable.role in ("frag_color", "frag_data")
            if is_colour and (variable.type is not VEC4 or (variable.dims and variable.location)):
                sink.report(NOT_EXPRESSIBLE, variable.span, target=target, construct=f"the output '{variable.name}'")
        for declaration in module.declarations:
            if declaration.is_centroid and dialect.is_es:
                construct = f"'centroid' of '{declaration.name}'"
                sink.report(NOT_EXPRESSIBLE, declaration.span, target=target, construct=construct)
        if module.blocks:
            sink.report(NOT_EXPRESSIBLE, module.blocks[0].span, target=target, construct="a uniform block")
        for variable in module.variables.values():
            if variable.interpolation or "uint" in variable.outer_kind:
                construct = f"'{variable.interpolation or variable.outer_kind}' of '{variable.name}'"
                sink.report(NOT_EXPRESSIBLE, variable.span, target=target, construct=construct)
    sink.raise_if_errors()


def _inexpressible(i: Instruction, dialect: Dialect) -> Iterator[str]:
    if dialect.lacks(i.op):
        yield f"the operation '{i.op.name}'"
    elif i.op is ops.TEXTURE:
        access: TextureAccess = i.attribute
        kind = access.kind
        if dialect.is_modern:
            is_known = not dialect.is_es or (kind.shape in _ES_SHAPES and not (kind.is_arrayed and kind.shape != "2D"))
        else:
            is_plain = kind.texel == "float" and not kind.is_arrayed and not access.offset and access.mode != "fetch"
            is_known = (
                is_plain and kind.shape in _LEGACY_SHAPES[dialect.is_es] and not (kind.is_shadow and dialect.is_es)
            )
        if not is_known:
            yield f"this lookup of a '{kind.name}'"
