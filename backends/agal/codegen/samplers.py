"""Sampler operands: what a token says of the texture it reads.

By default a 2D texture is filtered linearly, without mip levels, and repeats; a cube map is filtered linearly between
mip levels and clamps.  A pragma names a sampler and replaces some of this in the options of assembly text:

    #pragma agal sampler(u_map, nearest, miplinear, clamp, bias=-0.5)

So does the compiler option `agal_samplers`, which overrides pragmas: `u_map: nearest, clamp; u_sky: miplinear`.

A sampler that neither names is the host's: a loader that knows the texture writes its filter, mip mode and wrap into
the token, or leaves the default.  The register map lists these samplers, and the simulator takes the state of their
textures.

All lookups of a sampler must have the same operand (runtime error 3696), its bias included.  One whose lookups ask
for level 0 has no mip levels, whatever its texture has, and filter and wrap alone are the host's.  One whose texels
are compared as depths takes the nearest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from glslc_multi.backends.agal.codegen.abi import Abi
from glslc_multi.backends.agal.codegen.refuse import fixed_bias, is_of_base_level
from glslc_multi.backends.agal.isa.program import Sampler
from glslc_multi.backends.agal.isa.sampler_options import BIAS_STEPS, IGNORE_SAMPLER, OPTIONS
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_BAD_PRAGMA, AGAL_BAD_SAMPLERS
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.variables import FETCHED, MOVED, Variable
from glslc_multi.compiler.records import replace

_PLAIN = Sampler(0, dimension=0, filter=1, mip=0, wrap=1)
_CUBE = Sampler(0, dimension=1, filter=1, mip=2, wrap=0)
_PRAGMA = re.compile(r"\s*agal\s+sampler\s*\((?P<options>[^()]*)\)\s*")
_BIAS = re.compile(r"bias\s*=\s*(?P<number>[+-]?\d+(?:\.\d*)?)", re.ASCII)

#: Sampler -> fields of its operand that the source or the caller sets.
Settings = dict[str, dict[str, int]]
_Report = Callable[..., None]
#: What lookups of one sampler may not have, and what to do.
_SAME_BIAS = "different biases", "give all lookups of a sampler the same bias, or use two samplers"
_NEAREST = "let the pragma or the option say `nearest`, with `mipnone` or `mipnearest`"
_SAME_LEVEL = (
    "level 0 and levels that the hardware chooses",
    "use two samplers, or name `mipnone` in a pragma, with which all lookups read level 0",
)
#: The sampler of each element of a sampler variable.
Samplers = dict[tuple[Variable, int], Sampler]


def sampler_operands(
    module: Module, abi: Abi, settings: Settings, *, from_host: bool, sink: DiagnosticSink
) -> Samplers:
    """The operand of every sampler that the code reads."""
    levels = _levels(module, settings, abi.files.version, sink)
    operands: Samplers = {}
    for variable in abi.samplers:
        operand = _CUBE if variable.type.kind == "samplerCube" else _PLAIN
        is_compared = SAMPLER_KINDS[variable.outer_kind].is_shadow
        operand = replace(operand, filter=0, mip=min(operand.mip, 1)) if is_compared else operand
        operand = replace(operand, special=IGNORE_SAMPLER) if from_host else operand
        operand = replace(operand, **settings.get(variable.name, {}))
        if is_compared and (operand.filter or operand.mip > 1):
            construct, target = f"a filter of '{variable.name}', whose depths are compared", f"agal {abi.files.version}"
            sink.report(NOT_EXPRESSIBLE, variable.span, help=_NEAREST, target=target, construct=construct)
        for element in range(variable.length):
            number = abi.sampler(variable, element)
            level = levels.get((variable, element), _Level(False, 0))
            mip, bias = 0 if level.is_base else operand.mip, level.bias or operand.bias
            operands[variable, number] = replace(operand, number=number, mip=mip, bias=bias)
    sink.raise_if_errors()
    return operands


class _Level(NamedTuple):
    """How a lookup finds its level of detail."""

    is_base: bool
    bias: int


def _levels(
    module: Module, settings: Settings, version: int, sink: DiagnosticSink
) -> dict[tuple[Variable, int], _Level]:
    """How the lookups of each sampler find their level; all must do so in the same way."""
    levels: dict[tuple[Variable, int], _Level] = {}
    for lookup in module.main.instructions():
        if lookup.op is not ops.TEXTURE:
            continue
        variable, element = lookup.address.variable, lookup.address.offset
        has_one = settings.get(variable.name, {}).get("mip") == 0 or variable.role in (FETCHED, MOVED)
        level = _Level(has_one or is_of_base_level(lookup), fixed_bias(lookup) or 0)
        first = levels.setdefault((variable, element), level)
        if first != level:
            construct, help = _SAME_BIAS if first.is_base == level.is_base else _SAME_LEVEL
            construct = f"{construct} of '{variable.name}'"
            sink.report(NOT_EXPRESSIBLE, lookup.span, help=help, target=f"agal {version}", construct=construct)
    return levels


def settings_of(module: Module, option: str, sink: DiagnosticSink) -> Settings:
    """What pragmas and the compiler option set; the latter overrides the former.  Mistakes are reported and raised."""
    settings: Settings = {}
    names = [variable.name for variable in module.variables.values() if variable.type.is_sampler]
    for text in module.pragmas:
        match = _PRAGMA.fullmatch(text)
        if match is not None:
            name, *options = match["options"].split(",")
            _add(settings, name, options, names, partial(sink.report, AGAL_BAD_PRAGMA))
        elif text.split()[:1] == ["agal"]:
            sink.report(AGAL_BAD_PRAGMA, reason="it is none of: agal sampler(name, word, ...)")
    # One option serves both stages of a pair, and vertex programs have no samplers.
    for entry in option.split(";") if module.stage == "fragment" else ():
        name, _, options = entry.partition(":")
        if entry.strip():
            _add(settings, name, options.split(","), names, partial(sink.report, AGAL_BAD_SAMPLERS))
    sink.raise_if_errors()
    return settings


def _add(settings: Settings, name: str, options: Iterable[str], known: Iterable[str], report: _Report) -> None:
    """Take in the options of one sampler."""
    name = name.strip()
    if name not in known:
        report(reason=f"there is no sampler '{name}'", help=did_you_mean(name, known))
    for option in options:
        _set(settings.setdefault(name, {}), option.strip(), report)


def _set(fields: dict[str, int], option: str, report: _Report) -> None:
    bias = _BIAS.fullmatch(option)
    if bias is not None:
        eighths = float(bias["number"]) * BIAS_STEPS
        if not -128 <= eighths <= 127 or eighths != int(eighths):
            report(reason=f"a bias counts eighths from -16 to 15.875, found {bias['number']}")
            return
        fields["bias"] = int(eighths)
    elif option in OPTIONS:
        field, value = OPTIONS[option]
        fields[field] = fields.get(field, 0) | value if field == "special" else value
    else:
        report(reason=f"there is no option '{option}'", help=did_you_mean(option, OPTIONS))


def host_state(module: Module, abi: Abi, operands: Samplers, settings: Settings) -> dict[str, str]:
    """The samplers that neither pragmas nor options name, and those of the host that read level 0 alone."""
    lookups = [i for i in module.main.instructions() if i.op is ops.TEXTURE and is_of_base_level(i)]
    unnamed = {number for variable, number in operands if variable.name not in settings}
    ignored = {number for (_, number), operand in operands.items() if operand.special & IGNORE_SAMPLER}
    of_base_level = {abi.sampler(lookup.address.variable, lookup.address.offset) for lookup in lookups}
    numbers = {"samplers": unnamed, "base_level": of_base_level & (unnamed | ignored)}
    return {key: ",".join(f"fs{number}" for number in sorted(those)) for key, those in numbers.items() if those}
