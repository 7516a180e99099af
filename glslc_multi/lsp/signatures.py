"""What the call at the cursor takes: the overloads of a function, and which parameter is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol import types as lsp

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.symbols import FunctionSymbol
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES, NumericType, StructType
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.describe import parameters, typed
from glslc_multi.lsp.scope import visible_names
from glslc_multi.lsp.unfinished import Unfinished


@dataclass(frozen=True, slots=True)
class _Signature:
    """One way to call something."""

    result: str
    name: str
    parameters: tuple[str, ...]

    def as_lsp(self) -> lsp.SignatureInformation:
        """The text, with the place of each parameter in it; all of it is ASCII."""
        text = f"{self.result} {self.name}(".lstrip()
        places = []
        for index, parameter in enumerate(self.parameters):
            text += ", " if index else ""
            places.append(lsp.ParameterInformation(label=(len(text), len(text) + len(parameter))))
            text += parameter
        return lsp.SignatureInformation(f"{text})", parameters=places)


def signature_help(analysis: Analysis, offset: int, analyse: Callable[[str], Analysis]) -> lsp.SignatureHelp | None:
    """The signatures of the innermost call around an offset."""
    around = Unfinished(analysis.text, analysis.pieces, offset)
    call = around.call()
    if call is None:
        return None
    signatures = list(_of_language(call.name.text, analysis))
    if call.name.kind in ("name", "reserved", "function"):
        signatures = [*_of_shader(call.name.text, analyse(around.without_statement()), offset), *signatures]
    if not signatures:
        return None
    best = next((number for number, each in enumerate(signatures) if len(each.parameters) > call.argument), 0)
    return lsp.SignatureHelp([each.as_lsp() for each in signatures], best, call.argument)


def _of_shader(name: str, analysis: Analysis, offset: int) -> Iterator[_Signature]:
    if analysis.unit is None:
        return
    cursor = analysis.lines.place_at(offset)
    for symbol in visible_names(analysis.unit, analysis.file, *cursor).get(name, ()):
        if isinstance(symbol, FunctionSymbol):
            listed = parameters(symbol, analysis.language)
            yield _Signature(str(symbol.return_type), name, tuple(listed))
        elif isinstance(symbol, StructType):
            yield _Signature("", name, tuple(typed(field.type, field.name) for field in symbol.fields))


def _of_language(name: str, analysis: Analysis) -> Iterator[_Signature]:
    for function in functions_of(name, analysis.language.number):
        if analysis.stage in function.stages:
            listed = parameters(function, analysis.language)
            yield _Signature(str(function.return_type), name, tuple(listed))
    type_ = KEYWORD_TYPES.get(name)
    if isinstance(type_, NumericType):
        # Of one scalar, and of all components; others combine what has enough of them (GLSL ES 3.00 section 5.4.2).
        yield _Signature("", str(type_), (type_.base,))
        if not type_.is_scalar:
            yield _Signature("", str(type_), (type_.base,) * type_.component_count)
