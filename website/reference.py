"""The API reference: what a package lists in `__all__`, from its docstrings and annotations.

In: a package.  Out: a page: each function with its signature, each class with its constructor, fields and methods.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

_HEAD = """# Python API

Everything that `import {package}` offers. Names that are not on this page may change without notice.
[Using compiled shaders in an engine](engine-api.md) has examples.
"""
#: A default that is a function or an object shows where it is in memory, which says nothing.
_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-f]+>|<object object[^>]*>")


def reference_page(package: ModuleType) -> str:
    """Write the page of a package."""
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
    parts += ["\n## Other names\n", *(f"\n- `{name}`" for name in rest), "\n"] if rest else []
    return "".join(parts)


def _entry(name: str, value: Any) -> Iterator[str]:
    """Describe a function or a class."""
    yield f"\n### {name}\n\n{_code(name, value)}\n{_text(value)}"
    if not inspect.isclass(value):
        return
    for member, found in vars(value).items():
        if member.startswith("_"):
            continue
        function = found.__func__ if isinstance(found, (classmethod, staticmethod)) else found
        if inspect.isfunction(function):
            yield f"\n#### {name}.{member}\n\n{_code(member, function)}\n{_text(function)}"
        elif isinstance(found, property):
            result = inspect.signature(found.fget).return_annotation if found.fget else inspect.Signature.empty
            yield f"\n#### {name}.{member}\n\n```python\n{member}: {_annotation(result)}\n```\n{_text(found)}"


def _code(name: str, value: Any) -> str:
    """Show a signature, a parameter on each line if it is long; without one, the name."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"```python\n{name}\n```"
    keyword = "class" if inspect.isclass(value) else "def"
    if keyword == "class":
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    text = _ADDRESS.sub("...", f"{keyword} {name}{_format(signature)}")
    return f"```python\n{text}\n```"


def _format(signature: inspect.Signature) -> str:
    """Write annotations as they stand in the source."""
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
