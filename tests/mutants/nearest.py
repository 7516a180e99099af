"""The tests of a file of the product, nearest first: by the imports that lead from them to it, then by folders.

Tests that read their cases from files import nothing of what these are about: they are as near as the folder.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import networkx as nx

from tests.architecture.imports import Graph, import_graph, imported, modules
from tests.shared_data import PROJECT_ROOT

#: Imports between a test and a file, at most; and files of tests, at most.
_FARTHEST, _MOST = 3, 24


def nearest(path: str) -> list[str]:
    """List files of tests; the one that mirrors the file is the first."""
    mirror = f"tests/{Path(path).parent}/test_{Path(path).name}"
    module = next(name for name, file in modules().items() if file == PROJECT_ROOT / path)
    found = nx.single_source_shortest_path_length(_users(), module, cutoff=_FARTHEST)
    tests = dict.fromkeys(_beside(mirror), 1) | {name: found[name] for name in found if name.endswith(".py")}
    if mirror in tests:
        tests[mirror] = 0

    def distance(test: str) -> tuple[int, int, str]:
        return tests[test], -len(os.path.commonpath([mirror, test])), test

    return sorted(tests, key=distance)[:_MOST]


def _beside(mirror: str) -> list[str]:
    """List the files of tests in the folder of a mirror, or in the first one above that has any."""
    folders = (sorted((PROJECT_ROOT / folder).glob("test_*.py")) for folder in Path(mirror).parents)
    return [str(test.relative_to(PROJECT_ROOT)) for test in next(filter(None, folders))]


@cache
def _users() -> Graph:
    """Draw an edge from each module to the modules and files of tests that import it."""
    graph = import_graph().copy()
    for test in (PROJECT_ROOT / "tests").rglob("test_*.py"):
        if "node_modules" not in test.parts:
            name = str(test.relative_to(PROJECT_ROOT))
            graph.add_edges_from((name, module) for module in imported(test, modules()))
    return graph.reverse()
