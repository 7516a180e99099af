"""Operands of assembly text: `-name[index].swizzle`, write masks, conditions.

`Reader` turns what the grammar has read into `Operand`s and checks which banks an operand of an instruction may name
(reference, section "operand rules").
"""

from __future__ import annotations

from backends.pica200.isa.asm import syntax
from backends.pica200.isa.asm.symbols import Names, Operand, no_register
from backends.pica200.isa.descriptors import IDENTITY, Selector, mask_letters, pack_mask
from backends.pica200.isa.registers import BANKS
from compiler.diagnostics.catalogue.machine import PICA200_MASK_ORDER, PICA200_OPERAND_RULE
from compiler.isa.assembly import Line, Mistake, Place, Word, unexpected, whole_number
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


def integer(number: syntax.Number, what: str, low: int = 0, high: int = 0xFFFF) -> int:
    """A whole number in a range."""
    text = number.word[0]
    size = whole_number(text[2:], 16) if text[:2] in ("0x", "0X") else whole_number(text)
    value = size if number.sign is None else -size
    if not low <= value <= high:
        raise unexpected(number.word, f"{what} from {low} to {high}", f"'{text}'")
    return value


def real(number: syntax.Number) -> float:
    text = number.word[0]
    if text[:2] in ("0x", "0X"):
        size = float(whole_number(text[2:], 16))
    else:
        size = float(text)
    return -size if number.sign is not None and number.sign[0] == "-" else size


def misused(place: Place, found: str, role: str, allowed: str) -> Mistake:
    """An operand where it may not be."""
    return Mistake(PICA200_OPERAND_RULE, place, found=found, role=role, allowed=allowed)


class Reader:
    """Reads the operands of a line with the names defined so far."""

    def __init__(self, names: Names) -> None:
        self._names = names

    # --- Registers ----------------------------------------------------------------------------------------------------

    def operand(self, register: syntax.Register) -> Operand:
        """`-name[index].swizzle` without regard to where it stands."""
        found = self._names.operand(register.name)
        operand = replace(found, negated=found.negated != (register.minus is not None), letters="")
        for index in register.indices:
            operand = _indexed(operand, index.value)
        if operand.index >= BANKS[operand.bank]:
            raise no_register(register.register_place, operand.bank, operand.index)
        if register.letters is not None:
            letters = component_letters(register.letters)
            selector = tuple(operand.selector[_COMPONENT[letter]] for letter in letters)
            operand = replace(operand, selector=_repeat_last(selector), letters=letters)
        return replace(operand, place=register.place)

    def source(self, register: syntax.Register) -> Operand:
        """A readable register."""
        operand = self.operand(register)
        if operand.bank not in "vrc":
            raise misused(operand.place, operand.text, "a source", "v, r and c registers")
        return operand

    def destination(self, line: Line, register: syntax.Register) -> tuple[Operand, int]:
        """A register to write, and the mask of its components."""
        operand = self.operand(register)
        written = _repeat_last(tuple(map(_COMPONENT.__getitem__, operand.letters))) if operand.letters else IDENTITY
        if operand.bank not in "or":
            raise misused(operand.place, operand.text, "a destination", "o and r registers")
        if operand.negated or operand.relative or operand.selector != written:
            raise misused(operand.place, "a modified register", "a destination", "plain o and r registers")
        return operand, write_mask(line, operand.letters, operand.place)

    def register_number(self, register: syntax.Register, bank: str) -> int:
        """A register of one bank, by itself."""
        operand = self.operand(register)
        if operand.bank != bank or operand.relative or operand.negated or operand.letters:
            raise misused(operand.place, operand.text, "named here", f"plain {bank} registers")
        return operand.index


def _indexed(operand: Operand, index: syntax.Number | syntax.Address) -> Operand:
    """An operand with what stands in brackets: a number, or an address register with an optional `+ number`."""
    if isinstance(index, syntax.Number):
        return operand.moved(integer(index, "a register offset"))
    spelling = index.name[0] + (index.component[0] if index.component is not None else "")
    relative = _RELATIVE.get(spelling.lower())
    if relative is None or operand.relative:
        raise misused(index.name, f"'{spelling}'", "an index", "one of a0.x, a0.y and aL")
    offset = integer(index.offset, "a register offset") if index.offset is not None else 0
    return replace(operand.moved(offset), relative=relative)


def component_letters(word: Word) -> str:
    """One to four component letters, in the alphabet xyzw."""
    letters = word[0].lower()
    if len(letters) > 4 or not any(set(letters) <= set(alphabet) for alphabet in _ALPHABETS):
        raise misused(word, f"'{word[0]}'", "a swizzle", "one to four of xyzw, rgba or stpq")
    return "".join(_ALPHABETS[0][_COMPONENT[letter]] for letter in letters)


def write_mask(line: Line, letters: str, place: Place) -> int:
    """The write mask of these letters, all components for none."""
    mask = pack_mask(letters or "xyzw")
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
        place = (condition.second.inverted or condition.second.name).span()
        raise misused(place, f"cmp.{first}", "tested twice", "each flag once")
    fields.update({f"ref{second}": value, "condop": _CONDITION_JOINS[condition.join[0]]})
    return fields


def _flag(flag: syntax.Flag) -> tuple[str, int]:
    component = flag.component[0].lower()
    if component not in ("x", "y"):
        raise misused(flag.name, f"cmp.{component}", "a condition", "cmp.x and cmp.y")
    return component, int(flag.inverted is None)


def _repeat_last(components: tuple[int, ...]) -> Selector:
    """Four components: the last given one repeated."""
    padded = components + components[-1:] * (4 - len(components))
    return padded[0], padded[1], padded[2], padded[3]


def two_inputs(operands: list[Operand]) -> tuple[Operand, Operand] | None:
    """Two different input registers among the sources, if there are."""
    inputs = [operand for operand in operands if operand.bank == "v"]
    return next(((inputs[0], other) for other in inputs[1:] if other.index != inputs[0].index), None)
