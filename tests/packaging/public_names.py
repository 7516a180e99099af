"""The public names of the package, with their signatures: what a version promises (docs/releasing.md).

In: what `glslc_multi` lists, and what the pages about Python name in full or import in examples.  Out: a text with each
name, its signature, and its members.  Data classes whose instances are fields of these are public, too.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from doctest import DocTestParser
from functools import cached_property
from importlib import import_module
from typing import Any

import glslc_multi
from glslc_multi.compiler.records import fields
from tests.shared_data import PROJECT_ROOT
from website.reference import signature_text

PAGES = ("python", "machine-code-tools", "engine-api")
_FULL_NAME = re.compile(r"`(glslc_multi(?:\.\w+)*\.[A-Z]\w+)`")
#: Methods that are called by an operator.
_OPERATORS = ("__call__", "__getitem__", "__setitem__")
#: An attribute that a constructor sets, with its annotation.
_SET_ATTRIBUTE = re.compile(r"^ +self\.([a-z]\w*)(?:: ([^=\n]+))? = ", re.MULTILINE)


def public_text() -> str:
    """List everything that is public."""
    objects = public_objects()
    names = sorted(objects, key=lambda name: (name.count("."), name))
    return "\n".join("".join(f"{line}\n" for line in _lines(name, objects[name])) for name in names)


def public_objects() -> dict[str, Any]:
    """Find the objects of all public names, those of fields included."""
    names = {f"glslc_multi.{name}" for name in glslc_multi.__all__ if not name.startswith("__")}
    for page in PAGES:
        names.update(documented_names((PROJECT_ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")))
    # What has several names goes by the shortest.
    objects: dict[int, tuple[str, Any]] = {}
    for name in sorted(names, key=lambda name: (len(name), name)):
        value = _object(name)
        objects.setdefault(id(value), (name, value))
    waiting = [value for _, value in objects.values()]
    while waiting:
        for part in _classes_of_fields(waiting.pop()):
            if id(part) not in objects:
                objects[id(part)] = f"{part.__module__}.{part.__qualname__}", part
                waiting.append(part)
    return dict(objects.values())


def documented_names(page: str) -> Iterator[str]:
    """List the classes that a page names in full, and what its examples import from the package."""
    yield from _FULL_NAME.findall(page)
    for example in DocTestParser().get_examples(page):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("glslc_multi"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _object(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def _is_record(value: object) -> bool:
    return inspect.isclass(value) and hasattr(value, "__record_fields__")


def _classes_of_fields(value: Any) -> Iterator[type]:
    """Find the data classes that the annotations of a data class name."""
    if _is_record(value):
        for field in fields(value):
            for word in re.findall(r"\w+", str(field.type)):
                named = getattr(sys.modules[value.__module__], word, None)
                if inspect.isclass(named) and _is_record(named):
                    yield named


def _lines(name: str, value: Any) -> Iterator[str]:
    """Describe a name: its signature, or the members of a class."""
    if inspect.isclass(value):
        yield f"class {name}"
        yield from (f"    {line}" for text in _members(value) for line in text.splitlines())
    else:
        yield f"{name}{signature_text(inspect.signature(value))}"


def _members(value: Any) -> Iterator[str]:
    """Describe what a class and those of ours that it derives from declare."""
    own = [base for base in reversed(value.__mro__) if base.__module__.startswith("glslc_multi.")]
    if _is_record(value):
        declared: tuple[Any, ...] = fields(value)
        yield from (_variable(field.name, field.type, field.has_default()) for field in declared)
    else:
        yield from (text for base in own for text in _attributes(base))
    members = {name: member for base in own for name, member in vars(base).items()}
    for name, member in sorted(members.items()):
        if name in _OPERATORS or not name.startswith("_"):
            yield from _member(name, member)


def _attributes(value: Any) -> Iterator[str]:
    """Describe a constructor and what it sets, and the variables of a class."""
    if "__init__" in vars(value):
        yield f"__init__{signature_text(inspect.signature(value.__init__))}"
        for name, annotation in _SET_ATTRIBUTE.findall(inspect.getsource(value.__init__)):
            yield f"{name}: {annotation}" if annotation else name
    for name, annotation in vars(value).get("__annotations__", {}).items():
        yield _variable(name, annotation, name in vars(value))


def _variable(name: str, annotation: object, has_default: bool) -> str:
    return f"{name}: {annotation}" + (" = ..." if has_default else "")


def _member(name: str, member: Any) -> Iterator[str]:
    """Describe a method or a property."""
    kind = "abstract " if getattr(member, "__isabstractmethod__", False) else ""
    if isinstance(member, (property, cached_property)):
        getter = member.fget if isinstance(member, property) else member.func
        assert getter is not None
        yield f"{kind}{name}: {inspect.signature(getter).return_annotation}"
    elif isinstance(member, (classmethod, staticmethod)):
        yield f"{type(member).__name__} {name}{signature_text(inspect.signature(member.__func__))}"
    elif inspect.isfunction(member):
        yield f"{kind}{name}{signature_text(inspect.signature(member))}"
