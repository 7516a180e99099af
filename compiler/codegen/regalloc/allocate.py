"""Register allocation: machine code on virtual registers becomes machine code on physical ones.

`allocate` computes live ranges (`liveness`), collects what opcodes demand (`constraints`), groups what is placed
together (`clusters`), joins what copies connect (`coalesce`), places the groups (`place`) and rewrites the code
(`rewrite`).  Where the registers do not suffice it tries, in this order: other orders of placing; without the
joins that made the groups which found no place; repeating instructions instead of keeping their results
(`rematerialise`); splitting values by copies (`split`).  What then does not fit is reported (`limits`).
What comes out is checked every time (`check`).
"""

from __future__ import annotations

from compiler.codegen.machine import MachineFunction, VirtualRegister
from compiler.codegen.regalloc.check import check_allocation, snapshot
from compiler.codegen.regalloc.clusters import Cluster, Clusters
from compiler.codegen.regalloc.coalesce import Coalescer
from compiler.codegen.regalloc.constraints import collect_demands
from compiler.codegen.regalloc.liveness import Liveness, Numbering
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.regalloc.place import Placement, place
from compiler.codegen.regalloc.rewrite import rewrite
from compiler.diagnostics import DiagnosticSink
from compiler.records import dataclass
from compiler.trace import show

#: How often joins are undone for groups without a place, before the code is changed.
_SEPARATIONS = 6
#: How often the code is changed.
_ROUNDS = 23


@dataclass(slots=True)
class _Failure:
    """Code for which no places were found, and the group that has none."""

    clusters: Clusters
    cluster: Cluster


class AllocationFault(Exception):
    """The allocator made a mistake, which the check of its work found."""


def allocate(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
    """Rewrite `function` to physical registers, or report that they do not suffice."""
    show("before allocation", function)
    _require_own_operands(function)
    before = snapshot(function)
    _allocate(function, model, sink)
    faults = check_allocation(before, function, model.bank)
    if faults:
        raise AllocationFault("; ".join(faults[:4]))
    show("allocate", function)


def _require_own_operands(function: MachineFunction) -> None:
    """Operands are rewritten in place: one that two instructions share would be rewritten twice."""
    seen: set[int] = set()
    for instruction in function.instructions():
        for operand in (*instruction.defs, *instruction.all_uses()):
            assert id(operand) not in seen, f"{instruction} shares an operand with another instruction"
            seen.add(id(operand))


def _allocate(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
    failure = _place_and_rewrite(function, model)
    if failure is not None:
        _make_room(function, model, failure, sink)


def _make_room(function: MachineFunction, model: RegisterModel, failure: _Failure, sink: DiagnosticSink) -> None:
    """Change the code until it fits; most code never comes here, so the remedies are imported here."""
    from compiler.codegen.regalloc.limits import describe_shortage, peak_of, report_shortage
    from compiler.codegen.regalloc.rematerialise import rematerialise
    from compiler.codegen.regalloc.split import Splitter

    splitter = Splitter(function, model)
    shortage = describe_shortage(function, failure.clusters, failure.cluster)
    for round_number in range(_ROUNDS):
        clusters, cluster = failure.clusters, failure.cluster
        peak = peak_of(clusters, cluster)
        count = 1 << min(round_number, 6)
        repeated = rematerialise(function, clusters, cluster, peak, count, model)
        if not repeated and not splitter.split(clusters, cluster, peak, count):
            break
        found = _place_and_rewrite(function, model)
        if found is None:
            return
        failure = found
    report_shortage(shortage, model, sink)


def _place_and_rewrite(function: MachineFunction, model: RegisterModel) -> _Failure | None:
    """Allocate the code as it is; where that is impossible, the first failure comes back."""
    demands = collect_demands(function, model)
    liveness = Liveness(function, Numbering(function))
    alone: set[VirtualRegister] = set()
    failure: _Failure | None = None
    for _ in range(_SEPARATIONS):
        clusters = Clusters(function, liveness, demands, model)
        Coalescer(function, clusters, model, alone).run()
        found = place(function, clusters, model.attempts)
        if isinstance(found, Placement):
            rewrite(function, clusters, found, model)
            clusters.release()
            return None
        from compiler.codegen.regalloc.hopeless import is_hopeless

        failure = failure or _Failure(clusters, found)
        joined = _joined_in_the_way(clusters, found, alone)
        if not joined or is_hopeless(clusters, found):
            break
        alone |= joined
    return failure


def _joined_in_the_way(clusters: Clusters, failed: Cluster, alone: set[VirtualRegister]) -> set[VirtualRegister]:
    """Registers whose joins might be undone: those of the failed cluster, else those of the widest one in its way."""
    rivals = [cluster for cluster in clusters.clusters if cluster.parts and cluster.range & failed.range]
    rivals.sort(key=lambda cluster: (cluster is not failed, -len(cluster.parts), cluster.number))
    for cluster in rivals:
        registers = set(clusters.registers_of(cluster))
        if len(registers) > 1 and not registers <= alone:
            return registers
    return set()
