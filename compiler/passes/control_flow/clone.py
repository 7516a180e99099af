"""Copies of blocks, for inlining (into another function) and for unrolling (beside the original), and of modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy

from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import Address, TextureAccess, Variable
from glslc_multi.compiler.records import dataclass, field, replace

#: The span of a copy, from that of the original.
SpanRule = Callable[[Span | None], Span | None]


def keep_span(span: Span | None) -> Span | None:
    """A copy stands where the original does."""
    return span


@dataclass(slots=True)
class Copies:
    """What became of blocks and values; what was not copied stands for itself."""

    blocks: dict[Block, Block] = field(default_factory=dict)
    values: dict[Value, Value] = field(default_factory=dict)

    def block(self, original: Block) -> Block:
        return self.blocks.get(original, original)

    def value(self, original: Value) -> Value:
        return self.values.get(original, original)


def clone_blocks(
    blocks: Sequence[Block], target: Function, span_rule: SpanRule = keep_span, prefix: str = ""
) -> Copies:
    """Append copies of `blocks` to `target`, with `prefix` before their names.

    Operands and branches that lead to copied values and blocks lead to the copies; all others, among
    them the phi operands that come from outside, stay as they are.
    """
    copies = Copies()
    for block in blocks:
        copies.blocks[block] = target.add_block(prefix + block.name)
    for block in blocks:
        for original in block:
            copies.values[original] = copies.blocks[block].append(_clone(original, copies, span_rule))
    # An operand may stand later in the list than its user, so operands follow when all values exist.
    for block in blocks:
        for original in block:
            copy_ = copies.values[original]
            assert isinstance(copy_, Instruction)
            for operand in original.operands:
                copy_.add_operand(copies.value(operand))
    return copies


def _clone(original: Instruction, copies: Copies, span_rule: SpanRule) -> Instruction:
    """The instruction without its operands."""
    attribute = original.attribute
    if original.op is ops.PHI or original.targets:
        attribute = [copies.block(block) for block in attribute]
    return Instruction(original.op, original.type, (), attribute, flags=original.flags, span=span_rule(original.span))


def clone_module(module: Module) -> Module:
    """A module of its own that means the same: nothing in it is shared with the original but spans."""
    clone = Module(module.stage, module.name)
    clone.pragmas, clone.declarations = list(module.pragmas), list(module.declarations)
    clone.blocks, clone.exact_integers = list(module.blocks), module.exact_integers
    clone.language = module.language
    variables = {variable: clone.add_variable(copy(variable)) for variable in module.variables.values()}
    functions = {original: clone.add_function(original.name, original.span) for original in module.functions.values()}
    for original, made in functions.items():
        for variable in original.variables.values():
            variables[variable] = made.add_variable(copy(variable))
    for original, made in functions.items():
        copies = clone_blocks(original.blocks, made)
        for instruction in made.instructions():
            instruction.attribute = _moved(instruction.attribute, variables, functions)
        _remember(original, made, copies)
    clone.functions_made, clone.settled = module.functions_made, dict(module.settled)
    return clone


def _remember(original: Function, made: Function, copies: Copies) -> None:
    """Let passes see the copy as they have seen the original."""
    made.changes, made.seen = original.changes, dict(original.seen)
    for instruction in original.instructions():
        copy_of_it = copies.values[instruction]
        assert isinstance(copy_of_it, Instruction)
        copy_of_it.changed = instruction.changed


def _moved(attribute: object, variables: Mapping[Variable, Variable], functions: Mapping[Function, Function]) -> object:
    """An attribute with the clone's variables and functions."""
    if isinstance(attribute, Address):
        return _address(attribute, variables)
    if isinstance(attribute, TextureAccess):
        return replace(attribute, address=_address(attribute.address, variables))
    return functions[attribute] if isinstance(attribute, Function) else attribute


def _address(address: Address, variables: Mapping[Variable, Variable]) -> Address:
    return replace(address, variable=variables[address.variable])
