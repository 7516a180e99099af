"""Operands of assembly text: `-name[index].swizzle`, write masks, conditions.

`Reader` turns tokens into `Operand`s and checks which banks an operand of an instruction may name
(reference, section "operand rules").
"""

from __future__ import annotations

from typing import NoReturn

from backends.pica200.isa.asm.symbols import Names, Operand, report_no_register
from backends.pica200.isa.asm.text import Line
from backends.pica200.isa.descriptors import IDENTITY, Selector, mask_letters, pack_mask
from backends.pica200.isa.registers import BANKS
from compiler.diagnostics import DiagnosticSink, Span
from compiler.diagnostics.catalogue.machine import PICA200_MASK_ORDER, PICA200_OPERAND_RULE
from compiler.isa.lines import Rejected
from compiler.records import replace

#: The three alphabets of components.
_ALPHABETS = ("xyzw", "rgba", "stpq")
_COMPONENT = {letter: index for letters in _ALPHABETS for index, letter in enumerate(letters)}

#: Address registers in brackets, old spellings included, in lower case without the dot.
_RELATIVE = {"a0x": 1, "a0": 1, "a1": 2, "a0y": 2, "a2": 3, "al": 3, "lcnt": 3}
#: What MOVA may write, as masks.
_MOVA_MASKS = {"a0": "x", "a1": "y", "a01": "xy"}

_CONDITION_JOINS = {"||": 0, "|": 0, "&&": 1, "&": 1}
_ONLY_X, _ONLY_Y = 2, 3


class Reader:
    """Reads the operands of a line with the names defined so far."""

    def __init__(self, names: Names, sink: DiagnosticSink) -> None:
        self._names = names
        self._sink = sink

    # --- Registers ----------------------------------------------------------------------------------------------------

    def operand(self, line: Line) -> Operand:
        """`-name[index].swizzle` without regard to where it stands."""
        start = line.token.span
        negated = line.accept("-") is not None
        found = self._names.operand(line.name("a register"))
        operand = replace(found, negated=found.negated != negated, letters="")
        while line.accept("["):
            operand = self._indexed(line, operand)
        if operand.index >= BANKS[operand.bank]:
            report_no_register(self._sink, start.to(line.previous.span), operand.bank, operand.index)
            raise Rejected
        if line.accept("."):
            letters = self._letters(line)
            selector = tuple(operand.selector[_COMPONENT[letter]] for letter in letters)
            operand = replace(operand, selector=_repeat_last(selector), letters=letters)
        return replace(operand, span=start.to(line.previous.span))

    def _indexed(self, line: Line, operand: Operand) -> Operand:
        """What follows an opening bracket: a number, or an address register with an optional `+ number`."""
        if line.token.kind == "number":
            operand = operand.moved(line.integer("a register offset"))
            line.expect("]")
            return operand
        start = line.token
        spelling = line.name("an offset or address register").text
        if line.accept("."):
            spelling += line.name("x or y").text
        relative = _RELATIVE.get(spelling.lower())
        if relative is None or operand.relative:
            self.report_rule(start.span, f"'{spelling}'", "an index", "one of a0.x, a0.y and aL")
        offset = line.integer("a register offset") if line.accept("+") else 0
        line.expect("]")
        return replace(operand.moved(offset), relative=relative)

    def _letters(self, line: Line) -> str:
        """One to four component letters, in the alphabet xyzw."""
        token = line.name("components")
        letters = token.text.lower()
        if len(letters) > 4 or not any(set(letters) <= set(alphabet) for alphabet in _ALPHABETS):
            self.report_rule(token.span, f"'{token.text}'", "a swizzle", "one to four of xyzw, rgba or stpq")
        return "".join(_ALPHABETS[0][_COMPONENT[letter]] for letter in letters)

    def source(self, line: Line) -> Operand:
        """A readable register."""
        operand = self.operand(line)
        if operand.bank not in "vrc":
            self.report_rule(operand.span, operand.text, "a source", "v, r and c registers")
        return operand

    def destination(self, line: Line) -> tuple[Operand, int]:
        """A register to write, and the mask of its components."""
        operand = self.operand(line)
        written = _repeat_last(tuple(map(_COMPONENT.__getitem__, operand.letters))) if operand.letters else IDENTITY
        if operand.bank not in "or":
            self.report_rule(operand.span, operand.text, "a destination", "o and r registers")
        if operand.negated or operand.relative or operand.selector != written:
            self.report_rule(operand.span, "a modified register", "a destination", "plain o and r registers")
        return operand, self.mask(operand.letters, operand.span)

    def mask(self, letters: str, span: Span | None) -> int:
        """The write mask of these letters, all components for none."""
        mask = pack_mask(letters or "xyzw")
        if letters and letters != mask_letters(mask):
            self._sink.report(PICA200_MASK_ORDER, span, found=letters, meaning=mask_letters(mask))
        return mask

    def output_mask(self, line: Line) -> str:
        """Letters of a component list after an optional dot, in order; all without it."""
        if not line.accept("."):
            return "xyzw"
        letters = self._letters(line)
        return mask_letters(self.mask(letters, line.previous.span))

    def address_mask(self, line: Line) -> int:
        """The destination of MOVA."""
        token = line.name("a0.x, a0.y or a0.xy")
        letters = _MOVA_MASKS.get(token.text.lower())
        if letters and token.text.lower() == "a0" and line.accept("."):
            letters = self._letters(line)
        if not letters or not set(letters) <= set("xy"):
            self.report_rule(token.span, f"'{token.text}'", "a destination of mova", "a0.x, a0.y or a0.xy")
        return self.mask(letters, token.span)

    def register_number(self, line: Line, bank: str) -> int:
        """A register of one bank, by itself."""
        operand = self.operand(line)
        if operand.bank != bank or operand.relative or operand.negated or operand.letters:
            self.report_rule(operand.span, operand.text, "named here", f"plain {bank} registers")
        return operand.index

    def report_rule(self, span: Span | None, found: str, role: str, allowed: str) -> NoReturn:
        """Report an operand where it may not be, and give the statement up."""
        self._sink.report(PICA200_OPERAND_RULE, span, found=found, role=role, allowed=allowed)
        raise Rejected

    # --- Conditions ---------------------------------------------------------------------------------------------------

    def condition(self, line: Line) -> dict[str, int]:
        """Fields of `!cmp.x && cmp.y`; a flag that is not tested has reference value 1."""
        first, value = self._flag(line)
        fields = {"refx": 1, "refy": 1, f"ref{first}": value, "condop": _ONLY_X if first == "x" else _ONLY_Y}
        join = line.accept(*_CONDITION_JOINS)
        if join is None:
            return fields
        start = line.token.span
        second, value = self._flag(line)
        if second == first:
            self.report_rule(start, f"cmp.{first}", "tested twice", "each flag once")
        fields.update({f"ref{second}": value, "condop": _CONDITION_JOINS[join.text]})
        return fields

    def _flag(self, line: Line) -> tuple[str, int]:
        value = 0 if line.accept("!") else 1
        token = line.token
        if token.text.lower() != "cmp":
            line.unexpected("cmp.x or cmp.y")
        line.take()
        line.expect(".")
        component = line.name("x or y").text.lower()
        if component not in ("x", "y"):
            self.report_rule(token.span, f"cmp.{component}", "a condition", "cmp.x and cmp.y")
        return component, value


def _repeat_last(components: tuple[int, ...]) -> Selector:
    """Four components: the last given one repeated."""
    padded = components + components[-1:] * (4 - len(components))
    return padded[0], padded[1], padded[2], padded[3]


def two_inputs(operands: list[Operand]) -> tuple[Operand, Operand] | None:
    """Two different input registers among the sources, if there are."""
    inputs = [operand for operand in operands if operand.bank == "v"]
    return next(((inputs[0], other) for other in inputs[1:] if other.index != inputs[0].index), None)
