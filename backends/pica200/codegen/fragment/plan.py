"""The first half of code generation: an optimised module to a problem for the search, and everything around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import differences
from glslc_multi.backends.pica200.codegen.fragment.read.flatten import flatten
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host
from glslc_multi.backends.pica200.codegen.fragment.read.promises import promised_ranges, promises_of
from glslc_multi.backends.pica200.codegen.fragment.read.walk import NameLeaf, Pixel, Walk, final, provisional
from glslc_multi.backends.pica200.codegen.fragment.units.fog import (
    Depths,
    Fog,
    fog_bound,
    fog_code,
    refuse_body,
    refuse_depth,
    sees_depth,
    split,
)
from glslc_multi.backends.pica200.codegen.fragment.units.image_values import fits_image
from glslc_multi.backends.pica200.codegen.fragment.units.images import Images
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.find import (
    Lighting,
    refuse_lighting,
    refuse_open_functions,
    refuse_raw_normals,
)
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.lit_pixel import LitPixel, is_lit
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.varyings import pass_lighting
from glslc_multi.backends.pica200.codegen.fragment.units.tables import UnitCode
from glslc_multi.backends.pica200.codegen.fragment.units.textures import Wiring, drop_unread, wire
from glslc_multi.backends.pica200.codegen.output_semantics import requested_outputs
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Block, Module
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Plan:
    """What the shader is, before stages are looked for."""

    block: Block
    host: Host
    wiring: Wiring
    walk: Walk
    pixel: Pixel
    #: Of units beside the combiners that the shader sets up.
    units: Sequence[UnitCode] = ()
    #: By how many steps of 1/255 colours of the lighting unit may be off, by source and channel.
    errors: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    #: What comes after the stages: by how much the result may be off, by how much theirs may.
    bound_of: Callable[[float], float] = float
    #: By the lighting unit, if any of it is; and by other set-ups of that, whose changes cost the host less.
    lit: LitPixel | None = None
    others: Sequence[Plan] = ()

    @property
    def host_writes(self) -> int:
        return sum(unit.host_writes for unit in self.units)


@dataclass(frozen=True, slots=True)
class _View:
    """What the block's values are to the units of the machine; another one once the block is wired."""

    #: What every uniform and varying is taken to lie in, and what the shader promises itself.
    promises: Mapping[Variable, Interval]
    explicit: Mapping[Variable, Interval]
    host: Host
    lighting: Lighting
    depths: Depths
    images: Images

    def walk(self, name_leaf: NameLeaf, sink: DiagnosticSink) -> Walk:
        given = {**self.lighting.numbers, **self.depths.numbers, **self.images.numbers}
        return Walk(self.host, name_leaf, sink, given, partial(fits_image, host=self.host, others=given))


def plan(
    module: Module,
    options: TargetOptions,
    sink: DiagnosticSink,
    write: Callable[[Sequence[AtVertices]], None] | None = None,
    pragmas: Sequence[str] = (),
) -> Plan:
    """The pixel as polynomials over what is read; what cannot be is reported and raised.

    `write` is told what the rasteriser's outputs are made of, while that is there to be copied; `pragmas` are those of
    a linked vertex shader.
    """
    block = flatten(module, precise=options.precise, sink=sink)
    # What no wiring could help is said first.
    view = _view(block, options, sink)
    refuse_raw_normals(block, view.host, sink)
    view.walk(provisional(sink), sink).pixel(block)
    hints = requested_outputs([*module.pragmas, *pragmas], str(options.values.get("outputs", "")), sink)
    carried = pass_lighting(module, view.lighting)
    wiring = wire(module, hints, sink, view.promises, view.images.reads(view.explicit, sink))
    wiring.outputs += carried
    if write is not None:
        write(wiring.outputs)
    drop_unread(module)
    view = _view(block, options, sink)
    walk = view.walk(final(wiring.unit_of, sink), sink)
    planned = Plan(block, view.host, wiring, walk, walk.pixel(block))
    # A linked shader comes again when its code is made.
    return planned if write is not None else _with_units(planned, view, sink)


def _view(block: Block, options: TargetOptions, sink: DiagnosticSink) -> _View:
    module, option = block.function.module, str(options.values.get("ranges", ""))
    module.main.renumber()
    promises, explicit = promised_ranges(module, option, sink), promises_of(module, option, sink)
    host = Host(block, promises)
    lighting, depths = Lighting(block, host), Depths(block, host)
    given = {**lighting.numbers, **depths.numbers}
    images = Images(block if options.values.get("images") else (), host, promises, given, sink)
    return _View(promises, explicit, host, lighting, depths, images)


def _with_units(planned: Plan, view: _View, sink: DiagnosticSink) -> Plan:
    """With the units beside the combiners: images, lighting, and fog over both."""
    planned = replace(planned, units=view.images.code(sink), errors=view.images.errors(view.promises))
    # What the fog unit does with the pixel; None without depth.
    pixel = planned.pixel
    others = [*differences(pixel.discard), *([] if pixel.alpha is None else [pixel.alpha])]
    if any(map(sees_depth, others)):
        refuse_depth(view.depths, sink)
    if not any(map(sees_depth, pixel.colour)):
        fog = None
    else:
        fog = split(pixel.colour) or refuse_depth(view.depths, sink)
    if fog is None:
        return _lit(planned, view, sink)
    below = _lit(replace(planned, pixel=replace(planned.pixel, colour=fog.body)), view, sink)
    return _fogged(below, replace(fog, body=below.pixel.colour), view, sink)


def _fogged(below: Plan, fog: Fog, view: _View, sink: DiagnosticSink) -> Plan:
    """With fog over a pixel, which the stages clamp before."""
    refuse_body(fog.body, below.pixel.colour_span, sink)
    return replace(
        below,
        units=[*below.units, fog_code(fog, view.depths, below.host)],
        bound_of=partial(fog_bound, fog, view.depths, below.host, view.promises),
        others=(),
    )


def _lit(planned: Plan, view: _View, sink: DiagnosticSink) -> Plan:
    """With the colours of the lighting unit in the place of what it computes."""
    pixel = planned.pixel
    channels = [*pixel.colour, *([] if pixel.alpha is None else [pixel.alpha])]
    if not any(map(is_lit, channels)):
        return planned
    refuse_open_functions(channels, sink)
    plans = [_lit_by(lit, planned, view) for lit in view.lighting.lit(channels, planned.wiring.unit_of)]
    if not plans:
        refuse_lighting(channels, pixel.colour_span, sink)
    first = plans[0]
    return replace(first, others=[other for other in plans if other.host_writes < first.host_writes])


def _lit_by(lit: LitPixel, planned: Plan, view: _View) -> Plan:
    """Return the plan of a pixel for which the lighting unit is set up so."""
    colour, alpha = lit.channels[:3], lit.channels[3:]
    return replace(
        planned,
        pixel=replace(planned.pixel, colour=colour, alpha=alpha[0] if alpha else None),
        units=[*planned.units, view.lighting.code(lit)],
        errors={**planned.errors, **view.lighting.errors(lit, view.promises)},
        lit=lit,
    )
