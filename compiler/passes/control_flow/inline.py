"""Inlining: every call becomes the callee's blocks.

In: a module of functions.  Out: a module with `main` alone (and a preamble, see `uniform-hoist`).

The idea: `main` first, then the calls in what was copied into it, so that every instruction is copied once,
to its final place.  A callee's variables are not copied: calls never overlap, since GLSL knows no recursion, so
all calls of a function can share its memory, as they do when it is called.  That keeps arrays from multiplying,
and what a call leaves is never read: a parameter is stored before each call, any other local is undefined
when a call begins.

Copies can grow exponentially (f calls g twice, g calls h twice...), so the size is known and bounded
before anything is copied.  Not handled: calls that would better stay calls on targets that have them.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.budget import COPY, LIMIT, spend
from glslc_multi.compiler.diagnostics.catalogue.limits import SHADER_TOO_LARGE
from glslc_multi.compiler.diagnostics.span import Origin, Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator, split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_blocks, keep_span
from glslc_multi.compiler.passes.memory.local_variables import accesses
from glslc_multi.compiler.records import dataclass

#: Functions that the host starts.
_ROOTS = ("main", PREAMBLE)


@dataclass(frozen=True, slots=True)
class Inline(ModulePass):
    """See the module's text."""

    name = "inline"
    description = "puts called functions in place of their calls"
    #: Instructions that the shader may grow to.
    limit: int = LIMIT // COPY

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        if module.functions.keys() <= set(_ROOTS):
            return False
        order = _callees_first(module.main)
        before = sum(1 for function in order for _ in function.instructions())
        # The instructions of `main` with all its calls replaced; stops where they would be too many.
        sizes: dict[Function, int] = {}
        for function in order:
            size = 0
            for instruction in function.instructions():
                size += sizes[instruction.attribute] if instruction.op is ops.CALL else 1
                if size > self.limit:
                    help = "every call is replaced by a copy of the function; call it fewer times"
                    context.sink.report(SHADER_TOO_LARGE, instruction.span, help=help, limit=self.limit)
                    context.sink.raise_if_errors()
            sizes[function] = size
        spend(COPY * (sizes[order[-1]] - before))
        _inline_calls(module.main)
        # Drop the other functions; their variables that `main` uses now belong to it.
        main = module.main
        used = {access.address.variable for access in accesses(main)}
        others = [function for function in module.functions.values() if function.name not in _ROOTS]
        module.functions = {name: function for name, function in module.functions.items() if name in _ROOTS}
        for function in others:
            for variable in function.variables.values():
                if variable in used:
                    main.add_variable(variable)
        context.forget(module.main, self)
        return True


def _calls(function: Function) -> list[Instruction]:
    return [instruction for instruction in function.instructions() if instruction.op is ops.CALL]


def _callees_first(main: Function) -> list[Function]:
    """The functions that `main` reaches, each after those that it calls; without recursion in Python."""
    order: list[Function] = []
    seen = {main}
    stack = [(main, iter(_calls(main)))]
    while stack:
        function, calls = stack[-1]
        callee = next((call.attribute for call in calls if call.attribute not in seen), None)
        if callee is None:
            order.append(function)
            stack.pop()
        else:
            seen.add(callee)
            stack.append((callee, iter(_calls(callee))))
    return order


def _inline_calls(main: Function) -> None:
    """Replace all calls in `main`, and those in what replaces them: every instruction is copied once, to its place."""
    blocks: list[Block] = []
    waiting = main.blocks[::-1]
    while waiting:
        block = waiting.pop()
        # From the last call to the first, so that every instruction moves once.
        calls = [instruction for instruction in block if instruction.op is ops.CALL]
        pieces = [_inline_call(call) for call in reversed(calls)]
        blocks.append(block)
        for piece in pieces:
            waiting.extend(reversed(piece))
    main.blocks = blocks


def _inline_call(call: Instruction) -> list[Block]:
    """Replace one call; the new blocks in order, the last goes on after the call."""
    block, callee = call.block, call.attribute
    assert block is not None
    assert call.next is not None
    rest = split_block(call.next, block.name)
    span_rule = keep_span if call.span is None else _Inlined(call.span, callee.name)
    copies = clone_blocks(callee.blocks, block.function, span_rule, f"{callee.name}.")
    body = [copies.block(original) for original in callee.blocks]
    for copy in body:
        if copy.last is not None and copy.last.op is ops.RET:
            replace_terminator(copy, rest)
    builder = Builder(block)
    builder.span = call.span
    call.erase()
    builder.br(body[0])
    return [*body, rest]


class _Inlined:
    """The spans of a callee's instructions, as they appear when it is inlined at `call`.

    The call is the last link of their chains, and links are shared as they are in the callee: a copy costs one span,
    however deep the calls nest.
    """

    __slots__ = ("_links", "_outermost")

    def __init__(self, call: Span, function: str) -> None:
        self._outermost = Origin("inlined", function, call)
        #: Link of a chain, by identity -> the same with the call after its end.
        self._links: dict[int, Origin] = {}

    def __call__(self, span: Span | None) -> Span | None:
        return None if span is None else span.with_chain(self._extended(span.origin))

    def _extended(self, origin: Origin | None) -> Origin:
        """The chain from `origin` on; without recursion, for chains may be long."""
        new: list[Origin] = []
        while origin is not None and id(origin) not in self._links:
            new.append(origin)
            origin = origin.span.origin
        result = self._outermost if origin is None else self._links[id(origin)]
        for link in reversed(new):
            result = self._links[id(link)] = Origin(link.kind, link.name, link.span.with_chain(result))
        return result
