"""What the allocation checker knows at one point of a program: in which locations every value certainly is.

A *name* stands for a value of the original code: the current contents of a component that its operands name, or an
expression of constants.  A *location* is a component that operands of the final code name.  Both are numbers, and a set
of locations is an integer with a bit for each, so that "this location holds that value" is one `&`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.codegen.machine import AnyRegister, Def, Use, VirtualRegister

#: Components have names from 1 on, expressions below 0.
Name = int
#: The name of a lane that nobody cares for; no one ever writes it.
ANYTHING: Name = 0
#: The location of a lane that reads nothing.
NOWHERE = 0
#: The set of locations that a value without contents is in: whatever is there will do.
EVERYWHERE = -1

#: Components that operands name lie so close together.
_LANES = 4


class Numbers:
    """The numbers of names and locations."""

    def __init__(self) -> None:
        self._names: dict[AnyRegister, Name] = {}
        self._locations: dict[AnyRegister, int] = {}
        self._expressions: dict[object, Name] = {}
        #: Expression -> the operations that it takes, those that are used twice counted twice.
        self.size: dict[Name, int] = {}

    def names(self, operand: Def | Use) -> tuple[Name, ...]:
        """What the lanes of an operand of the original code are called."""
        first = self._names.get(operand.register) or _add(operand.register, self._names)
        return tuple([ANYTHING if lane is None else first + lane for lane in operand.lanes])

    def locations(self, operand: Def | Use) -> tuple[int, ...]:
        """The locations that the lanes of an operand of the final code are in."""
        first = self._locations.get(operand.register) or _add(operand.register, self._locations)
        return tuple([NOWHERE if lane is None else first + lane for lane in operand.lanes])

    def expression(self, meaning: object, size: int) -> Name:
        """The name of what an operation on constants computes."""
        name = self._expressions.setdefault(meaning, -1 - len(self._expressions))
        self.size[name] = size
        return name

    def text(self, name: Name) -> str:
        """A component in words."""
        for location, first in self._names.items():
            if first <= name < first + _LANES:
                return f"{location}.{name - first}"
        return "nothing"

    def constant_names(self) -> Iterator[tuple[Name, int]]:
        """The names with a meaning from the start on, each with its location: those of all but virtual registers."""
        for location, first in self._names.items():
            if not isinstance(location, VirtualRegister):
                mask = self._locations.get(location) or _add(location, self._locations)
                yield from zip(range(first, first + _LANES), range(mask, mask + _LANES), strict=True)


def _add(location: AnyRegister, numbers: dict[AnyRegister, int]) -> int:
    first = numbers[location] = 1 + _LANES * len(numbers)
    return first


#: What was put together with a key; some of it may have got other values since.
_Index = dict[int, frozenset[Name]]
_NO_NAMES: frozenset[Name] = frozenset()


class Knowledge:
    """The locations that values are in."""

    __slots__ = ("constants", "held", "named", "where")

    def __init__(self, where: dict[Name, int], constants: dict[Name, Name]) -> None:
        #: Component that some path to here has written -> the locations that hold its value; the same of expressions.
        self.where = where
        #: Components whose value is an expression; they are wherever that is.
        self.constants = constants
        #: Place -> names that were put there.
        self.held: _Index = {}
        #: Expression -> components that got its value.
        self.named: _Index = {}
        for name, locations in where.items():
            self._note(name, locations)
        for name, constant in constants.items():
            self.named[constant] = self.named.get(constant, _NO_NAMES) | {name}

    def copy(self) -> Knowledge:
        copied = Knowledge({}, {})
        copied.where, copied.constants = dict(self.where), dict(self.constants)
        copied.held, copied.named = dict(self.held), dict(self.named)
        return copied

    def same(self, other: Knowledge) -> bool:
        return self.where == other.where and self.constants == other.constants

    # questions -------------------------------------------------------------------------------
    def locations(self, name: Name) -> int:
        """The locations that hold the value of a component; anything will do for one that no path has written."""
        return self.where.get(name, EVERYWHERE)

    def names(self, location: int) -> list[Name]:
        """What a location holds."""
        where = self.where
        return [name for name in self.held.get(location, ()) if where.get(name, 0) >> location & 1]

    # changes ---------------------------------------------------------------------------------
    def define(self, name: Name, locations: int, constant: Name | None = None) -> None:
        """A component of the original code gets a value that these locations hold already."""
        if locations == EVERYWHERE:
            self.drop([name])
            return
        self.where[name] = locations
        if locations:
            self._note(name, locations)
        if constant is not None:
            self.constants[name] = constant
            self.named[constant] = self.named.get(constant, _NO_NAMES) | {name}
        elif self.constants:
            self.constants.pop(name, None)

    def put(self, location: int, names: Iterable[Name]) -> None:
        """A location holds something new; what nobody has written has no location."""
        bit, where = 1 << location, self.where
        for name in self.held.get(location, ()):
            locations = where.get(name, 0)
            if locations & bit:
                where[name] = locations ^ bit
        held = frozenset([name for name in names if name in where or name < 0])
        if self.constants:
            # The expressions among names and after them, and all components with these values.
            equal: set[Name] = set()
            for expression in {self.constants.get(name, name) for name in held}:
                if expression < 0:
                    equal.add(expression)
                    named = self.named.get(expression, _NO_NAMES)
                    equal.update([name for name in named if self.constants.get(name) == expression])
            held |= equal
        for name in held:
            where[name] = where.get(name, 0) | bit
        self.held[location] = held

    def drop(self, names: Iterable[Name]) -> None:
        """Components that nobody has written, or asks for any more."""
        for name in names:
            self.where.pop(name, None)
            self.constants.pop(name, None)

    def _note(self, name: Name, locations: int) -> None:
        while locations:
            lowest = locations & -locations
            location = lowest.bit_length() - 1
            self.held[location] = self.held.get(location, _NO_NAMES) | {name}
            locations ^= lowest


def at_start(numbers: Numbers) -> Knowledge:
    """What is known before the first instruction: locations hold what they are called."""
    knowledge = Knowledge({}, {})
    for name, location in numbers.constant_names():
        knowledge.define(name, 1 << location)
    return knowledge


def meet(states: Sequence[Knowledge]) -> Knowledge:
    """What is known where control comes from several points: what is so on all paths that have written a value."""
    first, *others = states
    if not others:
        return first.copy()
    where, constants = dict(first.where), dict(first.constants)
    for state in others:
        # Leave of the locations of values those that are theirs on another path, too, where that has written them.
        # Most of it is the same on both paths: what differs is found by operations on whole sets.
        for name in where.keys() - state.where.keys():
            if name <= ANYTHING:
                where[name] = 0
        for name, locations in state.where.items() - where.items():
            if name in where:
                where[name] &= locations
            elif name > ANYTHING:
                where[name] = locations
        constants = dict(constants.items() & state.constants.items())
    return Knowledge(where, constants)
