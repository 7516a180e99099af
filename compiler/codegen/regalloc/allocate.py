"""Register allocation: machine code on virtual registers becomes machine code on physical ones.

`allocate` computes live ranges (`liveness`), collects what opcodes demand (`constraints`), makes bundles of live ranges
(`live_bundles`), joins those that copies connect (`coalesce`), assigns registers (`assign`) and rewrites the code
(`rewrite`).  Where the registers do not suffice it tries, in this order: other orders of assignment; without the
joins of the bundles for which no register was found (`coalesce`); live-range splitting (`split`).  The loop around
these is that of Chaitin ("Register allocation and spilling via graph coloring", 1982), without spilling, which no
machine here can do, and without a graph: bundles are assigned in order (see `assign`).  What then does not fit, or has
no registers by the time the compilation's budget is spent, is reported (`limits`).  What comes out is checked every
time (`check`).

Of hundreds of real shaders, few come to these remedies: without splitting one does not fit VC4.  Computing constants
again instead of keeping them (Briggs, Cooper and Torczon, 1992) would let none fit that does not: constants are
operands already.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.budget import spend
from glslc_multi.compiler.codegen.machine import MachineFunction, VirtualRegister
from glslc_multi.compiler.codegen.places import fill_places
from glslc_multi.compiler.codegen.regalloc.assign import AGAIN, Assignment, Unassigned, assign
from glslc_multi.compiler.codegen.regalloc.check import check_allocation, snapshot
from glslc_multi.compiler.codegen.regalloc.coalesce import Coalescer
from glslc_multi.compiler.codegen.regalloc.constraints import collect_demands
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles
from glslc_multi.compiler.codegen.regalloc.liveness import Liveness, Numbering
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.regalloc.rewrite import rewrite
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.trace import show

#: How often joins are undone for bundles without a register, before the code is changed.
_SEPARATIONS = 6
#: How often the code is changed.
_ROUNDS = 23


@dataclass(slots=True)
class _Failure:
    """Code for which registers do not suffice, and the bundle that has none."""

    bundles: LiveBundles
    unassigned: Unassigned

    @property
    def bundle(self) -> LiveBundle:
        return self.unassigned.bundle


class AllocationFault(Exception):
    """The allocator made a mistake, which the check of its work found."""


def allocate(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
    """Rewrite `function` to physical registers, or report that they do not suffice."""
    show("before allocation", function)
    # Operands are rewritten in place: one that two instructions share would be rewritten twice.
    seen: set[int] = set()
    for instruction in function.instructions():
        for operand in (*instruction.defs, *instruction.all_uses()):
            assert id(operand) not in seen, f"{instruction} shares an operand with another instruction"
            seen.add(id(operand))
    fill_places(function)
    before = snapshot(function)
    failure = _assign_and_rewrite(function, model)
    if failure is not None:
        _relieve_pressure(function, model, failure, sink)
    faults = check_allocation(before, function, model.bank)
    if faults:
        raise AllocationFault("; ".join(faults[:4]))
    show("allocate", function)


def _relieve_pressure(function: MachineFunction, model: RegisterModel, failure: _Failure, sink: DiagnosticSink) -> None:
    """Change the code until it fits; most code never comes here, so that the remedies are imported here."""
    from glslc_multi.compiler.codegen.regalloc.limits import describe_shortage, peak_of, report_shortage
    from glslc_multi.compiler.codegen.regalloc.split import Splitter

    splitter = Splitter(function, model)
    shortage = describe_shortage(function, failure.bundles, failure.bundle)
    # Splitting moves values between registers; it leaves as many of them alive.
    rounds = 0 if failure.unassigned.is_infeasible else _ROUNDS
    for round_number in range(rounds):
        bundles, bundle = failure.bundles, failure.bundle
        peak = peak_of(bundles, bundle)
        count = 1 << min(round_number, 6)
        if not (model.splits and spend(AGAIN * len(bundles.all)) and splitter.split(bundles, bundle, peak, count)):
            break
        failed = _assign_and_rewrite(function, model)
        if failed is None:
            return
        failure = failed
    report_shortage(shortage, model, sink)


def _assign_and_rewrite(function: MachineFunction, model: RegisterModel) -> _Failure | None:
    """Allocate the code as it is; where that is impossible, returns the first failure."""
    demands = collect_demands(function, model)
    liveness = Liveness(function, Numbering(function))
    alone: set[VirtualRegister] = set()
    failure: _Failure | None = None
    for attempt in range(1, _SEPARATIONS + 2):
        if failure is not None and not spend(AGAIN * len(failure.bundles.all)):
            break
        bundles = LiveBundles(function, liveness, demands, model)
        Coalescer(function, bundles, model, alone).run()
        failed = assign(function, bundles, model.attempts)
        if isinstance(failed, Assignment):
            rewrite(function, bundles, failed, model)
            bundles.release()
            return None
        failure = failure or _Failure(bundles, failed)
        joined = _joins_to_undo(bundles, failed.bundle, alone)
        if not joined or failed.is_infeasible:
            break
        alone |= joined if attempt < _SEPARATIONS else joined | _narrowed(bundles)
    return failure


def _narrowed(bundles: LiveBundles) -> set[VirtualRegister]:
    """Registers that joins leave fewer registers to choose from: that of a machine's few special ones, say."""
    narrowed = [bundle for bundle in bundles.all if bundle.parts and bundle.candidates != bundle.widest]
    return {register for bundle in narrowed for register in bundles.registers_of(bundle)}


def _joins_to_undo(bundles: LiveBundles, failed: LiveBundle, alone: set[VirtualRegister]) -> set[VirtualRegister]:
    """Registers whose joins might be undone: those of the failed bundle, else those of the widest one that
    interferes with it."""
    interfering = [bundle for bundle in bundles.all if bundle.parts and bundle.range & failed.range]
    interfering.sort(key=lambda bundle: (bundle is not failed, -len(bundle.parts), bundle.number))
    for bundle in interfering:
        registers = set(bundles.registers_of(bundle))
        if len(registers) > 1 and not registers <= alone:
            return registers
    return set()
