"""Types as they stand in declarations: keywords, structures and array sizes (GLSL ES 1.00 sections 4.1.8 and 4.1.9)."""

from __future__ import annotations

from compiler.diagnostics import Span
from compiler.diagnostics.catalogue import names
from compiler.diagnostics.suggest import did_you_mean
from frontends.glsl.ast import Declarator, Expression, Parameter, StructDeclaration, StructMember, TypeSpecifier
from frontends.glsl.builtin_variables import DEPTH_RANGE
from frontends.glsl.check.context import Context, declared_at
from frontends.glsl.check.expressions import check_value
from frontends.glsl.check.naming import check_name, declare
from frontends.glsl.check.precision import PRECISIONS, declared_precision
from frontends.glsl.check.qualifiers import check_qualifiers
from frontends.glsl.foreign import type_help
from frontends.glsl.types import (
    ERROR,
    INT,
    KEYWORD_TYPES,
    SAMPLER_EXTERNAL,
    VOID,
    ArrayType,
    GlslType,
    StructField,
    StructType,
)

#: More elements than any target could hold; bounds the work on one declaration.
LARGEST_TYPE = 65536
#: Structures within structures.
DEEPEST_STRUCT = 64
#: WebGL's bound on structures within structures.
PORTABLE_STRUCT_NESTING = 4
_MEMBER_QUALIFIERS = frozenset(PRECISIONS)


def resolve_type(ctx: Context, specifier: TypeSpecifier) -> GlslType:
    """Annotate `specifier` with its type, declaring the structure it may contain."""
    if specifier.type is not ERROR:
        return specifier.type
    if specifier.struct is not None:
        specifier.type = _declare_struct(ctx, specifier.struct)
    else:
        specifier.type = _named_type(ctx, specifier)
    return specifier.type


def _named_type(ctx: Context, specifier: TypeSpecifier) -> GlslType:
    name = specifier.name
    keyword_type = ctx.keyword_type(name)
    if keyword_type is not None:
        return keyword_type
    symbol = ctx.scopes.find(name)
    if isinstance(symbol, StructType):
        return symbol
    if name == str(SAMPLER_EXTERNAL) and symbol is None:
        return SAMPLER_EXTERNAL if ctx.require_extension(name, "GL_OES_EGL_image_external", specifier.span) else ERROR
    if name == DEPTH_RANGE.name:
        return DEPTH_RANGE
    if not ctx.may_be_lost(specifier.span) and ctx.first_report(name):
        structures = [n for n, s in ctx.scopes.visible() if isinstance(s, StructType)]
        labels = declared_at(symbol.span, f"'{name}' is no type here") if symbol is not None else ()
        suggestion = type_help(name) or did_you_mean(name, [*structures, *KEYWORD_TYPES])
        ctx.sink.report(names.UNKNOWN_TYPE, specifier.span, labels=labels, help=suggestion, name=name)
    return ERROR


# --------------------------------------------------------------------------------------- structures
def _declare_struct(ctx: Context, declaration: StructDeclaration) -> StructType:
    fields: dict[str, StructField] = {}
    for member in declaration.members:
        field = check_member(ctx, member, _MEMBER_QUALIFIERS, "members of a structure")
        if member.name in fields:
            labels = declared_at(fields[member.name].span)
            ctx.sink.report(names.DUPLICATE_MEMBER, member.name_span, labels=labels, name=member.name)
        fields.setdefault(member.name, field)
    type_ = StructType(declaration.name, tuple(fields.values()), declaration.name_span)
    if _is_too_large(ctx, type_, str(type_), declaration.name_span):
        type_ = StructType(declaration.name, (), declaration.name_span)
    declaration.type = type_
    if declaration.name:
        declare(ctx, declaration.name, declaration.name_span, type_)
    return type_


def check_member(ctx: Context, member: StructMember, allowed: frozenset[str], what: str) -> StructField:
    """A member of a structure or block, which takes the `allowed` qualifiers."""
    check_name(ctx, member.name, member.name_span)
    check_qualifiers(ctx, member.qualifiers, allowed, what)
    type_ = ERROR if _is_nested_declaration(ctx, member) else declared_type(ctx, member.specifier, member)
    if type_.nesting == PORTABLE_STRUCT_NESTING:
        ctx.sink.report(names.STRUCT_NESTING, member.name_span, limit=PORTABLE_STRUCT_NESTING)
    if type_.nesting >= DEEPEST_STRUCT:
        ctx.sink.report(names.STRUCT_TOO_DEEP, member.name_span, limit=DEEPEST_STRUCT)
        type_ = ERROR
    precision = declared_precision(ctx, member.qualifiers, type_, member.name, member.name_span)
    return StructField(member.name, type_, precision, member.name_span)


def _is_nested_declaration(ctx: Context, member: StructMember) -> bool:
    """Report a structure declared for `member`; the members of one list share it, and the message."""
    nested = member.specifier.struct
    if nested is None:
        return False
    if nested.type is None:
        ctx.sink.report(names.NESTED_STRUCT, nested.span)
    nested.type = StructType(nested.name, (), nested.span)
    return True


# ------------------------------------------------------------------------------- what a name declares
def declared_type(ctx: Context, specifier: TypeSpecifier, declared: Declarator | Parameter | StructMember) -> GlslType:
    """The type of one declared name: that of its specifier, or an array of it; ERROR where it was reported."""
    name = declared.name or "parameter"
    type_ = resolve_type(ctx, specifier)
    if type_ is VOID:
        ctx.sink.report(names.VOID_VARIABLE, specifier.span, name=name)
        type_ = ERROR
    if declared.is_array:
        type_ = _array_type(ctx, type_, declared)
    return ERROR if _is_too_large(ctx, type_, name, declared.name_span) else type_


def _array_type(ctx: Context, element: GlslType, declared: Declarator | Parameter | StructMember) -> GlslType:
    """Section 4.1.9; a size is needed everywhere."""
    if declared.array_size is None:
        ctx.sink.report(names.ARRAY_SIZE_MISSING, declared.name_span, name=declared.name or "parameter")
        return ERROR
    length = array_length(ctx, declared.array_size)
    return ERROR if length is None or element is ERROR else ArrayType(element, length)


def _is_too_large(ctx: Context, type_: GlslType, name: str, span: Span) -> bool:
    """Whether a `type_` has more parts than can be handled; reports it at the declaration of `name`."""
    if type_.leaf_count <= LARGEST_TYPE:
        return False
    ctx.sink.report(names.TYPE_TOO_LARGE, span, name=name, count=type_.leaf_count, limit=LARGEST_TYPE)
    return True


def array_length(ctx: Context, size: Expression) -> int | None:
    type_ = check_value(ctx, size)
    if type_ is ERROR:
        return None
    if type_ is not INT or size.constant is None:
        ctx.sink.report(names.ARRAY_SIZE_NOT_CONSTANT, size.span)
        return None
    length = int(size.constant[0])
    if not 1 <= length <= LARGEST_TYPE:
        ctx.sink.report(names.ARRAY_SIZE_RANGE, size.span, size=length)
        return None
    return length
