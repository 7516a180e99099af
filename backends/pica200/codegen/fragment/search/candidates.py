"""What one combiner may do to make a goal.

A candidate is a function, a scale, and three operands: readings of the pixel, and needs.  All operands but one are
tried, out of leaves, constants that the goal suggests, and at most one value of an earlier stage that it suggests; the
last one is solved for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import ceil, log

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, ZERO, HostNumber, Polynomial, all_atoms
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, range_of
from glslc_multi.backends.pica200.codegen.fragment.search.goals import (
    Pattern,
    Vector,
    complement,
    each,
    has_clamps,
    may_be_direct,
    pattern_of,
    products_of,
    size_within,
)
from glslc_multi.backends.pica200.codegen.fragment.search.operands import (
    Constant,
    Need,
    Reading,
    constants_for,
    leaves,
    matching,
    need_of,
    sources_of,
    splits_of,
)
from glslc_multi.backends.pica200.codegen.fragment.search.solve import (
    UNKNOWNS,
    Samples,
    Unknown,
    Values,
    is_plausible,
    may_be_read,
    solved,
)
from glslc_multi.backends.pica200.isa.fragment.combiners import FUNCTIONS, SCALES, UNCLAMPED
from glslc_multi.compiler.records import dataclass

CandidateOperand = Reading | Need
#: What steps of the search cost, in hundredths of a millisecond or so: constants and splits, by the terms of a goal; a
#: solution, beside what grows with their square; a hundred tuples of operands that are looked at.
_CONSTANTS, _SPLITS, _SOLUTION, _TUPLES = 5, 6, 4, 32
#: The scale of what was made at half its size.
_HALVES = 2
#: More with fractions may need them, too, but are as much work as all the rest.
_FEW_PRODUCTS = 2


#: Functions whose first two operands may change places.
_COMMUTATIVE = frozenset(
    name
    for name, row in FUNCTIONS.items()
    if row.joins_channels or row.of(UNCLAMPED, (2, 3, 5)) == row.of(UNCLAMPED, (3, 2, 5))
)


@dataclass(frozen=True, slots=True)
class Candidate:
    function: str
    operands: tuple[CandidateOperand, ...]
    scale: int = 1

    def needs(self) -> list[Need]:
        """What earlier stages must have made, once each."""
        return list(dict.fromkeys(need for need in self.operands if isinstance(need, Need) and not need.is_host))

    def constants(self) -> list[Need]:
        return list(dict.fromkeys(need for need in self.operands if isinstance(need, Need) and need.is_host))


def candidate_of(function: str, operands: Sequence[CandidateOperand], scale: int = 1) -> Candidate:
    """With the factors or terms that may change places in one order."""
    row = list(operands)
    if function in _COMMUTATIVE:
        row[:2] = sorted(row[:2], key=_rank)
    return Candidate(function, tuple(row), scale)


def _rank(operand: CandidateOperand) -> tuple[int, str, float]:
    if isinstance(operand, Reading):
        return 0, str(operand), 0.0
    first = next(value for value in operand.vector if value is not None)
    return 1, "", len(first.terms) + float(first.leading_factor())


@dataclass(frozen=True, slots=True)
class Known:
    """An operand that is tried, its polynomials and their values at the samples."""

    operand: CandidateOperand
    vector: Vector
    values: tuple[Values, ...]
    #: The leaf, or the one beside which a constant makes sense.
    leaf: Vector | None = None
    is_constant: bool = False
    is_split: bool = False


class Solver:
    """Solves for operands, with the samples of one problem."""

    def __init__(self, samples: Samples, spend: Callable[[int], None]) -> None:
        self._samples = samples
        self.spend = spend
        self._constants: dict[tuple[Vector, ...], list[Constant]] = {}

    def solved_candidates(
        self, goal: Vector, unknowns: Sequence[Unknown] = UNKNOWNS, *, directly: bool = False
    ) -> list[Candidate]:
        """Candidates of all functions but DOT3; `directly`: those that need nothing of earlier stages.

        No function makes a clamped value directly but ADD_MULTIPLY, which is made of two goals.
        """
        if directly and (has_clamps(goal) or not may_be_direct(goal)):
            return []
        choices = leaves_for(goal)
        pattern = pattern_of(goal) if len(goal) > 1 else None
        if pattern is None:
            return list(self._solved(goal, choices, unknowns, directly))
        choices = {reading: pattern.first(vector) for reading, vector in choices.items() if pattern.fits(vector)}
        candidates = self._solved(pattern.first(goal), choices, unknowns, directly)
        return [_of_all_channels(candidate, pattern) for candidate in candidates]

    def _known(self, goal: Vector, choices: Mapping[Reading, Vector], directly: bool) -> list[Known]:
        known = [
            Known(reading, vector, self._values(vector, goal), complement(vector) if reading.complement else vector)
            for reading, vector in choices.items()
        ]
        plain = [vector for reading, vector in choices.items() if not reading.complement]
        # Looked for once: a goal is solved for several functions.
        key = (goal, *plain)
        constants = self._constants.get(key)
        if constants is None:
            self.spend(_CONSTANTS * (1 + _length(goal)) * (1 + len(plain)))
            constants = self._constants[key] = constants_for(goal, plain)
        for constant in constants:
            values = self._values(constant.vector, goal)
            known.append(Known(Need(constant.vector), constant.vector, values, constant.leaf, is_constant=True))
        if directly:
            return known
        self.spend(_SPLITS * _length(goal))
        splits = splits_of(goal, plain)
        return known + [Known(Need(split), split, self._values(split, goal), is_split=True) for split in splits]

    def _values(self, vector: Vector, goal: Vector) -> tuple[Values, ...]:
        """By channel; none of what nobody reads."""
        return tuple(
            () if wanted is None or value is None else self._samples.values(value)
            for value, wanted in zip(vector, goal, strict=True)
        )

    def _solved(
        self, goal: Vector, choices: Mapping[Reading, Vector], unknowns: Sequence[Unknown], directly: bool
    ) -> Iterator[Candidate]:
        for scale in scales_of(goal):
            unscaled = each(lambda value, scale=scale: value / scale, goal)
            known = self._known(unscaled, choices, directly)
            for unknown in unknowns:
                if unknown.function != "REPLACE" or scale != 1:
                    candidates = self._solved_for(unscaled, scale, unknown, known, choices, directly)
                    yield from (candidate for candidate in candidates if not (directly and candidate.needs()))

    def _solved_for(
        self,
        goal: Vector,
        scale: int,
        unknown: Unknown,
        known: Sequence[Known],
        choices: Mapping[Reading, Vector],
        directly: bool,
    ) -> Iterator[Candidate]:
        """With the operand that is solved for; the goal is not scaled yet."""
        values = self._values(goal, goal)
        leaves = [self._values(vector, goal) for vector in choices.values()] if directly else None
        price = _SOLUTION + _length(goal) ** 2 // 6
        tuples = list(_tuples(unknown, known))
        self.spend(1 + _TUPLES * len(goal) * len(tuples) // 100)
        for others in tuples:
            if not _is_possible(unknown, scale, values, others, leaves):
                continue
            self.spend(price)
            vector = _solved_vector(unknown, scale, goal, [other.vector for other in others])
            operand = None if vector is None else _operand(unknown.function, vector, choices)
            if operand is not None:
                row = [other.operand for other in others]
                row.insert(unknown.sought.place, operand)
                yield candidate_of(unknown.function, row, scale)


def _length(goal: Vector) -> int:
    """How many terms a goal has."""
    return sum(size_within(value) for value in goal if value is not None)


def _is_possible(
    unknown: Unknown,
    scale: int,
    goal: Sequence[Values],
    others: Sequence[Known],
    leaves: Sequence[Sequence[Values]] | None,
) -> bool:
    """Tell whether the operand may be in 0 to 1, and a leaf or a constant if it must be, as far as the samples show."""
    for channel, wanted in enumerate(goal):
        if not wanted:
            continue
        known = [other.values[channel] for other in others]
        if not is_plausible(unknown, scale, wanted, known):
            return False
        if leaves is not None and not may_be_read(unknown, wanted, known, [leaf[channel] for leaf in leaves]):
            return False
    return True


def _of_all_channels(candidate: Candidate, pattern: Pattern) -> Candidate:
    row = [
        need_of(pattern.all_of(operand.vector)) if isinstance(operand, Need) else operand
        for operand in candidate.operands
    ]
    return candidate_of(candidate.function, row, candidate.scale)


def leaves_for(goal: Vector) -> dict[Reading, Vector]:
    """Readings of the pixel whose atoms occur in a channel of the goal, one for each value."""
    atoms = frozenset().union(*(all_atoms(value) for value in goal if value is not None))
    readings: dict[Vector, Reading] = {}
    for reading, vector in leaves(sources_of(atoms), len(goal)).items():
        if any(
            value is not None and wanted is not None and value.atoms() <= all_atoms(wanted)
            for value, wanted in zip(vector, goal, strict=True)
        ):
            readings.setdefault(vector, reading)
    return {reading: vector for vector, reading in readings.items()}


def _tuples(unknown: Unknown, known: Sequence[Known]) -> Iterable[tuple[Known, ...]]:
    if unknown.known == 0:
        return [()]
    if unknown.known == 1:
        return ((one,) for one in known if not (one.is_constant and one.leaf))
    pairs = combinations_with_replacement(known, 2) if unknown.sought.symmetric else product(known, repeat=2)
    weights = unknown.sought.constant_weight
    return (pair for pair in pairs if _go_together(*pair) and (pair[1].is_constant or not weights))


def _go_together(one: Known, other: Known) -> bool:
    """Not two guesses at once, and a constant that was made for a leaf only with that leaf."""
    if one.is_constant and one.leaf:
        return not other.is_constant and one.leaf == other.leaf
    if other.is_constant and other.leaf:
        return not one.is_constant and one.leaf == other.leaf
    return not (one.is_split and other.is_split)


def _solved_vector(unknown: Unknown, scale: int, goal: Vector, known: Sequence[Vector]) -> Vector | None:
    channels: list[Polynomial | None] = []
    for channel, wanted in enumerate(goal):
        if wanted is None:
            channels.append(None)
            continue
        result = solved(unknown, scale, wanted, [vector[channel] for vector in known])
        if result is None:
            return None
        channels.append(result[0])
    return tuple(channels)


def _operand(function: str, vector: Vector, choices: Mapping[Reading, Vector]) -> CandidateOperand | None:
    if all(value is None for value in vector):
        return None
    leaf = matching(vector, choices)
    if leaf is not None:
        return leaf
    need = need_of(vector)
    # With these numbers a simpler function would do.
    pointless = {None, ZERO} if function == "INTERPOLATE" else {None, ZERO, ONE}
    return None if need.is_host and set(vector) <= pointless else need


def scales_of(goal: Vector) -> list[int]:
    """Scales that a factor in the goal, or the range of a number of the host, gives work to; 2 for a sum that is
    beyond both 0 and 1, so that no order of its terms does without halves."""
    size = size_of(goal)
    is_wide = any(value is not None and _is_beyond_both_ends(value) for value in goal)
    return [scale for scale in SCALES if scale == 1 or size > scale / 2 or (scale == _HALVES and is_wide)]


def size_of(goal: Vector) -> float:
    """The largest factor of a product of the pixel's."""
    return max(_size(value) for value in goal if value is not None)


def _is_beyond_both_ends(value: Polynomial) -> bool:
    is_short = len(products_of(value)) <= _FEW_PRODUCTS or value.denominator == 1
    low, high = range_of(value) if is_short else (0, 0)
    return low < -TOLERANCE and high > 1 + TOLERANCE


def _size(value: Polynomial) -> float:
    size = 0.0
    for monomial, factor in value.terms.items():
        term = abs(float(factor)) if monomial else 0.0
        for atom in monomial:
            if isinstance(atom, HostNumber):
                term *= max(abs(float(atom.low)), abs(float(atom.high)))
        size = max(size, term)
    return size


def cost(candidate: Candidate) -> tuple[int, int, int, int, int]:
    """Weigh a candidate: operands to compute, their factors, scaled errors, their lengths, constants."""
    needs = candidate.needs()
    values = [[value for value in need.vector if value is not None] for need in needs]
    factors = max((_size(value) for channels in values for value in channels), default=0.0)
    lengths = [max(sum(map(len, value.terms)) for value in channels) for channels in values]
    # How many stages of the largest scale make them.
    doublings = ceil(log(factors, max(SCALES))) if factors > 1 else 0
    return len(needs), doublings, candidate.scale, sum(lengths), len(candidate.constants())
