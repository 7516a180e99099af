"""The small faults that a file of Python can be given, one at a time.

A fault replaces a piece of the text, so that a survivor can be shown as a diff.  The kinds are those of the mutation
literature (Offutt et al. 1996, "An experimental determination of sufficient mutant operators": absolute value and sign,
arithmetic, relational and logical operators, deleted statements) and those that code generators suffer from: the order
of operands, a guard that is not there, a table without one of its rows.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from itertools import pairwise

from glslc_multi.compiler.records import dataclass

KINDS = (
    *("operator", "condition", "constant", "bound", "sign", "order", "polarity", "early return"),
    *("row", "deletion"),
)

_OPERATORS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
_NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
_COMPARISONS: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
#: Decorators whose arguments say nothing about what is computed.
_SILENT_DECORATORS = frozenset({"dataclass", "cache", "lru_cache", "overload"})


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece of a file, from one character to another, and what stands there instead."""

    path: str
    kind: str
    start: int
    end: int
    replacement: str

    def plant(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]

    def diff(self, text: str) -> str:
        """The lines that change."""
        lines = difflib.unified_diff(
            text.splitlines(), self.plant(text).splitlines(), self.path, self.path, lineterm="", n=1
        )
        return "\n".join(lines)


def faults_of(path: str, text: str) -> list[Fault]:
    """All faults of a file."""
    finder = _Finder(path, text)
    finder.visit(ast.parse(text))
    return finder.found


def is_program(fault: Fault, text: str) -> bool:
    """Whether the file is still valid Python, and another program: a few replacements leave neither."""
    try:
        return ast.dump(ast.parse(fault.plant(text))) != ast.dump(ast.parse(text))
    except SyntaxError:
        return False


class _Finder(ast.NodeVisitor):
    """Walks what is executed; annotations and docstrings are not."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        # The positions of `ast` count bytes of UTF-8.
        self._lines = [line.encode() for line in text.splitlines(keepends=True)]
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.found: list[Fault] = []

    # places --------------------------------------------------------------------------------
    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1][:column].decode())

    def _source(self, node: ast.expr) -> str:
        return self.text[self._start(node) : self._end(node)]

    def _add(self, kind: str, start: int, end: int, replacement: str) -> None:
        self.found.append(Fault(self.path, kind, start, end, replacement))

    def _replace(self, kind: str, node: ast.expr, replacement: str) -> None:
        self._add(kind, self._start(node), self._end(node), replacement)

    def _replace_between(self, kind: str, left: ast.expr, right: ast.expr, symbol: str, replacement: str) -> None:
        """Another operator between two operands."""
        start, end = self._end(left), self._start(right)
        between = self.text[start:end]
        found = re.search(rf"(?<![\w<>=!*/]){re.escape(symbol)}(?![\w<>=*/])", between)
        if found and "#" not in between:
            self._add(kind, start + found.start(), start + found.end(), replacement)

    def _swap(self, left: ast.expr, right: ast.expr) -> None:
        first, between = self._source(left), self.text[self._end(left) : self._start(right)]
        self._add("order", self._start(left), self._end(right), self._source(right) + between + first)

    # what is not executed ------------------------------------------------------------------
    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """A weaker or stronger assertion is no fault of the compiled code."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """`zip(..., strict=True)` is an assertion too."""
        if node.arg != "strict":
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_decorators(node.decorator_list)
        self._visit_all(node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_decorators(node.decorator_list)
        self._visit_all([*node.args.defaults, *(default for default in node.args.kw_defaults if default)])
        self._visit_all(node.body)
        self._return_at_once(node)

    def _visit_decorators(self, decorators: Sequence[ast.expr]) -> None:
        for decorator in decorators:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name not in _SILENT_DECORATORS:
                self.visit(decorator)

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # faults --------------------------------------------------------------------------------
    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        symbol = _OPERATORS.get(type(node.op))
        # Types are joined by `|`, texts by `+`.
        if symbol is None or any(map(_is_type_or_text, (node.left, node.right))):
            return
        self._replace_between("operator", node.left, node.right, *symbol)
        if isinstance(node.op, _NOT_COMMUTATIVE):
            self._swap(node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> None:
        self.visit(node.left)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            (self._visit_members if isinstance(operator, ast.In | ast.NotIn) else self.visit)(right)
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            symbol, others = _COMPARISONS[type(operator)]
            for other in others:
                self._replace_between("condition", left, right, symbol, other)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.generic_visit(node)
        symbols = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._replace_between("condition", left, right, *symbols)
        neutral = "True" if isinstance(node.op, ast.And) else "False"
        for value in node.values:
            self._replace("condition", value, neutral)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            self._replace("polarity", node, f"({self._source(node.operand)})")
        elif isinstance(node.op, ast.USub):
            self._replace("sign", node, f"({self._source(node.operand)})")

    def visit_If(self, node: ast.If) -> None:
        self.generic_visit(node)
        self._replace("polarity", node.test, f"not ({self._source(node.test)})")
        if len(node.body) == 1 and isinstance(node.body[0], ast.Return | ast.Continue | ast.Break) and not node.orelse:
            self._replace("early return", node.test, "False")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.generic_visit(node)
        self._replace("polarity", node.test, f"not ({self._source(node.test)})")

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.generic_visit(node)
        for test in node.ifs:
            self._replace("condition", test, "True")

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace("polarity", node, str(not value))
        elif isinstance(value, int):
            self._replace("constant", node, str(value + 1))
            if value > 0:
                self._replace("bound", node, str(value - 1))
        elif isinstance(value, float) and value:
            self._replace("constant", node, repr(value * 2))
            self._replace("sign", node, f"({-value!r})")
        elif isinstance(value, str):
            self._change_row(node)

    def _change_row(self, node: ast.Constant) -> None:
        """A row of a table of rules, `pattern -> result`: another sign, another order."""
        text, start = self._source(node), self._start(node)
        arrow = text.find("->")
        if arrow < 0 or "\n" in text:
            return
        for sign in re.finditer(r"-(?=[A-Za-z])", text[arrow + 2 :]):
            place = start + arrow + 2 + sign.start()
            self._add("sign", place, place + 1, "")
        for pair in re.finditer(r"(-?\w+), (-?\w+)", text[arrow + 2 :]):
            place = start + arrow + 2
            self._add("order", place + pair.start(), place + pair.end(), f"{pair[2]}, {pair[1]}")

    def visit_Call(self, node: ast.Call) -> None:
        has_members = getattr(node.func, "attr", "") in ("startswith", "endswith")
        self.visit(node.func)
        for argument in node.args:
            (self._visit_members if has_members else self.visit)(argument)
        self._visit_all(node.keywords)
        is_symmetric = getattr(node.func, "id", "") in ("min", "max")
        if (
            len(node.args) >= 2
            and not is_symmetric
            and not any(isinstance(argument, ast.Starred) for argument in node.args[:2])
        ):
            self._swap(*node.args[:2])

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            self._drop_rows(node.elts)
            if len(node.elts) == 2:
                self._swap(*node.elts)

    def _visit_members(self, node: ast.expr) -> None:
        """Leave the order alone of what something is looked for in."""
        if isinstance(node, ast.Tuple):
            self._visit_all(node.elts)
            self._drop_rows(node.elts)
        else:
            self.visit(node)

    def visit_List(self, node: ast.List) -> None:
        self.generic_visit(node)
        self._drop_rows(node.elts)

    def visit_Set(self, node: ast.Set) -> None:
        self.generic_visit(node)
        self._drop_rows(node.elts)

    def visit_Dict(self, node: ast.Dict) -> None:
        self.generic_visit(node)
        self._drop_rows([key or value for key, value in zip(node.keys, node.values, strict=True)])

    def _drop_rows(self, rows: Sequence[ast.expr]) -> None:
        """Two elements may be a pair; more are a table."""
        for first, following in pairwise(rows):
            if len(rows) > 2:
                self._add("row", self._start(first), self._start(following), "")

    def visit_Expr(self, node: ast.Expr) -> None:
        # A text that stands alone is a docstring, whatever arrow it has.
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)
        if isinstance(node.value, ast.Call):
            self._delete(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        self._delete(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if getattr(node.targets[0], "id", "") == "__all__":
            return
        self.generic_visit(node)
        # Without a new name what follows would not run at all.
        if isinstance(node.targets[0], ast.Subscript | ast.Attribute):
            self._delete(node)

    def _delete(self, node: ast.stmt) -> None:
        self._add("deletion", self._start(node), self._end(node), "pass")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not _is_type(node.value):
            self.visit(node.slice)

    def _return_at_once(self, node: ast.FunctionDef) -> None:
        """The function does nothing: before its first statement it returns."""
        returned = ast.unparse(node.returns) if node.returns else ""
        returns = {"None": ("return",), "bool": ("return True", "return False")}.get(returned, ())
        body = node.body[1:] if ast.get_docstring(node) else node.body
        for statement in body[:1]:
            start = self._start(statement)
            for text in returns if ast.unparse(statement) != "..." else ():
                self._add("early return", start, start, f"{text}\n{' ' * statement.col_offset}")


def _is_type_or_text(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and not _is_number(node.value))
    return is_text or _is_type(node)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _is_type(node: ast.expr) -> bool:
    """Whether the name is that of a class: `Sequence[int]`, `list[int]`, `int | None`."""
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    is_class = name[:1].isupper() and not name.isupper() and len(name) > 1
    return is_class or name in {"list", "dict", "set", "tuple", "type", "int", "float", "str", "bool", "frozenset"}
