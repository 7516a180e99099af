"""The body of `main`: ifs and loops, with the values that need a variable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from glslc_multi.backends.glsl.counters import Counter, counters
from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.expressions import Expressions
from glslc_multi.backends.glsl.names import Names
from glslc_multi.backends.glsl.text import POSTFIX, PRIMARY, UNARY, Text
from glslc_multi.backends.glsl.webs import webs
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.codegen.regions import Basic, BreakIf, If, Loop, Region, Seq, structure_function
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.types import Type, matrix_name
from glslc_multi.compiler.ir.variables import Variable

_EMISSIONS = {ops.EMIT_VERTEX: "EmitVertex();", ops.END_PRIMITIVE: "EndPrimitive();"}
#: Longer expressions are taken apart.
_LONGEST = 96
_WORD = re.compile(r"[A-Za-z_]\w*")
_DECLARED = re.compile(r" *\w+ (\w+) = ")
#: What gives a value to a variable, which is one more statement anyway.
_TARGETS = frozenset({ops.STORE, ops.PHI})
_CROSS_LANE = frozenset({ops.TEXTURE, ops.DDX, ops.DDY})


class Line(str):
    """A line of the text, and the values that it computes."""

    values: tuple[Value, ...] = ()


class Body:
    """Writes the statements of a structured function."""

    def __init__(self, function: Function, dialect: Dialect, names: Names) -> None:
        self.lines: list[str] = []
        self._depth = 1
        self._function = function
        self._dialect = dialect
        self._names = names
        names.statement = self._line
        self._expressions = Expressions(dialect, names, self._declare)
        #: Declared before all statements: name -> type.
        self._early: list[str] = []
        loops = AnalysisManager(function).get(loop_nest)
        self._uses: dict[Value, list[tuple[Instruction, Block]]] = {}
        for block in function.blocks:
            for i in block:
                for number, operand in enumerate(i.operands):
                    where = i.attribute[number] if i.op is ops.PHI else block
                    self._uses.setdefault(operand, []).append((i, where))
        #: Values of loops that are read after them.
        self._outlive = {
            value
            for value, uses in self._uses.items()
            if isinstance(value, Instruction)
            and value.block is not None
            and (loop := loops.loop_of(value.block)) is not None
            and any(where not in loop.blocks for _, where in uses)
        }
        self._phis: dict[Instruction, str] = {}
        #: Values that have a line of their own.
        self._declared: set[Value] = set()
        self._webs: Mapping[Instruction, list[Instruction]] = {}
        self._counters: dict[Block, Counter] = {}
        #: What is still to be written, the next one last: so deep nests need no recursion.
        self._pending: list[Region[Block] | Callable[[], None]] = []

    def write(self, variables: Iterable[Variable]) -> list[str]:
        """Return the lines, which begin with declarations of variables."""
        for variable in variables:
            name = self._names.own(variable.name)
            self._names.rename(variable, name)
            dims = "".join(f"[{length}]" for length in variable.dims)
            self._early.append(f"    {_type_of(variable)} {name}{dims};")
        tree = structure_function(self._function)
        self._counters = {
            counter.header: counter
            for counter in counters(tree, self._uses, self._outlive)
            if counter.is_constant or self._dialect.is_modern or not self._dialect.is_es
        }
        counted = {counter.phi for counter in self._counters.values()}
        self._webs = webs(self._function, counted)
        for phi in (phi for block in self._function.blocks for phi in block.phis()):
            if phi in self._phis:
                continue
            name = self._names.of_value(phi, "i" if phi in counted else "p")
            for each in self._webs.get(phi, [phi]):
                self._phis[each] = name
                self._expressions.texts[each] = Text(name)
            if phi not in counted:
                self._early.append(f"    {phi.type.name} {name};")
        self._next(tree)
        while self._pending:
            item = self._pending.pop()
            if callable(item):
                item()
            else:
                self._region(item)
        lines = self._without_unread()
        return [*(line for line in self._early if not _declare_where_given(line, lines)), *lines]

    def _without_unread(self) -> list[str]:
        """Return the statements but for declarations of values that nobody reads in the end."""
        kept: list[str] = []
        read: set[str] = set()
        for line in reversed(self.lines):
            declared = _DECLARED.match(line)
            if declared is None or declared[1] in read:
                read.update(_WORD.findall(line))
                kept.append(line)
        return kept[::-1]

    def spans_of(self, line: str) -> list[Span]:
        """List what a line was made of: spans of the values that it computes, and of those in their expressions."""
        waiting = list(line.values) if isinstance(line, Line) else []
        spans: dict[Value, Span] = {}
        seen: set[Value] = set()
        while waiting:
            value = waiting.pop()
            if value in seen or not isinstance(value, Instruction):
                continue
            seen.add(value)
            if value.span is not None:
                spans[value] = value.span
            waiting += [each for each in value.operands if each not in self._declared and each not in self._phis]
        return list(spans.values())

    # ---------------------------------------------------------------------------------- control flow
    def _next(self, *items: Region[Block] | Callable[[], None]) -> None:
        self._pending.extend(reversed(items))

    def _region(self, region: Region[Block]) -> None:
        if isinstance(region, Seq):
            self._next(*region.parts)
        elif isinstance(region, Loop):
            self._loop(region)
        elif isinstance(region, Basic):
            self._block(region.block)
            self._copies(region.block)
        else:
            self._block(region.block)
            condition = self._condition(region, inverted=region.inverted)
            if isinstance(region, BreakIf):
                self._break(region, condition)
                return
            other = region.orelse
            if other is not None and len(other.parts) == 1 and self._only_gives(other.parts[0]):
                # Values are given first where an arm does nothing else.
                self._region(other.parts[0])
                other = None
            self._open(f"if ({condition.text}) {{", *self._tested(region.block))
            if other is not None and other.parts:
                self._next(region.then, self._else, other, self._close)
            else:
                self._next(region.then, self._close)

    def _only_gives(self, region: Region[Block]) -> bool:
        """Tell whether a region gives values to phis that nobody reads before, and does nothing else."""
        if not isinstance(region, Basic) or region.block.first is not region.block.terminator:
            return False
        phis = [phi for target in region.block.successors for phi in target.phis()]
        return all(len(self._webs.get(phi, ())) == 1 for phi in phis)

    def _open(self, head: str, *values: Value) -> None:
        self._line(head, *values)
        self._depth += 1

    def _else(self) -> None:
        self._depth -= 1
        self._open("} else {")

    def _close(self) -> None:
        self._depth -= 1
        if self.lines[-1].endswith("} else {"):
            # Nothing is left to do there.
            self.lines.pop()
        self._line("}")

    def _loop(self, loop: Loop[Block]) -> None:
        first = loop.body.parts[0]
        counter = self._counters.get(first.block) if isinstance(first, BreakIf) else None
        if counter is not None:
            name = self._phis[counter.phi]
            bounds = (counter.start, counter.limit, counter.by)
            head = counter.head(name, *(self._bound(bound).text for bound in bounds))
            self._open(head, *bounds, *self._tested(counter.header))
            self._block(counter.header)
            out, onward = counter.header.successors[1], counter.header.successors[0]
            assert not list(out.phis())
            self._copies(counter.header, onward)
            self._next(*loop.body.parts[1:], self._close)
            return
        start = len(self.lines)
        self._open("for (;;) {")
        if not isinstance(first, BreakIf):
            self._next(loop.body, self._close)
            return
        self._region(first)
        if len(self.lines) == start + 2:
            # Nothing but the test: it can stand at the head.
            stays = self._condition(first, inverted=not first.inverted)
            del self.lines[start:]
            self._depth -= 1
            self._open(f"while ({stays.text}) {{", *self._tested(first.block))
        self._next(*loop.body.parts[1:], self._close)

    def _bound(self, value: Value) -> Text:
        """Return the text of a value at the head of a loop, before the block that has it."""
        if isinstance(value, Constant) or value in self._expressions.texts or not isinstance(value, Instruction):
            return self._expressions.of(value)
        if value.op is ops.SWIZZLE:
            self._expressions.texts.setdefault(value.operands[0], self._bound(value.operands[0]))
        return self._expressions.make(value)

    def _condition(self, region: If[Block] | BreakIf[Block], *, inverted: bool) -> Text:
        """Return the test at the end of a block, or its opposite."""
        terminator = region.block.terminator
        assert terminator is not None
        condition = self._expressions.of(terminator.operands[0])
        return Text(f"!{condition.within(POSTFIX)}", UNARY) if inverted else condition

    def _tested(self, block: Block) -> Sequence[Value]:
        """Return what the branch at the end of a block asks for."""
        assert block.terminator is not None
        return block.terminator.operands

    def _break(self, region: BreakIf[Block], condition: Text) -> None:
        """Leave a loop, after phis behind it have got their values."""
        if_true, if_false = region.block.successors
        out, onward = (if_false, if_true) if region.inverted else (if_true, if_false)
        start = len(self.lines)
        self._depth += 1
        self._copies(region.block, out)
        self._depth -= 1
        copies = self.lines[start:]
        del self.lines[start:]
        if copies:
            self._line(f"if ({condition.text}) {{", *self._tested(region.block))
            self.lines += [*copies, "    " * (self._depth + 1) + "break;"]
            self._line("}")
        else:
            self._line(f"if ({condition.text}) break;", *self._tested(region.block))
        self._copies(region.block, onward)

    def _copies(self, block: Block, target: Block | None = None) -> None:
        """Give the phis of the block after this one their values, as if all at once."""
        target = target or next(iter(block.successors), None)
        if target is None:
            return
        moves = []
        counter = self._counters.get(target)
        for phi in (phi for phi in target.phis() if counter is None or phi is not counter.phi):
            value = phi.operands[phi.attribute.index(block)]
            is_there = isinstance(value, Instruction) and self._phis.get(value) == self._phis[phi]
            if not is_there and not (isinstance(value, Constant) and value.is_undef):
                moves.append((phi, self._expressions.of(value)))
        pending = [(phi.type.name, self._phis[phi], text.text) for phi, text in moves]
        given = {self._phis[phi]: phi.operands[phi.attribute.index(block)] for phi, _ in moves}
        while pending:
            # What nobody reads any more comes first.
            later = {name: [t for _, n, t in pending if n != name and _reads(t, name)] for _, name, _ in pending}
            type_, name, text = next((move for move in pending if not later[move[1]]), pending[0])
            pending.remove((type_, name, text))
            if later[name]:
                kept = self._names.fresh("old")
                self._line(f"{type_} {kept} = {name};")
                pending = [(t, n, re.sub(_variable(name), kept, other)) for t, n, other in pending]
            self._line(f"{name} = {text};", given[name])

    # ------------------------------------------------------------------------------------ statements
    def _block(self, block: Block) -> None:
        for i in block:
            if i.op is ops.PHI or i.is_terminator:
                continue
            if i.type.width == 0:
                self._effect(i)
                continue
            if i.op is ops.SWIZZLE and len(self._uses.get(i, [])) > 1:
                # Readers may look through it, each of them.
                self._expressions.simple(i.operands[0])
            text = self._expressions.make(i)
            readers = {user.op for user, _ in self._uses.get(i, [])}
            if self._stays(i) and (len(text.text) <= _LONGEST or readers <= _TARGETS):
                self._expressions.texts[i] = text
            elif self._uses.get(i):
                self._expressions.texts[i] = self._declare(i.type, text, i)

    def _effect(self, i: Instruction) -> None:
        of = self._expressions.of
        if i.op in _EMISSIONS:
            self._line(_EMISSIONS[i.op])
        elif i.op is ops.KILL:
            (condition,) = i.operands
            is_always = isinstance(condition, Constant) and condition.components[0] is True
            self._line("discard;" if is_always else f"if ({of(condition).text}) discard;", i)
        else:
            assert i.op is ops.STORE, i.op.name
            *indices, value = i.operands
            target = self._names.place(i.address, [of(index) for index in indices])
            text = of(value)
            if i.address.variable.outer_kind == "uint":
                text = Text(f"{'uint' if value.type.is_scalar else f'uvec{value.type.width}'}({text.text})", POSTFIX)
            if not (isinstance(value, Constant) and value.is_undef):
                self._line(f"{target.text} = {text.text};", i)

    def _stays(self, i: Instruction) -> bool:
        """Tell whether a value's expression can stand where it is read."""
        uses = self._uses.get(i, [])
        if i.op is ops.LOAD and not i.address.is_dynamic and not self._names.is_written(i.address.variable):
            return True
        if i.op is ops.SWIZZLE and self._expressions.of(i.operands[0]).level == PRIMARY:
            return True
        if len(uses) != 1 or uses[0][1] is not i.block:
            return False
        # The text of the reader may itself stand where that is read.
        if i.op is ops.LOAD and self._names.is_written(i.address.variable):
            return not any(o.op is ops.STORE and o.address.variable is i.address.variable for o in _following(i))
        return i.op not in _CROSS_LANE or not any(other.op is ops.KILL for other in _following(i))

    def _declare(self, type_: Type, text: Text, value: Instruction | None) -> Text:
        name, values = self._names.of_value(value, "t"), () if value is None else (value,)
        if value in self._outlive:
            self._early.append(f"    {type_.name} {name};")
            self._line(f"{name} = {text.text};", *values)
        else:
            self._line(f"{type_.name} {name} = {text.text};", *values)
        self._declared.update(values)
        return Text(name)

    def _line(self, text: str, *values: Value) -> None:
        line = Line("    " * self._depth + text)
        line.values = values
        self.lines.append(line)


def _declare_where_given(declaration: str, lines: list[str]) -> bool:
    """Move a declaration to the statement that gives the variable its first value, if nothing stands around that."""
    name = declaration.rstrip(";").split()[-1]
    first = next((number for number, line in enumerate(lines) if _reads(line, re.escape(name))), None)
    target, _, value = ("", "", "") if first is None else lines[first].partition(" = ")
    if first is None or target != f"    {name}" or _reads(value, name):
        return False
    line = Line(f"{declaration[:-1]} = {value}")
    line.values = getattr(lines[first], "values", ())
    lines[first] = line
    return True


def _variable(name: str) -> str:
    """Return a pattern for a variable in an expression, where members may have the same name."""
    return rf"(?<!\.)\b{name}\b"


def _reads(text: str, name: str) -> bool:
    """Tell whether an expression reads a variable."""
    return re.search(_variable(name), text) is not None


def _following(i: Instruction) -> Iterator[Instruction]:
    """List the instructions after one in its block."""
    following = i.next
    while following is not None:
        yield following
        following = following.next


def _type_of(variable: Variable) -> str:
    """Return the type of a local variable."""
    return matrix_name(variable.columns, variable.type.width) if variable.is_matrix else variable.type.name
