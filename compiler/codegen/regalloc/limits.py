"""The message that registers do not suffice: how many are needed, where, and what is in them there."""

from __future__ import annotations

from collections import Counter

from glslc_multi.compiler.codegen.machine import MachineFunction, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.infeasible import pressure
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from glslc_multi.compiler.codegen.regalloc.liveness import bits
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import COMPONENTS
from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.records import dataclass

#: The components of a register that nothing is in.
_UNUSED = (1 << COMPONENTS) - 1
#: Values named in a message; a longer list helps nobody.
_MOST_LABELS = 8


@dataclass(frozen=True, slots=True)
class Shortage:
    """What a message about missing registers says."""

    span: Span | None
    values: tuple[VirtualRegister, ...]
    need: int
    limit: int


def describe_shortage(function: MachineFunction, bundles: LiveBundles, failed: LiveBundle) -> Shortage:
    """Why there is no register for `failed`."""
    competing = _competing(bundles, failed)
    limit = failed.widest.bit_count()
    point = peak_of(bundles, failed)
    values = tuple(_values_at(function, bundles, point))
    # How many registers the parts that are live at a point take, the widest bundles first.
    free: Counter[int] = Counter()
    at_point = [[part.components for part in bundle.parts if part.range >> point & 1] for bundle in competing]
    for parts in sorted(filter(None, at_point), key=len, reverse=True):
        # Registers are told apart by the components that are free in them.
        room = next((taken for taken in sorted(+free) if _rest(parts, taken) is not None), None)
        if room is not None:
            free[room] -= 1
        free[_rest(parts, _UNUSED if room is None else room) or 0] += 1
    return Shortage(_span_at(function, point), values, max(free.total(), limit + 1), limit)


def report_shortage(shortage: Shortage, model: RegisterModel, sink: DiagnosticSink) -> None:
    """Report and raise."""
    labels = [
        Label(value.span, (f"'{value.name}'" if value.name else "this value") + " is needed later")
        for value in shortage.values
        if value.span is not None
    ]
    unnamed = len(labels) - _MOST_LABELS
    # The smallest change that would fit.
    missing = shortage.need - shortage.limit
    values = "one value" if missing == 1 else f"{missing} values"
    help = f"have {values} fewer here: compute what is needed later where it is used, or in smaller pieces"
    notes = [f"{unnamed} more values are needed later"] if unnamed > 0 else []
    limit = Limit(model.target, model.resource, shortage.limit, help)
    limit.report(shortage.need, shortage.span, sink, labels=list(dict.fromkeys(labels))[:_MOST_LABELS], notes=notes)
    sink.raise_if_errors()


def _competing(bundles: LiveBundles, failed: LiveBundle) -> list[LiveBundle]:
    """The bundles that may be assigned registers which the failed one could use, were they not joined with others."""
    return [bundle for bundle in bundles.all if bundle.parts and bundle.widest & failed.widest]


def peak_of(bundles: LiveBundles, failed: LiveBundle) -> int:
    """The point at which most components are live, of those where the failed bundle is."""
    taken = pressure(_competing(bundles, failed))
    return max(bits(failed.range), key=lambda point: taken[point], default=0)


def _values_at(function: MachineFunction, bundles: LiveBundles, point: int) -> list[VirtualRegister]:
    """The virtual registers that are live at a point."""
    first, ranges = bundles.numbering.virtual, bundles.liveness.ranges
    return [
        register
        for register in function.registers
        if any(ranges[first[register.id] + k] >> point & 1 for k in range(register.width))
    ]


def _span_at(function: MachineFunction, point: int) -> Span | None:
    """The place in the source of the instruction at a point, or of the nearest one before it."""
    instructions = list(function.instructions())
    for instruction in reversed(instructions[: point // 2 + 1]):
        if instruction.span is not None:
            return instruction.span
    return next((each.span for each in instructions if each.span is not None), None)


def _rest(parts: list[int], free: int) -> int | None:
    """What is left of the free components after one was given to each part; None where they do not suffice."""
    for components in sorted(parts, key=int.bit_count):
        fitting = components & free
        if not fitting:
            return None
        free &= ~(fitting & -fitting)
    return free
