"""Layout qualifiers: locations of inputs and outputs, layouts of blocks (GLSL ES 3.00 section 4.3.8)."""

from __future__ import annotations

from typing import cast

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.compiler.ir.blocks import Packing
from glslc_multi.compiler.records import replace
from glslc_multi.frontends.glsl.ast import Expression, LayoutDeclaration, LiteralValue, Qualifiers, VariableDeclaration
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.check.expressions import check_value
from glslc_multi.frontends.glsl.symbols import BlockLayout, Storage
from glslc_multi.frontends.glsl.types import ERROR, INT, UINT

_PACKINGS = ("shared", "packed", "std140")
_ORDERS = ("row_major", "column_major")
_BLOCK_WORDS = (*_PACKINGS, *_ORDERS)
COORDINATE = "gl_FragCoord"
_CONVENTIONS = ("origin_upper_left", "pixel_center_integer")
_LOCATION_EXTENSION = "GL_ARB_explicit_attrib_location"


# --------------------------------------------------------------------------------------- locations
def read_location(ctx: Context, declaration: VariableDeclaration, storage: Storage) -> int | None:
    """The n of `layout(location = n)` before variables of a storage; what belongs to no variable is reported."""
    if not declaration.qualifiers.layout:
        return None
    location = None
    is_coordinate = ctx.scopes.is_global and all(d.name == COORDINATE for d in declaration.declarators)
    for written, value, span in declaration.qualifiers.layout:
        name = _layout_name(ctx, written)
        if name in _CONVENTIONS and value is None and is_coordinate and ctx.has("coordinate conventions"):
            continue
        if name != "location":
            if name in _BLOCK_WORDS and ctx.has("uniform blocks"):
                ctx.sink.report(names.LAYOUT_PLACE, span, name=written, place="uniform blocks")
            elif name in _CONVENTIONS and ctx.has("coordinate conventions"):
                ctx.sink.report(names.LAYOUT_PLACE, span, name=written, place=COORDINATE)
            else:
                ctx.sink.report(names.UNKNOWN_LAYOUT, span, help="use 'location = n'", name=written)
        elif value is None:
            ctx.sink.report(names.BAD_LOCATION, span)
        elif _takes_location(ctx, storage, span):
            location = _location_value(ctx, value)
    return location


def _layout_name(ctx: Context, written: str) -> str:
    """Desktop GLSL does not tell upper and lower case apart here (GLSL 1.40 section 4.3.8)."""
    return written if ctx.is_es else written.lower()


def conventions_of(ctx: Context, qualifiers: Qualifiers) -> frozenset[str]:
    """What the layout of gl_FragCoord says (GLSL 1.50 section 4.3.8.1)."""
    return frozenset(_layout_name(ctx, written) for written, _, _ in qualifiers.layout)


def _takes_location(ctx: Context, storage: Storage, span: Span) -> bool:
    """Whether a variable of this storage can be pinned; reported where not."""
    if ctx.has("any location"):
        return True
    allowed = "inputs of vertex shaders and outputs of fragment shaders"
    if storage not in ("attribute", "output"):
        ctx.sink.report(names.LAYOUT_PLACE, span, name="location", place=allowed)
        return False
    feature = "input locations" if storage == "attribute" else "output locations"
    return ctx.has(feature) or ctx.require_extension("location", _LOCATION_EXTENSION, span)


def _location_value(ctx: Context, value: Expression) -> int | None:
    type_ = check_value(ctx, value)
    if type_ is ERROR:
        return None
    is_literal = isinstance(value, LiteralValue) or ctx.has("any location")
    if type_ not in (INT, UINT) or not is_literal or value.constant is None or value.constant[0] < 0:
        ctx.sink.report(names.BAD_LOCATION, value.span)
        return None
    return int(value.constant[0])


# ------------------------------------------------------------------------------------------ blocks
def set_block_layout(ctx: Context, declaration: LayoutDeclaration) -> None:
    """`layout(std140) uniform;` (section 4.3.8.3)."""
    words = [word for word, _ in declaration.qualifiers.words]
    if not ctx.scopes.is_global or not ctx.has("uniform blocks") or words != ["layout", "uniform"]:
        ctx.sink.report(names.BAD_LAYOUT_DEFAULT, declaration.span)
        return
    ctx.block_layout = read_block_layout(ctx, declaration.qualifiers, ctx.block_layout)


def read_block_layout(ctx: Context, qualifiers: Qualifiers, default: BlockLayout) -> BlockLayout:
    """The layout of a block with these qualifiers; the last word of a kind counts."""
    layout = default
    for written, value, span in qualifiers.layout:
        name = _layout_name(ctx, written)
        if name in _PACKINGS and value is None:
            layout = replace(layout, packing=cast(Packing, name))
        elif name in _ORDERS and value is None:
            layout = replace(layout, row_major=name == "row_major")
        else:
            _report_block_word(ctx, written, span)
    return layout


def read_matrix_order(ctx: Context, qualifiers: Qualifiers, default: bool) -> bool:
    """Whether the matrices of a member are stored row by row."""
    row_major = default
    for written, value, span in qualifiers.layout:
        name = _layout_name(ctx, written)
        if name in _ORDERS and value is None:
            row_major = name == "row_major"
        elif name in _PACKINGS:
            ctx.sink.report(names.LAYOUT_PLACE, span, name=written, place="whole blocks")
        else:
            _report_block_word(ctx, written, span)
    return row_major


def _report_block_word(ctx: Context, written: str, span: Span) -> None:
    help_, fixes = suggestion(written, _BLOCK_WORDS, span)
    help_ = help_ or f"blocks take {', '.join(_BLOCK_WORDS)}"
    ctx.sink.report(names.UNKNOWN_LAYOUT, span, help=help_, fixes=fixes, name=written)
