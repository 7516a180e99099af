"""Types as they stand in declarations: keywords, structures and array sizes (GLSL ES 3.00 sections 4.1.8 and 4.1.9)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import Declarator, Expression, Parameter, StructMember, TypeSpecifier
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.check.expressions import check_value
from glslc_multi.frontends.glsl.check.naming import check_name, declare
from glslc_multi.frontends.glsl.check.precision import PRECISIONS, declared_precision
from glslc_multi.frontends.glsl.check.qualifiers import check_qualifiers
from glslc_multi.frontends.glsl.check.type_names import LARGEST_TYPE, array_of, named_type
from glslc_multi.frontends.glsl.types import ERROR, VOID, GlslType, StructField, StructType

#: Structures within structures.
DEEPEST_STRUCT = 64
#: WebGL's bound on structures within structures.
PORTABLE_STRUCT_NESTING = 4
_MEMBER_QUALIFIERS = frozenset(PRECISIONS)


def resolve_type(ctx: Context, specifier: TypeSpecifier) -> GlslType:
    """Annotate `specifier` with its type, declaring the structure it may contain."""
    if specifier.is_resolved:
        return specifier.type
    specifier.is_resolved = True
    if specifier.struct is not None:
        declaration = specifier.struct
        fields: dict[str, StructField] = {}
        for member in declaration.members:
            field = check_member(ctx, member, _MEMBER_QUALIFIERS, "members of a structure")
            if member.name in fields:
                labels = declared_at(fields[member.name].span)
                ctx.sink.report(names.DUPLICATE_MEMBER, member.name_span, labels=labels, name=member.name)
            fields.setdefault(member.name, field)
        type_ = StructType(declaration.name, tuple(fields.values()), declaration.name_span)
        if is_too_large(ctx, type_, str(type_), declaration.name_span):
            type_ = StructType(declaration.name, (), declaration.name_span)
        declaration.type = type_
        if declaration.name:
            declare(ctx, declaration.name, declaration.name_span, type_)
        specifier.type = type_
    else:
        specifier.type = named_type(ctx, specifier)
    if specifier.is_array:
        specifier.type = _array_type(ctx, specifier.type, specifier.array_size, specifier.span)
    return specifier.type


# --------------------------------------------------------------------------------------- structures
def check_member(
    ctx: Context, member: StructMember, allowed: frozenset[str], what: str, *, gets_size: bool = False
) -> StructField:
    """A member of a structure or block, which takes the `allowed` qualifiers; an array may get its size later."""
    check_name(ctx, member.name, member.name_span)
    check_qualifiers(ctx, member.qualifiers, allowed, what)
    # Report a structure declared for `member`; the members of one list share it, and the message.
    nested = member.specifier.struct
    if nested is None or ctx.has("embedded structures"):
        is_nested = False
    else:
        if nested.type is None:
            ctx.sink.report(names.NESTED_STRUCT, nested.span)
        nested.type = StructType(nested.name, (), nested.span)
        is_nested = True
    type_ = ERROR if is_nested else declared_type(ctx, member.specifier, member)
    if not gets_size:
        type_ = sized(ctx, type_, member.name, member.name_span)
    if type_.nesting == PORTABLE_STRUCT_NESTING:
        ctx.sink.report(names.STRUCT_NESTING, member.name_span, limit=PORTABLE_STRUCT_NESTING)
    if type_.nesting >= DEEPEST_STRUCT:
        ctx.sink.report(names.STRUCT_TOO_DEEP, member.name_span, limit=DEEPEST_STRUCT)
        type_ = ERROR
    precision = declared_precision(ctx, member.qualifiers, type_, member.name, member.name_span)
    return StructField(member.name, type_, precision, member.name_span)


# ------------------------------------------------------------------------------- what a name declares
def declared_type(ctx: Context, specifier: TypeSpecifier, declared: Declarator | Parameter | StructMember) -> GlslType:
    """The type of one declared name: that of its specifier, or an array of it; ERROR where it was reported."""
    name = declared.name or "parameter"
    type_ = resolve_type(ctx, specifier)
    if type_ is VOID:
        ctx.sink.report(names.VOID_VARIABLE, specifier.span, name=name)
        type_ = ERROR
    if declared.is_array:
        type_ = _array_type(ctx, type_, declared.array_size, declared.name_span)
    return ERROR if is_too_large(ctx, type_, name, declared.name_span) else type_


def sized(ctx: Context, type_: GlslType, name: str, span: Span) -> GlslType:
    """The type of `name`, which gets no size later; ERROR where it is an array without one, which is reported."""
    if not type_.is_unsized:
        return type_
    ctx.sink.report(names.ARRAY_SIZE_MISSING, span, name=name)
    return ERROR


def _array_type(ctx: Context, element: GlslType, size: Expression | None, span: Span) -> GlslType:
    """An array of `element`; unsized where no size is written."""
    if size is not None:
        check_value(ctx, size)
    return array_of(ctx, element, size, span)


def is_too_large(ctx: Context, type_: GlslType, name: str, span: Span) -> bool:
    """Whether a `type_` has more parts than can be handled; reports it at the declaration of `name`."""
    if type_.leaf_count <= LARGEST_TYPE:
        return False
    ctx.sink.report(names.TYPE_TOO_LARGE, span, name=name, count=type_.leaf_count, limit=LARGEST_TYPE)
    return True
