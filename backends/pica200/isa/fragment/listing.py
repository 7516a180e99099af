"""Register writes one by one with their fields, for `explain`; a table is one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_ADDRESS
from glslc_multi.backends.pica200.isa.fragment.text.disassemble import Item, items, spell_write
from glslc_multi.compiler.isa.fields import Field, Format
from glslc_multi.compiler.isa.listing import CodeWord, Part

#: An operand of a stage.
_TEXTURE = re.compile(r"\btexture(\d)\b")
_PLAIN = Format("register", 32, (Field("value", 0, 32),))


def list_writes(writes: Sequence[Write]) -> list[CodeWord]:
    """The words in the order in which they are written."""
    return [word for item in items(writes) for word in _words(item)]


def _words(item: Item) -> Iterator[CodeWord]:
    """A stage has its formulas beside its first registers; other registers say what is in their fields."""
    if item.table is not None:
        yield _word(item.writes[0], f"table {item.table.name}, {item.table.size} entries")
        return
    for index, write in enumerate(item.writes):
        formula = item.lines[index] if len(item.writes) > 1 and index < 2 else None
        yield _word(write, formula or spell_write(write))


def _word(write: Write, text: str) -> CodeWord:
    register = BY_ADDRESS.get(write.register)
    form = _PLAIN if register is None else register.format
    samplers = tuple(dict.fromkeys(map(int, _TEXTURE.findall(text))))
    return CodeWord(f"{write.register:03x}", text, (Part(form, write.value),), samplers=samplers)
