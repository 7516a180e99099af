"""The command list that the GPU reads, as words: the form in which register writes reach it.

A command is a value and a header, then further values; commands begin at even words.  The header has the register, a
byte mask, the number of further values, and whether they go to the registers that follow or all to the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from backends.pica200.isa.fragment.program import Write
from compiler.isa.container import BadContainer
from compiler.isa.fields import Field, Format

HEADER = Format(
    "header",
    32,
    (
        Field("register", 0, 16, doc="the register, or the first one"),
        Field("mask", 16, 4, doc="bit n: byte n of the register is written"),
        Field("extra", 20, 8, doc="how many values follow the header"),
        Field("consecutive", 31, 1, doc="they go to the registers that follow"),
    ),
)
#: Values that one command has room for.
_MOST_VALUES = HEADER.by_name["extra"].range[1] + 1


def words_of(writes: Sequence[Write]) -> list[int]:
    """The command list; values that go to the same register one after the other share a command."""
    words: list[int] = []
    for (register, mask), group in groupby(writes, lambda write: (write.register, write.mask)):
        values = [write.value for write in group]
        for start in range(0, len(values), _MOST_VALUES):
            first, *extra = values[start : start + _MOST_VALUES]
            padding = [0] * (len(extra) % 2)
            words += [first, HEADER.encode({"register": register, "mask": mask, "extra": len(extra)}), *extra, *padding]
    return words


def writes_of(words: Sequence[int]) -> Iterator[Write]:
    """The writes of a command list; raises `BadContainer` where it ends too early."""
    position = 0
    while position < len(words):
        if position + 1 == len(words):
            raise BadContainer(f"word {position} has no header after it")
        fields = HEADER.decode(words[position + 1])
        end = position + 2 + fields["extra"]
        if end > len(words):
            raise BadContainer(
                f"the command at word {position} has {fields['extra']} more values, the file ends before"
            )
        for number, value in enumerate((words[position], *words[position + 2 : end])):
            register = fields["register"] + number * fields["consecutive"]
            yield Write(register & HEADER.by_name["register"].range[1], value, fields["mask"])
        position = end + end % 2
