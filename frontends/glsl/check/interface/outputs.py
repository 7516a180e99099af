"""The outputs of a fragment shader as a whole (GLSL ES 3.00 section 4.3.8.2, GLSL 1.30 section 7.2)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import link, names
from glslc_multi.frontends.glsl import builtins
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType


def check_outputs(ctx: Context) -> None:
    """Where each output goes; reported at the end of the text."""
    outputs = [symbol for symbol in ctx.globals if symbol.storage == "output"]
    if not outputs:
        return
    # GLSL ES 3.00: several outputs all say where they go.
    missing = next((output for output in outputs if output.location is None), None)
    if missing is not None and len(outputs) > 1 and ctx.has("several outputs are pinned"):
        ctx.sink.report(names.LOCATIONS_NEEDED, missing.span, name=missing.name)
    _check_overlaps(ctx, outputs)
    # A shader writes either outputs of its own or the built-in colours.
    builtin = next(
        (s for s in ctx.builtin_variables.values() if s.role in ("frag_color", "frag_data") and s.written), None
    )
    own = next((output for output in outputs if output.written), None)
    if builtin is not None and own is not None:
        ctx.sink.report(names.MIXED_OUTPUTS, own.span, name=own.name, builtin=builtin.name)


def _check_overlaps(ctx: Context, outputs: list[VariableSymbol]) -> None:
    limit = builtins.constants(ctx.language)["gl_MaxDrawBuffers"]
    taken: dict[int, VariableSymbol] = {}
    for output in outputs:
        if output.location is None:
            places = range(0)
        else:
            length = output.type.length if isinstance(output.type, ArrayType) else 1
            places = range(output.location, output.location + length)
        if places.stop > limit:
            ctx.sink.report(names.LOCATION_RANGE, output.span, name=output.name, last=places.stop - 1, limit=limit)
        clash = next((place for place in places if place in taken), None)
        if clash is not None:
            other = taken[clash]
            ctx.sink.report(
                link.LOCATION_OVERLAP,
                output.span,
                labels=declared_at(other.span),
                storage="output",
                name=output.name,
                other=other.name,
                location=clash,
            )
        taken.update(dict.fromkeys(places, output))
