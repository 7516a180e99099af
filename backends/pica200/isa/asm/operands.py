"""Operands of assembly text: `-name[index].swizzle`, write masks, conditions.

`Reader` turns what the grammar has read into `Operand`s and checks which banks an operand of an instruction may name
(reference, section "operand rules").
"""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.asm import syntax
from glslc_multi.backends.pica200.isa.asm.symbols import Operand, RegisterNames, checked
from glslc_multi.backends.pica200.isa.descriptors import mask_letters, pack_mask
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_MASK_ORDER, PICA200_OPERAND_RULE
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.components import COMPONENTS, swizzle_of
from glslc_multi.compiler.isa.mistakes import Mistake, Place, Word
from glslc_multi.compiler.isa.numbers import in_range, whole_number
from glslc_multi.compiler.records import replace

#: The three alphabets of components.
_ALPHABETS = (COMPONENTS, "rgba", "stpq")

#: Address registers in brackets, old spellings included, in lower case without the dot.
_RELATIVE = {"a0x": 1, "a0": 1, "a1": 2, "a0y": 2, "a2": 3, "al": 3, "lcnt": 3}
#: What MOVA may write, as masks.
_MOVA_MASKS = {"a0": "x", "a1": "y", "a01": "xy"}

_CONDITION_JOINS = {"||": 0, "|": 0, "&&": 1, "&": 1}
_ONLY_X, _ONLY_Y = 2, 3


def real(number: Word) -> float:
    """A float; hexadecimal digits are a whole number."""
    text = "".join(number[0].split()).lstrip("+")
    digits = text.lstrip("-")
    size = float(whole_number(digits[2:], 16) if digits[:2] in ("0x", "0X") else digits)
    return -size if text.startswith("-") else size


def misused(place: Place, found: str, role: str, allowed: str) -> Mistake:
    """An operand where it may not be."""
    return Mistake(PICA200_OPERAND_RULE, place, found=found, role=role, allowed=allowed)


class Reader:
    """Reads the operands of a line with the names defined so far."""

    def __init__(self, names: RegisterNames) -> None:
        self._names = names

    # --- Registers ----------------------------------------------------------------------------------------------------

    def operand(self, register: syntax.Register) -> Operand:
        """`-name[index].swizzle` without regard to where it stands."""
        named = self._names.operand(register.name)
        negated = named.negated != (register.minus is not None)
        operand = replace(named, negated=negated, letters="", place=register.place)
        for index in register.indices[::2]:
            operand = _indexed(operand, index)
        checked(operand, register.place)
        if register.letters is None:
            return operand
        letters = component_letters(register.letters)
        x, y, z, w = (operand.selector[component] for component in swizzle_of(letters))
        return replace(operand, selector=(x, y, z, w), letters=letters)

    def source(self, register: syntax.Register) -> Operand:
        """A readable register."""
        operand = self.operand(register)
        if operand.bank not in "vrc":
            raise misused(operand.place, operand.text, "a source", "v, r and c registers")
        return operand

    def destination(self, line: Line, register: syntax.Register) -> tuple[Operand, int]:
        """A register to write, and the mask of its components."""
        operand = self.operand(register)
        if operand.bank not in "or":
            raise misused(operand.place, operand.text, "a destination", "o and r registers")
        if operand.negated or operand.relative:
            raise misused(operand.place, "a modified register", "a destination", "plain o and r registers")
        # An alias may select components, too.
        letters = "".join(COMPONENTS[component] for component in dict.fromkeys(operand.selector))
        return operand, write_mask(line, letters, operand.place)

    def register_number(self, register: syntax.Register, bank: str) -> int:
        """A register of one bank, by itself."""
        operand = self.operand(register)
        if operand.bank != bank or operand.relative or operand.negated or operand.letters:
            raise misused(operand.place, operand.text, "named here", f"plain {bank} registers")
        return operand.index


def _indexed(operand: Operand, index: Word | syntax.Address) -> Operand:
    """An operand with what stands in brackets: a number, or an address register with an optional `+ number`."""
    if not isinstance(index, syntax.Address):
        return operand.moved(_offset(index))
    spelling = index.name[0] + (index.component[0] if index.component is not None else "")
    relative = _RELATIVE.get(spelling.lower())
    if relative is None or operand.relative:
        raise misused(index.name, f"'{spelling}'", "an index", "one of a0.x, a0.y and aL")
    return replace(operand.moved(0 if index.offset is None else _offset(index.offset)), relative=relative)


def _offset(number: Word) -> int:
    return in_range(number, "the register offset", 0, 0xFFFF)


def component_letters(word: Word) -> str:
    """One to four component letters, in the alphabet xyzw."""
    letters: str = word[0].lower()
    for alphabet in _ALPHABETS:
        if len(letters) <= len(COMPONENTS) and set(letters) <= set(alphabet):
            return letters.translate(str.maketrans(alphabet, COMPONENTS))
    raise misused(word, f"'{word[0]}'", "a swizzle", "one to four of xyzw, rgba or stpq")


def write_mask(line: Line, letters: str, place: Place) -> int:
    """The write mask of these letters, all components for none."""
    mask = pack_mask(letters or COMPONENTS)
    if letters and letters != mask_letters(mask):
        line.report(Mistake(PICA200_MASK_ORDER, place, found=letters, meaning=mask_letters(mask)))
    return mask


def address_mask(line: Line, destination: syntax.AddressDestination) -> int:
    """The destination of MOVA."""
    name = destination.name
    letters = _MOVA_MASKS.get(name[0].lower())
    if destination.letters is not None:
        letters = component_letters(destination.letters) if name[0].lower() == "a0" else None
    if not letters or not set(letters) <= set("xy"):
        raise misused(name, f"'{name[0]}'", "a destination of mova", "a0.x, a0.y or a0.xy")
    return write_mask(line, letters, name)


# --- Conditions -------------------------------------------------------------------------------------------------------


def condition_fields(condition: syntax.Condition) -> dict[str, int]:
    """Fields of `!cmp.x && cmp.y`; a flag that is not tested has reference value 1."""
    first, value = _flag(condition.first)
    fields = {"refx": 1, "refy": 1, f"ref{first}": value, "condop": _ONLY_X if first == "x" else _ONLY_Y}
    if condition.join is None or condition.second is None:
        return fields
    second, value = _flag(condition.second)
    if second == first:
        raise misused(condition.second, f"cmp.{first}", "tested twice", "each flag once")
    fields.update({f"ref{second}": value, "condop": _CONDITION_JOINS[condition.join[0]]})
    return fields


def _flag(flag: Word) -> tuple[str, int]:
    component = flag["component"].lower()
    if component not in ("x", "y"):
        raise misused(flag, f"cmp.{component}", "a condition", "cmp.x and cmp.y")
    return component, int(flag["inverted"] is None)


def two_inputs(operands: list[Operand]) -> tuple[Operand, Operand] | None:
    """Two different input registers among the sources, if there are."""
    inputs = [operand for operand in operands if operand.bank == "v"]
    return next(((inputs[0], other) for other in inputs[1:] if other.index != inputs[0].index), None)
