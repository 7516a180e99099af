"""Options of clauses and fetches, such as `ADDR(0x3)`: the fields that they say, and when they are written.

Whether one is written depends on the fields of the word and on facts about it: whether it is the `first` instruction of
its program, whether the clause `tests` a condition, and whether the text is the `reference`'s (`spelling.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from backends.adreno.isa import formats, names
from compiler.isa.fields import Format
from compiler.records import dataclass, field

#: When an option with arguments is written: where a field is not at its default, always, or by what is known.
Shown = Literal["needed", "always"] | Callable[[Mapping[str, int]], object]


@dataclass(frozen=True, slots=True)
class Option:
    """What an option says: `fields` by its arguments, `fixed` by standing there."""

    fields: tuple[str, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    shown: Shown = "needed"
    #: How an argument is written.
    form: str = "{}"
    separator: str = ", "
    #: Names of an argument's values, for a field of few.
    values: tuple[str, ...] = ()
    #: If not 0, one number may stand for two fields: this times the first, plus the second.
    packed: int = 0

    def is_shown(self, known: Mapping[str, int], layout: Format) -> bool:
        """Whether these fields are written with the option."""
        if any(known[name] != value for name, value in self.fixed.items()):
            return False
        if callable(self.shown):
            return bool(self.shown(known))
        is_needed = any(known[name] != layout.by_name[name].default for name in self.fields)
        return bool(self.fixed) or self.shown == "always" or is_needed

    def text(self, name: str, fields: Mapping[str, int]) -> str:
        """The option as it is written."""
        arguments = self.separator.join(self._argument(fields[field]) for field in self.fields)
        return f"{name}({arguments})" if self.fields else name

    def _argument(self, value: int) -> str:
        return self.values[value] if value in range(len(self.values)) else self.form.format(value)


def _flag(name: str, value: int = 1) -> Option:
    return Option(fixed={name: value})


def _number(*names: str, shown: Shown = "needed") -> Option:
    return Option(names, shown=shown)


def _is_reserved_unusual(known: Mapping[str, int]) -> bool:
    usual = formats.vertex_reserved(bool(known["first"]))
    return not known["reference"] and (known["reserved0"], known["reserved3"]) != usual


def _hex(name: str, shown: Shown = "needed") -> Option:
    return Option((name,), shown=shown, form="0x{:x}")


_ADDRESS = {"ADDR": _hex("addr", "always")}
_ABSOLUTE = {"ABSOLUTE_ADDR": _flag("address_mode")}
_BOOL = {"BOOL_ADDR": _hex("bool_addr")}
#: Name of a format -> its options, in the order of text.
OPTIONS: Mapping[str, Mapping[str, Option]] = {
    formats.NONE.name: {},
    formats.EXEC.name: {
        **_ADDRESS,
        "CNT": _hex("cnt", "always"),
        "YIELD": _flag("yield"),
        "VC": _hex("vc"),
        **_BOOL,
        **_ABSOLUTE,
        "COND": _number("condition", shown=lambda known: known["tests"] or known["condition"] > known["reference"]),
    },
    formats.LOOP.name: {**_ADDRESS, "LOOP_ID": _number("loop_id", shown="always"), **_ABSOLUTE},
    formats.JUMP.name: {
        **_ADDRESS,
        "DIR": _number("direction", shown="always"),
        "FORCE_CALL": _flag("force_call"),
        "COND": Option(("condition",), {"predicated_jmp": 1}),
        **_BOOL,
        "BOOL_COND": _number(
            "condition", shown=lambda known: known["condition"] and not known["predicated_jmp"] | known["reference"]
        ),
        **_ABSOLUTE,
    },
    formats.ALLOC.name: {
        "SIZE": _hex("size", "always"),
        "NO_SERIAL": _flag("no_serial"),
        "ALLOC_MODE": _flag("alloc_mode"),
    },
    formats.VERTEX.name: {
        **{name: _flag("format", code) for code, name in names.FORMATS.items()},
        "TYPE": _hex("format", lambda known: known["format"] not in names.FORMATS),
        "SIGNED": _flag("signed"),
        "UNSIGNED": _flag("signed", 0),
        "NORMALIZED": _flag("num_format", 0),
        "STRIDE": _number("stride", shown="always"),
        "OFFSET": _number("offset"),
        "EXP_ADJUST": _number("exp_adjust", shown=lambda known: known["exp_adjust"] and not known["reference"]),
        # Older texts have one number, 3 * index + selector.
        "CONST": Option(("const_index", "const_index_sel"), shown="always", packed=3),
        "RESERVED": _number("reserved0", "reserved3", shown=_is_reserved_unusual),
    },
    formats.TEXTURE.name: {
        "CONST": _number("const_index", shown="always"),
        "VALID_ONLY": _flag("fetch_valid_only"),
        "DENORM": _flag("denorm"),
        **{name: Option((part,), values=values) for name, (part, values) in names.TEXTURE_CHOICES.items()},
        "LOD": _number("comp_lod"),
        "LOD_BIAS": _number(
            "lod_bias", shown=lambda known: not known["comp_lod"] or (known["lod_bias"] and not known["reference"])
        ),
        "REG_LOD": _number("reg_lod"),
        "USE_REG_GRADIENTS": _flag("reg_gradients"),
        "LOCATION": Option(("sample_location",), shown="always", values=names.LOCATIONS),
        "OFFSET": Option(("off_x", "off_y", "off_z"), separator=","),
    },
}


def spell_options(layout: Format, fields: Mapping[str, int], **facts: bool) -> Iterator[str]:
    """The options that say the fields."""
    known = {**fields, **facts}
    for name, option in OPTIONS[layout.name].items():
        if option.is_shown(known, layout):
            yield option.text(name, fields)
