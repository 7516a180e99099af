"""Workers on many machines, through a scheduler of Dask.distributed (the extra `farm`).

In: tasks and the scheduler's address.  Out: outcomes, as they come.  Workers need this version of the compiler, and the
sources and the folder of results under the same paths.  The scheduler gives the tasks of a worker
that is lost to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.batch.variants import Variant
from glslc_multi.batch.work import Outcome, Settings, work, worker_died
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue import usage

#: Seconds to wait for the scheduler.
_PATIENCE = 5


def run_on_farm(
    tasks: Iterable[Sequence[tuple[int, Variant]]], settings: Settings, address: str, sink: DiagnosticSink
) -> Iterator[list[Outcome]]:
    """The outcomes of all tasks, in the order in which they become ready."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        sink.report(usage.NO_FARM, help="pip install 'glslc-multi[farm]'")
        sink.raise_if_errors()
    try:
        client = Client(address, timeout=_PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        sink.report(usage.NO_SCHEDULER, address=address, reason=reason[:1].lower() + reason[1:])
        sink.raise_if_errors()
    with client:
        listed = list(tasks)
        # `pure` would let the scheduler return remembered results for sources that have changed.
        futures = client.map(work, listed, settings=settings, pure=False)
        task_of = dict(zip(futures, listed, strict=True))
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            if future.status == "error":
                yield [worker_died(number, str(future.exception())) for number, _ in task_of[future]]
            else:
                # Lost with its worker, a result is computed again.
                yield future.result()
