"""What a row of the instruction table is, and how its operands are written.

A row has the operands as one line of words, in the order of the specification (section 3.52):

* `T` and `R`: the type and the id of the result;
* `id`, `label`: an id;
* `literal`, `string`: a number of one word, a text;
* `number`: a constant, as wide as the type of the result; `case`: the same for each label of OpSwitch;
* `instruction`: the number of an instruction of an extended set; `opcode`: that of one of the core;
* any other word: a kind of `enumerants.py`, whose values may have parameters.

A word with `?` may be missing, one with `*` may come any number of times; both stand at the end.
"""

from __future__ import annotations

from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.recipes.maker import ColumnsRecipe, Recipe

#: Operand kinds that are ids, and those that are one word whatever it says.
IDS = frozenset({"id", "label"})


@dataclass(frozen=True, slots=True)
class Row:
    """One instruction: its number, name, operands, and what it computes where that follows from values alone."""

    number: int
    name: str
    has_type: bool
    has_result: bool
    #: Kinds of the operands after type and result, without `?` and `*`.
    kinds: tuple[str, ...]
    #: How many of them there must be, and whether the last kind repeats.
    least: int
    repeats: bool
    #: The result's columns from those of the operands.
    meaning: ColumnsRecipe | None = None
    #: Whether all operands are ids, which the reader of binaries takes together.
    only_ids: bool = False


def row(number: int, name: str, operands: str = "", meaning: Recipe | None = None, *, whole: bool = False) -> Row:
    """A row of the table; `whole` meanings take lists of columns, others one column at a time."""
    words = operands.split()
    has_type, has_result = "T" in words, "R" in words
    rest = [word for word in words if word not in ("T", "R")]
    kinds = tuple(word.rstrip("?*") for word in rest)
    least = sum(word[-1] not in "?*" for word in rest)
    repeats = bool(rest) and rest[-1].endswith("*")
    columns = meaning if whole or meaning is None else by_columns(meaning)
    return Row(number, name, has_type, has_result, kinds, least, repeats, columns, IDS.issuperset(kinds))


def by_columns(meaning: Recipe) -> ColumnsRecipe:
    """A meaning of scalars and vectors, for each column."""
    return lambda m, *arguments: [meaning(m, *columns) for columns in zip(*arguments, strict=True)]
