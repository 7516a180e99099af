"""Types taken apart, as the linker compares them."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir.declarations import Member
from glslc_multi.compiler.shading.types import ArrayType, Precision, ShaderType, StructType


def members_of(path: str, type_: ShaderType, precision: Precision | None) -> Iterator[Member]:
    """The parts of a type at `path`, the whole first."""
    if isinstance(type_, ArrayType):
        yield Member(path, str(type_))
        yield from members_of(f"{path}[]", type_.element, precision)
    elif isinstance(type_, StructType):
        yield Member(path, str(type_))
        for field in type_.fields:
            yield from members_of(f"{path}.{field.name}", field.type, field.precision)
    else:
        yield Member(path, str(type_), precision or "")
