"""Directive lines: what a shader's inputs, outputs, uniforms and constants are, and its blocks.

`Directives` holds the state of one file and adds to its `Executable`; code goes to the shared `Code`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from backends.pica200.isa import numbers
from backends.pica200.isa.asm.operands import Reader
from backends.pica200.isa.asm.symbols import UNIFORM_BANKS, Names, Operand, Registers, allocate
from backends.pica200.isa.asm.text import Line
from backends.pica200.isa.code import Code
from backends.pica200.isa.program import (
    SEMANTICS,
    UNIFORM_BASE,
    Constant,
    ConstantBank,
    Executable,
    Geometry,
    GeometryKind,
    Output,
    Uniform,
)
from backends.pica200.isa.registers import BANKS, COMPONENTS, MAPPED_OUTPUTS
from compiler.diagnostics import DiagnosticSink, Span
from compiler.diagnostics.catalogue.machine import (
    PICA200_BLOCK_STRUCTURE,
    PICA200_TOO_MANY,
    PICA200_UNKNOWN_STATEMENT,
)
from compiler.diagnostics.suggest import did_you_mean
from compiler.isa.lines import Rejected, Token
from compiler.records import dataclass, field

_BY_NAME = {name: number for number, name in SEMANTICS.items()}
#: Every spelling of an output's property -> its number.
_PROPERTIES: Mapping[str, int] = {
    **_BY_NAME,
    **{name.replace("texcoord", "tcoord"): number for name, number in _BY_NAME.items()},
    "pos": _BY_NAME["position"],
    "nquat": _BY_NAME["normalquat"],
    "clr": _BY_NAME["color"],
}
_GEOMETRY_KINDS: Mapping[str, GeometryKind] = {
    "point": "point",
    "variable": "variable",
    "subdivision": "variable",
    "fixed": "fixed",
    "particle": "fixed",
}
_TRUTH: Mapping[str, int] = {"true": 1, "on": 1, "1": 1, "false": 0, "off": 0, "0": 0}

#: Outputs of geometry shaders are o0 to o6.


@dataclass(slots=True)
class Uniforms:
    """Uniform names and registers that files of one stage share."""

    free: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNIFORM_BANKS, 0))
    #: Name, bank and size -> first register.
    operands: dict[tuple[str, str, int], Operand] = field(default_factory=dict)


@dataclass(slots=True)
class _Array:
    """A `.constfa` block that is open."""

    name: Token
    #: None: as many as are given.
    size: int | None
    elements: list[tuple[int, ...]] = field(default_factory=list)


class Directives:
    """Assembles the directive lines of one file."""

    def __init__(self, code: Code, names: Names, reader: Reader, uniforms: Uniforms, sink: DiagnosticSink) -> None:
        self._code = code
        self._names = names
        self._reader = reader
        self._sink = sink
        self._uniforms = uniforms
        self._registers = Registers(uniforms.free)
        self._array: _Array | None = None
        self.shader = Executable()
        self.entry: Token | None = None
        #: False for a file of procedures only.
        self.has_executable = True
        self._forms: Mapping[str, Callable[[Line, Token], None]] = {
            "alias": self._alias,
            "fvec": lambda line, directive: self._declare_uniforms(line, "c"),
            "ivec": lambda line, directive: self._declare_uniforms(line, "i"),
            "bool": lambda line, directive: self._declare_uniforms(line, "b"),
            "constf": lambda line, directive: self._declare_constant(line, "c"),
            "consti": lambda line, directive: self._declare_constant(line, "i"),
            "constfa": self._constant_array,
            "setf": lambda line, directive: self._set_constant(line, "c"),
            "seti": lambda line, directive: self._set_constant(line, "i"),
            "setb": lambda line, directive: self._set_constant(line, "b"),
            "in": self._input,
            "out": self._output,
            "proc": lambda line, directive: self._code.open_procedure(line.name("the name of a procedure")),
            "else": lambda line, directive: self._code.divide_block(directive.span),
            "end": self._end,
            "entry": self._entry,
            "nodvle": self._no_executable,
            "gsh": self._geometry,
        }

    def assemble(self, line: Line) -> None:
        """One directive, its dot taken."""
        directive = line.name("a directive")
        form = self._forms.get(directive.text.lower())
        if form is None:
            hint = did_you_mean(directive.text.lower(), self._forms)
            self._sink.report(
                PICA200_UNKNOWN_STATEMENT, directive.span, kind="directive", name=f".{directive.text}", help=hint
            )
            raise Rejected
        form(line, directive)
        line.finish()

    def finish(self) -> None:
        """Report what the file left open, and sort the table of names."""
        if self._array is not None:
            self._sink.report(PICA200_BLOCK_STRUCTURE, self._array.name.span, what="the array has no '.end'")
        self._code.check_closed()
        self.shader.uniforms.sort(key=lambda uniform: uniform.first)

    # --- Names --------------------------------------------------------------------------------------------------------

    def _alias(self, line: Line, directive: Token) -> None:
        name = line.name("a new name")
        self._names.claim(name)
        self._names.operands[name.text] = self._reader.operand(line)

    def _declare_uniforms(self, line: Line, bank: str) -> None:
        while True:
            name = line.name("the name of a uniform")
            size = self._size(line, bank)
            self._names.claim(name)
            # A uniform that another file declared alike is the same one.
            operand = self._uniforms.operands.get((name.text, bank, size))
            if operand is None:
                operand = Operand(bank, allocate(self._registers.upward, bank, size, name.span, self._sink))
                self._uniforms.operands[name.text, bank, size] = operand
            self._names.operands[name.text] = operand
            self._add_name(name.text, operand, size)
            if not line.accept(","):
                return

    def _size(self, line: Line, bank: str) -> int:
        """The size of an array in brackets, 1 without."""
        if not line.accept("["):
            return 1
        size = line.integer("the size of an array", 1, BANKS[bank])
        line.expect("]")
        return size

    def _add_name(self, name: str, operand: Operand, size: int) -> None:
        """A row of the table of names; those that begin with `_` stay private."""
        if not name.startswith("_"):
            first = UNIFORM_BASE[operand.bank] + operand.index
            self.shader.uniforms.append(Uniform(name.replace("$", "."), first, first + size - 1))

    # --- Constants ----------------------------------------------------------------------------------------------------

    def _declare_constant(self, line: Line, bank: ConstantBank) -> None:
        name = line.name("the name of a constant")
        self._names.claim(name)
        values = self._tuple(line, bank)
        register = allocate(self._registers.downward, bank, 1, name.span, self._sink)
        self._names.operands[name.text] = Operand(bank, register)
        self.shader.constants.append(Constant(bank, register, values))

    def _set_constant(self, line: Line, bank: ConstantBank) -> None:
        register = self._reader.register_number(line, bank)
        values = (self._truth(line),) if bank == "b" else self._tuple(line, bank)
        self.shader.constants.append(Constant(bank, register, values))

    def _truth(self, line: Line) -> int:
        value = _TRUTH.get(line.token.text.lower())
        if value is None:
            line.unexpected("true or false")
        line.take()
        return value

    def _tuple(self, line: Line, bank: ConstantBank) -> tuple[int, ...]:
        """Four values in parentheses: patterns of floats, or bytes."""
        line.expect("(")
        values = [self._value(line, bank)]
        for _ in range(3):
            line.expect(",")
            values.append(self._value(line, bank))
        line.expect(")")
        return tuple(values)

    def _value(self, line: Line, bank: ConstantBank) -> int:
        if bank == "c":
            return numbers.pattern_of(line.real())
        return line.integer("an integer", -(2**31), 2**32 - 1) % 256

    def _constant_array(self, line: Line, directive: Token) -> None:
        if self._array is None:
            name = line.name("the name of an array")
            self._names.claim(name)
            line.expect("[")
            size = None if line.token.text == "]" else line.integer("the size of an array", 1, BANKS["c"])
            line.expect("]")
            self._array = _Array(name, size)
            return
        values = self._tuple(line, "c")
        if len(self._array.elements) == (self._array.size or BANKS["c"]):
            limit = self._array.size or BANKS["c"]
            self._reject_excess(directive.span, limit + 1, "elements", f"{limit} in this array")
        self._array.elements.append(values)

    def _close_array(self, array: _Array) -> None:
        """Place the array, missing elements as zeros."""
        self._array = None
        size = array.size or len(array.elements)
        if size == 0:
            self._reject(array.name.span, "the array is empty")
        first = allocate(self._registers.downward, "c", size, array.name.span, self._sink)
        self._names.operands[array.name.text] = Operand("c", first)
        elements = array.elements + [(0, 0, 0, 0)] * (size - len(array.elements))
        self.shader.constants += [Constant("c", first + index, values) for index, values in enumerate(elements)]

    # --- Inputs and outputs -------------------------------------------------------------------------------------------

    def _input(self, line: Line, directive: Token) -> None:
        name = line.name("the name of an input")
        self._names.claim(name)
        if line.token.kind == "name":
            register = self._reader.register_number(line, "v")
        else:
            register = self._lowest_free(self.shader.input_mask, BANKS["v"], name.span, "inputs")
        self.shader.input_mask |= 1 << register
        operand = Operand("v", register)
        self._names.operands[name.text] = operand
        self._add_name(name.text, operand, 1)

    def _output(self, line: Line, directive: Token) -> None:
        name = None if line.accept("-") else line.name("the name of an output or '-'")
        if name is not None:
            self._names.claim(name)
        semantic = self._property(line)
        letters = self._reader.output_mask(line)
        if line.token.kind == "name":
            operand, _ = self._reader.destination(line)
            if operand.bank != "o":
                self._reader.report_rule(operand.span, operand.text, "an output", "o registers")
            register = operand.index
            letters = operand.letters or COMPONENTS
        else:
            count = MAPPED_OUTPUTS if self.shader.geometry else BANKS["o"]
            register = self._lowest_free(self.shader.output_mask, count, directive.span, "outputs")
        self.shader.output_mask |= 1 << register
        mask = sum(1 << COMPONENTS.index(letter) for letter in set(letters))
        self.shader.outputs.append(Output(semantic, register, mask))
        if SEMANTICS[semantic] == "dummy" and self.shader.geometry is not None:
            self.shader.merges_outputs = True
        if name is not None:
            self._names.operands[name.text] = Operand("o", register)

    def _property(self, line: Line) -> int:
        token = line.name("the property of an output")
        number = _PROPERTIES.get(token.text.lower())
        if number is None:
            hint = did_you_mean(token.text.lower(), _PROPERTIES)
            self._sink.report(PICA200_UNKNOWN_STATEMENT, token.span, kind="output property", name=token.text, help=hint)
            raise Rejected
        return number

    def _lowest_free(self, taken: int, count: int, span: Span, what: str) -> int:
        free = next((register for register in range(count) if not taken >> register & 1), None)
        if free is None:
            self._reject_excess(span, count + 1, what, count)
        return free

    # --- Blocks and the file ------------------------------------------------------------------------------------------

    def _end(self, line: Line, directive: Token) -> None:
        if self._array is not None:
            self._close_array(self._array)
        else:
            self._code.close_block(directive.span)

    def _entry(self, line: Line, directive: Token) -> None:
        self.entry = line.name("the name of a procedure")

    def _no_executable(self, line: Line, directive: Token) -> None:
        self.has_executable = False

    def _geometry(self, line: Line, directive: Token) -> None:
        if self._names.operands or self.shader.constants or self.shader.outputs or self.shader.geometry:
            self._reject(directive.span, "'.gsh' stands before all uniforms, constants and outputs, once")
        token = line.token
        kind = _GEOMETRY_KINDS.get(token.text.lower())
        if kind is None:
            line.unexpected("point, variable or fixed")
        line.take()
        self._uniforms = Uniforms()
        self._registers = Registers(self._uniforms.free)
        self._uniforms.free["c"] = self._reader.register_number(line, "c")
        array = self._reader.register_number(line, "c") if kind == "fixed" else 0
        count = 0 if kind == "point" else line.integer("the number of vertices", 1, 255)
        self.shader.geometry = Geometry(kind, array, count)

    def _reject(self, span: Span, what: str) -> NoReturn:
        self._sink.report(PICA200_BLOCK_STRUCTURE, span, what=what)
        raise Rejected

    def _reject_excess(self, span: Span, need: int, what: str, limit: object) -> NoReturn:
        self._sink.report(PICA200_TOO_MANY, span, need=need, what=what, limit=limit)
        raise Rejected
