"""Options of clauses and fetches, such as `ADDR(0x3)`: which there are, and the fields that they set."""

from __future__ import annotations

from collections.abc import Mapping

from backends.adreno.isa import formats, names
from backends.adreno.isa.asm.syntax import OptionUse
from backends.adreno.isa.asm.values import in_range
from compiler.diagnostics.catalogue.machine import ADRENO_UNKNOWN_NAME
from compiler.isa.assembly import Word, unexpected, unknown
from compiler.isa.fields import Format
from compiler.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Option:
    """What an option sets: `fields` from its arguments, `fixed` by standing there."""

    fields: tuple[str, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    #: Names of an argument's values, for a field of few.
    values: tuple[str, ...] = ()
    #: If not 0, one number may stand for two fields: this times the first, plus the second.
    packed: int = 0


_FLOW = {"ADDR": Option(("addr",)), "ABSOLUTE_ADDR": Option(fixed={"address_mode": 1})}
_BOOL = {"BOOL_ADDR": Option(("bool_addr",))}
#: Name of a format -> its options.
OPTIONS: Mapping[str, Mapping[str, Option]] = {
    formats.NONE.name: {},
    formats.EXEC.name: {
        **_FLOW,
        **_BOOL,
        "CNT": Option(("cnt",)),
        "YIELD": Option(fixed={"yield": 1}),
        "VC": Option(("vc",)),
        "COND": Option(("condition",)),
    },
    formats.LOOP.name: {**_FLOW, "LOOP_ID": Option(("loop_id",))},
    formats.JUMP.name: {
        **_FLOW,
        **_BOOL,
        "DIR": Option(("direction",)),
        "FORCE_CALL": Option(fixed={"force_call": 1}),
        "COND": Option(("condition",), {"predicated_jmp": 1}),
        "BOOL_COND": Option(("condition",)),
    },
    formats.ALLOC.name: {
        "SIZE": Option(("size",)),
        "NO_SERIAL": Option(fixed={"no_serial": 1}),
        "ALLOC_MODE": Option(fixed={"alloc_mode": 1}),
    },
    formats.VERTEX.name: {
        **{name: Option(fixed={"format": code}) for code, name in names.FORMATS.items()},
        "TYPE": Option(("format",)),
        "SIGNED": Option(fixed={"signed": 1}),
        "UNSIGNED": Option(fixed={"signed": 0}),
        "NORMALIZED": Option(fixed={"num_format": 0}),
        "STRIDE": Option(("stride",)),
        "OFFSET": Option(("offset",)),
        "EXP_ADJUST": Option(("exp_adjust",)),
        # Older texts have one number, 3 * index + selector.
        "CONST": Option(("const_index", "const_index_sel"), packed=3),
        "RESERVED": Option(("reserved0", "reserved3")),
    },
    formats.TEXTURE.name: {
        **{name: Option((part,), values=values) for name, (part, values) in names.TEXTURE_CHOICES.items()},
        "CONST": Option(("const_index",)),
        "VALID_ONLY": Option(fixed={"fetch_valid_only": 1}),
        "DENORM": Option(fixed={"denorm": 1}),
        "LOD": Option(("comp_lod",)),
        "LOD_BIAS": Option(("lod_bias",)),
        "REG_LOD": Option(("reg_lod",)),
        "USE_REG_GRADIENTS": Option(fixed={"reg_gradients": 1}),
        "LOCATION": Option(("sample_location",), values=names.LOCATIONS),
        "OFFSET": Option(("off_x", "off_y", "off_z")),
    },
}


def fields_of(uses: list[OptionUse], layout: Format) -> dict[str, int]:
    """The fields that options set; none may be set twice."""
    found: dict[str, int] = {}
    for use in uses:
        option = OPTIONS[layout.name][use.name[0]]
        values = {**option.fixed, **_arguments(use, option, layout)}
        if values.keys() & found.keys():
            raise unexpected(use.name, "each option once", f"'{use.name[0]}' again")
        found.update(values)
    return found


def _arguments(use: OptionUse, option: Option, layout: Format) -> dict[str, int]:
    if option.packed and len(use.arguments) == 1:
        return _unpacked(use.arguments[0], option, layout)
    pairs = zip(option.fields, use.arguments, strict=True)
    return {name: _argument(word, name, option, layout) for name, word in pairs}


def _unpacked(word: Word, option: Option, layout: Format) -> dict[str, int]:
    """Two fields from one number."""
    first, second = option.fields
    high = (layout.by_name[first].range[1] + 1) * option.packed - 1
    value = in_range(word, first, 0, high)
    return {first: value // option.packed, second: value % option.packed}


def _argument(word: Word, name: str, option: Option, layout: Format) -> int:
    if word[0] in option.values:
        return option.values.index(word[0])
    if option.values and not word[0].lstrip("-").isdigit():
        raise unknown(ADRENO_UNKNOWN_NAME, word, word[0], option.values, kind="value")
    return in_range(word, name, *layout.by_name[name].range)
