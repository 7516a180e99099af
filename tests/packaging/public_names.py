"""The public names of the package with their signatures, as a text: what a version promises (docs/releasing.md).

In: the objects of `website/public_names.py`.  Out: each name, its signature, and the members of classes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from glslc_multi.compiler.records import fields
from website.public_names import is_record, public_objects
from website.reference import signature_text

#: Methods that are called by an operator.
_OPERATORS = ("__call__", "__getitem__", "__setitem__")
#: An attribute that a constructor sets, with its annotation.
_SET_ATTRIBUTE = re.compile(r"^ +self\.([a-z]\w*)(?:: ([^=\n]+))? = ", re.MULTILINE)


def public_text() -> str:
    """List everything that is public."""
    objects = public_objects()
    names = sorted(objects, key=lambda name: (name.count("."), name))
    return "\n".join("".join(f"{line}\n" for line in _lines(name, objects[name])) for name in names)


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
    if is_record(value):
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
