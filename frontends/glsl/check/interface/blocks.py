"""Interface blocks (GLSL ES 3.00 section 4.3.7, GLSL 1.50 section 4.3.7).

The instance of a block is a variable whose members are those of the block; without a name for it, each member is a
global variable itself.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import BlockDeclaration, Declarator, StructMember
from glslc_multi.frontends.glsl.check.context import Context, declared_at, describe
from glslc_multi.frontends.glsl.check.expressions import check_value
from glslc_multi.frontends.glsl.check.interface import (
    interpolation_of,
    is_writable,
    require_flat,
    storage_of,
    storage_word,
    takes_type,
)
from glslc_multi.frontends.glsl.check.interface.layouts import read_block_layout, read_matrix_order
from glslc_multi.frontends.glsl.check.naming import check_name, declare
from glslc_multi.frontends.glsl.check.precision import PRECISIONS
from glslc_multi.frontends.glsl.check.qualifiers import check_qualifiers
from glslc_multi.frontends.glsl.check.specifiers import check_member, is_too_large
from glslc_multi.frontends.glsl.check.type_names import array_of
from glslc_multi.frontends.glsl.symbols import BlockSymbol, Interpolation, Storage, VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR, ArrayType, BlockType, GlslType, StructField

BUILTIN_BLOCK = "gl_PerVertex"
_UNIFORM_MEMBER = frozenset({"layout", "uniform", *PRECISIONS})
_VARYING_MEMBER = frozenset({"in", "out", "smooth", "flat", "noperspective", "centroid", "invariant", *PRECISIONS})


def check_block(ctx: Context, declaration: BlockDeclaration) -> None:
    """Declare a block, and its instance or its members."""
    storage = storage_of(ctx, declaration.qualifiers)
    if declaration.name == BUILTIN_BLOCK and ctx.has("interface blocks"):
        _check_builtin_block(ctx, declaration, storage)
        return
    if not _is_allowed(ctx, declaration, storage):
        for member in declaration.members:
            ctx.first_report(member.name)
        for instance in declaration.instances:
            ctx.first_report(instance.name)
        return
    block = _declare_block(ctx, declaration, storage)
    if declaration.instances:
        _declare_instance(ctx, declaration, block)
    else:
        for field in block.type.fields:
            symbol = VariableSymbol(
                field.name, field.type, block.storage, field.precision, field.span, True, block=block
            )
            symbol.interpolation, symbol.centroid = block.interpolations[field.name]
            if block.storage != "uniform":
                # Members of uniform blocks are known by their own names, those of others are matched with the block.
                symbol.linked_name = f"{block.name}.{field.name}"
            if field.type.is_unsized:
                ctx.unsized[symbol] = []
            _add(ctx, declaration, symbol, field.name)


def _is_allowed(ctx: Context, declaration: BlockDeclaration, storage: Storage) -> bool:
    """Whether there are such blocks here; reported where not."""
    span = declaration.name_span
    feature = "uniform blocks" if storage == "uniform" else "interface blocks"
    if not ctx.scopes.is_global:
        ctx.sink.report(names.BLOCK_SCOPE, span)
    elif storage not in ("uniform", "attribute", "varying", "output"):
        ctx.sink.report(names.BLOCK_STORAGE, span, name=declaration.name)
    elif not ctx.has(feature):
        what = "uniform blocks" if storage == "uniform" else f"blocks of {storage_word(ctx, storage)}s"
        help_ = "declare each member by itself"
        ctx.sink.report(names.NO_BLOCKS, span, help=help_, language=ctx.language.name, what=what)
    elif storage in ("attribute", "output"):
        what = "inputs of vertex shaders" if storage == "attribute" else "outputs of fragment shaders"
        ctx.sink.report(names.BLOCK_OF, span, what=what)
    else:
        return True
    return False


def _check_builtin_block(ctx: Context, declaration: BlockDeclaration, storage: Storage) -> None:
    """GLSL 1.50 section 7.1: the block of the built-in outputs may be written down, in whole or in part."""
    is_output = storage == "varying" and is_writable(ctx, storage)
    for member in declaration.members:
        builtin = ctx.builtin_variable(member.name) if is_output else None
        if builtin is None or builtin.storage != "builtin" or not builtin.writable:
            ctx.sink.report(names.BUILTIN_BLOCK_MEMBER, member.name_span, name=member.name)
    if is_output:
        ctx.vertex_members = {member.name for member in declaration.members}


def _declare_block(ctx: Context, declaration: BlockDeclaration, storage: Storage) -> BlockSymbol:
    allowed = frozenset({"layout", "uniform"} if storage == "uniform" else {"in", "out"})
    check_qualifiers(ctx, declaration.qualifiers, allowed, "blocks")
    layout = ctx.block_layout
    if storage == "uniform":
        layout = read_block_layout(ctx, declaration.qualifiers, layout)
    fields: dict[str, StructField] = {}
    row_major = set()
    interpolations: dict[str, tuple[Interpolation, bool]] = {}
    for member in declaration.members:
        field = _check_member(ctx, member, storage)
        interpolations[member.name] = interpolation_of(member.qualifiers)
        if member.name in fields:
            labels = declared_at(fields[member.name].span)
            ctx.sink.report(names.DUPLICATE_MEMBER, member.name_span, labels=labels, name=member.name)
        fields.setdefault(member.name, field)
        if storage == "uniform" and read_matrix_order(ctx, member.qualifiers, layout.row_major):
            row_major.add(member.name)
    type_ = BlockType(declaration.name, tuple(fields.values()), declaration.name_span)
    block = BlockSymbol(declaration.name, storage, type_, declaration.name_span, bool(declaration.instances))
    block.packing, block.row_major, block.interpolations = layout.packing, frozenset(row_major), interpolations
    # A block's name means one block of each storage, and nothing else at global scope.
    name = block.name
    check_name(ctx, name, block.span)
    previous = ctx.blocks.get((block.storage, name)) or ctx.scopes.find_here(name)
    if previous is not None:
        what = "block" if isinstance(previous, BlockSymbol) else describe(previous)
        ctx.sink.report(names.REDECLARED, block.span, labels=declared_at(previous.span), name=name, what=what)
    ctx.blocks[block.storage, name] = block
    return block


def _check_member(ctx: Context, member: StructMember, storage: Storage) -> StructField:
    allowed = _UNIFORM_MEMBER if storage == "uniform" else _VARYING_MEMBER
    gets_size = ctx.has("arrays without a size")
    field = check_member(ctx, member, allowed, "members of a block", gets_size=gets_size)
    type_ = field.type
    if type_ is ERROR:
        return field
    word = member.qualifiers.find("uniform", "in", "out")
    if word is not None and storage_of(ctx, member.qualifiers) != storage:
        ctx.sink.report(names.QUALIFIER_NOT_ALLOWED, word[1], qualifier=word[0], what="members of this block")
    if type_.contains_sampler or not takes_type(ctx, storage, type_):
        ctx.sink.report(names.STORAGE_TYPE, member.name_span, storage="block member", name=member.name, type=type_)
        return StructField(field.name, ERROR, None, field.span)
    if storage == "varying":
        require_flat(ctx, storage, member.name, member.name_span, type_, interpolation_of(member.qualifiers)[0])
    return field


# ---------------------------------------------------------------------------- what a block declares
def _declare_instance(ctx: Context, declaration: BlockDeclaration, block: BlockSymbol) -> None:
    instance = declaration.instances[0]
    for other in declaration.instances[1:]:
        ctx.sink.report(names.SECOND_INSTANCE, other.name_span, labels=declared_at(instance.name_span), name=block.name)
    if instance.initializer is not None:
        ctx.sink.report(names.INITIALIZER_NOT_ALLOWED, instance.initializer.span, what="block", name=instance.name)
    type_: GlslType = block.type
    if instance.is_array:
        type_ = _array_of(ctx, block.type, instance)
        block.length = type_.length if isinstance(type_, ArrayType) else None
    symbol = VariableSymbol(instance.name, type_, block.storage, None, instance.name_span, True, block=block)
    symbol.linked_name = block.name
    ctx.unsized.update((field, []) for field in block.type.fields if field.type.is_unsized)
    _add(ctx, declaration, symbol, instance.name)


def _array_of(ctx: Context, block: BlockType, instance: Declarator) -> GlslType:
    if instance.array_size is None:
        ctx.sink.report(names.ARRAY_SIZE_MISSING, instance.name_span, name=instance.name)
        return ERROR
    check_value(ctx, instance.array_size)
    return array_of(ctx, block, instance.array_size, instance.name_span)


def _add(ctx: Context, declaration: BlockDeclaration, symbol: VariableSymbol, name: str) -> None:
    assert symbol.span is not None
    symbol.writable = is_writable(ctx, symbol.storage)
    declaration.symbols.append(symbol)
    declare(ctx, name, symbol.span, symbol)
    ctx.globals.append(symbol)


def check_block_sizes(ctx: Context) -> None:
    """At the end of the shader, when the members have their sizes: blocks with more parts than can be handled."""
    for block in ctx.blocks.values():
        type_ = block.type if block.length is None else ArrayType(block.type, block.length)
        is_too_large(ctx, type_, block.name, block.span)
