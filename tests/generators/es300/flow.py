"""Random control flow in GLSL ES 3.00: `python -m tests.generated --kind flow`.

Loops end by `<=`, by `&&` and by several breaks, run as often as a variable says, and exchange components; switches
fall through or not, stand in loops and hold loops; returns and discards leave all of them; conditions assign.
Statements between are those of `integers.py`.
"""

from __future__ import annotations

from random import Random

from tests.generators.es300.integers import Vector, Writer, float_type
from tests.generators.es300.whole_expressions import Whole, literal
from tests.generators.glsl import Program, Stage

#: Rounds of a loop at most, by how many loops are around it.
_ROUNDS = (7, 3, 2)


def generate_flow(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements, of which each second one is a loop or a switch."""
    return FlowWriter(random, stage, max(statements // 2, 1)).program()


class FlowWriter(Writer):
    """Writes statements with loops and switches among them."""

    detail, deepest = 1, 4

    def __init__(self, random: Random, stage: Stage, statements: int) -> None:
        super().__init__(random, stage, statements)
        #: Around the current statement.
        self.loops = 0
        self.switches = 0
        self.kinds += [self._loop] * 5 + [self._switch] * 4 + [self._permute] * 2 + [self._exchange, self._leave]
        self.kinds += [self._effect] * 2
        #: Ways to leave all loops and switches at once.
        self.ends = ["discard"] if stage == "fragment" and random.random() < 0.3 else []

    def _begin(self) -> None:
        super()._begin()
        if self.random.random() < 0.3:
            self.ends.append("return")
            results = ("gl_Position", "rest") if self.stage == "vertex" else ("colour",)
            self.lines += [f"{result} = {self.floating(4)};" for result in results]

    # loops -----------------------------------------------------------------------------------
    def _loop(self) -> None:
        if self.depth >= self.deepest or self.loops >= len(_ROUNDS):
            return self._leave()
        kind, rounds = self.random.choice(("int", "int", "uint")), self.random.randint(1, _ROUNDS[self.loops])
        counter = self.fresh("c")
        writers = (self._upwards, self._upwards, self._downwards)
        start, test, step, low, high = self.random.choice(writers)(kind, counter, rounds)
        if self.random.random() < 0.4:
            test = self._joined(test)
        leaf = Whole(counter, kind, 1, low, high)
        form = self.random.choice(("for", "for", "for", "while", "do", "endless"))
        declared = f"{kind} {counter} = {start};"
        if form == "for":
            self._body(f"for ({declared} {test}; {step}) {{", "}", leaf)
        elif form == "endless":
            self._body(f"for ({declared} ; {step}) {{", "}", leaf, f"if (!({test})) break;")
        elif form == "while":
            self._body(f"{declared} while ({test}) {{", "}", leaf, f"{step};")
        else:
            self._body(f"{declared} do {{", f"}} while ({test});", leaf, f"{step};")
        return None

    def _joined(self, test: str) -> str:
        """A second reason to end, before or after the first one."""
        tests = [test, self.random.choice(("{}", "!({})")).format(self.condition(0))]
        self.random.shuffle(tests)
        return " && ".join(f"({each})" for each in tests) if self.random.random() < 0.5 else f"{test} && ({tests[-1]})"

    def _bound(self, kind: str, low: int, high: int) -> str:
        """Where a loop ends: a number, or a variable that may change while it runs."""
        if self.random.random() < 0.5:
            return literal(kind, high)
        return self.whole.between(kind, min(low, 0), high).text

    def _upwards(self, kind: str, counter: str, rounds: int) -> tuple[str, str, str, int, int]:
        start = self.random.randint(0 if kind == "uint" else -3, 3)
        by = self.random.choice((1, 1, 1, 2, 3))
        end = max(start + by * rounds, 0)
        relation = self.random.choice(("<", "<=", "<="))
        step = f"{counter} += {literal(kind, by)}" if by > 1 or self.random.random() < 0.3 else f"{counter}++"
        test = f"{counter} {relation} {self._bound(kind, start, end)}"
        if self.random.random() < 0.2:
            words = test.split(" ", 2)
            test = f"{words[2]} {words[1].replace('<', '>')} {words[0]}"
        return literal(kind, start), test, step, start, end + 2 * by

    def _downwards(self, kind: str, counter: str, rounds: int) -> tuple[str, str, str, int, int]:
        """To 0, or of ints beyond."""
        start = self.random.randint(1, rounds)
        test = f"{counter} {self.random.choice(('>', '!='))} {literal(kind, 0)}"
        if kind == "int" and self.random.random() < 0.5:
            test = f"{counter} >= {self.random.choice(('0', '(-1)'))}"
        return literal(kind, start), test, self.random.choice((f"{counter}--", f"--{counter}")), -3, start

    def _body(self, opening: str, closing: str, counter: Whole, first: str = "") -> None:
        with self.block(opening, closing):
            switches, self.switches = self.switches, 0
            self.loops += 1
            if first:
                self.lines.append(first)
            if counter.kind == "int":
                self.leaves.append(counter)
            self.some(3)
            for _ in range(self.random.choice((0, 1, 1, 2))):
                self._leave()
                self._assign()
            self.loops -= 1
            self.switches = switches

    def _leave(self) -> None:
        """Under a condition, a break, or where there is a loop a continue."""
        words = ["break", "break"] * (self.loops + self.switches > 0) + ["continue"] * (self.loops > 0) + self.ends
        if not words:
            return self._assign()
        word = self.random.choice(words)
        self.lines.append(f"if ({self.condition()}) {word};")
        return None

    def _effect(self) -> None:
        """An assignment in a condition or a choice, which happens only where it is reached."""
        plain = [each for each in self.variables if each.width == 1 and "[" not in each.text]
        if not plain:
            return self._assign()
        variable = self.random.choice(plain)
        made = f"({variable.text} = {self.value_for(variable).text})"
        bound = literal(variable.kind, self.random.randint(max(variable.low, 0), variable.high))
        test = f"{made} {self.random.choice(('<', '>=', '=='))} {bound}"
        others = [each for each in plain if each.kind == variable.kind and each is not variable]
        fitting = [each for each in others if each.low <= variable.low and variable.high <= each.high]
        if fitting and self.random.random() < 0.4:
            other = self.random.choice(fitting)
            sides = [made, self.value_for(other).text]
            self.random.shuffle(sides)
            self.lines.append(f"{other.text} = ({self.condition(0)}) ? {sides[0]} : {sides[1]};")
            return None
        operator = self.random.choice(("&&", "||"))
        if self.depth >= self.deepest or self.random.random() < 0.5:
            self._name_truth(f"({self.condition(0)}) {operator} {test}")
            return None
        with self.block(f"if (({self.condition(0)}) {operator} {test}) {{"):
            self.some(2)
        return None

    # switches --------------------------------------------------------------------------------
    def _switch(self) -> None:
        if self.depth >= self.deepest:
            return self._assign()
        kind, low = self.random.choice(("int", "int", "uint")), self.random.choice((0, 0, -2))
        low, high = (0 if kind == "uint" else low), self.random.randint(1, 6)
        chosen = self.whole.between(kind, low, high)
        numbers = self.random.sample(range(low, high + 2), self.random.randint(1, high - low + 1))
        labels = [f"case {literal(kind, number)}:" for number in numbers]
        if self.random.random() < 0.7:
            labels.insert(self.random.randint(0, len(labels)), "default:")
        falls = self.random.choice((0.0, 0.3, 0.8))
        self.switches += 1
        with self.block(f"switch ({chosen.text}) {{"):
            while labels:
                count = min(self.random.choice((1, 1, 1, 2)), len(labels))
                self._case(labels[:count], self.random.random() < falls)
                del labels[:count]
        self.switches -= 1
        return None

    def _case(self, labels: list[str], falls: bool) -> None:
        with self.block(" ".join([*labels, "{"])):
            self.some(2)
            if self.random.random() < 0.2:
                self._leave()
                self._assign()
            if not falls:
                self.lines.append("continue;" if self.loops and self.random.random() < 0.2 else "break;")

    # components ------------------------------------------------------------------------------
    def _permute(self) -> None:
        """The components of a vector change places."""
        vectors = [(each.text, each.width) for each in self.variables]
        vectors += [(each.text, each.width) for each in self.vectors]
        text, width = self.random.choice(vectors)
        if width > 1:
            lanes = "xyzw"[:width]
            self.lines.append(f"{text} = {text}.{''.join(self.random.sample(lanes, width))};")

    def _exchange(self) -> None:
        """Two vectors of floats change places, or two variables of the same range."""
        if len(self.vectors) < 2:
            return self._assign()
        one, other = self.random.sample(self.vectors, 2)
        kept = self.fresh("f")
        self.lines.append(f"{float_type(one.width)} {kept} = {one.text};")
        self.lines.append(f"{one.text} = {self.swizzled(other, one.width)};")
        self.lines.append(f"{other.text} = {self.swizzled(Vector(kept, one.width), other.width)};")
        return None
