"""Which component of a register each part of a bundle gets: the cheapest assignment without interference."""

from __future__ import annotations

from glslc_multi.compiler.codegen.regalloc.live_bundles import Part
from glslc_multi.compiler.codegen.registers import COMPONENTS


def cheapest_components(
    parts: list[Part], options: list[list[int]], costs: list[list[int]]
) -> tuple[int, list[int]] | None:
    """The cost of the cheapest assignment of `options`, and the component of each part; None where none is found."""
    order = sorted(range(len(options)), key=list(map(len, options)).__getitem__)
    return _cheapest_each(parts, order, options, costs) or _Search(parts, order, options, costs).run()


def _cheapest_each(
    parts: list[Part], order: list[int], options: list[list[int]], costs: list[list[int]]
) -> tuple[int, list[int]] | None:
    """For every part a component that is its cheapest one, and what they cost; None where parts would need the same."""
    chosen, total = [0] * len(parts), 0
    taken = [0] * COMPONENTS
    for number in order:
        own_costs, points = costs[number], parts[number].range
        least = min([own_costs[component] for component in options[number]])
        free = [c for c in options[number] if own_costs[c] == least and not taken[c] & points]
        if not free:
            return None
        chosen[number] = free[0]
        taken[free[0]] |= points
        total += least
    return total, chosen


#: How many steps the search for cheap components may take; then the best found so far is taken.
_SEARCH_STEPS = 200


class _Search:
    """Branch and bound over the components of each part, parts with few options first."""

    def __init__(self, parts: list[Part], order: list[int], options: list[list[int]], costs: list[list[int]]) -> None:
        #: For each part, as a set, the parts that cannot share its component.
        self.interfering = [
            sum([1 << index for index, other in enumerate(parts) if other.range & part.range]) for part in parts
        ]
        self.options = options
        self.costs = costs
        self.order = order
        #: What the parts from one of the order on cost at least.
        self.least = [0]
        for part in reversed(self.order):
            self.least.append(self.least[-1] + min([costs[part][component] for component in options[part]]))
        self.least.reverse()
        #: By component, the parts that have it.
        self.taken = [0] * COMPONENTS
        self.chosen = [0] * len(options)
        self.best: list[int] | None = None
        self.best_cost = 0
        self.steps = 0

    def run(self) -> tuple[int, list[int]] | None:
        self._extend(0, 0)
        return None if self.best is None else (self.best_cost, self.best)

    def _extend(self, index: int, cost: int) -> None:
        """Choose for the parts from number `index` of the order on; those before cost `cost`."""
        if index == len(self.order):
            self.best, self.best_cost = list(self.chosen), cost
            return
        self.steps += 1
        part = self.order[index]
        for component in self.options[part]:
            if self.taken[component] & self.interfering[part]:
                continue
            total = cost + self.costs[part][component]
            if self.best is not None and total + self.least[index + 1] >= self.best_cost:
                continue
            if self.steps > _SEARCH_STEPS:
                return
            self.taken[component] |= 1 << part
            self.chosen[part] = component
            self._extend(index + 1, total)
            self.taken[component] ^= 1 << part
