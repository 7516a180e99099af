"""Names and expressions in the words of GLSL: declarations, signatures, precisions.

In: symbols and expressions of the typed tree.  Out: text as one would write it in the shader's own version.
"""

from __future__ import annotations

from glslc_multi.compiler.shading.operand import higher
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.symbols import BlockSymbol, BuiltinFunction, FunctionSymbol, Stage, VariableSymbol
from glslc_multi.frontends.glsl.types import (
    ERROR,
    ArrayType,
    Constant,
    GlslType,
    NumericType,
    Precision,
    StructField,
    StructType,
)
from glslc_multi.lsp.occurrences import Symbol

#: What `in` and `out` of a version with these words were before.
_MODERN = {"attribute": "in", "output": "out"}
#: Of a constant, before it is cut.
_MOST_NUMBERS = 16


def declaration(symbol: Symbol, language: Language, stage: Stage) -> str:
    """What a name is, as its declaration."""
    if isinstance(symbol, VariableSymbol):
        words = "invariant " if symbol.invariant else ""
        words += f"{symbol.interpolation} " if symbol.interpolation else ""
        words += _storage(symbol.storage, language, stage)
        text = f"{words}{_precision(symbol.precision, language)}{typed(symbol.type, symbol.name)}"
        return text if symbol.constant is None else f"{text} = {constant_text(symbol.constant)}"
    if isinstance(symbol, FunctionSymbol | BuiltinFunction):
        return signature(symbol, language)
    if isinstance(symbol, StructField):
        return f"{_precision(symbol.precision, language)}{typed(symbol.type, symbol.name)}"
    if isinstance(symbol, BlockSymbol):
        return _members(f"{_storage(symbol.storage, language, stage)}{symbol.name}", symbol.type, language)
    return _members(f"struct {symbol.name}", symbol, language)


def typed(type_: GlslType, name: str) -> str:
    """A type and a name: `float weights[3]`."""
    dimensions = ""
    while isinstance(type_, ArrayType):
        dimensions += f"[{type_.length or ''}]"
        type_ = type_.element
    return f"{type_} {name}{dimensions}"


def parameters(function: FunctionSymbol | BuiltinFunction, language: Language) -> list[str]:
    """The parameters of a function, each as it is declared."""
    if isinstance(function, BuiltinFunction):
        outs = function.out_parameters
        return [f"{'out ' if index in outs else ''}{type_}" for index, type_ in enumerate(function.parameters)]
    return [_parameter(parameter, language) for parameter in function.parameters]


def signature(function: FunctionSymbol | BuiltinFunction, language: Language) -> str:
    result = function.precision if isinstance(function, BuiltinFunction) else function.return_precision
    listed = ", ".join(parameters(function, language))
    return f"{_precision(result, language)}{function.return_type} {function.name}({listed})"


def constant_text(value: Constant) -> str:
    """The numbers of a constant."""
    words = [str(number).lower() if isinstance(number, bool) else f"{number:.9g}" for number in value[:_MOST_NUMBERS]]
    return ", ".join(words) + (", …" if len(value) > _MOST_NUMBERS else "")


def precision_of(expression: ast.Expression) -> Precision | None:
    """The precision in which an expression is computed: the highest of its operands (GLSL ES 3.00 section 4.5.2)."""
    if not isinstance(expression.type, NumericType) or expression.type.base == "bool":
        return None
    precision: Precision | None = None
    pending = [expression]
    while pending:
        node = pending.pop()
        own, operands = _own_precision(node)
        precision = higher(precision, own)
        pending += operands
    return precision


def _own_precision(node: ast.Expression) -> tuple[Precision | None, list[ast.Expression]]:
    """The precision that a node says by itself, else the operands that decide."""
    if isinstance(node, ast.Name):
        return (None if node.symbol is None else node.symbol.precision), []
    if isinstance(node, ast.Call):
        if node.function is not None:
            return node.function.return_precision, []
        if node.builtin is not None and node.builtin.precision is not None:
            return node.builtin.precision, []
        if node.arguments and node.arguments[0].type.contains_sampler:
            return None, node.arguments[:1]
        return None, node.arguments
    if isinstance(node, ast.Field) and node.swizzle is None:
        field = node.base.type.field(node.name) if isinstance(node.base.type, StructType) else None
        return (None if field is None else field.precision), []
    if isinstance(node, ast.Field | ast.Index):
        return None, [node.base]
    if isinstance(node, ast.Unary | ast.Postfix | ast.ImplicitConversion):
        return None, [node.operand]
    if isinstance(node, ast.Binary):
        return None, [node.right] if node.op == "," else [node.left, node.right]
    if isinstance(node, ast.Conditional):
        return None, [node.if_true, node.if_false]
    return None, [node.target] if isinstance(node, ast.Assign) else []


# ------------------------------------------------------------------------------------------ parts


def _parameter(parameter: VariableSymbol, language: Language) -> str:
    direction = "" if parameter.storage == "in" else f"{parameter.storage} "
    return f"{direction}{_precision(parameter.precision, language)}{typed(parameter.type, parameter.name)}".rstrip()


def _storage(storage: str, language: Language, stage: Stage) -> str:
    if storage in ("local", "builtin", "in"):
        return ""
    if language.has("in and out"):
        modern = {**_MODERN, "varying": "in" if stage == "fragment" else "out"}
        return f"{modern.get(storage, storage)} "
    return f"{storage} "


def _precision(precision: Precision | None, language: Language) -> str:
    return f"{precision} " if precision is not None and language.has("precision") else ""


def _members(head: str, type_: StructType, language: Language) -> str:
    lines = [
        f"    {_precision(field.precision, language)}"
        f"{field.name if field.type is ERROR else typed(field.type, field.name)};"
        for field in type_.fields
    ]
    return "\n".join([f"{head} {{", *lines, "}"])
