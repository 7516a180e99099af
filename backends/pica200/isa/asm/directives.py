"""Directive lines: what a shader's inputs, outputs, uniforms and constants are, and its blocks.

`Directives` holds the state of one file and adds to its `Executable`; code goes to the shared `Code`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from glslc_multi.backends.pica200.isa.asm import syntax
from glslc_multi.backends.pica200.isa.asm.grammar import GEOMETRY_KINDS, PROPERTIES, TRUTH
from glslc_multi.backends.pica200.isa.asm.operands import Reader, component_letters, misused, real, write_mask
from glslc_multi.backends.pica200.isa.asm.symbols import UNIFORM_BANKS, Operand, RegisterNames, Registers, allocate
from glslc_multi.backends.pica200.isa.code import Code, Name
from glslc_multi.backends.pica200.isa.descriptors import mask_letters
from glslc_multi.backends.pica200.isa.numbers import pattern_of
from glslc_multi.backends.pica200.isa.program import (
    SEMANTICS,
    UNIFORM_BASE,
    Constant,
    ConstantBank,
    Executable,
    Geometry,
    Output,
    Uniform,
)
from glslc_multi.backends.pica200.isa.registers import BANKS, MAPPED_OUTPUTS
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_BLOCK_STRUCTURE, TOO_MANY
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.components import COMPONENTS, mask_of
from glslc_multi.compiler.isa.mistakes import Mistake, Reported, Word, unexpected
from glslc_multi.compiler.isa.numbers import in_range
from glslc_multi.compiler.records import dataclass, field


@dataclass(slots=True)
class Uniforms:
    """Uniform names and registers that files of one stage share."""

    free: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNIFORM_BANKS, 0))
    #: Name, bank and size -> first register.
    operands: dict[tuple[str, str, int], Operand] = field(default_factory=dict)


@dataclass(slots=True)
class _Array:
    """A `.constfa` block that is open."""

    line: Line
    name: Word
    #: None: as many as are given.
    size: int | None
    elements: list[tuple[int, ...]] = field(default_factory=list)


class Directives:
    """Assembles the directive lines of one file."""

    _line: Line
    _directive: Word

    def __init__(self, code: Code, names: RegisterNames, reader: Reader, uniforms: Uniforms) -> None:
        self._code = code
        self._names = names
        self._reader = reader
        self._uniforms = uniforms
        self._registers = Registers(uniforms.free)
        self._array: _Array | None = None
        self._has_own_uniforms = False
        self.shader = Executable()
        self.entry: Name | None = None
        #: False for a file of procedures only.
        self.has_executable = True
        self._forms: Mapping[str, Callable[..., None]] = {
            "alias": self._alias,
            "fvec": partial(self._declare_uniforms, "c"),
            "ivec": partial(self._declare_uniforms, "i"),
            "bool": partial(self._declare_uniforms, "b"),
            "constf": partial(self._declare_constant, "c"),
            "consti": partial(self._declare_constant, "i"),
            "constfa": self._constant_array,
            "setf": partial(self._set_constant, "c"),
            "seti": partial(self._set_constant, "i"),
            "setb": self._set_bool,
            "in": self._input,
            "out": self._output,
            "proc": self._procedure,
            "else": self._else,
            "end": self._end,
            "entry": self._entry,
            "nodvle": self._no_executable,
            "gsh": self._geometry,
        }

    def assemble(self, line: Line, directive: syntax.Directive) -> None:
        """One directive."""
        self._line, self._directive = line, directive.name
        self._forms[directive.name[0].lower()](*directive.operands)

    def finish(self) -> None:
        """Report what the file left open, and sort the table of names."""
        if self._array is not None:
            self._array.line.report(_misplaced(self._array.name, "the array has no '.end'"))
        self._code.check_closed()
        self.shader.uniforms.sort(key=lambda uniform: uniform.first)

    # --- Names --------------------------------------------------------------------------------------------------------

    def _alias(self, name: Word, register: syntax.Register) -> None:
        self._names.claim(self._line, name)
        self._names.names.values[name[0]] = self._reader.operand(register)

    def _declare_uniforms(self, bank: str, *uniforms: syntax.Array) -> None:
        for uniform in uniforms:
            name = uniform.name[0]
            size = 1 if uniform.size is None else _array_size(uniform.size, bank)
            self._names.claim(self._line, uniform.name)
            # A uniform that another file declared alike is the same one.
            operand = self._uniforms.operands.get((name, bank, size))
            if operand is None:
                operand = Operand(bank, allocate(self._registers.upward, bank, size, uniform.name))
                self._uniforms.operands[name, bank, size] = operand
            self._names.names.values[name] = operand
            self._add_name(name, operand, size)

    def _add_name(self, name: str, operand: Operand, size: int) -> None:
        """A row of the table of names; those that begin with `_` stay private."""
        if not name.startswith("_"):
            first = UNIFORM_BASE[operand.bank] + operand.index
            self.shader.uniforms.append(Uniform(name.replace("$", "."), first, first + size - 1))

    # --- Constants ----------------------------------------------------------------------------------------------------

    def _declare_constant(self, bank: ConstantBank, name: Word, *values: Word) -> None:
        self._names.claim(self._line, name)
        numbers = _values(values, bank)
        register = allocate(self._registers.downward, bank, 1, name)
        self._names.names.values[name[0]] = Operand(bank, register)
        self.shader.constants.append(Constant(bank, register, numbers))

    def _set_constant(self, bank: ConstantBank, register: syntax.Register, *values: Word) -> None:
        number = self._reader.register_number(register, bank)
        self.shader.constants.append(Constant(bank, number, _values(values, bank)))

    def _set_bool(self, register: syntax.Register, value: Word) -> None:
        number = self._reader.register_number(register, "b")
        self.shader.constants.append(Constant("b", number, (TRUTH[value[0].lower()],)))

    def _constant_array(self, *operands: Any) -> None:
        if isinstance(operands[0], syntax.Array):
            head = operands[0]
            if self._array is not None:
                raise unexpected(head.name, "'('", f"'{head.name[0]}'")
            self._names.claim(self._line, head.name)
            self._array = _Array(self._line, head.name, None if head.size is None else _array_size(head.size, "c"))
        else:
            if self._array is None:
                raise _misplaced(self._directive, "the array of this element has no head")
            values = _values(operands, "c")
            limit = self._array.size or BANKS["c"]
            if len(self._array.elements) == limit:
                raise _excess(self._directive, limit + 1, "elements", f"{limit} in this array")
            self._array.elements.append(values)

    # --- Inputs and outputs -------------------------------------------------------------------------------------------

    def _input(self, name: Word, register: syntax.Register | None) -> None:
        self._names.claim(self._line, name)
        if register is not None:
            number = self._reader.register_number(register, "v")
        else:
            number = _lowest_free(self.shader.input_mask, BANKS["v"], name, "inputs")
        self.shader.input_mask |= 1 << number
        operand = Operand("v", number)
        self._names.names.values[name[0]] = operand
        self._add_name(name[0], operand, 1)

    def _output(self, name: Word, property: Word, components: Word | None, register: syntax.Register | None) -> None:
        is_named = name[0] != "-"
        if is_named:
            self._names.claim(self._line, name)
        semantic = PROPERTIES[property[0].lower()]
        letters = COMPONENTS
        if components is not None:
            letters = mask_letters(write_mask(self._line, component_letters(components), components))
        if register is not None:
            operand, mask = self._reader.destination(self._line, register)
            if operand.bank != "o":
                raise misused(operand.place, operand.text, "an output", "o registers")
            number = operand.index
            letters = mask_letters(mask)
        else:
            count = MAPPED_OUTPUTS if self.shader.geometry else BANKS["o"]
            number = _lowest_free(self.shader.output_mask, count, self._directive, "outputs")
        self.shader.output_mask |= 1 << number
        self.shader.outputs.append(Output(semantic, number, mask_of(letters)))
        if SEMANTICS[semantic] == "dummy" and self._has_own_uniforms:
            self.shader.merges_outputs = True
        if is_named:
            self._names.names.values[name[0]] = Operand("o", number)

    # --- Blocks and the file ------------------------------------------------------------------------------------------

    def _procedure(self, name: Word) -> None:
        self._code.open_procedure(Name(name[0], self._line.span(name)))

    def _else(self) -> None:
        self._code.divide_block(self._line.span(self._directive))

    def _end(self) -> None:
        if self._array is not None:
            # Place the array, missing elements as zeros.
            array = self._array
            self._array = None
            size = array.size or len(array.elements)
            try:
                if size == 0:
                    raise _misplaced(array.name, "the array is empty")
                first = allocate(self._registers.downward, "c", size, array.name)
            except Mistake as mistake:
                # It is in another line.
                array.line.report(mistake)
                raise Reported from None
            self._names.names.values[array.name[0]] = Operand("c", first)
            elements = array.elements + [(0, 0, 0, 0)] * (size - len(array.elements))
            self.shader.constants += [Constant("c", first + index, values) for index, values in enumerate(elements)]
        else:
            self._code.close_block(self._line.span(self._directive))

    def _entry(self, name: Word) -> None:
        self.entry = Name(name[0], self._line.span(name))

    def _no_executable(self) -> None:
        self.has_executable = False

    def _geometry(self, kind: Word | None, first: syntax.Register | None = None, *more: Any) -> None:
        if self.shader.geometry:
            raise _misplaced(self._directive, "there is a '.gsh' before")
        if kind is None or first is None:
            # The form of old texts: it may stand anywhere, and the uniforms are the vertex shader's.
            self.shader.geometry = Geometry("point")
            return
        if self._names.names.values or self.shader.constants or self.shader.outputs:
            raise _misplaced(self._directive, "'.gsh' stands before all uniforms, constants and outputs")
        self._has_own_uniforms = True
        self._uniforms = Uniforms()
        self._registers = Registers(self._uniforms.free)
        self._uniforms.free["c"] = self._reader.register_number(first, "c")
        array = sum(self._reader.register_number(one, "c") for one in more if isinstance(one, syntax.Register))
        vertices = [one for one in more if not isinstance(one, syntax.Register)]
        count = sum(in_range(one, "the number of vertices", 1, 255) for one in vertices)
        self.shader.geometry = Geometry(GEOMETRY_KINDS[kind[0].lower()], array, count)


def _array_size(size: Word, bank: str) -> int:
    return in_range(size, "the size of an array", 1, BANKS[bank])


def _values(numbers: Iterable[Word], bank: str) -> tuple[int, ...]:
    """Patterns of floats, or bytes."""
    if bank == "c":
        return tuple(pattern_of(real(number)) for number in numbers)
    return tuple(in_range(number, "the integer", -(2**31), 2**32 - 1) % 256 for number in numbers)


def _lowest_free(taken: int, count: int, name: Word, what: str) -> int:
    free = next((register for register in range(count) if not taken >> register & 1), None)
    if free is None:
        raise _excess(name, count + 1, what, count)
    return free


def _misplaced(word: Word, what: str) -> Mistake:
    return Mistake(PICA200_BLOCK_STRUCTURE, word, what=what)


def _excess(word: Word, need: int, what: str, limit: object) -> Mistake:
    return Mistake(TOO_MANY, word, need=need, what=what, limit=limit)
