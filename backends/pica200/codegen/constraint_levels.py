"""A program that fits: made at the loosest constraint level that does.

Free assignment of components makes more operand descriptors than a fixed one.  Where the table overflows, the program
is made again at tighter levels: every component in its own lane, then products and sums in two words, whose
descriptors may be anywhere in the table.  Where registers run short, its instructions change their order
(`temporaries.py`).  Where code repeats, it is made with calls as well (`calls.py`), and the shorter one is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.codegen.build import Build, ConstraintLevel, Failure, Made, Task
from backends.pica200.codegen.temporaries import SEARCHING, Order, orders
from backends.pica200.isa.registers import MAD_DESCRIPTORS
from compiler.options import DEFAULT_OPTIMISATION

#: From the loosest to the tightest.
LEVELS = (
    ConstraintLevel(),
    ConstraintLevel(ordered=True),
    *(ConstraintLevel(ordered, kept) for kept in (MAD_DESCRIPTORS, 24, 16, 8, 0) for ordered in (False, True)),
)


def make_program(task: Task) -> Made | Failure:
    """The program at the first level where one fits; where none does, the failure that counts."""
    orders_to_try = orders(task.optimisation)
    may_be_ordered = True
    failure: Failure | None = None
    for level in LEVELS:
        if level.ordered and not may_be_ordered:
            continue
        # Where every component has its own lane, other orders hardly make room.
        made = _in_some_order(task, level, orders_to_try[:1] if level.ordered else orders_to_try)
        if isinstance(made, Failure) and made.exceeded == "descriptors":
            failure = made
        elif isinstance(made, Failure) and made.exceeded == "registers" and level.ordered:
            may_be_ordered = False
            failure = failure or made
        else:
            return made
    assert failure is not None, "a level that fails says why"
    return failure


def _in_some_order(task: Task, level: ConstraintLevel, tried: Sequence[Order | None]) -> Made | Failure:
    """The program of the first order whose values find registers; the shortest of all orders at the highest level of
    optimisation."""
    searches = task.optimisation >= SEARCHING
    found: list[Made] = []
    made: Made | Failure = Failure("registers")
    for order in tried:
        made = _with_calls(task, level, order)
        if isinstance(made, Made):
            found.append(made)
        if not searches and (isinstance(made, Made) or made.exceeded != "registers"):
            return made
    return min(found, key=lambda each: len(each.program.code)) if found else made


def _with_calls(task: Task, level: ConstraintLevel, order: Order | None) -> Made | Failure:
    """The program with calls of what repeats in it; without them, where that is no longer."""
    build = Build(task, order)
    if task.lower_bound is not None and build.lower_bound >= task.lower_bound:
        return Failure("bounds")
    if task.optimisation < DEFAULT_OPTIMISATION or not build.call_repeats(level):
        return build.finish(level, task.upper_bound)
    calling = build.finish(level, task.upper_bound)
    upper_bound = len(calling.program.code) if isinstance(calling, Made) else task.upper_bound
    plain: Made | Failure = Failure("bounds")
    if upper_bound is None or build.lower_bound <= upper_bound:
        plain = Build(task, order).finish(level, upper_bound)
    if isinstance(plain, Made):
        return plain
    if isinstance(calling, Failure):
        return _decisive(calling, plain)
    return calling


def _decisive(calling: Failure, plain: Failure) -> Failure:
    """The failure of two that counts: one that another order or a tighter level may mend, but for a lack of words, of
    which a tighter level takes more."""
    is_curable = calling.exceeded in ("registers", "descriptors")
    return plain if is_curable or plain.exceeded == "registers" else calling
