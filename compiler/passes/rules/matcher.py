"""Applies rewrite rules: finds those that fit an instruction and builds their replacements.

In: an instruction whose operands are simplified already, constants on the right.  Out: the value that
stands for it, or None.  The rules are sorted by the root's opcode; which of them can fit a certain *shape*
(what each operand is) is worked out when the shape is first seen, so that an instruction that no rule fits
costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import SHUFFLES, fold_components
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import vector
from glslc_multi.compiler.passes.rules.matching import Match, matches, only_number, same_value
from glslc_multi.compiler.passes.rules.pattern import (
    AnyConstant,
    Hole,
    Literal,
    Operation,
    Pattern,
    is_constant,
    orders,
)
from glslc_multi.compiler.passes.rules.rule import Rule, weight_of
from glslc_multi.compiler.records import dataclass

#: What an operand looks like from outside: an opcode, (kind, text) of a constant with one number that rules
#: ask for, "constant" for others.
Head = Opcode | tuple[str, str] | str
Shape = tuple[Head, ...]
#: The operations inside of a pattern: which operand each is, opcode, number of operands, the operations inside of it.
Inner = tuple[tuple[int, Opcode, int, "Inner"], ...]
#: What rules look at below an instruction: opcodes of operands, with what is looked at below those.
Sight = dict[Opcode, "Sight"]
#: A place in a pattern: which operand of the root, which operand of that...
Path = tuple[int, ...]


class RuleBook:
    """Rules, ready to be applied; those of one root opcode are parsed when it is first met."""

    __slots__ = ("_rules", "_shelves")

    def __init__(self, rules: Iterable[Rule]) -> None:
        #: Name of the root opcode -> rules.
        self._rules: dict[str, list[Rule]] = {}
        self._shelves: dict[Opcode, _Shelf] = {}
        for rule in rules:
            self._rules.setdefault(rule.root_name, []).append(rule)

    def rewrite(self, root: Instruction, *, precise: bool) -> Value | None:
        """The value that replaces `root` by the first rule that fits; only exact ones where it matters."""
        for candidate in self._shelf(root.op).candidates(root.operands):
            if not candidate.may_fit(root):
                continue
            match = Match()
            if matches(candidate.pattern, root, match) and _is_allowed(candidate.rule, match, root, precise):
                return _Maker(match).build(candidate.rule.replacement, root.type.width)
        return None

    def sight(self, op: Opcode) -> Sight:
        """The operations that rules of this root opcode look at."""
        return self._shelf(op).sight

    def _shelf(self, op: Opcode) -> _Shelf:
        shelf = self._shelves.get(op)
        if shelf is None:
            shelf = self._shelves[op] = _Shelf(self._rules.get(op.name, ()))
        return shelf


@dataclass(slots=True)
class _Candidate:
    """A rule with one order of its pattern, and what of that is soon seen to be missing."""

    rule: Rule
    pattern: Operation
    #: The operations inside of the root's operands, where there are any.
    inner: Sequence[tuple[int, Inner]]
    #: Places of values that are to be the same.
    twins: Sequence[tuple[Path, Path]]

    def may_fit(self, root: Instruction) -> bool:
        """Whether a root with operands of the right shape may fit, which few do and little work tells."""
        for index, inner in self.inner:
            if not _holds_operations(root.operands[index], inner):
                return False
        for one, other in self.twins:
            first, second = _at(root, one), _at(root, other)
            if not same_value(first, second):
                return False
        return True


class _Shelf:
    """The rules of one root opcode, each with every order in which its pattern may be found."""

    __slots__ = ("_by_shape", "_literals", "_numbers", "_orders", "sight")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._orders = [
            _Candidate(rule, order, [(index, deeper) for index, _, _, deeper in _inner(order) if deeper], _twins(order))
            for rule in rules
            for order in orders(rule.pattern)
        ]
        self.sight: Sight = {}
        for rule in rules:
            _add_to_sight(self.sight, rule.pattern)
        self._by_shape: dict[Shape, list[_Candidate]] = {}
        asked_for = {
            operand for entry in self._orders for operand in entry.pattern.operands if isinstance(operand, Literal)
        }
        #: The numbers that rules ask for, and the same as (kind, text).
        self._numbers = {literal.value for literal in asked_for}
        self._literals = {(literal.kind, literal.text) for literal in asked_for}

    def candidates(self, operands: Sequence[Value]) -> Sequence[_Candidate]:
        """The rules that may fit an instruction with such operands."""
        if not self._orders:
            return ()
        shape = tuple([value.op if isinstance(value, Instruction) else self._head(value) for value in operands])
        candidates = self._by_shape.get(shape)
        if candidates is None:
            candidates = self._by_shape[shape] = [entry for entry in self._orders if _may_fit(entry.pattern, shape)]
        return candidates

    def _head(self, value: Value) -> Head:
        """What a constant looks like."""
        assert isinstance(value, Constant)
        # Most are soon seen to be none of the numbers asked for: texts, which tell 0.0 from -0.0, take longer to make.
        if value.components[0] not in self._numbers:
            return "constant"
        number = only_number(value)
        return number if number in self._literals else "constant"


def _may_fit(order: Operation, heads: Shape) -> bool:
    return len(order.operands) == len(heads) and all(map(_head_fits, order.operands, heads))


def _head_fits(pattern: Pattern, head: Head) -> bool:
    if isinstance(pattern, Operation):
        return head is (pattern.op or ops.SWIZZLE)
    if isinstance(pattern, Literal):
        return head == (pattern.kind, pattern.text)
    return isinstance(pattern, Hole) or not isinstance(head, Opcode)


# ---------------------------------------------------------------------------------------------- matching


def _inner(pattern: Operation) -> Inner:
    return tuple(
        (index, part.op or ops.SWIZZLE, len(part.operands), _inner(part))
        for index, part in enumerate(pattern.operands)
        if isinstance(part, Operation)
    )


def _add_to_sight(sight: Sight, pattern: Operation) -> None:
    for part in pattern.operands:
        if isinstance(part, Operation):
            _add_to_sight(sight.setdefault(part.op or ops.SWIZZLE, {}), part)


def _twins(pattern: Operation) -> list[tuple[Path, Path]]:
    """The first place of each hole with every other place of it."""
    first: dict[Hole, Path] = {}
    twins: list[tuple[Path, Path]] = []
    for hole, path in _holes(pattern, ()):
        if first.setdefault(hole, path) is not path:
            twins.append((first[hole], path))
    return twins


def _holes(pattern: Pattern, path: Path) -> Iterator[tuple[Hole, Path]]:
    if isinstance(pattern, Hole):
        yield pattern, path
    elif isinstance(pattern, Operation):
        for index, operand in enumerate(pattern.operands):
            yield from _holes(operand, (*path, index))


def _at(root: Instruction, path: Path) -> Value:
    """The value at a place that the operations of a pattern lead to."""
    value: Value = root
    for index in path:
        assert isinstance(value, Instruction)
        value = value.operands[index]
    return value


def _holds_operations(value: Value, inner: Inner) -> bool:
    """Whether the operations of a pattern are there."""
    assert isinstance(value, Instruction)
    for index, op, count, deeper in inner:
        operand = value.operands[index]
        if not isinstance(operand, Instruction) or operand.op is not op or len(operand.operands) != count:
            return False
        if deeper and not _holds_operations(operand, deeper):
            return False
    return True


def _is_allowed(rule: Rule, match: Match, root: Instruction, precise: bool) -> bool:
    """Whether a rule that fits may and should be applied."""
    if not rule.is_exact and (precise or any(covered.flags & PRECISE for covered in match.covered)):
        return False
    if rule.wants_small_ints and root.block is not None and root.block.function.module.exact_integers:
        return False
    freed = sum(weight_of(covered.op) for covered in dying(match.covered))
    if not (rule.cost < freed or (rule.cost == freed and rule.is_shallower)):
        return False
    if rule.mixes_widths and not _widths_agree(rule.replacement, match.values, root.type.width):
        return False
    return rule.condition is None or _holds(rule.condition, match, root.type.width)


def dying(covered: Iterable[Instruction]) -> list[Instruction]:
    """Those of the covered instructions that nothing uses once the root, the first of them, is replaced."""
    gone: dict[Instruction, None] = {}
    for instruction in covered:
        if not gone or all(user in gone for user in instruction.users):
            gone[instruction] = None
    return list(gone)


def _widths_agree(pattern: Pattern, values: dict[str, Value], width: int) -> bool:
    """Whether the replacement is well-typed although the condition of a select may be a scalar."""
    if isinstance(pattern, Hole):
        return values[pattern.name].type.width == width
    if not isinstance(pattern, Operation):
        return True
    if pattern.op is ops.SELECT:
        condition, *choices = pattern.operands
        return all(_widths_agree(choice, values, width) for choice in choices) and any(
            _widths_agree(condition, values, allowed) for allowed in (1, width)
        )
    return all(_widths_agree(operand, values, width) for operand in pattern.operands)


def _holds(condition: Pattern, match: Match, width: int) -> bool:
    """Whether a condition on constants is true in every component."""
    verdict = _Maker(match).build(condition, width)
    return isinstance(verdict, Constant) and all(verdict.components)


# ---------------------------------------------------------------------------------------------- building
class _Maker:
    """Builds a replacement before the root; equal parts are built once."""

    __slots__ = ("_builder", "_made", "_shuffler", "_values")

    def __init__(self, match: Match) -> None:
        self._values = match.values
        self._made: dict[tuple[Pattern, int], Value] = {}
        self._builder = builder_for(match.covered)
        self._shuffler = shuffler_for(match.covered[0])

    def build(self, pattern: Pattern, width: int) -> Value:
        """The value of `pattern`, which stands where one of `width` components is needed."""
        if isinstance(pattern, Hole | AnyConstant):
            return self._values[pattern.name]
        if isinstance(pattern, Literal):
            return Constant.splat(vector(pattern.kind, width), pattern.value)
        key = (pattern, width)
        if key not in self._made:
            self._made[key] = self._operation(pattern, width)
        return self._made[key]

    def _operation(self, pattern: Operation, width: int) -> Value:
        operands = [self.build(operand, width) for operand in pattern.operands]
        if pattern.op is None:
            return self._shuffler.splat(operands[0], width)
        if is_constant(pattern):
            components = [operand.components for operand in _constants(operands)]
            folded = fold_components(
                pattern.op, pattern.op.infer([operand.type for operand in operands], None), None, components
            )
            assert folded is not None, "constants of rules are fully defined"
            return folded
        made = self._builder.op(pattern.op, *operands)
        if operands[-1].type.kind != "float":
            # Half precision would do for floats only: it does not hold every int.
            made.flags &= ~RELAXED
        return made


def builder_for(covered: Sequence[Instruction]) -> Builder:
    """A builder before the first of `covered` whose instructions stand for all of them: exact where one
    must be, relaxed where all may be.  Shuffles compute nothing, so their flags do not count."""
    builder = Builder.before(covered[0])
    flags = [instruction.flags for instruction in covered if instruction.op not in SHUFFLES]
    is_precise, is_relaxed = any(flag & PRECISE for flag in flags), all(flag & RELAXED for flag in flags)
    builder.flags = PRECISE * is_precise | RELAXED * is_relaxed
    return builder


def shuffler_for(root: Instruction) -> Builder:
    """A builder before `root` for shuffles, which carry no flags."""
    builder = Builder.before(root)
    builder.flags = 0
    return builder


def _constants(values: Iterable[Value]) -> Iterator[Constant]:
    for value in values:
        assert isinstance(value, Constant)
        yield value
