"""A program that fits: made at the loosest constraint level that does.

Free assignment of components makes more operand descriptors than a fixed one.  Where the table overflows, the program
is made again at tighter levels: every component in its own lane, then products and sums in two words, whose
descriptors may be anywhere in the table.  Where registers run short, its instructions change their order
(`temporaries.py`).  Where code repeats, it is made with calls as well (`calls.py`), and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from backends.pica200.codegen.build import LONGER, Build, Constraints, Made, Task
from backends.pica200.codegen.temporaries import RESOURCE, SEARCHING, Order, orders
from backends.pica200.isa.registers import MAD_DESCRIPTORS
from compiler.codegen.levels import Failed, Failure, Found, Level, first_that_fits, outcome_of, smallest_that_fits
from compiler.diagnostics import DiagnosticSink
from compiler.options import DEFAULT_OPTIMISATION

#: By whether components are ordered.
_LANES = {
    False: ("free components", "a value has any components of a register"),
    True: ("fixed components", "every component has its own lane"),
}


def _level(*, ordered: bool, mads: int | None = None) -> Level[Constraints]:
    name, about = _LANES[ordered]
    if mads is not None:
        name, about = f"{name}, {mads} mads", f"{about}; mads have about {mads} descriptors, the others are two words"
    return Level(name, about, Constraints(ordered, mads))


LEVELS = (
    _level(ordered=False),
    _level(ordered=True),
    *(_level(ordered=ordered, mads=mads) for mads in (MAD_DESCRIPTORS, 24, 16, 8, 0) for ordered in (False, True)),
)


def make_program(task: Task, sink: DiagnosticSink) -> Found[Made] | Failure:
    """The program at the first level where one fits."""
    found = first_that_fits(LEVELS, partial(_in_some_order, task), sink, _helps)
    return found if isinstance(found, Failure) else Found(found.made.made, (*found.taken, *found.made.taken))


def _helps(level: Level[Constraints], failed: Sequence[Failed[Constraints]]) -> bool:
    """Every level saves descriptors; where fixed components do not find registers once, they never do."""
    cramped = [each for each in failed if each.level.values.ordered and RESOURCE in each.failure.exceeded]
    if level.values.ordered and cramped:
        return False
    return failed[-1] in cramped or _exceeds_descriptors(failed[-1].failure)


def _exceeds_descriptors(failure: Failure) -> bool:
    return any("descriptors" in what for what in failure.exceeded)


def _in_some_order(task: Task, level: Level[Constraints], sink: DiagnosticSink) -> Found[Made] | Failure:
    """The program of the first order whose values find registers; the shortest of all orders at the highest level of
    optimisation."""
    make = partial(_once, {}, task, level.values)
    # Where every component has its own lane, other orders hardly make room.
    tried = orders(task.optimisation)[: 1 if level.values.ordered else None]
    if task.optimisation >= SEARCHING:
        return smallest_that_fits(tried, make, sink, size=lambda made: len(made.program.code), unit="words")
    return first_that_fits(tried, make, sink, lambda _, failed: RESOURCE in failed[-1].failure.exceeded)


def _once(
    made: dict[tuple[int, ...], Made | Failure],
    task: Task,
    constraints: Constraints,
    order: Level[Order | None],
    sink: DiagnosticSink,
) -> Made | Failure:
    """The program in an order, or what came of the same order before."""
    build = Build(task, order.values, sink)
    if task.lower_bound is not None and build.lower_bound >= task.lower_bound:
        return LONGER
    if build.order not in made:
        made[build.order] = outcome_of(partial(_with_calls, build, constraints, order), sink)
    return made[build.order]


def _with_calls(
    build: Build, constraints: Constraints, order: Level[Order | None], sink: DiagnosticSink
) -> Made | Failure:
    """The program with calls of what repeats in it; without them, where that is no longer."""
    task = build.task
    calling = _calling(build, constraints, order, sink) if task.optimisation >= DEFAULT_OPTIMISATION else None
    if calling is None:
        return build.finish(constraints, task.upper_bound, sink)
    upper_bound = len(calling.program.code) if isinstance(calling, Made) else task.upper_bound
    plain: Made | Failure = LONGER
    if upper_bound is None or build.lower_bound <= upper_bound:
        without_calls = Build(task, order.values, sink)
        plain = outcome_of(partial(without_calls.finish, constraints, upper_bound), sink)
    if isinstance(plain, Made):
        return plain
    if isinstance(calling, Failure):
        return _decisive(calling, plain)
    return calling


def _calling(
    build: Build, constraints: Constraints, order: Level[Order | None], sink: DiagnosticSink
) -> Made | Failure | None:
    """The shorter program with calls: vertices share values, or have their own; None where nothing repeats."""
    tried = [build] if build.call_repeats(constraints) else []
    if build.task.vertices:
        apart = Build(build.task, order.values, sink, apart=True)
        tried += [apart] if apart.is_apart and apart.call_repeats(constraints) else []
    found = [outcome_of(partial(each.finish, constraints, build.task.upper_bound), sink) for each in tried]
    made = [each for each in found if isinstance(each, Made)]
    return min(made, key=lambda each: len(each.program.code)) if made else next(iter(found), None)


def _decisive(calling: Failure, plain: Failure) -> Failure:
    """The failure of two that counts: one that another order or a tighter level may mend, but for a lack of words, of
    which a tighter level takes more."""
    is_curable = RESOURCE in calling.exceeded or _exceeds_descriptors(calling)
    return plain if is_curable or RESOURCE in plain.exceeded else calling
