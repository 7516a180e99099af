"""The rules of every target's selection: rows name instructions that there are, functions take what their patterns
have, and no two rules want the same instruction."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

import glslc_multi
from glslc_multi.backends.registry import target_names
from glslc_multi.backends.vc4.codegen.machine_ops import operation
from glslc_multi.compiler.codegen.machine import MachineOp
from glslc_multi.compiler.codegen.selection.emitter import AnyEmitter, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.codegen.selection.templates import Template
from glslc_multi.compiler.codegen.selection.trees import Tree, TreeTable
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.ir.module import Instruction
from tests.bytes.programs import shaders_for

#: Shaders whose selection is looked at: one of so many, or more where a target has few.
_EVERY, _LEAST = 60, 12


#: Targets whose rules are those of their family.
_FAMILIES = {"adreno": "xenos_family", "xenos": "xenos_family"}


def package_of(target: str) -> str:
    """The back end that has a target's rules."""
    return f"glslc_multi.backends.{_FAMILIES.get(target, target)}"


def modules_of(target: str) -> Iterator[Any]:
    """The files of a target that have rules."""
    package = package_of(target)
    yield importlib.import_module(f"{package}.codegen.select")
    room = importlib.import_module(f"{package}.codegen")
    if any(module.name == "selection" for module in pkgutil.iter_modules(room.__path__)):
        folder = importlib.import_module(f"{package}.codegen.selection")
        for module in pkgutil.iter_modules(folder.__path__):
            yield importlib.import_module(f"{folder.__name__}.{module.name}")


def rules_of(target: str) -> list[Tree[Any]]:
    sets = [value for module in modules_of(target) for value in vars(module).values() if isinstance(value, RuleSet)]
    return [tree for rules in sets for tree in rules.table.trees()]


def templates_of(target: str) -> list[Template]:
    """The right sides of all rows, with the templates inside them."""
    found = [tree.answer.__self__ for tree in rules_of(target) if hasattr(tree.answer, "__self__")]
    for template in found:
        found += [operand for operand in template.operands if isinstance(operand, Template)]
    return found


def operation_of(target: str, name: str) -> MachineOp:
    machines = [m for m in SelectionTarget.__subclasses__() if m.__module__.startswith(f"{package_of(target)}.")]
    known = [machine.operations for machine in machines]
    found = next((operations[name] for operations in known if name in operations), None)
    return found or operation(name)


@pytest.mark.parametrize("target", target_names())
def test_rows_have_the_sources_of_their_instructions(target: str) -> None:
    templates = templates_of(target)
    assert len(templates) > 10
    for template in templates:
        assert len(template.operands) == len(operation_of(target, template.name).sources), template


@pytest.mark.parametrize("target", target_names())
def test_functions_take_the_leaves_of_their_patterns(target: str) -> None:
    functions = [tree for tree in rules_of(target) if not hasattr(tree.answer, "__self__")]
    assert functions
    for tree in functions:
        inspect.signature(tree.answer).bind("emitter", "instruction", *tree.names)


@pytest.mark.parametrize("target", target_names())
def test_every_pattern_of_other_tables_is_in_the_language(target: str) -> None:
    for module in modules_of(target):
        for value in vars(module).values():
            if isinstance(value, TreeTable):
                assert list(value.trees())


@pytest.mark.parametrize("target", target_names())
def test_no_two_rules_want_the_same_instruction(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Instruction] = []
    select = RuleSet.select

    def looked_at(rules: RuleSet[Any], e: AnyEmitter, instruction: Instruction) -> None:
        seen.append(instruction)
        assert not rules.table.conflicts(instruction), instruction
        select(rules, e, instruction)

    monkeypatch.setattr(RuleSet, "select", looked_at)
    shaders = list(shaders_for(target, 60))
    for shader in islice(shaders, 0, None, min(_EVERY, len(shaders) // _LEAST)):
        for level in (0, 2):
            try:
                glslc_multi.compile(shader.text, target=target, stage=shader.stage, opt=level)
            except CompileError:
                continue
    assert len(seen) > 100
