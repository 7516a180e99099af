"""What the allocation checker knows at one point of a program: which values every place certainly holds.

A *name* stands for a value: the current contents of a component of the original code's registers, or an expression of
constants.  A *place* is a component of a register in the original code or in the final code; both are
followed side by side, so that two places agree when they have a name in common.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from compiler.codegen.machine import Place, VirtualRegister
from compiler.codegen.registers import Register
from compiler.records import dataclass

#: A component of a register.
Component = tuple[Place, int]
#: Whether it is a place of the final code (else of the original), and the component.
Where = tuple[bool, Component]
Name = Hashable
Names = frozenset[Name]

_NOTHING: Names = frozenset()


@dataclass(frozen=True, slots=True)
class Expression:
    """The value of an operation on constants."""

    facts: tuple[str, str]
    sources: tuple[Name, ...]
    #: How many operations it takes, those that are used twice counted twice.
    size: int = 1


class Knowledge:
    """The names that places hold, and what may have been written."""

    __slots__ = ("_places", "held", "written")

    def __init__(self, held: dict[Where, Names], written: set[Component]) -> None:
        self.held = held
        #: Components of virtual registers that some path to here has written.
        self.written = written
        self._places: dict[Name, set[Where]] = {}
        for where, names in held.items():
            for name in names:
                self._places.setdefault(name, set()).add(where)

    def same(self, other: Knowledge) -> bool:
        return self.held == other.held and self.written == other.written

    # questions -------------------------------------------------------------------------------
    def names(self, where: Where) -> Names:
        """What a place holds; a physical register that was never written holds what its name says."""
        known = self.held.get(where)
        if known is None:
            return frozenset((where[1],)) if isinstance(where[1][0], Register) else _NOTHING
        return known

    def undefined(self, name: Name) -> bool:
        """Whether a name stands for nothing, because no path has written it."""
        return isinstance(name, tuple) and isinstance(name[0], VirtualRegister) and name not in self.written

    def holds(self, location: Component, original: Component) -> bool:
        """Whether a location of the final code holds what an original component does."""
        return self.undefined(original) or not self.names((True, location)).isdisjoint(self.names((False, original)))

    # changes ---------------------------------------------------------------------------------
    def put(self, where: Where, names: Iterable[Name]) -> None:
        """A place holds something new."""
        for name in self.held.get(where, _NOTHING):
            self._places[name].discard(where)
        self.held[where] = frozenset(names)
        for name in self.held[where]:
            self._places.setdefault(name, set()).add(where)

    def forget(self, component: Component) -> None:
        """An original component gets new contents: its name means nothing that is held anywhere now."""
        if isinstance(component[0], Register):
            for side in (False, True):
                self.held.setdefault((side, component), _NOTHING)
        for where in self._places.pop(component, ()):
            self.held[where] -= {component}

    def drop(self, names: Iterable[Component]) -> None:
        """Names that nobody asks for any more."""
        for name in names:
            self.put((False, name), ())
            self.forget(name)
            del self.held[False, name]
            self.written.discard(name)

    def places_of(self, names: Names) -> list[Where]:
        """The places that hold one of `names`."""
        for name in names:
            if isinstance(name, tuple) and isinstance(name[0], Register):
                self._know_unwritten(name)
        return list(dict.fromkeys(where for name in names for where in self._places.get(name, ())))

    def _know_unwritten(self, component: Component) -> None:
        """Note what `names` says of a physical register that was never written, so that more can be said of it."""
        for where in ((False, component), (True, component)):
            if where not in self.held:
                self.put(where, (component,))

    def locations_of(self, name: Component) -> list[Component]:
        """The locations of the final code that hold what an original component is called."""
        return [component for final, component in self._places.get(name, ()) if final]

    def add(self, places: Iterable[Where], name: Name) -> None:
        """Places are known by one name more."""
        for where in places:
            self.held[where] |= {name}
            self._places.setdefault(name, set()).add(where)


def meet(states: list[Knowledge]) -> Knowledge:
    """What is known where control comes from several points: names on all paths, or written on none of the others."""
    held: dict[Where, Names] = {}
    for where in dict.fromkeys(where for state in states for where in state.held):
        each = [state.names(where) for state in states]
        if all(names == each[0] for names in each):
            held[where] = each[0]
            continue
        candidates = frozenset[Name]().union(*each)
        held[where] = frozenset(
            name
            for name in candidates
            if all(name in names or state.undefined(name) for names, state in zip(each, states, strict=True))
        )
    return Knowledge(held, set[Component]().union(*(state.written for state in states)))
