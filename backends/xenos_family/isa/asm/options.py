"""Options of a line to the fields that they set."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa.asm.syntax import OptionUse
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.options import Option
from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.isa.mistakes import Word, unexpected, unknown
from glslc_multi.compiler.isa.numbers import in_range


def fields_of(isa: InstructionSet, uses: list[OptionUse], layout: Format) -> dict[str, int]:
    """The fields that options set; none may be set twice."""
    fields: dict[str, int] = {}
    for use in uses:
        option = isa.options[layout.name][use.name[0]]
        values = {**option.fixed, **_arguments(use, option, layout)}
        if values.keys() & fields.keys():
            raise unexpected(use.name, "each option once", f"'{use.name[0]}' again")
        fields.update(values)
    return fields


def _arguments(use: OptionUse, option: Option, layout: Format) -> dict[str, int]:
    if option.packed and len(use.arguments) == 1:
        # Two fields from one number.
        first, second = option.fields
        high = (layout.by_name[first].range[1] + 1) * option.packed - 1
        value = in_range(use.arguments[0], first, 0, high)
        return {first: value // option.packed, second: value % option.packed}
    pairs = zip(option.fields, use.arguments, strict=True)
    return {name: _argument(word, name, option, layout) for name, word in pairs}


def _argument(word: Word, name: str, option: Option, layout: Format) -> int:
    if word[0] in option.values:
        return option.values.index(word[0])
    if option.values and not word[0].lstrip("-").isdigit():
        raise unknown("value", word, word[0], option.values)
    return in_range(word, name, *layout.by_name[name].range)
