"""What an expression reads and writes, in the order of its evaluation."""

from __future__ import annotations

from glslc_multi.frontends.glsl.ast import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expression,
    Field,
    ImplicitConversion,
    Index,
    Length,
    Name,
    Postfix,
    Unary,
)
from glslc_multi.frontends.glsl.flow.parts import Part, Parts
from glslc_multi.frontends.glsl.flow.reports import Reports
from glslc_multi.frontends.glsl.flow.state import State, join


class Expressions:
    """Walks expressions from a state to the state after them; reads of what is not written are reported.

    Chains of operators lean to the left and may be long, so the walk goes along them in a loop.
    """

    def __init__(self, parts: Parts, reports: Reports) -> None:
        self.parts = parts
        self.reports = reports

    def after(self, e: Expression, state: State) -> State:
        """The state after the value of `e` was computed."""
        if e.constant is not None:
            return state
        if isinstance(e, Name | Field | Index):
            part = self.parts.part(e)
            state = self._after_indices(e, state, reads_base=part is None)
            if part is not None:
                self._check(part, e, state)
            return state
        if isinstance(e, Binary):
            return self._after_chain(e, state)
        if isinstance(e, Assign):
            state = self._after_indices(e.target, state) if e.op == "=" else self.after(e.target, state)
            return self._written(e.target, self.after(e.value, state))
        if isinstance(e, Unary | Postfix):
            state = self.after(e.operand, state)
            return self._written(e.operand, state) if e.op in ("++", "--") else state
        if isinstance(e, Conditional):
            return self._after_conditional(e, state)
        if isinstance(e, Call):
            return self._after_call(e, state)
        if isinstance(e, Length):
            return self.after(e.base, state)
        return self.after(e.operand, state) if isinstance(e, ImplicitConversion) else state

    def _after_chain(self, e: Binary, state: State) -> State:
        chain: list[Binary] = []
        first: Expression = e
        while isinstance(first, Binary):
            chain.append(first)
            first = first.left
        state = self.after(first, state)
        for link in reversed(chain):
            after = self.after(link.right, state)
            # The right operand of && and || is computed by some lanes only.
            state = State(state.surely, after.perhaps) if link.op in ("&&", "||") else after
        return state

    def _after_conditional(self, e: Conditional, state: State) -> State:
        state = self.after(e.condition, state)
        if e.condition.constant is not None:
            return self.after(e.if_true if e.condition.constant[0] else e.if_false, state)
        joined = join(self.after(e.if_true, state), self.after(e.if_false, state))
        assert joined is not None
        return joined

    def _after_call(self, e: Call, state: State) -> State:
        """Arguments are copied in before the call, and out after it (section 6.1.1)."""
        # How each argument is passed; none where all are only read.
        if e.function is not None:
            storages = [parameter.storage for parameter in e.function.parameters]
        elif e.builtin is None or not e.builtin.out_parameters:
            storages = []
        else:
            storages = ["out" if i in e.builtin.out_parameters else "in" for i in range(len(e.arguments))]
        for number, argument in enumerate(e.arguments):
            is_read = not storages or storages[number] != "out"
            state = self.after(argument, state) if is_read else self._after_indices(argument, state)
        for argument, storage in zip(e.arguments, storages, strict=False):
            if storage in ("out", "inout"):
                state = self._written(argument, state)
        return state

    def _after_indices(self, e: Expression, state: State, *, reads_base: bool = False) -> State:
        """The indices of an l-value, and what it is a part of where that is no variable."""
        while isinstance(e, Field | Index):
            if isinstance(e, Index):
                state = self.after(e.index, state)
            e = e.base
        return self.after(e, state) if reads_base and not isinstance(e, Name) else state

    def _written(self, target: Expression, state: State) -> State:
        part = self.parts.part(target)
        return state if part is None else state.wrote(part.bits)

    def _check(self, part: Part, e: Expression, state: State) -> None:
        """Report a read of components that have no value, or none on some path.

        A part by an index that is not known counts only where nothing of the variable is written: arrays are filled
        and read by loops.
        """
        missing = part.bits & ~state.surely
        if missing and (part.is_sure or not part.bits & state.perhaps):
            never = missing & ~state.perhaps
            self.reports.read(part.symbol, e.span, is_certain=never != 0, is_whole=(never or missing) == part.bits)
