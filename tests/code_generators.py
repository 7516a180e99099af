"""The code generators that tests of machine code go through: every target, in every variant and at every level."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.records import dataclass, field

#: Options that make different code generators of one target.
_VARIANTS: dict[str, list[dict[str, str]]] = {"agal": [{"agal_version": version} for version in "123"]}
#: As after `-O`: without passes, the default, and the default with small code before fast code.
LEVELS = ("0", "2", "s")


@dataclass(frozen=True, slots=True)
class CodeGenerator:
    """A target with options."""

    target: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "-".join([self.target, *self.options.values()])


CODE_GENERATORS = [
    CodeGenerator(target, options) for target in target_names() for options in _VARIANTS.get(target, [{}])
]
