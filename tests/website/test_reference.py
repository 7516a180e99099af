"""The API reference has every public name, with signatures and docstrings as the source has them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import ClassVar

from glslc_multi.compiler.records import dataclass as record
from website.build import api_page
from website.public_names import public_objects
from website.reference import reference_page


class Trouble(Exception):
    """Say that something is wrong."""


class Shape:
    """Keep a size."""

    def __init__(self, size: int, *, name: str = "shape") -> None:
        self._size, self._name = size, name

    @property
    def size(self) -> int:
        """Return the size."""
        return self._size

    def grow(self, by: float) -> Shape:
        """Return a larger one."""
        return Shape(int(self._size + by), name=self._name)

    def _hidden(self) -> None:
        """Do what nobody sees."""


@dataclass(frozen=True)
class Size:
    """Hold two lengths."""

    #: From left to right.
    width: float
    height: float = 1.0
    _hidden: int = 0


class Contract(ABC):
    """Promise an outline."""

    #: In pixels.
    thickness: ClassVar[int]

    @abstractmethod
    def outline(self) -> Shape:
        """Return it."""


@record(frozen=True)
class Volume(Shape):
    """Hold three."""

    depth: Mapping[str, float]

    @cached_property
    def top(self) -> str:
        """Return the name of the upper side."""
        return max(self.depth)


def stretch(shape: Shape, /, *by: float, most: float | None = None) -> Shape:
    """Return a longer one."""
    return shape.grow(sum(by) if most is None else most)


def package() -> ModuleType:
    module = ModuleType("shapes")
    module.__dict__.update(Shape=Shape, Trouble=Trouble, stretch=stretch, Size=Size, Volume=Volume, LIMIT=3)
    module.__dict__["__all__"] = ["LIMIT", "Shape", "Size", "Trouble", "Volume", "__version__", "stretch"]
    return module


def test_signatures_and_docstrings_are_shown() -> None:
    page = reference_page(
        package(), {"shapes.outlines.Line": Size, "shapes.draw": stretch, "shapes.Contract": Contract}
    )
    for text in (
        "## Functions\n\n### stretch\n\n```python\n"
        "def stretch(shape: Shape, *by: float, most: float | None = None) -> Shape\n```\n\nReturn a longer one.\n",
        "## Classes\n\n### Shape\n\n```python\nclass Shape(size: int, *, name: str = 'shape')\n```\n\nKeep a size.\n",
        "#### Shape.size\n\n```python\nsize: int\n```\n\nReturn the size.\n",
        "#### Shape.grow\n\n```python\ndef grow(by: float) -> Shape\n```\n\nReturn a larger one.\n",
        "### Size\n\n```python\nclass Size:\n    #: From left to right.\n"
        "    width: float\n    height: float = 1.0\n```\n",
        "### Volume\n\n```python\nclass Volume:\n    depth: Mapping[str, float]\n```\n\nHold three.\n",
        "#### Volume.grow\n",
        "#### Volume.top\n\n```python\ntop: str\n```\n\nReturn the name of the upper side.\n",
        "## Exceptions\n\n### Trouble\n",
        "## Other names\n\n- `LIMIT`\n",
        "## In modules\n",
        "### shapes.Contract\n\n```python\nclass Contract:\n    #: In pixels.\n    thickness: ClassVar[int]\n```\n",
        "#### Contract.outline\n\n```python\ndef outline() -> Shape\n```\n",
        "### shapes.draw\n\n```python\ndef draw(shape: Shape, *by: float, most: float | None = None) -> Shape\n```\n",
        "### shapes.outlines.Line\n\n```python\nclass Line:\n    #: From left to right.\n",
    ):
        assert text in page
    assert "_hidden" not in page


def test_every_public_name_is_there() -> None:
    page = api_page()
    names = {name.removeprefix("glslc_multi.") if name.count(".") == 1 else name for name in public_objects()}
    assert [name for name in names if f"\n### {name}\n" not in page] == []
