"""Words that numbers stand behind: what a machine without types moves, packs and tests, as floats and bools.

A register of such a machine is an int here, whatever is in it.  Once registers are values, a word that is read as a
float is followed to where it was made: a choice or a phi of words of floats is one of floats.  So it is with words of
which all bits are 0 or all are 1, which are conditions, and with the bytes of colours.  A byte or a half of a word that
a number was rounded to is this number: what a format rounds is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, bool_constant, float_constant, int_constant
from glslc_multi.compiler.ir.fold import fold, fold_components
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, Type
from glslc_multi.compiler.lifting.operations import Field, LiftedOperations, Origins

_SIGN_BIT, _MAGNITUDE, _REPLICATE = -(1 << 31), (1 << 31) - 1, 0x01010101
_LARGEST_BYTE, _BYTE, _HALF, _WORD = 255, 8, 16, 32
_NOUGHT = float_constant(0.0)
_CHOICES = (ops.SELECT, ops.PHI)
_LOGIC: dict[Opcode, Opcode] = {ops.IAND: ops.AND, ops.IOR: ops.OR, ops.IXOR: ops.XOR, ops.INOT: ops.NOT}
_FLOAT_TESTS: dict[Opcode, Opcode] = {ops.IEQ: ops.FEQ, ops.INE: ops.FNE, ops.ILT: ops.FLT}
_TESTS = (*_FLOAT_TESTS, ops.ULT)


class _Test(NamedTuple):
    """A comparison of a word with a number, the word being the first operand or the second one."""

    op: Opcode
    number: int
    is_first: bool = True

    def outcome(self, word: int) -> bool:
        """Return what the comparison says of a word."""
        pair = (word, self.number) if self.is_first else (self.number, word)
        folded = fold_components(self.op, BOOL, None, [(each,) for each in pair])
        assert folded is not None
        return bool(folded.components[0])


class _Reading(NamedTuple):
    """What a word is read as: a float, the number that was rounded to a field of it, or what a test says of it."""

    kind: Literal["number", "field", "test"]
    field: Field = Field(0, _WORD)
    #: Whether the share of 1 behind a byte is to be within 0...1, as the byte is.
    is_limited: bool = False
    test: _Test = _Test(ops.ILT, 0)

    @property
    def type(self) -> Type:
        return BOOL if self.kind == "test" else FLOAT


_NUMBER, _SIGN = _Reading("number"), _Reading("test")
_Key = tuple[Value, _Reading]


class _Plan(NamedTuple):
    """Which other readings one is made of, and how."""

    parts: Sequence[_Key]
    make: Callable[..., Value]


def read_words(function: Function, origins: Origins) -> None:
    """Let what reads a word have the number or the condition behind it."""
    _fold_numbers(function, origins)
    words = _Words(origins)
    masks = _closed(function, lambda i: i.op in _CHOICES or i.op in _LOGIC, lambda n: n in (0, -1))
    for instruction in list(function.instructions()):
        if instruction.op is ops.IAND and instruction not in masks:
            words.choose_by(instruction, masks)
    floats = _closed(function, _keeps_floats, lambda n: True)
    choices = _closed(function, lambda i: i.op in _CHOICES, lambda n: True)
    for instruction in list(function.instructions()):
        number: Value | None = None
        if instruction in origins.fields:
            number = words.read(instruction.operands[0], _Reading("field", origins.fields[instruction]))
        elif instruction.op is ops.BITCAST_ITOF:
            number = words.read(instruction.operands[0], _NUMBER)
        elif instruction.op is ops.ITOF and instruction.operands[0] in origins.numbers:
            number = origins.numbers[instruction.operands[0]]
        elif instruction.op is ops.ITOF:
            number = words.read_byte(instruction)
        elif instruction.op in _TESTS:
            number = words.read_test(instruction, masks, floats, choices)
        if number is not None and number is not instruction:
            instruction.replace_all_uses_with(number)


class _Words:
    """The readings of words, each made once."""

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._readings: dict[_Key, Value] = {}

    def read(self, word: Value, reading: _Reading) -> Value:
        """Return a reading, made where the word is."""
        phis: list[tuple[Instruction, _Key]] = []
        waiting: list[_Key] = [(word, reading)]
        while waiting:
            key = waiting[-1]
            value, how = key
            if key in self._readings:
                waiting.pop()
            elif isinstance(value, Constant):
                self._readings[key] = _of_constant(value, how)
            elif isinstance(value, Instruction) and value.op is ops.PHI:
                assert value.block is not None
                phi = Builder(value.block).phi(how.type)
                self._readings[key] = phi
                phis.append((phi, key))
                waiting += [(operand, how) for operand in value.operands]
            else:
                assert isinstance(value, Instruction)
                plan = self._plan(value, how)
                missing = [part for part in plan.parts if part not in self._readings]
                if missing:
                    waiting += missing
                else:
                    self._readings[key] = plan.make(
                        _builder_after(value), *(self._readings[part] for part in plan.parts)
                    )
        for phi, (value, how) in phis:
            assert isinstance(value, Instruction)
            for operand, block in value.incoming():
                phi.add_incoming(self._readings[operand, how], block)
        return self._readings[word, reading]

    # --- What readings are made of ------------------------------------------------------------------------------------

    def _plan(self, word: Instruction, reading: _Reading) -> _Plan:
        """Return what a reading of a word is made of."""
        if word.op is ops.SELECT:
            condition, x, y = word.operands
            parts = [(x, reading), (y, reading)]
            return _Plan(parts, lambda b, x, y: _choice(condition, x, y, b))
        if reading.kind == "number":
            return self._number_plan(word)
        return _test_plan(word, reading) if reading.kind == "test" else self._field_plan(word, reading)

    def _number_plan(self, word: Instruction) -> _Plan:
        """The float that a word is the bits of."""
        operands = word.operands
        number = _whole(operands[1]) if len(operands) == 2 else None
        if word.op is ops.BITCAST_FTOI:
            return _Plan((), lambda b: operands[0])
        if word.op is ops.IXOR and number == _SIGN_BIT:
            return _Plan([(operands[0], _NUMBER)], lambda b, x: b.op(ops.FNEG, x))
        if word.op is ops.IAND and number == _MAGNITUDE:
            return _Plan([(operands[0], _NUMBER)], lambda b, x: b.op(ops.FABS, x))
        if word in self._origins.moved:
            distance = self._origins.moved[word]
            return _Plan([(operands[0], _NUMBER)], lambda b, x: LiftedOperations(b, self._origins).moved(x, distance))
        return _Plan((), lambda b: b.op(ops.BITCAST_ITOF, word))

    def _field_plan(self, word: Instruction, reading: _Reading) -> _Plan:
        """What was rounded to a field; 0 of one that is known to be empty."""
        shift, width = reading.field
        bits, nothing = ((1 << width) - 1) << shift, _Plan((), lambda b: _NOUGHT)

        def at(operand: Value, place: int) -> _Plan:
            return _Plan([(operand, reading._replace(field=Field(place, width)))], lambda b, x: x)

        if word in self._origins.shares and width == _BYTE:
            return nothing if shift else _share_plan(self._origins.shares[word], reading.is_limited)
        if word.op is ops.FTOI and width in (_HALF, _WORD) and not shift:
            return _Plan((), lambda b: word.operands[0])
        operands = word.operands
        number = _whole(operands[1]) if len(operands) == 2 else None
        match word.op:
            case ops.IOR:
                parts = [(operand, reading) for operand in operands]
                return _Plan(parts, lambda b, x, y: _only(x, y) or _field_of(word, reading, b))
            case ops.IAND if number is not None and number & bits in (0, bits):
                return at(operands[0], shift) if number & bits else nothing
            case ops.ISHL if number is not None and shift >= number:
                return at(operands[0], shift - number)
            case ops.ISHL if number is not None and shift + width <= number:
                return nothing
            case ops.USHR if number is not None and shift + number + width <= _WORD:
                return at(operands[0], shift + number)
            case ops.USHR if number is not None and shift + number >= _WORD:
                return nothing
            case ops.IMUL if (
                number == _REPLICATE and width == _BYTE and not shift % _BYTE and self._is_byte(operands[0])
            ):
                return at(operands[0], 0)
        return _Plan((), lambda b: _field_of(word, reading, b))

    def _is_byte(self, value: Value) -> bool:
        """Tell whether only the lowest byte of a word can have bits that are set."""
        if value in self._origins.shares:
            return True
        return isinstance(value, Instruction) and value.op is ops.IAND and _whole(value.operands[1]) == _LARGEST_BYTE

    # --- What reads words ---------------------------------------------------------------------------------------------

    def choose_by(self, both: Instruction, masks: Collection[Value]) -> None:
        """Let what is kept where a condition holds be a choice."""
        for mask, other in (both.operands, both.operands[::-1]):
            if mask in masks:
                chosen = Builder.before(both).op(ops.SELECT, self.read(mask, _SIGN), other, int_constant(0))
                both.replace_all_uses_with(chosen)
                return

    def read_byte(self, number: Instruction) -> Value | None:
        """Let what divides a byte by the largest one be the share behind it; return this many 255ths for the others."""
        value, shift = number.operands[0], 0
        if not isinstance(value, Instruction) or value.op is not ops.IAND or _whole(value.operands[1]) != _LARGEST_BYTE:
            return None
        value = value.operands[0]
        if isinstance(value, Instruction) and value.op is ops.USHR and (count := _whole(value.operands[1])) is not None:
            value, shift = value.operands[0], count
        if not self._holds_shares(value):
            return None
        share = self.read(value, _Reading("field", Field(shift, _BYTE), is_limited=True))
        largest = float_constant(float(_LARGEST_BYTE))
        for quotient in [user for user in number.users if user.op is ops.FDIV]:
            divisor = quotient.operands[1]
            if isinstance(divisor, Constant) and divisor.same_as(largest):
                quotient.replace_all_uses_with(share)
        return Builder.before(number).op(ops.FMUL, share, largest)

    def _holds_shares(self, word: Value) -> bool:
        """Tell whether some byte that a word is put together of is one that a number was rounded to."""
        seen: set[Value] = set()
        waiting = [word]
        while waiting:
            value = waiting.pop()
            if value in self._origins.shares:
                return True
            if isinstance(value, Instruction) and value not in seen:
                seen.add(value)
                if value.op in (*_CHOICES, ops.IOR, ops.IAND, ops.ISHL, ops.USHR, ops.IMUL):
                    waiting += value.operands
        return False

    def read_test(
        self, test: Instruction, masks: Collection[Value], floats: Collection[Value], choices: Collection[Value]
    ) -> Value | None:
        """Return a comparison with a constant as one of what stands behind a word."""
        for word, constant in (test.operands, test.operands[::-1]):
            number = _whole(constant)
            if number is None or isinstance(word, Constant):
                continue
            own, b = _Test(test.op, number, word is test.operands[0]), Builder.before(test)
            if word in masks:
                if own.outcome(0) == own.outcome(-1):
                    return bool_constant(own.outcome(0))
                sign = self.read(word, _SIGN)
                return sign if own.outcome(-1) else b.op(ops.NOT, sign)
            if word in choices:
                return self.read(word, _Reading("test", test=own))
            if word in floats and number == 0 and test.op in _FLOAT_TESTS:
                pair = (self.read(word, _NUMBER), _NOUGHT)
                return b.op(_FLOAT_TESTS[test.op], *(pair if own.is_first else pair[::-1]))
        return None


# --- Plans of words ---------------------------------------------------------------------------------------------------


def _share_plan(share: Value, is_limited: bool) -> _Plan:
    """The number that was rounded to a byte."""
    if isinstance(share, Instruction) and share.op is ops.BITCAST_ITOF:
        return _Plan([(share.operands[0], _NUMBER)], lambda b, x: b.op(ops.FSATURATE, x) if is_limited else x)
    is_limited = is_limited and not _is_texel(share)
    return _Plan((), lambda b: b.op(ops.FSATURATE, share) if is_limited else share)


def _test_plan(word: Instruction, reading: _Reading) -> _Plan:
    """What a test says: of signs, those of both operands tell."""
    if reading == _SIGN and word.op in _LOGIC:
        op = _LOGIC[word.op]
        return _Plan([(operand, _SIGN) for operand in word.operands], lambda b, *own: b.op(op, *own))
    op, number, is_first = reading.test
    pair = (word, int_constant(number)) if is_first else (int_constant(number), word)
    return _Plan((), lambda b: b.op(op, *pair))


def _field_of(word: Value, reading: _Reading, b: Builder) -> Value:
    """The field as it is: a byte's share of 1, or a half or a word with its sign."""
    shift, width = reading.field
    if width == _BYTE:
        moved = b.op(ops.USHR, word, int_constant(shift))
        byte = b.op(ops.ITOF, b.op(ops.IAND, moved, int_constant(_LARGEST_BYTE)))
        return b.op(ops.FDIV, byte, float_constant(float(_LARGEST_BYTE)))
    if width < _WORD:
        moved = b.op(ops.ISHL, word, int_constant(_WORD - width - shift))
        word = b.op(ops.ISHR, moved, int_constant(_WORD - width))
    return b.op(ops.ITOF, word)


def _of_constant(word: Constant, reading: _Reading) -> Constant:
    number = _whole(word) or 0
    if reading.kind == "test":
        return bool_constant(reading.test.outcome(number))
    if reading.kind == "number":
        (folded,) = [fold_components(ops.BITCAST_ITOF, FLOAT, None, [(number,)])]
        assert folded is not None
        return folded
    shift, width = reading.field
    field = number >> shift & (1 << width) - 1
    if width == _BYTE:
        return float_constant(field / _LARGEST_BYTE)
    return float_constant(float(field - (field >> width - 1 << width)))


def _choice(condition: Value, x: Value, y: Value, b: Builder) -> Value:
    """Make a choice, if it is one: not between the same number, or between what the condition says itself."""
    if isinstance(x, Constant) and isinstance(y, Constant) and (x.same_as(y) or x.type is BOOL):
        return x if x.same_as(y) else condition if x.components == (True,) else b.op(ops.NOT, condition)
    return b.op(ops.SELECT, condition, x, y)


def _only(x: Value, y: Value) -> Value | None:
    """Return the one of two numbers beside which the other is 0; None where neither is."""
    for one, other in ((x, y), (y, x)):
        if isinstance(other, Constant) and other.components == (0.0,):
            return one
    return None


# --- Which words are what ---------------------------------------------------------------------------------------------


def _closed(function: Function, is_part: Callable[[Instruction], bool], is_number: Callable[[int], bool]) -> set[Value]:
    """Return the words that are put together of parts, of the bits of floats where these are parts, and of numbers."""
    words = {i for i in function.instructions() if i.type is INT and is_part(i)}
    waiting = list(words)
    while waiting:
        word = waiting.pop()
        if word not in words or word.op is ops.BITCAST_FTOI:
            continue
        operands = word.operands[1:] if word.op is ops.SELECT else word.operands
        own = [(operand, _whole(operand)) for operand in (operands[:1] if _changes_sign(word) else operands)]
        if any(operand not in words if number is None else not is_number(number) for operand, number in own):
            words.discard(word)
            waiting += [user for user in word.users if user in words]
    return set(words)


def _keeps_floats(word: Instruction) -> bool:
    """Tell whether a word is the bits of a float if those are that it is made of."""
    return word.op is ops.BITCAST_FTOI or word.op in _CHOICES or _changes_sign(word)


def _changes_sign(word: Instruction) -> bool:
    """Tell whether nothing but the sign of a float is another one, or is cleared."""
    number = _whole(word.operands[1]) if len(word.operands) == 2 else None
    return (word.op is ops.IXOR and number == _SIGN_BIT) or (word.op is ops.IAND and number == _MAGNITUDE)


def _fold_numbers(function: Function, origins: Origins) -> None:
    """Compute words of numbers, and let sums of numbers and a choice of numbers be a choice of sums."""
    for instruction in list(function.instructions()):
        if instruction.type is not INT or instruction in origins.unnamed:
            continue
        word: Value | None = fold(instruction)
        match list(instruction.operands):
            case [
                Instruction(op=ops.SELECT, operands=[condition, Constant() as x, Constant() as y]),
                Constant() as number,
            ] if instruction.op in (ops.IADD, ops.ISUB):
                one, other = (
                    fold_components(instruction.op, INT, None, [each.components, number.components]) for each in (x, y)
                )
                if one is not None and other is not None:
                    word = Builder.before(instruction).op(ops.SELECT, condition, one, other)
        if word is not None:
            instruction.replace_all_uses_with(word)


def _is_texel(share: Value) -> bool:
    """Tell whether a number is a channel of a texel, which is a share of 1 already."""
    value, _ = source(share, 0)
    return isinstance(value, Instruction) and value.op is ops.TEXTURE


def _whole(value: Value) -> int | None:
    """The number that an int is, where it is known."""
    return int(value.components[0] or 0) if isinstance(value, Constant) and value.type is INT else None


def _builder_after(value: Instruction) -> Builder:
    """A builder whose instructions follow a value that is no phi."""
    assert value.block is not None
    builder = Builder(value.block, value.next)
    builder.span, builder.flags = value.span, value.flags
    return builder
