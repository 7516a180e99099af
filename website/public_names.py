"""What is public: the names that a version promises (docs/releasing.md).

In: what `glslc_multi` lists, and what the pages about Python name in full or import in examples.  Out: the objects of
these names.  Data classes whose instances are fields of public ones are public, too.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from doctest import DocTestParser
from importlib import import_module
from typing import Any

import glslc_multi
from glslc_multi.compiler.records import fields
from website.gather import PROJECT

_PAGES = ("python", "machine-code-tools", "engine-api")
_FULL_NAME = re.compile(r"`(glslc_multi(?:\.\w+)*\.[A-Z]\w+)`")


def public_objects() -> dict[str, Any]:
    """Find the objects of all public names, those of fields included."""
    names = {f"glslc_multi.{name}" for name in glslc_multi.__all__ if not name.startswith("__")}
    for page in _PAGES:
        names.update(documented_names((PROJECT / "docs" / f"{page}.md").read_text(encoding="utf-8")))
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


def is_record(value: object) -> bool:
    return inspect.isclass(value) and hasattr(value, "__record_fields__")


def _classes_of_fields(value: Any) -> Iterator[type]:
    """Find the data classes that the annotations of a data class name."""
    if is_record(value):
        for field in fields(value):
            for word in re.findall(r"\w+", str(field.type)):
                named = getattr(sys.modules[value.__module__], word, None)
                if inspect.isclass(named) and is_record(named):
                    yield named
