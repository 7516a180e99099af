"""The graph of imports, drawn from the sources: top-level imports, lazy ones and those for type checkers alike.

A node is a file, by the name of its module.  Importing `a.b.c` from outside of `a` runs `a/__init__.py` and
`a/b/__init__.py` first, so these are imported too, unless they hold nothing but a docstring.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

import networkx as nx

from tests.shared_data import PROJECT_ROOT

Graph: TypeAlias = "nx.DiGraph[str]"

#: From the top.  Packages on one line do not know each other.
FLOORS = (("glslc_multi",), ("runtime",), ("frontends", "backends"), ("compiler",))
#: The rooms of `compiler/` from the ground; its own files (the driver, the contracts) stand above them.
COMPILER_ROOMS = tuple(
    "diagnostics arithmetic execution isa ir shading spirv analysis passes linking lowering codegen native proof "
    "lifting host_code".split()
)
#: The rooms of a back end: `isa` is the ground, the others stand on it and not on each other.
BACKEND_ROOMS = ("isa", "codegen", "machine", "host")
#: What targets share that are much alike; it has the rooms of a back end and knows no target.
FAMILIES = ("xenos_family",)


@cache
def import_graph() -> Graph:
    """An edge leads from a module to each one that it imports."""
    files = modules()
    graph: Graph = nx.DiGraph()
    graph.add_nodes_from(files)
    for name, path in files.items():
        for target in imported(path, files):
            if target != name:
                graph.add_edge(name, target)
    return graph


@cache
def modules() -> Mapping[str, Path]:
    """The files of the product, by the names of their modules."""
    packages = [PROJECT_ROOT / package for floor in FLOORS for package in floor]
    return {_name_of(path): path for package in packages for path in sorted(package.rglob("*.py"))}


def _name_of(path: Path) -> str:
    parts = path.relative_to(PROJECT_ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, files: Mapping[str, Path]) -> Iterator[str]:
    """The modules among `files` that a file imports."""
    importer = _name_of(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            # A part of the package goes by the name of its folder here.
            inner = name.removeprefix("glslc_multi.")
            name = inner if any(inner.partition(".")[0] in floor for floor in FLOORS[1:]) else name
            found = name if name in files else name.rpartition(".")[0]
            if found in files:
                yield found
                yield from _packages_of(found, importer, files)


def _packages_of(module: str, importer: str, files: Mapping[str, Path]) -> Iterator[str]:
    """The packages around a module, and not around its importer too, whose files do something."""
    package = module.rpartition(".")[0]
    while package and not f"{importer}.".startswith(f"{package}."):
        if _does_something(files[package]):
            yield package
        package = package.rpartition(".")[0]


@cache
def _does_something(package: Path) -> bool:
    return len(ast.parse(package.read_text(encoding="utf-8")).body) > 1


# ------------------------------------------------------------------------------------------ floors
def floor_of(module: str) -> int:
    """The number of a module's floor, 0 at the top."""
    package = module.partition(".")[0]
    return next(number for number, packages in enumerate(FLOORS) if package in packages)


@cache
def room_of(module: str) -> str:
    """The second part of a module's name, where that is a folder; "" for what stands outside of the rooms."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    return room if (PROJECT_ROOT / package / room).is_dir() else ""


def wrong_arrows(graph: Graph) -> list[str]:
    """Imports that run up, or between neighbours that must not know each other."""
    return [f"{user} imports {used}" for user, used in sorted(graph.edges) if not _is_allowed(user, used)]


def _is_allowed(user: str, used: str) -> bool:
    above, below = floor_of(user), floor_of(used)
    if above != below:
        return above < below
    package = user.partition(".")[0]
    if package != used.partition(".")[0]:
        return False
    if package == "compiler" and room_of(user) and room_of(used):
        return COMPILER_ROOMS.index(room_of(user)) >= COMPILER_ROOMS.index(room_of(used))
    if package == "backends":
        return _is_allowed_in_backends(user, used)
    return package != "frontends" or room_of(used) in (room_of(user), "")


def _is_allowed_in_backends(user: str, used: str) -> bool:
    """No target knows another, but its family; inside of one, `target.py` knows the rooms, and these `isa` alone."""
    _, target, *inside = user.split(".")
    _, other, *inside_used = used.split(".")
    if not inside_used:
        return True
    if not inside or (target != other and (other not in FAMILIES or target in FAMILIES)):
        return False
    room, room_used = inside[0], inside_used[0]
    return room_used in (room, "isa") if room in BACKEND_ROOMS else True


def quotient(graph: Graph, depth: int = 2) -> Graph:
    """The same between rooms: what has its first `depth` folders in common is one node; other files are their own."""
    rooms: Graph = nx.DiGraph()
    for user, used in graph.edges:
        above, below = _room_node(user, depth), _room_node(used, depth)
        if above != below:
            imports = rooms.get_edge_data(above, below, {"imports": 0})["imports"]
            rooms.add_edge(above, below, imports=imports + 1)
    return rooms


def _room_node(module: str, depth: int) -> str:
    parts = module.split(".")[:depth]
    return ".".join(parts) if PROJECT_ROOT.joinpath(*parts).is_dir() else module


def circles(graph: Graph) -> list[list[str]]:
    """Files, or rooms, that import each other in a loop."""
    return sorted(sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1)
