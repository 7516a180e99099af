"""Statements to control flow (GLSL ES 3.00 chapter 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

from compiler.ir.builder import bool_constant
from compiler.ir.module import Block
from frontends.glsl import ast
from frontends.glsl.lower import operators
from frontends.glsl.lower.expressions import ExpressionLowering, is_in_memory
from frontends.glsl.lower.flow import Flow
from frontends.glsl.lower.operand import Operand, constant_operand
from frontends.glsl.lower.shader import Instance, ShaderLowering
from frontends.glsl.types import BOOL

Condition = ast.Expression | ast.ConditionDeclaration | None


class StatementLowering:
    """Lowers the body of one function."""

    __slots__ = ("_expressions", "_flow", "_instance", "_loops", "_shader")

    def __init__(self, shader: ShaderLowering, instance: Instance, flow: Flow) -> None:
        self._shader = shader
        self._instance = instance
        self._flow = flow
        self._expressions = ExpressionLowering(shader, instance, flow)
        #: Targets of `break` and `continue`, the innermost statement's last; the latter is None outside of all loops.
        self._loops: list[tuple[Block, Block | None]] = []

    def lower(self, statement: ast.Statement) -> None:
        """One statement, unless control cannot reach it."""
        if self._flow.is_open:
            self._flow.emitter.span = statement.span
            _LOWER[type(statement)](self, statement)

    def declare(self, declaration: ast.VariableDeclaration) -> None:
        """Run the initialisers of a declaration; constants need no memory."""
        for declarator in declaration.declarators:
            symbol = declarator.symbol
            if declarator.initializer is None or symbol is None or not is_in_memory(symbol):
                continue
            if symbol.storage == "uniform":
                # Its default is the host's to give.
                continue
            value = self._expressions.value(declarator.initializer)
            self._flow.emitter.span = declarator.span
            self._expressions.variable(symbol).store(self._flow.emitter, value)

    # simple statements ---------------------------------------------------------------------
    def _block(self, statement: ast.Block) -> None:
        for inner in statement.statements:
            self.lower(inner)

    def _expression(self, statement: ast.ExpressionStatement) -> None:
        if statement.expression is not None:
            self._expressions.value(statement.expression)

    def _declaration(self, statement: ast.DeclarationStatement) -> None:
        if isinstance(statement.declaration, ast.VariableDeclaration):
            self.declare(statement.declaration)

    def _jump(self, statement: ast.Jump) -> None:
        if statement.kind == "break":
            self._flow.jump(self._loops[-1][0])
        elif statement.kind == "continue":
            head = self._loops[-1][1]
            assert head is not None
            self._flow.jump(head)
        elif statement.kind == "discard":
            self._discard()
        else:
            self._return(statement)

    def _return(self, statement: ast.Jump) -> None:
        if statement.value is not None:
            value = self._expressions.value(statement.value)
            self._flow.emitter.span = statement.span
            if self._instance.result is not None:
                self._instance.result.store(self._flow.emitter, value)
        self._flow.emitter.span = statement.span
        self._flow.leave()

    def _discard(self) -> None:
        """Mark the pixel and leave; callers learn of it by a flag and leave too (see `calls.py`)."""
        self._flow.emitter.kill()
        if self._instance is not self._shader.main:
            self._shader.discarded.store(self._flow.emitter, constant_operand(BOOL, (True,)))
        self._flow.leave()

    # selection and loops -------------------------------------------------------------------
    def _if(self, statement: ast.If) -> None:
        """All branches of a chain of `else if`s meet in one block, so that long chains nest nothing."""
        join = self._flow.new_block("endif")
        rest: ast.Statement | None = statement
        while isinstance(rest, ast.If):
            rest = self._branch_of(rest, join)
        if rest is not None:
            self.lower(rest)
            self._flow.jump(join)
        self._flow.start(join)

    def _branch_of(self, statement: ast.If, join: Block) -> ast.Statement | None:
        """Test one condition and run its branch; what remains is for where it is false."""
        condition = self._expressions.condition(statement.condition)
        then = self._flow.new_block("then")
        otherwise = join if statement.otherwise is None else self._flow.new_block("else")
        self._flow.emitter.span = statement.condition.span
        self._flow.branch(condition, then, otherwise)
        self._flow.start(then)
        self.lower(statement.then)
        self._flow.jump(join)
        if statement.otherwise is not None:
            self._flow.start(otherwise)
        return statement.otherwise

    def _switch(self, statement: ast.Switch) -> None:
        """Tests of the labels one after another, then the statements, which fall through from label to label."""
        selector = self._expressions.value(statement.selector)
        end = self._flow.new_block("endswitch")
        groups = list(_label_groups(statement))
        blocks = [self._flow.new_block("case") for _ in groups]
        default = end
        for (labels, _), block in zip(groups, blocks, strict=True):
            if any(label.value is None for label in labels):
                default = block
            else:
                self._test_labels(selector, labels, block)
        self._flow.jump(default)
        self._loops.append((end, self._loops[-1][1] if self._loops else None))
        for (_, statements), block in zip(groups, blocks, strict=True):
            self._flow.jump(block)
            self._flow.start(block)
            for inner in statements:
                self.lower(inner)
        self._loops.pop()
        self._flow.jump(end)
        self._flow.start(end)

    def _test_labels(self, selector: Operand, labels: list[ast.CaseLabel], block: Block) -> None:
        """Go to `block` where the selector equals one of the labels."""
        emitter = self._flow.emitter
        emitter.span = labels[0].span
        values = [self._expressions.value(label.value) for label in labels if label.value is not None]
        verdicts = [operators.binary(emitter, "==", selector, value) for value in values]
        verdict = reduce(lambda x, y: operators.binary(emitter, "||", x, y), verdicts)
        rest = self._flow.new_block("other")
        self._flow.branch(verdict.value, block, rest)
        self._flow.start(rest)

    def _while(self, statement: ast.While) -> None:
        head, body, end = (self._flow.new_block(name) for name in ("while", "body", "endwhile"))
        self._flow.jump(head)
        self._flow.start(head)
        self._test(statement.condition, body, end)
        self._body(statement.body, body, end, head)
        self._flow.jump(head)
        self._flow.start(end)

    def _for(self, statement: ast.For) -> None:
        self.lower(statement.initial)
        names = ("for", "body", "step", "endfor")
        head, body, step, end = (self._flow.new_block(name) for name in names)
        self._flow.jump(head)
        self._flow.start(head)
        self._test(statement.condition, body, end)
        self._body(statement.body, body, end, step)
        self._flow.jump(step)
        self._flow.start(step)
        if self._flow.is_open and statement.step is not None:
            self._expressions.value(statement.step)
        self._flow.jump(head)
        self._flow.start(end)

    def _do_while(self, statement: ast.DoWhile) -> None:
        body, test, end = (self._flow.new_block(name) for name in ("do", "test", "enddo"))
        self._flow.jump(body)
        self._body(statement.body, body, end, test)
        self._flow.jump(test)
        self._flow.start(test)
        if self._flow.is_open:
            self._test(statement.condition, body, end)
        self._flow.start(end)

    def _body(self, statement: ast.Statement, start: Block, on_break: Block, on_continue: Block) -> None:
        self._loops.append((on_break, on_continue))
        self._flow.start(start)
        self.lower(statement)
        self._loops.pop()

    def _test(self, condition: Condition, if_true: Block, if_false: Block) -> None:
        """Branch on a loop's condition; an absent one is true, so that the loop keeps an exit."""
        value = self._tested(condition).value
        self._flow.branch(value, if_true, if_false)

    def _tested(self, condition: Condition) -> Operand:
        if condition is None:
            return Operand(BOOL, (bool_constant(True),))
        if isinstance(condition, ast.ConditionDeclaration):
            return self._declared_condition(condition.declaration)
        return self._expressions.value(condition)

    def _declared_condition(self, declaration: ast.VariableDeclaration) -> Operand:
        """`while (bool b = ...)`: the declared variable's value is the condition."""
        self.declare(declaration)
        symbol = declaration.declarators[-1].symbol
        assert symbol is not None
        if symbol.constant is not None:
            return constant_operand(BOOL, symbol.constant)
        return self._expressions.variable(symbol).load(self._flow.emitter)


def _label_groups(statement: ast.Switch) -> Iterator[tuple[list[ast.CaseLabel], list[ast.Statement]]]:
    """Labels that stand together, each group with the statements up to the next one."""
    labels: list[ast.CaseLabel] = []
    statements: list[ast.Statement] = []
    for inner in statement.statements:
        if not isinstance(inner, ast.CaseLabel):
            statements.append(inner)
            continue
        if statements:
            yield labels, statements
            labels, statements = [], []
        labels.append(inner)
    if labels:
        yield labels, statements


_LOWER: dict[type, Callable[[StatementLowering, Any], None]] = {
    ast.Block: StatementLowering._block,
    ast.DeclarationStatement: StatementLowering._declaration,
    ast.ExpressionStatement: StatementLowering._expression,
    ast.If: StatementLowering._if,
    ast.Switch: StatementLowering._switch,
    ast.For: StatementLowering._for,
    ast.While: StatementLowering._while,
    ast.DoWhile: StatementLowering._do_while,
    ast.Jump: StatementLowering._jump,
}
