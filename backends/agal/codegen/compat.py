"""Code that its consumers take (`isa/consumers.py`): what costs nothing is done for all of them, what costs tokens for
those that `--agal-compat` names.

- Ruffle's `dp3` reads no component that a stream lacks: `dp4` multiplies it by a component that is 0, where there is
  one; else the attribute is copied.
- OpenFL takes a matrix whose first row has been read as a vector, and makes vectors of all its rows then: such a token
  comes first, if it can; else one is added that does nothing else.
- A product with four rows writes four components there.

What is left over is reported: an error for those that the option names, else a warning.  Without the option, consumers
that do not read the version at all, and profiles, are left out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.backends.agal.codegen.machine_ops import MOV, OPS
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.isa.consumers import BY_NAME, CONSUMERS, Consumer, Widths
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import ATTRIBUTE, COMPONENTS, CONSTANT, TEMPORARY
from glslc_multi.compiler.codegen.copies import copy_for
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.machine import AGAL_NOT_FOR_CONSUMER, AGAL_REFUSED_BY_CONSUMER
from glslc_multi.compiler.diagnostics.catalogue.usage import INVALID_OPTION_VALUE
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.options import OptionValue

#: The component that is 0 where a stream has two at most.
_ZERO = 2
_RUFFLE, _OPENFL = "ruffle", "openfl"


def named_consumers(values: Mapping[str, OptionValue], sink: DiagnosticSink) -> frozenset[str]:
    """The consumers that the option names; unknown ones are reported and raised."""
    names = [name for name in str(values.get("agal_compat", "")).replace(",", " ").split() if name]
    for name in names:
        if name not in BY_NAME:
            expected = f"names with commas between, of {', '.join(BY_NAME)}"
            help = did_you_mean(name, BY_NAME)
            sink.report(INVALID_OPTION_VALUE, help=help, option="agal_compat", expected=expected, value=name)
    sink.raise_if_errors()
    return frozenset(names)


def check_consumers(
    program: Program,
    widths: Widths,
    tokens: Sequence[MachineInstruction],
    named: frozenset[str],
    sink: DiagnosticSink,
) -> None:
    """Report the consumers that do not take a program, each with what it objects to first."""
    for consumer in _asked(program.version, named):
        objection = next(iter(consumer.objections(program, widths)), None)
        if objection is not None:
            entry = AGAL_REFUSED_BY_CONSUMER if named else AGAL_NOT_FOR_CONSUMER
            help = None if named else f"--agal-compat names those who must take the code: {', '.join(BY_NAME)}"
            span = None if objection.token is None else tokens[objection.token].span
            sink.report(entry, span, help=help, consumer=consumer.name, reason=objection.reason)
    sink.raise_if_errors()


def _asked(version: int, named: frozenset[str]) -> list[Consumer]:
    if named:
        return [consumer for consumer in CONSUMERS if consumer.name in named]
    return [consumer for consumer in CONSUMERS if version in consumer.versions and not consumer.on_demand]


# --- Narrow attributes ------------------------------------------------------------------------------------------------


@step("narrow attributes")
def spare_narrow_attributes(
    function: MachineFunction, files: RegisterFiles, widths: Widths, named: frozenset[str], *, precise: bool
) -> None:
    """Let no `dp3` read what a stream lacks; only what costs nothing, unless Ruffle is named."""
    if not widths or (named and _RUFFLE not in named):
        return
    for block in function.blocks:
        instructions: list[MachineInstruction] = []
        for instruction in block.instructions:
            narrow = [use for use in instruction.uses if _is_beyond(use, files, widths)]
            if instruction.op is OPS["dp3"] and narrow:
                if not precise and any(widths[_register(use).index] <= _ZERO for use in narrow):
                    _multiply_by_zero(instruction, next(u for u in narrow if widths[_register(u).index] <= _ZERO))
                elif named:
                    instructions += [copy_for([use], function, MOV, files.temporaries) for use in narrow]
            instructions.append(instruction)
        block.instructions = instructions


def _is_beyond(use: Use, files: RegisterFiles, widths: Widths) -> bool:
    """Whether an operand is an attribute of which it reads more than its stream has."""
    register = use.register
    if not isinstance(register, Register) or files.type_of(register) != ATTRIBUTE:
        return False
    width = widths.get(register.index, len(COMPONENTS))
    return width == 1 or any(lane is not None and lane >= width for lane in use.lanes)


def _register(use: Use) -> Register:
    assert isinstance(use.register, Register)
    return use.register


def _multiply_by_zero(product: MachineInstruction, narrow: Use) -> None:
    """A dot product of four whose last product is 0."""
    product.op = OPS["dp4"]
    for use in product.uses:
        use.lanes = (*use.lanes, _ZERO if use is narrow else use.lanes[-1])


# --- Products with matrices -------------------------------------------------------------------------------------------


def takes_whole_products(named: frozenset[str]) -> bool:
    """Whether someone is named who takes products with four rows only where these write four components."""
    return _OPENFL in named


# --- Matrices and vectors ---------------------------------------------------------------------------------------------


def read_rows_first(
    tokens: list[MachineInstruction], files: RegisterFiles, named: frozenset[str]
) -> list[MachineInstruction]:
    """The tokens of a program without branches, in an order in which the first row of a matrix is read as a vector
    before it is a matrix, where it is read so at all or must be."""
    if named and _OPENFL not in named:
        return tokens
    for row in dict.fromkeys(row for token in tokens if (row := _first_row(token, files)) is not None):
        tokens = _with_row_first(tokens, row, files, added=bool(named))
    return tokens


def _first_row(made: MachineInstruction, files: RegisterFiles) -> Register | None:
    """The register at which the matrix of a product begins."""
    if "fixed" not in made.op.sources:
        return None
    use = made.uses[-1]
    register = _register(use)
    return register if use.relative is None and files.type_of(register) in (ATTRIBUTE, CONSTANT) else None


def _with_row_first(
    tokens: list[MachineInstruction], row: Register, files: RegisterFiles, *, added: bool
) -> list[MachineInstruction]:
    products = [index for index, token in enumerate(tokens) if _first_row(token, files) == row]
    others = [(place, made) for place, made in enumerate(tokens) if place not in products]
    readers = [place for place, made in others if _reads(made, [row])]
    first = products[0]
    if not any(_reads(made, _one_place(row, files)) for _, made in others) or (readers and readers[0] < first):
        return tokens
    for reader in readers:
        if all(_may_swap(tokens[place], tokens[reader]) for place in range(first, reader)):
            moved = tokens[reader]
            return [*tokens[:first], moved, *tokens[first:reader], *tokens[reader + 1 :]]
    if not added:
        return tokens
    # At the beginning no temporary holds anything yet.
    return [
        MachineInstruction(MOV, [Def(files[TEMPORARY][0], (0,))], [Use(row, (0,))], span=tokens[first].span),
        *tokens,
    ]


def _one_place(row: Register, files: RegisterFiles) -> Sequence[Register]:
    """The registers that a matrix has for itself: among attributes, as many as a `mat4` has rows."""
    if files.type_of(row) != ATTRIBUTE:
        return [row]
    return files[ATTRIBUTE].registers()[row.index : row.index + len(COMPONENTS)]


def _reads(made: MachineInstruction, registers: Sequence[Register]) -> bool:
    return any(use.register in registers and use.relative is None for use in made.uses)


def _may_swap(one: MachineInstruction, other: MachineInstruction) -> bool:
    """Whether two tokens may run in either order."""
    written, others = _places(one.defs), _places(other.defs)
    return not (written & (others | _places(other.all_uses())) or others & _places(one.all_uses()))


def _places(operands: Sequence[Def] | Sequence[Use]) -> set[tuple[object, int]]:
    return {(operand.register, lane) for operand in operands for lane in operand.lanes if lane is not None}
