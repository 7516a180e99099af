"""Statements to control flow (GLSL ES 3.00 chapter 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from glslc_multi.compiler.ir.builder import bool_constant
from glslc_multi.compiler.ir.module import Block
from glslc_multi.compiler.shading.flow import Flow
from glslc_multi.compiler.shading.operand import Operand, constant_operand
from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.lower import operators
from glslc_multi.frontends.glsl.lower.expressions import ExpressionLowering, is_in_memory
from glslc_multi.frontends.glsl.lower.shader import Instance, ShaderLowering
from glslc_multi.frontends.glsl.lower.switches import Group, Run, runs_of
from glslc_multi.frontends.glsl.types import BOOL

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
            # Mark the pixel and leave; callers learn of it by a flag and leave too (see `calls.py`).
            self._flow.emitter.kill()
            if self._instance is not self._shader.main:
                self._shader.discarded.store(self._flow.emitter, constant_operand(BOOL, (True,)))
            self._flow.leave()
        else:
            if statement.value is not None:
                value = self._expressions.value(statement.value)
                self._flow.emitter.span = statement.span
                if self._instance.result is not None:
                    self._instance.result.store(self._flow.emitter, value)
            self._flow.emitter.span = statement.span
            self._flow.leave()

    # selection and loops -------------------------------------------------------------------
    def _if(self, statement: ast.If) -> None:
        """All branches of a chain of `else if`s meet in one block, so that long chains nest nothing."""
        join = self._flow.new_block("endif")
        rest: ast.Statement | None = statement
        while isinstance(rest, ast.If):
            # Test one condition and run its branch; what remains is for where it is false.
            condition = self._expressions.condition(rest.condition)
            then = self._flow.new_block("then")
            otherwise = join if rest.otherwise is None else self._flow.new_block("else")
            self._flow.emitter.span = rest.condition.span
            self._flow.branch(condition, then, otherwise)
            self._flow.start(then)
            self.lower(rest.then)
            self._flow.jump(join)
            if rest.otherwise is not None:
                self._flow.start(otherwise)
            rest = rest.otherwise
        if rest is not None:
            self.lower(rest)
            self._flow.jump(join)
        self._flow.start(join)

    def _switch(self, statement: ast.Switch) -> None:
        """Run after run of groups of statements, each entered where the selector has one of its labels."""
        selector = self._expressions.value(statement.selector)
        end = self._flow.new_block("endswitch")
        self._loops.append((end, self._loops[-1][1] if self._loops else None))
        for run in runs_of(statement):
            self._run(selector, run, end)
        self._loops.pop()
        self._flow.jump(end)
        self._flow.start(end)

    def _run(self, selector: Operand, run: Run, end: Block) -> None:
        """Groups that fall one into the next.

        Whether control fell is a variable, and every group a plain `if`.  Jumps from body to body would be edges into
        the middle of nested tests, which machines whose control flow nests pay for again and again.
        """
        never = constant_operand(BOOL, (False,))
        fell = self._expressions.temporary(never) if len(run) > 1 else None
        for number, group in enumerate(run):
            wanted = self._is_wanted(selector, run[number:])
            if fell is not None and number:
                wanted = operators.binary(self._flow.emitter, "||", fell.load(self._flow.emitter), wanted)
            body, rest = self._flow.new_block("case"), self._flow.new_block("other")
            self._flow.branch(wanted.value, body, rest)
            self._flow.start(body)
            for inner in group.statements:
                self.lower(inner)
            if group is run[-1]:
                self._flow.jump(end)
            elif self._flow.is_open and fell is not None:
                fell.store(self._flow.emitter, constant_operand(BOOL, (True,)))
            self._flow.jump(rest)
            self._flow.start(rest)

    def _is_wanted(self, selector: Operand, groups: list[Group]) -> Operand:
        """Whether control goes to the first of the groups: none before it had the label, which counts for `default`."""
        emitter = self._flow.emitter
        first, *others = groups
        emitter.span = first.labels[0].span
        tested = others if first.is_default else [first]
        values = [self._expressions.value(label.value) for group in tested for label in group.labels if label.value]
        verdicts = [operators.binary(emitter, "==", selector, value) for value in values]
        if not verdicts:
            return constant_operand(BOOL, (True,))
        verdict = reduce(lambda x, y: operators.binary(emitter, "||", x, y), verdicts)
        return operators.unary(emitter, "!", verdict) if first.is_default else verdict

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
            # `while (bool b = ...)`: the declared variable's value is the condition.
            self.declare(condition.declaration)
            symbol = condition.declaration.declarators[-1].symbol
            assert symbol is not None
            if symbol.constant is not None:
                return constant_operand(BOOL, symbol.constant)
            return self._expressions.variable(symbol).load(self._flow.emitter)
        return self._expressions.value(condition)


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
