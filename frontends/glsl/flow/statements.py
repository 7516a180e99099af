"""The ways that control can take through a function's body: definite assignment, and whether the end is reached.

In: a checked body, and the variables that begin without a value.  Out: a warning at every first read of one that may
come before any write, and the state at the end of the body.

The analysis goes along the tree, as Java's does (The Java Language Specification, chapter 16).  It does not compare
conditions: a variable that is written and read under the same one "may" be read before it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.ast import (
    Block,
    CaseLabel,
    ConditionDeclaration,
    DeclarationStatement,
    DoWhile,
    Expression,
    ExpressionStatement,
    For,
    If,
    Jump,
    Statement,
    Switch,
    VariableDeclaration,
    While,
)
from glslc_multi.frontends.glsl.flow.expressions import Expressions
from glslc_multi.frontends.glsl.flow.loops import Loop, runs_once
from glslc_multi.frontends.glsl.flow.state import State, join


@dataclass(slots=True)
class _Exits:
    """The states in which control leaves the body of a loop or a `switch` by jumps."""

    is_loop: bool = True
    breaks: State | None = None
    continues: State | None = None


class Statements:
    """Walks statements; `state` is None where control does not get to."""

    def __init__(self, expressions: Expressions, writes: dict[Loop, int]) -> None:
        self._expressions = expressions
        self._writes = writes
        self._exits: list[_Exits] = []
        self.state: State | None = State(0, 0)

    def visit(self, statement: Statement) -> None:
        """Go through a statement, unless control does not get there."""
        if self.state is not None:
            _RULES[type(statement)](self, statement)

    def block(self, block: Block) -> None:
        for statement in block.statements:
            self.visit(statement)

    def declaration(self, statement: DeclarationStatement) -> None:
        if isinstance(statement.declaration, VariableDeclaration):
            self._declare(statement.declaration)

    def _declare(self, declaration: VariableDeclaration) -> None:
        for declarator in declaration.declarators:
            if declarator.initializer is not None:
                self._compute(declarator.initializer)
            elif declarator.symbol is not None and self.state is not None:
                self.state = self.state.forgot(self._expressions.parts.whole(declarator.symbol))

    def expression(self, statement: ExpressionStatement) -> None:
        self._compute(statement.expression)

    def _compute(self, expression: Expression | None) -> None:
        if expression is not None and self.state is not None:
            self.state = self._expressions.after(expression, self.state)

    def branch(self, statement: If) -> None:
        """A chain of `else if` is walked in a loop: it may be longer than Python's stack."""
        ends: State | None = None
        rest: Statement | None = statement
        while isinstance(rest, If) and self.state is not None:
            self._compute(rest.condition)
            before, value = self.state, rest.condition.constant
            if value is None or value[0]:
                self.visit(rest.then)
                ends = join(ends, self.state)
            self.state = None if value is not None and value[0] else before
            rest = rest.otherwise
        if rest is not None:
            self.visit(rest)
        self.state = join(ends, self.state)

    def switch(self, statement: Switch) -> None:
        """Control gets to a label from above, and from the parentheses."""
        self._compute(statement.selector)
        before, has_default = self.state, False
        self._exits.append(_Exits(is_loop=False))
        self.state = None
        for inner in statement.statements:
            if isinstance(inner, CaseLabel):
                has_default = has_default or inner.value is None
                self.state = join(self.state, before)
            else:
                self.visit(inner)
        self.state = join(self.state, self._exits.pop().breaks)
        if not has_default:
            self.state = join(self.state, before)

    # loops -----------------------------------------------------------------------------------
    def for_loop(self, loop: For) -> None:
        self.visit(loop.initial)
        is_sure = runs_once(loop)
        skipped = self._enter(loop, loop.condition)
        self._body(loop.body, loop.step)
        self._leave(self.state if is_sure else skipped, loop.condition)

    def while_loop(self, loop: While) -> None:
        skipped = self._enter(loop, loop.condition)
        self._body(loop.body, None)
        self._leave(skipped, loop.condition)

    def do_loop(self, loop: DoWhile) -> None:
        self._enter(loop, None)
        self._body(loop.body, loop.condition)
        self._leave(self.state, loop.condition)

    def _enter(self, loop: Loop, condition: Expression | ConditionDeclaration | None) -> State | None:
        """Begin an iteration, which may be a later one; the state after the condition."""
        self._exits.append(_Exits())
        if self.state is not None:
            self.state = self.state.may_have_written(self._writes[loop])
        if isinstance(condition, ConditionDeclaration):
            self._declare(condition.declaration)
        else:
            self._compute(condition)
        return self.state

    def _body(self, body: Statement, step: Expression | None) -> None:
        self.visit(body)
        self.state = join(self.state, self._exits[-1].continues)
        self._compute(step)

    def _leave(self, by_condition: State | None, condition: Expression | ConditionDeclaration | None) -> None:
        """After the loop: its condition was false, unless it never is, or a `break` was met."""
        constant = condition.constant if isinstance(condition, Expression) else None
        is_endless = condition is None or (constant is not None and bool(constant[0]))
        self.state = join(None if is_endless else by_condition, self._exits.pop().breaks)

    def jump(self, jump: Jump) -> None:
        self._compute(jump.value)
        if jump.kind == "break":
            self._exits[-1].breaks = join(self._exits[-1].breaks, self.state)
        elif jump.kind == "continue":
            loop = next(exits for exits in reversed(self._exits) if exits.is_loop)
            loop.continues = join(loop.continues, self.state)
        self.state = None


_RULES: dict[type[Statement], Callable[[Statements, Any], None]] = {
    Block: Statements.block,
    DeclarationStatement: Statements.declaration,
    ExpressionStatement: Statements.expression,
    If: Statements.branch,
    Switch: Statements.switch,
    For: Statements.for_loop,
    While: Statements.while_loop,
    DoWhile: Statements.do_loop,
    Jump: Statements.jump,
}
