"""What the host computes with `-fpreamble`: the lists that it reads and fills, and the methods that do it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from glslc_multi.backends.agal.host.facts import Stage
from glslc_multi.backends.agal.host.languages import Language, indented
from glslc_multi.backends.agal.host.setters import count_of, kept_name, of_list, stores
from glslc_multi.compiler.artifact import Binding
from glslc_multi.compiler.host_code.c_names import member_name
from glslc_multi.compiler.host_code.places import size_of
from glslc_multi.compiler.host_code.preamble_calls import call_lines
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import HostUniform, computed_of
from glslc_multi.compiler.ir.variables import PREAMBLE

_NUMBERS_OF_ROW = 4


def preamble_fields(
    uniforms: tuple[HostUniform, ...], computed: Mapping[str, tuple[Binding, ...]], language: Language
) -> Iterator[str]:
    """A list for each uniform that a preamble reads, and for what it computes."""
    for uniform in uniforms:
        if uniform.preambles:
            numbers = [float(n) for n in uniform.default or [0] * count_of(uniform)]
            yield from _list(kept_name(uniform.name), numbers, uniform.name, language)
    for stage, bindings in computed.items():
        for binding in bindings:
            yield from _list(_computed_name(stage, binding.name), [0.0] * size_of(binding), "computed", language)
    if any(uniform.preambles for uniform in uniforms):
        yield f"{language.variable}isStale:{language.types['bool']} = true;"


def preamble_methods(stages: Mapping[str, Stage], language: Language) -> list[str]:
    """The preamble of each stage that has one, and the functions that these call."""
    lines: list[str] = []
    for name, stage in stages.items():
        preamble = stage.artifact.preamble
        if preamble is None:
            continue
        arrays = {
            v: _computed_name(name, v.name) if v.role == PREAMBLE else kept_name(v.name)
            for v in preamble.variables.values()
        }
        body = call_lines(preamble, arrays, language.calls)
        for binding in computed_of(stage.artifact):
            body += stores(binding, stage, of_list(_computed_name(name, binding.name)), language)
        lines += ["", language.private.format(name=f"{name}Preamble"), *indented(language.body_of(body)), "}"]
    if lines:
        lines += fill(Path(__file__).parent / f"preamble.{language.suffix}", {}).splitlines()
    return lines


def _computed_name(stage: str, name: str) -> str:
    return f"{stage}_{member_name(name)}"


def _list(name: str, numbers: list[float], about: str, language: Language) -> list[str]:
    texts = [language.number(number) for number in numbers]
    rows = [", ".join(texts[at : at + _NUMBERS_OF_ROW]) for at in range(0, len(texts), _NUMBERS_OF_ROW)]
    return language.list_of(name, rows, [about] * len(rows))
