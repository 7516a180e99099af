"""The static call graph: recursion is an error, and what `main` reaches is what gets compiled.

Both walks keep their own stack, because a chain of calls may be longer than Python's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from glslc_multi.compiler.diagnostics import Label, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.symbols import FunctionSymbol


def report_recursion(ctx: Context) -> None:
    """Section 6.1: no function may call itself, directly or through others, whether it runs or not."""
    finished: set[FunctionSymbol] = set()
    for root in ctx.functions:
        if root not in finished:
            _search_cycles(ctx, root, finished)


def _search_cycles(ctx: Context, root: FunctionSymbol, finished: set[FunctionSymbol]) -> None:
    """A depth-first walk from `root`; `path` holds the chain of calls that leads to the current function."""
    path: dict[FunctionSymbol, Iterator[FunctionSymbol]] = {root: iter(root.calls)}
    while path:
        caller, callees = next(reversed(path.items()))
        callee = next(callees, None)
        if callee is None:
            del path[caller]
            finished.add(caller)
        elif callee in path:
            chain = list(path)
            cycle = chain[chain.index(callee) :]
            first, last = cycle[0], cycle[-1]
            others = [f"'{function.name}'" for function in cycle[1:]]
            labels = [
                Label(caller.calls[callee], f"'{caller.name}' calls '{callee.name}' here")
                for caller, callee in pairwise(cycle)
            ]
            through = f" through {', '.join(others)}" if others else ""
            ctx.sink.report(names.RECURSION, last.calls[first], labels=labels, name=first.name, through=through)
        elif callee not in finished:
            path[callee] = iter(callee.calls)


def reachable(ctx: Context, main: FunctionSymbol | None) -> list[FunctionSymbol]:
    """Every function that `main` or a global's initializer may call, callees before callers."""
    roots = [*ctx.initializer_calls, *([main] if main is not None else [])]
    order: dict[FunctionSymbol, None] = {}
    for root in roots:
        seen = {root}
        stack: list[tuple[FunctionSymbol, Iterator[FunctionSymbol]]] = [(root, iter(root.calls))]
        while stack:
            function, callees = stack[-1]
            callee = next((c for c in callees if c not in seen and c not in order), None)
            if callee is None:
                order.setdefault(function)
                stack.pop()
            else:
                seen.add(callee)
                stack.append((callee, iter(callee.calls)))
    return list(order)


def undefined_calls(ctx: Context, functions: Iterable[FunctionSymbol]) -> dict[FunctionSymbol, Span]:
    """The functions without a body that `functions` or initializers call, each with its first call."""
    called: dict[FunctionSymbol, Span] = dict(ctx.initializer_calls)
    for function in functions:
        for callee, span in function.calls.items():
            called.setdefault(callee, span)
    return {callee: span for callee, span in called.items() if callee not in ctx.definitions}
