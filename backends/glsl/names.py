"""Names of variables, and the texts of their elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.source_names import source_name
from glslc_multi.backends.glsl.text import POSTFIX, PRODUCT, SUM, UNARY, Text, binary
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.variables import Address, Variable

_WORD = re.compile(r"[A-Za-z_]\w*")


class Names:
    """The names of one text; none is given twice."""

    def __init__(
        self,
        module: Module,
        dialect: Dialect,
        renamed: Mapping[str, str],
        taken: Collection[str],
        words: Collection[str] | None,
    ) -> None:
        self._stage = module.stage
        self._dialect = dialect
        #: Path of a variable, or its first part -> how the text names it.
        self._renamed = dict(renamed)
        self._taken = {word for name in module.variables for word in _WORD.findall(name)} | set(taken)
        self._taken |= set(renamed.values())
        self._words = words
        #: Appends a statement to what is being written.
        self.statement: Callable[[str], None] = lambda text: None

    @property
    def is_fragment(self) -> bool:
        return self._stage == "fragment"

    def hides(self, function: str) -> bool:
        """Tell whether a variable has the name of a function, which is none then."""
        return function in self._taken

    def is_written(self, variable: Variable) -> bool:
        """Tell whether the shader itself writes a variable."""
        return variable.storage == "local" or variable.is_written_by(self._stage)

    def fresh(self, prefix: str) -> str:
        """Return a new name."""
        number = 0
        while f"{prefix}{number}" in self._taken:
            number += 1
        name = f"{prefix}{number}"
        self._taken.add(name)
        return name

    def of_value(self, i: Instruction | None, prefix: str) -> str:
        """Return a new name for a value: that of its variable in the source, if it can be had."""
        name = "" if i is None or self._words is None else source_name(i)
        if not name or name.startswith("gl_") or (self._words is not None and name in self._words):
            return self.fresh(prefix)
        return self.own(name)

    def own(self, name: str) -> str:
        """Return a new name like a given one."""
        plain = "_".join(_WORD.findall(name)).replace("__", "_") or "v"
        if plain in self._taken:
            return self.fresh(f"{plain}_")
        self._taken.add(plain)
        return plain

    def rename(self, variable: Variable, name: str) -> None:
        """Let a variable have another name in the text."""
        self._renamed[variable.name] = name

    def place(self, address: Address, operands: Sequence[Text]) -> Text:
        """Return an element of a variable, or a column of it."""
        result = self.element(address, operands)
        if not address.variable.is_matrix:
            return result
        column = operands[-1].text if address.dynamic_column else str(address.column)
        return Text(f"{result.text}[{column}]", POSTFIX)

    def element(self, address: Address, operands: Sequence[Text]) -> Text:
        """Return an element of a variable: all columns, or a sampler."""
        variable = address.variable
        name = self._renamed.get(variable.name, variable.name)
        root, dot, path = name.partition(".")
        if dot and root in self._renamed:
            # A member of a block, which has a name of its own as an instance.
            name = f"{self._renamed[root]}.{path}"
        if not variable.dims:
            return Text(name)
        indices = self._indices(variable, address, operands)
        parts = name.split("[]")
        inner = len(parts) - 1
        text = "".join(f"{part}[{index}]" for part, index in zip(parts[:-1], indices, strict=False)) + parts[-1]
        if inner == 0:
            text = name
        return Text(text + "".join(f"[{index}]" for index in indices[inner:]), POSTFIX)

    def _indices(self, variable: Variable, address: Address, operands: Sequence[Text]) -> list[str]:
        """Return the index of each dimension, from the number of an element."""
        number = Text(str(address.offset), UNARY if address.offset < 0 else 1)
        if address.dynamic_index:
            number = operands[0] if not address.offset else binary("+", SUM, operands[0], number)
        indices: list[str] = []
        offset = address.offset
        for dimension in reversed(variable.dims):
            if len(variable.dims) == 1:
                return [number.text]
            if address.dynamic_index:
                quotient = binary("/", PRODUCT, number, Text(str(dimension)))
                if self._dialect.is_modern:
                    rest = binary("%", PRODUCT, number, Text(str(dimension)))
                else:
                    rest = binary("-", SUM, number, binary("*", PRODUCT, quotient, Text(str(dimension))))
                indices.insert(0, rest.text)
                number = quotient
            else:
                offset, rest_ = divmod(offset, dimension)
                indices.insert(0, str(rest_))
        return indices
