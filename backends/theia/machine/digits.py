"""What operations on digits mean, found in a lifted program: floors and remainders, signs and limits, texels.

In: a program in real numbers (`reals.py`), whose registers are values.  The word of a number, an integer, and the
number of a word stand around each of these operations; what has no other form remains as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN, WORD_MASK
from glslc_multi.backends.theia.machine.reals import TEXELS
from glslc_multi.backends.theia.machine.roots import read_roots
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.parts import Part, operands_of, pairs_of, vector_of
from glslc_multi.compiler.lifting.splats import narrow_splats

_STEP = 1 / ONE
_LANES = 3
#: An integer as a sum: products of these things, in order, and their factors.
_Polynomial = Mapping[tuple[str, ...], float]


def read_digits(module: Module, interface: Interface) -> None:
    """Let operations on digits be what they are made for."""
    narrow_splats(module.main)
    _read_texels(module.main, interface)
    for opcode, rewrite in (
        (ops.FMUL, _without_mask),
        (ops.FMUL, _scaled_choice),
        (ops.FMUL, _negative_part),
        (ops.FSUB, _largest),
        (ops.FSUB, _floor),
        (ops.FADD, _smallest),
        (ops.FADD, _restored),
    ):
        for instruction in list(module.main.instructions()):
            if instruction.op is opcode:
                value = rewrite(instruction, Builder.before(instruction))
                if value is not None:
                    instruction.replace_all_uses_with(value)
    module.variables.pop(TEXELS.name, None)
    read_roots(module.main)
    _forget_discarded(module.main)


def _forget_discarded(function: Function) -> None:
    """Leave undefined what pixels have that no colour leaves for, which are discarded in the end."""
    for kill in [each for each in function.instructions() if each.op is ops.KILL]:
        for flag in operands_of(Part.of(kill.operands[0], 0), ops.NOT):
            phi = flag.value
            # In another block it may be one of a loop, which goes on.
            if (
                not isinstance(phi, Instruction)
                or phi.op is not ops.PHI
                or phi.block is None
                or phi.block is not kill.block
            ):
                continue
            unwritten = [block for value, block in phi.incoming() if _known(Part.of(value, 0)) == 0.0]
            for other in phi.block.phis():
                # Each phi lists its ways in an order of its own.
                for block in unwritten if other is not phi else ():
                    other.set_operand(other.attribute.index(block), Constant.undef(other.type))


# --- Parts ------------------------------------------------------------------------------------------------------------


def _known(part: Part) -> float | None:
    """The number that a part is for all pixels."""
    value = part.value
    if isinstance(value, Constant):
        return value.components[0]
    if not isinstance(value, Instruction) or value.op.component is None or value.op.attribute != "none":
        return None
    components: list[tuple[float]] = []
    for operand, origin in zip(operands_of(part, value.op), value.operands, strict=True):
        number = _known(operand)
        if number is None:
            return None
        components.append((number if origin.type.kind == "float" else int(number),))
    folded = fold_components(value.op, value.type.scalar, None, components)
    return None if folded is None else folded.components[0]


def _scaled(part: Part, factor: float) -> Part | None:
    """What is multiplied with a constant."""
    for operand, other in pairs_of(part, ops.FMUL):
        if other.key == factor:
            return operand
    return None


def _word_of(part: Part) -> Part | None:
    """The number whose word an integer is."""
    whole = operands_of(part, ops.FTOI)
    return _scaled(whole[0], float(ONE)) if whole else None


def _integer_of(part: Part) -> Part | None:
    """The integer that is the word of a number."""
    scaled = _scaled(part, _STEP)
    integers = [] if scaled is None else operands_of(scaled, ops.ITOF)
    return integers[0] if integers else None


# --- Masks ------------------------------------------------------------------------------------------------------------


def _without_mask(product: Instruction, builder: Builder) -> Value | None:
    """The number of masked digits: a sign, or those of one run."""
    masks: set[int] = set()
    numbers: list[Part] = []
    for part in _components(product):
        integer = _integer_of(part)
        for word, other in () if integer is None else pairs_of(integer, ops.IAND):
            number, mask = _word_of(word), _known(other)
            if number is not None and mask is not None:
                numbers.append(number)
                masks.add(int(mask) & WORD_MASK)
                break
    mask = masks.pop() if len(masks) == 1 and len(numbers) == product.type.width else 0
    least = mask & -mask
    end = mask + least
    if not mask or (mask != SIGN and end & end - 1):
        return None
    x = vector_of(numbers, builder)
    step, limit = Constant.splat(x.type, least / ONE), Constant.splat(x.type, end / ONE)
    if mask == SIGN:
        zero = Constant.splat(x.type, 0.0)
        return builder.op(ops.SELECT, builder.op(ops.FLT, x, zero), Constant.splat(x.type, -SIGN / ONE), zero)
    if least == ONE:
        x = builder.op(ops.FFLOOR, x)
    elif least > 1:
        x = builder.op(ops.FMUL, builder.op(ops.FFLOOR, builder.op(ops.FDIV, x, step)), step)
    if end > WORD_MASK:
        return x
    return builder.op(ops.FFRACT, x) if end == ONE else builder.op(ops.FMOD, x, limit)


def _scaled_choice(product: Instruction, builder: Builder) -> Value | None:
    """The product of a choice between constants with one; with the smallest number what is before the point."""
    for pairs in zip(*(pairs_of(part, ops.FMUL) for part in _components(product)), strict=True):
        parts, factors = [pair[0] for pair in pairs], [_known(pair[1]) for pair in pairs]
        if set(factors) == {_STEP} and not any(operands_of(part, ops.ITOF) for part in parts):
            whole = builder.op(ops.ITOF, builder.op(ops.FTOI, vector_of(parts, builder)))
            return builder.op(ops.FMUL, whole, Constant.splat(whole.type, _STEP))
        choices = [operands_of(part, ops.SELECT) for part in parts]
        ends = [[_known(end) for end in choice[1:]] for choice in choices]
        if all(choices) and None not in (*factors, *(end for pair in ends for end in pair)):
            # Adding 0 makes the zero of a negative factor one without a sign.
            products = [
                [(end or 0.0) * (factor or 0.0) + 0.0 for end in pair]
                for pair, factor in zip(ends, factors, strict=True)
            ]
            first, second = (Constant(product.type, tuple(numbers)) for numbers in zip(*products, strict=True))
            return builder.op(ops.SELECT, vector_of([choice[0] for choice in choices], builder), first, second)
    return None


# --- Limits -----------------------------------------------------------------------------------------------------------


def _negative_part(product: Instruction, builder: Builder) -> Value | None:
    """What is below 0: a number times 1 where it is, else 0."""
    for pairs in zip(*(pairs_of(part, ops.FMUL) for part in _components(product)), strict=True):
        if all(_is_negative(mask, number) for mask, number in pairs):
            return builder.op(
                ops.FMIN, vector_of([number for _, number in pairs], builder), Constant.splat(product.type, 0.0)
            )
    return None


def _is_negative(mask: Part, number: Part) -> bool:
    """Tell whether a number is 1 where another one is below 0, else 0."""
    choice = operands_of(mask, ops.SELECT)
    less = operands_of(choice[0], ops.FLT) if choice else []
    return bool(less) and [part.key for part in (*less, *choice[1:])] == [number.key, 0.0, 1.0, 0.0]


def _largest(difference: Instruction, builder: Builder) -> Value | None:
    """The larger one of two numbers: x - min(x - y, 0), or x - min(x, 0)."""
    first, others = [], []
    for part in _components(difference):
        x, limited = operands_of(part, ops.FSUB)
        excess = _below_zero(limited)
        terms = [] if excess is None else operands_of(excess, ops.FSUB)
        if excess is not None and excess.key == x.key:
            others.append(Part(float_constant(0.0), 0, 0.0))
        elif terms and terms[0].key == x.key:
            others.append(terms[1])
        else:
            return None
        first.append(x)
    return builder.op(ops.FMAX, vector_of(first, builder), vector_of(others, builder))


def _floor(difference: Instruction, builder: Builder) -> Value | None:
    """What is before the point: a number without what is behind it."""
    terms = [operands_of(part, ops.FSUB) for part in _components(difference)]
    fractions = [operands_of(fraction, ops.FFRACT) for _, fraction in terms]
    if all(pair and pair[0].key == x.key for pair, (x, _) in zip(fractions, terms, strict=True)):
        return builder.op(ops.FFLOOR, vector_of([x for x, _ in terms], builder))
    return None


def _smallest(total: Instruction, builder: Builder) -> Value | None:
    """The smaller one of two numbers: y + min(x - y, 0)."""
    for pairs in zip(*(pairs_of(part, ops.FADD) for part in _components(total)), strict=True):
        terms = [operands_of(excess, ops.FSUB) if (excess := _below_zero(limited)) else [] for _, limited in pairs]
        if all(pair and pair[1].key == y.key for pair, (y, _) in zip(terms, pairs, strict=True)):
            return builder.op(
                ops.FMIN, vector_of([pair[0] for pair in terms], builder), vector_of([y for y, _ in pairs], builder)
            )
    return None


def _restored(total: Instruction, builder: Builder) -> Value | None:
    """What a number was before the same was taken from it: the middle of a pixel, of its corner."""
    for pairs in zip(*(pairs_of(part, ops.FADD) for part in _components(total)), strict=True):
        terms = [operands_of(difference, ops.FSUB) for difference, _ in pairs]
        if all(pair and pair[1].key == added.key for pair, (_, added) in zip(terms, pairs, strict=True)):
            return vector_of([pair[0] for pair in terms], builder)
    return None


def _below_zero(limited: Part) -> Part | None:
    """What is limited to 0 from above."""
    return next((number for number, limit in pairs_of(limited, ops.FMIN) if limit.key == 0.0), None)


def _components(value: Value) -> list[Part]:
    return [Part(value, component, None) for component in range(value.type.width)]


# --- Texels -----------------------------------------------------------------------------------------------------------


class _Texel(NamedTuple):
    """A texel at a coordinate, by two parts, and its channel."""

    u: Part
    v: Part
    channel: int


def _read_texels(main: Function, interface: Interface) -> None:
    """Look textures up where code reads the words of the nearest texel."""
    colours: dict[object, Value] = {}
    for load in [
        each for each in main.instructions() if each.op is ops.LOAD and each.address.variable.name == TEXELS.name
    ]:
        builder = Builder.before(load)
        texel = _texel(Part.of(load.operands[0], 0))
        if texel is None:
            load.replace_all_uses_with(_fetched(load.operands[0], interface, builder))
            load.erase()
            continue
        key = texel.u.key, texel.v.key, load.block
        if key not in colours:
            sampler, element = interface.sampler(0, False)
            colours[key] = builder.texture(sampler, vector_of(texel[:2], builder), index=element)
        load.replace_all_uses_with(builder.extract(colours[key], texel.channel))
        load.erase()


def _fetched(index: Value, interface: Interface, builder: Builder) -> Value:
    """A word of texture memory, by its address."""
    sampler, element = interface.sampler(0, False)
    size = builder.extract(builder.texture_size(sampler, int_constant(0), element), 0)
    count = int_constant(_LANES)
    texel, channel = builder.op(ops.IDIV, index, count), builder.op(ops.IREM, index, count)
    point = builder.construct(builder.op(ops.IREM, texel, size), builder.op(ops.IDIV, texel, size))
    colour = builder.texture(sampler, point, int_constant(0), mode="fetch", index=element)
    word: Value = builder.extract(colour, _LANES - 1)
    for number in range(_LANES - 1):
        is_this = builder.op(ops.IEQ, channel, int_constant(number))
        word = builder.op(ops.SELECT, is_this, builder.extract(colour, number), word)
    return word


def _texel(index: Part) -> _Texel | None:
    """The texel that is 3 (u + size v) + channel, where u and v are remainders of a coordinate times the size."""
    atoms: dict[str, Part] = {}
    sum = _polynomial(index, atoms)
    if sum is None:
        return None
    factors = dict(sum)
    channel = factors.pop((), 0.0)
    columns = [key for key in factors if len(key) == 1 and key != (_SIZE,)]
    rows = [key for key in factors if len(key) == 2 and _SIZE in key]
    if (
        len(factors) != 2
        or not columns
        or not rows
        or set(factors.values()) != {_LANES}
        or channel not in range(_LANES)
    ):
        return None
    (u,), (v,) = columns[0], [atom for atom in rows[0] if atom != _SIZE] or [""]
    return _Texel(atoms[u], atoms[v], int(channel)) if v in atoms else None


_SIZE = "size"


def _polynomial(integer: Part, atoms: dict[str, Part]) -> _Polynomial | None:
    """An integer as a sum of products."""
    number = _known(integer)
    if number is not None:
        return {(): number}
    word = _word_of(integer)
    if word is not None:
        return _sum(word, atoms)
    factors = [_polynomial(operand, atoms) for operand in operands_of(integer, ops.IMUL)]
    if factors and factors[0] is not None and factors[1] is not None:
        product: dict[tuple[str, ...], float] = {}
        for left, x in factors[0].items():
            for right, y in factors[1].items():
                key = tuple(sorted((*left, *right)))
                product[key] = product.get(key, 0.0) + x * y
        return product
    shifted = operands_of(integer, ops.USHR)
    if shifted and _known(shifted[1]) == FRACTION_BITS and (whole := _word_of(shifted[0])) is not None:
        return _whole(whole, atoms)
    return None


def _sum(number: Part, atoms: dict[str, Part]) -> _Polynomial | None:
    """The word of a number as a sum."""
    constant, integer = _known(number), _integer_of(number)
    if constant is not None:
        return {(): constant * ONE}
    if integer is not None:
        return _polynomial(integer, atoms)
    terms = [_sum(operand, atoms) for operand in operands_of(number, ops.FADD)]
    if not terms or terms[0] is None or terms[1] is None:
        return None
    return {key: terms[0].get(key, 0.0) + terms[1].get(key, 0.0) for key in {**terms[0], **terms[1]}}


def _whole(number: Part, atoms: dict[str, Part]) -> _Polynomial | None:
    """What is before the point: of the size, or of a coordinate in texels."""
    if _is_size(number):
        return {(_SIZE,): 1.0}
    coordinate = _coordinate(number)
    if coordinate is None:
        return None
    name = next((name for name, part in atoms.items() if part.key == coordinate.key), str(len(atoms)))
    atoms[name] = coordinate
    return {(name,): 1.0}


def _coordinate(number: Part) -> Part | None:
    """What is multiplied with the size, of the remainder."""
    integer = _integer_of(number)
    for word, mask in () if integer is None else pairs_of(integer, ops.IAND):
        texels, bound = _word_of(word), _word_of(mask)
        less = [] if bound is None else operands_of(bound, ops.FSUB)
        if texels is not None and less and _is_size(less[0]) and less[1].key == 1.0:
            for coordinate, size in pairs_of(texels, ops.FMUL):
                if _is_size(size):
                    return coordinate
    return None


def _is_size(number: Part) -> bool:
    sizes = operands_of(number, ops.ITOF)
    return bool(sizes) and isinstance(sizes[0].value, Instruction) and sizes[0].value.op is ops.TEXTURE_SIZE
