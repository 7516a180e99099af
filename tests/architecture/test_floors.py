"""Imports run one way: between floors, between rooms, between files; and folders stay small."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.architecture.imports import FLOORS, Graph, circles, import_graph, quotient, wrong_arrows
from tests.architecture.picture import IMAGE, picture
from tests.shared_data import PROJECT_ROOT

MOST_FILES = 24


def with_import(user: str, used: str) -> Graph:
    graph = import_graph().copy()
    assert {user, used} <= set(graph)
    graph.add_edge(user, used)
    return graph


def test_no_import_runs_up() -> None:
    assert wrong_arrows(import_graph()) == []


def test_no_files_import_each_other_in_a_circle() -> None:
    assert circles(import_graph()) == []


def test_no_rooms_import_each_other_in_a_circle() -> None:
    assert circles(quotient(import_graph())) == []


@pytest.mark.parametrize(
    ("user", "used"),
    [
        ("runtime.shader", "glslc_multi.api"),
        ("compiler.driver", "backends.registry"),
        ("frontends.glsl.frontend", "glslc_multi.cache.footprint"),
        ("frontends.registry", "backends.registry"),
        ("compiler.ir.module", "compiler.passes.base"),
        ("compiler.passes.base", "compiler.codegen.select"),
        ("backends.vc4.isa.registers", "backends.vc4.codegen.select"),
        ("backends.agal.machine.simulate", "backends.agal.codegen.select"),
        ("backends.agal.codegen.select", "backends.agal.machine.simulate"),
        ("backends.adreno.isa.container", "backends.vc4.isa.program"),
        ("backends.xenos_family.isa.program", "backends.adreno.isa.container"),
        ("backends.adreno.isa.container", "backends.xenos_family.codegen.encode"),
        ("backends.vc4.isa.program", "backends.adreno.isa.container"),
        ("backends.theia.codegen.generate", "backends.theia.target"),
    ],
)
def test_a_wrong_import_is_seen(user: str, used: str) -> None:
    assert wrong_arrows(with_import(user, used)) == [f"{user} imports {used}"]


def test_a_circle_is_seen() -> None:
    user, used = "compiler.ir.text", "compiler.ir.module"
    assert import_graph().has_edge(user, used)
    assert circles(with_import(used, user)) == [[used, user]]


def test_the_graph_has_lazy_imports_and_those_of_types() -> None:
    graph = import_graph()
    assert graph.has_edge("compiler.driver", "compiler.passes.runner")
    assert graph.has_edge("compiler.target", "compiler.ir.module")


def test_an_instruction_set_knows_no_intermediate_representation() -> None:
    graph = import_graph()
    of_compilers = ("compiler.ir", "compiler.analysis", "compiler.passes", "compiler.lowering", "compiler.codegen")
    rooms = [module for module in graph if module.startswith("backends.") and module.split(".")[2:3] == ["isa"]]
    assert len(rooms) > 50
    assert [(room, used) for room in rooms for used in graph[room] if used.startswith(of_compilers)] == []


def test_no_folder_is_crowded() -> None:
    files = [path for floor in FLOORS for package in floor for path in (PROJECT_ROOT / package).rglob("*.py")]
    crowded = {str(folder): count for folder, count in Counter(path.parent for path in files).items()}
    assert {folder: count for folder, count in crowded.items() if count > MOST_FILES} == {}


def test_the_picture_is_current() -> None:
    """`make docs` renews it."""
    assert IMAGE.read_text(encoding="utf-8") == picture(import_graph())
