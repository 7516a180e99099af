"""Built-in variables that desktop GLSL lets a shader declare again (GLSL 1.50 sections 4.3.8.1 and 7.1).

With another size or interpolation, and gl_FragCoord with conventions: where it begins, and where centres of pixels are.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl import fixed_function
from glslc_multi.frontends.glsl.ast import Declarator, VariableDeclaration
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.check.interface import interpolation_of, is_writable
from glslc_multi.frontends.glsl.check.interface.layouts import COORDINATE, conventions_of
from glslc_multi.frontends.glsl.symbols import Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType, GlslType


def redeclared(
    ctx: Context, declaration: VariableDeclaration, declarator: Declarator, type_: GlslType, storage: Storage
) -> VariableSymbol | None:
    """The built-in variable that is declared again; None where that is not allowed."""
    builtin = (
        ctx.builtin_variable(declarator.name) if ctx.scopes.is_global and ctx.has("redeclared built-ins") else None
    )
    if builtin is None or storage not in ("attribute", "varying"):
        return None
    if builtin.writable != is_writable(ctx, storage) or not _has_type(type_, builtin):
        return None
    if builtin.name == COORDINATE and ctx.has("coordinate conventions"):
        # The first declaration stands before all uses, and all have the same words.
        words = conventions_of(ctx, declaration.qualifiers)
        if builtin.conventions is None and builtin.used:
            ctx.sink.report(names.COORDINATE_AFTER_USE, declarator.name_span)
        elif builtin.conventions not in (None, words):
            ctx.sink.report(names.COORDINATE_MISMATCH, declarator.name_span)
        builtin.conventions = words
    elif not (builtin.role.startswith("clip_distance") or builtin.storage == "varying"):
        return None
    if isinstance(type_, ArrayType) and not type_.is_unsized:
        if not builtin.awaits_size and builtin.type != type_:
            ctx.sink.report(names.REDECLARED, declarator.name_span, name=builtin.name, what=builtin.type)
        builtin.type, builtin.awaits_size = type_, False
    builtin.interpolation, builtin.centroid = interpolation_of(declaration.qualifiers)
    builtin.invariant = builtin.invariant or declaration.qualifiers.find("invariant") is not None
    return builtin


def _has_type(type_: GlslType, builtin: VariableSymbol) -> bool:
    """Whether the type is that of the built-in variable, but for the length of an array."""
    if isinstance(type_, ArrayType) and isinstance(builtin.type, ArrayType):
        most = fixed_function.MOST_TEXTURE_COORDINATES if builtin.sized_by_use else builtin.type.length
        is_too_long = builtin.awaits_size and type_.length > most
        return type_.element == builtin.type.element and not is_too_long
    return type_ == builtin.type
