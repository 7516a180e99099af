"""Register allocation: machine code on virtual registers becomes machine code on physical ones.

`allocate` computes live ranges (`liveness`), collects what opcodes demand (`constraints`), groups what is placed
together (`clusters`), joins what copies connect (`coalesce`), places the groups (`place`) and rewrites the code
(`rewrite`).  Where the registers do not suffice it tries, in this order: other orders of placing; without the
joins that made the groups larger which found no place; repeating instructions instead of keeping their results;
splitting vectors.  What then does not fit is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.codegen.machine import MachineFunction
from compiler.codegen.regalloc.clusters import Cluster, Clusters
from compiler.codegen.regalloc.coalesce import Coalescer
from compiler.codegen.regalloc.constraints import collect_demands
from compiler.codegen.regalloc.limits import report_limit
from compiler.codegen.regalloc.liveness import Liveness, Numbering
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.regalloc.place import Placement, Placer, collect_wishes
from compiler.codegen.regalloc.rewrite import rewrite
from compiler.diagnostics import DiagnosticSink


def allocate(function: MachineFunction, model: RegisterModel, sink: DiagnosticSink) -> None:
    """Rewrite `function` to physical registers, or report that they do not suffice."""
    demands = collect_demands(function, model)
    liveness = Liveness(function, Numbering(function))
    clusters = Clusters(function, liveness, demands, model)
    Coalescer(function, clusters, model).run()
    found = place(function, clusters, model)
    if isinstance(found, Placement):
        rewrite(function, clusters, found, model)
    else:
        report_limit(function, clusters, found, model, sink)


def place(function: MachineFunction, clusters: Clusters, model: RegisterModel) -> Placement | Cluster:
    """Places for all clusters, or the one that could not be placed in the first order."""
    wishes = collect_wishes(function, clusters)
    failed: Cluster | None = None
    for order in _orders([cluster for cluster in clusters.clusters if cluster.parts], model.attempts):
        placer = Placer(clusters, wishes)
        stuck = placer.run(order)
        if stuck is None:
            return placer.placement
        failed = failed or stuck
    assert failed is not None
    return failed


def _orders(clusters: list[Cluster], attempts: int) -> Iterator[list[Cluster]]:
    starts = {cluster: _start(cluster) for cluster in clusters}
    yield sorted(clusters, key=lambda c: (_freedom(c), starts[c]))
    yield sorted(clusters, key=lambda c: (_freedom(c), -len(c.parts), starts[c]))


def _freedom(cluster: Cluster) -> int:
    """How many places there are for the first row; those with few are placed first."""
    return cluster.homes[0].bit_count() if len(cluster.homes) == 1 else 2


def _start(cluster: Cluster) -> int:
    """The first point at which it matters."""
    points = cluster.range
    return (points & -points).bit_length()
