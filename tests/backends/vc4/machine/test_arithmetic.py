"""Each operation against a formula of its own: plain Python on single words."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from glslc_multi.backends.vc4.isa import instructions
from glslc_multi.backends.vc4.isa.packing import MUL_PACKS, PACKS, UNPACKS
from glslc_multi.backends.vc4.machine.arithmetic import QpuArithmetic
from glslc_multi.backends.vc4.machine.packing import packed, packed_product, saturated_sum, unpacked
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, quiet

QPU = QpuArithmetic(LANES)
MASK = 0xFFFFFFFF
INFINITY = 0x7F800000


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def value(word: int) -> float:
    """The float of a word; denormal numbers are zero."""
    return 0.0 if not word & INFINITY else float(struct.unpack("<f", struct.pack("<I", word))[0])


def word(number: float) -> int:
    """The word of a float that is rounded to nearest by the packer."""
    try:
        found: int = struct.unpack("<I", struct.pack("<f", number))[0]
    except OverflowError:
        found = INFINITY | (1 << 31 if number < 0 else 0)
    return found if found & INFINITY else 0


def in_bytes(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda x, y: int.from_bytes(
        bytes(function(p, q) for p, q in zip(x.to_bytes(4, "little"), y.to_bytes(4, "little"), strict=True)), "little"
    )


FORMULAS: Mapping[str, Callable[[int, int], int]] = {
    "fadd": lambda x, y: word(value(x) + value(y)),
    "fsub": lambda x, y: word(value(x) - value(y)),
    "fmin": lambda x, y: word(min(value(x), value(y))),
    "fmax": lambda x, y: word(max(value(x), value(y))),
    "fminabs": lambda x, y: word(min(abs(value(x)), abs(value(y)))),
    "fmaxabs": lambda x, y: word(max(abs(value(x)), abs(value(y)))),
    "ftoi": lambda x, y: int(value(x)) & MASK if -(2.0**31) <= value(x) < 2.0**31 else 0,
    "itof": lambda x, y: word(float(signed(x))),
    "add": lambda x, y: x + y & MASK,
    "sub": lambda x, y: x - y & MASK,
    "shr": lambda x, y: x >> (y & 31),
    "asr": lambda x, y: signed(x) >> (y & 31) & MASK,
    "ror": lambda x, y: (x << 32 | x) >> (y & 31) & MASK,
    "shl": lambda x, y: x << (y & 31) & MASK,
    "min": lambda x, y: min(signed(x), signed(y)) & MASK,
    "max": lambda x, y: max(signed(x), signed(y)) & MASK,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "not": lambda x, y: x ^ MASK,
    "clz": lambda x, y: 32 - x.bit_length(),
    "v8adds": in_bytes(lambda p, q: min(p + q, 255)),
    "v8subs": in_bytes(lambda p, q: max(p - q, 0)),
    "fmul": lambda x, y: word(value(x) * value(y)),
    "mul24": lambda x, y: (x & 0xFFFFFF) * (y & 0xFFFFFF) & MASK,
    "v8muld": in_bytes(lambda p, q: (p * q + 127) // 255),
    "v8min": in_bytes(min),
    "v8max": in_bytes(max),
}
CARRIES: Mapping[str, Callable[[int, int], bool]] = {
    "fadd": lambda x, y: value(x) + value(y) > 0,
    "fsub": lambda x, y: value(x) - value(y) > 0,
    "fmin": lambda x, y: value(x) > value(y),
    "fmax": lambda x, y: value(x) > value(y),
    "fminabs": lambda x, y: abs(value(x)) > abs(value(y)),
    "fmaxabs": lambda x, y: abs(value(x)) > abs(value(y)),
    "itof": lambda x, y: signed(x) > 0,
    "add": lambda x, y: x + y > MASK,
    "sub": lambda x, y: x < y,
    "shr": lambda x, y: bool((x << 1 >> (y & 31)) & 1),
    "asr": lambda x, y: bool((x << 1 >> (y & 31)) & 1),
    "shl": lambda x, y: bool(x << (y & 31) >> 32 & 1),
    "min": lambda x, y: signed(x) > signed(y),
    "max": lambda x, y: signed(x) > signed(y),
}


def _never(x: int, y: int) -> bool:
    return False


ROWS = [*instructions.ADD_OPERATIONS[1:], *instructions.MUL_OPERATIONS[1:]]


def samples() -> tuple[list[int], list[int]]:
    """Words of all kinds that are neither infinite nor NaN."""
    numbers = random.Random(17)
    kinds: list[Callable[[], int]] = [
        lambda: numbers.getrandbits(32),
        lambda: numbers.getrandbits(8),
        lambda: -numbers.getrandbits(8) & MASK,
        lambda: word(numbers.uniform(-10, 10)),
        lambda: word(numbers.uniform(-1e12, 1e12)),
        lambda: numbers.choice((0, 1, 31, 32, MASK, 1 << 31, 0x3F800000, 0x007FFFFF, 0x80000001)),
    ]
    found = [x for x in (numbers.choice(kinds)() for _ in range(3000)) if x & INFINITY != INFINITY]
    half = len(found) // 2
    return found[:half], found[half : 2 * half]


def words(values: list[int]) -> Array:
    return np.array(values, np.uint32).view(np.int32)


def bits(found: Array) -> list[int]:
    """The words of numbers of either type."""
    result: list[int] = np.ravel(QPU.words(found)).view(np.uint32).tolist()
    return result


def as_floats(values: list[int]) -> list[Array]:
    """Words, and where all are floats that need no rule, the same as floats."""
    seen = QPU.looked_at(words(values))
    return [words(values), seen] if QPU.core.is_float(seen) else [words(values)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.code}")
def test_results(row: instructions.Operation) -> None:
    xs, ys = samples()
    with quiet():
        found = bits(row.compute(QPU, words(xs), words(ys)))
    assert found == [FORMULAS[row.name](x, y) for x, y in zip(xs, ys, strict=True)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.code}")
def test_carries(row: instructions.Operation) -> None:
    xs, ys = samples()
    with quiet():
        result = row.compute(QPU, words(xs), words(ys))
        found = np.broadcast_to(row.carry(QPU, words(xs), words(ys), result), len(xs)).tolist()
    formula = CARRIES.get(row.name, _never)
    assert found == [formula(x, y) for x, y in zip(xs, ys, strict=True)]


@pytest.mark.parametrize(
    ("name", "x", "y", "wanted"),
    [
        ("fadd", 0x7FC00000, 0x3F800000, INFINITY),
        ("fadd", 0x7F800000, 0xFFC00001, 0xFF800000),
        ("fsub", 0x3F800000, 0x7FC00001, 0xFF800000),
        ("fadd", 0x7F000000, 0x7F7FFFFF, INFINITY),
        ("fmul", 0, 0x7F800000, 0),
        ("fmul", 0xFFC00000, 0x80000000, 0),
        ("fmul", 0xC0000000, 0x7FC00000, 0xFF800000),
        ("fmin", 0xFFC00000, 0xFF800000, 0xFFC00000),
        ("fmax", 0x7F800000, 0x7FC00000, 0x7FC00000),
        ("ftoi", 0x7F800000, 0, 0),
        ("ftoi", 0x4F000000, 0, 0),
        ("ftoi", 0xCF000000, 0, 0x80000000),
    ],
)
def test_infinities(name: str, x: int, y: int, wanted: int) -> None:
    row = instructions.ADD.get(name) or instructions.MUL[name]
    with quiet():
        assert bits(row.compute(QPU, words([x]), words([y]))) == [wanted]


@pytest.mark.parametrize("row", [row for row in ROWS if row.moves], ids=lambda row: f"{row.name}-{row.code}")
def test_operations_that_move(row: instructions.Operation) -> None:
    xs, _ = samples()
    assert bits(row.compute(QPU, words(xs), words(xs))) == xs


@pytest.mark.parametrize("smallest", [1.0, 2.0**-60, 2.0**-126, 2.0**-127])
def test_chains_of_float_operations(smallest: float) -> None:
    """Numbers that need no rule, then results that come to need one."""
    numbers = random.Random(5)
    lanes = [[word(numbers.uniform(-2, 2) * smallest) for _ in range(4)] for _ in range(50)]
    a, b, c, d = (words(list(column)) for column in zip(*lanes, strict=True))
    with quiet():
        product = QPU.fmul(QPU.fmul(a, b), c)
        found = [QPU.fadd(product, d), QPU.fsub(d, product), QPU.fmul(QPU.fadd(a, b), QPU.fsub(c, d))]
    for (p, q, r, s), *results in zip(lanes, *(bits(result) for result in found), strict=True):
        fadd, fsub, fmul = (FORMULAS[name] for name in ("fadd", "fsub", "fmul"))
        of_three = fmul(fmul(p, q), r)
        assert results == [fadd(of_three, s), fsub(s, of_three), fmul(fadd(p, q), fsub(r, s))]


def test_numbers_that_need_no_rule_are_floats_for_those_who_see_them() -> None:
    """Zero is one; -0, denormal numbers and NaN patterns stay words, as setups do that are known beforehand."""
    for special, is_float in ((0x3F800000, True), (0, True), (0xFF800000, True), (1, False), (1 << 31, False)):
        found = QPU.looked_at(words([word(0.5), word(-2.0), special]))
        assert QPU.core.is_float(found) == is_float
        assert bits(found) == [word(0.5), word(-2.0), special]
    assert not QPU.core.is_float(QPU.looked_at(words([0x7FC00000])))
    for known, is_float in ((word(0.5), True), (0, True), (0x00F01A00, False), (0x7F800000, False), (1 << 31, False)):
        assert QPU.core.is_float(QPU.literal(known)) == is_float
        assert bits(QPU.literal(known)) == [known]


@pytest.mark.parametrize("name", ["fadd", "fsub", "fmul", "fmin", "fmax", "fminabs", "fmaxabs", "ftoi"])
def test_floats_and_their_words_are_the_same(name: str) -> None:
    """Zeros, numbers whose product is denormal, infinities."""
    numbers = [0.0, 1.0, -1.5, 2.0**-100, -(2.0**-70), 2.0**-126, 1e30, -1e38, 3e38, np.inf, -np.inf]
    pairs = [(word(x), word(y)) for x in numbers for y in numbers]
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    row = instructions.ADD.get(name) or instructions.MUL[name]
    with quiet():
        results = [(row.compute(QPU, x, y), x, y) for x in as_floats(xs) for y in as_floats(ys)]
        carries = [np.broadcast_to(row.carry(QPU, x, y, result), len(xs)).tolist() for result, x, y in results]
    wanted = bits(results[0][0])
    assert all(bits(result) == wanted for result, _, _ in results)
    assert all(carry == carries[0] for carry in carries)
    assert len(as_floats(xs)) == 2
    finite = [at for at, (x, y) in enumerate(pairs) if INFINITY not in (x & INFINITY, y & INFINITY)]
    assert [wanted[at] for at in finite] == [FORMULAS[name](*pairs[at]) for at in finite]


@pytest.mark.parametrize(
    ("index", "x", "wanted"),
    [
        (0, 4.0, 0.25),
        (1, 4.0, 0.5),
        (1, -4.0, 0.5),
        (2, -3.0, 0.125),
        (3, 8.0, 3.0),
        (0, 0.0, np.inf),
        (1, 0.0, np.inf),
        (3, 0.0, -np.inf),
        (2, 1000.0, np.inf),
    ],
)
def test_special_functions(index: int, x: float, wanted: float) -> None:
    with quiet():
        found = QPU.special_function(index, words([word(x)]))
    assert QPU.number(found)[0] == wanted


def test_special_functions_are_as_precise_as_the_machine() -> None:
    numbers = random.Random(1)
    xs = [numbers.uniform(0.01, 100) for _ in range(200)]
    with quiet():
        found = QPU.number(QPU.special_function(0, words([word(x) for x in xs])))
    errors = np.abs(found * np.array(xs) - 1)
    assert 1e-5 < errors.max() < 2.0**-12


@pytest.mark.parametrize(
    ("mode", "to_float", "wanted"),
    [
        ("32", True, 0xC2404180),
        ("16a", False, 0x00004180),
        ("16b", False, 0xFFFFC240),
        ("16a", True, 0x40300000),
        ("16b", True, 0xC0480000),
        ("8dr", False, 0xC2C2C2C2),
        ("8a", False, 0x80),
        ("8d", False, 0xC2),
        ("8a", True, word(128 / 255)),
        ("8b", True, word(65 / 255)),
        ("8c", True, word(64 / 255)),
    ],
)
def test_unpacking(mode: str, to_float: bool, wanted: int) -> None:
    row = next(row for row in UNPACKS if row.name == mode)
    assert bits(unpacked(QPU, row, words([0xC2404180]), to_float)) == [wanted]


@pytest.mark.parametrize(
    ("code", "result", "is_float", "wanted"),
    [
        (1, 0x12345678, False, 0xAABB5678),
        (2, 0x12345678, False, 0x5678CCDD),
        (1, 0x3F800000, True, 0xAABB3C00),
        (3, 0x123, False, 0x23232323),
        (4, 0x123, False, 0xAABBCC23),
        (7, 0x123, False, 0x23BBCCDD),
        (9, 0x12345, False, 0xAABB7FFF),
        (10, 0xFFFF0000, False, 0x8000CCDD),
        (11, 0x123, False, 0xFFFFFFFF),
        (12, 0x80000000, False, 0xAABBCC00),
        (13, 0x123, False, 0xAABBFFDD),
    ],
)
def test_packing(code: int, result: int, is_float: bool, wanted: int) -> None:
    assert bits(packed(QPU, PACKS[code], words([result]), words([0xAABBCCDD]), is_float)) == [wanted]


@pytest.mark.parametrize(("result", "byte"), [(0.5, 128), (2.0, 255), (-1.0, 0), (np.inf, 255), (0.1, 26)])
def test_packing_of_products(result: float, byte: int) -> None:
    found = packed_product(QPU, MUL_PACKS[5], words([word(result)]), words([0xAABBCCDD]))
    assert bits(found) == [0xAABB00DD | byte << 8]
    assert bits(packed_product(QPU, MUL_PACKS[3], words([word(result)]), words([0]))) == [byte * 0x01010101]
    assert QPU.byte_of_share(np.array([result])).tolist() == [byte]


def test_sums_that_saturate() -> None:
    xs, ys = samples()
    for subtracts in (False, True):
        found = saturated_sum(QPU, words(xs), words(ys), subtracts=subtracts).tolist()
        totals = [signed(x) - signed(y) if subtracts else signed(x) + signed(y) for x, y in zip(xs, ys, strict=True)]
        assert found == [max(-(2**31), min(total, 2**31 - 1)) for total in totals]
