"""Options of clauses and fetches, such as `ADDR(0x3)`: the fields that they say, and when they are written.

Whether one is written depends on the fields of the word and on facts about it: whether it is the `first` instruction of
its program, whether the clause `tests` a condition, and whether the text is the `reference`'s (`spelling.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from glslc_multi.backends.xenos_family.isa import names
from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.records import dataclass, field

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


def flag(name: str, value: int = 1) -> Option:
    return Option(fixed={name: value})


def number(*names: str, shown: Shown = "needed") -> Option:
    return Option(names, shown=shown)


def _hex(name: str, shown: Shown = "needed") -> Option:
    return Option((name,), shown=shown, form="0x{:x}")


_ADDRESS = {"ADDR": _hex("addr", "always")}
ABSOLUTE = {"ABSOLUTE_ADDR": flag("address_mode")}
BOOL = {"BOOL_ADDR": _hex("bool_addr")}
#: The options of clauses and fetches that all machines have, in the order of text.
EXEC: Mapping[str, Option] = {
    **_ADDRESS,
    "CNT": _hex("cnt", "always"),
    "YIELD": flag("yield"),
    "VC": _hex("vc"),
}
CONDITION: Mapping[str, Option] = {
    "COND": number("condition", shown=lambda known: known["tests"] or known["condition"] > known["reference"])
}
LOOP: Mapping[str, Option] = {**_ADDRESS, "LOOP_ID": number("loop_id", shown="always"), **ABSOLUTE}
JUMP: Mapping[str, Option] = {
    **_ADDRESS,
    "DIR": number("direction", shown="always"),
    "FORCE_CALL": flag("force_call"),
    "COND": Option(("condition",), {"predicated_jmp": 1}),
    **BOOL,
    "BOOL_COND": number(
        "condition", shown=lambda known: known["condition"] and not known["predicated_jmp"] | known["reference"]
    ),
    **ABSOLUTE,
}
ALLOC: Mapping[str, Option] = {
    "SIZE": _hex("size", "always"),
    "NO_SERIAL": flag("no_serial"),
    "ALLOC_MODE": flag("alloc_mode"),
}
VERTEX: Mapping[str, Option] = {
    **{name: flag("format", code) for code, name in names.FORMATS.items()},
    "TYPE": _hex("format", lambda known: known["format"] not in names.FORMATS),
    "SIGNED": flag("signed"),
    "UNSIGNED": flag("signed", 0),
    "NORMALIZED": flag("num_format", 0),
    "STRIDE": number("stride", shown="always"),
    "OFFSET": number("offset"),
    "EXP_ADJUST": number("exp_adjust", shown=lambda known: known["exp_adjust"] and not known["reference"]),
    # Older texts have one number, 3 * index + selector.
    "CONST": Option(("const_index", "const_index_sel"), shown="always", packed=3),
}
TEXTURE: Mapping[str, Option] = {
    "CONST": number("const_index", shown="always"),
    "VALID_ONLY": flag("fetch_valid_only"),
    "DENORM": flag("denorm"),
    **{name: Option((part,), values=values) for name, (part, values) in names.TEXTURE_CHOICES.items()},
    "LOD": number("comp_lod"),
    "LOD_BIAS": number(
        "lod_bias", shown=lambda known: not known["comp_lod"] or (known["lod_bias"] and not known["reference"])
    ),
    "REG_LOD": number("reg_lod"),
    "USE_REG_GRADIENTS": flag("reg_gradients"),
    "LOCATION": Option(("sample_location",), shown="always", values=names.LOCATIONS),
    "OFFSET": Option(("off_x", "off_y", "off_z"), separator=","),
}


def spell_options(
    options: Mapping[str, Option], layout: Format, fields: Mapping[str, int], **facts: bool
) -> Iterator[str]:
    """The options of a format that say the fields."""
    values = {**fields, **facts}
    for name, option in options.items():
        if option.is_shown(values, layout):
            yield option.text(name, fields)
