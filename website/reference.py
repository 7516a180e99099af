"""The API reference: what a package lists in `__all__`, from its docstrings and annotations.

In: a package.  Out: a page: each function with its signature, each class with its constructor, fields and methods.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

_HEAD = """# Python API

Everything that `import {package}` offers. [From Python](python.md) and
[using compiled shaders in an engine](engine-api.md) have examples. Names that are not on this page may change without
notice.
"""
_MODULES = """
## In modules

Fields of the classes above, contracts of [plug-ins](python.md#targets-and-languages-of-your-own), and what
[tools for machine code](machine-code-tools.md) call.
"""
#: A default that is a function or an object shows where it is in memory, which says nothing.
_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-f]+>|<object object[^>]*>")


def reference_page(package: ModuleType, others: Mapping[str, Any]) -> str:
    """Write the page of a package, and of other objects by their full names."""
    names = [name for name in package.__all__ if not name.startswith("__")]
    objects = {name: getattr(package, name) for name in names}
    classes = {name: value for name, value in objects.items() if inspect.isclass(value)}
    exceptions = {name: value for name, value in classes.items() if issubclass(value, BaseException)}
    parts = [_HEAD.format(package=package.__name__)]
    for title, group in (
        ("Functions", {name: value for name, value in objects.items() if inspect.isfunction(value)}),
        ("Classes", {name: value for name, value in classes.items() if name not in exceptions}),
        ("Exceptions", exceptions),
    ):
        parts += [f"\n## {title}\n"] if group else []
        parts += ["".join(_entry(name, value)) for name, value in sorted(group.items())]
    rest = [name for name in names if name not in classes and not inspect.isfunction(objects[name])]
    parts += ["\n## Other names\n", *(f"\n- `{name}`{_summary(objects[name])}" for name in rest), "\n"] if rest else []
    parts += [_MODULES] if others else []
    parts += ["".join(_entry(name, value)) for name, value in sorted(others.items())]
    return "".join(parts)


def _entry(full_name: str, value: Any) -> Iterator[str]:
    """Describe a function or a class."""
    name = full_name.rpartition(".")[2]
    fields = _fields(value) if inspect.isclass(value) else ()
    code = "\n".join(("```python", f"class {name}:", *fields, "```")) if fields else _code(name, value)
    yield f"\n### {full_name}\n\n{code}\n{_text(value)}"
    for member, found in _members(value) if inspect.isclass(value) else ():
        function = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
        if inspect.isfunction(function):
            yield f"\n#### {name}.{member}\n\n{_code(member, function)}\n{_text(function)}"
        elif isinstance(found, (property, cached_property)):
            getter = found.fget if isinstance(found, property) else found.func
            result = inspect.signature(getter).return_annotation if getter else inspect.Signature.empty
            yield f"\n#### {name}.{member}\n\n```python\n{member}: {_annotation(result)}\n```\n{_text(found)}"


def _fields(value: type) -> list[str]:
    """List the fields that a data class or a contract declares, with the comments above them."""
    if not hasattr(value, "__match_args__") and "__annotations__" not in vars(value):
        return []
    lines = textwrap.dedent(inspect.getsource(value)).splitlines()
    (declared,) = ast.parse("\n".join(lines)).body
    fields: list[str] = []
    for node in declared.body if isinstance(declared, ast.ClassDef) else ():
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            first = node.lineno - 1
            while lines[first - 1].lstrip().startswith("#:"):
                first -= 1
            fields += lines[first : node.end_lineno]
    return fields


def _members(value: type) -> Iterator[tuple[str, Any]]:
    """List the public members of a class and of those that it derives from."""
    members: dict[str, Any] = {}
    for base in reversed(value.__mro__):
        members |= {} if base.__module__ == "builtins" else vars(base)
    return ((name, member) for name, member in members.items() if not name.startswith("_"))


def _code(name: str, value: Any) -> str:
    """Show a signature, a parameter on each line if it is long; without one, the name."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"```python\n{name}\n```"
    keyword = "class" if inspect.isclass(value) else "def"
    if keyword == "class":
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    text = _ADDRESS.sub("...", f"{keyword} {name}{signature_text(signature)}")
    return f"```python\n{text}\n```"


def signature_text(signature: inspect.Signature) -> str:
    """Write a signature with annotations as they stand in the source, a parameter on each line if it is long."""
    parameters = [
        str(parameter.replace(annotation=inspect.Parameter.empty)).partition("=")[0]
        + ("" if parameter.annotation is parameter.empty else f": {_annotation(parameter.annotation)}")
        + ("" if parameter.default is parameter.empty else f" = {parameter.default!r}")
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    star = next((i for i, p in enumerate(signature.parameters.values()) if p.kind is p.KEYWORD_ONLY), None)
    if star is not None and not any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        parameters.insert(star - ("self" in signature.parameters), "*")
    result = "" if signature.return_annotation is signature.empty else f" -> {_annotation(signature.return_annotation)}"
    short = f"({', '.join(parameters)}){result}"
    return short if len(short) < 80 else "(\n    " + ",\n    ".join(parameters) + f",\n){result}"


def _annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _text(value: Any) -> str:
    """Return the docstring as a paragraph."""
    return f"\n{inspect.cleandoc(value.__doc__)}\n" if value.__doc__ else ""


def _summary(value: Any) -> str:
    """Return the first line that a module says about itself."""
    return f": {(value.__doc__ or '').partition(chr(10))[0]}" if inspect.ismodule(value) else ""
