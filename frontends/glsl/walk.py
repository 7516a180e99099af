"""Generic walks over the syntax tree: what a node contains in the text, never what the checker annotated.

All walks keep their own stack, so that the height of a tree does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.records import fields
from glslc_multi.frontends.glsl import ast

#: Any record of `ast` that stands for a piece of text.
Node = (
    ast.Expression
    | ast.Statement
    | ast.External
    | ast.Qualifiers
    | ast.StructDeclaration
    | ast.TypeSpecifier
    | ast.StructMember
    | ast.Declarator
    | ast.Parameter
    | ast.ConditionDeclaration
    | ast.TranslationUnit
)


#: Annotations of fields that only say where something stands.
_PLACES = ("Span", "TokenNumber")
#: The fields that the parser fills but for spans, by class of node: those of the constructor.
_WRITTEN: dict[type[object], tuple[str, ...]] = {}


def children(node: Node) -> Iterator[Node]:
    """The nodes directly inside of `node`, in the order of the text's grammar."""
    names = _WRITTEN.get(type(node))
    if names is None:
        names = _WRITTEN[type(node)] = tuple(
            field.name for field in fields(node) if field.init and field.type not in _PLACES
        )
    for name in names:
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _nodes_in(element)


def is_effect(node: Node) -> bool:
    """Whether a node itself assigns, or calls what may."""
    if isinstance(node, ast.Unary):
        return node.op in ("++", "--")
    if isinstance(node, ast.Call):
        return node.function is not None or (node.builtin is not None and bool(node.builtin.out_parameters))
    return isinstance(node, ast.Assign | ast.Postfix)


def walk(node: Node) -> Iterator[Node]:
    """`node` and all nodes inside of it, each before its children."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(list(children(node))))
